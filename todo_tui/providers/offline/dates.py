"""Read dates and recurrences with the clock of the request; recognise unrequested tasks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from todo_tui.domain.dates.reader import read_date, read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle, When

_LEAD = re.compile(r"^(?:on|for|by|until|till|at|to|due|due on|be|be due|the) ", re.IGNORECASE)
_NO_DATE = re.compile(r"(?:no (?:due )?date|none|never|nothing|no deadline|someday)", re.IGNORECASE)
_MOST_WORDS = 14
"""Nobody needs more for a date or a rhythm."""
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Dates:
    """What time it is for the person, and how they write dates."""

    now: datetime
    style: DateStyle

    def when(self, words: str) -> When | None:
        """The day or moment that words name, None where they name none."""
        return _when(bare_date(words), self) if _is_short(words) else None

    def is_when(self, words: str) -> bool:
        """Return True if words are a date, or say that there shall be none."""
        return bool(_NO_DATE.fullmatch(words.strip())) or self.when(words) is not None

    def is_stretch(self, words: str) -> bool:
        """Return True if words name a stretch of days, such as `this week`, or a single day."""
        return _is_short(words) and _is_stretch(words, self)

    def lies_ahead(self, words: str) -> bool:
        """Return True if the days that words name have not begun."""
        try:
            days = read_range(words, self.now, self.style)
        except DateNotUnderstood:
            return False
        return days.first > self.now.date()

    def is_rhythm(self, words: str) -> bool:
        """Return True if words say how often something comes round."""
        return _is_short(words) and _is_rhythm(words, self)


def bare_date(words: str) -> str:
    """A date without the small words before it; `none` for the words that clear one."""
    text = words.strip()
    if _NO_DATE.fullmatch(text):
        return "none"
    return _LEAD.sub("", text)


def _is_short(words: str) -> bool:
    return len(words.split(maxsplit=_MOST_WORDS)) <= _MOST_WORDS


@lru_cache(maxsize=_REMEMBERED)
def _when(words: str, dates: Dates) -> When | None:
    try:
        return read_date(words, dates.now, dates.style).when
    except DateNotUnderstood:
        return None


@lru_cache(maxsize=_REMEMBERED)
def _is_stretch(words: str, dates: Dates) -> bool:
    try:
        read_range(words, dates.now, dates.style)
    except DateNotUnderstood:
        return False
    return True


@lru_cache(maxsize=_REMEMBERED)
def _is_rhythm(words: str, dates: Dates) -> bool:
    # The grammar of rhythms takes time to load, which most clauses can save.
    from todo_tui.domain.recurrence.reader import read_recurrence

    try:
        read_recurrence(words, dates.now, dates.style)
    except DateNotUnderstood:
        return False
    return True
