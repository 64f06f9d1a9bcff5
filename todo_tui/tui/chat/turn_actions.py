"""Actions on one turn: edit, answer again, versions, continue, compare, undo, inspect."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import TurnStatus
from todo_tui.domain.task import Actor
from todo_tui.domain.text import plain_line
from todo_tui.tui import deferred
from todo_tui.tui.actions import TurnAction, format_hint
from todo_tui.tui.chat.controller import ChatController
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.task_list.notices import short_title, undo_message

if TYPE_CHECKING:
    from todo_tui.domain.changes import UndoReport
    from todo_tui.store.conversations.records import ModelCall
    from todo_tui.tui.chat.comparison import ComparisonScreen
    from todo_tui.tui.chat.turn_view import TurnView

CONTINUE = "Continue your answer where it stopped."
"""Message that asks for the rest of a stopped answer."""
_KEPT_CHARACTERS = 4_000_000
_STOPPED = (TurnStatus.CANCELLED, TurnStatus.INTERRUPTED)


class RecordedCalls:
    """Model calls of this session with what was sent and received; the oldest are dropped."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str, ModelCall, int]] = deque()
        self._characters = 0

    def add(self, turn_id: str, call: ModelCall) -> None:
        """Record a call of a turn."""
        size = sum(len(each.request) + len(each.response) for each in call.exchanges)
        self._calls.append((turn_id, call, size))
        self._characters += size
        while self._characters > _KEPT_CHARACTERS and len(self._calls) > 1:
            self._characters -= self._calls.popleft()[2]

    def of(self, turn_id: str) -> list[ModelCall]:
        """Return the recorded calls of a turn, oldest first."""
        return [call for owner, call, _ in self._calls if owner == turn_id]


@dataclass(eq=False)
class TurnActions:
    """Actions on one turn of the conversation on screen: the focused one, else the newest."""

    chat: ChatController
    models: ModelController
    calls: RecordedCalls
    _comparison: ComparisonScreen | None = field(default=None, init=False)

    def _turn(self, action: TurnAction) -> TurnView | None:
        """Return the turn to act on; None while one runs.

        If the focused message has no other versions, those of the newest one in view that has are
        meant.
        """
        transcript = self.chat.transcript
        if transcript is None or self.chat.busy:
            return None
        turn = transcript.current
        if action in (TurnAction.BRANCH_BEFORE, TurnAction.BRANCH_AFTER):
            edited = [each for each in transcript.turns_in_view if each.version[1] > 1]
            if edited and not (turn in edited and turn.has_focus_within):
                turn = edited[-1]
        return turn if turn is not None and turn.turn_id else None

    def can_perform(self, action: TurnAction) -> bool:
        """Return whether the action would do something now."""
        turn = self._turn(action)
        if turn is None:
            return False
        match action:
            case TurnAction.BRANCH_BEFORE:
                return turn.version[0] > 1
            case TurnAction.BRANCH_AFTER:
                return len(set(turn.version)) > 1
            case TurnAction.CONTINUE:
                transcript = self.chat.transcript
                is_newest = transcript is not None and turn is transcript.newest
                # The built-in assistant answers at once, and knows no half answer.
                has_model = bool(self.chat.switch.option.host)
                return is_newest and has_model and turn.status in _STOPPED
            case _:
                return True

    async def perform(self, action: TurnAction, model: str = "") -> None:
        """Perform an action, if it would do something; `model` is what to compare with."""
        turn = self._turn(action)
        if turn is None or not self.can_perform(action):
            return
        transcript = self.chat.transcript
        if transcript is not None and transcript.scrolled_back_to_focus():
            return
        match action:
            case TurnAction.EDIT:
                self.chat.begin_edit(turn)
            case TurnAction.AGAIN:
                await self.chat.start(turn.asked, replaces=turn.turn_id)
            case TurnAction.CONTINUE:
                await self.chat.send(CONTINUE)
            case TurnAction.COMPARE:
                # It waits for the user.
                work = self._compare(turn, model)
                self.chat.screen.run_worker(work, group="model", exclusive=True)
            case TurnAction.UNDO:
                await self._undo(turn)
            case TurnAction.INSPECT:
                await self._inspect(turn)
            case TurnAction.BRANCH_BEFORE | TurnAction.BRANCH_AFTER:
                await self._show_version(turn, 1 if action is TurnAction.BRANCH_AFTER else -1)

    async def _show_version(self, turn: TurnView, step: int) -> None:
        branches = self.chat.services.store.turns.branches
        try:
            ids = [each.id for each in await asyncio.to_thread(branches, turn.turn_id)]
        except TodoError as error:
            self.chat.show_error(error)
            return
        chosen = ids[ids.index(turn.turn_id) + step]
        was_message = turn.parts[0].has_focus
        transcript = self.chat.transcript
        has_later = transcript is not None and turn is not transcript.newest
        await self.chat.show_turn(chosen)
        if has_later:
            back = "{steps.branch_after}" if step < 0 else "{steps.branch_before}"
            text = f"Later messages belong to the other version: {back} shows them."
            self.chat.screen.app.notify(format_hint(self.chat.screen.app, text), timeout=5)
        if self.chat.transcript is not None:
            # So that the next step goes on from this version.
            self.chat.transcript.focus_turn(chosen, answer=not was_message)

    # Undo

    async def _undo(self, turn: TurnView) -> None:
        """Undo the changes of a turn; ask first what to do with fields that changed since."""
        report = await self._undo_turn(turn.turn_id, preview=True)
        if report is None:
            return
        if not report.changes and not report.conflicts:
            asked = short_title(turn.asked)
            self.chat.screen.app.notify(f"No changes to undo for “{asked}”.")
        elif not report.conflicts:
            await self._undo_now(turn)
        else:

            async def undo(overwrite: bool | None) -> None:
                if overwrite is not None:
                    await self._undo_now(turn, overwrite=overwrite)

            self.chat.screen.app.push_screen(deferred.UndoTurnScreen(report), undo)

    async def _undo_now(self, turn: TurnView, *, overwrite: bool = False) -> None:
        report = await self._undo_turn(turn.turn_id, overwrite=overwrite)
        if report is not None:
            await self.chat.confirm_undo(turn)
            self.chat.screen.app.notify(plain_line(undo_message(report)))

    async def _undo_turn(
        self, turn_id: str, *, preview: bool = False, overwrite: bool = False
    ) -> UndoReport | None:
        store = self.chat.services.store
        try:
            return await asyncio.to_thread(
                store.tasks.undo_turn,
                turn_id,
                by=store.new_change_context(Actor.USER),
                preview=preview,
                overwrite=overwrite,
            )
        except TodoError as error:
            self.chat.show_error(error)
            return None

    # Another model

    async def _compare(self, turn: TurnView, typed: str) -> None:
        """Show the answer of another model beside that of the turn; keep the one chosen."""
        turn_id = turn.turn_id
        choice = await self.models.pick_other(*turn.model, typed)
        if choice is None:
            return
        chat = self.chat
        try:
            stored = await asyncio.to_thread(chat.services.store.turns.branches, turn_id)
            config = await self.models.switch.open_config(choice)
        except TodoError as error:
            chat.show_error(error)
            return
        try:
            config = replace(deferred.read_only(config), note_call=self.calls.add)
            (record,) = [each for each in stored if each.id == turn_id]
            labels = deferred.TurnLabels(chat.services.clock, chat.model_label)
            second = config.provider.id, config.provider.model
            self._comparison = deferred.ComparisonScreen(record, config, labels)
            kept = await chat.screen.app.push_screen_wait(self._comparison)
            await chat.show_turn(kept)
            if kept != turn_id:
                label = plain_line(chat.model_label(*second))
                keys = "{chat.read_back} then {steps.branch_before} shows the other answer."
                chat.screen.app.notify(format_hint(chat.screen.app, f"Kept {label}. {keys}"))
        finally:
            self._comparison = None
            await config.provider.aclose()

    async def shut_down(self) -> None:
        """Stop a comparison and wait until its answer is stored."""
        if self._comparison is not None:
            await self._comparison.stop(interrupted=True)

    async def _inspect(self, turn: TurnView) -> None:
        recorded = self.calls.of(turn.turn_id)
        calls = recorded
        if not calls:
            find = self.chat.services.store.usage.calls
            try:
                calls = list(await asyncio.to_thread(find, turn.turn_id))
            except TodoError as error:
                self.chat.show_error(error)
                return
        screen = deferred.InspectorScreen(calls, self.chat.model_label, is_recorded=bool(recorded))
        self.chat.screen.app.push_screen(screen)
