"""The task pane in an app of its own, over a store in a file."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input

import todo_tui.tui.app as real_app
from tests.tui.conftest import POLL_SECONDS, AppSetup
from tests.tui.driving import press_keys, type_text, wait_until_idle
from todo_tui.domain.change_words.quick_add import read_quick_add
from todo_tui.domain.changes import TaskChange
from todo_tui.domain.task import Actor, Task, TaskFields
from todo_tui.domain.when import DateStyle
from todo_tui.store.store import Store
from todo_tui.tui.store_watch import TasksChanged
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.theme import DARK, LIGHT

PANE = (60, 30)
"""About what the pane has of a wide screen."""

_STYLES = Path(real_app.__file__).parent / "task_list"
_PATIENCE_SECONDS = 120.0


class Moments:
    """A monotonic clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class PaneApp(App[None]):
    """Nothing but the pane; posts the store's news to it as the real app does."""

    CSS_PATH: ClassVar = [_STYLES / "widget.tcss", _STYLES / "pane.tcss"]

    def __init__(self, app_setup: AppSetup, theme: str, moments: Moments) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = (LIGHT if theme == "light" else DARK).name
        self.animation_level = "none"
        self._store = app_setup.store
        self.pane = TaskPane(app_setup.services(), id="tasks", monotonic=moments)

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self._store.tasks.subscribe(self._post)
        self.pane.focus_list()

    def _post(self, changes: tuple[TaskChange, ...]) -> None:
        self.post_message(TasksChanged(changes))

    def on_tasks_changed(self, event: TasksChanged) -> None:
        self.pane.show_changes(event.changes)


@dataclass
class OpenPane:
    """A running pane, with the waits that tests need."""

    app: PaneApp
    pilot: Pilot[None]
    store: Store
    moments: Moments

    @property
    def pane(self) -> TaskPane:
        return self.app.pane

    @property
    def task_list(self) -> TaskList:
        return self.app.query_one(TaskList)

    def line_on_screen(self, task_id: int) -> int | None:
        """The line of a task from the top of the list."""
        line = self.task_list.outline.line_of(task_id)
        return None if line is None else line - self.task_list.scroll_offset.y

    async def press(self, *keys: str) -> None:
        """Press keys, then wait until all that they began is done and drawn."""
        await press_keys(self.app, keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Press a key for each character."""
        type_text(self.app, text)
        await self.settle()

    async def write(self, text: str) -> None:
        """Put a text into the box that has the focus, all at once: much quicker than keys."""
        box = self.app.focused
        assert isinstance(box, Input)
        box.post_message(events.Paste(text))
        await self.settle()

    async def settle(self) -> None:
        await self.until(lambda: all(worker.is_finished for worker in self.app.workers))

    async def until(self, holds: Callable[[], object]) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        await wait_until_idle()
        while not holds():
            assert time.monotonic() < deadline, "the pane did not come so far"
            await asyncio.sleep(POLL_SECONDS)
            await wait_until_idle()
        await wait_until_idle()

    def strips(self) -> list[Strip]:
        """The whole screen as it is drawn."""
        return list(self.app.screen._compositor.render_strips())

    def lines(self) -> list[str]:
        """The words on screen, without the spaces at their ends."""
        return [strip.text.rstrip() for strip in self.strips()]

    def shown(self) -> str:
        return "\n".join(self.lines())

    def words(self) -> str:
        """What `shown` returns, with one space for several between columns."""
        return re.sub(" {2,}", " ", self.shown())

    def line_with(self, words: str) -> str:
        """The one line in which these words stand."""
        (line,) = (line for line in self.lines() if words in line)
        return line

    def cursor_title(self) -> str | None:
        """The title under the cursor."""
        return next((title for _, title in self.pane.selected_tasks), None)


@asynccontextmanager
async def open_pane(
    app_setup: AppSetup, size: tuple[int, int] = PANE, theme: str = "dark"
) -> AsyncIterator[OpenPane]:
    """The pane over the store of the app_setup, with the list focused."""
    moments = Moments()
    app = PaneApp(app_setup, theme, moments)
    async with app.run_test(size=size) as pilot:
        running = OpenPane(app, pilot, app_setup.store, moments)
        await running.settle()
        yield running


def add(store: Store, *lines: str) -> tuple[Task, ...]:
    """Tasks as quick add reads them, made by nobody in particular."""
    now, style = store.clock.now(), DateStyle()
    fields = [read_quick_add(line, now, style).task_fields() for line in lines]
    return store.tasks.add_many(fields, by=store.new_change_context(Actor.CLI))


def add_titles(store: Store, *titles: str) -> tuple[Task, ...]:
    """Tasks with exactly these titles."""
    return store.tasks.add_many(
        [TaskFields(title=title) for title in titles], by=store.new_change_context(Actor.CLI)
    )
