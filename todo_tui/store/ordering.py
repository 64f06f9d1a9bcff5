"""The order that a filter asks for, as SQL; the same as `todo_tui.domain.filter_order`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.filter_order import KeyPart, milliseconds
from todo_tui.domain.filter_query import SortField, SortTerm
from todo_tui.store.search import BLOCKED, NOT_TRASHED, OPEN
from todo_tui.store.search_days import Value, due_local, local_text, start_local

ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""The order of every list; with `OPEN`, `NOT_TRASHED` and `EXISTS` an index holds it."""


class Column(NamedTuple):
    """An expression on `tasks t` and the values of its question marks, in order."""

    sql: str
    values: tuple[Value, ...]


_DAYS = "CAST(julianday(substr(t.due, 1, 10)) - julianday(?) AS INTEGER)"
# The points of `todo_tui.domain.urgency`, in parts of which all are whole numbers.
_URGENCY = f"""(
    CASE WHEN NOT ({OPEN} AND {NOT_TRASHED}) THEN NULL ELSE
    CASE WHEN t.due IS NULL THEN 0
        WHEN {due_local} < ? THEN 336 + 4 * min(-{_DAYS}, 14)
        WHEN {_DAYS} = 0 THEN 252
        WHEN {_DAYS} = 1 THEN 168
        WHEN {_DAYS} <= 7 THEN 140 - 7 * {_DAYS}
        WHEN {_DAYS} <= 14 THEN 28
        ELSE 0 END
    + CASE t.priority WHEN 'high' THEN 168 WHEN 'medium' THEN 84 WHEN 'low' THEN -28 ELSE 0 END
    + CASE WHEN {BLOCKED} THEN -420
        WHEN t.start IS NOT NULL AND {start_local} > ? THEN -560
        WHEN t.status = 'doing' THEN 112
        ELSE 0 END
    END)"""

_COLUMNS = {
    SortField.DUE: "t.due_at",
    SortField.START: f"CAST(strftime('%s', {start_local}) AS INTEGER)",
    SortField.PRIORITY: "CASE t.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2"
    " WHEN 'low' THEN 1 END",
    SortField.URGENCY: _URGENCY,
    SortField.CREATED: "t.created_at",
    SortField.UPDATED: "t.updated_at",
    SortField.DONE: "t.completed_at",
    SortField.DELETED: "t.deleted_at",
    # The text that is searched begins with the title, on a line of its own.
    SortField.TITLE: "substr(t.folded, 1, instr(t.folded, char(10)) - 1)",
    SortField.PROJECT: "t.project_folded",
    SortField.POSITION: "t.position",
    SortField.ID: "t.id",
}
_INSTANTS = frozenset({SortField.CREATED, SortField.UPDATED, SortField.DONE, SortField.DELETED})
_ALWAYS_SET = frozenset(
    {SortField.CREATED, SortField.UPDATED, SortField.TITLE, SortField.POSITION, SortField.ID}
)


def order_of(sort: Sequence[SortTerm], now: datetime) -> Column:
    """What comes behind ORDER BY; tasks that lack a field come last, whatever the direction."""
    parts = []
    values: list[Value] = []
    for term in sort:
        column = column_of(term.field, now)
        values += column.values * (1 if term.field in _ALWAYS_SET else 2)
        if term.field not in _ALWAYS_SET:
            parts.append(f"({column.sql}) IS NULL")
        parts.append(f"{column.sql} DESC" if term.descending else column.sql)
    return Column(", ".join([*parts, ORDER]), tuple(values))


def column_of(field: SortField, now: datetime) -> Column:
    """The value that is sorted by; `key_part` reads it."""
    if field is not SortField.URGENCY:
        return Column(_COLUMNS[field], ())
    moment, today = local_text(now), now.date().isoformat()
    return Column(_URGENCY, (moment, *(today,) * _URGENCY.count(_DAYS), moment))


def key_part(field: SortField, value: KeyPart | None) -> KeyPart | None:
    """A value of `column_of` as part of a key."""
    if field in _INSTANTS and isinstance(value, str):
        return milliseconds(datetime.fromisoformat(value))
    return value
