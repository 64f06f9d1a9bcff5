"""Marking tasks, and one key for all that are marked, with a real store."""

from __future__ import annotations

from textual.widgets import Input

from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, add_titles, open_pane
from todo_tui.domain.task import Actor, Priority, Status, Task, TaskFields
from todo_tui.store.store import Store
from todo_tui.tui.task_list.notices import NoticeLine


def tasks(store: Store) -> dict[str, Task]:
    return {task.title: task for task in store.tasks.list().tasks}


def marked(running: OpenPane) -> list[str]:
    """The words of the rows that are drawn as marked."""
    return [
        line.split("○")[1].strip("▲ ").split()[0]
        for line in running.lines()
        if line.startswith("●")
    ]


async def test_x_shift_with_arrows_and_clicks_mark_and_the_count_stands_below(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one", "two", "three", "four")
    async with open_pane(app_setup) as running:
        # x marks and goes on.
        await running.press("x", "x")
        assert marked(running) == ["one", "two"]
        assert running.cursor_title() == "three"
        assert "2 tasks selected" in running.shown()
        await running.press("k", "x")
        assert marked(running) == ["one"]
        await running.press("escape")
        assert marked(running) == []
        assert "marked" not in running.shown()

        # Shift and arrows mark a stretch and take it back.
        await running.press("g", "j", "shift+down", "shift+down")
        assert marked(running) == ["two", "three", "four"]
        await running.press("shift+up", "shift+up", "shift+up")
        assert marked(running) == ["one", "two"]
        assert running.cursor_title() == "one"
        await running.press("escape")
        assert marked(running) == []

        # So do clicks with Ctrl and Shift.
        first = next(at for at, line in enumerate(running.lines()) if "one" in line)
        top = running.task_list.region.y
        for row, keys in ((0, {"control": True}), (3, {"shift": True})):
            await running.pilot.click(running.task_list, offset=(10, first - top + row), **keys)
        await running.settle()
        assert marked(running) == ["one", "two", "three", "four"]


async def test_capital_x_marks_all_that_is_shown_or_none_and_what_is_hidden_is_left_alone(
    app_setup: AppSetup,
) -> None:
    one, two, three = add(app_setup.store, "one @a", "two", "three @a")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("@a")
        await running.press("enter", "X")
        assert marked(running) == ["one", "three"]
        await running.press("escape")
        await running.press("escape")
        await running.press("X")
        await running.until(lambda: len(marked(running)) == 3)
        await running.press("X")
        await running.until(lambda: marked(running) == [])

        # Marked tasks that are not shown are left alone.
        await running.press("X", "slash")
        await running.write("@a")
        await running.press("enter")
        assert "2 tasks selected" in running.shown()
        await running.press("space")
        assert app_setup.store.tasks.get(two.id).status is Status.TODO
        assert app_setup.store.tasks.get(one.id).status is Status.DONE
        assert app_setup.store.tasks.get(three.id).status is Status.DONE


async def test_a_priority_is_given_to_all_marked_ones_and_a_tick_is_one_step_of_undo(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        # The marks stay after a priority.
        await running.press("x", "x", "1")
        priorities = {title: task.priority for title, task in tasks(app_setup.store).items()}
        assert priorities == {"one": Priority.HIGH, "two": Priority.HIGH, "three": None}
        running.pane.reload()
        await running.settle()
        assert marked(running) == ["one", "two"]

        await running.press("space")
        assert tasks(app_setup.store).keys() == {"three"}
        assert "Completed 2 tasks" in running.shown()
        await running.press("u")
        assert tasks(app_setup.store).keys() == {"one", "two", "three"}
        await running.press("U")
        assert tasks(app_setup.store).keys() == {"three"}


async def test_a_held_d_deletes_the_marked_ones_once_and_a_held_full_stop_repeats_once(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, *(f"task {number}" for number in range(8)))
    async with open_pane(app_setup) as running:
        await running.press("x", "x", "x", "d")
        for _ in range(20):
            running.moments.now += 0.03
            await running.press("d")
        assert len(tasks(app_setup.store)) == 5
        assert "Deleted 3 tasks · u undo" in running.shown()
        running.moments.now += 2.0
        await running.press("u")
        assert len(tasks(app_setup.store)) == 8

        await running.press("escape", "d")
        assert len(tasks(app_setup.store)) == 7
        running.moments.now += 2.0
        for _ in range(20):
            await running.press("full_stop")
            running.moments.now += 0.03
        assert len(tasks(app_setup.store)) == 6


async def test_the_set_box_reads_live_and_changes_all_marked_ones(app_setup: AppSetup) -> None:
    add(app_setup.store, "one @old", "two @old", "three @old")
    async with open_pane(app_setup) as running:
        await running.press("x", "x", "s")
        await running.write("friday #home -@old !high")
        assert "Fri 20 Nov · high priority · #home · −@old · edit 2 tasks" in " ".join(
            running.shown().split()
        )
        await running.press("enter")
        found = tasks(app_setup.store)
        assert [found[title].project for title in ("one", "two", "three")] == ["home", "home", None]
        assert [found[title].tags for title in ("one", "two", "three")] == [(), (), ("old",)]
        assert "2 tasks: Fri 20 Nov, high priority, #home, −@old u undo" in " ".join(
            running.shown().split()
        )
        await running.press("u")
        assert tasks(app_setup.store)["one"].due is None


async def test_the_boxes_write_nothing_while_a_word_means_nothing_and_t_asks_for_a_date_alone(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("s")
        await running.write("friday milk")
        assert "Could not understand “" in running.shown()
        await running.press("enter")
        assert tasks(app_setup.store)["one"].due is None
        await running.press("escape")
        assert running.task_list.has_focus

        await running.press("t")
        await running.write("milk")
        assert "Could not understand “milk” · try tomorrow" in running.shown()
        running.app.query_one("ChangeDrawer Input", Input).value = ""
        await running.write("tomorrow 5pm")
        await running.press("enter")
        due = tasks(app_setup.store)["one"].due
        assert due is not None
        assert due.day.day == 19
        await running.press("t")
        await running.write("none")
        await running.press("enter")
        assert tasks(app_setup.store)["one"].due is None


async def test_a_full_stop_repeats_the_last_change_on_other_tasks(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("full_stop")
        assert "Nothing to repeat yet" in running.shown()
        await running.press("s")
        await running.write("#home")
        await running.press("enter", "j", "full_stop")
        await running.press("j", "2", "g", "full_stop")
        found = tasks(app_setup.store)
        assert [found[title].project for title in ("one", "two", "three")] == ["home", "home", None]
        assert found["three"].priority is Priority.MEDIUM
        assert found["one"].priority is Priority.MEDIUM


async def test_marks_are_kept_while_something_is_asked_and_gone_when_it_is_done(
    app_setup: AppSetup,
) -> None:
    (parent, _) = add_titles(app_setup.store, "one", "two")
    by = app_setup.store.new_change_context(Actor.CLI)
    app_setup.store.tasks.add(TaskFields(title="below", parent=parent.id), by=by)
    async with open_pane(app_setup) as running:
        await running.press("h", "x", "x", "space", "escape")
        assert "2 tasks selected" in running.shown()
        await running.press("space")
        await running.press("y")
        assert "marked" not in running.shown()
        assert app_setup.store.tasks.list().tasks == ()


async def test_hundreds_of_marked_tasks_are_one_undo_batch_too(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, *(f"task {number}" for number in range(450)))
    async with open_pane(app_setup) as running:
        await running.press("X")
        assert "450 tasks selected" in running.shown()
        await running.press("2")
        assert {task.priority for task in app_setup.store.tasks.rows(range(1, 451))} == {
            Priority.MEDIUM
        }
        await running.press("d")
        assert "Deleted 450 tasks" in running.shown()
        await running.press("u")
        assert "450 open" in running.shown()


async def test_a_key_that_is_about_a_task_says_so_where_there_is_none(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        for key in ("e", "E", "s", "t", "x", "S", "space"):
            running.pane.query_one(NoticeLine).say("")
            await running.press(key)
            assert "Select a task first." in running.shown(), key
