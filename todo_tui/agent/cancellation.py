"""Cancellation of a turn: TurnHandle stops it, TurnStopped ends it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class TurnStopped(Exception):
    """The user has stopped the turn."""


class TurnHandle:
    """Stops one turn; pass it to `run_turn` and keep it for the Esc key.

    The turn is interrupted only while it waits for a model, before a retry or for an
    approval. A running tool finishes first, so that its writes are recorded.
    """

    def __init__(self) -> None:
        self.stopped = False
        """True after `stop`."""
        self.interrupted = False
        """True if the program is being ended, rather than the turn by the user."""
        self._waiting: asyncio.Task[object] | None = None

    def stop(self, *, interrupted: bool = False) -> None:
        """End the turn as cancelled; its TurnEnd is still delivered.

        Call it from the event loop's thread. With `interrupted` the turn is stored as
        interrupted, because the program is being ended.
        """
        self.interrupted = self.interrupted or (interrupted and not self.stopped)
        self.stopped = True
        waiting, self._waiting = self._waiting, None
        # An approver may stop the turn from inside its own wait, which then ends by itself.
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

    def raise_if_stopped(self) -> None:
        """Raise TurnStopped after `stop`.

        Raises:
            TurnStopped: The turn was stopped.
        """
        if self.stopped:
            raise TurnStopped

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Raise TurnStopped from the block as soon as `stop` is called.

        Also where the block turns the cancellation into an error of its own, or returns
        normally after it.

        Raises:
            TurnStopped: The turn was stopped.
        """
        self.raise_if_stopped()
        task = asyncio.current_task()
        self._waiting = task
        try:
            yield
        except (asyncio.CancelledError, Exception):
            if not self.stopped or (task is not None and _still_cancelled(task)):
                raise
            raise TurnStopped from None
        else:
            if self.stopped:
                if task is not None:
                    _still_cancelled(task)
                raise TurnStopped
        finally:
            self._waiting = None


def _still_cancelled(task: asyncio.Task[object]) -> bool:
    """Undo the handle's own cancellation; return True if another request remains."""
    return bool(task.cancelling()) and task.uncancel() > 0
