"""Rules in words that people use and that can be read again."""

from __future__ import annotations

from datetime import date, datetime

from todo_tui.domain.phrases.spoken import month_name, nth_words, weekday_name
from todo_tui.domain.rule import Freq, Rule, RuleDay

UNIT_WORDS = {
    Freq.MINUTELY: "minute",
    Freq.HOURLY: "hour",
    Freq.DAILY: "day",
    Freq.WEEKLY: "week",
    Freq.MONTHLY: "month",
    Freq.YEARLY: "year",
}
WORKDAYS = tuple(RuleDay(day) for day in range(5))
WEEKEND = (RuleDay(5), RuleDay(6))
NTH_WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}


def rule_words(rule: Rule) -> str | None:
    """`every Monday`, `every 2 months on the 1st`; None for a rule without plain words."""
    if rule.times is not None or isinstance(rule.until, datetime):
        return None
    words = _counted(rule.freq, rule.interval)
    if not rule.is_interval:
        placed = _placed(rule, words)
        if placed is None:
            return None
        words = placed
    if rule.until is not None:
        words = f"{words} until {_day(rule.until)}"
    return words


def rule_told(rule: Rule) -> str | None:
    """As `rule_words`, with an end that is said only: a moment, or a number of times."""
    words = rule_words(rule._replace(times=None, until=None))
    if words is None:
        return None
    if rule.times is not None:
        words = f"{words}, {rule.times} time{'' if rule.times == 1 else 's'} in all"
    match rule.until:
        case datetime() as moment:
            zone = " UTC" if moment.tzinfo else ""
            return f"{words} until {_day(moment)} {moment:%H:%M}{zone}"
        case None:
            return words
        case day:
            return f"{words} until {_day(day)}"


def _day(day: date) -> str:
    return f"{day.day} {month_name(day.month)} {day.year}"


def _counted(freq: Freq, interval: int) -> str:
    unit = UNIT_WORDS[freq]
    return f"every {unit}" if interval == 1 else f"every {interval} {unit}s"


def _placed(rule: Rule, every: str) -> str | None:
    match rule.freq:
        case Freq.WEEKLY:
            return _weekly(rule, every)
        case Freq.MONTHLY:
            days = _days_of_month(rule)
            return f"{every} on {days}" if days and not rule.by_month else None
        case Freq.YEARLY:
            return _yearly(rule, every)
        case _:
            return None


def _weekly(rule: Rule, every: str) -> str | None:
    if rule.by_month or rule.by_set_pos or not rule.by_day:
        return None
    days = _listed([weekday_name(day.weekday) for day in rule.by_day])
    if rule.interval > 1:
        return f"every other {days}" if rule.interval == 2 else f"{every} on {days}"
    groups = {WORKDAYS: "every weekday", WEEKEND: "every weekend"}
    return groups.get(rule.by_day, f"every {days}")


def _days_of_month(rule: Rule) -> str | None:
    """`the 1st and 15th`, `the last day`, `the first Monday`, `the last workday`."""
    if rule.by_month_day and not rule.by_day and not rule.by_set_pos:
        return _numbered_days(rule.by_month_day)
    if rule.by_month_day or not rule.by_day:
        return None
    if rule.by_set_pos:
        if rule.by_day != WORKDAYS or not set(rule.by_set_pos) <= NTH_WORDS.keys():
            return None
        return f"the {_listed([NTH_WORDS[nth] for nth in rule.by_set_pos])} workday"
    return _nth_weekdays(rule.by_day)


def _numbered_days(days: tuple[int, ...]) -> str | None:
    if any(day < -1 for day in days):
        return None
    words = [nth_words(day) for day in days if day > 0]
    last = ["the last day"] if -1 in days else []
    return f"the {_listed([*words, *last])}" if words else "".join(last)


def _nth_weekdays(days: tuple[RuleDay, ...]) -> str | None:
    """Only ranks that hold for each of the weekdays: the first and third Monday."""
    nths = sorted({day.nth for day in days}, key=lambda nth: (nth < 0, nth))
    weekdays = sorted({day.weekday for day in days})
    if len(days) != len(nths) * len(weekdays) or not set(nths) <= NTH_WORDS.keys():
        return None
    names = _listed([weekday_name(day) for day in weekdays])
    return f"the {_listed([NTH_WORDS[nth] for nth in nths])} {names}"


def _yearly(rule: Rule, every: str) -> str | None:
    if len(rule.by_month) != 1:
        return None
    month = month_name(rule.by_month[0])
    plain_days = rule.by_month_day and not rule.by_day and not rule.by_set_pos
    if plain_days and all(day > 0 for day in rule.by_month_day):
        dates = _listed([f"{day} {month}" for day in rule.by_month_day])
        return f"every {dates}" if rule.interval == 1 else f"{every} on {dates}"
    days = _days_of_month(rule)
    return f"{every} on {days} of {month}" if days else None


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
