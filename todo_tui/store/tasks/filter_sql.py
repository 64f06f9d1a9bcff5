"""Filters as SQL conditions with bound parameters, and local days in SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filters.terms import (
    And,
    AnyStatus,
    BeforeOrAfter,
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
    Filter,
    HasField,
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
    Not,
    Or,
    PriorityBetween,
    SingleTerm,
    StateTerm,
    TaskField,
    WithinDays,
)
from todo_tui.domain.task import Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import start_of_day
from todo_tui.store.rows import utc_text

Value = str | int | None
Bound = tuple[str, tuple[Value, ...]]
"""A condition and the values of its placeholders."""
# An all-day due moment counts from its last second, an all-day start from its first:
# the same as When.local() and When.begins().
due_local = "t.due || CASE length(t.due) WHEN 10 THEN 'T23:59:59' ELSE ':00' END"
start_local = "t.start || CASE length(t.start) WHEN 10 THEN 'T00:00:00' ELSE ':00' END"
# Due moments are compared by local text, but looked up by their indexed instant, which is
# within a day of the same wall time in UTC, whatever the zone.
due_until = "(t.due IS NULL) = 0 AND t.due_at <= ?"
_due_from = "(t.due IS NULL) = 0 AND t.due_at >= ?"
_WIDEST_OFFSET = 16 * 3600
"""Upper bound in seconds of the difference between local wall time and UTC."""
_DAY = 24 * 3600
_EPOCH = date(1970, 1, 1).toordinal()
_INSTANTS = {
    DayField.COMPLETED: "t.completed_at",
    DayField.CREATED: "t.created_at",
    DayField.UPDATED: "t.updated_at",
}
OPEN = "t.status IN ('todo', 'doing')"
NOT_TRASHED = "t.deleted_at IS NULL"
EXISTS = "t.gone = 0"
ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""Default order of lists; with `OPEN`, `NOT_TRASHED` and `EXISTS` it is an index scan."""
STARTED = f"(t.start IS NULL OR {start_local} <= ?)"
WAITS = f"t.start IS NOT NULL AND {start_local} > ?"
BLOCKED_ROWS = (
    "SELECT k.task FROM task_blockers k JOIN tasks b ON b.row = k.blocker"
    " WHERE k.gone = 0 AND b.status IN ('todo', 'doing') AND b.deleted_at IS NULL AND b.gone = 0"
)
"""Subquery for the rows of tasks that have an open blocker."""
_IS_BLOCKING = (
    "SELECT k.blocker FROM task_blockers k JOIN tasks w ON w.row = k.task"
    " WHERE k.gone = 0 AND w.status IN ('todo', 'doing') AND w.deleted_at IS NULL AND w.gone = 0"
)
BLOCKED = f"t.row IN ({BLOCKED_ROWS})"
_LONGEST_CHAIN = 100
_OPEN_STATUSES = {HasStatus(Status.TODO), HasStatus(Status.DOING)}
_IS_OPEN = f"{OPEN} AND {NOT_TRASHED}"
_BEGUN = f"(t.status = 'doing' OR (t.start IS NOT NULL AND {start_local} <= ?))"
_STATES: Mapping[type[StateTerm], str] = {
    IsOpen: f"{OPEN} AND {STARTED}",
    AnyStatus: "1",
    InTrash: "t.deleted_at IS NOT NULL",
    IsOverdue: f"({_IS_OPEN} AND {due_until} AND {due_local} < ?)",
    IsWaiting: f"({_IS_OPEN} AND {WAITS})",
    IsStarted: f"({_IS_OPEN} AND {_BEGUN})",
    IsBlocked: BLOCKED,
    IsBlocking: f"({_IS_OPEN} AND t.row IN ({_IS_BLOCKING}))",
    IsReady: f"({_IS_OPEN} AND {STARTED} AND NOT {BLOCKED})",
}
"""Condition of each state; a placeholder is the local moment."""
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
BEFORE_ALL, AFTER_ALL = "", "~"
"""Sort before and behind every instant of the database."""
_YEARS_BACK = 50
_STEP = timedelta(days=7)
"""No zone has ever set its clocks forward and back within a week."""
_SECOND = timedelta(seconds=1)


class SqlColumn(NamedTuple):
    """An expression on `tasks t` and the values of its placeholders, in order."""

    sql: str
    values: tuple[Value, ...]


def local_text(moment: datetime) -> str:
    """Format a naive local moment to the second, as the conditions compare it."""
    return moment.isoformat(timespec="seconds")


class DayConditions:
    """Conditions on the dates of tasks; instants are converted to days of `zone`."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone

    def within(self, field: DayField, first: date | None, last: date | None) -> Bound:
        """Condition for a date from `first` to `last`, both included."""
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
        """Condition for a date before or after a local moment."""
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
            values.append(self._utc(start_of_day(first)))
        if last is not None and last < date.max:
            parts.append(f"{column} < ?")
            values.append(self._utc(start_of_day(last + timedelta(days=1))))
        return " AND ".join(parts), tuple(values)

    def _utc(self, moment: datetime) -> str:
        try:
            return utc_text(moment.replace(tzinfo=self._zone))
        except OverflowError:
            return utc_text(moment.replace(tzinfo=UTC))


def due_range(first: date | None, last: date | None) -> Bound:
    """Condition for a due date from `first` to `last`, both included."""
    condition, values = _text_within("t.due", first, last)
    if first is not None:
        condition, values = f"{_due_from} AND {condition}", (earliest(start_of_day(first)), *values)
    if last is not None:
        end = latest(start_of_day(last)) + _DAY
        condition, values = f"{due_until} AND {condition}", (end, *values)
    return condition, values


def earliest(moment: datetime) -> int:
    """Return the first second since 1970 at which this wall time occurs in any zone."""
    return _seconds(moment) - _WIDEST_OFFSET


def latest(moment: datetime) -> int:
    """Return the last second since 1970 at which this wall time occurs in any zone."""
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
    """Return the seconds since 1970 of a wall time in UTC, for any year."""
    return (moment.toordinal() - _EPOCH) * _DAY + (
        moment.hour * 3600 + moment.minute * 60 + moment.second
    )


@dataclass(frozen=True, slots=True)
class SqlCondition:
    """A condition on `tasks t` and the values of its placeholders, in order.

    `order` is the default order without columns that the condition fixes: with them SQLite
    would sort rows that the index already returns in order.
    """

    sql: str
    values: tuple[Value, ...] = ()
    order: str = ORDER


def compile_filter(wanted: Filter, now: datetime, zone: str, user: str) -> SqlCondition:
    """Compile a filter of that user; `now` is naive local wall time in `zone`."""
    found = _Compiler(now, ZoneInfo(zone), user).condition(wanted)
    return SqlCondition(found.sql, found.values, order=_order_of(wanted))


def _order_of(wanted: Filter) -> str:
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    if any(map(_is_dated, parts)):
        return "t.due_at, t.position, t.id"
    return "t.position, t.id" if Not(HasField(TaskField.DUE)) in parts else ORDER


def _is_dated(term: Filter) -> bool:
    """Return True if the condition of a term looks up due moments in an index."""
    match term:
        case WithinDays(DayField.DUE, first, last):
            return not (first is None and last is None)
        case BeforeOrAfter(DayField.DUE) | IsOverdue():
            return True
        case _:
            return False


class _Compiler:
    def __init__(self, now: datetime, zone: ZoneInfo, user: str) -> None:
        self._now = now
        self._moment = local_text(now)
        self._days = DayConditions(zone)
        self._user = user

    def condition(self, term: Filter) -> SqlCondition:
        match term:
            case And(parts):
                return _joined(" AND ", map(self.condition, parts), "1")
            case Or((HasStatus(), HasStatus())) if set(term.parts) == _OPEN_STATUSES:
                # Spelled as in the index of open tasks.
                return SqlCondition(OPEN)
            case Or(parts):
                return _joined(" OR ", map(self.condition, parts), "0")
            case Not(InTrash()):
                return SqlCondition(NOT_TRASHED)
            case Not(HasField(TaskField.DUE)):
                return SqlCondition("(t.due IS NULL) = 1 AND t.due_at IS NULL")
            case Not(part):
                denied = self.condition(part)
                # Unlike `NOT coalesce(…)` it takes only a bracket on the parser's stack.
                return SqlCondition(f"({denied.sql}) IS NOT TRUE", denied.values)
            case _:
                return self._single(term)

    def _single(self, term: SingleTerm) -> SqlCondition:  # noqa: C901 - one case a kind of term
        match term:
            case HasId(number):
                return SqlCondition("t.id = ?", (number,))
            case HasIds(stretches):
                return _one_of(stretches)
            case ChildOf(number):
                return SqlCondition(_CHILDREN, (self._user, number))
            case DescendantOf(number):
                return SqlCondition(_BELOW, (self._user, number))
            case InProject(name):
                return _in_project(fold_case(name))
            case HasTag(name):
                return SqlCondition(_TAGGED, (fold_case(name),))
            case HasPriority(priority):
                return SqlCondition("t.priority = ?", (priority.value,))
            case PriorityBetween():
                return _of_priority(term)
            case HasField(field):
                return SqlCondition(_PRESENT[field])
            case WithinDays(field, first, last):
                return SqlCondition(*self._days.within(field, first, last))
            case BeforeOrAfter(field, moment, before, inclusive):
                beside = self._days.beside(field, moment, before=before, inclusive=inclusive)
                return SqlCondition(*beside)
            case HasStatus(status):
                return SqlCondition("t.status = ?", (status.value,))
            case ContainsText(words):
                return SqlCondition("instr(t.folded, ?) > 0", (fold_case(words),))
            case StateTerm():
                sql = _STATES[type(term)]
                if isinstance(term, IsOverdue):
                    return SqlCondition(sql, (latest(self._now), self._moment))
                return SqlCondition(sql, (self._moment,) * sql.count("?"))
            case _:
                assert_never(term)


def _joined(operator: str, parts: Iterable[SqlCondition], empty: str) -> SqlCondition:
    conditions = list(parts)
    if not conditions:
        return SqlCondition(empty)
    sql = _chained(operator, [condition.sql for condition in conditions])
    values = tuple(value for condition in conditions for value in condition.values)
    # ANDs need no brackets: only OR binds looser, and has its own.
    return SqlCondition(sql if operator == " AND " else f"({sql})", values)


def _chained(operator: str, parts: Sequence[str]) -> str:
    """Join the parts as a balanced tree: in a chain each operator adds a level of depth.

    SQLite allows a thousand levels.
    """
    if len(parts) <= _LONGEST_CHAIN:
        return operator.join(parts)
    middle = len(parts) // 2
    halves = (_chained(operator, parts[:middle]), _chained(operator, parts[middle:]))
    return operator.join(f"({half})" for half in halves)


def _in_project(path: str) -> SqlCondition:
    # Names that begin with "work." are between it and "work/", a range of the index.
    return SqlCondition(
        "(t.project_folded = ? OR (t.project_folded > ? AND t.project_folded < ?))",
        (path, f"{path}.", f"{path}/"),
    )


def _of_priority(term: PriorityBetween) -> SqlCondition:
    wanted = term.priorities
    names = json.dumps([each.value for each in wanted if each is not None])
    named = "t.priority IN (SELECT value FROM json_each(?))"
    return SqlCondition(f"(t.priority IS NULL OR {named})" if None in wanted else named, (names,))


def _one_of(stretches: tuple[tuple[int, int], ...]) -> SqlCondition:
    single = [first for first, last in stretches if first == last]
    longer = [(first, last) for first, last in stretches if first != last]
    parts = ["t.id BETWEEN ? AND ?"] * len(longer)
    values: list[Value] = [bound for stretch in longer for bound in stretch]
    if single:
        parts.append("t.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(single))
    return SqlCondition(f"({_chained(' OR ', parts)})", tuple(values))


class LocalDays:
    """Local days of a zone; its offset is constant earlier than 50 years before `last`."""

    def __init__(self, zone: str, last: date) -> None:
        self._zone = ZoneInfo(zone)
        self._offset, self._changes = _offsets(self._zone, last.year)

    def begins(self, day: date) -> str:
        """Return the instant at which a local day begins, in stored form."""
        try:
            return utc_text(datetime(day.year, day.month, day.day, tzinfo=self._zone))
        except OverflowError:
            return BEFORE_ALL

    def ends(self, day: date) -> str:
        """Return the instant at which the next local day begins, in stored form."""
        return AFTER_ALL if day == date.max else self.begins(day + timedelta(days=1))

    def day(self, column: str) -> SqlCondition:
        """Return an expression for the local day of a column of instants, as `2026-11-18`."""
        offset = self._offset_at(column)
        return SqlCondition(f"date({column}, {offset.sql})", offset.values)

    def weekday_and_hour(self, column: str) -> SqlCondition:
        """Return an expression for local weekday (Sunday is 0) and hour, as `0 23`."""
        offset = self._offset_at(column)
        return SqlCondition(f"strftime('%w %H', {column}, {offset.sql})", offset.values)

    def _offset_at(self, column: str) -> SqlCondition:
        if not self._changes:
            return SqlCondition("?", (self._offset,))
        # Newest first: most instants are recent.
        cases = " ".join(f"WHEN {column} >= ? THEN ?" for _ in self._changes)
        values = [value for change in reversed(self._changes) for value in change]
        return SqlCondition(f"CASE {cases} ELSE ? END", (*values, self._offset))


@lru_cache(maxsize=4)
def _offsets(zone: ZoneInfo, year: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the first offset, then each later one with the instant from which it applies."""
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
    """Find the second at which the offset changes within the next step."""
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
