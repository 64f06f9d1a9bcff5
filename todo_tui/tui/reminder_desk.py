"""Reminders while the app runs: one timer to the next, a card, a notice on the desktop."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta

from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import StoreError
from todo_tui.domain.reminders import Reminder, Snooze, task_moments
from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.desktop_notice import DesktopNotifier
from todo_tui.tui.later import Later
from todo_tui.tui.widgets.reminder_card import ReminderCard
from todo_tui.tui.workbench import Workbench

_log = logging.getLogger(__name__)

_LONGEST_SLEEP = 60.0
"""Seconds; timers stand still while a machine sleeps, and its clock can be set."""
_SHORTEST_SLEEP = 0.01
_PAUSE_SECONDS = 0.3
"""Of several writes in a row the last one asks for the next reminder."""
_MISSED_AFTER = timedelta(minutes=5)
_ENDED = (ChangeKind.COMPLETED, ChangeKind.DELETED, ChangeKind.PURGED)


class ReminderDesk:
    """Asks the store when the next reminder is, and sleeps until then."""

    def __init__(self, screen: Screen[None], workbench: Workbench) -> None:
        self._screen = screen
        self._rules = workbench.reminders
        self._store = workbench.store
        self._clock = workbench.clock
        self._next: datetime | None = None
        self._timer: Timer | None = None
        self._before_card: Widget | None = None
        self.card = ReminderCard(KeyNames(workbench.keymap))

    async def begin(self) -> None:
        """Tell what was missed, and wait for what comes."""
        await self._screen.mount(self.card)
        self._take_soon()

    def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """What was done needs no attention; the next reminder may be an earlier one.

        The store is not asked: where the next one is gone, that is found when it comes.
        """
        self.card.forget(frozenset(each.task.id for each in changes if each.kind in _ENDED))
        now = self._clock.utc()
        coming = [
            at
            for change in changes
            if change.task.is_open
            for _, at in task_moments(change.task, self._clock.zone, self._rules)
            if at > now
        ]
        earliest = min(coming, default=None)
        if earliest is not None and (self._next is None or earliest < self._next):
            self._next = earliest
            self._sleep_until_next()

    def others_wrote(self) -> None:
        """Another process wrote: the next reminder may be another one."""
        self._work(self._plan)

    def ask(self) -> None:
        """Give the keys to the card."""
        focused = self._screen.focused
        if focused is not self.card:
            self._before_card = focused
        self.card.focus(scroll_visible=False)

    async def answered(self, event: ReminderCard.Answered) -> None:
        """Put off what is to be put off; the keys go back to where they were."""
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
        self._work(self._plan)

    # The timer

    def _take_soon(self) -> None:
        self._work(self._take)

    def _work(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        self._screen.run_worker(Later(work), group="reminders", exclusive=True)

    async def _take(self) -> None:
        try:
            found = await asyncio.to_thread(self._store.reminders.take, self._rules)
            self._next = await asyncio.to_thread(self._store.reminders.next_at, self._rules)
        except StoreError:
            # Another process may hold the file: what is due now is told a little later.
            _log.warning("reminders cannot be read", exc_info=True)
            self._sleep(_LONGEST_SLEEP)
            return
        self._sleep_until_next()
        if found:
            await self._tell(found)

    async def _plan(self) -> None:
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
        self._timer = self._screen.set_timer(seconds, self._wake)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _wake(self) -> None:
        """The moment has come, or as much of the time to it as is slept in one go."""
        if self._next is None or self._next <= self._clock.utc():
            self._take_soon()
        else:
            self._sleep_until_next()

    async def _tell(self, found: tuple[Reminder, ...]) -> None:
        now = self._clock.now()
        missed = self._clock.utc() - found[0].at > _MISSED_AFTER
        self.card.remind(found, now, missed=missed)
        self._screen.refresh_bindings()
        app = self._screen.app
        first = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        if app.screen is not self._screen:
            # The card lies below; a toast is seen on every screen.
            app.notify(f"{first.title} · {first.words(now)}{more}", title="Reminder", markup=False)
        driver = app._driver
        notifier = DesktopNotifier(
            self._rules.desktop, None if driver is None else driver.write, os.environ
        )
        await notifier.show(first.title, f"{first.words(now)}{more}")
