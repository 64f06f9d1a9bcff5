"""A saved view: a filter under a name, and perhaps under a key."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.text import folded, plain_line, whole_characters

LONGEST_NAME = 60
LONGEST_FILTER = 2_000
"""Characters."""
_UNTYPABLE = frozenset('"“”\\')


@dataclass(frozen=True, slots=True)
class SavedView:
    """One saved view; `key` is a digit or a lower-case letter, or None."""

    name: str
    filter_text: str
    key: str | None = None


def clean_view_name(name: str) -> str:
    """A name that can be typed behind `view:`, in quotes if it has blanks.

    Raises:
        ValidationError: it is empty, too long, or has characters that cannot be typed there.
    """
    cleaned = " ".join(plain_line(whole_characters(name)).split())
    if not cleaned:
        raise ValidationError("A view needs a name.", hint="For example: this week's calls")
    if len(cleaned) > LONGEST_NAME:
        raise ValidationError(
            f"The name of a view has at most {LONGEST_NAME} characters.", hint="Shorten it."
        )
    if not _UNTYPABLE.isdisjoint(cleaned):
        raise ValidationError(
            "The name of a view has no quotation marks or backslashes.", hint="Leave them out."
        )
    return cleaned


def clean_view_key(key: str | None) -> str | None:
    """A key of the keyboard: a digit or a letter, capitals as small ones; empty is none.

    Raises:
        ValidationError: it is neither.
    """
    if not key:
        return None
    cleaned = folded(key)
    if len(cleaned) != 1 or not cleaned.isascii() or not cleaned.isalnum():
        raise ValidationError(
            f"“{plain_line(key)[:20]}” is no key for a view.", hint="Choose one digit or letter."
        )
    return cleaned


def clean_view_text(text: str) -> str:
    """A filter as it is saved; whether it can be read is for its reader to say.

    Raises:
        ValidationError: it is too long.
    """
    cleaned = plain_line(whole_characters(text)).strip()
    if len(cleaned) > LONGEST_FILTER:
        raise ValidationError(
            f"A filter has at most {LONGEST_FILTER:,} characters.", hint="Shorten it."
        )
    return cleaned
