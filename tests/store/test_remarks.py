"""Remarks on a task: added, reworded and taken out one by one."""

from __future__ import annotations

import pytest

from tests.store.opened import add, hand
from todo_tui.domain.errors import Conflict, NotFound, ValidationError
from todo_tui.store.store import Store


def remarks(store: Store) -> list[str]:
    return [remark.text for remark in store.tasks.get(1).annotations]


def test_a_remark_is_reworded_and_taken_out_and_each_is_undone(store: Store) -> None:
    add(store, "a")
    for text in ("one", "two", "two"):
        store.tasks.annotate(1, text, by=hand(store))
    first, second, _ = store.tasks.get(1).annotations
    reworded = store.tasks.edit_annotation(1, first, "uno", by=hand(store))
    assert [remark.text for remark in reworded.annotations] == ["uno", "two", "two"]
    assert reworded.annotations[0].at == first.at
    store.tasks.remove_annotation(1, second, by=hand(store))
    assert remarks(store) == ["uno", "two"]
    for expected in (["uno", "two", "two"], ["one", "two", "two"], ["one", "two"]):
        store.tasks.undo(by=hand(store))
        assert remarks(store) == expected


def test_a_remark_that_is_gone_is_a_conflict(store: Store) -> None:
    add(store, "a")
    (remark,) = store.tasks.annotate(1, "one", by=hand(store)).annotations
    store.tasks.remove_annotation(1, remark, by=hand(store))
    with pytest.raises(Conflict, match="changed or removed"):
        store.tasks.remove_annotation(1, remark, by=hand(store))
    with pytest.raises(Conflict, match="changed or removed"):
        store.tasks.edit_annotation(1, remark, "x", by=hand(store))


def test_a_remark_needs_some_words_and_not_too_many(store: Store) -> None:
    add(store, "a")
    (remark,) = store.tasks.annotate(1, "one", by=hand(store)).annotations
    for text in ("", " \n", "x" * 1_000_001):
        with pytest.raises(ValidationError):
            store.tasks.annotate(1, text, by=hand(store))
        with pytest.raises(ValidationError):
            store.tasks.edit_annotation(1, remark, text, by=hand(store))
    assert remarks(store) == ["one"]


def test_remarks_belong_to_tasks_outside_the_trash(store: Store) -> None:
    add(store, "a")
    (remark,) = store.tasks.annotate(1, "one", by=hand(store)).annotations
    store.tasks.delete([1], by=hand(store))
    with pytest.raises(Conflict):
        store.tasks.annotate(1, "two", by=hand(store))
    with pytest.raises(Conflict):
        store.tasks.remove_annotation(1, remark, by=hand(store))
    with pytest.raises(NotFound):
        store.tasks.annotate(9, "two", by=hand(store))
