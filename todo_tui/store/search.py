"""Filters as SQL conditions; every value is a bound parameter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filter_terms import (
    And,
    AnyStatus,
    DayField,
    Filter,
    Has,
    HasId,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsOpen,
    IsOverdue,
    IsWaiting,
    Not,
    Or,
    Says,
    Side,
    TaskField,
    Within,
    start_of,
)
from todo_tui.domain.text import folded
from todo_tui.store.rows import utc_text

Value = str | int | None

# An all-day due moment counts from its last second, an all-day start from its first:
# the same as When.local() and filters.start_moment().
due_local = "t.due || CASE length(t.due) WHEN 10 THEN 'T23:59:59' ELSE ':00' END"
start_local = "t.start || CASE length(t.start) WHEN 10 THEN 'T00:00:00' ELSE ':00' END"

OPEN = "t.status IN ('todo', 'doing')"
NOT_TRASHED = "t.deleted_at IS NULL"
EXISTS = "t.gone = 0"
STARTED = f"(t.start IS NULL OR {start_local} <= ?)"
_OVERDUE = f"({OPEN} AND {NOT_TRASHED} AND t.due IS NOT NULL AND {due_local} < ?)"

ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""The order of every list; with `OPEN`, `NOT_TRASHED` and `EXISTS` an index holds it."""

_PRESENT = {
    TaskField.DUE: "t.due IS NOT NULL",
    TaskField.START: "t.start IS NOT NULL",
    TaskField.PROJECT: "t.project IS NOT NULL",
    TaskField.TAGS: "EXISTS (SELECT 1 FROM task_tags g WHERE g.task = t.row AND g.gone = 0)",
    TaskField.PRIORITY: "t.priority IS NOT NULL",
    TaskField.NOTES: "t.notes <> ''",
    TaskField.RECURRENCE: "t.recurrence IS NOT NULL",
    TaskField.BLOCKERS: "EXISTS (SELECT 1 FROM task_blockers k JOIN tasks b ON b.row = k.blocker"
    " WHERE k.task = t.row AND k.gone = 0 AND b.gone = 0)",
}
_BLOCKED = (
    "EXISTS (SELECT 1 FROM task_blockers k JOIN tasks b ON b.row = k.blocker WHERE k.task = t.row"
    " AND k.gone = 0 AND b.status IN ('todo', 'doing') AND b.deleted_at IS NULL AND b.gone = 0)"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on `tasks t` and the values of its question marks, in order."""

    sql: str
    values: tuple[Value, ...] = ()


def condition_of(wanted: Filter, now: datetime, zone: str) -> Condition:
    """The condition of a filter; `now` is naive local wall time in `zone`."""
    return _Compiler(now, ZoneInfo(zone)).condition(wanted)


def local_text(moment: datetime) -> str:
    """A naive local moment as the conditions compare it, to the second."""
    return moment.isoformat(timespec="seconds")


class _Compiler:
    def __init__(self, now: datetime, zone: ZoneInfo) -> None:
        self._now = local_text(now)
        self._zone = zone

    def condition(self, term: Filter) -> Condition:  # noqa: C901 - one case a kind of term
        match term:
            case And(parts):
                return self._joined(" AND ", parts, "1")
            case Or(parts):
                return self._joined(" OR ", parts, "0")
            case Not(InTrash()):
                return Condition(NOT_TRASHED)
            case Not(part):
                denied = self.condition(part)
                return Condition(f"NOT coalesce(({denied.sql}), 0)", denied.values)
            case HasId(number):
                return Condition("t.id = ?", (number,))
            case InProject(name):
                path = folded(name)
                return Condition(
                    "(t.project_folded = ? OR substr(t.project_folded, 1, ?) = ?)",
                    (path, len(path) + 1, f"{path}."),
                )
            case HasTag(name):
                return Condition(
                    "EXISTS (SELECT 1 FROM task_tags g"
                    " WHERE g.task = t.row AND g.folded = ? AND g.gone = 0)",
                    (folded(name),),
                )
            case HasPriority(priority):
                return Condition("t.priority = ?", (priority.value,))
            case Has(field):
                return Condition(_PRESENT[field])
            case Within(field, first, last):
                return self._within(field, first, last)
            case Side(field, moment, before, inclusive):
                return self._beside(field, moment, before=before, inclusive=inclusive)
            case HasStatus(status):
                return Condition("t.status = ?", (status.value,))
            case IsOpen():
                return Condition(f"{OPEN} AND {STARTED}", (self._now,))
            case AnyStatus():
                return Condition("1")
            case InTrash():
                return Condition("t.deleted_at IS NOT NULL")
            case IsOverdue():
                return Condition(_OVERDUE, (self._now,))
            case IsWaiting():
                return Condition(f"({OPEN} AND {NOT_TRASHED} AND {start_local} > ?)", (self._now,))
            case IsBlocked():
                return Condition(_BLOCKED)
            case Says(words):
                return Condition("instr(t.folded, ?) > 0", (folded(words),))
            case _:
                assert_never(term)

    def _joined(self, operator: str, parts: tuple[Filter, ...], empty: str) -> Condition:
        conditions = [self.condition(part) for part in parts]
        if not conditions:
            return Condition(empty)
        sql = operator.join(condition.sql for condition in conditions)
        values = tuple(value for condition in conditions for value in condition.values)
        # Bare ANDs at the top let SQLite see the terms of its partial index.
        return Condition(sql if operator == " AND " else f"({sql})", values)

    def _within(self, field: DayField, first: date | None, last: date | None) -> Condition:
        if field is DayField.COMPLETED:
            return self._completed_within(first, last)
        column = f"t.{field.value}"
        parts = [f"{column} IS NOT NULL"]
        values: list[Value] = []
        if first is not None:
            parts.append(f"substr({column}, 1, 10) >= ?")
            values.append(first.isoformat())
        if last is not None:
            parts.append(f"substr({column}, 1, 10) <= ?")
            values.append(last.isoformat())
        return Condition(f"({' AND '.join(parts)})", tuple(values))

    def _completed_within(self, first: date | None, last: date | None) -> Condition:
        parts = ["t.completed_at IS NOT NULL"]
        values: list[Value] = []
        if first is not None:
            parts.append("t.completed_at >= ?")
            values.append(self._utc(start_of(first)))
        if last is not None and last < date.max:
            parts.append("t.completed_at < ?")
            values.append(self._utc(start_of(last + timedelta(days=1))))
        return Condition(f"({' AND '.join(parts)})", tuple(values))

    def _beside(
        self, field: DayField, moment: datetime, *, before: bool, inclusive: bool
    ) -> Condition:
        operator = ("<" if before else ">") + ("=" if inclusive else "")
        match field:
            case DayField.DUE:
                column, value = due_local, local_text(moment)
            case DayField.START:
                column, value = start_local, local_text(moment)
            case DayField.COMPLETED:
                column, value = "t.completed_at", self._utc(moment)
            case _:
                assert_never(field)
        return Condition(f"({column} {operator} ?)", (value,))

    def _utc(self, moment: datetime) -> str:
        try:
            return utc_text(moment.replace(tzinfo=self._zone))
        except OverflowError:
            return utc_text(moment.replace(tzinfo=UTC))
