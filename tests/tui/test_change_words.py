"""Change words after the key `s`."""

from __future__ import annotations

from textual.widgets import Input

from tests.change_words import NOT_UNDERSTOOD, ROWS, add_tasks, fields_of
from tests.tui.conftest import AppSetup
from tests.tui.pane import add, open_pane
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When


async def test_change_words_change_the_task_at_the_cursor(app_setup: AppSetup) -> None:
    add_tasks(app_setup.store, app_setup.store.new_change_context(Actor.USER))
    before = fields_of(app_setup.store)
    async with open_pane(app_setup) as running:
        wrong = {}
        # A few fields; the words themselves are read alike at the command line.
        for row in list({tuple(row.changed): row for row in ROWS}.values())[::4]:
            while running.cursor_title() != "Task":
                await running.press("j")
            await running.press("s")
            running.app.query_one("ChangeDrawer Input", Input).value = row.words
            await running.press("enter")
            await running.settle()
            found = fields_of(app_setup.store)
            if found != before | row.changed:
                wrong[row.words] = found
            if found != before:
                await running.press("u")
                await running.settle()
            assert fields_of(app_setup.store) == before, row.words
        assert wrong == {}


async def test_words_that_are_not_understood_change_nothing(app_setup: AppSetup) -> None:
    add_tasks(app_setup.store, app_setup.store.new_change_context(Actor.USER))
    before = fields_of(app_setup.store)
    async with open_pane(app_setup) as running:
        while running.cursor_title() != "Task":
            await running.press("j")
        await running.press("s")
        for words in NOT_UNDERSTOOD:
            running.app.query_one("ChangeDrawer Input", Input).value = words
            await running.press("enter")
            assert "Could not understand" in " ".join(running.shown().split())
        assert fields_of(app_setup.store) == before


async def test_refused_words_keep_the_keys_and_say_why(app_setup: AppSetup) -> None:
    add_tasks(app_setup.store, app_setup.store.new_change_context(Actor.USER))
    before = fields_of(app_setup.store)
    async with open_pane(app_setup) as running:
        await running.press("s")
        await running.write("under #99")
        for _ in range(2):
            await running.press("enter")
            await running.until(lambda: "There is no task #99" in running.shown())
        # Keys go on into the line, not to the list.
        await running.write(" d")
        assert running.app.query_one("ChangeDrawer Input", Input).value == "under #99 d"
        await running.press("escape")
        assert not running.app.query_one("ChangeDrawer Input", Input).value
        assert fields_of(app_setup.store) == before


async def test_links_are_shown_as_they_are_typed(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, (100, 30)) as running:
        await running.press("a")
        await running.write("Cake under #12 after #3")
        shown = " ".join(running.shown().split())
        assert "Cake · There is no task #12" in shown, shown


async def test_a_first_date_is_shown_as_the_change_sets_it(app_setup: AppSetup) -> None:
    tasks = app_setup.store.tasks
    internet, _, kenji = add(
        app_setup.store,
        "Pay internet every month on the 1st",
        "Buy milk",
        "Call Kenji 20 jan 2027",
    )
    (done,) = tasks.complete([internet.id], by=app_setup.store.new_change_context(Actor.CLI))
    assert done.next is not None
    rows = (
        (done.next.id, "every month on the 3rd", "first 3 Jan 2027", "2027-01-03"),
        (kenji.id, "the 5th", "5 Jan 2027", "2027-01-05"),
    )
    async with open_pane(app_setup, (100, 30)) as running:
        for task_id, text, preview, due in rows:
            running.task_list.move_cursor_to(task_id)
            await running.press("s")
            await running.write(text)
            assert preview in running.words()
            await running.press("enter")
            await running.until(lambda: "u undo" in running.shown())
            assert preview in running.words()
            assert tasks.get(task_id).due == When.parse(due)
        # The repeat key says the date of the other task.
        running.task_list.move_cursor_to(2)
        await running.press("full_stop")
        assert "Buy milk: Sat 5 Dec ·" in running.words()
