"""Statistics as text: key figures, sparklines, and the heat map of days."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from todo_tui.domain.dates.text import format_day, month_name, weekday_name
from todo_tui.domain.statistics import (
    DurationQuartiles,
    Period,
    Punctuality,
    Statistics,
    Streaks,
    quantile,
    week_number,
)
from todo_tui.domain.text import format_count

LEVELS = 5
"""From 0, nothing done, to 4, one of the busiest days."""
SHADES, ASCII_SHADES = "·░▒▓█", ".:+*#"
"""Character for each level, so that levels differ by more than colour."""
BARS, ASCII_BARS = "▁▂▃▄▅▆▇█", "_.:-=+*#"
"""Characters of sparklines, lowest first."""
_DAYS = 7
_SHORT = 3
"""Length of abbreviated months and weekdays."""
UNKNOWN = "–"
WEEKS_SHOWN = 26
"""Number of weeks in sparklines."""
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_HOURS_FROM, _DAYS_FROM = 2 * _HOUR, 2 * _DAY
"""Seconds from which durations are shown in hours, and in days."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Day with its number of done tasks, and its level of shading."""

    day: date
    count: int
    level: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Weeks from oldest to newest, each of seven days; None is outside the period."""

    weeks: tuple[tuple[HeatCell | None, ...], ...]
    first_weekday: int
    """Weekday of the first row; Monday is 0."""

    @property
    def period(self) -> Period:
        """Period shown."""
        days = [cell.day for week in self.weeks for cell in week if cell is not None]
        return Period(days[0], days[-1])

    def rows(self) -> tuple[tuple[HeatCell | None, ...], ...]:
        """Return seven rows by weekday, each with one cell per week."""
        return tuple(zip(*self.weeks, strict=True))

    def weekdays(self) -> tuple[str, ...]:
        """Return `Mon`, `Tue` and so on, one for each row."""
        return tuple(
            weekday_name((self.first_weekday + row) % _DAYS)[:_SHORT] for row in range(_DAYS)
        )

    def month_line(self, cell_width: int) -> str:
        """Return the month names above the week that holds the first of each month.

        `cell_width` is in columns. The first month is named if there is room before the next.
        """
        places: list[tuple[int, str]] = []
        for at, week in enumerate(self.weeks):
            days = [cell.day for cell in week if cell is not None]
            named = next((day for day in days if day.day == 1), days[0] if at == 0 else None)
            if named is not None:
                places.append((at * cell_width, month_name(named.month)[:_SHORT]))
        width = len(self.weeks) * cell_width
        line = ""
        for number, (start, name) in enumerate(places):
            end = places[number + 1][0] - 1 if number + 1 < len(places) else width
            if start >= len(line) and start + len(name) <= end:
                line = line.ljust(start) + name + " "
        return line.rstrip()


def build_heat_map(
    counts: Mapping[date, int], period: Period, *, most_weeks: int, first_weekday: int
) -> HeatMap:
    """Build the heat map of a period; of too long a period, its newest weeks."""
    newest = week_number(period.last, first_weekday)
    oldest = max(week_number(period.first, first_weekday), newest - most_weeks + 1)
    start = oldest * _DAYS + first_weekday + 1
    shown = range(max(period.first.toordinal(), start), period.last.toordinal() + 1)
    thresholds = heat_thresholds(counts.get(date.fromordinal(day), 0) for day in shown)

    def cell(ordinal: int) -> HeatCell | None:
        if ordinal not in shown:
            return None
        day = date.fromordinal(ordinal)
        count = counts.get(day, 0)
        return HeatCell(day, count, heat_level(count, thresholds))

    weeks = range(start, period.last.toordinal() + 1, _DAYS)
    return HeatMap(
        tuple(tuple(map(cell, range(first, first + _DAYS))) for first in weeks), first_weekday
    )


def heat_thresholds(counts: Iterable[int]) -> tuple[float, float, float]:
    """Return the quartiles of the distinct counts above 0.

    Distinct counts keep days with one and two tasks apart, which most days have, and
    a single day of a large import does not change the other levels.
    """
    distinct = sorted({count for count in counts if count})
    if not distinct:
        return (0.0, 0.0, 0.0)
    return (quantile(distinct, 0.25), quantile(distinct, 0.5), quantile(distinct, 0.75))


def heat_level(count: int, thresholds: Sequence[float]) -> int:
    """Return 0 for a count of 0; else 1 plus the number of thresholds below the count."""
    return 1 + sum(count > threshold for threshold in thresholds) if count else 0


def format_sparkline(values: Sequence[int], bars: str) -> str:
    """Return one bar per value, from the lowest of `bars` for 0 to the highest for the maximum."""
    most = max(values, default=0)
    steps = len(bars) - 1
    return "".join(bars[math.ceil(value / most * steps)] if value else bars[0] for value in values)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """Number with its name before it and an optional explanation after it."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers to be drawn as a sparkline."""

    label: str
    values: tuple[int, ...]
    note: str


def format_headline(statistics: Statistics) -> str:
    """Return `312 tasks completed in 365 days, 6 per week`."""
    days = statistics.period.days
    span = "today" if days == 1 else f"in {days:,} days"
    words = f"{format_count(statistics.done, 'task')} completed {span}"
    # Weeks before the first task would lower the average.
    start = max(statistics.period.first, min(statistics.done_by_day, default=date.max))
    days = (statistics.today - start).days + 1
    if days < 2 * _DAYS:
        return words
    rate = statistics.done * _DAYS / days
    return f"{words}, {rate:,.0f} per week" if rate >= 1 else words


def key_figures(statistics: Statistics) -> tuple[KeyFigure, ...]:
    """Return the key figures, most interesting first."""
    overdue = f"{statistics.overdue:,} overdue" if statistics.overdue else "none overdue"
    figures = [
        *_streak_figures(statistics.streaks, statistics.today),
        _punctuality_figure(statistics.punctuality),
        _time_figure(statistics.time_to_done),
        KeyFigure("Created", f"{statistics.added:,}", _balance(statistics)),
        KeyFigure("Cancelled", f"{statistics.cancelled:,}", ""),
        KeyFigure("Open", f"{statistics.open:,}", overdue if statistics.open else ""),
    ]
    return tuple(each for each in figures if (each.label, each.value) != ("Cancelled", "0"))


def statistics_charts(statistics: Statistics, first_weekday: int) -> tuple[Chart, ...]:
    """Return the charts; both week charts have the same weeks."""
    weeks = statistics.weeks(first_weekday)[-WEEKS_SHOWN:]
    weekdays = statistics.by_weekday[first_weekday:] + statistics.by_weekday[:first_weekday]
    names = [weekday_name((first_weekday + day) % _DAYS) for day in range(_DAYS)]
    hours = statistics.by_hour
    most_on = names[weekdays.index(max(weekdays))]
    most_at = hours.index(max(hours))
    return (
        Chart(
            "Completed per week",
            tuple(week.done for week in weeks),
            f"{weeks[-1].done:,} this week",
        ),
        Chart(
            "Created per week",
            tuple(week.added for week in weeks),
            f"{weeks[-1].added:,} this week",
        ),
        Chart(
            "By weekday",
            weekdays,
            f"{names[0][:3]}–{names[-1][:3]}, peak {most_on[:3]}" if any(weekdays) else "",
        ),
        Chart(
            "By hour",
            hours,
            f"0–23 h, peak {most_at}–{most_at + 1}" if any(hours) else "",
        ),
    )


def format_busiest_day(statistics: Statistics) -> str:
    """Return `busiest Tue 3 Nov: 14`; empty if nothing was done."""
    busiest = statistics.busiest_day
    if busiest is None:
        return ""
    return f"busiest {format_day(busiest.day, statistics.today)}: {busiest.done:,}"


def format_period(first: date, last: date, today: date) -> str:
    """Return `1 Mar 2025 to Wed 18 Nov`; a single day alone."""
    words = format_day(first, today)
    return words if first == last else f"{words} to {format_day(last, today)}"


def format_share(punctuality: Punctuality) -> str:
    """Return `82%`; never rounded to 0% or 100%."""
    share = punctuality.share
    if share is None:
        return UNKNOWN
    percent = round(share * 100)
    if punctuality.on_time < punctuality.with_due:
        percent = min(percent, 99)
    if punctuality.on_time:
        percent = max(percent, 1)
    return f"{percent}%"


def format_duration(seconds: float) -> str:
    """Return `0 min`, `25 min`, `3 h`, `12 days` in the largest precise enough unit."""
    if seconds < _HOURS_FROM:
        return f"{round(seconds / _MINUTE)} min"
    if seconds < _DAYS_FROM:
        return f"{round(seconds / _HOUR)} h"
    return f"{round(seconds / _DAY):,} days"


def _streak_figures(streaks: Streaks, today: date) -> Iterator[KeyFigure]:
    current, longest = streaks.current, streaks.longest
    if current is None:
        yield KeyFigure("Streak", "none", "complete a task to start one")
    else:
        still = ", nothing yet today" if current.last < today else ""
        since = f"since {format_day(current.first, today)}{still}"
        yield KeyFigure("Streak", format_count(current.days, "day"), since)
    if longest is not None:
        span = format_period(longest.first, longest.last, today)
        yield KeyFigure("Longest streak", format_count(longest.days, "day"), span)


def _punctuality_figure(punctuality: Punctuality) -> KeyFigure:
    if not punctuality.with_due:
        return KeyFigure("On time", UNKNOWN, "no completed task had a due date")
    note = f"{punctuality.on_time:,} of {punctuality.with_due:,} with a due date"
    return KeyFigure("On time", format_share(punctuality), note)


def _time_figure(quartiles: DurationQuartiles | None) -> KeyFigure:
    if quartiles is None:
        return KeyFigure("Median time to complete", UNKNOWN, "")
    median, note = format_duration(quartiles.median), ""
    if quartiles.tasks > 1:
        lower, upper = format_duration(quartiles.lower), format_duration(quartiles.upper)
        number, unit = lower.split(" ")
        # `2 to 9 days`, `3 h to 2 days`: a shared unit is written once.
        first = number if upper.endswith(f" {unit}") else lower
        note = f"half took {upper if lower == upper else f'{first} to {upper}'}"
    return KeyFigure("Median time to complete", median, note)


def _balance(statistics: Statistics) -> str:
    more = statistics.added - statistics.done - statistics.cancelled
    if more > 0:
        return f"{more:,} more created than closed"
    return f"{-more:,} more closed than created" if more else "as many as closed"
