"""A year of days as a picture, busy ones darker; keys and the mouse read single days."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.heat_map import SHADES, HeatCell, HeatMap, heat_map
from todo_tui.domain.phrases.spoken import day_words
from todo_tui.domain.statistics import Period, Statistics, week_number
from todo_tui.domain.statistics_words import busiest_words
from todo_tui.tui.action_keys import bind
from todo_tui.tui.theme import FAINT, MUTED

_DAYS_A_WEEK = 7
_WEEKS = 53
"""What a year has at most."""
_WEEKDAY = 5
"""Columns before the first week; above the first row stands a line of months."""
_IN_PERIOD = (FAINT, "$text-success 65%", "$text-success 75%", "$text-success 85%", "$text-success")
_OUTSIDE = (FAINT, MUTED, MUTED, MUTED, MUTED)
"""For each level of a day."""
_READ = "◆"
"""Stands in place of the day that is read, to be seen without colour too."""


class DayMap(Widget, can_focus=True):
    """What was done on each day; those of the period in colour, the others in grey.

    Moving on behind the oldest week that is shown turns the page to the year before.
    """

    BINDING_GROUP_TITLE = "Statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("statistics.week_back", "move(-7)", "A week back"),
        bind("statistics.week_on", "move(7)", "A week on"),
        bind("statistics.day_back", "move(-1)", "A day back"),
        bind("statistics.day_on", "move(1)", "A day on"),
        bind("statistics.today", "to_today", "Today"),
    ]

    statistics: reactive[Statistics | None] = reactive(None)
    day: reactive[date | None] = reactive(None)
    """The day that is being read."""

    def __init__(self, first_weekday: int) -> None:
        super().__init__()
        self._first_weekday = first_weekday
        self._pages_back = 0

    @property
    def cell_width(self) -> int:
        """Columns of a day."""
        return 2 if self._room >= 2 * _WEEKS else 1

    @property
    def picture(self) -> HeatMap | None:
        """The weeks that fit."""
        found = self.statistics
        if found is None or self._room < 1:
            return None
        weeks = self._weeks
        newest = week_number(found.today, self._first_weekday) - self._pages_back * (weeks - 1)
        # A week is seven ordinals long, and the first of the calendar is day 1.
        end = (newest + 1) * _DAYS_A_WEEK + self._first_weekday
        last = min(found.today, date.fromordinal(min(end, date.max.toordinal())))
        return heat_map(
            found.done_by_day,
            Period.up_to(last, weeks * _DAYS_A_WEEK),
            most_weeks=weeks,
            first_weekday=self._first_weekday,
        )

    def action_move(self, days: int) -> None:
        """Arrow keys: read another day, as far back as there is anything."""
        found = self.statistics
        if found is None:
            return
        year = Period.up_to(found.today, (self._weeks - 1) * _DAYS_A_WEEK)
        oldest = min([year.first, *found.done_by_day]).toordinal()
        wanted = (self.day or found.today).toordinal() + days
        day = date.fromordinal(max(oldest, min(wanted, found.today.toordinal())))
        self._turn_to(day, found.today)
        self.day = day

    def action_to_today(self) -> None:
        """End."""
        if self.statistics is not None:
            self._turn_to(self.statistics.today, self.statistics.today)
            self.day = self.statistics.today

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The day below the mouse is read."""
        picture = self.picture
        week, row = (event.x - _WEEKDAY) // self.cell_width, event.y - 1
        if picture is None or not 0 <= row < _DAYS_A_WEEK or not 0 <= week < len(picture.weeks):
            return
        cell = picture.weeks[week][row]
        if cell is not None:
            self.day = cell.day

    def render(self) -> Content:
        """Months, seven rows, and in words what is looked at."""
        found, picture = self.statistics, self.picture
        if found is None or picture is None:
            return Content("")
        months = picture.month_line(self.cell_width)
        lines = [Content.styled(" " * _WEEKDAY + months, MUTED)]
        for name, row in zip(picture.weekdays(), picture.rows(), strict=True):
            cells = [self._cell(each, found.period) for each in row]
            lines.append(Content.assemble((f"{name:<{_WEEKDAY}}", MUTED), *cells))
        lines.append(_legend(self._reading(found)))
        return Content("\n").join(lines)

    def _cell(self, cell: HeatCell | None, period: Period) -> tuple[str, str]:
        if cell is None:
            return " " * self.cell_width, ""
        if cell.day == self.day:
            return f"{_READ:<{self.cell_width}}", "bold $primary"
        style = _IN_PERIOD[cell.level] if cell.day in period else _OUTSIDE[cell.level]
        return f"{SHADES[cell.level]:<{self.cell_width}}", style

    def _reading(self, found: Statistics) -> str:
        if self.day is None:
            return busiest_words(found)
        done = found.done_by_day.get(self.day, 0)
        return f"{day_words(self.day, found.today)}: {f'{done:,}' if done else 'nothing'} done"

    def _turn_to(self, day: date, today: date) -> None:
        """Turn pages until the day is on the one that is shown."""
        picture = self.picture
        if picture is not None and day not in picture.period:
            newest = week_number(today, self._first_weekday)
            weeks_back = newest - week_number(day, self._first_weekday)
            self._pages_back = weeks_back // (self._weeks - 1)

    @property
    def _room(self) -> int:
        return self.size.width - _WEEKDAY

    @property
    def _weeks(self) -> int:
        return max(min(self._room // self.cell_width, _WEEKS), 2)


def _legend(words: str) -> Content:
    shades = [(f"{sign} ", style) for sign, style in zip(SHADES, _IN_PERIOD, strict=True)]
    return Content.assemble(
        " " * _WEEKDAY, ("less ", MUTED), *shades, ("more", MUTED), (f"    {words}", "")
    )
