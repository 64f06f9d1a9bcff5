"""The calendar: a month of what is due, and the tasks of one day of it."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.phrases.spoken import month_name
from todo_tui.domain.text import plain_text
from todo_tui.tui.action_keys import bind, key_line
from todo_tui.tui.screens.following import FollowingScreen
from todo_tui.tui.views.month import read_month
from todo_tui.tui.widgets.day_lines import day_lines
from todo_tui.tui.widgets.month_grid import MonthGrid
from todo_tui.tui.workbench import Workbench

_KEYS = (
    "{calendar.show} show the day",
    "{calendar.month_back} {calendar.month_on} month",
    "{calendar.today} today",
    "{calendar.close} close",
)
_FRAME = 6
"""Cells of the line with the keys that its corners take."""

_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]


class CalendarScreen(FollowingScreen[date | None]):
    """Answers with the day whose tasks are wanted in the list; None where none is."""

    CSS_PATH = "calendar.tcss"
    AUTO_FOCUS = "MonthGrid"
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDING_GROUP_TITLE = "Calendar"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("calendar.close", "dismiss(None)", "close", show=True),
    ]

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._clock = workbench.clock
        self._week_start = workbench.style.week_start
        self._grid = MonthGrid(workbench.clock.now().date())

    def compose(self) -> ComposeResult:
        """The grid, and beside or below it the day under the cursor."""
        with Vertical(id="calendar"), Container(id="month"):
            yield self._grid
            with VerticalScroll(id="day", can_focus=False):
                yield Static(id="day-lines", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Name as many keys as there is room for."""
        keys = key_line(self.app, _KEYS, event.size.width - _FRAME)
        self.query_one("#calendar").border_subtitle = keys

    async def load(self) -> None:
        """Read the month of the day under the cursor."""
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
            self.read()

    @on(MonthGrid.DayChosen)
    def _choose(self) -> None:
        self.dismiss(self._grid.day)

    def _show_day(self) -> None:
        page = self._grid.page
        if page is not None:
            lines = day_lines(page.day(self._grid.day), self._grid.day, self._clock.now())
            self.query_one("#day-lines", Static).update(lines)
            self.query_one("#day").scroll_home(animate=False)
