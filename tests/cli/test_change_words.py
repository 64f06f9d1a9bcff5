"""Change words in the shell: `add` as quick add, `edit` with words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.blank import blank
from tests.change_words import BARE, NOT_UNDERSTOOD, ROWS, Row, add_tasks, fields_of
from tests.cli.conftest import NOW, Shell
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store


@pytest.fixture
def store(shell: Shell) -> Iterator[Store]:
    clock = Clock("Europe/Berlin", datetime.fromisoformat(NOW))
    with open_store(blank(shell.folder / "tasks.db"), user="me", clock=clock) as store:
        add_tasks(store, store.new_change_context(Actor.USER))
        yield store


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_change_words_change_a_task(shell: Shell, store: Store, row: Row) -> None:
    before = fields_of(store)
    shell.done("edit", "1", row.words)
    assert fields_of(store) == before | row.changed


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_quick_add_takes_what_a_new_task_can_have_and_leaves_the_rest_in_the_title(
    shell: Shell, store: Store, row: Row
) -> None:
    task = shell.done("add", "Water plants", row.words, "--json").task
    if row.added is None or row.in_title:
        assert str(task["title"]).startswith("Water plants ")
        return
    task_id = task["id"]
    assert isinstance(task_id, int)
    assert task["title"] == "Water plants"
    assert fields_of(store, task_id) == BARE | row.added


@pytest.mark.parametrize("words", NOT_UNDERSTOOD)
def test_a_word_that_is_not_understood_is_named_and_nothing_is_written(
    shell: Shell, store: Store, words: str
) -> None:
    before = fields_of(store)
    err = shell.fails("edit", "1", words).err
    assert "blorp" in err or "lunch" in err
    assert fields_of(store) == before


def test_words_and_options_are_one_change(shell: Shell, store: Store) -> None:
    shell.done("edit", "1", "!high @new after #4", "--notes", "two", "--remove-blocker", "3")
    assert fields_of(store) | {} == fields_of(store) | {
        "priority": "high", "tags": ["old", "new"], "blocked_by": [4],
    }  # fmt: skip
    assert store.tasks.get(1).notes == "two"
    shell.done("undo")
    assert fields_of(store)["tags"] == ["old"]
    assert store.tasks.get(1).notes == ""
    assert "cannot be combined" in shell.fails("edit", "1", "skip", "--notes", "x", status=2).err


def test_quick_add_joins_words_and_options(shell: Shell, store: Store) -> None:
    task = shell.done("add", "Cake under #2 after #3", "--blocked-by", "4", "--json").task
    assert (task["title"], task["parent"], task["blocked_by"]) == ("Cake", 2, [3, 4])
    assert "no task #99" in shell.fails("add", "Cake under #99").err


def test_cancel_sets_the_status_and_skips_what_recurs(shell: Shell, store: Store) -> None:
    tasks = shell.done("cancel", "1", "4", "--json").tasks
    assert [(task["id"], task["status"]) for task in tasks] == [(1, "todo"), (4, "cancelled")]
    assert fields_of(store)["due"] == "2026-11-27"
    assert "open subtask" in shell.fails("cancel", "2").err
    assert shell.done("cancel", "2", "--leave-children").out == "Cancelled #2 Parent\n"
