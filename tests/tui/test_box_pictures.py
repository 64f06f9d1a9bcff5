"""What the boxes of the list, the editor and a reminder look like."""

from __future__ import annotations

import re
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.moved_clock import MovedClock
from tests.tui.conftest import AppSetup, ComparePicture, Svg
from tests.tui.pane import OpenPane, add, open_pane
from tests.tui.test_reminders import add as add_due
from tests.tui.test_reminders import clock, come, moving, reminding
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.tui.screens.task_editor import TaskEditorScreen

__all__ = ["clock", "moving"]

NOTES = """# How

- **first** the *bank*: https://example.org/a
- [x] then `the rest`

> as [they](https://they.example) said"""


def prepare(app_setup: AppSetup) -> None:
    """A task that has everything, and others around it."""
    add(
        app_setup.store,
        "Pay rent every month on the 1st !high #home @bank",
        "Find the contract #home.papers",
        "Buy milk tomorrow 5pm #errands",
    )
    by = app_setup.store.new_change_context(Actor.CLI)
    fields = TaskFields(notes=NOTES, blocked_by=(2,))
    app_setup.store.tasks.update([1], fields, by=by)
    app_setup.store.tasks.annotate(1, "They raised it again", by=by)


def picture(running: OpenPane) -> str:
    svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def test_quick_add_with_candidates(app_setup: AppSetup, snapshot: SnapshotAssertion) -> None:
    prepare(app_setup)
    async with open_pane(app_setup, (70, 20)) as running:
        await running.press("a")
        await running.write("Water the roses every 3 days !low @bank #ho")
        assert picture(running) == snapshot(extension_class=Svg)


async def test_a_mistaken_filter(app_setup: AppSetup, snapshot: SnapshotAssertion) -> None:
    prepare(app_setup)
    async with open_pane(app_setup, (70, 20)) as running:
        await running.press("/")
        await running.write("#home & (prioity:high | due<fri) rent ")
        assert picture(running) == snapshot(extension_class=Svg)


async def test_the_editor(app_setup: AppSetup, snapshot: SnapshotAssertion) -> None:
    prepare(app_setup)
    async with open_pane(app_setup, (80, 24)) as running:
        running.task_list.move_cursor_to(1)
        await running.press("E")
        await running.until(lambda: isinstance(running.app.screen, TaskEditorScreen))
        await running.settle()
        await running.press("tab", "tab")
        await running.write(" 5pm Europe/London")
        await running.press("tab")
        await running.write("30 feb")
        assert picture(running) == snapshot(extension_class=Svg)


async def test_the_details(app_setup: AppSetup, snapshot: SnapshotAssertion) -> None:
    prepare(app_setup)
    async with open_pane(app_setup, (70, 36)) as running:
        running.task_list.move_cursor_to(1)
        await running.press("v")
        await running.settle()
        assert picture(running) == snapshot(extension_class=Svg)


async def test_a_reminder(
    moving: AppSetup,  # the fixture that is imported above
    clock: MovedClock,  # as above
    snap_compare: ComparePicture,
    tmp_path: Path,
) -> None:
    async with reminding(moving) as running:
        add_due(moving, "Call mom", 17)
        await come(running, clock, 17)
        await running.press("alt+z")
        await snap_compare(running)
