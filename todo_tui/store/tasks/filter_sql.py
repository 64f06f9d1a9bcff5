"""Queries as SQL with bound parameters: filters, sort orders, days of a zone."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain import urgency
from todo_tui.domain.filters import terms
from todo_tui.domain.task import Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import day_after, start_of_day
from todo_tui.store.database import SqlValue
from todo_tui.store.rows import day_begins, day_ends, local_instant
from todo_tui.store.tasks.conditions import (
    BLOCKED_ROWS,
    DUE_DAY,
    IS_OPEN,
    NOT_TRASHED,
    OPEN,
    ORDER,
    PROJECT,
    START_HERE,
    START_LOCAL,
    STARTED,
    Operator,
    SqlCondition,
    compare_due,
    local_text,
)

_JULIAN = 1_721_424.5
"""Julian date of the day before the first of the calendar."""
_COLUMNS = {
    terms.DayField.START: START_HERE,
    terms.DayField.COMPLETED: "t.completed_at",
    terms.DayField.CREATED: "t.created_at",
    terms.DayField.UPDATED: "t.updated_at",
}
_OPERATORS: Mapping[tuple[bool, bool], Operator] = {
    (True, False): "<",
    (True, True): "<=",
    (False, False): ">",
    (False, True): ">=",
}
"""By direction, True for before, and inclusion."""
_WAITING_ROWS = (
    "SELECT k.blocker FROM task_blockers k JOIN tasks w ON w.row = k.task"  # noqa: S608
    f" WHERE k.gone = 0 AND {IS_OPEN.format('w')}"
)
_BLOCKED = f"t.row IN ({BLOCKED_ROWS})"
_LONGEST_CHAIN = 100
_OPEN_STATUSES = {terms.HasStatus(Status.TODO), terms.HasStatus(Status.DOING)}
_IS_OPEN = f"{OPEN} AND {NOT_TRASHED}"
_WAITS = f"t.start IS NOT NULL AND {START_LOCAL} > ?"
_BEGUN = f"(t.status = 'doing' OR (t.start IS NOT NULL AND {START_LOCAL} <= ?))"
_STATES: Mapping[terms.TaskState, str] = {
    terms.TaskState.OPEN: f"{OPEN} AND {STARTED}",
    terms.TaskState.ANY: "1",
    terms.TaskState.IN_TRASH: "t.deleted_at IS NOT NULL",
    terms.TaskState.WAITING: f"({_IS_OPEN} AND {_WAITS})",
    terms.TaskState.STARTED: f"({_IS_OPEN} AND {_BEGUN})",
    terms.TaskState.BLOCKED: _BLOCKED,
    terms.TaskState.BLOCKING: f"({_IS_OPEN} AND t.row IN ({_WAITING_ROWS}))",
    terms.TaskState.READY: f"({_IS_OPEN} AND {STARTED} AND NOT {_BLOCKED})",
}
"""Condition of each state but `OVERDUE`; a placeholder is the local moment."""
_PRESENT = {
    terms.TaskField.DUE: "t.due IS NOT NULL",
    terms.TaskField.START: "t.start IS NOT NULL",
    terms.TaskField.PROJECT: f"{PROJECT} IS NOT NULL",
    terms.TaskField.TAGS: "EXISTS (SELECT 1 FROM task_tags g WHERE g.task = t.row AND g.gone = 0)",
    terms.TaskField.PRIORITY: "t.priority IS NOT NULL",
    terms.TaskField.ESTIMATE: "t.estimate IS NOT NULL",
    terms.TaskField.NOTES: "t.notes <> ''",
    terms.TaskField.RECURRENCE: "t.recurrence IS NOT NULL",
    terms.TaskField.BLOCKERS: "t.row IN (SELECT k.task FROM task_blockers k"
    " JOIN tasks b ON b.row = k.blocker WHERE k.gone = 0 AND b.gone = 0)",
    terms.TaskField.PARENT: "(t.parent IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM tasks p WHERE p.uuid = t.parent AND p.gone = 0))",
    terms.TaskField.CHILDREN: "t.uuid IN (SELECT c.parent FROM tasks c"
    " WHERE c.parent IS NOT NULL AND c.deleted_at IS NULL AND c.gone = 0)",
    terms.TaskField.ANNOTATIONS: "t.annotations <> '[]'",
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
_SORTED_BY = {
    terms.SortField.DUE: "t.due_at",
    terms.SortField.START: f"CAST(strftime('%s', {START_LOCAL}) AS INTEGER)",
    terms.SortField.PRIORITY: "CASE t.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2"
    " WHEN 'low' THEN 1 END",
    terms.SortField.ESTIMATE: "t.estimate",
    terms.SortField.CREATED: "t.created_at",
    terms.SortField.UPDATED: "t.updated_at",
    terms.SortField.DONE: "t.completed_at",
    terms.SortField.DELETED: "t.deleted_at",
    # The search text begins with the title on its own line.
    terms.SortField.TITLE: "substr(t.folded, 1, instr(t.folded, char(10)) - 1)",
    terms.SortField.PROJECT: "t.project_folded",
    terms.SortField.POSITION: "t.position",
    terms.SortField.ID: "t.id",
}


def as_query(wanted: terms.Filter | terms.Query | None) -> terms.Query:
    """Return the query of a filter; None stands for the open tasks."""
    if wanted is None:
        return terms.Query()
    return wanted if isinstance(wanted, terms.Query) else terms.Query(wanted)


def compile_filter(wanted: terms.Filter, now: datetime, zone: str, user: str) -> SqlCondition:
    """Compile a filter of that user; `now` is naive local wall time in `zone`."""
    return _Compiler(now, ZoneInfo(zone), user).condition(wanted)


def compile_order(query: terms.Query, now: datetime, zone: str) -> SqlCondition:
    """Compile the ORDER BY terms; tasks that lack a field come last in either direction."""
    columns = [(sort_column(term.field, now, zone), term.descending) for term in query.sort]
    parts = [f"{column.sql} {'DESC' if down else 'ASC'} NULLS LAST" for column, down in columns]
    values = tuple(value for column, _ in columns for value in column.values)
    if not parts and terms.asks_for_closed(query.filter):
        parts = ["t.completed_at DESC NULLS LAST"]
    return SqlCondition(", ".join([*parts, ORDER]), values)


def sort_column(field: terms.SortField, now: datetime, zone: str) -> SqlCondition:
    """Compile the sort value of a task: for the urgency an integer, NULL unless open."""
    is_score = field is terms.SortField.URGENCY
    return _compile_urgency(now, zone) if is_score else SqlCondition(_SORTED_BY[field])


def _compile_urgency(now: datetime, zone: str) -> SqlCondition:
    """Compile the score of `domain.urgency`, scaled to an integer; NULL unless open."""
    julian, late = now.toordinal() + _JULIAN, compare_due("<", now, zone)
    days_ahead = f"CAST(julianday({DUE_DAY}) - ? AS INTEGER)"
    due = [
        "WHEN t.due IS NULL THEN 0",
        f"WHEN {late.sql} THEN {_scale(urgency.OVERDUE_POINTS)}"
        f" + {_scale(urgency.OVERDUE_PER_DAY)} * min(-{days_ahead}, {urgency.MAX_DAYS_OVERDUE})",
    ]
    values: list[SqlValue] = [*late.values, julian]
    for weight in urgency.DUE_WEIGHTS:
        points = f"{_scale(weight.points)}"
        until = start_of_day(now.date()) + timedelta(days=weight.last_day + 1)
        within = compare_due("<", until, zone)
        values += within.values
        if weight.per_day:
            points += f" + {_scale(weight.per_day)} * {days_ahead}"
            values.append(julian)
        due.append(f"WHEN {within.sql} THEN {points}")
    priorities = " ".join(
        f"WHEN '{priority}' THEN {_scale(points)}"
        for priority, points in urgency.PRIORITY_POINTS.items()
    )
    sql = f"""CASE WHEN {_IS_OPEN} THEN CASE {" ".join(due)} ELSE 0 END
        + CASE t.priority {priorities} ELSE 0 END
        + CASE WHEN {_BLOCKED} THEN {_scale(urgency.BLOCKED_POINTS)}
            WHEN {_WAITS} THEN {_scale(urgency.WAITING_POINTS)}
            WHEN t.status = 'doing' THEN {_scale(urgency.DOING_POINTS)} ELSE 0 END END"""
    return SqlCondition(sql, (*values, local_text(now)))


def _scale(points: float) -> int:
    return round(points * urgency.URGENCY_SCALE)


def days_within(
    field: terms.DayField, first: date | None, last: date | None, zone: ZoneInfo
) -> SqlCondition:
    """Compile the condition for a date from `first` to `last`, both included.

    Instants are converted to days of `zone`.
    """
    if field is terms.DayField.DUE:
        return _due_within(first, last, zone.key)
    column, is_instant = _COLUMNS[field], field is not terms.DayField.START
    parts, values = [f"{column} IS NOT NULL"], list[SqlValue]()
    if first is not None:
        parts.append(f"{column} >= ?")
        values.append(day_begins(first, zone) if is_instant else first.isoformat())
    if last is not None:
        parts.append(f"{column} < ?")
        values.append(day_ends(last, zone) if is_instant else f"{last}~")
    return SqlCondition(" AND ".join(parts), tuple(values))


def _due_within(first: date | None, last: date | None, zone: str) -> SqlCondition:
    parts = [SqlCondition("t.due IS NOT NULL")]
    if first is not None:
        parts.append(compare_due(">=", start_of_day(first), zone))
    if last is not None and last < date.max:
        parts.append(compare_due("<", start_of_day(day_after(last)), zone))
    return _joined(" AND ", parts, "1")


class _Compiler(NamedTuple):
    now: datetime
    zone: ZoneInfo
    user: str

    def condition(self, term: terms.Filter) -> SqlCondition:
        match term:
            case terms.And(parts):
                return _joined(" AND ", map(self.condition, parts), "1")
            case terms.Or((terms.HasStatus(), terms.HasStatus())) if (
                set(term.parts) == _OPEN_STATUSES
            ):
                # Spelled as in the index of open tasks.
                return SqlCondition(OPEN)
            case terms.Or(parts):
                return _joined(" OR ", map(self.condition, parts), "0")
            case terms.Not(terms.TaskState.IN_TRASH):
                return SqlCondition(NOT_TRASHED)
            case terms.Not(terms.HasField(terms.TaskField.DUE)):
                return SqlCondition("(t.due IS NULL) = 1 AND t.due_at IS NULL")
            case terms.Not(part):
                denied = self.condition(part)
                # Unlike `NOT coalesce(…)` it takes only a bracket on the parser's stack.
                return SqlCondition(f"({denied.sql}) IS NOT TRUE", denied.values)
            case _:
                return self._single(term)

    def _single(self, term: terms.SingleTerm) -> SqlCondition:  # noqa: C901 - one case a kind of term
        match term:
            case terms.HasIds(ranges):
                return _one_of(ranges)
            case terms.ChildOf(number):
                return SqlCondition(_CHILDREN, (self.user, number))
            case terms.DescendantOf(number):
                return SqlCondition(_BELOW, (self.user, number))
            case terms.InProject(name):
                return SqlCondition(f"instr({PROJECT} || '.', ?) = 1", (f"{fold_case(name)}.",))
            case terms.HasTag(name):
                return SqlCondition(_TAGGED, (fold_case(name),))
            case terms.HasPriority(priorities):
                names = json.dumps([each.value for each in priorities if each is not None])
                none = "t.priority IS NULL OR " if None in priorities else ""
                named = "t.priority IN (SELECT value FROM json_each(?))"
                return SqlCondition(f"({none}{named})", (names,))
            case terms.EstimateWithin(lowest, highest):
                bounds = [(lowest, "t.estimate >= ?"), (highest, "t.estimate <= ?")]
                given = [(value, sql) for value, sql in bounds if value is not None]
                sql = " AND ".join(sql for _, sql in given)
                return SqlCondition(f"({sql})", tuple(value for value, _ in given))
            case terms.HasField(field):
                return SqlCondition(_PRESENT[field])
            case terms.WithinDays(field, first, last):
                return days_within(field, first, last, self.zone)
            case terms.BeforeOrAfter():
                return self._beside(term)
            case terms.HasStatus(status):
                return SqlCondition("t.status = ?", (status.value,))
            case terms.ContainsText(words):
                return SqlCondition("instr(t.folded, ?) > 0", (fold_case(words),))
            case terms.TaskState():
                if term is terms.TaskState.OVERDUE:
                    late = compare_due("<", self.now, self.zone.key)
                    return SqlCondition(f"({_IS_OPEN} AND {late.sql})", late.values)
                sql = _STATES[term]
                return SqlCondition(sql, (local_text(self.now),) * sql.count("?"))
            case _:
                assert_never(term)

    def _beside(self, term: terms.BeforeOrAfter) -> SqlCondition:
        operator = _OPERATORS[term.before, term.inclusive]
        match term.of:
            case terms.DayField.DUE:
                compared = compare_due(operator, term.moment, self.zone.key)
            case terms.DayField.START:
                compared = SqlCondition(f"{START_LOCAL} {operator} ?", (local_text(term.moment),))
            case _:
                instant = local_instant(term.moment, self.zone)
                compared = SqlCondition(f"{_COLUMNS[term.of]} {operator} ?", (instant,))
        return compared._replace(sql=f"({compared.sql})")


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


def _one_of(ranges: tuple[tuple[int, int], ...]) -> SqlCondition:
    single = [first for first, last in ranges if first == last]
    longer = [(first, last) for first, last in ranges if first != last]
    parts = ["t.id BETWEEN ? AND ?"] * len(longer)
    values: list[SqlValue] = [bound for each in longer for bound in each]
    if single:
        parts.append("t.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(single))
    return SqlCondition(f"({_chained(' OR ', parts)})", tuple(values))
