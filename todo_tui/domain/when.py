"""Due and start moments, the injected clock, and time zones."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

NewId = Callable[[], str]
"""Returns a globally unique id: 32 hexadecimal digits."""
CLOCK_YEARS = range(1000, 9000)
"""Years in which the clock may stand: calendars, series and statistics look far around it, and
dates end with the years 1 and 9999.
"""


@dataclass(frozen=True, slots=True)
class Clock:
    """Current time here and in UTC.

    `fixed` is a naive local wall time at which the clock stands still
    (`TODO_TUI_NOW`); `zone` is the IANA name of the user's zone.
    """

    zone: str
    fixed: datetime | None = None

    def now(self) -> datetime:
        """Return the naive local wall time."""
        if self.fixed is not None:
            return self.fixed
        return datetime.now(ZoneInfo(self.zone)).replace(tzinfo=None)

    def utc(self) -> datetime:
        """Return the aware instant in UTC."""
        if self.fixed is not None:
            return self.fixed.replace(tzinfo=ZoneInfo(self.zone)).astimezone(UTC)
        return datetime.now(UTC)


def random_id() -> str:
    """Return an id from the operating system's randomness."""
    return os.urandom(16).hex()


@dataclass(frozen=True, slots=True)
class When:
    """Day (`at` is None: all-day) or local wall time on that day.

    The zone of a timed moment is kept beside it (`Task.due_zone`), because the
    user typed a local time: 17:00 stays 17:00 across daylight saving.
    """

    day: date
    at: time | None = None

    @classmethod
    def parse(cls, text: str) -> When:
        """Read `2026-11-19` or `2026-11-19T17:00` (seconds allowed, dropped).

        Raises:
            ValueError: the text has another form.
        """
        if "T" in text or " " in text:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is not None:
                raise ValueError(f"a local wall time carries no UTC offset: {text!r}")
            return cls.of(moment)
        return cls(date.fromisoformat(text))

    @classmethod
    def of(cls, moment: datetime) -> When:
        """Return the timed moment of a naive local datetime, to the minute."""
        return cls(moment.date(), time(moment.hour, moment.minute))

    def iso(self) -> str:
        """Return `2026-11-19` if all-day, `2026-11-19T17:00` if timed."""
        if self.at is None:
            return self.day.isoformat()
        return f"{self.day.isoformat()}T{self.at:%H:%M}"

    def local(self) -> datetime:
        """Return the naive local datetime; an all-day moment counts from its last minute.

        So an all-day task sorts after the timed ones of its day and is overdue
        only when the day has ended.
        """
        return datetime.combine(self.day, self.at or time(23, 59, 59))

    def begins(self) -> datetime:
        """Return the naive local datetime; an all-day moment counts from its first minute.

        So a task that starts on a day is shown from midnight on.
        """
        return datetime.combine(self.day, self.at or time())

    def moved(self, there: str | None, here: str) -> When:
        """Return the wall time `here` of a moment whose zone is `there`; a day stays that day."""
        origin = effective_zone(there, here)
        if self.at is None or origin == here:
            return self
        return When.of(self.instant(origin).astimezone(ZoneInfo(here)).replace(tzinfo=None))

    def instant(self, zone: str) -> datetime:
        """Return the UTC instant by which moments of different zones sort."""
        return self.local().replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class DateStyle:
    """Order of day and month, and other habits in dates; from the locale or settings."""

    day_first: bool = False
    """1/2 is 1 February (True) or January 2 (False)."""
    week_start: int = 0
    """First day of the week as `date.weekday()` counts: Monday 0 … Sunday 6."""
    zone: str = "UTC"
    """IANA name of the zone to which times with an offset are converted."""
    territory: str = ""
    """ISO code of the country whose holidays are meant; empty if that is not known."""


def start_of_day(day: date) -> datetime:
    """Return the first moment of a local day, naive."""
    return datetime.combine(day, time())


def day_after(day: date) -> date:
    """Return the next day; the last day of the calendar returns itself."""
    return day if day == date.max else day + timedelta(days=1)


def day_before(day: date) -> date:
    """Return the previous day; the first day of the calendar returns itself."""
    return day if day == date.min else day - timedelta(days=1)


@lru_cache(maxsize=256)
def is_known_zone(name: str) -> bool:
    """Return True if the system knows a time zone of that name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def effective_zone(name: str | None, home: str) -> str:
    """Return the zone of a moment, or the user's if it has none or an unknown one.

    Zones are renamed and dropped, and files of other machines name some that are
    unknown here; the time of day still holds.
    """
    return name if name is not None and is_known_zone(name) else home
