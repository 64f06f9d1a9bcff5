"""undo and redo, and what belongs to one batch."""

from __future__ import annotations

from tests.tools.conftest import Toolbox


def test_undo_takes_back_all_that_one_turn_wrote(tools: Toolbox) -> None:
    tools.add("Buy milk")
    tools.add("Call mom")
    tools.new_turn()

    data = tools.data("undo")

    assert {change["task"]["title"] for change in data["changes"]} == {"Buy milk", "Call mom"}
    assert tools.data("list_tasks")["total"] == 0


def test_undo_in_the_middle_of_a_turn_ends_its_batch(tools: Toolbox) -> None:
    tools.add("First")
    tools.data("undo")
    tools.add("Second")
    assert [task["title"] for task in tools.data("list_tasks")["tasks"]] == ["Second"]
    tools.new_turn()

    data = tools.data("undo")

    assert [change["task"]["title"] for change in data["changes"]] == ["Second"]


def test_redo_brings_back_what_was_undone(tools: Toolbox) -> None:
    tools.add("Buy milk")
    tools.new_turn()
    tools.data("undo")

    tools.data("redo")

    assert tools.data("list_tasks")["total"] == 1


def test_nothing_to_undo_is_said(tools: Toolbox) -> None:
    assert tools.problem("undo") == {"type": "not_found", "message": "There is nothing to undo."}
    assert tools.problem("redo") == {"type": "not_found", "message": "There is nothing to redo."}


def test_undo_says_what_it_did_in_words(tools: Toolbox) -> None:
    tools.add("Pay rent")
    tools.new_turn()
    tools.data("complete_task", task_ids=[1])
    tools.new_turn()

    tools.data("undo")

    assert tools.summary == "Undid the last change: Pay rent is open again"
