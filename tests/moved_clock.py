"""A clock that a test sets by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from todo_tui.domain.when import Clock


class MovedClock(Clock):
    """Stands at `wall[0]`, a naive local time, without being fixed for those who ask."""

    __slots__ = ("wall",)
    wall: list[datetime]

    def now(self) -> datetime:
        return self.wall[0]

    def utc(self) -> datetime:
        return self.now().replace(tzinfo=ZoneInfo(self.zone)).astimezone(UTC)


def moved_clock(zone: str, moment: datetime) -> MovedClock:
    """A clock of that zone, standing at a moment."""
    clock = MovedClock(zone)
    object.__setattr__(clock, "wall", [moment])
    return clock
