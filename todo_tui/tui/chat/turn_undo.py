"""Undo of whole turns: the keys that offer it, marks on the turns that are undone."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from textual.content import Content
from textual.events import Click
from textual.style import Style
from textual.widgets import Static

from todo_tui.domain.changes import UNDO_TOOLS
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor
from todo_tui.tui.actions.action import ActionHost, perform_text
from todo_tui.tui.actions.chat import UNDO_HINT
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.conversation_part import ConversationPart
from todo_tui.tui.widgets.key_bar import format_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from todo_tui.domain.changes import UndoReport
    from todo_tui.domain.events import TurnOutcome
    from todo_tui.store.store import Store
    from todo_tui.tui.chat.turn_view import TurnView
    from todo_tui.tui.services import AppServices

_log = logging.getLogger(__name__)


class UndoHint(ActionHost, ConversationPart, Static, can_focus=True):
    """Keys that undo a turn below its answer; a click and Enter do it too."""

    FOCUS_ON_CLICK = False
    noun = "undo hint"
    ACTIONS = UNDO_HINT

    def __init__(self) -> None:
        super().__init__(classes="foot undo-key", markup=False)

    @property
    def copied_text(self) -> str:
        """The line as it is shown."""
        return format_hint(self.app, "/undo or {chat.undo_turn} undo changes")

    def render(self) -> Content:
        """Draw the keys."""
        key = format_hint(self.app, "{chat.undo_turn} undo changes")
        keys = format_keys(("/undo or",)) + " " + format_keys((key,))
        return keys.stylize(Style.from_meta({"undo": True}))

    async def undo(self) -> None:
        """Undo the turn."""
        await self.run_action(perform_text("chat.undo_turn", "screen"))

    async def on_click(self, event: Click) -> None:
        """Undo the turn, unless the click was beside the words."""
        if event.style.meta.get("undo"):
            event.stop()
            await self.undo()


def has_changes_to_undo(outcome: TurnOutcome) -> bool:
    """Return whether a turn changed tasks and undid nothing itself."""
    has_undone = any(step.name in UNDO_TOOLS for step in outcome.trace)
    return bool(outcome.kept_batches) and not has_undone


async def undo_turn(
    services: AppServices, turn_id: str, *, preview: bool = False, overwrite: bool = False
) -> UndoReport:
    """Undo the changes of a turn, or return what that would change; may raise TodoError."""
    return await services.writer.run(
        services.store.tasks.undo_turn,
        turn_id,
        by=services.store.new_change_context(Actor.USER),
        preview=preview,
        overwrite=overwrite,
    )


async def mark_undone_turns(store: Store, turns: Sequence[TurnView]) -> bool:
    """Mark the turns whose changes are undone now, and no others; True if any is marked anew."""
    try:
        changing = await asyncio.to_thread(store.turns.changing, [turn.turn_id for turn in turns])
    except TodoError as error:
        _log.warning("undone turns are not marked: %s", error.message)
        return False
    others = [turn for turn in turns if turn.undone is not changing.get(turn.turn_id)]
    for turn in others:
        if turn.is_attached:
            await turn.mark_undone(changing.get(turn.turn_id))
    return bool(others)
