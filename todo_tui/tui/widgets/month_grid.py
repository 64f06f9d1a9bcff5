"""A month as a grid of days, with the titles of what is due as far as they fit."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.phrases.spoken import weekday_name
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import bind
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.month import DayPage, MonthPage
from todo_tui.tui.widgets.cell_text import clip, fit, steady

_DAYS = 7
_TOP = 1
"""The line of weekdays."""
_CURSOR = "on $accent 22%"
_COLOURLESS_CURSOR = "reverse"


class MonthGrid(Widget, can_focus=True):
    """The grid, with a cursor on one day; it says when that is another one."""

    ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "Calendar"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("calendar.day_back", "move(-1)", "A day back"),
        bind("calendar.day_on", "move(1)", "A day on"),
        bind("calendar.week_back", "move(-7)", "A week back"),
        bind("calendar.week_on", "move(7)", "A week on"),
        bind("calendar.month_back", "turn(-1)", "A month back"),
        bind("calendar.month_on", "turn(1)", "A month on"),
        bind("calendar.today", "to_today", "Today"),
        bind("calendar.show", "choose", "Show the day"),
    ]

    page: reactive[MonthPage | None] = reactive(None)
    day: reactive[date] = reactive(date(1970, 1, 1))

    class DayChanged(Message):
        """The cursor is on another day."""

    class DayChosen(Message):
        """The tasks of the day under the cursor are wanted in the list."""

    def __init__(self, today: date) -> None:
        super().__init__()
        self.today = today
        self.set_reactive(MonthGrid.day, today)

    def action_move(self, days: int) -> None:
        """Go some days on, or back."""
        ordinal = self.day.toordinal() + days
        self._go_to(date.fromordinal(min(max(ordinal, 1), date.max.toordinal())))

    def action_turn(self, months: int) -> None:
        """Go to the same day of another month, or its last."""
        number = self.day.year * 12 + self.day.month - 1 + months
        year, month = number // 12, number % 12 + 1
        if date.min.year <= year <= date.max.year:
            last = monthrange(year, month)[1]
            self._go_to(date(year, month, min(self.day.day, last)))

    def action_to_today(self) -> None:
        """Go to the present day."""
        self._go_to(self.today)

    def action_choose(self) -> None:
        """Enter."""
        self.post_message(self.DayChosen())

    def on_click(self, event: events.Click) -> None:
        """A click goes to a day; one on the day where the cursor is chooses it."""
        day = self._day_at(event.x, event.y)
        if day == self.day:
            self.action_choose()
        elif day is not None:
            self._go_to(day)

    def on_mouse_scroll_down(self) -> None:
        """The wheel turns months."""
        self.action_turn(1)

    def on_mouse_scroll_up(self) -> None:
        """As above."""
        self.action_turn(-1)

    def _go_to(self, day: date) -> None:
        if day != self.day:
            self.day = day
            self.post_message(self.DayChanged())

    def _day_at(self, x: int, y: int) -> date | None:
        page = self.page
        if page is None or y < _TOP:
            return None
        week, column = (y - _TOP) // self._height, x // self._width
        if week >= len(page.weeks) or column >= _DAYS:
            return None
        return page.weeks[week][column]

    @property
    def _width(self) -> int:
        """Cells of a day."""
        return max(self.size.width // _DAYS, 4)

    @property
    def _height(self) -> int:
        """Lines of a week."""
        weeks = 6 if self.page is None else len(self.page.weeks)
        return max((self.size.height - _TOP) // weeks, 1)

    def render(self) -> Content:
        """Weekdays, then week by week."""
        page = self.page
        if page is None:
            return Content("")
        names = "".join(
            fit(f" {weekday_name(day.weekday())[:3]}", self._width) for day in page.weeks[0]
        )
        lines = [Content.styled(names, MUTED)]
        for week in page.weeks:
            cells = [self._cell(page, day) for day in week]
            lines += [Content.assemble(*row) for row in zip(*cells, strict=True)]
        return Content("\n").join(lines)

    def _cell(self, page: MonthPage, day: date) -> list[Content]:
        """The lines of one day, all as wide as the cell."""
        found = page.day(day)
        is_outside = day.month != page.month.month
        room = self._height - 1
        lines = [self._number(found, day, is_outside), *self._titles(found, day, room)]
        lines += [Content(" " * self._width)] * (self._height - len(lines))
        if is_outside:
            lines = [line.stylize(FAINT) for line in lines]
        if day == self.day:
            cursor = _COLOURLESS_CURSOR if self.app.ansi_color else _CURSOR
            lines = [line.stylize_before(cursor) for line in lines]
        return lines

    def _number(self, found: DayPage, day: date, is_outside: bool) -> Content:
        """`18     3`: the day, and how much is due."""
        style = "bold reverse $accent" if day == self.today else "bold" if found.due else ""
        number = f"{day.day:>2} "
        count = f"{found.due:,}" if found.due else "↻" if found.coming else ""
        late = day < self.today and found.due and not is_outside
        gap = self._width - 1 - len(number) - len(count) - 1
        return Content.assemble(
            " ", (number, style or MUTED), " " * max(gap, 0),
            (count, "$text-error" if late else MUTED), " ",
        )  # fmt: skip

    def _titles(self, found: DayPage, day: date, room: int) -> list[Content]:
        late = "$text-error" if day < self.today else ""
        titles = [(_timed_title(task), late) for task in found.tasks]
        titles += [(f"↻ {_title(task)}", FAINT) for task in found.coming]
        total = found.due + len(found.coming)
        if total > room > 1:
            titles = [*titles[: room - 1], (f"+ {total - room + 1:,} more", MUTED)]
        width = self._width - 1
        return [
            Content.assemble(" ", (fit(clip(text, width - 1), width), style))
            for text, style in titles[:room]
        ]


def _timed_title(task: Task) -> str:
    at = None if task.due is None else task.due.at
    return _title(task) if at is None else f"{at:%H:%M} {_title(task)}"


def _title(task: Task) -> str:
    return steady(plain_line(task.title))
