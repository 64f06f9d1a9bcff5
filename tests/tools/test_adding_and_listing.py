"""add_task, list_tasks, current_time."""

from __future__ import annotations

import json

import pytest

from tests.tools.conftest import Toolbox
from todo_tui.domain.when import When


def test_adding_answers_with_the_task_and_says_so_in_words(tools: Toolbox) -> None:
    data = tools.data("add_task", title="Buy milk", due="tomorrow 5pm", tags=["home"])

    assert data["task"]["id"] == 1
    assert data["task"]["due"] == "2026-11-19T17:00"
    assert data["task"]["due_words"] == "tomorrow 17:00"
    assert data["task"]["tags"] == ["home"]
    assert tools.summary == "Added Buy milk · tomorrow 17:00"


def test_a_due_date_may_carry_its_rhythm(tools: Toolbox) -> None:
    task = tools.task(tools.add("Take out trash", due="every monday 8pm"))

    assert (task.due, task.recurrence) == (When.parse("2026-11-23T20:00"), "FREQ=WEEKLY;BYDAY=MO")


def test_a_rhythm_without_a_date_begins_at_its_first_day(tools: Toolbox) -> None:
    task = tools.task(tools.add("Take out trash", repeat="every monday"))

    assert task.due == When.parse("2026-11-23")


def test_a_rhythm_beside_a_date_lends_it_only_its_hour(tools: Toolbox) -> None:
    task = tools.task(tools.add("Standup", due="friday", repeat="every friday 9am"))

    assert task.due == When.parse("2026-11-20T09:00")


@pytest.mark.parametrize("nothing", ["", "none", "None"])
def test_words_for_nothing_leave_a_new_task_bare(tools: Toolbox, nothing: str) -> None:
    task = tools.task(
        tools.add("Rest", due=nothing, project=nothing, repeat=nothing, start=nothing)
    )

    assert (task.due, task.project, task.recurrence, task.start) == (None, None, None, None)


def test_a_past_date_is_taken_and_remarked_upon(tools: Toolbox) -> None:
    data = tools.data("add_task", title="Call", due="yesterday")

    assert data["task"]["due"] == "2026-11-17"
    assert data["understood"]


def test_an_unreadable_date_adds_nothing_and_says_what_was_not_understood(tools: Toolbox) -> None:
    error = tools.problem("add_task", title="Call", due="blursday")

    assert error["type"] == "validation_error"
    assert "blursday" in error["message"]
    assert tools.data("list_tasks")["total"] == 0


@pytest.mark.parametrize("title", ["", "  ", "\n"])
def test_a_task_without_a_title_is_refused(tools: Toolbox, title: str) -> None:
    assert tools.problem("add_task", title=title)["type"] == "validation_error"


def test_listing_shows_open_tasks_with_their_dates_in_words(tools: Toolbox) -> None:
    tools.add("Call the dentist", due="2026-11-17")
    done = tools.add("Old")
    tools.data("complete_task", task_ids=[done])

    data = tools.data("list_tasks")

    assert [task["title"] for task in data["tasks"]] == ["Call the dentist"]
    assert data["tasks"][0]["overdue"] == "1 day late"
    assert (data["total"], data["shown"]) == (1, 1)
    assert "cut" not in data


def test_a_list_that_was_cut_says_of_how_many(tools: Toolbox) -> None:
    fields = [{"title": f"Task {number}"} for number in range(1234)]
    tools.store.tasks.add_many(fields, by=tools.context.batch.shared())  # type: ignore[arg-type]

    data = tools.data("list_tasks")

    assert (data["shown"], data["cut"]) == (50, "50 of 1,234")
    assert tools.summary == "Found 50 of 1,234 tasks"


def test_a_limit_beyond_reason_is_lowered_and_one_below_is_refused(tools: Toolbox) -> None:
    fields = [{"title": f"Task {number}"} for number in range(300)]
    tools.store.tasks.add_many(fields, by=tools.context.batch.shared())  # type: ignore[arg-type]

    assert tools.data("list_tasks", limit=100_000)["shown"] == 200
    assert "limit" in tools.problem("list_tasks", limit=0)["message"]


def test_notes_and_annotations_are_included_only_for_a_single_task(tools: Toolbox) -> None:
    tools.add("Novel", notes="x" * 1000)
    tools.add("Other")
    tools.data("update_task", task_ids=[2], annotation="who said so")

    novel, other = tools.data("list_tasks")["tasks"]
    (alone,) = tools.data("list_tasks", filter="#1")["tasks"]

    assert (novel["has_notes"], "has_annotations" in novel) == (True, False)
    assert (other["has_annotations"], "has_notes" in other) == (True, False)
    assert not {"notes", "annotations"} & (set(novel) | set(other))
    assert alone["notes"] == "x" * 1000


def test_what_writes_never_tells_notes_and_annotations(tools: Toolbox) -> None:
    told = [
        tools.data("add_task", title="Novel", notes="SECRET"),
        tools.data("update_task", task_ids=[1], notes="+ more", annotation="SECRET too"),
        tools.data("complete_task", task_ids=[1]),
        tools.data("reopen_task", task_ids=[1]),
        tools.data("delete_task", task_ids=[1]),
        tools.data("undo"),
        tools.data("redo"),
    ]

    assert "SECRET" not in json.dumps(told)


def test_filters_are_the_words_of_the_list(tools: Toolbox) -> None:
    tools.add("Buy milk", project="errands")
    tools.add("Pay rent", priority="high")

    assert [t["title"] for t in tools.data("list_tasks", filter="#errands")["tasks"]] == [
        "Buy milk"
    ]
    assert [t["title"] for t in tools.data("list_tasks", filter="!high")["tasks"]] == ["Pay rent"]


def test_a_filter_has_its_order_and_mentions_saved_views(tools: Toolbox) -> None:
    for title in ("b", "c", "a"):
        tools.add(title, project="work")
    tools.add("d")
    tools.store.views.save("mine", "#work sort:title")
    listed = tools.data("list_tasks", filter="view:mine")["tasks"]
    assert [task["title"] for task in listed] == ["a", "b", "c"]
    reversed_order = tools.data("list_tasks", filter="view:mine not a sort:title-")["tasks"]
    assert [task["title"] for task in reversed_order] == ["c", "b"]


def test_a_filter_that_cannot_be_read_is_an_error_to_correct(tools: Toolbox) -> None:
    error = tools.problem("list_tasks", filter="due.before:blursday")

    assert error["type"] == "validation_error"
    assert "blursday" in error["message"]


def test_the_time_is_that_of_the_persons_clock(tools: Toolbox) -> None:
    data = tools.data("current_time")

    assert data == {"now": "2026-11-18T14:30", "weekday": "Wednesday", "zone": "Europe/Berlin"}
