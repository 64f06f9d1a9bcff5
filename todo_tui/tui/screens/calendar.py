"""Calendar (screen): reading and grid of weeks; adding, moving, completing on a day."""

from __future__ import annotations

import asyncio
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from todo_tui.domain.dates.text import DAY_NAMES, format_day, month_name, weekday_name
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filters import terms
from todo_tui.domain.filters.views import TO_DO, done_on_query, due_on_query, weeks_from
from todo_tui.domain.recurrence.next_occurrence import Recurrence, next_occurrence
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.domain.when import Clock, effective_zone
from todo_tui.store.store import Store
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import join_hints
from todo_tui.tui.actions.screens import CALENDAR, DAY_TASK_LIST, WEEK_GRID
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.screens.task_editor import TaskEditorScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.drawers.base import AddRequested, DrawerClosed, DrawerMessage
from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.theme import FAINT, MUTED, PRIORITY_SIGNS
from todo_tui.tui.widgets.line_input import NameCache
from todo_tui.tui.widgets.text import display_line, hang, pad_or_clip

TITLES_A_DAY = 30
"""Number of tasks read per day; the others are counted."""
_MAX_RECURRING_TASKS = 200
_MAX_OCCURRENCES = 2_000
"""Limit of occurrences counted for one page, so that no rule takes long."""
WEEKS, _MIN_LINES = 5, 3
"""Weeks of a page, fewer where one would have less than these lines."""
_DAYS = 7
_TOP = 1
_GRID_KEYS = (
    "{calendar.show} show tasks",
    "{calendar.add} add",
    "{calendar.move} move",
    "{calendar.month_back} {calendar.month_on} month",
    "{calendar.switch} tasks",
    "{calendar.today} today",
    "{calendar.close} close",
)
_LIST_KEYS = (
    "Enter edit",
    "{calendar.tick} complete",
    "{calendar.move} move",
    "{calendar.add} add",
    "{calendar.switch} days",
    "{calendar.close} back",
)
_MOVE_KEYS = (
    "← ↑ ↓ → choose day",
    "{calendar.month_back} {calendar.month_on} month",
    "{calendar.show} move here",
    "{calendar.close} cancel",
)
_ROWS_WITH_TOTAL = 2
"""Rows for titles in a cell from which the last one can say how many more there are."""
_FRAME = 6
"""Cells of the border line taken by its corners and ends."""


@dataclass(slots=True)
class DayTasks:
    """Tasks of one day: those due and those done, with their numbers; future occurrences."""

    tasks: tuple[Task, ...] = ()
    due: int = 0
    finished: tuple[Task, ...] = ()
    done: int = 0
    upcoming: list[Task] = field(default_factory=list)
    """Recurring tasks that will be due this day once their present occurrence is done."""

    @property
    def total(self) -> int:
        """Number of all of them."""
        return self.due + self.done + len(self.upcoming)


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """Weeks, and the days in them with tasks."""

    weeks: tuple[tuple[date, ...], ...]
    days: defaultdict[date, DayTasks]


def read_weeks(store: Store, day: date, week_start: int) -> CalendarPage:
    """Read weeks from that of a day on; blocks, thread-safe; StoreError if the file fails."""
    weeks = weeks_from(day, WEEKS, week_start)
    first, last = weeks[0][0], weeks[-1][-1]
    days = defaultdict[date, DayTasks](DayTasks)
    for counts in store.statistics.calendar(first, last):
        due, done = (
            store.tasks.find(query(counts.day), limit=TITLES_A_DAY) if count else ()
            for query, count in ((due_on_query, counts.due), (done_on_query, counts.done))
        )
        days[counts.day] = DayTasks(due, counts.due, done, counts.done)
    for day, task in _upcoming_occurrences(store, first, last):
        days[day].upcoming.append(task)
    return CalendarPage(weeks, days)


def _upcoming_occurrences(store: Store, first: date, last: date) -> Iterator[tuple[date, Task]]:
    """Return the days on which recurring tasks will be due again.

    What is late is done now, and all others are on their days.
    """
    has_recurrence = terms.HasField(terms.TaskField.RECURRENCE)
    is_due = terms.WithinDays(terms.DayField.DUE, None, last)
    repeating = terms.all_of(terms.NOT_IN_TRASH, TO_DO, has_recurrence, is_due)
    zone, here, steps = store.clock.zone, store.clock.utc(), _MAX_OCCURRENCES
    for task in store.tasks.find(terms.Query(repeating), limit=_MAX_RECURRING_TASKS):
        due, slot = task.due, task.slot
        recurrence, there = Recurrence.of(task), effective_zone(task.due_zone, zone)
        now = here.astimezone(ZoneInfo(there)).replace(tzinfo=None)
        while steps and due is not None and due.moved(there, zone).day <= last:
            steps -= 1
            try:
                at = max(due.local(), now)
                due, slot = next_occurrence(recurrence, due, at, there, slot=slot), None
            except ValidationError:
                # A rule of another program that is not supported here.
                break
            if due is not None and first <= (day := due.moved(there, zone).day) <= last:
                yield day, task


def day_options(page: DayTasks, day: date, clock: Clock, width: int) -> list[Option]:
    """Return the date, its tasks and, dimmed, future occurrences and done tasks.

    Only the tasks that are due are enabled. Titles are wrapped to `width` cells.
    """
    today = clock.now().date()
    name, text = DAY_NAMES.get((day - today).days), format_day(day, today)
    counts = ((page.due, "due"), (page.done, "done"))
    facts = " · ".join(f"{count:,} {what}" for count, what in counts if count)
    head = f"{name.capitalize()} · {text}" if name else text
    rest: list[Content] = []
    if page.due > len(page.tasks):
        rest.append(Content.styled(f"  {page.due - len(page.tasks):,} more · Enter", MUTED))
    further = [
        (f"↻ {_time(task, clock.zone)}{display_line(task.title)}", FAINT) for task in page.upcoming
    ]
    further += [(f"✓ {display_line(task.title)}", MUTED) for task in page.finished]
    rest += [
        hang(Content.styled(text[:2], style), Content.styled(text[2:], style), width)
        for text, style in further
    ]
    if not (page.tasks or rest or facts):
        rest.append(Content.styled("No tasks due.", MUTED))
    first = Content.assemble((head, "bold $foreground"), (f"\n{facts}\n" if facts else "", MUTED))
    return [
        Option(first, disabled=True),
        *(Option(_line(task, clock, width), id=str(task.id)) for task in page.tasks),
        *(Option(line, disabled=True) for line in rest),
    ]


def _line(task: Task, clock: Clock, width: int) -> Content:
    circle = "◐" if task.status is Status.DOING else "○"
    style = "$text-error" if task.is_overdue(clock.now(), clock.zone) else ""
    sign = "" if task.priority is None else f"{PRIORITY_SIGNS[task.priority]} "
    text = Content.assemble(
        (sign, "bold"),
        (_time(task, clock.zone), "$text-accent"),
        (display_line(task.title), style),
    )
    return hang(Content.styled(f"{circle} ", MUTED), text, width)


def _time(task: Task, zone: str) -> str:
    """Return `17:00 `; empty if the task is due all day."""
    due = task.due_in(zone)
    return f"{due.at:%H:%M} " if due and due.at else ""


class WeekGrid(ActionHost, Widget, can_focus=True):
    """Grid of weeks with a cursor on one day."""

    ALLOW_SELECT = False
    ACTIONS = WEEK_GRID

    page: reactive[CalendarPage | None] = reactive(None)
    day: reactive[date] = reactive(date(1970, 1, 1))

    class DayChosen(Message):
        """Posted when the day under the cursor is chosen."""

    def __init__(self, today: date, zone: str) -> None:
        super().__init__()
        self.zone = zone
        self.today = self.first = today
        """Today; a day in the first week of the page."""
        self.set_reactive(WeekGrid.day, today)

    def action_move(self, days: int) -> None:
        """Move the cursor by `days`."""
        ordinal = self.day.toordinal() + days
        self.day = date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))

    def action_turn(self, months: int) -> None:
        """Turn to the same day of another month, or to that month's last day."""
        number = self.day.year * 12 + self.day.month - 1 + months
        year, month = number // 12, number % 12 + 1
        if date.min.year <= year <= date.max.year:
            self.first = date(year, month, min(self.day.day, monthrange(year, month)[1]))
            self.day = self.first

    def action_to_today(self) -> None:
        """Move the cursor to today."""
        self.first = self.today
        self.day = self.today

    def action_choose(self) -> None:
        """Choose the day under the cursor."""
        self.post_message(self.DayChosen())

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked day; a click on it chooses the day."""
        page = self.page
        week, column = (event.y - _TOP) // self._height, event.x // self._width
        if page is None or event.y < _TOP or week >= len(self.weeks) or column >= _DAYS:
            return
        day = self.weeks[week][column]
        if day == self.day:
            self.action_choose()
        self.day = day

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _move_by_wheel(self, event: events.MouseEvent) -> None:
        self.action_move(_DAYS if isinstance(event, events.MouseScrollDown) else -_DAYS)

    @property
    def weeks(self) -> tuple[tuple[date, ...], ...]:
        """Weeks for which there is room."""
        count = min(max((self.size.height - _TOP) // _MIN_LINES, 1), WEEKS)
        return () if self.page is None else self.page.weeks[:count]

    @property
    def _width(self) -> int:
        return max(self.size.width // _DAYS, 4)

    @property
    def _height(self) -> int:
        return max((self.size.height - _TOP) // max(len(self.weeks), 1), 1)

    def render(self) -> Content:
        """Draw the weekday names, then the weeks."""
        page = self.page
        if page is None:
            return Content("")
        names = "".join(
            pad_or_clip(f" {weekday_name(day.weekday())[:3]}", self._width) for day in page.weeks[0]
        )
        lines = [Content.styled(names, MUTED)]
        for week in self.weeks:
            cells = [self._cell(page, day) for day in week]
            lines += [Content.assemble(*row) for row in zip(*cells, strict=True)]
        return Content("\n").join(lines)

    def _cell(self, page: CalendarPage, day: date) -> list[Content]:
        found = page.days[day]
        is_named = day.day == 1 or day == page.weeks[0][0]
        lines = [
            self._number(found, day, is_named=is_named),
            *self._titles(found, day, self._height - 1),
        ]
        lines += [Content(" " * self._width)] * (self._height - len(lines))
        if day == self.day:
            cursor = "reverse" if self.app.ansi_color else "on $accent 22%"
            lines = [line.stylize_before(cursor) for line in lines]
        return lines

    def _number(self, found: DayTasks, day: date, *, is_named: bool) -> Content:
        """Return the day's number line: `18 +3` with the number of tasks not named below it.

        If it `is_named`, with the month.
        """
        style = "bold reverse $accent" if day == self.today else "bold" if found.due else ""
        month = f"{month_name(day.month)[:3]} " if is_named else ""
        number = f"{day.day:>2} {month}"
        room = self._height - 1
        hidden = found.total - room if room < _ROWS_WITH_TOTAL else 0
        count = f"+{hidden:,}" if hidden > 0 else ""
        late = day < self.today and found.due
        gap = self._width - 1 - len(number) - len(count)
        return Content.assemble(
            " ", (number, style or MUTED), (count, "$text-error" if late else MUTED),
            " " * max(gap, 0),
        )  # fmt: skip

    def _titles(self, found: DayTasks, day: date, room: int) -> list[Content]:
        late = "$text-error" if day < self.today else ""
        titles = [(_time(task, self.zone) + display_line(task.title), late) for task in found.tasks]
        titles += [(f"↻ {display_line(task.title)}", FAINT) for task in found.upcoming]
        titles += [(f"✓ {display_line(task.title)}", MUTED) for task in found.finished]
        total, width = found.total, self._width - 1
        if total > room >= _ROWS_WITH_TOTAL:
            more = f"+ {total - room + 1:,} more"
            more = more if len(more) <= width else f"+{total - room + 1:,}"
            titles = [*titles[: room - 1], (more, MUTED)]
        return [
            Content.assemble(" ", (pad_or_clip(text, width), style))
            for text, style in titles[:room]
        ]


def _build_dated(build: Callable[[], Sequence[TaskFields]], day: str) -> Sequence[TaskFields]:
    """Build the fields of tasks that will be in the calendar.

    Raises:
        ValidationError: one has no date, as words that contradict each other stay in the title.
    """
    built = build()
    if all(fields.get("due") for fields in built):
        return built
    raise ValidationError(
        "No date was understood, so the task would not be in the calendar.",
        hint=f"Leave one date in the line, such as {day}.",
    )


class DayTaskList(ActionHost, OptionList):
    """Tasks of the selected day."""

    ACTIONS = DAY_TASK_LIST


class CalendarScreen(ActionHost, LiveScreen[date | None]):
    """Calendar that returns the day to show in the list; None if cancelled."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "WeekGrid"
    ERROR_PLACE = "NoticeLine"
    ACTIONS = CALENDAR

    def __init__(self, services: AppServices) -> None:
        super().__init__(services)
        self._grid = WeekGrid(services.clock.now().date(), services.clock.zone)
        self._tasks = DayTaskList(id="day", markup=False)
        self._notice = NoticeLine(())
        self._commands = TaskCommands(services, self, self._notice)
        self._quick_add: QuickAddDrawer | None = None
        self._moved: Task | None = None
        """Task that is being moved to another day."""

    def compose(self) -> ComposeResult:
        """Lay out the grid, and the tasks of the selected day beside or below it."""
        with Vertical(id="calendar"):
            with Container(id="weeks"):
                yield self._grid
                yield self._tasks
            yield self._notice

    def on_mount(self) -> None:
        """Follow the cursor."""
        self.watch(self._grid, "day", self._follow, init=False)

    @on(events.Resize)
    @on(events.DescendantFocus)
    def _show_keys(self) -> None:
        """Show as many key hints as fit."""
        keys: Sequence[str] = _LIST_KEYS if self._tasks.has_focus else _GRID_KEYS
        if self._moved is not None:
            keys = _MOVE_KEYS
        elif self._quick_add is not None and self._quick_add.is_open:
            # It has hints of its own.
            keys = ()
        hints = join_hints(self.app, keys, self.size.width - _FRAME)
        self.query_one("#calendar").border_subtitle = hints

    async def load(self) -> None:
        """Read the page of the selected day."""
        style, store = self.services.style, self.services.store
        page = await asyncio.to_thread(read_weeks, store, self._grid.first, style.week_start)
        self._grid.today = self.services.clock.now().date()
        self._grid.page = page
        self._show_day(page)

    def on_resize(self) -> None:
        """Keep the cursor in view where fewer weeks have room."""
        self.call_after_refresh(lambda: self._follow(self._grid.day))

    def _follow(self, day: date) -> None:
        """Show the day; the page moves with the cursor, as far as it has to."""
        page, weeks = self._grid.page, self._grid.weeks
        if page is None:
            return
        is_turned = not weeks[0][0] <= self._grid.first <= weeks[0][-1]
        if not is_turned and weeks[0][0] <= day <= weeks[-1][-1]:
            self._show_day(page)
            return
        if not is_turned:
            back = _DAYS * (len(weeks) - 1) if day > weeks[-1][-1] else 0
            self._grid.first = date.fromordinal(max(day.toordinal() - back, 1))
        self.read()

    def _show_day(self, page: CalendarPage) -> None:
        day, before = self._grid.day, self._highlighted
        self.query_one("#calendar").border_title = f"{month_name(day.month)} {day.year}"
        width = self._tasks.scrollable_content_region.width
        options = day_options(page.days[day], day, self.services.clock, width)
        place = self._tasks.highlighted or 0
        self._tasks.set_options(options)
        enabled = [number for number, option in enumerate(options) if not option.disabled]
        if enabled:
            same = (number for number in enabled if options[number].id == before)
            nearest = min(enabled, key=lambda number: abs(number - place))
            self._tasks.highlighted = next(same, nearest)
        elif self._tasks.has_focus:
            self._grid.focus()

    # Actions

    @property
    def _highlighted(self) -> str | None:
        """Return the id of the highlighted option."""
        option = self._tasks.highlighted_option
        return None if option is None else option.id

    def _selected(self) -> Task | None:
        """Return the task under the cursor of the list, else the only one of the day."""
        page = self._grid.page
        tasks = () if page is None else page.days[self._grid.day].tasks
        if self._tasks.has_focus:
            return next((task for task in tasks if str(task.id) == self._highlighted), None)
        if len(tasks) == 1:
            return tasks[0]
        if tasks:
            self._tasks.focus()
        self._notice.say(
            "Choose a task with ↑ ↓, then press the key again."
            if tasks
            else "No tasks due on this day."
        )
        return None

    def action_back(self) -> None:
        """Cancel a move, return to the days, or close."""
        if self._moved is not None:
            self._end_move()
        elif self._tasks.has_focus:
            self._grid.focus()
        else:
            self.dismiss(None)

    def action_switch(self) -> None:
        """Switch the focus between the days and the tasks of the selected one."""
        if self._tasks.has_focus or self._highlighted is None:
            self._grid.focus()
        else:
            self._tasks.focus()

    def action_tick(self) -> None:
        """Complete the task."""
        if (task := self._selected()) is not None:
            self._commands.tick((task,))

    def action_undo(self) -> None:
        """Undo the last change."""
        self._commands.undo()

    def action_move(self) -> None:
        """Pick a task up; Enter on another day moves it there."""
        self._moved = self._selected()
        if self._moved is not None:
            self._notice.clear(self._notice.message_count)
            self._notice.keep(f"Move {short_title(self._moved.title)}: choose a day.")
            self._grid.focus()
            self._show_keys()

    def _end_move(self) -> None:
        self._moved = None
        self._notice.keep("")
        self._show_keys()

    @on(WeekGrid.DayChosen)
    def _choose(self) -> None:
        if (task := self._moved) is None:
            self.dismiss(self._grid.day)
            return
        self._end_move()
        due = task.due_in(self.services.clock.zone)
        if due is not None and due.day == self._grid.day:
            self._notice.say(f"{short_title(task.title)} is due on that day already.")
        elif due is not None:
            self._commands.reschedule(task, replace(due, day=self._grid.day))

    @on(OptionList.OptionSelected)
    def _edit(self) -> None:
        if (task := self._selected()) is not None:
            self.app.push_screen(TaskEditorScreen(self.services, task))

    async def action_add(self) -> None:
        """Open quick add with the date of the selected day."""
        if self._quick_add is None:
            names = NameCache(self.services.store)
            self._quick_add = QuickAddDrawer(self.services, names)
            await self.query_one("#calendar").mount(self._quick_add)
        self._open_quick_add(self._quick_add)

    @property
    def _day_text(self) -> str:
        return format_day(self._grid.day, self._grid.today)

    def _open_quick_add(self, drawer: QuickAddDrawer) -> None:
        # A date in the text can be seen and edited; a time typed before it is understood with it.
        drawer.open(f" {self._day_text}")
        drawer.box.cursor_position = 0
        hint = f"Type the title of a task for {self._day_text}."
        drawer.call_after_refresh(drawer.say, hint)

    @on(DrawerMessage)
    def _handle_drawer_message(self, message: DrawerMessage) -> None:
        message.stop()
        drawer = self._quick_add
        if drawer is None:
            return
        match message:
            case AddRequested(lines) if lines != (self._day_text,):
                drawer.close()
                self._grid.focus()

                def put_back(error: TodoError) -> None:
                    drawer.put_back(lines, error)
                    drawer.box.focus()

                build = partial(_build_dated, message.build_fields, self._day_text)
                self._commands.add(build, put_back)
            case AddRequested():
                self._open_quick_add(drawer)
            case DrawerClosed():
                drawer.close()
                self._grid.focus()

    def on_key(self, event: events.Key) -> None:
        """Answer the open question, as in the task list."""
        self._notice.take_answer(event)
