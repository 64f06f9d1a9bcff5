"""Due and start moments: a plain day, or a day with a local wall time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class When:
    """A day (`at` is None: all-day) or a local wall time on that day.

    The zone of a timed moment is kept beside it (`Task.due_zone`), because the
    words a person typed are local: 17:00 stays 17:00 across daylight saving.
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
        """The timed moment of a naive local datetime, to the minute."""
        return cls(moment.date(), time(moment.hour, moment.minute))

    def iso(self) -> str:
        """`2026-11-19` when all-day, `2026-11-19T17:00` when timed."""
        if self.at is None:
            return self.day.isoformat()
        return f"{self.day.isoformat()}T{self.at:%H:%M}"

    def local(self) -> datetime:
        """The naive local datetime; an all-day moment counts from its last minute.

        So an all-day task sorts after the timed ones of its day and is overdue
        only when the day has ended.
        """
        return datetime.combine(self.day, self.at or time(23, 59, 59))

    def begins(self) -> datetime:
        """The naive local datetime; an all-day moment counts from its first minute.

        So a task that starts on a day is shown from midnight on.
        """
        return datetime.combine(self.day, self.at or time())

    def instant(self, zone: str) -> datetime:
        """The UTC instant by which moments of different zones sort."""
        return self.local().replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a person writes dates; comes from the locale and can be set."""

    day_first: bool = False
    """1/2 is 1 February (True) or January 2 (False)."""
    week_start: int = 0
    """First day of the week as `date.weekday()` counts: Monday 0 … Sunday 6."""


def start_of(day: date) -> datetime:
    """The first moment of a local day, naive."""
    return datetime.combine(day, time())


def day_after(day: date) -> date:
    """The next day; the last one of the calendar is its own."""
    return day if day == date.max else day + timedelta(days=1)


def day_before(day: date) -> date:
    """The day before; the first one of the calendar is its own."""
    return day if day == date.min else day - timedelta(days=1)
