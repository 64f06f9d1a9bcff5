"""Filters that cannot be read: which word is wrong, where it stands, and what would fit."""

from __future__ import annotations

from collections.abc import Iterable

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filter_tokens import Word
from todo_tui.domain.text import folded

QUOTE_IT = "Put words in quotes to search for them as they stand."
_SHOWN = 60
_LIKENESS = 0.6
_MOST = 3


class FilterProblem(ValidationError):
    """A filter that cannot be read.

    `word` stands at `position` (from 0) of its text; `fits` are texts that could stand
    there instead, the likeliest first.
    """

    def __init__(
        self,
        message: str,
        *,
        word: str,
        position: int,
        hint: str = QUOTE_IT,
        fits: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint)
        self.word = word
        self.position = position
        self.fits = fits

    @property
    def end(self) -> int:
        """Where the word ends in the text."""
        return self.position + len(self.word)


def problem(
    word: Word, complaint: str, *, fits: Iterable[str] = (), hint: str = QUOTE_IT
) -> FilterProblem:
    """“word” complaint. What fits is asked in the hint."""
    fitting = tuple(fits)
    asked = f"Did you mean {_listed(fitting)}?" if fitting else ""
    shown = word.text if len(word.text) <= _SHOWN else f"{word.text[: _SHOWN - 1]}…"
    return FilterProblem(
        f"“{shown}” {complaint}.",
        word=word.raw,
        position=word.position,
        hint=f"{asked} {hint}".strip(),
        fits=fitting,
    )


def alike(word: str, known: Iterable[str], *, likeness: float = _LIKENESS) -> tuple[str, ...]:
    """Which of the known words were perhaps meant, the likeliest first."""
    # Only a mistake pays for the search of what was meant.
    from difflib import get_close_matches

    by_folded = {folded(each): each for each in known}
    begun = [each for each in by_folded if folded(word) and each.startswith(folded(word))]
    close = get_close_matches(folded(word), by_folded, n=_MOST, cutoff=likeness)
    found = dict.fromkeys((*sorted(begun, key=len), *close))
    return tuple(by_folded[each] for each in found)[:_MOST]


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
