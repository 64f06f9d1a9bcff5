"""The offer to take back what the last turn wrote, while nothing else was written since."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import TurnOutcome
from todo_tui.domain.task import Actor
from todo_tui.store.workspace import Store
from todo_tui.tui.widgets.transcript import Transcript

_UNDOING_TOOLS = frozenset({"undo", "redo"})


class TurnUndo:
    """Shown below the newest turn; `changed` is called when it comes or goes.

    Undo takes back the newest batch of the person, so the offer must go as soon as
    anything else is written.
    """

    def __init__(self, store: Store, transcript: Transcript, changed: Callable[[], None]) -> None:
        self._store = store
        self._transcript = transcript
        self._changed = changed
        self._batch = ""

    @property
    def offered(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._batch)

    async def offer(self, outcome: TurnOutcome) -> None:
        """The newest turn has ended: offer to undo it where it wrote one batch."""
        newest = self._transcript.newest
        undid = any(step.name in _UNDOING_TOOLS for step in outcome.trace)
        if len(outcome.kept_batches) == 1 and not undid and newest is not None:
            self._batch = outcome.kept_batches[0]
            await newest.offer_undo()
            self._changed()

    def forget(self) -> None:
        """Another turn begins, which withdraws all offers of the one before."""
        self._batch = ""

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """After any write: the offer holds only while the turn wrote last."""
        if any(change.gesture.batch != self._batch for change in changes):
            await self.withdraw()

    async def withdraw(self) -> None:
        """Something else may have been written since."""
        newest = self._transcript.newest
        if self._batch and newest is not None:
            self._batch = ""
            await newest.withdraw_undo()
            self._changed()

    async def take(self) -> tuple[str, ...]:
        """Undo the turn; sentences about what was changed since and stays.

        Raises:
            StoreError: it could not be written.
        """
        self._batch = ""
        by = self._store.gesture(Actor.USER)
        try:
            report = await asyncio.to_thread(self._store.tasks.undo, by=by)
        except TodoError:
            self._changed()
            raise
        newest = self._transcript.newest
        if newest is not None:
            newest.say_undone()
        self._changed()
        return tuple(
            f"{conflict.title}: {conflict.field} was changed since and stays as it is."
            for conflict in report.conflicts
        )
