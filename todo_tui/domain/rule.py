"""The rule of a repeating task as a value, and its text: an RRULE of RFC 5545, section 3.3.10."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError

DAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_INTERVALS = 999
MOST_OCCURRENCES = 999


_PARTS = frozenset("FREQ INTERVAL BYMONTH BYMONTHDAY BYDAY BYSETPOS UNTIL COUNT WKST".split())
"""The parts of an RRULE that can be read."""


class RuleProblem(ValidationError):
    """A text that is no RRULE, or one with parts that are not supported."""


class NeverHappens(RuleProblem):
    """A rule that names days which do not exist, such as 30 February."""


class Freq(StrEnum):
    """The period that a rule counts in."""

    MINUTELY = "MINUTELY"
    HOURLY = "HOURLY"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"

    @property
    def is_short(self) -> bool:
        """Shorter than a day, so that every occurrence has a time."""
        return self in (Freq.MINUTELY, Freq.HOURLY)


class RuleDay(NamedTuple):
    """A weekday (Monday 0), or the nth of its month or year; from the end when negative."""

    weekday: int
    nth: int = 0

    def code(self) -> str:
        """`MO`, `-1FR`."""
        return f"{self.nth or ''}{DAY_CODES[self.weekday]}"


class Rule(NamedTuple):
    """The days on which something repeats.

    `until` is the last day that counts, or the last moment (aware when it was
    given in UTC). `week_start` matters to every other week only.
    """

    freq: Freq
    interval: int = 1
    by_month: tuple[int, ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_day: tuple[RuleDay, ...] = ()
    by_set_pos: tuple[int, ...] = ()
    until: date | None = None
    times: int | None = None
    week_start: int = 0

    @property
    def is_interval(self) -> bool:
        """Whether it only counts: every 3 days, with no day of its own."""
        return not (self.by_month or self.by_month_day or self.by_day or self.by_set_pos)

    def text(self) -> str:
        """The RRULE, parts in a fixed order, without `RRULE:`."""
        parts = [f"FREQ={self.freq}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        for name, numbers in (
            ("BYMONTH", self.by_month),
            ("BYMONTHDAY", self.by_month_day),
            ("BYDAY", [day.code() for day in self.by_day]),
            ("BYSETPOS", self.by_set_pos),
        ):
            if numbers:
                parts.append(f"{name}={','.join(map(str, numbers))}")
        if self.until is not None:
            parts.append(f"UNTIL={_until_text(self.until)}")
        if self.times is not None:
            parts.append(f"COUNT={self.times}")
        if self.week_start:
            parts.append(f"WKST={DAY_CODES[self.week_start]}")
        return ";".join(parts)


def parse_rule(text: str) -> Rule:
    """Read an RRULE, with or without `RRULE:`, upper or lower case.

    Raises:
        RuleProblem: it has another form or a part that is not supported.
    """
    body = text.strip().upper().removeprefix("RRULE:").strip(";")
    parts: dict[str, str] = {}
    for part in body.split(";"):
        name, equals, value = part.partition("=")
        if not equals or name in parts:
            raise RuleProblem(f"“{part[:40]}” is not a part of a repeat rule.")
        parts[name] = value
    unknown = parts.keys() - _PARTS
    if unknown:
        raise RuleProblem(f"Repeat rules with {min(unknown)[:20]} are not supported.")
    try:
        return _checked(_built(parts))
    except (ValueError, KeyError) as error:
        raise RuleProblem(f"“{body[:60]}” is not a repeat rule that can be read.") from error


def _built(parts: Mapping[str, str]) -> Rule:
    def of(name: str) -> str:
        return parts.get(name, "")

    return Rule(
        freq=Freq(parts["FREQ"]),
        interval=_number(1, MOST_INTERVALS)(of("INTERVAL") or "1"),
        by_month=_numbers(of("BYMONTH"), _number(1, 12)),
        by_month_day=_numbers(of("BYMONTHDAY"), _signed(31)),
        by_day=tuple(sorted({_day(code) for code in of("BYDAY").split(",") if code})),
        by_set_pos=_numbers(of("BYSETPOS"), _signed(366)),
        until=_until(of("UNTIL")) if of("UNTIL") else None,
        times=_number(1, MOST_OCCURRENCES)(of("COUNT")) if of("COUNT") else None,
        week_start=DAY_CODES.index(of("WKST") or "MO"),
    )


def _checked(rule: Rule) -> Rule:
    """The rule, if its parts fit together.

    Raises:
        ValueError: they do not.
    """
    counts_days = any(day.nth for day in rule.by_day)
    if counts_days and rule.freq not in (Freq.MONTHLY, Freq.YEARLY):
        raise ValueError("only months and years have an nth weekday")
    if rule.by_month_day and rule.freq is Freq.WEEKLY:
        raise ValueError("a week has no day of the month")
    if rule.by_set_pos and not (rule.by_day or rule.by_month_day or rule.by_month):
        raise ValueError("a position needs days to count")
    if rule.until is not None and rule.times is not None:
        raise ValueError("a rule ends by date or by count")
    return rule


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text[:6]) <= high):
            raise ValueError(text)
        return int(text[:6])

    return read


def _signed(high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        size = _number(1, high)(text.lstrip("+-"))
        return -size if text.startswith("-") else size

    return read


def _numbers(text: str, read: Callable[[str], int]) -> tuple[int, ...]:
    return tuple(sorted({read(number) for number in text.split(",") if number}))


def _day(code: str) -> RuleDay:
    nth = _signed(53)(code[:-2]) if code[:-2] else 0
    return RuleDay(DAY_CODES.index(code[-2:]), nth)


def _until(text: str) -> date:
    if "T" not in text:
        return datetime.strptime(text, "%Y%m%d").date()
    moment = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")
    return moment.replace(tzinfo=UTC) if text.endswith("Z") else moment


def _until_text(until: date) -> str:
    if not isinstance(until, datetime):
        return f"{until:%Y%m%d}"
    return f"{until:%Y%m%dT%H%M%S}{'Z' if until.tzinfo else ''}"
