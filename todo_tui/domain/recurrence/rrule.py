"""Recurrence rules: the RRULE value (RFC 5545, 3.3.10), its parser, and its text in English."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from todo_tui.domain.dates.text import format_ordinal, month_name, weekday_name
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.text import join_words
from todo_tui.domain.when import When

DAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MAX_INTERVAL = 999
MAX_OCCURRENCES = 999
_PARTS = frozenset(
    "FREQ INTERVAL BYMONTH BYMONTHDAY BYDAY BYSETPOS UNTIL COUNT WKST EXDATE".split()
)
"""Supported parts of an RRULE, and EXDATE: excluded dates, which RFC 5545 keeps beside it."""
_SAFE_DAY = 28
NTH_WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}


class RuleProblem(ValidationError):
    """Text that is not an RRULE, or one with unsupported parts."""


class NeverHappens(RuleProblem):
    """Rule for days that do not exist, such as 30 February."""


class Frequency(StrEnum):
    """Base period of a rule."""

    MINUTELY = "MINUTELY"
    HOURLY = "HOURLY"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"

    @property
    def is_short(self) -> bool:
        """True for periods shorter than a day, where every occurrence has a time."""
        return self in (Frequency.MINUTELY, Frequency.HOURLY)


class RuleDay(NamedTuple):
    """Weekday (Monday 0), or the nth of its month or year; from the end if negative."""

    weekday: int
    nth: int = 0

    def code(self) -> str:
        """Return `MO` or `-1FR`."""
        return f"{self.nth or ''}{DAY_CODES[self.weekday]}"


class RecurrenceRule(NamedTuple):
    """Recurrence rule.

    `until` is the last day that counts, or the last moment (aware if given in UTC).
    `week_start` matters only with an interval of several weeks. `excluded` are days without
    occurrences, or single moments.
    """

    freq: Frequency
    interval: int = 1
    by_month: tuple[int, ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_day: tuple[RuleDay, ...] = ()
    by_set_pos: tuple[int, ...] = ()
    until: date | None = None
    times: int | None = None
    week_start: int = 0
    excluded: tuple[date, ...] = ()

    def excludes(self, slot: datetime) -> bool:
        """Return True if there is no occurrence at this moment."""
        return bool(self.excluded) and (slot in self.excluded or slot.date() in self.excluded)

    @property
    def is_interval(self) -> bool:
        """True for a plain interval: every 3 days, without days of its own."""
        return not (self.by_month or self.by_month_day or self.by_day or self.by_set_pos)

    def text(self) -> str:
        """Return the RRULE, parts in a fixed order, without `RRULE:`."""
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
            parts.append(f"UNTIL={_stamp(self.until)}")
        if self.times is not None:
            parts.append(f"COUNT={self.times}")
        if self.week_start:
            parts.append(f"WKST={DAY_CODES[self.week_start]}")
        if self.excluded:
            parts.append(f"EXDATE={','.join(map(_stamp, self.excluded))}")
        return ";".join(parts)


@lru_cache(maxsize=256)
def parse_rule(text: str) -> RecurrenceRule:
    """Parse an RRULE, with or without `RRULE:`, in upper or lower case.

    Raises:
        RuleProblem: the text has another form or an unsupported part.
    """
    body = text.strip().upper().removeprefix("RRULE:").strip(";")
    parts: dict[str, str] = {}
    for part in body.split(";"):
        name, equals, value = part.partition("=")
        if not equals or name in parts:
            raise RuleProblem(f"Unknown part “{part[:40]}” of a recurrence rule.")
        parts[name] = value
    unknown = parts.keys() - _PARTS
    if unknown:
        raise RuleProblem(f"Recurrence rules with {min(unknown)[:20]} are not supported.")
    try:
        return _validate_rule(_build_rule(parts))
    except (ValueError, KeyError) as error:
        raise RuleProblem(f"Invalid recurrence rule “{body[:60]}”.") from error


def parse_foreign_rule(text: str, due: When | None) -> tuple[RecurrenceRule, tuple[str, ...]]:
    """Parse the RRULE of another program; return the parts that were left out too.

    Parts that change nothing are not among these: `COUNT=0` (no limit), an hour that is that
    of `due`, the Gregorian calendar.

    Raises:
        RuleProblem: without one of its parts the rule would have other occurrences.
    """
    kept: list[str] = []
    left_out: list[str] = []
    words = text.upper().replace(" ", "").strip(";").removeprefix("RRULE:").split(";")
    given = dict(part.partition("=")[::2] for part in words)
    implied = _implied_times(given.get("FREQ", ""), due)
    days = given.get("BYMONTHDAY", "" if due is None else str(due.day.day))
    is_late = any(day.isdecimal() and int(day[:9]) > _SAFE_DAY for day in days.split(","))
    for part in words:
        name, _, value = part.partition("=")
        number = int(value[:9]) if value.isdecimal() else None
        match name:
            case "COUNT" if number == 0:
                pass
            case "RSCALE" if value == "GREGORIAN":
                pass
            case "SKIP" if value == "BACKWARD" or not is_late:
                pass
            case "BYHOUR" | "BYMINUTE" | "BYSECOND" if number is not None and number == implied.get(
                name
            ):
                pass
            case "SKIP":
                left_out.append(part)
            case "INTERVAL" if number == 0:
                left_out.append(part)
            case _ if name.startswith("X-"):
                left_out.append(part)
            case _:
                kept.append(part)
    return parse_rule(";".join(kept)), tuple(left_out)


def _implied_times(freq: str, due: When | None) -> Mapping[str, int]:
    """Return the parts that a due time gives an occurrence of a day or longer."""
    if due is None or due.at is None or freq in ("SECONDLY", "MINUTELY", "HOURLY"):
        return {}
    return {"BYHOUR": due.at.hour, "BYMINUTE": due.at.minute, "BYSECOND": 0}


def _build_rule(parts: Mapping[str, str]) -> RecurrenceRule:
    def listed(name: str) -> Iterator[str]:
        return filter(None, parts.get(name, "").split(","))

    days = {
        RuleDay(DAY_CODES.index(code[-2:]), _signed(code[:-2], 53) if code[:-2] else 0)
        for code in listed("BYDAY")
    }
    until, times = parts.get("UNTIL"), parts.get("COUNT")
    return RecurrenceRule(
        freq=Frequency(parts["FREQ"]),
        interval=_number(parts.get("INTERVAL") or "1", MAX_INTERVAL),
        by_month=tuple(sorted({_number(each, 12) for each in listed("BYMONTH")})),
        by_month_day=tuple(sorted({_signed(each, 31) for each in listed("BYMONTHDAY")})),
        by_day=tuple(sorted(days)),
        by_set_pos=tuple(sorted({_signed(each, 366) for each in listed("BYSETPOS")})),
        until=_until(until) if until else None,
        times=_number(times, MAX_OCCURRENCES) if times else None,
        week_start=DAY_CODES.index(parts.get("WKST") or "MO"),
        excluded=tuple(sorted({_until(each) for each in listed("EXDATE")}, key=_stamp)),
    )


def _validate_rule(rule: RecurrenceRule) -> RecurrenceRule:
    counts_days = any(day.nth for day in rule.by_day)
    if counts_days and rule.freq not in (Frequency.MONTHLY, Frequency.YEARLY):
        raise ValueError("only months and years have an nth weekday")
    if rule.by_month_day and rule.freq is Frequency.WEEKLY:
        raise ValueError("a week has no day of the month")
    if rule.by_set_pos and not (rule.by_day or rule.by_month_day or rule.by_month):
        raise ValueError("a position needs days to count")
    if rule.until is not None and rule.times is not None:
        raise ValueError("a rule ends by date or by count")
    return rule


def _number(text: str, highest: int) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= highest):
        raise ValueError(text)
    return int(text[:6])


def _signed(text: str, highest: int) -> int:
    size = _number(text.lstrip("+-"), highest)
    return -size if text.startswith("-") else size


def _stamp(moment: date) -> str:
    """Format a day as `20261231`, and a moment as `20261231T170000`, with Z if aware."""
    if not isinstance(moment, datetime):
        return f"{moment:%Y%m%d}"
    return f"{moment:%Y%m%dT%H%M%S}{'Z' if moment.tzinfo else ''}"


def _until(text: str) -> date:
    if "T" not in text:
        return datetime.strptime(text, "%Y%m%d").date()
    moment = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")
    return moment.replace(tzinfo=UTC) if text.endswith("Z") else moment


UNIT_WORDS = {
    Frequency.MINUTELY: "minute",
    Frequency.HOURLY: "hour",
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}
WORKDAYS = tuple(RuleDay(day) for day in range(5))
WEEKEND = (RuleDay(5), RuleDay(6))


def describe_rule(rule: RecurrenceRule, *, after_completion: bool = False) -> str | None:
    """Return `every Monday`, `every 2 months on the 1st`; None if there are no words for it.

    With `after_completion`: `every 3 days after completion, until 24 Dec 2026`.
    """
    words: str | None = _counted(rule.freq, rule.interval)
    if words and not rule.is_interval:
        words = _placed(rule, words)
    if words is None:
        return None
    comma = ""
    if after_completion:
        words, comma = f"{words} after completion", ","
    if rule.times is not None:
        words = f"{words}, {rule.times} time{'' if rule.times == 1 else 's'} in all"
    if rule.until is not None:
        words = f"{words}{comma} until {_day_text(rule.until)}"
    if isinstance(rule.until, datetime):
        words = f"{words} {rule.until:%H:%M}{' UTC' if rule.until.tzinfo else ''}"
    if rule.excluded:
        days = dict.fromkeys(_day_text(each) for each in rule.excluded)
        words = f"{words}{comma} except {join_words(list(days), 'and')}"
    return words


def _day_text(day: date) -> str:
    return f"{day.day} {month_name(day.month)[:3]} {day.year}"


def _counted(freq: Frequency, interval: int) -> str:
    unit = UNIT_WORDS[freq]
    return f"every {unit}" if interval == 1 else f"every {interval} {unit}s"


def _placed(rule: RecurrenceRule, every: str) -> str | None:
    match rule.freq:
        case Frequency.WEEKLY:
            return _weekly(rule, every)
        case Frequency.MONTHLY:
            days = _days_of_month(rule)
            return f"{every} on {days}" if days and not rule.by_month else None
        case Frequency.YEARLY:
            return _yearly(rule, every)
        case _:
            return None


def _weekly(rule: RecurrenceRule, every: str) -> str | None:
    if rule.by_month or rule.by_set_pos or not rule.by_day:
        return None
    days = join_words([weekday_name(day.weekday) for day in rule.by_day], "and")
    if rule.interval > 1:
        return f"every other {days}" if rule.interval == 2 else f"{every} on {days}"
    groups = {WORKDAYS: "every weekday", WEEKEND: "every weekend"}
    return groups.get(rule.by_day, f"every {days}")


def _days_of_month(rule: RecurrenceRule) -> str | None:
    """Return `the 1st and 15th`, `the last day`, `the first Monday`, `the last workday`."""
    if rule.by_month_day and not rule.by_day and not rule.by_set_pos:
        if any(day < -1 for day in rule.by_month_day):
            return None
        days = [format_ordinal(day) for day in rule.by_month_day if day > 0]
        days += ["the last day"] if -1 in rule.by_month_day else []
        words = join_words(days, "and")
        return words if days[0] == "the last day" else f"the {words}"
    if rule.by_month_day or not rule.by_day:
        return None
    if rule.by_set_pos:
        if rule.by_day != WORKDAYS or not set(rule.by_set_pos) <= NTH_WORDS.keys():
            return None
        return f"the {join_words([NTH_WORDS[nth] for nth in rule.by_set_pos], 'and')} workday"
    return _nth_weekdays(rule.by_day)


def _nth_weekdays(days: tuple[RuleDay, ...]) -> str | None:
    """Return ranks shared by all of the weekdays: the first and third Monday."""
    nths = sorted({day.nth for day in days}, key=lambda nth: (nth < 0, nth))
    weekdays = sorted({day.weekday for day in days})
    if len(days) != len(nths) * len(weekdays) or not set(nths) <= NTH_WORDS.keys():
        return None
    names = join_words([weekday_name(day) for day in weekdays], "and")
    return f"the {join_words([NTH_WORDS[nth] for nth in nths], 'and')} {names}"


def _yearly(rule: RecurrenceRule, every: str) -> str | None:
    if len(rule.by_month) != 1:
        return None
    month = month_name(rule.by_month[0])
    plain_days = rule.by_month_day and not rule.by_day and not rule.by_set_pos
    if plain_days and all(day > 0 for day in rule.by_month_day):
        dates = join_words([f"{day} {month}" for day in rule.by_month_day], "and")
        return f"every {dates}" if rule.interval == 1 else f"{every} on {dates}"
    days = _days_of_month(rule)
    return f"{every} on {days} of {month}" if days else None
