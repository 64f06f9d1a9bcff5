"""Slot values: what the words in a slot stand for, as priorities, lengths of time and names."""

from __future__ import annotations

import re

LEVELS = {
    "high": "high", "top": "high", "highest": "high", "urgent": "high", "important": "high",
    "critical": "high", "very high": "high", "very important": "high", "very urgent": "high",
    "more urgent": "raise", "more important": "raise", "higher": "raise", "less urgent": "lower",
    "less important": "lower", "lower": "lower", "medium": "medium", "normal": "medium",
    "mid": "medium", "middle": "medium", "moderate": "medium", "low": "low", "lowest": "low",
    "unimportant": "low", "not urgent": "none", "not important": "none", "no": "none",
    "none": "none", "p1": "high", "p2": "medium", "p3": "low", "!high": "high",
    "!medium": "medium", "!low": "low", "!!!": "high", "!!": "medium",
}  # fmt: skip
"""Words for a priority, and the one that they mean; `raise` and `lower` go by one step."""

_LEVEL_TAIL = re.compile(r"[- ]?(?:priority|prio|importance|urgency)$", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:,|&|\band\b)\s*|\s+(?=[@#])", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:an?|one|another|half an?|\d+|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|a couple(?: of)?"
    r"|a few)\s*(?:more )?(?:minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?"
    r"|years?|fortnights?)",
    re.IGNORECASE,
)


def level_of(words: str) -> str:
    """The priority that words mean, or nothing."""
    plain = words.strip().casefold()
    return LEVELS.get(plain) or LEVELS.get(_LEVEL_TAIL.sub("", plain), "")


def unlabelled(words: str) -> str:
    """A thing without the article that a title has no use for: `a haircut` is Haircut."""
    return re.sub(r"^(?:an?|the|some) ", "", words, flags=re.IGNORECASE)


def is_span(words: str) -> bool:
    """Whether words are a length of time: `a week`, `2 days`."""
    return _SPAN.fullmatch(words.strip()) is not None


def names_in(words: str) -> str:
    """Names of tags or projects, joined with commas, their marks gone."""
    bare = re.sub(
        r"^(?:the |tags? |labels? |called |named )+|(?: tags?| labels?)$",
        "",
        words.strip(),
        flags=re.I,
    )
    names = (name.strip().lstrip("@#").strip() for name in _JOINS.split(bare))
    return ",".join(dict.fromkeys(name.replace(" ", "-") for name in names if name))
