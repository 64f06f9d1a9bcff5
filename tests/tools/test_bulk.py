"""Changes to all tasks that match a filter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tools.conftest import ToolRunner
from todo_tui.domain.task import Priority, TaskFields
from todo_tui.domain.when import When


def seeded(tools: ToolRunner, count: int) -> None:
    many: list[TaskFields] = [
        {"title": f"Task {number}", "project": "work", "due": When.parse("2026-11-17")}
        for number in range(count)
    ]
    tools.store.tasks.add_many(many, by=tools.context.batch.shared())
    tools.new_turn()


def test_a_filter_changes_all_that_fit_and_tells_the_total(tools: ToolRunner) -> None:
    seeded(tools, 300)
    other = tools.add("Other", details="2026-11-17")

    data = tools.data("update_task", filter="#work overdue", details="tomorrow")

    assert (data["total"], data["succeeded"], data["cut"]) == (300, 300, "20 of 300")
    assert len(data["results"]) == 20
    assert data["results"][0]["task"]["due"] == "2026-11-19"
    assert tools.store.tasks.count(tools.store.read_query("#work tomorrow")) == 300
    assert tools.task(other).due == When.parse("2026-11-17")
    assert tools.summary == "Changed 300 tasks · due → tomorrow"


def test_one_undo_takes_a_bulk_change_back(tools: ToolRunner) -> None:
    seeded(tools, 60)
    tools.data("delete_task", filter="#work")
    assert tools.data("list_tasks", filter="#work")["total"] == 0

    tools.new_turn()
    data = tools.data("undo")

    assert (data["total"], data["cut"]) == (60, "50 of 60")
    assert tools.data("list_tasks", filter="#work")["total"] == 60


def test_a_change_that_one_task_refuses_changes_none(tools: ToolRunner) -> None:
    tools.add("One", details="2026-11-20 #w")
    tools.add("Two", details="#w")

    error = tools.problem("update_task", filter="#w", details="2 days earlier !high")

    assert error["type"] == "validation_error"
    assert [tools.task(number).priority for number in (1, 2)] == [None, None]


def test_dates_relative_to_each_task_work_in_bulk(tools: ToolRunner) -> None:
    tools.add("One", details="2026-11-20 #w")
    tools.add("Two", details="2026-11-27 #w")

    tools.data("update_task", filter="#w", details="1 week later")

    assert [tools.task(number).due for number in (1, 2)] == [
        When.parse("2026-11-27"),
        When.parse("2026-12-04"),
    ]
    assert tools.summary.startswith("Moved One · Fri 20 Nov → Fri 27 Nov; Moved Two")


def test_a_change_of_many_says_what_is_the_same_for_all(tools: ToolRunner) -> None:
    for number, day in enumerate(
        ["2026-11-17", "2026-11-20", "2026-11-27", "2026-11-28", "no date"]
    ):
        tools.add(f"A · B {number}", details=f"#w {day}".replace("no date", ""))

    for details, summary in {
        "next monday": "Changed 5 tasks · due → Mon 23 Nov",
        "!high @x": "Changed 5 tasks · high priority · +@x",
        "1 week later -@x": "Changed 5 tasks · due → Mon 30 Nov · −@x",
        "#home": "Changed 5 tasks · #home",
        "#home !high": "5 tasks unchanged",
    }.items():
        tools.new_turn()
        tools.data("update_task", task_ids=[1, 2, 3, 4, 5], details=details)
        assert tools.summary == summary

    tools.data("update_task", task_ids=[1, 2], details="friday")
    tools.data("update_task", task_ids=[1, 2, 3, 4, 5], details="1 day later")
    assert tools.summary == "Changed 5 tasks"
    tools.data("update_task", task_ids=[1], details="!low")
    tools.data("update_task", task_ids=[1, 2, 3, 4, 5], details="!low")
    assert tools.summary == "Changed 4 tasks · low priority; 1 unchanged"
    tools.data("update_task", task_ids=[1, 2, 3, 4], details="!high")
    assert tools.summary.count("Changed A · B") == 4, "few are named"


def test_postponing_by_filter_gives_no_date_to_tasks_without_one(tools: ToolRunner) -> None:
    tools.add("One", details="2026-11-20 #w")
    tools.add("Two", details="#w")

    data = tools.data("update_task", filter="#w", details="1 week later")

    assert (data["total"], data["succeeded"]) == (2, 1)
    assert [tools.task(number).due for number in (1, 2)] == [When.parse("2026-11-27"), None]


@pytest.mark.parametrize("name", ["complete_task", "delete_task", "reopen_task"])
def test_every_tool_for_ids_takes_a_filter(tools: ToolRunner, name: str) -> None:
    seeded(tools, 3)
    if name == "reopen_task":
        tools.data("complete_task", filter="#work")

    data = tools.data(name, filter="#work done" if name == "reopen_task" else "#work")

    assert (data["total"], data["succeeded"]) == (3, 3)


def test_ids_or_a_filter_but_not_both_and_not_neither(tools: ToolRunner) -> None:
    seeded(tools, 1)

    for wrong in ({}, {"filter": " "}, {"task_ids": [1], "filter": "#work"}):
        assert tools.problem("delete_task", **wrong)["type"] == "validation_error"
    assert tools.task(1).is_open


def test_a_filter_that_finds_nothing_or_too_much_does_nothing(tools: ToolRunner) -> None:
    seeded(tools, 1_001)

    assert tools.problem("complete_task", filter="#home")["type"] == "not_found"
    error = tools.problem("complete_task", filter="#work")

    assert error["type"] == "conflict"
    assert "1,001 tasks" in error["message"]
    assert tools.data("list_tasks", filter="#work")["total"] == 1_001


def test_a_mistake_in_a_filter_is_reported_with_its_place_and_what_fits(tools: ToolRunner) -> None:
    for name in ("list_tasks", "delete_task"):
        error = tools.problem(name, filter="#work prioritty:high")
        assert error["type"] == "validation_error"
        assert "character 7" in error["message"]
        assert "priority:high" in error["message"]


def test_a_call_that_was_agreed_to_touches_nothing_that_came_after(tools: ToolRunner) -> None:
    seeded(tools, 3)
    tools.context = replace(tools.context, approved=frozenset({1, 3}))

    data = tools.data("update_task", filter="#work", details="!high")

    assert data["total"] == 2
    assert data["left"].startswith("1 more")
    assert [tools.task(number).priority for number in (1, 2, 3)] == [
        Priority.HIGH, None, Priority.HIGH,
    ]  # fmt: skip
    tools.context = replace(tools.context, approved=frozenset())
    assert tools.problem("delete_task", filter="#work")["type"] == "conflict"
