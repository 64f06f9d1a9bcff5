"""The index of tasks that the built-in assistant reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.opened import opened
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.store.store import Store


def add(store: Store, **fields: object) -> int:
    wanted: TaskFields = fields  # type: ignore[assignment]  # named as TaskFields has them
    return store.tasks.add(wanted, by=store.new_change_context(Actor.USER)).id


def test_it_finds_by_filters_and_counts_all(store: Store) -> None:
    parent = add(store, title="Plan party", project="home")
    child = add(store, title="Buy cake", parent=parent, blocked_by=(parent,))

    page = store.index.find("", 1)
    assert (len(page.tasks), page.total) == (1, 2)
    (found,) = store.index.find(f"#{child}", 5).tasks
    assert (found.task.title, found.blocked) == ("Buy cake", True)
    (above,) = store.index.find("#home no:parent", 5).tasks
    assert (above.subtasks_done, above.subtasks) == (0, 1)
    assert store.index.projects() == ("home",)
    with pytest.raises(ValidationError):
        store.index.find("due:blursday", 5)


def test_it_is_current_whoever_writes(store: Store, path: Path) -> None:
    assert store.index.find("all", 5).total == 0
    with opened(path) as other:
        add(other, title="Buy milk")

    assert [each.task.title for each in store.index.find("all", 5).tasks] == ["Buy milk"]
