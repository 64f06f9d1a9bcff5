"""Statistics (F4): period selector, heat map, facts, charts and projects."""

import asyncio
from datetime import date
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain import statistics_text
from todo_tui.domain.dates.text import format_day
from todo_tui.domain.statistics import Period, ProjectCounts, Statistics, week_number
from todo_tui.domain.text import format_count, listed_count
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint, join_hints
from todo_tui.tui.actions.screens import HEAT_MAP, STATISTICS
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.tab_bar import TabBar
from todo_tui.tui.widgets.text import display_line, pad_or_clip

_DAYS_A_WEEK = 7
_WEEKS = 53
"""Number of weeks that a year touches at most."""
_WEEKDAY = 5
"""Columns before the first week; the line above the first row names the months."""
_IN_PERIOD = (FAINT, "$text-success 65%", "$text-success 75%", "$text-success 85%", "$text-success")
_OUTSIDE = (FAINT, MUTED, MUTED, MUTED, MUTED)
_READ = "◆"
"""Mark of the selected day, visible without colour too."""
PERIODS = (("30 days", 30), ("90 days", 90), ("Year", 365), ("All", None))
YEAR = 2
_VALUE = 12
_CHART = statistics_text.WEEKS_SHOWN + 2
_PROJECT = 17
_COLUMNS = (("Done", 7), ("Open", 7), ("On time", 9))
_MAX_PROJECTS = 100
_KEYS = ("1 – 4 period", "← → ↑ ↓ select day", "{statistics.close} close")
_FRAME = 8
"""Cells of the border line beside the key hints."""


class HeatMapGrid(ActionHost, Widget, can_focus=True):
    """Heat map of completed tasks per day, with the period in colour and the rest in grey.

    Moving past the oldest week shown turns to the year before.
    """

    ACTIONS = HEAT_MAP

    statistics: reactive[Statistics | None] = reactive(None)
    day: reactive[date | None] = reactive(None)

    def __init__(self, first_weekday: int) -> None:
        super().__init__()
        self._first_weekday = first_weekday
        self._pages_back = 0

    @property
    def cell_width(self) -> int:
        """Width of a day, in columns."""
        return 2 if self._room >= 2 * _WEEKS else 1

    @property
    def picture(self) -> statistics_text.HeatMap | None:
        """Heat map of the weeks that fit."""
        found = self.statistics
        if found is None or self._room < 1:
            return None
        weeks = self._weeks
        newest = week_number(found.today, self._first_weekday) - self._pages_back * (weeks - 1)
        # A week is seven ordinals, and ordinal 1 is the first day of the calendar.
        end = (newest + 1) * _DAYS_A_WEEK + self._first_weekday
        last = min(found.today, date.fromordinal(min(end, date.max.toordinal())))
        return statistics_text.build_heat_map(
            found.done_by_day,
            Period.up_to(last, weeks * _DAYS_A_WEEK),
            most_weeks=weeks,
            first_weekday=self._first_weekday,
        )

    def action_move(self, days: int) -> None:
        """Move the selection by `days`, back to the first day with data."""
        found = self.statistics
        if found is None:
            return
        year = Period.up_to(found.today, (self._weeks - 1) * _DAYS_A_WEEK)
        oldest = min([year.first, *found.done_by_day]).toordinal()
        wanted = (self.day or found.today).toordinal() + days
        self._select(date.fromordinal(max(oldest, min(wanted, found.today.toordinal()))), found)

    def action_to_today(self) -> None:
        """Select today."""
        if self.statistics is not None:
            self._select(self.statistics.today, self.statistics)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select the day under the mouse."""
        picture = self.picture
        week, row = (event.x - _WEEKDAY) // self.cell_width, event.y - 1
        if picture is not None and 0 <= row < _DAYS_A_WEEK and 0 <= week < len(picture.weeks):
            cell = picture.weeks[week][row]
            self.day = cell.day if cell is not None else self.day

    def render(self) -> Content:
        """Draw the months, seven rows, and a sentence about the selected day."""
        found, picture = self.statistics, self.picture
        if found is None or picture is None:
            return Content("")
        months = picture.month_line(self.cell_width)
        lines = [Content.styled(" " * _WEEKDAY + months, MUTED)]
        for name, row in zip(picture.weekdays(), picture.rows(), strict=True):
            cells = [self._cell(each, found.period) for each in row]
            lines.append(Content.assemble((f"{name:<{_WEEKDAY}}", MUTED), *cells))
        signs = [f"{shade} " for shade in statistics_text.SHADES]
        shades = Content.assemble(*zip(signs, _IN_PERIOD, strict=True))
        scale = Content.assemble(" " * _WEEKDAY, ("less ", MUTED), shades, ("more", MUTED))
        lines.append(scale + f"    {self._reading(found)}")
        return Content("\n").join(lines)

    def _cell(self, cell: statistics_text.HeatCell | None, period: Period) -> tuple[str, str]:
        if cell is None:
            return " " * self.cell_width, ""
        if cell.day == self.day:
            return f"{_READ:<{self.cell_width}}", "bold $primary"
        style = _IN_PERIOD[cell.level] if cell.day in period else _OUTSIDE[cell.level]
        return f"{statistics_text.SHADES[cell.level]:<{self.cell_width}}", style

    def _reading(self, found: Statistics) -> str:
        if self.day is None:
            return statistics_text.format_busiest_day(found)
        done = found.done_by_day.get(self.day, 0)
        return f"{format_day(self.day, found.today)}: {f'{done:,}' if done else 'none'} completed"

    def _select(self, day: date, found: Statistics) -> None:
        """Select a day and change the page until it is shown."""
        picture = self.picture
        if picture is not None and day not in picture.period:
            newest, chosen = (week_number(each, self._first_weekday) for each in (found.today, day))
            self._pages_back = (newest - chosen) // (self._weeks - 1)
        self.day = day

    @property
    def _room(self) -> int:
        return self.size.width - _WEEKDAY

    @property
    def _weeks(self) -> int:
        return max(min(self._room // self.cell_width, _WEEKS), 2)


def format_empty_statistics(found: Statistics, tick: str) -> Content:
    """Return the text of a period without data, with the key that completes a task."""
    are_open = f"You have {format_count(found.open, 'open task')}. " if found.open else ""
    return Content.assemble(
        ("No completed tasks yet.\n\n", "bold"),
        f"{are_open}Press {tick} in the task list to complete one. Completed tasks, streaks"
        " and on-time rate appear here.",
    )


def format_facts(found: Statistics, first_weekday: int) -> Content:
    """Return the facts, then the sparklines, one per line."""
    lines: list[Content] = []
    facts = statistics_text.key_figures(found)
    charts = statistics_text.statistics_charts(found, first_weekday)
    width = 2 + max(len(label) for label in [f.label for f in facts] + [c.label for c in charts])
    for fact in facts:
        value = (f"{fact.value:<{_VALUE}}", "bold")
        lines.append(Content.assemble((f"{fact.label:<{width}}", MUTED), value, fact.note))
    lines.append(Content(""))
    for chart in charts:
        bars = statistics_text.format_sparkline(chart.values, statistics_text.BARS)
        value = (f"{bars:<{_CHART}}", "$text-success")
        lines.append(Content.assemble((f"{chart.label:<{width}}", MUTED), value, chart.note))
    return Content("\n").join(lines)


def format_projects(found: Statistics) -> Content:
    """Return the projects, one per line, busiest first."""
    heads = "".join(f"{name:>{width}}" for name, width in _COLUMNS)
    lines = [Content.styled(f"{'Project':<{_PROJECT}}{heads}", FAINT)]
    shown = listed_count(len(found.projects), _MAX_PROJECTS)
    lines += map(_project, found.projects[:shown])
    if left_out := len(found.projects) - shown:
        lines.append(Content.styled(f"and {left_out:,} more", MUTED))
    return Content("\n").join(lines)


def _project(each: ProjectCounts) -> Content:
    texts = (f"{each.done:,}", f"{each.open:,}", statistics_text.format_share(each.punctuality))
    numbers = "".join(f"{text:>{width}}" for text, (_, width) in zip(texts, _COLUMNS, strict=True))
    name = "No project" if each.project is None else display_line(each.project)
    style = MUTED if each.project is None else ""
    return Content.assemble((pad_or_clip(name, _PROJECT), style), numbers)


class StatisticsScreen(ActionHost, LiveScreen[None]):
    """Statistics, read when it opens, when the period changes and when tasks change."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "HeatMapGrid"
    ERROR_PLACE = "#headline"
    ACTIONS = STATISTICS

    def __init__(self, services: AppServices) -> None:
        super().__init__(services)
        self._first_weekday = services.style.week_start
        self._bar = TabBar([label for label, _ in PERIODS], YEAR)
        self._days = HeatMapGrid(self._first_weekday)
        self._begun = False

    def compose(self) -> ComposeResult:
        """Lay out a box with its final size before the numbers are known."""
        with VerticalScroll(id="statistics", can_focus=False) as box:
            box.border_title = "Statistics"
            yield Static(id="headline", markup=False)
            yield self._bar
            yield self._days
            with Container(id="numbers"):
                yield Static(id="facts", markup=False)
                yield Static(id="projects", markup=False)

    @on(events.Resize)
    def _name_keys(self) -> None:
        keys = _KEYS if self._begun else _KEYS[-1:]
        line = join_hints(self.app, keys, self.size.width - _FRAME)
        self.query_one("#statistics").border_subtitle = line

    async def load(self) -> None:
        """Read the statistics of the chosen period."""
        _, days = PERIODS[self._bar.chosen]
        headline = self.query_one("#headline", Static)
        found = await asyncio.to_thread(self.services.store.statistics.read, days)
        self._begun = bool(found.done_by_day)
        for part in (self._bar, self._days, self.query_one("#numbers")):
            part.display = self._begun
        self._name_keys()
        if not self._begun:
            headline.update(format_empty_statistics(found, format_hint(self.app, "{list.tick}")))
            return
        self._days.statistics = found
        done = statistics_text.format_headline(found)
        period = statistics_text.format_period(found.period.first, found.period.last, found.today)
        headline.update(Content.assemble((done, "bold"), (f"   {period}", MUTED)))
        self.query_one("#facts", Static).update(format_facts(found, self._first_weekday))
        self.query_one("#projects", Static).update(format_projects(found))

    def action_choose(self, place: int) -> None:
        """Choose the period at that index."""
        if place != self._bar.chosen:
            self._bar.chosen = place
            self.read()

    def action_next(self, step: int) -> None:
        """Choose the next period."""
        self.action_choose((self._bar.chosen + step) % len(PERIODS))

    def action_scroll(self, direction: int) -> None:
        """Scroll by one page."""
        box = self.query_one("#statistics", VerticalScroll)
        box.scroll_relative(y=direction * max(box.size.height - 1, 1), animate=False)
