"""Rows that a call would change, as shown with a question before it."""

from __future__ import annotations

import pytest

from tests.tools.conftest import ToolRunner
from todo_tui.domain.errors import TodoError
from todo_tui.tools.base import ToolPreview
from todo_tui.tools.registry import TOOLS

BY_NAME = {tool.name: tool for tool in TOOLS}
FOR_IDS = ("update_task", "complete_task", "reopen_task", "delete_task")


@pytest.fixture
def house(tools: ToolRunner) -> ToolRunner:
    """#1 House with #2 Roof, which has #3 Tiles, and #4 Garden."""
    tools.add("House", details="#home")
    tools.add("Roof", details="under #1")
    tools.add("Tiles", details="under #2")
    tools.add("Garden", details="#home")
    return tools


def preview(tools: ToolRunner, name: str, **arguments: object) -> ToolPreview:
    return BY_NAME[name].preview(tools.store, "turn", arguments, None)


@pytest.mark.parametrize("name", FOR_IDS)
def test_ids_and_filter_name_the_same_tasks(house: ToolRunner, name: str) -> None:
    assert preview(house, name, task_ids=[1, 4]).ids == (1, 4)
    assert preview(house, name, filter="#home no:parent").ids == (1, 4)


@pytest.mark.parametrize("name", FOR_IDS)
def test_calls_that_change_nothing_have_no_preview(house: ToolRunner, name: str) -> None:
    for wrong in (
        {},
        {"filter": "#nowhere"},
        {"filter": "due:blursday"},
        {"task_ids": list(range(1_001))},
    ):
        with pytest.raises(TodoError):
            preview(house, name, **wrong)


def test_deleting_takes_all_descendants_along(house: ToolRunner) -> None:
    for arguments in ({"task_ids": [1, 4]}, {"filter": "#home no:parent"}):
        found = preview(house, "delete_task", **arguments)
        assert [(each.task.id, each.depth) for each in found.descendants[1]] == [(2, 1), (3, 2)]
        assert found.changed == {1, 2, 3, 4}
        assert found.task_count == 4
    assert preview(house, "delete_task", task_ids=[1, 2]).task_count == 3


def test_reopening_takes_along_what_was_deleted_along(house: ToolRunner) -> None:
    house.data("delete_task", task_ids=[1])
    for arguments in ({"task_ids": [1]}, {"filter": "trash house"}):
        assert preview(house, "reopen_task", **arguments).changed == {1, 2, 3}
    assert house.data("reopen_task", task_ids=[1])["also_restored_total"] == 2


@pytest.mark.parametrize("name", ["update_task", "complete_task"])
def test_other_calls_change_only_the_tasks_they_name(house: ToolRunner, name: str) -> None:
    details = {"details": "!high"} if name == "update_task" else {}
    assert preview(house, name, task_ids=[1], **details).changed == {1}


def test_adding_and_undoing_have_a_preview_too(house: ToolRunner) -> None:
    assert (preview(house, "add_task", title="x").added, house.data("list_tasks")["total"]) == (
        1,
        4,
    )
    undo = preview(house, "undo").undo
    assert undo is not None
    assert {title for _, title, _ in undo.tasks} >= {"House", "Garden"}
