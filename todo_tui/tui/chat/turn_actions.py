"""Actions on one turn: edit, undo, inspect, compare, versions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from todo_tui.config.settings import ModelName
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import format_count, plain_line
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import BackgroundWidget, run_in_background
from todo_tui.tui.chat.conversation import ConversationView
from todo_tui.tui.chat.conversation_page import read_newest_turns
from todo_tui.tui.chat.outbox import Outbox
from todo_tui.tui.chat.session import ChatSession
from todo_tui.tui.chat.slash_commands import CommandRefused
from todo_tui.tui.chat.turn_undo import undo_turn
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.screens.undo_turn import UndoTurnScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.notices import short_title, undo_message

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import ModelCall, TurnRecord
    from todo_tui.tui.chat.comparison import ComparisonScreen
    from todo_tui.tui.chat.turn_view import TurnView

_MAX_DIGITS = 6
_log = logging.getLogger(__name__)


class TurnActions(BackgroundWidget):
    """Performs actions on the turn that is read, the newest, or that of a typed number.

    Unless they run in a worker, they raise TodoError, which is shown as of any action.
    """

    @dataclass
    class ShowRequested(Message):
        """Posted to show another version of a message."""

        turn_id: str
        focuses_answer: bool | None
        """True to focus the answer, False the message, None neither."""
        note: str

    def __init__(
        self,
        services: AppServices,
        switch: ProviderSwitch,
        session: ChatSession,
        conversation: ConversationView,
        outbox: Outbox,
    ) -> None:
        super().__init__()
        self._services = services
        self._switch = switch
        self._session = session
        self._conversation = conversation
        self._outbox = outbox
        self._comparison: ComparisonScreen | None = None
        self._undoing = asyncio.Lock()
        """Held from the preview of an undo to its end, so that a second press finds it done."""

    async def edit(self, number: str = "") -> None:
        """Put the message of the turn into the composer."""
        if not number:
            if (view := self._conversation.reachable_turn) is not None:
                self._outbox.begin_edit(view.turn_id, view.user_text)
        elif (turn := await self._numbered_turn("edit", number)) is not None:
            await self._conversation.show_turn(turn.id)
            self._outbox.begin_edit(turn.id, turn.user_text)

    async def _numbered_turn(self, command: str, number: str) -> TurnRecord | None:
        """Return the turn of a number counted from the newest, which is 1; refuse any other."""
        place = int(number) if number.isdecimal() and len(number) <= _MAX_DIGITS else 0
        turns: Sequence[TurnRecord] = ()
        if place:
            turns = await read_newest_turns(self._services.store, self._session, place)
        if place and len(turns) >= place:
            return turns[-1]
        reason = f"Type a number after /{command}: 1 is your newest message, 2 the one before."
        if place:
            count = format_count(len(turns), "message")
            reason = f"No message {place}: this conversation has {count}."
        self.post_message(CommandRefused(f"/{command} {number}", reason))
        return None

    async def show_version(self, step: int) -> None:
        """Request the version of the message before (-1) or after (1) the one that is shown."""
        if (turn := self._conversation.reachable_edited_turn) is None:
            return
        branches = self._services.store.turns.branches
        ids = [each.id for each in await asyncio.to_thread(branches, turn.turn_id)]
        note = ""
        if not self._conversation.is_newest(turn):
            back = "{steps.branch_after}" if step < 0 else "{steps.branch_before}"
            note = f"Later messages belong to the other version: {back} shows them."
        chosen = ids[ids.index(turn.turn_id) + step]
        # So that the next step goes on from this version.
        focuses_answer = not turn.parts[0].has_focus
        self.post_message(self.ShowRequested(chosen, focuses_answer, note))

    async def notify_replaced(self, former: int, count: int, replaced: Sequence[str]) -> None:
        """Say how to return to a replaced version, with the turns below it, and what stays of it.

        `former` is its number among `count` versions, `replaced` the ids of its turns.
        """
        kept = f"Version {former} is kept"
        if later := len(replaced) - 1:
            kept = f"Version {former} and {format_count(later, 'later message')} are kept"
        times = f" ({count + 1 - former} times)" if count > former else ""
        text = f"{kept}: press {{chat.read_back}} then {{steps.branch_before}}{times}."
        try:
            changing = await asyncio.to_thread(self._services.store.turns.changing, replaced)
        except TodoError as error:
            _log.warning("the changes of a former version are unknown: %s", error.message)
        else:
            if not all(changing.values()):
                text += " Its task changes stay; {steps.undo_turn} there undoes them."
        self.app.notify(format_hint(self.app, text), timeout=8)

    async def may_repeat(self, turn_id: str) -> bool:
        """Return True if an answer may be given again; otherwise notify why not."""
        changing = await asyncio.to_thread(self._services.store.turns.changing, [turn_id])
        if self._session.busy or changing.get(turn_id, True):
            return not self._session.busy
        # A letter that was meant for the message box would add every task again.
        text = "Undo this answer's changes first ({steps.undo_turn}): a new one repeats them."
        self.app.notify(format_hint(self.app, text))
        return False

    async def inspect(self) -> None:
        """Show the model calls of the turn."""
        from todo_tui.tui.screens.inspector import InspectorScreen  # opened by a key, few times

        if (turn := self._conversation.reachable_turn) is None:
            return
        services, recorded = self._services, self._session.calls.of(turn.turn_id)
        calls: Sequence[ModelCall] = recorded
        if not calls:
            calls = await asyncio.to_thread(services.store.usage.calls, turn.turn_id)
        label = services.model_label
        self.app.push_screen(InspectorScreen(calls, label, is_recorded=bool(recorded)))

    # Undo

    async def undo(self, number: str = "") -> None:
        """Undo the changes of the numbered turn, of the one that is read, or the last with any."""
        transcript = self._conversation.transcript
        if number:
            if (record := await self._numbered_turn("undo", number)) is not None:
                self._undo(record.id, record.user_text)
        elif (turn := self._conversation.reachable_turn) is not None and transcript is not None:
            turns = [turn] if transcript.has_focus_within else transcript.turns
            changing = self._services.store.turns.changing
            changed = await asyncio.to_thread(changing, [each.turn_id for each in turns])
            last = next((each for each in reversed(turns) if each.turn_id in changed), turns[-1])
            self._undo(last.turn_id, last.user_text)

    @work(group="undo turn")
    @shows_errors
    async def _undo(self, turn_id: str, message: str) -> None:
        """Undo the changes of a turn; ask first what to do with fields that changed since."""
        async with self._undoing:
            report = await undo_turn(self._services, turn_id, preview=True)
            if not report.changes and not report.conflicts:
                self.app.notify(f"No changes to undo for “{short_title(message)}”.")
            elif not report.conflicts:
                await self._undo_now(turn_id)
            else:

                def undo(overwrite: bool | None) -> None:
                    if overwrite is not None:
                        undoing = partial(self._undo_now, turn_id, overwrite=overwrite)
                        run_in_background(self, undoing, group="undo turn")

                self.app.push_screen(UndoTurnScreen(report), undo)

    @shows_errors
    async def _undo_now(self, turn_id: str, *, overwrite: bool = False) -> None:
        report = await undo_turn(self._services, turn_id, overwrite=overwrite)
        self.app.notify(plain_line(undo_message(report, self._services.clock.now())))

    # Another model

    @shows_errors
    async def compare(self, turn: TurnView, choice: ModelName) -> None:
        """Show the answer of another model beside that of a turn; request the one chosen."""
        turn_id, model, is_reading = turn.turn_id, turn.model, turn.has_focus_within
        from todo_tui.agent.config import read_only
        from todo_tui.tui.chat.comparison import ComparisonScreen  # 130 ms
        from todo_tui.tui.chat.turn_view import TurnLabels

        services = self._services
        stored = await asyncio.to_thread(services.store.turns.branches, turn_id)
        config = await self._switch.open_config(choice)
        try:
            config = replace(read_only(config), note_call=self._session.calls.add)
            (record,) = [each for each in stored if each.id == turn_id]
            labels = TurnLabels(services.clock, services.model_label)
            self._comparison = ComparisonScreen(record, config, labels)
            kept = await self.app.push_screen_wait(self._comparison)
            if kept != turn_id:
                model = config.provider.id, config.provider.model
            versions = await asyncio.to_thread(services.store.turns.branches, kept)
            version = [each.id for each in versions].index(kept) + 1
            # The newest version is the answer that was compared.
            key, other = "{steps.branch_after}", len(versions)
            if kept != turn_id:
                key, other = "{steps.branch_before}", version - 1
            times = f" {other - version} times" if other - version > 1 else ""
            note = f"Kept {plain_line(services.model_label(*model))}. "
            first = "" if is_reading else "{chat.read_back} then "
            note += f"{first}{key}{times} shows version {other}."
            self.post_message(self.ShowRequested(kept, True if is_reading else None, note))
        finally:
            self._comparison = None
            await config.provider.aclose()

    async def shut_down(self) -> None:
        """Stop a comparison and wait until its answer is stored."""
        if self._comparison is not None:
            await self._comparison.stop(interrupted=True)
