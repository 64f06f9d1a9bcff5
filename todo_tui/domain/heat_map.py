"""Days as a picture: weeks beside each other, weekdays below each other, busy days darker."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from todo_tui.domain.phrases.spoken import month_name, weekday_name
from todo_tui.domain.statistics import Period, quantile, week_number

LEVELS = 5
"""From 0, nothing done, to 4, one of the busiest days."""
SHADES, ASCII_SHADES = "·░▒▓█", ".:+*#"
"""A sign for each level; they differ by more than their colour."""
BARS, ASCII_BARS = "▁▂▃▄▅▆▇█", "_.:-=+*#"
"""What sparklines are made of."""
_DAYS = 7
_SHORT = 3
"""Letters of a month or weekday."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One day: how much was done on it, and the level that it is drawn in."""

    day: date
    count: int
    level: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Weeks from the oldest to the newest, each of seven days; None lies outside the period."""

    weeks: tuple[tuple[HeatCell | None, ...], ...]
    first_weekday: int
    """That of the first row; Monday is 0."""

    @property
    def period(self) -> Period:
        """The days that it shows."""
        days = [cell.day for week in self.weeks for cell in week if cell is not None]
        return Period(days[0], days[-1])

    def rows(self) -> tuple[tuple[HeatCell | None, ...], ...]:
        """The same by weekday: seven rows, each of as many cells as there are weeks."""
        return tuple(zip(*self.weeks, strict=True))

    def weekdays(self) -> tuple[str, ...]:
        """`Mon`, `Tue` and so on, one for each row."""
        return tuple(
            weekday_name((self.first_weekday + row) % _DAYS)[:_SHORT] for row in range(_DAYS)
        )

    def month_line(self, cell_width: int) -> str:
        """The months above the weeks, each where its first day is; cells so many columns wide.

        The month that the picture begins in is named if there is room before the next.
        """
        places: list[tuple[int, str]] = []
        for at, week in enumerate(self.weeks):
            days = [cell.day for cell in week if cell is not None]
            begins = next((day for day in days if day.day == 1), days[0] if at == 0 else None)
            if begins is not None:
                places.append((at * cell_width, month_name(begins.month)[:_SHORT]))
        width = len(self.weeks) * cell_width
        line = ""
        for number, (start, name) in enumerate(places):
            end = places[number + 1][0] - 1 if number + 1 < len(places) else width
            if start >= len(line) and start + len(name) <= end:
                line = line.ljust(start) + name + " "
        return line.rstrip()


def heat_map(
    counts: Mapping[date, int], period: Period, *, most_weeks: int, first_weekday: int
) -> HeatMap:
    """The picture of a period; of one that has more weeks, the newest."""
    newest = week_number(period.last, first_weekday)
    oldest = max(week_number(period.first, first_weekday), newest - most_weeks + 1)
    begins = oldest * _DAYS + first_weekday + 1
    shown = range(max(period.first.toordinal(), begins), period.last.toordinal() + 1)
    marks = thresholds(counts.get(date.fromordinal(day), 0) for day in shown)

    def cell(ordinal: int) -> HeatCell | None:
        if ordinal not in shown:
            return None
        day = date.fromordinal(ordinal)
        count = counts.get(day, 0)
        return HeatCell(day, count, level_of(count, marks))

    weeks = range(begins, period.last.toordinal() + 1, _DAYS)
    return HeatMap(
        tuple(tuple(map(cell, range(first, first + _DAYS))) for first in weeks), first_weekday
    )


def thresholds(counts: Iterable[int]) -> tuple[float, float, float]:
    """The quartiles of the different counts above 0.

    Days with one and with two tasks, which most are, so look different; and one day on
    which everything was imported leaves the others as they are.
    """
    busy = sorted({count for count in counts if count})
    if not busy:
        return (0.0, 0.0, 0.0)
    return (quantile(busy, 0.25), quantile(busy, 0.5), quantile(busy, 0.75))


def level_of(count: int, marks: Sequence[float]) -> int:
    """0 for nothing; else 1, and one more for each mark that the count is above."""
    return 1 + sum(count > mark for mark in marks) if count else 0


def sparkline(values: Sequence[int], bars: str) -> str:
    """A bar for each value, the lowest of `bars` for nothing and the highest for the most."""
    most = max(values, default=0)
    steps = len(bars) - 1
    return "".join(bars[math.ceil(value / most * steps)] if value else bars[0] for value in values)
