"""Actions on one turn: edit, answer again, versions, continue, compare, undo, inspect."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import TurnStatus
from todo_tui.domain.task import Actor
from todo_tui.domain.text import format_count, plain_line
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.controller import ChatController
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.screens.inspector import InspectorScreen
from todo_tui.tui.screens.undo_turn import UndoTurnScreen
from todo_tui.tui.task_list.notices import short_title, undo_message

if TYPE_CHECKING:
    from todo_tui.domain.changes import UndoReport
    from todo_tui.store.conversations.records import ModelCall, TurnRecord
    from todo_tui.tui.chat.comparison import ComparisonScreen
    from todo_tui.tui.chat.turn_view import TurnView

CONTINUE = "Continue your answer where it stopped."
"""Message that asks for the rest of a stopped answer."""
_KEPT_CHARACTERS = 4_000_000
_LISTED_MESSAGES = 20
_MOST_DIGITS = 6
_STOPPED = (TurnStatus.CANCELLED, TurnStatus.INTERRUPTED)


class NumberedMessage(NamedTuple):
    """Message with its number, counted from the newest, which is 1, and a note on it."""

    number: int
    text: str
    about: str = ""


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
    _undoing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held from the preview of an undo to its end, so that a second press finds it done."""

    @property
    def _turn(self) -> TurnView | None:
        """Turn to act on; None while one runs."""
        transcript = self.chat.transcript
        turn = transcript.current if transcript is not None and not self.chat.busy else None
        return turn if turn is not None and turn.turn_id else None

    @property
    def _edited_turn(self) -> TurnView | None:
        """Turn whose versions are shown: the focused one, else the newest in view that has some."""
        turn, transcript = self._turn, self.chat.transcript
        if turn is None or transcript is None:
            return None
        edited = [each for each in transcript.turns_in_view if each.version[1] > 1]
        if edited and not (turn in edited and turn.has_focus_within):
            return edited[-1]
        return turn

    def _in_view(self, turn: TurnView | None) -> TurnView | None:
        """Return the turn to act on now; None if the view is scrolled back to it first."""
        transcript = self.chat.transcript
        if turn is None or transcript is None or transcript.scrolled_back_to_focus():
            return None
        return turn

    @property
    def has_turn(self) -> bool:
        """True if there is a turn to act on."""
        return self._turn is not None

    @property
    def has_evidence(self) -> bool:
        """True if the focused turn, else the newest, cites documents."""
        current = self.chat.transcript.current if self.chat.transcript is not None else None
        return current is not None and bool(current.evidence)

    @property
    def can_continue(self) -> bool:
        """True if the newest answer was stopped, and its model can go on."""
        turn, transcript = self._turn, self.chat.transcript
        if turn is None or transcript is None or turn is not transcript.newest:
            return False
        # The built-in assistant answers at once, and knows no half answer.
        return bool(self.chat.switch.option.host) and turn.status in _STOPPED

    def has_version(self, step: int) -> bool:
        """Return whether the message has a version before (-1) or after (1) the shown one."""
        if (turn := self._edited_turn) is None:
            return False
        number, count = turn.version
        return 1 <= number + step <= count

    async def edit(self, number: str = "") -> None:
        """Put the message of the turn, or that of the typed number, into the message box."""
        if number:
            if (record := await self._numbered_turn("edit", number)) is not None:
                await self.chat.edit_turn(record.id)
        elif (turn := self._in_view(self._turn)) is not None:
            self.chat.begin_edit(turn)

    async def answer_again(self) -> None:
        """Answer the message of the turn again, as another version."""
        if (turn := self._in_view(self._turn)) is not None:
            await self.chat.start(turn.asked, replaces=turn.turn_id)

    async def continue_answer(self) -> None:
        """Ask for the rest of a stopped answer."""
        if self._in_view(self._turn) is not None:
            await self.chat.send(CONTINUE)

    def compare(self, model: str = "") -> None:
        """Answer the message with another model: the one typed, else the one picked."""
        if (turn := self._in_view(self._turn)) is not None:
            # It waits for the user.
            work = self._compare(turn, model)
            self.chat.screen.run_worker(work, group="model", exclusive=True)

    async def undo(self, number: str = "") -> None:
        """Undo the changes of the turn, or of the one whose number was typed."""
        if number:
            if (record := await self._numbered_turn("undo", number)) is not None:
                self._begin(self._undo(record.id, record.user_text))
        elif (turn := self._in_view(self._turn)) is not None:
            self._begin(self._undo(turn.turn_id, turn.asked))

    async def inspect(self) -> None:
        """Open the model calls of the turn."""
        if (turn := self._in_view(self._turn)) is not None:
            await self._inspect(turn)

    async def show_version(self, step: int) -> None:
        """Show the version of a message before (-1) or after (1) the shown one."""
        if (turn := self._in_view(self._edited_turn)) is not None:
            await self._show_version(turn, step)

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

    # Messages by number

    async def numbered(self, *, changing: bool) -> list[NumberedMessage]:
        """Return the newest messages, newest first; with `changing` those that can be undone."""
        turns = enumerate(await self._newest_turns(_LISTED_MESSAGES), start=1)
        if not changing:
            return [NumberedMessage(number, turn.user_text) for number, turn in turns]
        found: list[NumberedMessage] = []
        for number, turn in turns:
            report = await self._undo_turn(turn.id, preview=True) if turn.steps else None
            if report is not None and (report.changes or report.conflicts):
                count = len(report.changes)
                about = format_count(count, "change") if count else "changed since"
                found.append(NumberedMessage(number, turn.user_text, about))
        return found

    async def _numbered_turn(self, command: str, number: str) -> TurnRecord | None:
        """Return the turn of a typed number, 1 is the newest; say why there is none."""
        place = int(number) if number.isdecimal() and len(number) <= _MOST_DIGITS else 0
        turns = await self._newest_turns(place) if place else ()
        if place and len(turns) == place:
            return turns[-1]
        count = format_count(len(turns), "message")
        text = f"No message {place}: this conversation has {count}."
        if not place:
            text = f"Type a number after /{command}: 1 is your newest message, 2 the one before."
        self.chat.pane.composer.put_back(f"/{command} {number}")
        self.chat.screen.app.notify(text)
        return None

    async def _newest_turns(self, limit: int) -> Sequence[TurnRecord]:
        """Return the newest turns of the conversation on screen, the newest first."""
        conversation_id = self.chat.conversation_id
        if conversation_id is None or self.chat.busy:
            return ()
        read = self.chat.services.store.turns.list
        try:
            return (await asyncio.to_thread(read, conversation_id, limit))[::-1]
        except TodoError as error:
            self.chat.show_error(error)
            return ()

    # Undo

    def _begin(self, undo: Coroutine[object, object, None]) -> None:
        self.chat.screen.run_worker(undo, group="undo turn")

    async def _undo(self, turn_id: str, asked: str) -> None:
        """Undo the changes of a turn; ask first what to do with fields that changed since."""
        async with self._undoing:
            report = await self._undo_turn(turn_id, preview=True)
            if report is None:
                return
            if not report.changes and not report.conflicts:
                self.chat.screen.app.notify(f"No changes to undo for “{short_title(asked)}”.")
            elif not report.conflicts:
                await self._undo_now(turn_id)
            else:

                def undo(overwrite: bool | None) -> None:
                    if overwrite is not None:
                        self._begin(self._undo_now(turn_id, overwrite=overwrite))

                self.chat.screen.app.push_screen(UndoTurnScreen(report), undo)

    async def _undo_now(self, turn_id: str, *, overwrite: bool = False) -> None:
        report = await self._undo_turn(turn_id, overwrite=overwrite)
        if report is not None:
            await self.chat.undo_offer.confirm(turn_id)
            self.chat.screen.app.notify(plain_line(undo_message(report)))

    async def _undo_turn(
        self, turn_id: str, *, preview: bool = False, overwrite: bool = False
    ) -> UndoReport | None:
        store = self.chat.services.store
        try:
            return await self.chat.services.writer.run(
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
        turn_id, is_reading = turn.turn_id, turn.has_focus_within
        asked = short_title(turn.asked)
        from todo_tui.agent.config import read_only
        from todo_tui.tui.chat.comparison import ComparisonScreen  # 130 ms
        from todo_tui.tui.chat.turn_view import TurnLabels

        choice = await self.models.pick_other(*turn.model, typed, asked)
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
            config = replace(read_only(config), note_call=self.calls.add)
            (record,) = [each for each in stored if each.id == turn_id]
            labels = TurnLabels(chat.services.clock, chat.model_label)
            second = config.provider.id, config.provider.model
            self._comparison = ComparisonScreen(record, config, labels)
            kept = await chat.screen.app.push_screen_wait(self._comparison)
            await chat.show_turn(kept)
            if chat.transcript is not None and is_reading:
                chat.transcript.focus_turn(kept, answer=True)
            label = plain_line(chat.model_label(*(second if kept != turn_id else turn.model)))
            key = "{steps.branch_before}" if kept != turn_id else "{steps.branch_after}"
            keys = f"{{chat.read_back}} then {key} shows the other answer."
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
        screen = InspectorScreen(calls, self.chat.model_label, is_recorded=bool(recorded))
        self.chat.screen.app.push_screen(screen)
