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
        self._interrupted = False
        self._waiting: asyncio.Task[object] | None = None

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def interrupted(self) -> bool:
        """Whether the program was ended from outside, rather than the turn by the person."""
        return self._interrupted

    def stop(self, *, interrupted: bool = False) -> None:
        """End the turn as cancelled; its last event still arrives. From the loop's thread.

        With `interrupted` the store gets it as interrupted: the program is being ended.
        """
        self._interrupted = self._interrupted or (interrupted and not self._stopped)
        self._stopped = True
        waiting, self._waiting = self._waiting, None
        # Who is asked may stop the turn itself: its own answer then ends the wait.
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

    def check(self) -> None:
        """Go on, unless stopped.

        Raises:
            TurnStopped: it was.
        """
        if self._stopped:
            raise TurnStopped

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """What waits inside ends with TurnStopped as soon as `stop` is called.

        So it does where what waits inside takes the interruption for something else:
        for an error of its own, or for an end.
        """
        self.check()
        task = asyncio.current_task()
        self._waiting = task
        try:
            yield
        except (asyncio.CancelledError, Exception):
            if not self._stopped or (task is not None and _still_cancelled(task)):
                raise
            raise TurnStopped from None
        else:
            if self._stopped:
                if task is not None:
                    _still_cancelled(task)
                raise TurnStopped
        finally:
            self._waiting = None


def _still_cancelled(task: asyncio.Task[object]) -> bool:
    """Take our own cancellation back; whether somebody else's is left."""
    return bool(task.cancelling()) and task.uncancel() > 0
