"""Change words in `details`."""

from __future__ import annotations

import pytest

from tests.change_words import BARE, NOT_UNDERSTOOD, ROWS, Row, add_tasks, fields_of
from tests.tools.conftest import ToolRunner


@pytest.fixture
def seeded(tools: ToolRunner) -> ToolRunner:
    add_tasks(tools.store, tools.context.batch.shared())
    tools.new_turn()
    return tools


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_change_words_change_a_task(seeded: ToolRunner, row: Row) -> None:
    before = fields_of(seeded.store)

    seeded.data("update_task", task_ids=[1], details=row.words)

    assert fields_of(seeded.store) == before | row.changed


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_change_words_fill_a_new_task_unless_they_need_an_existing_one(
    seeded: ToolRunner, row: Row
) -> None:
    if row.added is None:
        error = seeded.problem("add_task", title="New", details=row.words)
        assert error["type"] == "validation_error"
        assert seeded.data("list_tasks", filter="all")["total"] == 4
        return

    task_id = seeded.add("New", details=row.words)

    assert fields_of(seeded.store, task_id) == BARE | row.added


@pytest.mark.parametrize("words", NOT_UNDERSTOOD)
def test_a_word_that_is_not_understood_is_named_and_nothing_is_written(
    seeded: ToolRunner, words: str
) -> None:
    before = fields_of(seeded.store)
    position = seeded.store.tasks.log_position()

    for error in (
        seeded.problem("update_task", task_ids=[1], details=words),
        seeded.problem("add_task", title="New", details=words),
    ):
        assert error["type"] == "validation_error"
        assert "blorp" in error["message"] or "lunch" in error["message"]
    assert fields_of(seeded.store) == before
    assert seeded.store.tasks.log_position() == position


def test_words_that_need_an_existing_task_are_named(tools: ToolRunner) -> None:
    for words in ("!high -@old", "no date", "1 week later", "skip"):
        message = tools.problem("add_task", title="New", details=words)["message"]
        assert f"“{words.removeprefix('!high ')}”" in message


def test_skip_stands_alone(seeded: ToolRunner) -> None:
    for call in (
        {"details": "skip !high"},
        {"details": "skip", "notes": "x"},
        {"details": "skip", "new_title": "x"},
    ):
        assert (
            "cannot be combined" in seeded.problem("update_task", task_ids=[1], **call)["message"]
        )
    assert fields_of(seeded.store)["due"] == "2026-11-20"


def test_an_unknown_parent_changes_nothing(seeded: ToolRunner) -> None:
    before = fields_of(seeded.store)
    for words in ("!high under #99", "!high after #99"):
        assert seeded.problem("update_task", task_ids=[1], details=words)["type"] == "not_found"
        assert seeded.problem("add_task", title="New", details=words)["type"] == "not_found"
    assert fields_of(seeded.store) == before
    assert seeded.data("list_tasks", filter="all")["total"] == 4
