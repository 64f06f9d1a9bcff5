"""Read dates and recurrences with the clock of the request; recognise unrequested tasks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from todo_tui.domain.dates.reader import read_date, read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle, When
from todo_tui.providers.offline.words import is_verb

_LEAD = re.compile(r"^(?:on|for|by|until|till|at|to|due|due on|be|be due|the) ", re.IGNORECASE)
_NO_DATE = re.compile(r"(?:no (?:due )?date|none|never|nothing|no deadline|someday)", re.IGNORECASE)
_MOST_WORDS = 14
"""Nobody needs more for a date or a rhythm."""
_REMEMBERED = 4096
_FOR_A_MODEL = frozenset(
    "write tell translate explain calculate sing play draw compose summarise summarize "
    "define give show say "
    "talk guess google compare describe imagine help make open turn set start run search "
    "look think let try "
    "stop wait keep be have do know love like hate see hear go come use want thank program "
    "code generate "
    "count like light shut dance smile greet surprise".split()
)
_STATING = frozenset(
    "is are was were isn't aren't wasn't weren't has had should can could will would must "
    "may".split()
)
"""Words after which the one before was a thing that something is said of."""
_TO_ME = re.compile(r"\b(?:me|you|your|yourself|us)\b", re.IGNORECASE)


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


def sounds_like_task(text: str, dates: Dates) -> bool:
    """Return True if a sentence reads like a line of a to-do list: `buy milk tomorrow`.

    With a date at its end any verb will do; without one it takes an errand's verb.
    """
    # Quick add brings the grammar of rhythms: needed only here and to add.
    from todo_tui.domain.change_words.quick_add import read_quick_add

    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS or not is_verb(words[0].lower()):
        return False
    if words[1].lower() in _STATING:
        return False
    if _TO_ME.search(text) or text.endswith("?"):
        return False
    if words[0].lower() not in _FOR_A_MODEL:
        return True
    found = read_quick_add(text, dates.now, dates.style)
    return found.due is not None or found.recurrence is not None
