"""What keys do to the list of tasks, with a real store under it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest
from textual.events import Paste

from tests.tui.conftest import AppSetup
from tests.tui.pane import add, add_titles, open_pane
from todo_tui.domain.filters.parser import parse_filter
from todo_tui.domain.task import Actor, Priority, Status, TaskFields
from todo_tui.domain.when import Clock, DateStyle, When
from todo_tui.store.store import Store, open_store
from todo_tui.tui.task_list.pane import TaskPane


def open_titles(store: Store) -> list[str]:
    return [task.title for task in store.tasks.list().tasks]


def titles_that_fit(store: Store, words: str) -> set[str]:
    wanted = parse_filter(words, store.clock.now(), DateStyle())
    return {task.title for task in store.tasks.list(wanted).tasks}


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
            ["NEXT", "1"],
            ["○", "Buy", "milk", "#errands", "tomorrow", "17:00"],
            ["LATER", "1"],
            ["○", "Renew", "passport", "@papers", "!", "3", "Feb", "2027"],
            ["NO", "DATE", "1"],
        ]


async def test_space_ticks_and_goes_on_and_the_done_task_then_moves_to_the_end(
    app_setup: AppSetup,
) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    async with open_pane(app_setup) as running:
        await running.press("space")
        assert app_setup.store.tasks.get(one.id).status is Status.DONE
        assert "✓ one" in running.shown()
        assert running.cursor_title() == "two"
        assert "1 open" in running.shown()

        await running.until(lambda: "DONE" in running.shown())
        lines = running.lines()
        done = next(number for number, line in enumerate(lines) if "DONE" in line)
        assert "✓ one" in lines[done + 1]
        assert running.cursor_title() == "two"
        assert app_setup.store.tasks.get(two.id).status is Status.TODO


async def test_space_on_a_done_task_opens_it_again(app_setup: AppSetup) -> None:
    (one,) = add_titles(app_setup.store, "one")
    app_setup.store.tasks.complete([one.id], by=app_setup.store.new_change_context(Actor.CLI))
    async with open_pane(app_setup) as running:
        assert "All done" in running.shown()
        await running.press("space")
        assert app_setup.store.tasks.get(one.id).status is Status.TODO
        assert "+○ one" in running.shown()


async def test_ticking_what_repeats_shows_the_next_occurrence(app_setup: AppSetup) -> None:
    add(app_setup.store, "Water the plants every day")
    async with open_pane(app_setup) as running:
        await running.press("space")
        assert "+○ Water the plants" in running.shown()
        assert "✓ Water the plants" in running.shown()


async def test_a_adds_what_was_understood_and_stays_open_for_more(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.type("Pay rent every month on the 1st !high #home")
        below = " ".join(running.shown().split())
        assert "Pay rent · every month on the 1st, first Tue 1 Dec · high · home" in below
        await running.press("enter")
        await running.write("Buy milk")
        await running.press("enter", "escape")
        rent, milk = app_setup.store.tasks.list().tasks
        assert (rent.title, rent.priority, rent.project) == ("Pay rent", Priority.HIGH, "home")
        assert rent.recurrence is not None
        assert milk.title == "Buy milk"
        assert running.cursor_title() == "Buy milk"
        assert running.task_list.has_focus


async def test_ctrl_w_takes_every_word_as_title(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.write("Watch friday tomorrow")
        await running.press("ctrl+w", "enter")
        (task,) = app_setup.store.tasks.list().tasks
        assert (task.title, task.due) == ("Watch friday tomorrow", None)


async def test_an_empty_line_adds_nothing(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a", "space", "enter", "enter")
        assert app_setup.store.tasks.list().total == 0


async def test_pasted_lines_are_plain_text_and_one_task_where_that_is_wanted(
    app_setup: AppSetup,
) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        box = running.app.focused
        assert box is not None
        box.post_message(Paste("Buy\r\nmilk \x1b[31mred\x1b[0m \x00\u202e[bold]"))
        await running.settle()
        await running.press("ctrl+w", "enter")
        assert open_titles(app_setup.store) == ["Buy milk red [bold]"]


async def test_e_renames_in_place_and_esc_leaves_the_title(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "Buy milk")
    async with open_pane(app_setup) as running:
        await running.press("e")
        await running.write(" now")
        line = running.line_with("Buy milk now")
        assert line.startswith("▌ ○ Buy milk now")
        await running.press("escape")
        assert open_titles(app_setup.store) == ["Buy milk"]
        await running.press("e")
        await running.write(" and bread")
        await running.press("enter")
        assert app_setup.store.tasks.get(task.id).title == "Buy milk and bread"
        assert running.task_list.has_focus
        assert "~○ Buy milk and bread" in running.shown()


async def test_d_deletes_to_the_trash_and_the_cursor_goes_to_the_neighbour(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("down", "d")
        assert open_titles(app_setup.store) == ["one", "three"]
        assert titles_that_fit(app_setup.store, "trash") == {"two"}
        assert running.cursor_title() == "three"
        assert "Deleted two · u undo" in running.shown()


async def test_a_held_d_deletes_one_task(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, *(f"task {number}" for number in range(9)))
    async with open_pane(app_setup) as running:
        await running.press("d")
        running.moments.now += 0.5
        # At once: a busy machine could take longer between two than a keyboard does.
        for _ in range(30):
            running.pilot.app.simulate_key("d")
        await running.press("d")
        assert app_setup.store.tasks.list().total == 8


async def test_two_presses_of_d_apart_delete_two_tasks(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("d")
        running.moments.now += 5
        await running.press("d")
        assert open_titles(app_setup.store) == ["three"]


async def test_a_second_press_soon_after_deletes_once_it_stood_alone(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("d")
        running.moments.now += 0.3
        await running.press("d")
        await running.until(lambda: app_setup.store.tasks.list().total == 1)
        assert open_titles(app_setup.store) == ["three"]


async def test_u_undoes_U_redoes_and_both_say_what(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two")
    async with open_pane(app_setup) as running:
        await running.press("down", "d", "u")
        assert open_titles(app_setup.store) == ["one", "two"]
        assert "Undone: two is back." in running.shown()
        assert running.cursor_title() == "two"
        await running.press("U")
        assert open_titles(app_setup.store) == ["one"]
        assert "Redone: two" in running.shown()


async def test_a_task_whose_adding_is_undone_leaves_the_list_at_once(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.write("two")
        await running.press("enter", "escape")
        assert "○ two" in running.shown()
        await running.press("u")
        assert open_titles(app_setup.store) == ["one"]
        assert "○ two" not in running.shown()
        assert "1 open" in running.shown()
        await running.press("U")
        assert "○ two" in running.shown()


async def test_undo_with_nothing_to_undo_says_so(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("u")
        assert "Nothing to undo." in running.shown()


async def test_a_field_that_undo_left_alone_is_named(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "one")
    tasks, new_context = app_setup.store.tasks, app_setup.store.new_change_context
    async with open_pane(app_setup) as running:
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


async def test_slash_filters_as_it_is_typed_enter_keeps_and_esc_clears(app_setup: AppSetup) -> None:
    add(app_setup.store, "Buy milk #errands", "Buy bread #errands", "Fix the tap")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.type("#errands milk")
        assert "Buy milk" in running.shown()
        assert "Buy bread" not in running.shown()
        await running.press("enter")
        assert running.task_list.has_focus
        assert "1 open · #errands milk" in running.shown()
        await running.press("escape")
        assert "Fix the tap" in running.shown()
        assert "3 open" in running.shown()


async def test_a_mistake_in_a_filter_is_explained_and_what_stands_before_it_holds(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Buy milk #errands", "Fix the tap")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("#errands due.before:blurb")
        shown = " ".join(running.shown().split())
        assert "“due.before:blurb”" in shown
        assert "Buy milk" in shown
        assert "Fix the tap" not in shown


async def test_a_filter_without_a_match_says_what_it_was_and_how_to_leave(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("zebra")
        await running.press("enter")
        assert "Nothing fits “zebra”." in running.shown()
        await running.press("escape")
        assert "○ one" in running.shown()


async def test_a_search_for_a_day_that_finds_nothing_names_the_filter_for_days(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Call mom friday")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("friday")
        assert "due:friday shows what is due then." in running.shown()


async def test_a_new_task_that_the_filter_hides_is_said_to_be_there(app_setup: AppSetup) -> None:
    add(app_setup.store, "Buy milk #errands")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("#errands")
        await running.press("enter", "a")
        await running.write("Zebra")
        await running.press("enter")
        assert "Added Zebra. This list does not show it." in running.shown()


async def test_a_list_of_what_is_blocked_follows_what_it_waits_for(app_setup: AppSetup) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    by = app_setup.store.new_change_context(Actor.CLI)
    app_setup.store.tasks.update([two.id], {}, add_blockers=[one.id], by=by)
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("blocked")
        await running.press("enter")
        assert "○ two" in running.shown()
        app_setup.store.tasks.complete(
            [one.id], by=app_setup.store.new_change_context(Actor.ASSISTANT)
        )
        await running.settle()
        assert "○ two" not in running.shown()


async def test_digits_set_the_priority(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("1")
        assert app_setup.store.tasks.get(task.id).priority is Priority.HIGH
        await running.press("0")
        assert app_setup.store.tasks.get(task.id).priority is None


async def test_an_empty_list_teaches_two_ways_to_begin(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        words = " ".join(running.shown().split())
        assert "Nothing here yet." in words
        assert "Press a, or tell the assistant: add buy milk tomorrow 5pm." in words
        assert running.pane.selected_tasks == ()
        for key in ("space", "d", "e", "1", "down", "G", "pagedown"):
            await running.press(key)
        assert app_setup.store.tasks.list().total == 0


async def test_what_the_assistant_changes_is_marked_and_scrolled_to(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        running.app.set_focus(None)
        assert "task 55" not in running.shown()
        by = app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        app_setup.store.tasks.update([tasks[55].id], {"title": "task 55 changed"}, by=by)
        await running.settle()
        assert "~○ task 55 changed" in running.shown()
        assert running.cursor_title() == "task 00"


async def test_a_person_who_is_at_work_in_the_list_is_not_moved(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
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


async def test_the_cursor_stays_on_its_task_and_its_line_when_rows_above_it_go(
    app_setup: AppSetup,
) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(90)))
    async with open_pane(app_setup) as running:
        await running.press(*["down"] * 40)
        title, line = running.cursor_title(), running.line_on_screen(tasks[40].id)
        by = app_setup.store.new_change_context(Actor.ASSISTANT)
        app_setup.store.tasks.delete([task.id for task in tasks[:9]], by=by)
        await running.settle()
        assert running.cursor_title() == title
        assert running.line_on_screen(tasks[40].id) == line


async def test_changes_of_another_process_appear_and_the_cursor_stays(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        await running.press(*["down"] * 30)
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


async def test_a_database_that_is_held_by_another_stops_no_key_and_loses_no_word(
    app_setup: AppSetup,
) -> None:
    path = app_setup.store.path
    app_setup.store.close()
    # Long enough for Escape to come before the failure, which opens the box again, on any machine.
    with open_store(path, user="ann", clock=app_setup.clock, busy_seconds=3.0) as store:
        add_titles(store, "one", "two")
        async with open_pane(AppSetup(store, app_setup.clock)) as running:
            await running.press("a")
            with closing(sqlite3.connect(path, isolation_level=None)) as holder:
                holder.execute("BEGIN IMMEDIATE")
                await running.write("Buy milk tomorrow")
                await running.pilot.press("enter", "escape")
                await running.pilot.press("down")
                assert running.cursor_title() == "two"
                await running.until(lambda: "+ Buy milk tomorrow" in running.shown())
                assert store.tasks.list().total == 2
                assert running.task_list.has_focus
                holder.execute("ROLLBACK")
            await running.press("a", "enter")
            assert "Buy milk" in {task.title for task in store.tasks.list().tasks}


async def test_a_rename_that_fails_keeps_the_words_in_the_box(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("e")
        app_setup.store.tasks.delete([task.id], by=app_setup.store.new_change_context(Actor.CLI))
        await running.settle()
        await running.write(" two")
        await running.press("enter")
        assert "trash" in running.shown()
        assert "one two" in running.shown()


async def test_clicks_select_tick_and_the_wheel_scrolls(app_setup: AppSetup) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        row = running.line_on_screen(tasks[4].id)
        assert row is not None
        await running.pilot.click("#task-list", offset=(12, row))
        await running.settle()
        assert running.cursor_title() == "task 04"
        await running.pilot.click("#task-list", offset=(2, row + 1))
        await running.settle()
        assert app_setup.store.tasks.get(tasks[5].id).status is Status.DONE
        assert running.cursor_title() == "task 05"


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        (["j", "j", "k"], "task 01"),
        (["G"], "task 59"),
        (["end", "up"], "task 58"),
        (["G", "g"], "task 00"),
        (["G", "home"], "task 00"),
        (["up"], "task 00"),
        (["G", "down"], "task 59"),
        (["pagedown", "pageup"], "task 00"),
    ],
)
async def test_keys_move_the_cursor(app_setup: AppSetup, keys: list[str], title: str) -> None:
    add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        await running.press(*keys)
        assert running.cursor_title() == title
        assert title in running.shown()


async def test_page_down_reaches_the_end_and_shows_every_task_on_the_way(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    seen: set[str] = set()
    async with open_pane(app_setup) as running:
        for _ in range(6):
            seen |= {line.split("task ")[1][:2] for line in running.lines() if "task " in line}
            await running.press("pagedown")
        assert running.cursor_title() == "task 59"
    assert seen >= {f"{number:02}" for number in range(58)}


async def test_a_task_that_waits_for_its_start_is_not_in_the_list(app_setup: AppSetup) -> None:
    add(app_setup.store, "Plant bulbs")
    app_setup.store.tasks.add(
        TaskFields(title="Later", start=When(date(2027, 1, 1))),
        by=app_setup.store.new_change_context(Actor.CLI),
    )
    async with open_pane(app_setup) as running:
        assert "Later" not in running.shown()
        assert "1 open" in running.shown()


async def test_the_pane_has_nothing_of_other_users(app_setup: AppSetup) -> None:
    with open_store(app_setup.store.path, user="bob", clock=app_setup.clock) as other:
        add_titles(other, "secret")
    async with open_pane(app_setup) as running:
        assert "secret" not in running.shown()
        assert isinstance(running.pane, TaskPane)


async def test_space_in_the_trash_takes_a_task_out(app_setup: AppSetup) -> None:
    (task,) = add_titles(app_setup.store, "one")
    app_setup.store.tasks.delete([task.id], by=app_setup.store.new_change_context(Actor.CLI))
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("trash")
        await running.press("enter")
        assert "TRASH" in running.shown()
        await running.press("d")
        assert "It is in the trash already." in running.shown()
        await running.press("space")
        assert open_titles(app_setup.store) == ["one"]


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
        assert "All done" in running.shown()
        assert running.shown().count("✓") == 5
        assert "4 more · / done" in running.shown()


async def test_tasks_that_cannot_be_read_are_never_an_empty_list(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one")
    with closing(sqlite3.connect(app_setup.store.path)) as other:
        other.execute("ALTER TABLE tasks RENAME TO elsewhere")
    async with open_pane(app_setup) as running:
        assert "Nothing here yet" not in running.shown()
        assert app_setup.store.path.name in "".join(running.shown().split())


async def test_a_change_made_while_the_list_was_hidden_is_in_sight_when_it_is_seen(
    app_setup: AppSetup,
) -> None:
    tasks = add_titles(app_setup.store, *(f"task {number:02}" for number in range(60)))
    async with open_pane(app_setup) as running:
        running.app.set_focus(None)
        running.pane.display = False
        await running.settle()
        by = app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        app_setup.store.tasks.update([tasks[55].id], {"title": "changed"}, by=by)
        await running.settle()
        running.pane.display = True
        await running.settle()
        assert "~○ changed" in running.shown()
