"""Offer to undo the newest turn, and marks on the turns that are undone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import TodoError

if TYPE_CHECKING:
    from todo_tui.domain.events import TurnOutcome
    from todo_tui.store.store import Store
    from todo_tui.tui.chat.transcript import Transcript
    from todo_tui.tui.chat.turn_view import TurnView

_UNDOING_TOOLS = frozenset({"undo", "redo"})
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class UndoOffer:
    """Offers to undo the newest turn until anything else is written; marks undone turns.

    `changed` is called when the offer ends.
    """

    screen: Screen[None]
    store: Store
    changed: Callable[[], None]
    transcript: Transcript | None = None
    """None until the conversation is shown."""
    _batch: str = ""
    """Batch of the newest turn, while it is offered."""

    async def show(self, turn: TurnView, outcome: TurnOutcome) -> None:
        """Offer to undo a turn that has ended, if it changed tasks and undid nothing itself."""
        has_undone = any(step.name in _UNDOING_TOOLS for step in outcome.trace)
        if len(outcome.kept_batches) == 1 and not has_undone:
            self._batch = outcome.kept_batches[0]
            await turn.offer_undo()

    def forget(self) -> None:
        """End the offer of a turn that is not the newest any more."""
        self._batch = ""

    async def confirm(self, turn_id: str) -> None:
        """Show that the changes of a turn were undone; they are not offered any more."""
        turns = list(self.transcript.turns) if self.transcript is not None else []
        for turn in turns:
            if turn.turn_id == turn_id:
                if turn is turns[-1]:
                    self._batch = ""
                await turn.mark_undone()
        self.changed()

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Withdraw the offer after a write by anything else than the turn."""
        if any(change.context.batch != self._batch for change in changes):
            await self.store_changed()

    async def store_changed(self) -> None:
        """Withdraw the offer after a write by others, and mark the turns undone by it."""
        if self.transcript is None:
            return
        self._mark_undone_turns(self.transcript)
        if self._batch and self.transcript.newest is not None:
            self._batch = ""
            await self.transcript.newest.offer_undo(False)
            self.changed()

    def _mark_undone_turns(self, transcript: Transcript) -> None:
        """Mark the shown turns whose changes are undone now, and no others."""
        turns = [turn for turn in transcript.turns if turn.turn_id and turn.rows]

        async def mark() -> None:
            ids = [turn.turn_id for turn in turns]
            try:
                changing = await asyncio.to_thread(self.store.turns.changing, ids)
            except TodoError as error:
                _log.warning("undone turns are not marked: %s", error.message)
                return
            for turn in turns:
                if turn.is_attached:
                    await turn.mark_undone(changing.get(turn.turn_id, False))

        if turns:
            self.screen.run_worker(mark(), group="undone", exclusive=True)
