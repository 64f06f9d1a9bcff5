"""Reminders while the app runs.

Card in the corner, timer for the next one, desktop notification. Loaded after the first frame.
"""

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import StoreError
from todo_tui.domain.reminders import DesktopNotification, Reminder, Snooze
from todo_tui.domain.task import Task
from todo_tui.domain.text import listed_count, plain_line, shorten
from todo_tui.tui.actions.action import Action, ActionHost, bindings
from todo_tui.tui.actions.hints import app_key_names
from todo_tui.tui.actions.keys import display_key
from todo_tui.tui.actions.task_list import REMINDER_CARD
from todo_tui.tui.services import AppServices
from todo_tui.tui.textual_fixes import write_to_terminal
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import clip, strip_unstable, wrap_pieces

_log = logging.getLogger(__name__)
_APP = "todo-tui"
_COMMAND_TIMEOUT_SECONDS = 5.0
_LONGEST = 200
_APPLE_SCRIPT = (
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
)
_DESKTOP_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
_HEADLINES = {
    False: ("Reminder", "reminders"),
    True: ("While you were away", "while you were away"),
}
"""Headlines for one and several, by whether they were due while the app was closed."""
_SHOWN = 4
_WIDTH = 54
"""Most cells of a reminder."""
_FRAME = 4
"""Cells of border and padding."""
_SHORTEST_TITLE = 10
_LONGEST_SUBJECT = 30
_LOW_SCREEN = 30
"""Lines of a screen below which the card is one line until it has the focus."""
_LONGEST_SLEEP = 60.0
"""Longest sleep in seconds; timers stop while a machine sleeps, and its clock can be set."""
_SHORTEST_SLEEP = 0.01
_PAUSE_SECONDS = 0.3
"""Debounce interval: after several writes the next reminder is read once."""
_MISSED_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class DesktopNotifier:
    """Shows desktop notifications; does nothing without a desktop.

    `write` sends text to the terminal unchanged; None if there is no terminal.
    """

    method: DesktopNotification
    write: Callable[[str], object] | None
    environ: Mapping[str, str]
    platform: str = sys.platform

    async def show(self, title: str, text: str) -> None:
        """Show a title and a line below it as plain text."""
        title, text = (shorten(plain_line(each).strip(), _LONGEST) for each in (title, text))
        match self.method:
            case DesktopNotification.AUTO | DesktopNotification.PROGRAM:
                if command := self._command(title, text):
                    await self._run(command)
            case DesktopNotification.OSC9 if self.write is not None:
                self.write(f"\x1b]9;{title}: {text}\x07")
            case DesktopNotification.OSC777 if self.write is not None:
                # Semicolons separate the fields of this sequence.
                self.write(f"\x1b]777;notify;{title.replace(';', ',')};{text}\x07")

    def _command(self, title: str, text: str) -> list[str]:
        """Return the notification command, texts as separate arguments; empty without a desktop."""
        path = self.environ.get("PATH")
        if self.platform == "darwin":
            script = shutil.which("osascript", path=path)
            return [script, "-e", _APPLE_SCRIPT, title, text] if script else []
        if not any(self.environ.get(name) for name in _DESKTOP_VARIABLES):
            return []
        program = shutil.which("notify-send", path=path)
        if program is None:
            return []
        # Desktops parse markup in the body, though not in the title.
        shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return [program, f"--app-name={_APP}", "--", title, shown]

    async def _run(self, command: list[str]) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(self.environ),
            )
        except OSError:
            _log.info("desktop notifications are unavailable", exc_info=True)
            return
        try:
            await asyncio.wait_for(process.wait(), _COMMAND_TIMEOUT_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()


class ReminderCard(ActionHost, Static, can_focus=True):
    """Card of the due reminders; sleeps until the store's next one.

    The card ignores keys until it has the focus.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False
    # A click focuses it as the key does, unless it is on an action.
    FOCUS_ON_CLICK = False
    ACTIONS = REMINDER_CARD
    BINDINGS = bindings(REMINDER_CARD, is_hinted=False)

    @dataclass
    class TaskRequested(Message):
        """Posted to go to the task of a reminder."""

        task_id: int

    @dataclass
    class TaskCompleted(Message):
        """Posted to complete the task of a reminder."""

        task: Task

    def __init__(self, services: AppServices) -> None:
        super().__init__(markup=False)
        self._rules = services.settings.reminders
        self._is_enabled = self._rules.enabled and not services.demo
        self._store, self._writer = services.store.reminders, services.writer
        self._tasks = services.store.tasks
        self._clock = services.clock
        self._reminders: tuple[Reminder, ...] = ()
        self._shown_at = datetime.min
        self._missed = False
        self._next: datetime | None = None
        self._timer: Timer | None = None
        self._focused_before: Widget | None = None
        self._room = _WIDTH + _FRAME

    @property
    def is_open(self) -> bool:
        """True if reminders are shown."""
        return bool(self._reminders)

    def start(self) -> None:
        """Show the missed reminders and schedule the next one."""
        if self._is_enabled:
            self._show_due()

    # The card

    def focus_card(self) -> None:
        """Focus the card if it is shown; the answer returns the focus to where it was."""
        if not self.is_open:
            self.app.notify("No reminder to snooze.", timeout=3)
            return
        if not self.has_focus:
            self._focused_before = self.screen.focused
        self.focus(scroll_visible=False)

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show the card's own keys, or the one that focuses it."""
        super().watch_has_focus(has_focus)
        self.draw()

    async def on_click(self, event: events.Click) -> None:
        """Perform the action under the mouse; elsewhere focus the card, or go to the task."""
        event.stop()
        if (action_id := event.style.meta.get("reminder")) is not None:
            await self.action_perform(action_id)
        elif event.chain > 1:
            self.action_show()
        else:
            self.focus_card()

    def action_snooze(self, snooze: Snooze) -> None:
        """Snooze all reminders."""
        self._snooze(snooze, self._close())

    @work(group="snoozing")
    async def _snooze(self, snooze: Snooze, reminders: tuple[Reminder, ...]) -> None:
        until = snooze.until(self._clock.utc(), self._clock.zone, self._rules)
        uuids = [each.task.uuid for each in reminders]
        try:
            await self._writer.run(self._store.snooze, uuids, until)
        except StoreError as error:
            self.app.notify(error.message, severity="error")
            self._add(reminders, missed=False)
            return
        self.app.notify(f"Snoozed: {snooze.value}.", timeout=3)
        self.store_changed()

    def action_show(self) -> None:
        """Go to the first task; the others stay."""
        reminders = self._close()
        if others := reminders[1:]:
            self._open(others)
        for reminder in reminders[:1]:
            self.post_message(self.TaskRequested(reminder.task.id))

    def action_done(self) -> None:
        """Complete the first task; the others stay."""
        for reminder in self._reminders[:1]:
            self.post_message(self.TaskCompleted(reminder.task))

    def action_dismiss(self) -> None:
        """Dismiss the reminders."""
        self._close()

    def _close(self) -> tuple[Reminder, ...]:
        reminders, self._reminders = self._reminders, ()
        had_focus = self.has_focus
        self.remove_class("-open")
        before, self._focused_before = self._focused_before, None
        if had_focus and before is not None and before.is_attached:
            before.focus(scroll_visible=False)
        return reminders

    def _add(self, reminders: tuple[Reminder, ...], *, missed: bool) -> None:
        """Show further reminders; `missed` if they were due while the app was closed."""
        self._shown_at = self._clock.now()
        self._missed = missed
        self._open(tuple({each.task.id: each for each in (*self._reminders, *reminders)}.values()))

    def _open(self, reminders: tuple[Reminder, ...]) -> None:
        self._reminders = reminders
        self.add_class("-open")
        self.draw()

    def fit(self, room: int) -> None:
        """Take at most so many cells in width."""
        if room != self._room:
            self._room = room
            self.styles.max_width = room
            self.draw()

    def draw(self) -> None:
        """Draw the reminders: in one line on a low screen, and with the keys only in the focus."""
        if not self._reminders:
            return
        count = len(self._reminders)
        one, several = _HEADLINES[self._missed]
        headline = one if count == 1 else f"{count} {several}"
        is_line = self.app.size.height < _LOW_SCREEN and not self.has_focus
        self.set_class(is_line, "-line")
        if is_line:
            self.update(self._draw_line(headline))
            return
        width, shown = min(_WIDTH, self._room - _FRAME), listed_count(count, _SHOWN)
        lines = [self._draw_reminder(each, width) for each in self._reminders[:shown]]
        if count > shown:
            lines.append(Content.styled(f"and {count - shown} more", MUTED))
        self.border_title = headline
        self.border_subtitle = "" if self.has_focus else self._way_in()
        self.update(Content("\n").join([*lines, *(self._draw_keys() if self.has_focus else ())]))

    def _draw_line(self, headline: str) -> Content:
        before = Content.styled(f"{headline} · ", "bold $text-warning")
        after = Content.styled(f" · {self._way_in()}", MUTED)
        # Besides these: the bar, the padding, and a cell at each edge of the screen.
        width = self._room - before.cell_length - after.cell_length - _FRAME
        return before + self._draw_reminder(self._reminders[0], width) + after

    def _draw_reminder(self, reminder: Reminder, width: int) -> Content:
        words = f" · {reminder.words(self._shown_at, self._clock.zone)}"
        title = clip(strip_unstable(reminder.title), max(width - cell_len(words), _SHORTEST_TITLE))
        return Content.assemble((title, "bold"), (words, MUTED))

    def _way_in(self) -> str:
        # The last key works in the message box too.
        key = display_key(app_key_names(self.app).keys("list.snooze")[-1])
        return f"{key or 'Click'}: snooze, done"

    def _draw_keys(self) -> list[Content]:
        """Draw the keys; of several reminders in two lines, by what they act on."""
        count = len(self._reminders)
        if count == 1:
            return [self._draw_actions("Snooze", self.ACTIONS)]
        first = clip(strip_unstable(self._reminders[0].title), _LONGEST_SUBJECT)
        subjects = {True: first, False: f"Snooze {'both' if count == 2 else f'all {count}'}"}
        return [
            self._draw_actions(
                subject, [row for row in self.ACTIONS if row.acts_on_task is acts_on_task]
            )
            for acts_on_task, subject in subjects.items()
        ]

    def _draw_actions(self, subject: str, rows: Sequence[Action[Any]]) -> Content:
        names = app_key_names(self.app)
        keys = [
            Content.assemble((names.first(row.id), "bold $text-accent"), f" {row.hint}").stylize(
                Style.from_meta({"reminder": row.id})
            )
            for row in rows
        ]
        keys[0] = Content.styled(f"{subject}: ", MUTED) + keys[0]
        return wrap_pieces(keys, Content.styled(" · ", MUTED), self._room - _FRAME)

    # The store

    def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Show reminders of changed tasks as these are now, and schedule the next one again."""
        self._follow([change.task for change in changes])
        self.store_changed()

    @work(group="next reminder", exclusive=True)
    async def store_changed(self) -> None:
        """Read the tasks of the reminders and schedule the next one again after a write."""
        if not self._is_enabled:
            return
        await asyncio.sleep(_PAUSE_SECONDS)
        try:
            shown = [each.task.id for each in self._reminders]
            self._follow(await asyncio.to_thread(self._tasks.rows, shown))
            self._next = await asyncio.to_thread(self._store.next_at, self._rules)
        except StoreError:
            _log.warning("could not read the next reminder", exc_info=True)
        self._sleep_until_next()

    def _follow(self, tasks: Iterable[Task]) -> None:
        """Show reminders of tasks as these are now; remove those that are no longer due."""
        newer = {task.id: task for task in tasks}
        now, home = self._clock.utc(), self._clock.zone
        followed = (
            each.follow(newer.get(each.task.id, each.task), now, home, self._rules)
            for each in self._reminders
        )
        left = tuple(each for each in followed if each is not None)
        if left != self._reminders:
            self._reminders = left
            self.draw()
            if not left:
                self._close()

    @work(group="reminders", exclusive=True)
    async def _show_due(self) -> None:
        try:
            found = await self._writer.run(self._store.take, self._rules)
            self._next = await asyncio.to_thread(self._store.next_at, self._rules)
        except StoreError:
            # Another process may hold the lock: due reminders are shown a little later.
            _log.warning("could not read reminders", exc_info=True)
            self._sleep(_LONGEST_SLEEP)
            return
        self._sleep_until_next()
        if not found:
            return
        self._add(found, missed=self._clock.utc() - found[0].at > _MISSED_AFTER)
        self.refresh_bindings()
        title, more = found[0].title, f" and {len(found) - 1} more" if len(found) > 1 else ""
        words = f"{found[0].words(self._shown_at, self._clock.zone)}{more}"
        if self.app.screen is not self.screen:
            # Another screen covers the card; a toast is visible on every screen.
            self.app.notify(f"{title} · {words}", title="Reminder")
        write = partial(write_to_terminal, self.app)
        await DesktopNotifier(self._rules.desktop, write, os.environ).show(title, words)

    def _sleep_until_next(self) -> None:
        if self._next is not None and self._clock.fixed is None:
            left = (self._next - self._clock.utc()).total_seconds()
            self._sleep(min(max(left, _SHORTEST_SLEEP), _LONGEST_SLEEP))
        elif self._timer is not None:
            self._timer.stop()

    def _sleep(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(seconds, self._on_timer)

    def _on_timer(self) -> None:
        if self._next is None or self._next <= self._clock.utc():
            self._show_due()
        else:
            self._sleep_until_next()
