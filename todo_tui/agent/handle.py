"""How a turn is stopped from outside, at a moment when nothing is torn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class TurnStopped(Exception):  # a fact, not an error
    """The person has stopped the turn."""


class TurnHandle:
    """Stops one turn; give it to `run_turn` and keep it for the Esc key.

    The turn is interrupted only while it waits for a model, for the time of a retry
    or for a person. A tool that runs is let finish, so that what it wrote is recorded.
    """

    def __init__(self) -> None:
        self._stopped = False
        self._waiting: asyncio.Task[object] | None = None

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    def stop(self) -> None:
        """End the turn as cancelled; its last event still arrives. From the loop's thread."""
        self._stopped = True
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def check(self) -> None:
        """Go on, unless stopped.

        Raises:
            TurnStopped: it was.
        """
        if self._stopped:
            raise TurnStopped

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """What waits inside ends with TurnStopped as soon as `stop` is called."""
        self.check()
        task = asyncio.current_task()
        self._waiting = task
        try:
            yield
        except asyncio.CancelledError:
            if self._stopped and task is not None and task.uncancel() == 0:
                raise TurnStopped from None
            raise
        finally:
            self._waiting = None
