"""Subtasks below their parents: folding, progress, closing a parent, adding one."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, add_titles, open_pane
from todo_tui.domain.task import Actor, Status, Task, TaskFields
from todo_tui.store.store import Store
from todo_tui.tui.task_list import controller as list_controller


def under(store: Store, parent: Task, *titles: str) -> tuple[Task, ...]:
    return store.tasks.add_many(
        [TaskFields(title=title, parent=parent.id) for title in titles],
        by=store.new_change_context(Actor.CLI),
    )


def rows(running: OpenPane, titles: Iterable[str]) -> list[str]:
    """The rows that have one of these titles, in words."""
    return [
        " ".join(line.strip("▌●+~ ").split())
        for line in running.lines()
        if "○" in line and any(title in line for title in titles)
    ]


TITLES = ("Trip", "Book", "Pack", "Socks", "Other")


def trip(store: Store) -> dict[str, Task]:
    """A trip with two subtasks, of which one has one, and a task made before them."""
    other, parent = add_titles(store, "Other", "Trip")
    book, pack = under(store, parent, "Book", "Pack")
    (socks,) = under(store, pack, "Socks")
    return {"Other": other, "Trip": parent, "Book": book, "Pack": pack, "Socks": socks}


async def test_subtasks_stand_below_their_parent_with_marks_and_progress(
    app_setup: AppSetup,
) -> None:
    made = trip(app_setup.store)
    app_setup.store.tasks.complete(
        [made["Socks"].id], by=app_setup.store.new_change_context(Actor.CLI)
    )
    async with open_pane(app_setup) as running:
        assert rows(running, TITLES) == ["○ Other", "○▾ Trip 1/3", "○ Book", "○▾ Pack 1/1"]
        lines = [line for line in running.lines() if "○" in line]
        assert [line.index("○") for line in lines] == [2] * 4
        indents = [re.search(r"[A-Z]", line) for line in lines]
        assert [found and found.start() for found in indents] == [6, 6, 8, 8]


async def test_subtasks_fold_and_unfold_and_stay_below_their_parent_whatever_their_date(
    app_setup: AppSetup,
) -> None:
    made = trip(app_setup.store)
    async with open_pane(app_setup) as running:
        # Its day, unlike that of its parent, is shown, as the heading does not say it.
        await running.press("G", "t")
        await running.write("today")
        await running.press("enter")
        assert rows(running, TITLES)[-2:] == ["○▾ Pack 0/1", "○ Socks today"]
        assert "NO DATE  4 · 1 more subtask" in running.shown()
        assert "TODAY" not in running.shown()
        # The heading of its own day counts it where another task is due then.
        add(app_setup.store, "Lunch today")
        await running.until(lambda: "TODAY  1 · 1 more under its parent" in running.shown())
        await running.press("u", "u")
        assert rows(running, TITLES)[-2:] == ["○▾ Pack 0/1", "○ Socks"]
        assert made["Socks"].parent == made["Pack"].id

        # h and l fold and unfold, and h again goes to the parent.
        await running.press("G", "h")
        assert running.cursor_title() == "Pack"
        await running.press("h")
        assert rows(running, TITLES)[-1] == "○▸ Pack 0/1"
        await running.press("h")
        assert running.cursor_title() == "Trip"
        await running.press("left")
        assert rows(running, TITLES) == ["○ Other", "○▸ Trip 0/3"]
        assert "5 open" in running.shown()
        assert "NO DATE  5" in running.shown()
        await running.press("right")
        assert rows(running, TITLES)[-1] == "○▸ Pack 0/1"

        # H and L do so with all.
        await running.press("L", "G", "H")
        assert rows(running, TITLES) == ["○ Other", "○▸ Trip 0/3"]
        assert running.cursor_title() == "Trip"
        await running.press("L")
        assert len(rows(running, TITLES)) == 5

        # Deleting a folded parent takes all below, and undo brings it back.
        await running.press("h", "d")
        assert "Deleted Trip with 3 subtasks · u undo" in " ".join(running.shown().split())
        assert "1 open" in running.shown()
        await running.press("u")
        assert "5 open" in running.shown()
        assert rows(running, TITLES) == ["○ Other", "○▸ Trip 0/3"]


async def test_ticking_a_parent_asks_about_its_open_subtasks(app_setup: AppSetup) -> None:
    made = trip(app_setup.store)
    async with open_pane(app_setup) as running:
        await running.press("j", "space")
        asked = "Trip has 3 open subtasks: y complete them too · l leave them open · Esc cancel"
        assert asked in " ".join(running.shown().split())
        assert running.cursor_title() == "Trip"
        await running.press("escape")
        assert app_setup.store.tasks.get(made["Trip"].id).status is Status.TODO
        await running.press("space", "y")
        assert {task.title for task in app_setup.store.tasks.list().tasks} == {"Other"}
        await running.press("u")
        assert len(app_setup.store.tasks.list().tasks) == 5

        # Any other key leaves the question and does its own.
        running.task_list.move_cursor_to(made["Trip"].id)
        await running.press("space", "j")
        assert running.cursor_title() == "Book"
        assert "open subtasks" not in running.shown()
        assert app_setup.store.tasks.get(made["Trip"].id).status is Status.TODO

        # The subtasks can be left open.
        await running.press("k", "space", "l")
        assert app_setup.store.tasks.get(made["Trip"].id).status is Status.DONE
        assert app_setup.store.tasks.get(made["Book"].id).status is Status.TODO


async def test_several_marked_parents_are_asked_about_together(app_setup: AppSetup) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    under(app_setup.store, one, "a")
    under(app_setup.store, two, "b", "c")
    async with open_pane(app_setup) as running:
        await running.press("H", "x", "x", "space")
        assert "These tasks have 3 open subtasks" in running.shown()
        await running.press("y")
        assert app_setup.store.tasks.list().tasks == ()


async def test_a_capital_a_adds_subtasks_one_after_the_other(app_setup: AppSetup) -> None:
    (parent,) = add_titles(app_setup.store, "Trip")
    async with open_pane(app_setup) as running:
        await running.press("A")
        assert "Subtask of Trip" in running.shown()
        # The preview goes on saying so, and names other tasks as they are.
        await running.write("Book after #1 after #99")
        await running.until(lambda: "Subtask of Trip · Book" in running.shown())
        preview = "blocked by #1 Trip · There is no task #99"
        await running.until(lambda: preview in " ".join(running.shown().split()))
        await running.press("ctrl+u")
        assert "Subtask of Trip" in running.shown()
        await running.write("Book")
        await running.press("enter")
        await running.write("Pack")
        await running.press("enter", "escape", "a")
        await running.write("Other")
        await running.press("enter", "escape")
        parents = {task.title: task.parent for task in app_setup.store.tasks.list().tasks}
        assert parents == {"Trip": None, "Book": parent.id, "Pack": parent.id, "Other": None}
        assert rows(running, TITLES) == ["○▾ Trip 0/2", "○ Book", "○ Pack", "○ Other"]


async def test_a_task_that_waits_for_another_says_so(app_setup: AppSetup) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    app_setup.store.tasks.update(
        [two.id],
        TaskFields(),
        by=app_setup.store.new_change_context(Actor.CLI),
        add_blockers=[one.id],
    )
    async with open_pane(app_setup) as running:
        assert rows(running, ("two",)) == ["○ two ⊘ blocked"]
        await running.press("space")
        await running.until(lambda: "waits" not in running.shown())
        await running.press("u")
        running.task_list.move_cursor_to(two.id)
        await running.press("space")
        told = "Completed two though blocked by one · u undo"
        await running.until(lambda: told in " ".join(running.shown().split()))
        running.task_list.move_cursor_to(one.id)
        await running.press("u", "X", "space")
        await running.until(lambda: "Completed 2 tasks · u undo" in running.shown())


async def test_rows_that_depend_on_a_ticked_task_change_with_it(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_controller, "JUST_DONE_SECONDS", 3600.0)
    other, parent = add_titles(app_setup.store, "Other", "Trip")
    (book,) = under(app_setup.store, parent, "Book")
    app_setup.store.tasks.update(
        [other.id],
        TaskFields(),
        by=app_setup.store.new_change_context(Actor.CLI),
        add_blockers=[book.id],
    )
    async with open_pane(app_setup) as running:
        assert rows(running, ("Other", "Trip")) == ["○ Other ⊘ blocked", "○▾ Trip 0/1"]
        await running.press("G", "space")
        assert rows(running, ("Other", "Trip")) == ["○ Other", "○▾ Trip 1/1"]


async def test_many_levels_are_drawn_and_folded(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "level 0")
    for number in range(1, 120):
        (task,) = under(app_setup.store, task, f"level {number}")
    async with open_pane(app_setup) as running:
        await running.press("G")
        assert running.cursor_title() == "level 119"
        await running.press("g", "h")
        assert rows(running, ("level",)) == ["○▸ level 0 0/119"]


async def test_subtasks_under_a_filter_stand_alone_when_their_parent_is_not_shown(
    app_setup: AppSetup,
) -> None:
    (parent,) = add(app_setup.store, "Trip")
    (child,) = under(app_setup.store, parent, "Book")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("book")
        await running.press("enter")
        assert rows(running, ("Book",)) == ["○ Book ‹ Trip"]
    assert child.parent == parent.id


async def test_a_key_begins_a_task_and_puts_it_back_and_another_one_cancels_it(
    app_setup: AppSetup,
) -> None:
    made = trip(app_setup.store)
    tasks = app_setup.store.tasks
    async with open_pane(app_setup) as running:
        await running.press("b")
        assert "◐   Other" in running.line_with("Other")
        await running.press("x", "j", "full_stop")
        assert tasks.get(made["Other"].id).status is Status.TODO
        await running.press("escape", "j", "minus")
        assert "3 open subtasks" in running.shown()
        await running.press("y")
        assert "Cancelled Trip · u undo" in running.shown()
        assert tasks.get(made["Socks"].id).status is Status.CANCELLED
        await running.press("u")
        assert running.cursor_title() == "Trip"
        assert tasks.get(made["Trip"].id).status is Status.TODO
        assert tasks.get(made["Socks"].id).status is Status.TODO
        tasks.update(
            [made["Trip"].id],
            {"recurrence": "FREQ=DAILY"},
            by=app_setup.store.new_change_context(Actor.CLI),
        )
        running.moments.now += 2.0
        await running.press("minus")
        assert "Skipped Trip. Next:" in running.shown()


async def test_a_question_breaks_no_key_from_its_label(app_setup: AppSetup) -> None:
    add(app_setup.store, "Plan the big party of spring", "Cake under #1", "Music under #1")
    async with open_pane(app_setup) as running:
        await running.press("space")
        lines = running.shown().splitlines()
        assert any("party of spring has 2 open subtasks:" in line for line in lines)
        keys = "y complete them too · l leave them open · Esc cancel"
        assert any(keys in line for line in lines)
