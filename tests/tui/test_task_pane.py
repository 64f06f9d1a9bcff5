"""What keys do to the list of tasks, with a real store under it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import date

import pytest
from textual.events import Paste

from tests.tui.conftest import AppSetup
from tests.tui.pane import add, add_titles, open_pane
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Actor, Priority, Status, TaskFields
from todo_tui.domain.when import Clock, DateStyle, When
from todo_tui.store.store import Store, open_store
from todo_tui.tui.task_list import controller as list_controller
from todo_tui.tui.task_list import notices
from todo_tui.tui.task_list.drawers.change import RenameInput
from todo_tui.tui.task_list.pane import TaskPane


def open_titles(store: Store) -> list[str]:
    return [task.title for task in store.tasks.list().tasks]


def titles_that_fit(store: Store, words: str) -> set[str]:
    wanted = parse_query(words, store.clock.now(), DateStyle()).filter
    return {task.title for task in store.tasks.list(wanted).tasks}


async def test_a_title_is_not_edited_any_more_once_the_user_deleted_its_task(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one", "two")
    by = app_setup.store.new_change_context(Actor.USER)
    async with open_pane(app_setup) as running:
        await running.press("e")
        rename = running.app.screen.query_one(RenameInput)
        assert rename.task_id == 1
        app_setup.store.tasks.delete([1], by=by)
        await running.until(lambda: rename.task_id is None)
        await running.press("u")
        assert open_titles(app_setup.store) == ["one", "two"]


async def test_tasks_stand_under_their_headings_with_their_day_in_words(
    app_setup: AppSetup,
) -> None:
    add(
        app_setup.store,
        "Fix the tap",
        "Call the dentist yesterday",
        "Buy milk tomorrow 5pm #errands",
        "Water the plants today",
        "Renew passport 3 feb @papers !low",
    )
    async with open_pane(app_setup) as running:
        words = [line.split() for line in running.lines() if line.strip()]
        assert words[0] == ["‹", "Tasks", "›", "5", "open", "·", "1", "overdue"]
        assert words[1:10] == [
            ["OVERDUE", "1"],
            ["▌", "○", "Call", "the", "dentist", "1", "day", "late"],
            ["TODAY", "1"],
            ["○", "Water", "the", "plants", "today"],
            ["NEXT", "7", "DAYS", "1"],
            ["○", "Buy", "milk", "errands", "tomorrow", "17:00"],
            ["LATER", "1"],
            ["○", "▽", "Renew", "passport", "3", "Feb", "2027"],
            ["NO", "DATE", "1"],
        ]


async def test_space_ticks_and_opens_again_and_shows_what_comes_next(
    app_setup: AppSetup,
) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    tasks = app_setup.store.tasks
    async with open_pane(app_setup) as running:
        await running.press("space")
        assert tasks.get(one.id).status is Status.DONE
        assert "✓ one" in running.words()
        assert "1 open" in running.shown()
        await running.press("space")
        assert tasks.get(one.id).status is Status.TODO

        # The done task moves to the end when the cursor has left it.
        await running.press("space", "j")
        assert running.cursor_title() == "two"
        await running.until(lambda: "DONE" in running.shown())
        lines = running.lines()
        done = next(number for number, line in enumerate(lines) if "DONE" in line)
        assert "✓   one" in lines[done + 1]
        assert running.cursor_title() == "two"
        assert tasks.get(two.id).status is Status.TODO

        # A done task is opened again.
        await running.press("space")
        await running.until(lambda: "All tasks completed" in running.shown())
        running.task_list.move_cursor_to(one.id)
        await running.press("space")
        assert tasks.get(one.id).status is Status.TODO
        assert "~○ one" in running.words()

        # What repeats shows its next occurrence.
        (plants,) = add(app_setup.store, "Water the plants every day")
        await running.settle()
        running.task_list.move_cursor_to(plants.id)
        await running.press("space")
        assert "+○ Water the plants" in running.words()
        assert "✓ Water the plants" in running.words()
        assert "Completed Water the plants. Next: tomorrow · u undo" in running.words()

        # A second press removes that one again, and undo brings both back.
        await running.press("space")
        assert "Next occurrence removed · u undo" in running.shown()
        assert open_titles(app_setup.store).count("Water the plants") == 1
        assert tasks.get(plants.id).is_open
        await running.press("u")
        assert "✓ Water the plants" in running.words()
        assert open_titles(app_setup.store).count("Water the plants") == 1


async def test_an_empty_list_teaches_how_to_begin_and_a_adds_what_was_understood(
    app_setup: AppSetup,
) -> None:
    async with open_pane(app_setup) as running:
        # The list teaches two ways to begin, and no key of tasks does anything.
        words = " ".join(running.shown().split())
        assert "No tasks yet." in words
        assert "Tell the assistant “add buy milk tomorrow 5pm”, or press a." in words
        assert running.pane.selected_tasks == ()
        for key in ("space", "d", "e", "1", "down", "G", "pagedown"):
            await running.press(key)
        assert app_setup.store.tasks.list().total == 0
        await running.press("u")
        assert "Nothing to undo." in running.shown()

        # An empty line adds nothing.
        await running.press("a", "space", "enter", "enter")
        assert app_setup.store.tasks.list().total == 0
        await running.press("escape")

        # What was understood stands below; the box stays open for more.
        await running.press("a")
        await running.type("Pay rent every month on the 1st !high #home")
        below = " ".join(running.shown().split())
        assert "Pay rent · every month on the 1st, first Tue 1 Dec · high priority · #home" in below
        await running.press("enter")
        await running.write("Buy milk")
        await running.press("enter", "escape")
        rent, milk = app_setup.store.tasks.list().tasks
        assert (rent.title, rent.priority, rent.project) == ("Pay rent", Priority.HIGH, "home")
        assert rent.recurrence is not None
        assert milk.title == "Buy milk"
        assert running.cursor_title() == "Buy milk"
        assert running.task_list.has_focus

        # Ctrl+W takes every word as title.
        await running.press("a")
        await running.write("Watch friday tomorrow")
        await running.press("ctrl+l", "enter", "escape")
        task = app_setup.store.tasks.get(milk.id + 1)
        assert (task.title, task.due) == ("Watch friday tomorrow", None)

        # Pasted lines are plain text, and one task where that is wanted.
        await running.press("a")
        box = running.app.focused
        assert box is not None
        box.post_message(Paste("Buy\r\nmilk \x1b[31mred\x1b[0m \x00\u202e[bold]"))
        await running.settle()
        await running.press("ctrl+l", "enter")
        assert open_titles(app_setup.store)[3:] == ["Buy milk red [bold]"]


async def test_a_completed_task_keeps_its_row_while_an_input_is_open(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_controller, "JUST_DONE_SECONDS", 0.05)
    plants, _ = add(app_setup.store, "Water the plants every day", "Empty the compost today")
    async with open_pane(app_setup) as running:
        for key in ("e", "s", "a", "slash"):
            await running.press("space", key)
            await asyncio.sleep(0.1)
            await running.settle()
            assert "DONE" not in running.shown(), key
            assert running.task_list.cursor_task == plants.id, key
            await running.press("escape", "space")
            assert running.store.tasks.get(plants.id).is_open, key
            assert {task.title for task in running.store.tasks.list().tasks if task.is_open} == {
                "Water the plants",
                "Empty the compost",
            }, key


async def test_a_filter_can_be_saved_after_its_input_was_left(app_setup: AppSetup) -> None:
    add(app_setup.store, "Buy milk #errands")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.type("#errands")
        await running.press("enter")
        assert "Ctrl+S save view" in running.shown()


async def test_digits_set_the_priority_and_e_renames_in_place(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "Buy milk")
    async with open_pane(app_setup) as running:
        await running.press("1")
        assert app_setup.store.tasks.get(task.id).priority is Priority.HIGH
        await running.press("0")
        assert app_setup.store.tasks.get(task.id).priority is None

        # Esc leaves the title as it was.
        await running.press("e")
        await running.write(" now")
        line = running.line_with("Buy milk now")
        assert line.startswith("▌~○   Buy milk now")
        await running.press("escape")
        assert open_titles(app_setup.store) == ["Buy milk"]
        await running.press("e")
        await running.write(" and bread")
        await running.press("enter")
        assert app_setup.store.tasks.get(task.id).title == "Buy milk and bread"
        assert running.task_list.has_focus
        assert "~○ Buy milk and bread" in running.words()

        # One that fails keeps the words in the box.
        await running.press("e")
        app_setup.store.tasks.delete([task.id], by=app_setup.store.new_change_context(Actor.CLI))
        await running.settle()
        await running.write(" two")
        await running.press("enter")
        assert "trash" in running.shown()
        assert "bread two" in running.shown()


async def test_an_error_goes_after_a_while_or_when_an_action_succeeds(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_titles(app_setup.store, "one", "two")
    tasks, by = app_setup.store.tasks, app_setup.store.new_change_context(Actor.CLI)
    async with open_pane(app_setup) as running:

        async def fail() -> None:
            await running.press("e")
            tasks.delete([1], by=by)
            await running.settle()
            await running.write("!")
            await running.press("enter", "escape")

        monkeypatch.setattr(notices, "NOTICE_SECONDS", 3600.0)
        await fail()
        assert "Task #1 is in the trash." in running.shown()
        tasks.restore([1], by=by)
        await running.press("1")
        assert "in the trash" not in running.shown()
        assert "space complete" in running.words().casefold()

        monkeypatch.setattr(notices, "NOTICE_SECONDS", 0.01)
        running.task_list.move_cursor_to(1)
        await fail()
        await running.until(lambda: "in the trash" not in running.shown())


async def test_d_deletes_to_the_trash_u_undoes_and_U_redoes(app_setup: AppSetup) -> None:
    (task, *_) = add_titles(app_setup.store, "one", "two", "three")
    tasks, new_context = app_setup.store.tasks, app_setup.store.new_change_context
    async with open_pane(app_setup) as running:
        # The cursor goes to the neighbour.
        await running.press("down", "d")
        assert open_titles(app_setup.store) == ["one", "three"]
        assert titles_that_fit(app_setup.store, "trash") == {"two"}
        assert running.cursor_title() == "three"
        assert "Deleted two · u undo" in running.shown()
        # What was changed elsewhere since takes the message along: u would undo that.
        app_setup.store.tasks.restore([2], by=app_setup.store.new_change_context(Actor.CLI))
        await running.until(lambda: "Deleted two" not in running.shown())
        app_setup.store.tasks.undo(by=app_setup.store.new_change_context(Actor.CLI))
        await running.until(lambda: open_titles(app_setup.store) == ["one", "three"])

        # Undo and redo say what.
        await running.press("u")
        assert open_titles(app_setup.store) == ["one", "two", "three"]
        assert "Undone: deleted two." in running.shown()
        assert running.cursor_title() == "two"
        await running.press("down")
        assert "Undone" not in running.shown(), "the next key brings the key hints back"
        await running.press("U")
        assert open_titles(app_setup.store) == ["one", "three"]
        assert "Redone: deleted two." in running.shown()

        # The message goes with the next key.
        await running.press("up")
        assert "Redone" not in running.shown()
        assert "a add" in running.shown()
        await running.press("down")

        # A task whose adding is undone leaves the list at once.
        await running.press("a")
        await running.write("four")
        await running.press("enter", "escape")
        assert "○ four" in running.words()
        await running.press("u")
        assert open_titles(app_setup.store) == ["one", "three"]
        assert "○ four" not in running.words()
        assert "2 open" in running.shown()
        await running.press("U")
        assert "○ four" in running.words()

        # A field that somebody else wrote meanwhile.
        running.task_list.move_cursor_to(task.id)
        await running.press("e")
        await running.write(" and more")
        await running.press("enter")
        with open_store(
            app_setup.store.path, user="ann", clock=Clock("Europe/Berlin", app_setup.clock.now())
        ) as other:
            batch = other.new_change_context(Actor.ASSISTANT)
            other.tasks.update([task.id], {"title": "other"}, by=batch)
            other.tasks.update([task.id], {"priority": Priority.LOW}, by=batch)
        assert tasks.get(task.id).title == "other"
        await running.press("u", "u")
        assert new_context(Actor.USER).actor is Actor.USER
        assert "Undone" in running.shown()


async def test_a_held_d_deletes_one_task_and_presses_apart_delete_one_each(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, *(f"task {number}" for number in range(9)))
    async with open_pane(app_setup) as running:
        await running.press("d")
        running.moments.now += 0.5
        # At once: a busy machine could take longer between two than a keyboard does.
        for _ in range(30):
            running.pilot.app.simulate_key("d")
        await running.press("d")
        assert app_setup.store.tasks.list().total == 8

        # Two presses apart delete two tasks.
        running.moments.now += 5
        await running.press("d")
        running.moments.now += 5
        await running.press("d")
        assert open_titles(app_setup.store) == [f"task {number}" for number in range(3, 9)]

        # A second one soon after deletes once it stood alone.
        running.moments.now += 0.3
        await running.press("d")
        await running.until(lambda: app_setup.store.tasks.list().total == 5)
        assert open_titles(app_setup.store) == [f"task {number}" for number in range(4, 9)]


async def test_slash_filters_as_it_is_typed_explains_mistakes_and_esc_clears(
    app_setup: AppSetup,
) -> None:
    milk, bread, tap, _ = add(
        app_setup.store, "Buy milk #errands", "Buy bread #errands", "Fix the tap", "Call mom friday"
    )
    by = app_setup.store.new_change_context
    async with open_pane(app_setup) as running:
        # As it is typed; Enter keeps it and Esc clears.
        await running.press("slash")
        await running.type("#errands milk")
        assert "Buy milk" in running.shown()
        assert "Buy bread" not in running.shown()
        await running.press("enter")
        assert running.task_list.has_focus
        assert "1 open · #errands milk" in running.shown()
        await running.press("escape")
        assert "Fix the tap" in running.shown()
        assert "4 open" in running.shown()

        # A mistake is explained, and what stands before it holds.
        await running.press("slash")
        await running.write("#errands due.before:blurb")
        shown = " ".join(running.shown().split())
        assert "“due.before:blurb”" in shown
        assert "Buy milk" in shown
        assert "Fix the tap" not in shown
        await running.press("escape", "escape")

        # Without a match it says what it was and how to leave.
        await running.press("slash")
        await running.write("zebra")
        await running.press("enter")
        assert "No tasks match “zebra”." in running.shown()
        await running.press("escape", "slash")
        await running.write("zebra " * 50)
        await running.press("enter")
        assert running.shown().count("zebra") < 25
        await running.press("escape")
        assert "○ Fix the tap" in running.words()

        # A search for a day that finds nothing names the filter for days.
        await running.press("slash")
        await running.write("friday")
        assert "Type due:friday to search by due date." in running.shown()
        await running.press("escape", "escape")

        # A new task that the filter hides is said to be there.
        await running.press("slash")
        await running.write("#errands")
        await running.press("enter", "a")
        await running.write("Zebra")
        await running.press("enter")
        assert "Added Zebra, hidden by the current view." in running.shown()
        await running.press("escape", "escape")

        # A list of what is blocked follows what it waits for.
        app_setup.store.tasks.update([tap.id], {}, add_blockers=[milk.id], by=by(Actor.CLI))
        await running.press("slash")
        await running.write("blocked")
        await running.press("enter")
        assert "○ Fix the tap" in running.words()
        app_setup.store.tasks.complete([milk.id], by=by(Actor.ASSISTANT))
        await running.settle()
        assert "○ Fix the tap" not in running.words()
        await running.press("escape")

        # Space in the trash takes a task out.
        app_setup.store.tasks.delete([bread.id], by=by(Actor.CLI))
        await running.press("slash")
        await running.write("trash")
        await running.press("enter")
        assert "TRASH" in running.shown()
        await running.press("d")
        assert "This task is already deleted." in running.shown()
        await running.press("space")
        assert "Buy bread" in open_titles(app_setup.store)


async def test_what_the_assistant_changes_is_marked_and_scrolled_to_also_in_a_hidden_list(
    app_setup: AppSetup,
) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        running.app.set_focus(None)
        assert "task 55" not in running.shown()
        by = app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        app_setup.store.tasks.update([tasks[55].id], {"title": "task 55 changed"}, by=by)
        await running.settle()
        assert "~○ task 55 changed" in running.words()
        assert running.cursor_title() == "task 00"
        assert "○ task 00" not in running.words()
        # A key acts on the task of the cursor, so it is in view when the list is gone to.
        running.pane.focus_list()
        await running.settle()
        assert "○ task 00" in running.words()

        # A change made while the list was hidden is in sight when it is seen.
        running.pane.display = False
        await running.settle()
        app_setup.store.tasks.update([tasks[5].id], {"title": "changed"}, by=by)
        await running.settle()
        running.pane.display = True
        await running.settle()
        assert "~○ changed" in running.words()


async def test_a_person_who_is_at_work_in_the_list_is_not_moved_by_what_others_change(
    app_setup: AppSetup,
) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(90)))
    async with open_pane(app_setup) as running:
        # By what the assistant does further down.
        await running.press("down", "down")
        before = running.lines()
        by = app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        app_setup.store.tasks.update([tasks[55].id], {"title": "changed"}, by=by)
        app_setup.store.tasks.delete([tasks[40].id], by=by)
        await running.settle()
        without_scrollbar = slice(0, 48)
        assert [line[without_scrollbar] for line in running.lines()[3:]] == [
            line[without_scrollbar] for line in before[3:]
        ]

        # By what another process does around the cursor.
        await running.press(*["down"] * 28)
        line = running.line_on_screen(tasks[30].id)
        with open_store(app_setup.store.path, user="ann", clock=app_setup.clock) as other:
            other.tasks.delete([tasks[3].id, tasks[31].id], by=other.new_change_context(Actor.CLI))
            other.tasks.update(
                [tasks[29].id], {"title": "renamed"}, by=other.new_change_context(Actor.CLI)
            )
        running.pane.reload()
        await running.settle()
        assert running.cursor_title() == "task 30"
        assert running.line_on_screen(tasks[30].id) == line
        assert "renamed" in running.shown()
        assert "task 31" not in running.shown()

        # By rows above it that go.
        await running.press(*["down"] * 10)
        assert running.cursor_title() == "task 42"
        line = running.line_on_screen(tasks[42].id)
        app_setup.store.tasks.delete(
            [task.id for task in tasks[4:13]],
            by=app_setup.store.new_change_context(Actor.ASSISTANT),
        )
        await running.settle()
        assert running.cursor_title() == "task 42"
        assert running.line_on_screen(tasks[42].id) == line


KEYS_AND_TITLES = (
    (["j", "j", "k"], "task 01"),
    (["G"], "task 59"),
    (["end", "up"], "task 58"),
    (["G", "g"], "task 00"),
    (["G", "home"], "task 00"),
    (["up"], "task 00"),
    (["G", "down"], "task 59"),
    (["pagedown", "pageup"], "task 00"),
)


async def test_keys_and_clicks_move_the_cursor_through_a_long_list(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    seen: set[str] = set()
    async with open_pane(app_setup) as running:
        for keys, title in KEYS_AND_TITLES:
            running.task_list.move_cursor_to(tasks[0].id)
            await running.settle()
            await running.press(*keys)
            assert running.cursor_title() == title, keys
            assert title in running.shown(), keys

        # Page down reaches the end and shows every task on the way.
        for _ in range(6):
            seen |= {line.split("task ")[1][:2] for line in running.lines() if "task " in line}
            await running.press("pagedown")
        assert running.cursor_title() == "task 59"
        assert seen >= {f"{number:02}" for number in range(58)}

        # A click selects, one on the box ticks.
        await running.press("g")
        row = running.line_on_screen(tasks[4].id)
        assert row is not None
        await running.pilot.click("#task-list", offset=(12, row))
        await running.settle()
        assert running.cursor_title() == "task 04"
        await running.pilot.click("#task-list", offset=(2, row + 1))
        await running.settle()
        assert app_setup.store.tasks.get(tasks[5].id).status is Status.DONE
        assert running.cursor_title() == "task 05"


async def test_what_waits_for_its_start_and_what_others_own_is_not_in_the_list(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Plant bulbs")
    app_setup.store.tasks.add(
        TaskFields(title="Later", start=When(date(2027, 1, 1))),
        by=app_setup.store.new_change_context(Actor.CLI),
    )
    with open_store(app_setup.store.path, user="bob", clock=app_setup.clock) as other:
        add_titles(other, "secret")
    async with open_pane(app_setup) as running:
        assert isinstance(running.pane, TaskPane)
        assert "Later" not in running.shown()
        assert "secret" not in running.shown()
        assert "1 open" in running.shown()


async def test_enter_shows_all_of_a_task_and_follows_the_cursor(app_setup: AppSetup) -> None:
    one, _two = add(app_setup.store, "one every day !low #home @x", "two")
    notes = TaskFields(notes="first\nsecond [b]\x1b[31m")
    app_setup.store.tasks.update([one.id], notes, by=app_setup.store.new_change_context(Actor.CLI))
    async with open_pane(app_setup) as running:
        await running.press("enter")
        shown = running.shown()
        assert f"#{one.id} · due today · every day · low" in shown
        assert "second [b]" in shown
        await running.press("down")
        assert "second [b]" not in running.shown()
        assert "#2" in running.shown()
        await running.press("escape")
        assert "#2" not in running.shown()


async def test_the_newest_done_tasks_are_shown_and_the_others_counted(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number}" for number in range(9)))
    ids = [task.id for task in tasks]
    app_setup.store.tasks.complete(ids, by=app_setup.store.new_change_context(Actor.CLI))
    async with open_pane(app_setup) as running:
        assert "All tasks completed" in running.shown()
        assert running.shown().count("✓") == 5
        assert "4 more · / done" in running.shown()


async def test_an_empty_list_says_what_is_in_the_trash(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("d")
        await running.until(lambda: "No tasks." in running.shown())
        words = " ".join(running.shown().split())
        assert "1 in the trash: press w and choose Trash." in words
        assert "or press a." in words
        await running.press("u")
        await running.until(lambda: "one" in running.shown())
        assert "in the trash" not in running.shown()


async def test_tasks_that_cannot_be_read_are_never_an_empty_list(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one")
    with closing(sqlite3.connect(app_setup.store.path)) as other:
        other.execute("ALTER TABLE tasks RENAME TO elsewhere")
    async with open_pane(app_setup) as running:
        assert "No tasks yet" not in running.shown()
        assert app_setup.store.path.name in "".join(running.shown().split())


async def test_the_series_of_a_done_row_is_not_changed(app_setup: AppSetup) -> None:
    add(app_setup.store, "Water the plants every day", "Buy milk")
    tasks = app_setup.store.tasks
    refusal = "Task #1 is completed. Its next occurrence is #3."
    async with open_pane(app_setup) as running:
        await running.press("space")
        await running.press("s")
        assert "edit completed Water the plants" in running.words()
        await running.press(*"no", "space", *"date")
        assert "This occurrence is no longer open" in running.words()
        for keys in (("t", *"friday", "enter"), ("t", *"every", "space", *"week", "enter"), ("Q",)):
            await running.press("escape")
            running.task_list.move_cursor_to(1)
            before = tasks.get(1)
            await running.press(*keys)
            assert refusal in running.words(), keys
            assert tasks.get(1) == before


async def test_a_moved_occurrence_is_told_with_the_date_after_it(app_setup: AppSetup) -> None:
    add(app_setup.store, "Handouts every wednesday 8pm")
    async with open_pane(app_setup) as running:
        await running.press("t", *"today", "space", *"6pm", "enter")
        shown = " ".join(running.shown().split())
        assert "Handouts: today 18:00, then Wed 25 Nov 20:00 · u undo" in shown
        await running.press("t", *"every", "space", *"wednesday", "space", *"7pm", "enter")
        assert ", then Wed 25 Nov 19:00" in " ".join(running.shown().split())


async def test_of_several_that_move_those_that_repeat_are_told(app_setup: AppSetup) -> None:
    add(app_setup.store, "Gym every wednesday", "Choir every thursday", "Buy milk today")
    async with open_pane(app_setup) as running:
        await running.press("X", "t", *"friday", "enter")
        assert "3 tasks: Fri 20 Nov, 2 repeat as before" in " ".join(running.shown().split())
        await running.press("s", *"!high", "enter")
        assert "3 tasks: high priority · u undo" in " ".join(running.shown().split())
