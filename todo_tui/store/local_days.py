"""Instants of the database as local days, in SQL and right across daylight saving."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from todo_tui.store.rows import utc_text
from todo_tui.store.search import Condition

BEFORE_ALL, AFTER_ALL = "", "~"
"""Sort before and behind every instant of the database."""

_YEARS_BACK = 50
_STEP = timedelta(days=7)
"""Nowhere did the clocks go forward and back again within a week."""
_SECOND = timedelta(seconds=1)


class LocalDays:
    """A zone up to some day; older instants than its last fifty years have the offset of then."""

    def __init__(self, zone: str, last: date) -> None:
        self._zone = ZoneInfo(zone)
        self._offset, self._changes = _offsets(self._zone, last.year)

    def begins(self, day: date) -> str:
        """The instant at which a local day begins, as the tables have it."""
        try:
            return utc_text(datetime(day.year, day.month, day.day, tzinfo=self._zone))
        except OverflowError:
            return BEFORE_ALL

    def ends(self, day: date) -> str:
        """The instant at which the next local day begins."""
        return AFTER_ALL if day == date.max else self.begins(day + timedelta(days=1))

    def day(self, column: str) -> Condition:
        """The local day of a column of instants, as `2026-11-18`."""
        offset = self._offset_at(column)
        return Condition(f"date({column}, {offset.sql})", offset.values)

    def weekday_and_hour(self, column: str) -> Condition:
        """The local weekday, Sunday 0, and the hour of a column of instants, as `0 23`."""
        offset = self._offset_at(column)
        return Condition(f"strftime('%w %H', {column}, {offset.sql})", offset.values)

    def _offset_at(self, column: str) -> Condition:
        if not self._changes:
            return Condition("?", (self._offset,))
        # The newest first: that is where most instants are.
        cases = " ".join(f"WHEN {column} >= ? THEN ?" for _ in self._changes)
        values = [value for change in reversed(self._changes) for value in change]
        return Condition(f"CASE {cases} ELSE ? END", (*values, self._offset))


@lru_cache(maxsize=4)
def _offsets(zone: ZoneInfo, year: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The offset at first, and each later one behind the instant from which it holds."""
    at = datetime(max(year - _YEARS_BACK, 2), 1, 1, tzinfo=UTC)
    end = datetime(min(year + 2, 9999), 1, 1, tzinfo=UTC)
    first = offset = _offset(zone, at)
    changes: list[tuple[str, str]] = []
    while at < end:
        if _offset(zone, at + _STEP) != offset:
            change = _change_after(zone, at)
            offset = _offset(zone, change)
            changes.append((utc_text(change), offset))
        at += _STEP
    return first, tuple(changes)


def _change_after(zone: ZoneInfo, at: datetime) -> datetime:
    """The second in which the offset changes within the next step."""
    offset, same, other = _offset(zone, at), at, at + _STEP
    while other - same > _SECOND:
        middle = same + (other - same) // _SECOND // 2 * _SECOND
        if _offset(zone, middle) == offset:
            same = middle
        else:
            other = middle
    return other


def _offset(zone: ZoneInfo, at: datetime) -> str:
    seconds = (at.astimezone(zone).utcoffset() or timedelta()) // _SECOND
    return f"{seconds:+d} seconds"
