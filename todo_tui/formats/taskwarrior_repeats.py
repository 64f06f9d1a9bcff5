"""Taskwarrior's words for a repeat (`weekly`, `3d`, `P1M`) and the rules they stand for."""

from __future__ import annotations

import re

from todo_tui.domain.rule import Freq, Rule
from todo_tui.domain.when import When
from todo_tui.formats.intervals import WEEKDAYS, interval_of

_NAMED = {
    "daily": (Freq.DAILY, 1), "day": (Freq.DAILY, 1),
    "weekly": (Freq.WEEKLY, 1), "sennight": (Freq.WEEKLY, 1),
    "biweekly": (Freq.WEEKLY, 2), "fortnight": (Freq.WEEKLY, 2),
    "monthly": (Freq.MONTHLY, 1), "bimonthly": (Freq.MONTHLY, 2),
    "quarterly": (Freq.MONTHLY, 3), "semiannual": (Freq.MONTHLY, 6),
    "annual": (Freq.YEARLY, 1), "yearly": (Freq.YEARLY, 1),
    "biannual": (Freq.YEARLY, 2), "biyearly": (Freq.YEARLY, 2),
}  # fmt: skip
_UNITS = {
    "min": (Freq.MINUTELY, 1), "mins": (Freq.MINUTELY, 1), "minute": (Freq.MINUTELY, 1),
    "minutes": (Freq.MINUTELY, 1),
    "h": (Freq.HOURLY, 1), "hr": (Freq.HOURLY, 1), "hrs": (Freq.HOURLY, 1),
    "hour": (Freq.HOURLY, 1), "hours": (Freq.HOURLY, 1),
    "d": (Freq.DAILY, 1), "day": (Freq.DAILY, 1), "days": (Freq.DAILY, 1),
    "w": (Freq.WEEKLY, 1), "wk": (Freq.WEEKLY, 1), "wks": (Freq.WEEKLY, 1),
    "week": (Freq.WEEKLY, 1), "weeks": (Freq.WEEKLY, 1),
    "m": (Freq.MONTHLY, 1), "mo": (Freq.MONTHLY, 1), "mos": (Freq.MONTHLY, 1),
    "mth": (Freq.MONTHLY, 1), "mths": (Freq.MONTHLY, 1), "month": (Freq.MONTHLY, 1),
    "months": (Freq.MONTHLY, 1),
    "q": (Freq.MONTHLY, 3), "qtr": (Freq.MONTHLY, 3), "qtrs": (Freq.MONTHLY, 3),
    "quarter": (Freq.MONTHLY, 3), "quarters": (Freq.MONTHLY, 3),
    "y": (Freq.YEARLY, 1), "yr": (Freq.YEARLY, 1), "yrs": (Freq.YEARLY, 1),
    "year": (Freq.YEARLY, 1), "years": (Freq.YEARLY, 1),
}  # fmt: skip
_ISO = re.compile(r"p(?:(\d{1,6})([ymwd])|t(\d{1,6})([hm]))")
_ISO_DAYS = {"y": Freq.YEARLY, "m": Freq.MONTHLY, "w": Freq.WEEKLY, "d": Freq.DAILY}
_ISO_TIMES = {"h": Freq.HOURLY, "m": Freq.MINUTELY}
_SIMPLE = {Freq.DAILY: "daily", Freq.WEEKLY: "weekly", Freq.MONTHLY: "monthly",
           Freq.YEARLY: "yearly"}  # fmt: skip
_MONTHS_OF_YEAR = 12
_LARGEST = 999


def rule_of(words: str) -> str | None:
    """The RRULE of a `recur` attribute; None where there is none."""
    rule = _rule(words.strip().lower())
    return None if rule is None else rule.text()


def words_for(recurrence: str, due: When) -> str | None:
    """The `recur` attribute of a rule whose occurrence is due then; None where there is none.

    UNTIL and COUNT are not in it.
    """
    rule = interval_of(recurrence, due)
    if rule is None or (rule.freq.is_short and due.at is None):
        return None
    if rule == WEEKDAYS:
        return "weekdays"
    if rule.interval == 1 and rule.freq in _SIMPLE:
        return _SIMPLE[rule.freq]
    match rule.freq:
        case Freq.YEARLY:
            # Years are 365 days there, but months are counted.
            return f"P{rule.interval * _MONTHS_OF_YEAR}M"
        case Freq.MONTHLY | Freq.WEEKLY | Freq.DAILY:
            return f"P{rule.interval}{rule.freq.value[0]}"
        case Freq.HOURLY | Freq.MINUTELY:
            return f"PT{rule.interval}{rule.freq.value[0]}"


def _rule(words: str) -> Rule | None:
    if words == "weekdays":
        return WEEKDAYS
    if words in _NAMED:
        return Rule(*_NAMED[words])
    counted = re.fullmatch(r"(\d{0,6})\s*([a-z]+)", words)
    if counted and counted[2] in _UNITS:
        freq, size = _UNITS[counted[2]]
        return _sized(freq, int(counted[1] or 1) * size)
    iso = _ISO.fullmatch(words)
    if iso is None:
        return None
    if iso[2]:
        return _sized(_ISO_DAYS[iso[2]], int(iso[1]))
    return _sized(_ISO_TIMES[iso[4]], int(iso[3]))


def _sized(freq: Freq, interval: int) -> Rule | None:
    if freq is Freq.MONTHLY and interval and interval % _MONTHS_OF_YEAR == 0:
        freq, interval = Freq.YEARLY, interval // _MONTHS_OF_YEAR
    return Rule(freq, interval) if 0 < interval <= _LARGEST else None
