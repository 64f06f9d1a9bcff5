"""Streaks: days in a row on which something was done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row, from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many there are; at least one."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Streaks:
    """The streak that goes on, and the longest of all; None where there was none."""

    current: Streak | None = None
    longest: Streak | None = None


def streaks_of(days: Iterable[date], today: date) -> Streaks:
    """The streaks in days of any order; what lies behind `today` does not count.

    Today is still running: a streak that reaches to yesterday goes on. Of equally long
    ones the latest is the longest.
    """
    found: list[Streak] = []
    for day in sorted({day for day in days if day <= today}):
        if found and found[-1].last + _DAY == day:
            found[-1] = Streak(found[-1].first, day)
        else:
            found.append(Streak(day, day))
    if not found:
        return Streaks()
    newest = found[-1]
    goes_on = (today - newest.last) <= _DAY
    longest = max(found, key=lambda streak: (streak.days, streak.first))
    return Streaks(newest if goes_on else None, longest)
