"""Reminders while the app runs.

Timer for the next one, card in the corner, desktop notification. Loaded after the first frame.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import StoreError
from todo_tui.domain.reminders import DesktopNotification, Reminder, Snooze, reminder_moments
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import KeyNames, bind, display_key
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import clip, strip_unstable

_log = logging.getLogger(__name__)
_APP = "todo-tui"
_COMMAND_TIMEOUT_SECONDS = 5.0
_LONGEST = 200
_APPLE_SCRIPT = (
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
)
_DESKTOP_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
_SHOWN = 4
_WIDTH = 54
_TOP = 2
_KEYS = (
    ("reminder.ten_minutes", "10 min"),
    ("reminder.hour", "1 hour"),
    ("reminder.tomorrow", "tomorrow"),
    ("reminder.show", "show"),
    ("reminder.dismiss", "seen"),
)
_LONGEST_SLEEP = 60.0
"""Longest sleep in seconds; timers stop while a machine sleeps, and its clock can be set."""
_SHORTEST_SLEEP = 0.01
_PAUSE_SECONDS = 0.3
"""Debounce interval: after several writes the next reminder is read once."""
_MISSED_AFTER = timedelta(minutes=5)
_ENDING_CHANGES = (ChangeKind.COMPLETED, ChangeKind.DELETED, ChangeKind.PURGED)


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
        title, text = _plain_notice_text(title), _plain_notice_text(text)
        match self.method:
            case DesktopNotification.AUTO | DesktopNotification.PROGRAM:
                await self._run(self._command(title, text))
            case DesktopNotification.OSC9:
                self._send(f"\x1b]9;{title}: {text}\x07")
            case DesktopNotification.OSC777:
                # Semicolons separate the fields of this sequence.
                self._send(f"\x1b]777;notify;{title.replace(';', ',')};{text}\x07")
            case DesktopNotification.OFF:
                return

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
        if not command:
            return
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(self.environ),
            )
        except OSError:
            _log.info("the desktop shows no notices", exc_info=True)
            return
        try:
            await asyncio.wait_for(process.wait(), _COMMAND_TIMEOUT_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    def _send(self, sequence: str) -> None:
        if self.write is not None:
            self.write(sequence)


def _plain_notice_text(text: str) -> str:
    """Return the text as one plain line of limited length."""
    line = plain_line(text).strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


class ReminderAction(Enum):
    """Answer to a reminder, other than snoozing."""

    SHOW = auto()
    DISMISS = auto()


class ReminderCard(Static, can_focus=True):
    """Card of one or more reminders; ignores keys until it has the focus."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDING_GROUP_TITLE = "A reminder"
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("reminder.ten_minutes", "answer('10 min')", "10 min"),
        bind("reminder.hour", "answer('1 hour')", "1 hour"),
        bind("reminder.tomorrow", "answer('tomorrow')", "tomorrow"),
        bind("reminder.show", "show", "show"),
        bind("reminder.dismiss", "dismiss", "seen"),
    ]

    @dataclass
    class Answered(Message):
        """Posted with the answer to these reminders."""

        reminders: tuple[Reminder, ...]
        answer: Snooze | ReminderAction

        @property
        def shows(self) -> bool:
            """True if to go to the task."""
            return self.answer is ReminderAction.SHOW

    def __init__(self, keys: KeyNames) -> None:
        super().__init__(markup=False)
        self._keys = keys
        self._reminders: tuple[Reminder, ...] = ()
        self._now = datetime.min
        self._missed = False

    @property
    def is_open(self) -> bool:
        """True if reminders are shown."""
        return bool(self._reminders)

    def remind(self, reminders: tuple[Reminder, ...], now: datetime, *, missed: bool) -> None:
        """Add reminders; `now` is local, `missed` if they were due while the app was closed."""
        known = {each.task.id: each for each in (*self._reminders, *reminders)}
        self._reminders = tuple(known.values())
        self._now = now
        self._missed = missed
        self.add_class("-open")
        self._draw()

    def forget(self, task_ids: frozenset[int]) -> None:
        """Remove the reminders of these tasks."""
        left = tuple(each for each in self._reminders if each.task.id not in task_ids)
        if left != self._reminders:
            self._reminders = left
            if left:
                self._draw()
            else:
                self.remove_class("-open")

    def action_answer(self, snooze: str) -> None:
        """Snooze all reminders."""
        self._answer(Snooze(snooze))

    def action_show(self) -> None:
        """Go to the task."""
        self._answer(ReminderAction.SHOW)

    def action_dismiss(self) -> None:
        """Dismiss the reminders."""
        self._answer(ReminderAction.DISMISS)

    def on_mount(self) -> None:
        """Keep the card in the corner at every screen size."""
        self.screen.screen_layout_refresh_signal.subscribe(self, self._place)
        self._place()

    def _place(self, _screen: object = None) -> None:
        right = self.screen.size.width - self.outer_size.width - 1
        self.styles.offset = (max(right, 0), _TOP)

    def on_focus(self) -> None:
        """Show the card's own keys."""
        self._draw(has_keys=True)

    def on_blur(self) -> None:
        """Show the key that focuses the card."""
        self._draw(has_keys=False)

    def on_click(self, event: events.Click) -> None:
        """Focus the card; a click on the focused card goes to the task."""
        event.stop()
        if event.chain > 1:
            self.action_show()

    def _answer(self, answer: Snooze | ReminderAction) -> None:
        reminders, self._reminders = self._reminders, ()
        self.remove_class("-open")
        self.post_message(self.Answered(reminders, answer))

    def _draw(self, *, has_keys: bool | None = None) -> None:
        lines = [Content.styled(self._headline, "bold $text-warning")]
        for reminder in self._reminders[:_SHOWN]:
            title = clip(strip_unstable(reminder.title), _WIDTH)
            lines.append(Content.styled(title, "bold"))
            lines.append(Content.styled(f"  {reminder.words(self._now)}", MUTED))
        more = len(self._reminders) - _SHOWN
        if more > 0:
            lines.append(Content.styled(f"and {more} more", MUTED))
        keys = self._key_hints(self.has_focus if has_keys is None else has_keys)
        pieces = [Content.assemble((key, "bold $text-accent"), f" {what}") for key, what in keys]
        self.update(Content("\n").join([*lines, Content("  ").join(pieces)]))

    def _key_hints(self, has_keys: bool) -> list[tuple[str, str]]:
        """Return the keys that answer, or the one that focuses the card."""
        if has_keys:
            return [(self._keys.first(name), word) for name, word in _KEYS]
        labels = " or ".join(map(display_key, self._keys.keys("list.snooze")))
        return [(labels, "snooze, or show the task")]

    @property
    def _headline(self) -> str:
        count = len(self._reminders)
        if self._missed:
            return "While you were away" if count == 1 else f"{count} while you were away"
        return "Reminder" if count == 1 else f"{count} reminders"


class ReminderController:
    """Sleeps until the next reminder, as the store computes it, and shows it."""

    def __init__(self, screen: Screen[None], services: AppServices) -> None:
        self._screen = screen
        self._rules = services.reminders
        self._store = services.store
        self._clock = services.clock
        self._next: datetime | None = None
        self._timer: Timer | None = None
        self._before_card: Widget | None = None
        self.card = ReminderCard(KeyNames(services.keymap))

    async def begin(self) -> None:
        """Show the missed reminders and schedule the next one."""
        await self._screen.mount(self.card)
        self._show_due_soon()

    def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Remove reminders of changed tasks and schedule the next one if it is earlier.

        The store is not asked: if the scheduled reminder is gone, that is found when it is due.
        """
        self.card.forget(
            frozenset(each.task.id for each in changes if each.kind in _ENDING_CHANGES)
        )
        now = self._clock.utc()
        upcoming = [
            at
            for change in changes
            if change.task.is_open
            for _, at in reminder_moments(change.task, self._clock.zone, self._rules)
            if at > now
        ]
        earliest = min(upcoming, default=None)
        if earliest is not None and (self._next is None or earliest < self._next):
            self._next = earliest
            self._sleep_until_next()

    def store_changed(self) -> None:
        """Schedule the next reminder again after a write by another process."""
        self._run_worker(self._schedule_next)

    def focus_card(self) -> None:
        """Focus the card."""
        focused = self._screen.focused
        if focused is not self.card:
            self._before_card = focused
        self.card.focus(scroll_visible=False)

    async def answered(self, event: ReminderCard.Answered) -> None:
        """Snooze if asked, and return the focus to where it was."""
        before, self._before_card = self._before_card, None
        if before is not None and before.is_attached:
            before.focus(scroll_visible=False)
        if isinstance(event.answer, Snooze):
            await self._snooze(event.reminders, event.answer)

    async def _snooze(self, reminders: tuple[Reminder, ...], snooze: Snooze) -> None:
        until = snooze.until(self._clock.utc(), self._clock.zone, self._rules)
        uuids = [each.task.uuid for each in reminders]
        try:
            await asyncio.to_thread(self._store.reminders.snooze, uuids, until)
        except StoreError as error:
            self._screen.app.notify(error.message, severity="error", markup=False)
            self.card.remind(reminders, self._clock.now(), missed=False)
            return
        self._screen.app.notify(f"Again: {snooze.value}.", timeout=3, markup=False)
        self._run_worker(self._schedule_next)

    # The timer

    def _show_due_soon(self) -> None:
        self._run_worker(self._show_due)

    def _run_worker(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        self._screen.run_worker(LazyCoroutine(work), group="reminders", exclusive=True)

    async def _show_due(self) -> None:
        try:
            found = await asyncio.to_thread(self._store.reminders.take, self._rules)
            self._next = await asyncio.to_thread(self._store.reminders.next_at, self._rules)
        except StoreError:
            # Another process may hold the lock: due reminders are shown a little later.
            _log.warning("reminders cannot be read", exc_info=True)
            self._sleep(_LONGEST_SLEEP)
            return
        self._sleep_until_next()
        if found:
            await self._show(found)

    async def _schedule_next(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        try:
            self._next = await asyncio.to_thread(self._store.reminders.next_at, self._rules)
        except StoreError:
            _log.warning("the next reminder cannot be read", exc_info=True)
        self._sleep_until_next()

    def _sleep_until_next(self) -> None:
        if self._next is None or self._clock.fixed is not None:
            self._stop()
            return
        left = (self._next - self._clock.utc()).total_seconds()
        self._sleep(min(max(left, _SHORTEST_SLEEP), _LONGEST_SLEEP))

    def _sleep(self, seconds: float) -> None:
        self._stop()
        self._timer = self._screen.set_timer(seconds, self._on_timer)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _on_timer(self) -> None:
        """Show due reminders, or sleep on."""
        if self._next is None or self._next <= self._clock.utc():
            self._show_due_soon()
        else:
            self._sleep_until_next()

    async def _show(self, found: tuple[Reminder, ...]) -> None:
        now = self._clock.now()
        missed = self._clock.utc() - found[0].at > _MISSED_AFTER
        self.card.remind(found, now, missed=missed)
        self._screen.refresh_bindings()
        app = self._screen.app
        first = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        if app.screen is not self._screen:
            # Another screen covers the card; a toast is visible on every screen.
            app.notify(f"{first.title} · {first.words(now)}{more}", title="Reminder", markup=False)
        driver = app._driver
        notifier = DesktopNotifier(
            self._rules.desktop, None if driver is None else driver.write, os.environ
        )
        await notifier.show(first.title, f"{first.words(now)}{more}")
