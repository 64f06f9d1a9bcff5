"""Texts of tasks as they are stored: on one line, without control characters, within limits.

Invalid texts raise a ValidationError.
"""

from functools import lru_cache

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.text import plain_line, plain_text, repair_surrogates

TITLE_LIMIT = 10_000
NOTES_LIMIT = 1_000_000
LABEL_LIMIT = 500
"""Most characters of a title or rule, of notes and other long text, of a project or tag."""
_REMEMBERED = 1024
"""Cache entries each for cleaned projects and cleaned tags."""


def clean_title(title: str) -> str:
    """Return the title on one line, without control characters."""
    cleaned = _line(title)
    if not cleaned:
        raise ValidationError("A task needs a title.", hint="Type a title.")
    return _within(cleaned, TITLE_LIMIT, "title")


def clean_notes(text: str, name: str) -> str:
    """Return multi-line text without control characters except newline and tab."""
    return _within(plain_text(repair_surrogates(text)), NOTES_LIMIT, name) if text else ""


def edit_notes(present: str, given: str) -> str:
    """Return notes that replace the present ones; `+ ` in front adds a line."""
    if not given.startswith("+ "):
        return given.strip()
    return "\n".join(part for part in (present, given[2:].strip()) if part)


def clean_label(text: str, name: str) -> str:
    """Return a word or phrase on one line."""
    return _within(_line(text), LABEL_LIMIT, name)


# Most tasks of a long file share their projects and tags.
@lru_cache(maxsize=_REMEMBERED)
def clean_project(project: str | None) -> str | None:
    """Return the dotted path without a leading `#`; None if it is empty."""
    return clean_label((project or "").strip().removeprefix("#"), "project") or None


@lru_cache(maxsize=_REMEMBERED)
def clean_tag(tag: str) -> str:
    """Return the tag without a leading `@`."""
    cleaned = clean_label(tag.strip().removeprefix("@"), "tag")
    if not cleaned:
        raise ValidationError("A tag needs a name.", hint="Write tags as @home.")
    return cleaned


def clean_rule(rule: str) -> str:
    """Return a recurrence rule on one line."""
    return _within(_line(rule), TITLE_LIMIT, "recurrence rule")


def _line(text: str) -> str:
    # Fast path: nearly all text is printable.
    return text.strip() if text.isprintable() else plain_line(repair_surrogates(text)).strip()


def _within(text: str, limit: int, name: str) -> str:
    if len(text) > limit:
        raise ValidationError(
            f"The {name} is too long ({len(text):,} of {limit:,} characters).",
            hint="Shorten the title, or move text to the notes."
            if name == "title"
            else f"Shorten the {name}.",
        )
    return text
