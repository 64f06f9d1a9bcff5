"""Store watch: announces writes of any process and new minutes; handles a lost database file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from todo_tui.domain.errors import StoreError, StoreReplaced, TodoError
from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.screens.database_lost import DatabaseLostScreen
from todo_tui.tui.services import AppServices

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange

POLL_SECONDS = 0.5
_ERASE_SECONDS = 3600.0
"""Time between two looks for deleted conversations to erase."""
_log = logging.getLogger(__name__)


@dataclass
class TasksChanged(Message):
    """Posted after a commit of this process, from the thread that wrote."""

    changes: tuple[TaskChange, ...]


class StoreWatch(BackgroundWidget):
    """Polls the store, whose file may also be deleted or replaced: then it can be reopened.

    Erases what was deleted for good.
    """

    @dataclass
    class Outdated(Message):
        """Posted when another process wrote (`is_written`), also to tasks, or time went on.

        At each new minute a task can become overdue, or wait no longer for its start.
        """

        is_written: bool
        is_task_written: bool

    @dataclass
    class DayChanged(Message):
        """Posted when another day has begun than the one `before`."""

        before: date

    class Reopened(Message):
        """Posted when the file that is at the path now has been opened."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._store, self._writer, self._clock = services.store, services.writer, services.clock
        self._unsubscribe: Callable[[], None] | None = None
        self._minute = self._now_to_the_minute()
        self._log_position = 0
        self._reported = ""
        """Error of the last poll that was reported; the same one is not reported again."""
        self._lost: DatabaseLostScreen | None = None
        self._is_reopening = False

    def on_mount(self) -> None:
        """Begin to watch."""
        with suppress(StoreError):
            self._log_position = self._store.tasks.log_position()
        self._unsubscribe = self._store.tasks.subscribe(self._announce)
        self.set_interval(POLL_SECONDS, self._poll)

    def on_unmount(self) -> None:
        """Unsubscribe from the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    def keep_erasing(self) -> None:
        """Erase deleted conversations now and each hour."""
        self.erase_deleted()
        self.set_interval(_ERASE_SECONDS, self.erase_deleted)

    @work(group="erasing")
    async def erase_deleted(self, *, closing: bool = False) -> None:
        """Erase the deleted conversations that cannot be restored any more."""
        erase = self._store.conversations.erase_deleted
        try:
            await self._writer.run(erase, closing=closing)
        except TodoError as error:
            _log.warning("deleted conversations are not erased yet: %s", error.message)

    def _announce(self, changes: tuple[TaskChange, ...]) -> None:
        self.post_message(TasksChanged(changes))

    def _poll(self) -> None:
        if self._is_reopening:
            return
        try:
            is_written = self._store.poll()
            before, self._log_position = self._log_position, self._store.tasks.log_position()
        except StoreReplaced as error:
            self._show_lost(error)
            return
        except StoreError as error:
            if str(error) != self._reported:
                self._reported = str(error)
                self.app.notify(error.message, severity="error")
            return
        # The original file may have been restored.
        self._close_lost()
        before_now, self._minute = self._minute, self._now_to_the_minute()
        if self._minute.date() != before_now.date():
            self.post_message(self.DayChanged(before_now.date()))
        if is_written or self._minute != before_now:
            self.post_message(
                self.Outdated(is_written, is_written and self._log_position != before)
            )

    def _now_to_the_minute(self) -> datetime:
        return self._clock.now().replace(second=0, microsecond=0)

    def _show_lost(self, error: StoreReplaced) -> None:
        if self._lost is None:
            self._lost = DatabaseLostScreen(error)
            self.app.push_screen(self._lost)
        else:
            self._lost.show(error)

    def _close_lost(self) -> None:
        # If another screen covers it, a later poll closes it.
        if self._lost is not None and self._lost.is_active:
            self._lost.dismiss()
            self._lost = None

    async def reopen(self) -> None:
        """Open the file that is at the path now; the screen stays open if that fails."""
        self._is_reopening = True
        try:
            await self._writer.run(self._store.reopen)
        except TodoError as error:
            if self._lost is not None:
                self._lost.show_failure(error)
            return
        finally:
            self._is_reopening = False
        self.post_message(self.Reopened())
        self._close_lost()
