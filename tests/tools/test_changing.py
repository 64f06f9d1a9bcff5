"""update_task, complete_task, reopen_task, delete_task: item by item."""

from __future__ import annotations

from tests.store.opened import user_context
from tests.tools.conftest import ToolRunner
from todo_tui.domain.task import Priority, Status, TaskFields
from todo_tui.domain.when import When


def test_items_are_answered_one_by_one_in_the_order_asked(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.add("Pay rent")

    data = tools.data("complete_task", task_ids=[2, 999, 1])

    assert [(item["id"], item["status"]) for item in data["results"]] == [
        (2, "success"),
        (999, "error"),
        (1, "success"),
    ]
    assert data["results"][1]["error"] == {
        "type": "not_found",
        "message": "There is no task #999.",
    }
    assert tools.summary == "Completed Pay rent, Buy milk · There is no task #999."


def test_as_many_titles_are_named_as_change_without_approval(tools: ToolRunner) -> None:
    for title in "ABCDEF":
        tools.add(title)

    tools.data("complete_task", task_ids=[1, 2, 3, 4, 5])
    assert tools.summary == "Completed A, B, C, D, E"
    tools.data("delete_task", task_ids=[1, 2, 3, 4, 5, 6])
    assert tools.summary == "Deleted 6 tasks"


def test_only_when_all_items_fail_the_call_is_an_error(tools: ToolRunner) -> None:
    answer = tools("delete_task", task_ids=[998, 999])

    assert answer["status"] == "error"
    assert answer["error"]["type"] == "not_found"
    assert len(answer["data"]["results"]) == 2


def test_completing_twice_is_a_conflict(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.data("complete_task", task_ids=[1])

    assert tools.problem("complete_task", task_ids=[1])["type"] == "conflict"


def test_what_is_in_the_trash_is_not_changed_but_can_be_taken_out(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.data("delete_task", task_ids=[1])
    assert tools.problem("update_task", task_ids=[1], details="today")["type"] == "conflict"

    tools.data("reopen_task", task_ids=[1])

    assert tools.task(1).is_open


def test_reopening_makes_done_and_cancelled_tasks_open(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.add("Pay rent")
    tools.data("complete_task", task_ids=[1])
    tools.data("update_task", task_ids=[2], details="cancelled")

    tools.data("reopen_task", task_ids=[1, 2])

    assert tools.task(1).is_open
    assert tools.task(2).is_open
    assert tools.summary == "Reopened Buy milk, Pay rent"


def test_an_open_task_is_restored_from_the_trash_and_a_done_one_reopened(
    tools: ToolRunner,
) -> None:
    tools.add("Buy milk")
    tools.add("Pay rent")
    tools.data("complete_task", task_ids=[2])
    tools.data("delete_task", task_ids=[1])
    tools.data("delete_task", task_ids=[2])

    tools.data("reopen_task", task_ids=[1])
    assert tools.summary == "Restored Buy milk"
    tools.data("reopen_task", task_ids=[2])
    assert tools.summary == "Reopened Pay rent"


def test_reopening_says_what_became_of_the_next_occurrence(tools: ToolRunner) -> None:
    tools.add("Pay rent", details="today every month")
    for change, remark in (
        (None, "next occurrence removed"),
        (TaskFields(title="Pay"), "its next occurrence #2 stays"),
    ):
        tools.data("complete_task", task_ids=[1])
        if change:
            tools.store.tasks.update([2], change, by=user_context(tools.store))
        (result,) = tools.data("reopen_task", task_ids=[1])["results"]
        assert result["next_occurrence"] == remark
        assert tools.summary == f"Reopened Pay rent; {remark}"


def test_a_moved_date_is_reported_with_old_and_new(tools: ToolRunner) -> None:
    tools.add("Call the dentist", details="2026-11-17")

    tools.data("update_task", task_ids=[1], details="friday 9am")

    assert tools.summary == "Moved Call the dentist · 1 day late → Fri 20 Nov 09:00"


def test_notes_replace_and_a_plus_adds_a_line(tools: ToolRunner) -> None:
    tools.add("Call", notes="old")

    tools.data("update_task", task_ids=[1], notes="+ ask for Ann")
    assert tools.task(1).notes == "old\nask for Ann"
    tools.data("update_task", task_ids=[1], notes="+49 30 1234")

    assert tools.task(1).notes == "+49 30 1234"


def test_one_call_changes_many_fields(tools: ToolRunner) -> None:
    tools.add("Buy milk", details="@home")

    data = tools.data(
        "update_task",
        task_ids=[1],
        new_title="Buy oat milk friday",
        details="friday 9am !high #errands @shop -@home doing",
        notes="two litres",
    )

    task = tools.task(1)
    assert task.title == "Buy oat milk friday"
    assert task.due == When.parse("2026-11-20T09:00")
    assert (task.priority, task.project, task.tags) == (Priority.HIGH, "errands", ("shop",))
    assert (task.status, task.notes) == (Status.DOING, "two litres")
    assert data["results"][0]["task"]["due_words"] == "Fri 20 Nov 09:00"
    assert tools.summary.startswith("Renamed Buy milk to Buy oat milk friday · ")


def test_null_leaves_alone_and_empty_notes_clear(tools: ToolRunner) -> None:
    tools.add("Pay rent", details="every month on the 1st", notes="n")

    tools.data("update_task", task_ids=[1], details=None, new_title=None, notes="")

    task = tools.task(1)
    assert (task.title, task.due, task.notes) == ("Pay rent", When.parse("2026-12-01"), "")


def test_how_ambiguous_words_were_read_is_said_for_each_task(tools: ToolRunner) -> None:
    tools.add("One", details="2026-11-20")
    tools.add("Two")

    one, two = tools.data("update_task", task_ids=[1, 2], details="9am")["results"]

    assert one["task"]["due"] == "2026-11-20T09:00"
    assert "understood" not in one
    assert two["task"]["due_words"] == "tomorrow 09:00"
    assert two["understood"] == "09:00 has passed today: read as tomorrow"


def test_a_repeat_keeps_a_date_that_fits_it_and_the_hour(tools: ToolRunner) -> None:
    tools.add("Friday thing", details="2026-11-27 09:00")
    tools.add("Other thing", details="2026-11-26 10:00")

    results = tools.data("update_task", task_ids=[1, 2], details="every friday")["results"]

    assert [each["task"]["due"] for each in results] == ["2026-11-27T09:00", "2026-11-20T10:00"]


def test_changing_nothing_is_an_error(tools: ToolRunner) -> None:
    tools.add("Buy milk")

    for call in ({}, {"details": " "}, {"new_title": ""}):
        message = tools.problem("update_task", task_ids=[1], **call)["message"]
        assert "No changes" in message


def test_one_new_title_is_not_given_to_several_tasks(tools: ToolRunner) -> None:
    tools.add("One")
    tools.add("Two")

    for call in ({"task_ids": [1, 2]}, {"filter": "one or two"}):
        error = tools.problem("update_task", new_title="Same", details="!high", **call)
        assert error["type"] == "validation_error"
    assert (tools.task(1).title, tools.task(1).priority) == ("One", None)
    tools.data("update_task", filter="one", new_title="Uno")
    assert tools.task(1).title == "Uno"


def test_done_is_for_its_own_tool(tools: ToolRunner) -> None:
    tools.add("Buy milk")

    message = tools.problem("update_task", task_ids=[1], details="done")["message"]

    assert "“done”" in message
    assert "complete_task" in message


def test_an_open_task_is_not_reopened(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    assert tools.problem("reopen_task", task_ids=[1])["type"] == "conflict"


def test_deleted_tasks_are_reopened_with_their_status(tools: ToolRunner) -> None:
    tools.add("Buy milk")
    tools.data("complete_task", task_ids=[1])
    tools.data("delete_task", task_ids=[1])

    tools.data("reopen_task", filter="trash")

    assert tools.task(1).is_open


def test_spoken_priorities_are_change_words(tools: ToolRunner) -> None:
    tools.add("Pay the bill")

    tools.data("update_task", filter="bill", details="low priority")
    assert tools.task(1).priority is Priority.LOW
    tools.data("update_task", filter="bill", details="friday, Priority: high")
    assert tools.task(1).priority is Priority.HIGH
    tools.data("update_task", filter="bill", details="Medium")
    assert tools.task(1).priority is Priority.MEDIUM


def test_errors_say_how_to_call_again(tools: ToolRunner) -> None:
    tools.add("Pay the bill")

    problem = tools.problem("update_task", task_ids=[1], details="urgent")
    assert "Call again with @urgent for a tag" in problem["message"]
    problem = tools.problem("update_task", filter="invoice", details="friday")
    assert "Call again with one word of the title" in problem["message"]
