"""The preview of many tasks: rows are edited, dropped and merged before they are added."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import events

from tests.rows import each_row
from tests.tui.conftest import NOW, AppOpener, AppSetup, OpenApp
from todo_tui.domain.change_words.quick_add import read_quick_add
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock, DateStyle
from todo_tui.tui.screens.dump import DumpScreen
from todo_tui.tui.task_list.drawers.quick_add import render_preview


async def paste(running: OpenApp, text: str) -> None:
    running.app.post_message(events.Paste(text))
    await running.settle()


async def test_rows_are_edited_dropped_merged_and_added_as_one_batch(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: Callable[[OpenApp], Awaitable[None]],
) -> None:
    async with open_app() as running:
        await paste(running, "buy milk tomorrow and call mom on friday ~10m\nIdeas\nfor the party")
        assert any("previews these lines" in text for text in running.notified)
        await running.press("alt+d")
        await running.until(lambda: "Brain dump · 4 tasks" in running.shown())
        assert running.composer.text == ""
        assert "Ideas · maybe not a task" in running.shown()
        running.app.clear_notifications()
        await snap_both_sizes(running)

        # The last two are one; the first row has none before it.
        await running.press("m", "down", "down", "down", "m")
        await running.until(lambda: "Ideas for the party · maybe not a task" in running.shown())
        await running.press("e")
        await running.type(" @fun")
        await running.press("enter")
        await running.until(lambda: "@fun" in running.shown())
        await running.press("home", "d", "a")
        await running.type("read book")
        await running.press("ctrl+j")
        await running.type("water plants")
        await running.press("enter")
        await running.until(lambda: "Brain dump · 4 tasks" in running.shown())
        await running.press("enter")
        assert app_setup.store.tasks.find() == ()

        # Left, its rows wait for the next time, below which others go.
        await running.press("escape")
        await running.until(lambda: "Kept 4 tasks for later." in running.notified[-1])
        assert running.composer.text == ""
    async with open_app() as running:
        await running.press("alt+d")
        await running.until(lambda: "Brain dump · 4 tasks" in running.shown())
        await running.press("enter")
        await running.until(lambda: not isinstance(running.app.screen, DumpScreen))
        assert [task.title for task in app_setup.store.tasks.find()] == [
            "call mom", "Ideas for the party", "read book", "water plants",
        ]  # fmt: skip
        assert running.composer.text == ""
        app_setup.store.tasks.undo(by=app_setup.store.new_change_context(Actor.USER))
        assert app_setup.store.tasks.find() == ()

        # Of a long title the end is cut, and not what was read.
        await running.send(f"/dump call {'mother ' * 20}friday 9am #home")
        await running.until(lambda: "… · Fri 20 Nov 09:00 · #home" in running.shown())
        await running.press("d")
        await running.until(lambda: "Brain dump · 0 tasks" in running.shown())
        assert "add all" not in running.shown(), "no keys of rows without rows"
        await running.press("escape")

        # By its command, with nothing yet: a paste gives the rows.
        await running.send("/dump")
        await running.until(lambda: "Type or paste tasks" in running.shown())
        await paste(running, "one\ntwo\nthree")
        await running.until(lambda: "Brain dump · 3 tasks" in running.shown())
        await running.press("escape")
        assert running.composer.text == ""
        await running.send("/dump pay rent and book flights")
        await running.until(lambda: "Brain dump · 5 tasks" in running.shown())


async def test_a_line_that_is_being_typed_waits_with_the_rows(open_app: AppOpener) -> None:
    async with open_app() as running:
        await running.press("alt+d")
        await running.type("half a line")
        await running.press("escape")
        await running.press("alt+d")
        await running.until(lambda: "Brain dump · 1 task" in running.shown())
        assert "half a line" in running.shown()


@each_row(
    ("line", "shown"),
    [
        (
            "Call the insurance about the water damage next friday",
            "Call the insurance about th… · Fri 27 Nov · read as Fri 27 Nov, not t…",
        ),
        (
            "Water plants next friday",
            "Water plants · Fri 27 Nov · read as Fri 27 Nov, not the coming Fri 20…",
        ),
        (
            "Water the plants every friday",
            "Water the plants · every Friday, first Fri 20 Nov · then Fri 27 Nov a…",
        ),
        (
            f"Call {'mother ' * 20}friday #home",
            "Call mother mother mother mother mother mother m… · Fri 20 Nov · #home",
        ),
    ],
)
def test_a_row_cuts_notes_before_the_title_and_never_what_was_read(line: str, shown: str) -> None:
    read = read_quick_add(line, NOW, DateStyle())
    assert render_preview(read, Clock("Europe/Berlin", NOW), {}, 70).plain == shown
