"""add_task and list_tasks."""

from __future__ import annotations

import json

import pytest

from tests.tools.conftest import ToolRunner
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import When


def test_adding_answers_with_the_task_and_says_so_in_words(tools: ToolRunner) -> None:
    data = tools.data("add_task", title="Buy milk", details="tomorrow 5pm @home")

    assert data["task"]["id"] == 1
    assert data["task"]["due"] == "2026-11-19T17:00"
    assert data["task"]["due_words"] == "tomorrow 17:00"
    assert data["task"]["tags"] == ["home"]
    assert "understood" not in data
    assert tools.summary == "Added Buy milk · tomorrow 17:00 · @home"
    tools.data("add_task", title="Pay", details="friday ~1h15 !high #money")
    assert tools.summary == "Added Pay · Fri 20 Nov · high priority · 1 h 15 · #money"


def test_a_title_is_literal(tools: ToolRunner) -> None:
    title = "Read “Friday” tomorrow #12 @home !high under #1"

    task = tools.task(tools.add(title))

    assert (task.title, task.due, task.priority, task.tags) == (title, None, None, ())


def test_ambiguous_words_are_answered_with_how_they_were_read(tools: ToolRunner) -> None:
    data = tools.data("add_task", title="Call", details="yesterday")
    assert data["task"]["due"] == "2026-11-17"
    assert str(data["understood"]).endswith(" is in the past")

    data = tools.data("add_task", title="Water", details="every 2 weeks")
    assert data["task"]["repeat_words"] == "every 2 weeks"
    assert data["understood"] == "first occurrence today"


def test_an_unreadable_date_adds_nothing_and_says_what_was_not_understood(
    tools: ToolRunner,
) -> None:
    for words, named in (("blursday", "“blursday”"), ("!high 31 feb", "no 31 February")):
        error = tools.problem("add_task", title="Call", details=words)
        assert error["type"] == "validation_error"
        assert named in error["message"]
    assert tools.data("list_tasks")["total"] == 0


@pytest.mark.parametrize("title", ["", "  ", "\n"])
def test_a_task_without_a_title_is_refused(tools: ToolRunner, title: str) -> None:
    assert tools.problem("add_task", title=title)["type"] == "validation_error"


def test_listing_shows_open_tasks_with_their_dates_in_words(tools: ToolRunner) -> None:
    tools.add("Call the dentist", details="2026-11-17")
    done = tools.add("Old")
    tools.data("complete_task", task_ids=[done])

    data = tools.data("list_tasks")

    assert [task["title"] for task in data["tasks"]] == ["Call the dentist"]
    assert data["tasks"][0]["overdue"] == "1 day late"
    assert (data["total"], data["shown"]) == (1, 1)
    assert "cut" not in data


def test_a_list_that_was_cut_says_of_how_many(tools: ToolRunner) -> None:
    fields = [{"title": f"Task {number}"} for number in range(1234)]
    tools.store.tasks.add_many(fields, by=tools.context.batch.shared())  # type: ignore[arg-type]

    data = tools.data("list_tasks")

    assert (data["shown"], data["cut"]) == (50, "50 of 1,234")
    assert tools.summary == "Found 50 of 1,234 tasks"


def test_notes_and_annotations_are_included_only_for_a_single_task(tools: ToolRunner) -> None:
    tools.add("Novel", notes="x" * 1000)
    tools.add("Other")
    tools.store.tasks.annotate(2, "who said so", by=tools.context.batch.shared())

    novel, other = tools.data("list_tasks")["tasks"]
    (alone,) = tools.data("list_tasks", filter="#1")["tasks"]

    assert (novel["has_notes"], "has_annotations" in novel) == (True, False)
    assert (other["has_annotations"], "has_notes" in other) == (True, False)
    assert not {"notes", "annotations"} & (set(novel) | set(other))
    assert alone["notes"] == "x" * 1000
    (annotated,) = tools.data("list_tasks", filter="#2")["tasks"]
    assert annotated["annotations"] == ["2026-11-18: who said so"]


def test_what_writes_never_tells_notes_and_annotations(tools: ToolRunner) -> None:
    told = [
        tools.data("add_task", title="Novel", notes="SECRET"),
        tools.data("update_task", task_ids=[1], notes="+ more SECRET"),
        tools.data("complete_task", task_ids=[1]),
        tools.data("reopen_task", task_ids=[1]),
        tools.data("delete_task", task_ids=[1]),
        tools.data("undo"),
        tools.data("redo"),
    ]

    assert "SECRET" not in json.dumps(told)


def test_filters_are_the_words_of_the_list(tools: ToolRunner) -> None:
    tools.add("Buy milk", details="#errands")
    tools.add("Pay rent", details="!high")

    assert [t["title"] for t in tools.data("list_tasks", filter="#errands")["tasks"]] == [
        "Buy milk"
    ]
    assert [t["title"] for t in tools.data("list_tasks", filter="!high")["tasks"]] == ["Pay rent"]


def test_a_filter_has_its_order_and_mentions_saved_views(tools: ToolRunner) -> None:
    for title in ("b", "c", "a"):
        tools.add(title, details="#work")
    tools.add("d")
    tools.store.views.save("mine", "#work sort:title")
    listed = tools.data("list_tasks", filter="view:mine")["tasks"]
    assert [task["title"] for task in listed] == ["a", "b", "c"]
    reversed_order = tools.data("list_tasks", filter="view:mine not a sort:title-")["tasks"]
    assert [task["title"] for task in reversed_order] == ["c", "b"]


def test_a_filter_that_cannot_be_read_is_an_error_to_correct(tools: ToolRunner) -> None:
    error = tools.problem("list_tasks", filter="due.before:blursday")

    assert error["type"] == "validation_error"
    assert "blursday" in error["message"]


def test_groups_come_with_their_totals(tools: ToolRunner) -> None:
    tools.add("Report", details="#work")
    tools.add("Milk", details="#home @a @b")
    tools.add("Slides", details="#work")

    data = tools.data("list_tasks", filter="group:project")
    assert [(each["group"], each["total"], each["ids"]) for each in data["groups"]] == [
        ("home", 1, [2]),
        ("work", 2, [1, 3]),
    ]
    assert [task["id"] for task in data["tasks"]] == [2, 1, 3]

    by_tag = tools.data("list_tasks", filter="group:tag")
    assert (by_tag["total"], by_tag["shown"]) == (3, 3)
    assert [each["total"] for each in by_tag["groups"]] == [1, 1, 2]


def test_the_order_of_urgency_says_why(tools: ToolRunner) -> None:
    tools.add("Later")
    tools.add("Rent", details="2026-11-16 !high")

    tasks = tools.data("list_tasks", filter="sort:urgency")["tasks"]

    assert [task["id"] for task in tasks] == [2, 1]
    assert "2 days late" in tasks[0]["urgency"]
    assert "high priority" in tasks[0]["urgency"]
    assert "urgency" not in tools.data("list_tasks")["tasks"][0]


def test_an_empty_list_doubts_names_that_nothing_has(tools: ToolRunner) -> None:
    tools.add("Report", details="#work")

    (doubt,) = tools.data("list_tasks", filter="#wrok")["doubts"]

    assert "#work" in doubt


def test_what_was_done_is_listed_with_its_day(tools: ToolRunner) -> None:
    tools.add("Report")
    tools.data("complete_task", task_ids=[1])

    (task,) = tools.data("list_tasks", filter="done.after:monday")["tasks"]

    assert task["done"] == "2026-11-18"


def test_a_time_of_another_zone_is_told_as_it_is_here(tools: ToolRunner) -> None:
    store = tools.store
    fields = TaskFields(
        title="Call Kenji", due=When.parse("2026-11-19T01:00"), due_zone="Asia/Tokyo"
    )
    store.tasks.add(fields, by=store.new_change_context(Actor.USER))
    (found,) = tools.data("list_tasks", filter="due:today")["tasks"]
    assert (found["due"], found["due_zone"]) == ("2026-11-19T01:00", "Asia/Tokyo")
    assert (found["local_due"], found["due_words"]) == ("2026-11-18T17:00", "today 17:00")
    tools.data("update_task", task_ids=[1], details="tomorrow")
    assert tools.summary == "Moved Call Kenji · today 17:00 → tomorrow 17:00"
    assert tools.task(1).due_zone == "Asia/Tokyo"
