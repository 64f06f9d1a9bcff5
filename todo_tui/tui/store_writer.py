"""Writes of the app to the store: one after the other in a thread, awaited by workers only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from todo_tui.domain.errors import StoreBusy, TodoError

P = ParamSpec("P")
Result = TypeVar("Result")
_log = logging.getLogger(__name__)


class StoreWriter:
    """Runs writes in the order requested, so that a slow or locked database blocks no key.

    A message handler that awaits a write handles no further message, and the screen no key. So
    `run` is for workers, and `start` for what nobody waits for.

    A write that was requested before an earlier one failed because of another program's lock
    fails with it: it may build on that one, as an undo does, and has waited as long.
    """

    def __init__(self) -> None:
        # asyncio's lock is fair.
        self._lock = asyncio.Lock()
        self._refused: StoreBusy | None = None
        self._refusals = 0
        """Number of times that the lock was waited for in vain."""
        self._started: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """True while a write runs or waits."""
        return self._lock.locked()

    async def run(self, write: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Return the result of a write.

        Raises:
            NoActiveWorker: the caller is not a worker.
            TodoError: what the write raised.
        """
        from textual.worker import get_current_worker  # 0.2 s: `ask` builds a writer without it

        get_current_worker()
        return await self._run(write, *args, **kwargs)

    def start(self, write: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Request a write whose failure is only logged."""

        async def run() -> None:
            try:
                await self._run(write, *args, **kwargs)
            except TodoError as error:
                _log.warning("not stored: %s", error.message)

        task = asyncio.create_task(run())
        self._started.add(task)
        task.add_done_callback(self._started.discard)

    async def finish(self) -> None:
        """Wait for the writes that were requested."""
        # Their tasks may not have come to the lock yet.
        await asyncio.sleep(0)
        async with self._lock:
            pass

    async def _run(self, write: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        refusals = self._refusals
        async with self._lock:
            if self._refused is not None and refusals < self._refusals:
                raise StoreBusy(self._refused.message, hint=self._refused.hint)
            try:
                return await asyncio.to_thread(write, *args, **kwargs)
            except StoreBusy as error:
                self._refused = error
                self._refusals += 1
                raise
