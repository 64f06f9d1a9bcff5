"""The writes of the pane: one by one, in the order pressed, away from the screen's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from textual.widget import Widget

from todo_tui.domain.errors import TodoError

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class TaskWrites:
    """Runs writes in threads, so that a database that is slow or busy stops no key."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        # asyncio's lock is fair: who asked first writes first.
        self._turn = asyncio.Lock()

    def start(
        self,
        write: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[TodoError], None],
    ) -> None:
        """Write after all earlier ones; then call `done` or `failed` on the screen's thread."""
        self._owner.run_worker(
            self._write(write, done, failed), group="task-writes", name="task write"
        )

    async def _write(
        self,
        write: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[TodoError], None],
    ) -> None:
        async with self._turn:
            try:
                result = await asyncio.to_thread(write)
            except TodoError as error:
                failed(error)
                return
            except Exception as error:
                _log.exception("a write of the task pane broke")
                failed(TodoError(f"That did not work ({type(error).__name__}). The log has more."))
                return
        done(result)
