"""F4: what was done day by day, and how it went."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_text
from todo_tui.tui.action_keys import bind, hint, key_line
from todo_tui.tui.screens.following import FollowingScreen
from todo_tui.tui.widgets.day_map import DayMap
from todo_tui.tui.widgets.period_bar import PERIODS, PeriodBar
from todo_tui.tui.widgets.statistics_lines import (
    chart_lines,
    fact_lines,
    head_line,
    nothing_done,
    project_lines,
)
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    from todo_tui.domain.statistics import Statistics

_KEYS = ("1 – 4 period", "← → ↑ ↓ read a day", "{statistics.close} close")
_FRAME = 8
"""Cells that lie beside the line with the keys."""

_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]


class StatisticsScreen(FollowingScreen[None]):
    """Counted when it opens, when another period is chosen, and when tasks change."""

    CSS_PATH = "statistics.tcss"
    AUTO_FOCUS = "DayMap"
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDING_GROUP_TITLE = "Statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("statistics.close", "dismiss(None)", "close", show=True),
        *(
            bind(f"statistics.period_{place + 1}", f"choose({place})", choice.label)
            for place, choice in enumerate(PERIODS)
        ),
        bind("statistics.next", "next(1)", "Period"),
        bind("statistics.previous", "next(-1)", "Period"),
        bind("statistics.page_down", "scroll(1)", "Down"),
        bind("statistics.page_up", "scroll(-1)", "Up"),
    ]

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._first_weekday = workbench.style.week_start
        self._bar = PeriodBar()
        self._days = DayMap(self._first_weekday)
        self._begun = False

    def compose(self) -> ComposeResult:
        """A box that is as large before its numbers are known."""
        with VerticalScroll(id="statistics", can_focus=False) as box:
            box.border_title = "What was done"
            yield Static(id="headline", markup=False)
            yield self._bar
            yield self._days
            with Container(id="numbers"):
                yield Static(id="facts", markup=False)
                yield Static(id="projects", markup=False)

    def on_resize(self) -> None:
        """Name as many keys as there is room for."""
        self._name_keys()

    def _name_keys(self) -> None:
        keys = _KEYS if self._begun else _KEYS[-1:]
        line = key_line(self.app, keys, self.size.width - _FRAME)
        self.query_one("#statistics").border_subtitle = line

    async def load(self) -> None:
        """Count what was done in the chosen period."""
        days = PERIODS[self._bar.chosen].days
        try:
            found = await asyncio.to_thread(self._store.statistics.read, days)
        except TodoError as error:
            self.query_one("#headline", Static).update(plain_text(error.message))
            return
        self._show(found)

    def _show(self, found: Statistics) -> None:
        begun = bool(found.done_by_day)
        for part in (self._bar, self._days, self.query_one("#numbers")):
            part.display = begun
        self._begun = begun
        self._name_keys()
        if not begun:
            tick = hint(self.app, "{list.tick}")
            self.query_one("#headline", Static).update(nothing_done(found, tick))
            return
        self._days.statistics = found
        self.query_one("#headline", Static).update(head_line(found))
        self.query_one("#facts", Static).update(
            fact_lines(found) + "\n\n" + chart_lines(found, self._first_weekday)
        )
        self.query_one("#projects", Static).update(project_lines(found))

    @on(PeriodBar.Clicked)
    def _take_click(self, event: PeriodBar.Clicked) -> None:
        self.action_choose(event.place)

    def action_choose(self, place: int) -> None:
        """1 to 4."""
        if place != self._bar.chosen:
            self._bar.chosen = place
            self.read()

    def action_next(self, step: int) -> None:
        """Tab."""
        self.action_choose((self._bar.chosen + step) % len(PERIODS))

    def action_scroll(self, direction: int) -> None:
        """Page up and down."""
        box = self.query_one("#statistics", VerticalScroll)
        box.scroll_relative(y=direction * max(box.size.height - 1, 1), animate=False)
