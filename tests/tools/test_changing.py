"""update_task, complete_task, reopen_task, delete_task: item by item."""

from __future__ import annotations

import pytest

from tests.tools.conftest import Toolbox
from todo_tui.domain.task import Actor, Priority, Status
from todo_tui.domain.when import When


def test_items_are_answered_one_by_one_in_the_order_asked(tools: Toolbox) -> None:
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


def test_only_when_all_items_fail_the_call_is_an_error(tools: Toolbox) -> None:
    answer = tools("delete_task", task_ids=[998, 999])

    assert answer["status"] == "error"
    assert answer["error"]["type"] == "not_found"
    assert len(answer["data"]["results"]) == 2


def test_a_title_that_does_not_match_saves_the_wrong_task(tools: Toolbox) -> None:
    tools.add("Buy milk")

    error = tools.problem("delete_task", task_ids=[1], title="Pay rent")

    assert error["type"] == "conflict"
    assert "Buy milk" in error["message"]
    assert tools.task(1).deleted_at is None


@pytest.mark.parametrize("title", ["buy MILK", "  Buy  milk. ", '"Buy milk"', ""])
def test_a_title_matches_whatever_its_case_and_outer_punctuation(
    tools: Toolbox, title: str
) -> None:
    tools.add("Buy milk")

    tools.data("complete_task", task_ids=[1], title=title)

    assert tools.task(1).status is Status.DONE


def test_completing_what_repeats_brings_its_next_occurrence(tools: Toolbox) -> None:
    tools.add("Water the plants", due="every monday")

    item = tools.data("complete_task", task_ids=[1])["results"][0]

    assert item["next"]["due"] == "2026-11-30"
    assert tools.summary.startswith("Completed Water the plants; next on ")


def test_completing_twice_is_a_conflict(tools: Toolbox) -> None:
    tools.add("Buy milk")
    tools.data("complete_task", task_ids=[1])

    assert tools.problem("complete_task", task_ids=[1])["type"] == "conflict"


def test_what_is_in_the_trash_is_not_changed_but_can_be_taken_out(tools: Toolbox) -> None:
    tools.add("Buy milk")
    tools.data("delete_task", task_ids=[1])
    assert tools.problem("update_task", task_ids=[1], due="today")["type"] == "conflict"

    tools.data("reopen_task", task_ids=[1])

    assert tools.task(1).is_open


def test_reopening_makes_done_and_cancelled_tasks_open(tools: Toolbox) -> None:
    tools.add("Buy milk")
    tools.add("Pay rent")
    tools.data("complete_task", task_ids=[1])
    tools.data("update_task", task_ids=[2], status="cancelled")

    tools.data("reopen_task", task_ids=[1, 2])

    assert tools.task(1).is_open
    assert tools.task(2).is_open
    assert tools.summary == "Reopened Buy milk, Pay rent"


def test_one_call_changes_many_fields(tools: Toolbox) -> None:
    tools.add("Buy milk", tags=["home"])

    tools.data(
        "update_task",
        task_ids=[1],
        new_title="Buy oat milk",
        due="friday 9am",
        priority="high",
        project="#errands",
        add_tags=["shop"],
        remove_tags=["home"],
        status="doing",
        notes="two litres",
    )

    task = tools.task(1)
    assert task.title == "Buy oat milk"
    assert task.due == When.parse("2026-11-20T09:00")
    assert (task.priority, task.project, task.tags) == (Priority.HIGH, "errands", ("shop",))
    assert (task.status, task.notes) == (Status.DOING, "two litres")
    assert tools.summary.startswith("Renamed Buy milk to Buy oat milk · ")


def test_none_clears_and_null_leaves_alone(tools: Toolbox) -> None:
    tools.add("Pay rent", due="every month on the 1st", priority="high", project="home", notes="n")

    tools.data("update_task", task_ids=[1], due=None, priority=None, notes="x")
    assert tools.task(1).due == When.parse("2026-12-01")
    tools.data(
        "update_task",
        task_ids=[1],
        due="none",
        priority="none",
        project="none",
        notes="none",
        repeat="none",
    )

    task = tools.task(1)
    assert (task.due, task.priority, task.project, task.notes) == (None, None, None, "")
    assert task.recurrence is None


def test_a_date_may_be_relative_to_each_tasks_own(tools: Toolbox) -> None:
    tools.add("One", due="2026-11-20")
    tools.add("Two", due="2026-11-27")

    tools.data("update_task", task_ids=[1, 2], due="1 week later")

    assert [tools.task(number).due for number in (1, 2)] == [
        When.parse("2026-11-27"),
        When.parse("2026-12-04"),
    ]


def test_a_moved_date_is_reported_with_old_and_new(tools: Toolbox) -> None:
    tools.add("Call the dentist", due="2026-11-17")

    tools.data("update_task", task_ids=[1], due="friday 9am")

    assert tools.summary == "Moved Call the dentist · 1 day late → Fri 20 Nov 09:00"


def test_notes_replace_and_a_plus_adds_a_line(tools: Toolbox) -> None:
    tools.add("Call", notes="old")

    tools.data("update_task", task_ids=[1], notes="+ ask for Ann")
    assert tools.task(1).notes == "old\nask for Ann"
    tools.data("update_task", task_ids=[1], notes="+49 30 1234")

    assert tools.task(1).notes == "+49 30 1234"


def test_a_rhythm_keeps_a_date_that_fits_it(tools: Toolbox) -> None:
    tools.add("Friday thing", due="2026-11-27 09:00")
    tools.add("Other thing", due="2026-11-26")

    tools.data("update_task", task_ids=[1], repeat="every friday")
    tools.data("update_task", task_ids=[2], repeat="every friday")

    assert tools.task(1).due == When.parse("2026-11-27T09:00")
    assert tools.task(2).due == When.parse("2026-11-20")


def test_changing_nothing_is_an_error(tools: Toolbox) -> None:
    tools.add("Buy milk")

    assert "Nothing to change" in tools.problem("update_task", task_ids=[1])["message"]


def test_one_new_title_is_not_given_to_several_tasks(tools: Toolbox) -> None:
    tools.add("One")
    tools.add("Two")

    assert tools.problem("update_task", task_ids=[1, 2], new_title="Same")["type"] == (
        "validation_error"
    )
    assert tools.task(1).title == "One"


def test_done_is_for_its_own_tool(tools: Toolbox) -> None:
    tools.add("Buy milk")

    assert "complete_task" in tools.problem("update_task", task_ids=[1], status="done")["message"]


def test_a_bad_date_changes_none_of_the_tasks(tools: Toolbox) -> None:
    tools.add("One")
    tools.add("Two")

    tools.problem("update_task", task_ids=[1, 2], priority="high", due="blursday")

    assert tools.task(1).priority is None


def test_a_rhythm_on_other_days_keeps_the_hour(tools: Toolbox) -> None:
    tools.add("Meeting", due="every monday 10:00")

    tools.data("update_task", task_ids=[1], repeat="every tuesday")
    assert tools.task(1).due == When.parse("2026-11-24T10:00")

    tools.data("update_task", task_ids=[1], repeat="every wednesday at 9")
    assert tools.task(1).due == When.parse("2026-11-25T09:00")


def test_a_day_alone_keeps_the_hour_and_a_date_in_figures_does_not(tools: Toolbox) -> None:
    tools.add("Meeting", due="monday 10:00")

    tools.data("update_task", task_ids=[1], due="tuesday")
    assert tools.task(1).due == When.parse("2026-11-24T10:00")

    tools.data("update_task", task_ids=[1], due="2026-11-26")
    assert tools.task(1).due == When.parse("2026-11-26")


def test_an_hour_that_stays_keeps_its_zone(tools: Toolbox) -> None:
    tools.add("Call New York", due="monday 10:00")
    gesture = tools.store.new_change_context(Actor.USER)
    tools.store.tasks.update([1], {"due_zone": "America/New_York"}, by=gesture)

    tools.data("update_task", task_ids=[1], due="1 week later")

    assert tools.task(1).due == When.parse("2026-11-30T10:00")
    assert tools.task(1).due_zone == "America/New_York"
