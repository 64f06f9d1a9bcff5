"""Every row of the filter vocabulary has SQL, and words that are read back as its term."""

from __future__ import annotations

from datetime import datetime

from tests.rows import each_row
from todo_tui.domain.filters.completion import complete_filter
from todo_tui.domain.filters.lexer import FilterNames
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import DayField, TaskField, with_default_scope
from todo_tui.domain.filters.text import describe_filter
from todo_tui.domain.filters.values import VALUE_READERS
from todo_tui.domain.filters.vocabulary import (
    FIELDS,
    KEY_ROWS,
    STATE_ROWS,
    KeyRow,
    StateRow,
    TokenKind,
)
from todo_tui.domain.when import DateStyle
from todo_tui.store.tasks.filter_sql import compile_filter

NOW = datetime(2026, 11, 18, 14, 30)
VALUES = {
    TokenKind.DAYS: "friday",
    TokenKind.PRIORITY: "high",
    TokenKind.ESTIMATE: "1h30",
    TokenKind.STATE: "done",
    TokenKind.FIELD: "notes",
    TokenKind.ORDER: "due",
    TokenKind.VIEW: "calls",
}
NAMES = FilterNames(views={"calls": "@phone"})


def has_sql_and_text(text: str) -> bool:
    wanted = parse_query(text, NOW, DateStyle(), NAMES).filter
    sql = compile_filter(wanted, NOW, "Europe/Berlin", "me")
    return sql.sql.count("?") == len(sql.values) and bool(describe_filter(wanted, NOW.date()))


@each_row("row", STATE_ROWS)
def test_each_state_is_read_and_has_sql(row: StateRow) -> None:
    wanted = with_default_scope(row.term)
    for word in row.words:
        assert parse_query(word, NOW, DateStyle()).filter == wanted
        assert parse_query(f"is:{word}", NOW, DateStyle()).filter == wanted
        assert has_sql_and_text(word)
        assert has_sql_and_text(f"not {word}")


@each_row("word", FIELDS)
def test_each_field_is_read_and_has_sql(word: str) -> None:
    assert has_sql_and_text(f"has:{word} no {word}")


def test_every_field_and_day_has_a_row() -> None:
    assert set(FIELDS.values()) == set(TaskField)
    assert {row.day for row in KEY_ROWS if row.day} == set(DayField)
    others = {row.name for row in KEY_ROWS if not row.day} - {"view", "sort", "group"}
    assert others == set(VALUE_READERS)


@each_row("row", KEY_ROWS)
def test_each_key_is_read_completed_and_has_sql(row: KeyRow) -> None:
    for word in row.words:
        assert has_sql_and_text(f"{word}:{VALUES.get(row.kind, '1')}")
        if row.is_ordered:
            assert has_sql_and_text(f"{word}>={VALUES[row.kind]}")
    for key in row.help:
        offered = complete_filter(key[:-1], len(key) - 1, NAMES).candidates
        assert key in [candidate.text for candidate in offered]
