"""Rows as bytes, held against the tuples that they stand for."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from todo_tui.tui.task_list.outline import RowTable, key_of, pack, tail_of, task_id_of

numbers = st.integers(-(1 << 63), (1 << 63) - 1)
texts = st.text(max_size=4) | st.sampled_from(
    ["", "\0", "a\0", "a\0\xff", "\x01", "\x02b", "\ud800"]
)
keys = st.lists(st.tuples(numbers, texts), max_size=3).map(
    lambda pairs: tuple(part for pair in pairs for part in pair)
)
task_ids = st.integers(-(1 << 40), 1 << 40)


@given(st.lists(st.tuples(keys, task_ids), min_size=2, max_size=8))
@example([((1, "a"), 1), ((1, "a\0b"), 2), ((1, "ab"), 3)])
@settings(max_examples=60, deadline=None)
def test_rows_sort_as_their_keys_and_tasks_do(
    entries: list[tuple[tuple[int | str, ...], int]],
) -> None:
    rows = sorted(pack(key, task_id, 0, 0) for key, task_id in entries)
    # By code point, as UTF-8 does, which is how texts compare.
    assert [(key_of(row), task_id_of(row)) for row in rows] == sorted(entries)


@given(keys, task_ids, st.integers(0, 1 << 20), st.integers(0, 1 << 31))
@settings(max_examples=60, deadline=None)
def test_a_row_holds_what_was_packed(
    key: tuple[int | str, ...], task_id: int, depth: int, section: int
) -> None:
    row = pack(key, task_id, depth, section)
    assert key_of(row) == key
    assert tail_of(row) == (task_id, depth, section)


@given(st.lists(st.tuples(st.integers(-200, 200), st.none() | st.binary(max_size=1))))
@settings(max_examples=40, deadline=None)
def test_the_table_is_a_dict_of_rows(puts: list[tuple[int, bytes | None]]) -> None:
    table, plain = RowTable(), dict[int, bytes]()
    for task_id, row in puts:
        table.put(task_id, row)
        plain.pop(task_id, None)
        if row is not None:
            plain[task_id] = row
        assert len(table) == len(plain)
    assert {
        each: table.get(each) for each in range(-201, 202) if table.get(each) is not None
    } == plain
