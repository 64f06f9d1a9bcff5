"""The calendar: a month of what is due, and the tasks of one day of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.phrases.spoken import month_name
from todo_tui.domain.text import plain_text
from todo_tui.tui.action_keys import bind, hint
from todo_tui.tui.later import Later
from todo_tui.tui.messages import TasksChanged
from todo_tui.tui.views.month import read_month
from todo_tui.tui.widgets.day_lines import day_lines
from todo_tui.tui.widgets.month_grid import MonthGrid
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange

_KEYS = (
    "{calendar.show} show the day · {calendar.month_back} {calendar.month_on} month"
    " · {calendar.today} today · {calendar.close} close"
)

_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]


class CalendarScreen(ModalScreen[date | None]):
    """Answers with the day whose tasks are wanted in the list; None where none is."""

    CSS_PATH = "calendar.tcss"
    AUTO_FOCUS = "MonthGrid"
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDING_GROUP_TITLE = "Calendar"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("calendar.close", "dismiss(None)", "close", show=True),
    ]

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._store = workbench.store
        self._clock = workbench.clock
        self._week_start = workbench.style.week_start
        self._grid = MonthGrid(workbench.clock.now().date())
        self._unsubscribe: Callable[[], None] | None = None

    def compose(self) -> ComposeResult:
        """The grid, and beside or below it the day under the cursor."""
        with Vertical(id="calendar") as box:
            box.border_subtitle = hint(self.app, _KEYS)
            with Container(id="month"):
                yield self._grid
                with VerticalScroll(id="day", can_focus=False):
                    yield Static(id="day-lines", markup=False)

    def on_mount(self) -> None:
        """Read the month, and again after every change."""
        self._unsubscribe = self._store.tasks.subscribe(self._post_changes)
        self._read()

    def on_unmount(self) -> None:
        """Stop listening to the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Called on whichever thread wrote."""
        self.post_message(TasksChanged(changes))

    @on(TasksChanged)
    def _read(self) -> None:
        self.run_worker(Later(self._load), group="calendar", exclusive=True)

    async def _load(self) -> None:
        month = self._grid.day.replace(day=1)
        try:
            page = await asyncio.to_thread(read_month, self._store, month, self._week_start)
        except TodoError as error:
            self.query_one("#day-lines", Static).update(plain_text(error.message))
            return
        self._grid.today = self._clock.now().date()
        self._grid.page = page
        self.query_one("#calendar").border_title = f"{month_name(month.month)} {month.year}"
        self._show_day()

    @on(MonthGrid.DayChanged)
    def _follow(self) -> None:
        page = self._grid.page
        day = self._grid.day
        if page is not None and (page.month.year, page.month.month) == (day.year, day.month):
            self._show_day()
        else:
            self._read()

    @on(MonthGrid.DayChosen)
    def _choose(self) -> None:
        self.dismiss(self._grid.day)

    def _show_day(self) -> None:
        page = self._grid.page
        if page is not None:
            lines = day_lines(page.day(self._grid.day), self._grid.day, self._clock.now())
            self.query_one("#day-lines", Static).update(lines)
            self.query_one("#day").scroll_home(animate=False)
