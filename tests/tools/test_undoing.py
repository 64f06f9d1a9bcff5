"""Undo and redo, and the writes of one batch."""

from __future__ import annotations

from dataclasses import replace

from tests.tools.conftest import ToolRunner
from todo_tui.domain.task import Actor
from todo_tui.tools.base import OwnBatches


def test_undo_takes_back_all_that_one_turn_wrote(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.add("Call mom")
    tools.new_turn()

    data = tools.data("undo")

    assert {change["task"]["title"] for change in data["changes"]} == {"Buy milk", "Call mom"}
    assert tools.data("list_tasks")["total"] == 0


def test_undo_in_the_middle_of_a_turn_ends_its_batch(tools: ToolRunner) -> None:
    tools.add("First")
    tools.data("undo")
    tools.add("Second")
    assert [task["title"] for task in tools.data("list_tasks")["tasks"]] == ["Second"]
    tools.new_turn()

    data = tools.data("undo")

    assert [change["task"]["title"] for change in data["changes"]] == ["Second"]


def test_redo_brings_back_what_was_undone(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.new_turn()
    tools.data("undo")

    tools.data("redo")

    assert tools.data("list_tasks")["total"] == 1


def test_nothing_to_undo_is_reported(tools: ToolRunner) -> None:
    assert tools.problem("undo") == {"type": "not_found", "message": "Nothing to undo."}
    assert tools.problem("redo") == {"type": "not_found", "message": "Nothing to redo."}


def test_undo_says_what_it_did_in_words(tools: ToolRunner) -> None:
    tools.add("Pay rent")
    tools.new_turn()
    tools.data("complete_task", task_ids=[1])
    tools.new_turn()

    tools.data("undo")

    assert tools.summary == "Undid the last change: completed Pay rent"


def test_undo_says_which_occurrence_was_removed(tools: ToolRunner) -> None:
    tools.add("Pay rent", details="every month on the 3rd")
    tools.new_turn()
    tools.data("complete_task", task_ids=[1])
    tools.new_turn()

    tools.data("undo")

    completed, added = tools.summary.removeprefix("Undid the last change: ").split(", ")
    assert completed.startswith("completed Pay rent of ")
    assert added.startswith("added Pay rent of ")
    assert completed.split()[1:] != added.split()[1:]


def test_redo_says_what_it_did_in_words(tools: ToolRunner) -> None:
    tools.add("Pay rent")
    tools.new_turn()
    tools.data("update_task", task_ids=[1], details="!high")
    tools.new_turn()
    tools.data("undo")
    assert tools.summary == "Undid the last change: Pay rent · priority back to none"

    tools.data("redo")

    assert tools.summary == "Redid the last change: Pay rent · priority: none → high"


def test_what_was_changed_since_is_left_alone_and_reported(tools: ToolRunner) -> None:
    tools.add("Pay rent")
    tools.new_turn()
    tools.data("update_task", task_ids=[1], new_title="Pay the rent", details="!high")
    tools.store.tasks.update([1], {"title": "Mine"}, by=tools.store.new_change_context(Actor.USER))
    tools.data("update_task", task_ids=[1], notes="in the same turn")
    tools.new_turn()

    data = tools.data("undo")

    assert [(each["id"], each["field"]) for each in data["conflicts"]] == [(1, "title")]
    assert tools.summary.endswith("1 not undone, changed since")
    assert (tools.task(1).title, tools.task(1).priority) == ("Mine", None)


def test_an_agent_is_told_in_a_sentence_that_nothing_was_undone(tools: ToolRunner) -> None:
    own, by = OwnBatches(), tools.store.new_change_context(Actor.MCP)
    tools.store.tasks.add({"title": "Pay rent"}, by=by)
    own.changes.append(by.batch)
    tools.store.tasks.update([1], {"title": "Mine"}, by=tools.store.new_change_context(Actor.USER))
    tools.context = replace(tools.context, own=own)

    data = tools.data("undo")

    assert (data["changes"], len(data["conflicts"])) == ([], 1)
    assert tools.summary == "Nothing was changed: 1 not undone, changed since"
    assert tools.problem("redo")["type"] == "not_found"
