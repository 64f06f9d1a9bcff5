"""The order that a filter asks for, as SQL; the same as `todo_tui.domain.filter_order`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from todo_tui.domain.filter_order import KeyPart, milliseconds
from todo_tui.domain.filter_query import SortField, SortTerm
from todo_tui.store.search import ORDER
from todo_tui.store.search_days import Column, Value, start_local
from todo_tui.store.urgency_column import urgency_column

_COLUMNS = {
    SortField.DUE: "t.due_at",
    SortField.START: f"CAST(strftime('%s', {start_local}) AS INTEGER)",
    SortField.PRIORITY: "CASE t.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2"
    " WHEN 'low' THEN 1 END",
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
        values += column.values * (1 if term.descending or term.field in _ALWAYS_SET else 2)
        # SQLite takes what is absent for the smallest: descending, it comes last by itself.
        if term.field not in _ALWAYS_SET and not term.descending:
            parts.append(f"({column.sql}) IS NULL")
        parts.append(f"{column.sql} DESC" if term.descending else column.sql)
    return Column(", ".join([*parts, ORDER]), tuple(values))


def column_of(field: SortField, now: datetime) -> Column:
    """The value that is sorted by; `key_part` reads it."""
    if field is SortField.URGENCY:
        return urgency_column(now)
    return Column(_COLUMNS[field], ())


def key_part(field: SortField, value: KeyPart | None) -> KeyPart | None:
    """A value of `column_of` as part of a key."""
    if field in _INSTANTS and isinstance(value, str):
        return milliseconds(datetime.fromisoformat(value))
    return value
