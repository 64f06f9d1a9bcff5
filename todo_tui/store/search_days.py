"""Days in SQL conditions: local wall times as text, instants as UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filter_terms import DayField
from todo_tui.domain.when import start_of
from todo_tui.store.rows import utc_text

Value = str | int | None


class Column(NamedTuple):
    """An expression on `tasks t` and the values of its question marks, in order."""

    sql: str
    values: tuple[Value, ...]


Bound = tuple[str, tuple[Value, ...]]
"""A condition and the values of its question marks."""

# An all-day due moment counts from its last second, an all-day start from its first:
# the same as When.local() and When.begins().
due_local = "t.due || CASE length(t.due) WHEN 10 THEN 'T23:59:59' ELSE ':00' END"
start_local = "t.start || CASE length(t.start) WHEN 10 THEN 'T00:00:00' ELSE ':00' END"

# Due moments are compared by their local text, but found by their instant, by which they
# are indexed: it lies within a day of the same wall time in UTC, whatever the zone.
due_until = "(t.due IS NULL) = 0 AND t.due_at <= ?"
_due_from = "(t.due IS NULL) = 0 AND t.due_at >= ?"
_WIDEST_OFFSET = 16 * 3600
"""Seconds that local wall time can be away from UTC."""
_DAY = 24 * 3600
_EPOCH = date(1970, 1, 1).toordinal()


def local_text(moment: datetime) -> str:
    """A naive local moment as the conditions compare it, to the second."""
    return moment.isoformat(timespec="seconds")


class DayConditions:
    """Conditions on the days of tasks; those of instants are days of `zone`."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone

    def within(self, field: DayField, first: date | None, last: date | None) -> Bound:
        """On a day from `first` to `last`."""
        match field:
            case DayField.DUE:
                return due_range(first, last)
            case DayField.START:
                return _text_within("t.start", first, last)
            case DayField.COMPLETED | DayField.CREATED | DayField.UPDATED:
                return self._instant_within(_INSTANTS[field], first, last)
            case _:
                assert_never(field)

    def beside(self, field: DayField, moment: datetime, *, before: bool, inclusive: bool) -> Bound:
        """Before or after a local moment."""
        operator = ("<" if before else ">") + ("=" if inclusive else "")
        match field:
            case DayField.DUE:
                bound, edge = (
                    (due_until, latest(moment)) if before else (_due_from, earliest(moment))
                )
                return f"({bound} AND {due_local} {operator} ?)", (edge, local_text(moment))
            case DayField.START:
                return f"({start_local} {operator} ?)", (local_text(moment),)
            case DayField.COMPLETED | DayField.CREATED | DayField.UPDATED:
                return f"({_INSTANTS[field]} {operator} ?)", (self._utc(moment),)
            case _:
                assert_never(field)

    def _instant_within(self, column: str, first: date | None, last: date | None) -> Bound:
        parts = [f"{column} IS NOT NULL"]
        values: list[Value] = []
        if first is not None:
            parts.append(f"{column} >= ?")
            values.append(self._utc(start_of(first)))
        if last is not None and last < date.max:
            parts.append(f"{column} < ?")
            values.append(self._utc(start_of(last + timedelta(days=1))))
        return " AND ".join(parts), tuple(values)

    def _utc(self, moment: datetime) -> str:
        try:
            return utc_text(moment.replace(tzinfo=self._zone))
        except OverflowError:
            return utc_text(moment.replace(tzinfo=UTC))


_INSTANTS = {
    DayField.COMPLETED: "t.completed_at",
    DayField.CREATED: "t.created_at",
    DayField.UPDATED: "t.updated_at",
}


def due_range(first: date | None, last: date | None) -> Bound:
    """Due on a day from `first` to `last`."""
    condition, values = _text_within("t.due", first, last)
    if first is not None:
        condition, values = f"{_due_from} AND {condition}", (earliest(start_of(first)), *values)
    if last is not None:
        end = latest(start_of(last)) + _DAY
        condition, values = f"{due_until} AND {condition}", (end, *values)
    return condition, values


def earliest(moment: datetime) -> int:
    """The first second since 1970 in which a clock somewhere can show this moment."""
    return _seconds(moment) - _WIDEST_OFFSET


def latest(moment: datetime) -> int:
    """The last second since 1970 in which a clock somewhere can show this moment."""
    return _seconds(moment) + _WIDEST_OFFSET


def _text_within(column: str, first: date | None, last: date | None) -> Bound:
    parts = [f"{column} IS NOT NULL"]
    values: list[Value] = []
    if first is not None:
        parts.append(f"substr({column}, 1, 10) >= ?")
        values.append(first.isoformat())
    if last is not None:
        parts.append(f"substr({column}, 1, 10) <= ?")
        values.append(last.isoformat())
    return " AND ".join(parts), tuple(values)


def _seconds(moment: datetime) -> int:
    """Seconds from 1970 of this wall time in UTC; no year is too far away."""
    return (moment.toordinal() - _EPOCH) * _DAY + (
        moment.hour * 3600 + moment.minute * 60 + moment.second
    )
