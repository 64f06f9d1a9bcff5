"""Dating: the clock and the habits by which words are read as dates and rhythms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from todo_tui.domain.dates import DateNotUnderstood, read_date
from todo_tui.domain.when import DateStyle, When

_LEAD = re.compile(r"^(?:on|for|by|until|till|at|to|due|due on|be|be due|the) ", re.IGNORECASE)
_NO_DATE = re.compile(r"(?:no (?:due )?date|none|never|nothing|no deadline|someday)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dates:
    """What time it is for the person, and how they write dates."""

    now: datetime
    style: DateStyle

    def when(self, words: str, current: When | None = None) -> When | None:
        """The day or moment that words name, None where they name none."""
        try:
            return read_date(bare_date(words), self.now, self.style, current=current).when
        except DateNotUnderstood:
            return None

    def is_when(self, words: str) -> bool:
        """Whether words are a date, or say that there shall be none."""
        return bool(_NO_DATE.fullmatch(words.strip())) or self.when(words) is not None

    def is_rhythm(self, words: str) -> bool:
        """Whether words say how often something comes round."""
        # Reading rhythms needs dateutil, which costs time that most clauses can save.
        from todo_tui.domain.recurrence import read_recurrence

        try:
            read_recurrence(words, self.now, self.style)
        except DateNotUnderstood:
            return False
        return True


def bare_date(words: str) -> str:
    """A date without the small words before it; `none` for the words that clear one."""
    text = words.strip()
    if _NO_DATE.fullmatch(text):
        return "none"
    return _LEAD.sub("", text)
