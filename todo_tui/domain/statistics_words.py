"""Statistics in words for people: facts and charts, each with its label and a remark."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from todo_tui.domain.phrases.spoken import day_words, weekday_name
from todo_tui.domain.statistics import Period, Punctuality, Spread, Statistics
from todo_tui.domain.streaks import Streak

UNKNOWN = "–"
WEEKS_SHOWN = 26
"""As many weeks as the sparklines go back."""
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_HOURS_FROM, _DAYS_FROM = 2 * _HOUR, 2 * _DAY
"""What is shorter is told in minutes, or in hours."""
_DAYS_A_WEEK = 7


@dataclass(frozen=True, slots=True)
class Fact:
    """A number with its name before it and what it means behind it, which may be empty."""

    label: str
    value: str
    remark: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers to be drawn as a sparkline."""

    label: str
    values: tuple[int, ...]
    remark: str


def headline(statistics: Statistics) -> str:
    """`312 tasks done in 365 days, 6 a week`."""
    words = f"{counted(statistics.done, 'task')} done {_period_words(statistics.period)}"
    # Who began last month is not slow for having done nothing before.
    begun = max(statistics.period.first, min(statistics.done_by_day, default=date.max))
    days = (statistics.today - begun).days + 1
    if days < 2 * _DAYS_A_WEEK:
        return words
    rate = statistics.done * _DAYS_A_WEEK / days
    return f"{words}, {rate:,.0f} a week" if rate >= 1 else words


def facts(statistics: Statistics) -> tuple[Fact, ...]:
    """What can be told in a line, what people like to look at first."""
    found = [
        *_streak_facts(statistics),
        _punctuality_fact(statistics.punctuality),
        _time_fact(statistics.time_to_done),
        Fact("Came in", f"{statistics.came_in:,}", _balance(statistics)),
    ]
    if statistics.cancelled:
        found.append(Fact("Cancelled", f"{statistics.cancelled:,}", ""))
    overdue = f"{statistics.overdue:,} overdue" if statistics.overdue else "none overdue"
    found.append(Fact("Open", f"{statistics.open:,}", overdue if statistics.open else ""))
    return tuple(found)


def charts(statistics: Statistics, first_weekday: int) -> tuple[Chart, ...]:
    """What is seen best side by side; the weeks of both charts stand below each other."""
    weeks = statistics.weeks(first_weekday)[-WEEKS_SHOWN:]
    weekdays = statistics.by_weekday[first_weekday:] + statistics.by_weekday[:first_weekday]
    names = [weekday_name((first_weekday + day) % _DAYS_A_WEEK) for day in range(_DAYS_A_WEEK)]
    hours = statistics.by_hour
    most_on = names[weekdays.index(max(weekdays))]
    most_at = hours.index(max(hours))
    return (
        Chart("Done weekly", tuple(week.done for week in weeks), f"{weeks[-1].done:,} this week"),
        Chart(
            "In weekly", tuple(week.came_in for week in weeks), f"{weeks[-1].came_in:,} this week"
        ),
        Chart(
            "By weekday",
            weekdays,
            f"{names[0][:3]} to {names[-1][:3]}, most on {most_on}" if any(weekdays) else "",
        ),
        Chart(
            "By hour",
            hours,
            f"0 to 23 h, most from {most_at} to {most_at + 1}" if any(hours) else "",
        ),
    )


def busiest_words(statistics: Statistics) -> str:
    """`busiest Tue 3 Nov: 14`; empty where nothing was done."""
    busiest = statistics.busiest
    if busiest is None:
        return ""
    return f"busiest {day_words(busiest.day, statistics.today)}: {busiest.done:,}"


def stretch_words(first: date, last: date, today: date) -> str:
    """`1 Mar 2025 to Wed 18 Nov`; a single day alone."""
    words = day_words(first, today)
    return words if first == last else f"{words} to {day_words(last, today)}"


def share_words(punctuality: Punctuality) -> str:
    """`82 %`; 100 % is all of them and 0 % none, never a rounded number."""
    share = punctuality.share
    if share is None:
        return UNKNOWN
    percent = round(share * 100)
    if punctuality.on_time < punctuality.with_due:
        percent = min(percent, 99)
    if punctuality.on_time:
        percent = max(percent, 1)
    return f"{percent} %"


def duration_words(seconds: float) -> str:
    """`0 min`, `25 min`, `3 h`, `12 days`: the largest unit that tells enough."""
    if seconds < _HOURS_FROM:
        return f"{round(seconds / _MINUTE)} min"
    if seconds < _DAYS_FROM:
        return f"{round(seconds / _HOUR)} h"
    return f"{round(seconds / _DAY):,} days"


def counted(count: int, one: str) -> str:
    """`1 task`, `1,234 tasks`."""
    return f"{count:,} {one if count == 1 else f'{one}s'}"


def _period_words(period: Period) -> str:
    return "today" if period.days == 1 else f"in {period.days:,} days"


def _streak_facts(statistics: Statistics) -> list[Fact]:
    streaks, today = statistics.streaks, statistics.today
    if streaks.longest is None:
        return [Fact("Streak", "none", "something done today begins one")]
    longest = streaks.longest
    return [
        _current_fact(streaks.current, today),
        Fact(
            "Longest",
            counted(longest.days, "day"),
            stretch_words(longest.first, longest.last, today),
        ),
    ]


def _current_fact(current: Streak | None, today: date) -> Fact:
    if current is None:
        return Fact("Streak", "none", "something done today begins one")
    since = f"since {day_words(current.first, today)}"
    if current.last < today:
        since += ", today is still to come"
    return Fact("Streak", counted(current.days, "day"), since)


def _punctuality_fact(punctuality: Punctuality) -> Fact:
    if not punctuality.with_due:
        return Fact("On time", UNKNOWN, "nothing with a due date was done")
    remark = f"{punctuality.on_time:,} of {punctuality.with_due:,} with a due date"
    return Fact("On time", share_words(punctuality), remark)


def _time_fact(spread: Spread | None) -> Fact:
    if spread is None:
        return Fact("Time to done", UNKNOWN, "")
    remark = f"median; half take {_between_words(spread)}" if spread.tasks > 1 else ""
    return Fact("Time to done", duration_words(spread.median), remark)


def _between_words(spread: Spread) -> str:
    """`2 to 9 days`, `3 h to 2 days`: a unit that both have is said once."""
    lower, upper = duration_words(spread.lower), duration_words(spread.upper)
    if lower == upper:
        return upper
    number, unit = lower.split(" ")
    return f"{number} to {upper}" if upper.endswith(f" {unit}") else f"{lower} to {upper}"


def _balance(statistics: Statistics) -> str:
    """How what came in compares with what was dealt with."""
    more = statistics.came_in - statistics.done - statistics.cancelled
    if more > 0:
        return f"{more:,} more than went out"
    return f"{-more:,} fewer than went out" if more else "as many as went out"
