"""Taskwarrior's moments: instants in UTC, where a whole day is the midnight that begins it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.when import When

EARLIEST = datetime(1980, 1, 2, tzinfo=UTC)
"""Taskwarrior 2 reads no earlier moment (it crashes instead)."""

_STAMP = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?:\.\d+)?Z")
_LAST_SECOND = timedelta(days=1, seconds=-1)
"""Of a day, from its midnight: what `eod` and `eom` mean."""


def stamp_of(instant: datetime) -> str | None:
    """`20261118T230000Z`; None where Taskwarrior cannot read it."""
    there = instant.astimezone(UTC)
    return f"{there:%Y%m%dT%H%M%SZ}" if there >= EARLIEST else None


def stamp_of_when(when: When, zone: str) -> str | None:
    """The stamp of a due or start moment; a day's is its midnight in the zone."""
    try:
        if when.at is None:
            return stamp_of(_midnight(when.day, zone))
        return stamp_of(when.instant(zone))
    except OverflowError:
        return None


def canonical(text: str) -> str:
    """A stamp in the one form that is written, from any that Taskwarrior has written.

    Raises:
        ValueError: it is no stamp.
    """
    found = _STAMP.fullmatch(text)
    if found is None:
        raise ValueError(text)
    stamp = "{}{}{}T{}{}{}Z".format(*found.groups())
    instant_of(stamp)
    return stamp


def is_stamp(text: str) -> bool:
    """Whether it is a stamp in the form that is written."""
    return re.fullmatch(r"\d{8}T\d{6}Z", text) is not None


def instant_of(stamp: str) -> datetime:
    """The aware instant of a stamp.

    Raises:
        ValueError: there is no such moment.
    """
    return datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def when_of(stamp: str, zone: str) -> When:
    """The moment in the zone: a day for the first and the last second of one.

    Raises:
        ValueError: there is no such moment.
    """
    instant = instant_of(stamp)
    try:
        local = instant.astimezone(ZoneInfo(zone))
    except OverflowError as error:
        raise ValueError(stamp) from error
    midnight = _midnight(local.date(), zone)
    wall = local.replace(tzinfo=None)
    is_end = wall == datetime.combine(wall.date(), time()) + _LAST_SECOND
    return When(local.date()) if instant == midnight or is_end else When.of(wall)


def _midnight(day: date, zone: str) -> datetime:
    """The instant that begins a day, also where clocks skip midnight."""
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
