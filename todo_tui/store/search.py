"""Filters as SQL conditions; every value is a bound parameter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filter_terms import (
    And,
    AnyStatus,
    Below,
    ChildOf,
    DayField,
    Filter,
    Has,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsBlocking,
    IsOpen,
    IsOverdue,
    IsReady,
    IsStarted,
    IsWaiting,
    KnownState,
    Not,
    Or,
    PriorityWithin,
    Says,
    Side,
    Single,
    State,
    TaskField,
    Within,
)
from todo_tui.domain.task import Status
from todo_tui.domain.text import folded
from todo_tui.store.search_days import (
    DayConditions,
    Value,
    due_local,
    due_until,
    latest,
    local_text,
    start_local,
)

OPEN = "t.status IN ('todo', 'doing')"
NOT_TRASHED = "t.deleted_at IS NULL"
EXISTS = "t.gone = 0"
ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""The order of every list; with `OPEN`, `NOT_TRASHED` and `EXISTS` an index holds it."""

STARTED = f"(t.start IS NULL OR {start_local} <= ?)"
WAITS = f"t.start IS NOT NULL AND {start_local} > ?"
HELD_UP = (
    "SELECT k.task FROM task_blockers k JOIN tasks b ON b.row = k.blocker"
    " WHERE k.gone = 0 AND b.status IN ('todo', 'doing') AND b.deleted_at IS NULL AND b.gone = 0"
)
"""The rows of tasks that wait for an open one."""
_HOLDS_UP = (
    "SELECT k.blocker FROM task_blockers k JOIN tasks w ON w.row = k.task"
    " WHERE k.gone = 0 AND w.status IN ('todo', 'doing') AND w.deleted_at IS NULL AND w.gone = 0"
)
BLOCKED = f"t.row IN ({HELD_UP})"
_LONGEST_CHAIN = 100
_OPEN_STATUSES = {HasStatus(Status.TODO), HasStatus(Status.DOING)}
_IS_OPEN = f"{OPEN} AND {NOT_TRASHED}"

_PRESENT = {
    TaskField.DUE: "t.due IS NOT NULL",
    TaskField.START: "t.start IS NOT NULL",
    TaskField.PROJECT: "t.project_folded IS NOT NULL",
    TaskField.TAGS: "EXISTS (SELECT 1 FROM task_tags g WHERE g.task = t.row AND g.gone = 0)",
    TaskField.PRIORITY: "t.priority IS NOT NULL",
    TaskField.NOTES: "t.notes <> ''",
    TaskField.RECURRENCE: "t.recurrence IS NOT NULL",
    TaskField.BLOCKERS: "t.row IN (SELECT k.task FROM task_blockers k"
    " JOIN tasks b ON b.row = k.blocker WHERE k.gone = 0 AND b.gone = 0)",
    TaskField.PARENT: "(t.parent IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM tasks p WHERE p.uuid = t.parent AND p.gone = 0))",
    TaskField.CHILDREN: "t.uuid IN (SELECT c.parent FROM tasks c"
    " WHERE c.parent IS NOT NULL AND c.deleted_at IS NULL AND c.gone = 0)",
    TaskField.REMARKS: "t.annotations <> '[]'",
}
_CHILDREN = "t.parent = (SELECT p.uuid FROM tasks p WHERE p.user = ? AND p.id = ? AND p.gone = 0)"
_BELOW = """t.row IN (
    WITH RECURSIVE below (row, uuid) AS (
        SELECT c.row, c.uuid FROM tasks p JOIN tasks c ON c.parent = p.uuid
            WHERE p.user = ? AND p.id = ? AND p.gone = 0 AND c.gone = 0
        UNION SELECT c.row, c.uuid FROM below JOIN tasks c ON c.parent = below.uuid
            WHERE c.gone = 0
    ) SELECT row FROM below)"""
_TAGGED = "t.row IN (SELECT g.task FROM task_tags g WHERE g.folded = ? AND g.gone = 0)"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on `tasks t` and the values of its question marks, in order.

    `source` stands behind FROM: it keeps SQLite from an index where row numbers are known.
    `order` is that of every list, without what the condition fixes: else SQLite would
    sort what an index holds in order.
    """

    sql: str
    values: tuple[Value, ...] = ()
    source: str = "tasks t"
    order: str = ORDER

    @property
    def is_narrow(self) -> bool:
        """Whether it looks at few rows, by their numbers."""
        return self.source != "tasks t"

    def among(self, rows: Sequence[int]) -> Condition:
        """The same of these rows alone."""
        listed = "t.row IN (SELECT value FROM json_each(?))"
        values = (json.dumps(list(rows)), *self.values)
        return Condition(f"{listed} AND {self.sql}", values, "tasks t NOT INDEXED", self.order)


def condition_of(wanted: Filter, now: datetime, zone: str, user: str) -> Condition:
    """The condition of a filter of that user; `now` is naive local wall time in `zone`."""
    found = _Compiler(now, ZoneInfo(zone), user).condition(wanted)
    return Condition(found.sql, found.values, order=_order_of(wanted))


def _order_of(wanted: Filter) -> str:
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    if any(map(_is_dated, parts)):
        return "t.due_at, t.position, t.id"
    return "t.position, t.id" if Not(Has(TaskField.DUE)) in parts else ORDER


def _is_dated(term: Filter) -> bool:
    """Whether the condition of a term looks up due moments in an index."""
    match term:
        case Within(DayField.DUE, first, last):
            return not (first is None and last is None)
        case Side(DayField.DUE) | IsOverdue():
            return True
        case _:
            return False


class _Compiler:
    def __init__(self, now: datetime, zone: ZoneInfo, user: str) -> None:
        self._now = now
        self._moment = local_text(now)
        self._days = DayConditions(zone)
        self._user = user

    def condition(self, term: Filter) -> Condition:
        match term:
            case And(parts):
                return _joined(" AND ", map(self.condition, parts), "1")
            case Or((HasStatus(), HasStatus())) if set(term.parts) == _OPEN_STATUSES:
                # As the index of open tasks has it.
                return Condition(OPEN)
            case Or(parts):
                return _joined(" OR ", map(self.condition, parts), "0")
            case Not(InTrash()):
                return Condition(NOT_TRASHED)
            case Not(Has(TaskField.DUE)):
                return Condition("(t.due IS NULL) = 1 AND t.due_at IS NULL")
            case Not(part):
                denied = self.condition(part)
                # Unlike `NOT coalesce(…)` it leaves the parser nothing to remember but a bracket.
                return Condition(f"({denied.sql}) IS NOT TRUE", denied.values)
            case _:
                return self._single(term)

    def _single(self, term: Single) -> Condition:  # noqa: C901 - one case a kind of term
        match term:
            case HasId(number):
                return Condition("t.id = ?", (number,))
            case HasIds(stretches):
                return _one_of(stretches)
            case ChildOf(number):
                return Condition(_CHILDREN, (self._user, number))
            case Below(number):
                return Condition(_BELOW, (self._user, number))
            case InProject(name):
                return _in_project(folded(name))
            case HasTag(name):
                return Condition(_TAGGED, (folded(name),))
            case HasPriority(priority):
                return Condition("t.priority = ?", (priority.value,))
            case PriorityWithin():
                return _of_priority(term)
            case Has(field):
                return Condition(_PRESENT[field])
            case Within(field, first, last):
                return Condition(*self._days.within(field, first, last))
            case Side(field, moment, before, inclusive):
                beside = self._days.beside(field, moment, before=before, inclusive=inclusive)
                return Condition(*beside)
            case HasStatus(status):
                return Condition("t.status = ?", (status.value,))
            case Says(words):
                return Condition("instr(t.folded, ?) > 0", (folded(words),))
            case State():
                return self._state(term)
            case _:
                assert_never(term)

    def _state(self, state: KnownState) -> Condition:
        match state:
            case IsOpen():
                return Condition(f"{OPEN} AND {STARTED}", (self._moment,))
            case AnyStatus():
                return Condition("1")
            case InTrash():
                return Condition("t.deleted_at IS NOT NULL")
            case IsOverdue():
                return Condition(
                    f"({_IS_OPEN} AND {due_until} AND {due_local} < ?)",
                    (latest(self._now), self._moment),
                )
            case IsWaiting():
                return Condition(f"({_IS_OPEN} AND {WAITS})", (self._moment,))
            case IsStarted():
                begun = f"(t.status = 'doing' OR (t.start IS NOT NULL AND {start_local} <= ?))"
                return Condition(f"({_IS_OPEN} AND {begun})", (self._moment,))
            case IsBlocked():
                return Condition(BLOCKED)
            case IsBlocking():
                return Condition(f"({_IS_OPEN} AND t.row IN ({_HOLDS_UP}))")
            case IsReady():
                return Condition(f"({_IS_OPEN} AND {STARTED} AND NOT {BLOCKED})", (self._moment,))
            case _:
                assert_never(state)


def _joined(operator: str, parts: Iterable[Condition], empty: str) -> Condition:
    conditions = list(parts)
    if not conditions:
        return Condition(empty)
    sql = _chained(operator, [condition.sql for condition in conditions])
    values = tuple(value for condition in conditions for value in condition.values)
    # ANDs need no brackets: nothing binds looser but OR, which has its own.
    return Condition(sql if operator == " AND " else f"({sql})", values)


def _chained(operator: str, parts: Sequence[str]) -> str:
    """Join the parts; many as a tree, since SQLite counts each of a chain as one level more.

    It allows a thousand levels.
    """
    if len(parts) <= _LONGEST_CHAIN:
        return operator.join(parts)
    middle = len(parts) // 2
    halves = (_chained(operator, parts[:middle]), _chained(operator, parts[middle:]))
    return operator.join(f"({half})" for half in halves)


def _in_project(path: str) -> Condition:
    # What begins with "work." lies between it and "work/", which an index can look up.
    return Condition(
        "(t.project_folded = ? OR (t.project_folded > ? AND t.project_folded < ?))",
        (path, f"{path}.", f"{path}/"),
    )


def _of_priority(term: PriorityWithin) -> Condition:
    wanted = term.priorities
    names = json.dumps([each.value for each in wanted if each is not None])
    named = "t.priority IN (SELECT value FROM json_each(?))"
    return Condition(f"(t.priority IS NULL OR {named})" if None in wanted else named, (names,))


def _one_of(stretches: tuple[tuple[int, int], ...]) -> Condition:
    single = [first for first, last in stretches if first == last]
    longer = [(first, last) for first, last in stretches if first != last]
    parts = ["t.id BETWEEN ? AND ?"] * len(longer)
    values: list[Value] = [bound for stretch in longer for bound in stretch]
    if single:
        parts.append("t.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(single))
    return Condition(f"({_chained(' OR ', parts)})", tuple(values))
