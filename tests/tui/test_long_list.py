"""A long list: its first rows come at once, and no key costs more than in a short one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from textual.app import App, ComposeResult

from tests.tui.conftest import NOW, AppSetup
from tests.tui.pane import OpenPane, open_pane
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import open_store
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.task_list.widget import TaskList

FEW, MANY = 100, 2_000
KEYS = (("down", "up"), ("end", "home"), ("space", "u"))
"""What is pressed, and what takes it back."""
_AT_MOST = 1.35
"""Times the work of a key in a short list; a look at every task would be twenty."""


def fill(app_setup: AppSetup, count: int) -> None:
    """Tasks that are all due on one day, every tenth about milk."""
    fields = [
        TaskFields(
            title=f"{'milk' if number % 10 == 0 else 'task'} {number:04}", due=When(NOW.date())
        )
        for number in range(count)
    ]
    app_setup.store.tasks.add_many(fields, by=app_setup.store.new_change_context(Actor.IMPORT))


async def test_the_first_frame_of_a_long_list_has_rows(app_setup: AppSetup) -> None:
    fill(app_setup, 500)
    pane = TaskPane(app_setup.services())
    heights: list[int] = []

    class FirstFrameApp(App[None]):
        def compose(self) -> ComposeResult:
            yield pane

        def on_mount(self) -> None:
            self.call_after_refresh(lambda: heights.append(pane.query_one(TaskList).outline.height))

    app = FirstFrameApp()
    async with app.run_test() as pilot:
        await pilot.pause()
    assert heights[0] > 0


async def test_a_filter_of_a_long_list_goes_to_its_last_task(app_setup: AppSetup) -> None:
    fill(app_setup, 1_000)
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.type("milk")
        assert running.cursor_title() == "milk 0000"
        assert "100 open" in running.lines()[0]
        await running.press("enter", "end")
        assert "milk 0990" in running.shown()


async def test_a_cursor_deep_in_a_long_list_is_found_again(app_setup: AppSetup) -> None:
    fill(app_setup, 500)
    async with open_pane(app_setup) as running:
        await running.press("end", "up")
        title = running.cursor_title()
        assert title == "task 0498"
        await running.press("slash")
        await running.type("task")
        assert running.cursor_title() == title
        await running.press("escape")
        assert running.cursor_title() == title


@contextmanager
def counting() -> Iterator[list[int]]:
    """How many functions are called in this thread, those of C included."""
    calls = [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


async def calls_of(running: OpenPane, key: str, back: str) -> int:
    """The fewest of a few presses: timers and looks at the store come in between."""
    fewest = []
    for _ in range(2):
        with counting() as calls:
            await running.press(key)
        fewest.append(calls[0])
        await running.press(back)
    return min(fewest)


async def test_no_key_costs_more_in_a_long_list_than_in_a_short_one(tmp_path: Path) -> None:
    spent: dict[str, list[int]] = {}
    for count in (FEW, MANY):
        clock = Clock("Europe/Berlin", NOW)
        with open_store(tmp_path / f"{count}.db", user="ann", clock=clock) as store:
            app_setup = AppSetup(store, clock)
            fill(app_setup, count)
            async with open_pane(app_setup) as running:
                await running.settle()
                for key, back in KEYS:
                    spent.setdefault(key, []).append(await calls_of(running, key, back))
    for key, (few, many) in spent.items():
        assert many <= few * _AT_MOST, f"{key}: {many:,} calls, {few:,} in a short list"
