"""Estimates: the minutes that a task will take, as text and read from it."""

import re

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.text import plain_line, shorten

_HOURS = r"\d{1,4}(?:[.,]\d{1,2})?[ ]?h(?:(?:ou)?rs?)?"
_MINUTES = r"\d{1,5}[ ]?m(?:in(?:ute)?s?)?"
ESTIMATE = rf"(?:{_HOURS}(?:\d{{1,2}}|[ ]?{_MINUTES})?|{_MINUTES})"
"""Pattern of `30m`, `1.5 h`, `1h30` and `2 hours 15 min`, also for verbose patterns."""
_AMOUNT = re.compile(r"(\d+(?:[.,]\d+)?)\s*(h?)", re.IGNORECASE)
_WHOLE = re.compile(rf"~?\s*(?:{ESTIMATE}|\d{{1,5}})", re.IGNORECASE)
_SHOWN = 40
EXAMPLES = "Examples: 30m, 1h30, 1.5h."


def parse_estimate(text: str) -> int | None:
    """Return the minutes of `30m`, `1h30` or `90`; None for no or another text, and for nothing."""
    if _WHOLE.fullmatch(text.strip()) is None:
        return None
    amounts = (
        float(number.replace(",", ".")) * (60 if unit else 1)
        for number, unit in _AMOUNT.findall(text)
    )
    return round(sum(amounts)) or None


def require_estimate(text: str) -> int:
    """Return the minutes of an estimate.

    Raises:
        ValidationError: the text is not an estimate.
    """
    minutes = parse_estimate(text)
    if minutes is None:
        quoted = plain_line(shorten(text, _SHOWN))
        raise ValidationError(f"“{quoted}” is not an estimate.", hint=EXAMPLES)
    return minutes


def format_estimate(minutes: int) -> str:
    """Return `45 min`, `2 h` or `2 h 30`."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours:,} h {rest:02}" if rest else f"{hours:,} h"


def estimate_word(minutes: int) -> str:
    """Return the estimate as a change word: `~45m`, `~2h30`."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"~{rest}m"
    return f"~{hours}h{rest:02}" if rest else f"~{hours}h"
