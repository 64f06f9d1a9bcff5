"""Statistics values: periods, counts per day, week and project, durations, streaks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

_DAY = timedelta(days=1)
_DAYS_A_WEEK = 7
_HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    @classmethod
    def up_to(cls, last: date, days: int) -> Period:
        """Return that many days up to `last`; fewer at the beginning of the calendar."""
        return cls(last - min(timedelta(days=days - 1), last - date.min), last)

    @property
    def days(self) -> int:
        """Number of days."""
        return (self.last - self.first).days + 1

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def __iter__(self) -> Iterator[date]:
        return (self.first + timedelta(days=number) for number in range(self.days))


@dataclass(frozen=True, slots=True)
class Streaks:
    """Current streak and longest streak; None if there is none."""

    current: Period | None = None
    longest: Period | None = None


def find_streaks(days: Iterable[date], today: date) -> Streaks:
    """Find the streaks in days of any order; days after `today` do not count.

    A streak that reaches to yesterday is current, since today has not ended. Of
    equally long streaks the latest is the longest.
    """
    found: list[Period] = []
    for day in sorted({day for day in days if day <= today}):
        if found and found[-1].last + _DAY == day:
            found[-1] = Period(found[-1].first, day)
        else:
            found.append(Period(day, day))
    if not found:
        return Streaks()
    newest = found[-1]
    goes_on = (today - newest.last) <= _DAY
    longest = max(found, key=lambda streak: (streak.days, streak.first))
    return Streaks(newest if goes_on else None, longest)


@dataclass(frozen=True, slots=True)
class Punctuality:
    """Number of done tasks with a due date, and of those done in time."""

    with_due: int = 0
    on_time: int = 0

    @property
    def share(self) -> float | None:
        """Share from 0 to 1; None if no task had a due date."""
        return self.on_time / self.with_due if self.with_due else None


@dataclass(frozen=True, slots=True)
class DurationQuartiles:
    """Median and quartiles of durations, in seconds, with their number."""

    tasks: int
    lower: float
    median: float
    upper: float


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """Counts of one project without its subprojects; `project` is None for tasks without one.

    `open` counts tasks open now, the others those done in the period.
    """

    project: str | None
    done: int
    open: int
    punctuality: Punctuality


@dataclass(frozen=True, slots=True)
class DayCounts:
    """Counts of one day, or of the week that begins with it."""

    day: date
    done: int
    added: int
    cancelled: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of the tasks done and added in a period.

    Days are local. Each occurrence of a recurring task counts as a task; tasks in the
    trash do not, nor anything dated after `today`.
    """

    today: date
    period: Period
    done_by_day: Mapping[date, int]
    """Days with done tasks: all up to today, not only those of the period."""
    cancelled_by_day: Mapping[date, int]
    """As `done_by_day`."""
    added_by_day: Mapping[date, int]
    """In the period; a task completed before its creation counts on its completion."""
    done_by_hour: Mapping[tuple[int, int], int]
    """In the period, by weekday (Monday 0) and hour of the day."""
    time_to_done: DurationQuartiles | None
    """Time from creation to completion; None without tasks created before completion."""
    projects: tuple[ProjectCounts, ...]
    """Projects with done or open tasks, most done first; each task counts once."""
    open: int
    """Tasks open now, without those that start later."""
    overdue: int

    @property
    def done(self) -> int:
        """Tasks done in the period."""
        return self._sum(self.done_by_day)

    @property
    def cancelled(self) -> int:
        """Tasks cancelled in the period."""
        return self._sum(self.cancelled_by_day)

    @property
    def added(self) -> int:
        """Tasks added in the period."""
        return self._sum(self.added_by_day)

    @property
    def punctuality(self) -> Punctuality:
        """Punctuality of all projects together."""
        found = [each.punctuality for each in self.projects]
        return Punctuality(
            sum(each.with_due for each in found), sum(each.on_time for each in found)
        )

    @property
    def streaks(self) -> Streaks:
        """Streaks of all time up to today."""
        return find_streaks(self.done_by_day, self.today)

    @property
    def busiest_day(self) -> DayCounts | None:
        """Day of the period with the most tasks done, the latest of equals; None without any."""
        days = [(count, day) for day, count in self.done_by_day.items() if day in self.period]
        return self._day(max(days)[1]) if days else None

    @property
    def by_weekday(self) -> tuple[int, ...]:
        """Tasks done on each day of the week, Monday first."""
        return tuple(
            sum(count for (weekday, _), count in self.done_by_hour.items() if weekday == wanted)
            for wanted in range(_DAYS_A_WEEK)
        )

    @property
    def by_hour(self) -> tuple[int, ...]:
        """Tasks done in each hour of the day, from midnight on."""
        return tuple(
            sum(count for (_, hour), count in self.done_by_hour.items() if hour == wanted)
            for wanted in range(_HOURS_A_DAY)
        )

    def days(self) -> tuple[DayCounts, ...]:
        """Return every day of the period, oldest first."""
        return tuple(map(self._day, self.period))

    def weeks(self, first_weekday: int) -> tuple[DayCounts, ...]:
        """Return the days in the period by week, oldest first; Monday is weekday 0."""
        weeks: dict[int, list[DayCounts]] = {}
        for each in self.days():
            weeks.setdefault(week_number(each.day, first_weekday), []).append(each)
        return tuple(
            DayCounts(
                days[0].day,
                sum(each.done for each in days),
                sum(each.added for each in days),
                sum(each.cancelled for each in days),
            )
            for days in weeks.values()
        )

    def _day(self, day: date) -> DayCounts:
        return DayCounts(
            day,
            self.done_by_day.get(day, 0),
            self.added_by_day.get(day, 0),
            self.cancelled_by_day.get(day, 0),
        )

    def _sum(self, counts: Mapping[date, int]) -> int:
        return sum(count for day, count in counts.items() if day in self.period)


def week_number(day: date, first_weekday: int) -> int:
    """Return the weeks since the beginning of the calendar, which was a Monday (weekday 0)."""
    return (day.toordinal() - 1 - first_weekday) // _DAYS_A_WEEK


def duration_quartiles(seconds: Sequence[float]) -> DurationQuartiles | None:
    """Compute median and quartiles of durations in any order; None without any.

    The median of an even number of values is the mean of the two in the middle.
    """
    if not seconds:
        return None
    ordered = sorted(seconds)
    lower, median, upper = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    return DurationQuartiles(len(ordered), lower, median, upper)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the quantile of sorted values, interpolated."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
