"""The conversation as it is held: what is sent, what waits, what a turn leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.conversation import TurnStatus
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import (
    ApprovalAsked,
    CallRestarted,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.request import Usage
from todo_tui.domain.task import Actor
from todo_tui.tui.conversation_log import ConversationLog, Page
from todo_tui.tui.messages import TurnBroke
from todo_tui.tui.outbox import Outbox
from todo_tui.tui.turn_runner import Selection, TurnRunner
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.status_line import ModelState
from todo_tui.tui.workbench import Workbench

_UNDOING_TOOLS = frozenset({"undo", "redo"})


class Dialogue:
    """Carries messages between the runner of turns, the store's log and the chat pane.

    `changed` is called when `state`, `usage`, `cost_usd` or what can be done now differs.
    """

    def __init__(
        self,
        workbench: Workbench,
        runner: TurnRunner,
        chat: ChatPane,
        selection: Callable[[], Selection],
        changed: Callable[[], None],
    ) -> None:
        self._store = workbench.store
        self._runner = runner
        self._chat = chat
        self._selection = selection
        self._changed = changed
        self._log = ConversationLog(workbench)
        self._outbox = Outbox()
        self._undo_batch = ""
        self._resend = False
        self.state = ModelState.READY
        self.usage = Usage()
        self.cost_usd = 0.0
        self.unfinished = ""
        """The message of the last turn where that did not finish: it can be sent again."""

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._runner.busy

    @property
    def can_undo(self) -> bool:
        """Whether the last turn's writes are the last ones, so that undo takes back just them."""
        return bool(self._undo_batch) and not self.busy

    async def open_latest(self) -> None:
        """Show the last conversation; runs in a worker, after the first frame."""
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._complain(error)
            page = Page()
        # What was sent before the conversation could be read goes on top of nothing.
        if not self.busy and not self._chat.transcript.turns:
            await self._show(page)

    async def show_earlier(self) -> None:
        """Put the turns before the oldest that is shown above it."""
        turns = self._chat.transcript.turns
        if not turns:
            return
        try:
            page = await asyncio.to_thread(self._log.earlier, turns[0].turn_id)
        except TodoError as error:
            self._complain(error)
            return
        await self._chat.transcript.show_earlier(page.turns, more=page.more)

    async def start_anew(self) -> None:
        """A new conversation; the one before stays in the store."""
        self._log.leave()
        self._undo_batch = ""
        await self._show(Page())
        self._chat.composer.focus()

    async def send(self, text: str) -> None:
        """Begin a turn with the message, or line it up behind the one that runs."""
        if self.busy:
            self._outbox.put(text)
            self._show_queue()
            return
        await self.withdraw_undo()
        self._undo_batch = ""
        self.unfinished = ""
        if self._chat.transcript.newest is not None:
            await self._chat.transcript.newest.retire()
        await self._chat.begin_turn(text)
        self._set_state(ModelState.OPENING)
        self._runner.start(text, self._log.conversation_id, self._selection())

    def stop(self) -> None:
        """End the running turn."""
        self._runner.stop()

    async def retry(self) -> None:
        """Send the message of the turn that did not finish again."""
        if self.unfinished and not self.busy:
            await self.send(self.unfinished)

    def resend(self) -> None:
        """Where a turn only waits to try again: stop it and ask the model that is chosen now."""
        if self.state is ModelState.WAITING:
            self._resend = True
            self._runner.stop()

    def take_queued_back(self) -> None:
        """Return the message that was lined up last to the composer."""
        text = self._outbox.take_back()
        if text is not None:
            self._chat.composer.put_back(text)
            self._show_queue()

    async def undo_turn(self) -> None:
        """Take back what the last turn wrote; says where that met later changes."""
        if not self.can_undo:
            return
        self._undo_batch = ""
        by = self._store.gesture(Actor.USER)
        try:
            report = await asyncio.to_thread(self._store.tasks.undo, by=by)
        except TodoError as error:
            self._complain(error)
            return
        newest = self._chat.transcript.newest
        if newest is not None:
            newest.say_undone()
        for conflict in report.conflicts:
            self._say(f"{conflict.title}: {conflict.field} was changed since and stays as it is.")
        self._changed()

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """After any write: the offer to undo the turn holds only while it wrote last."""
        if any(change.gesture.batch != self._undo_batch for change in changes):
            await self.withdraw_undo()

    async def withdraw_undo(self) -> None:
        """Something else may have been written since the last turn."""
        newest = self._chat.transcript.newest
        if self._undo_batch and not self.busy and newest is not None:
            self._undo_batch = ""
            await newest.withdraw_undo()
            self._changed()

    async def progressed(self, event: TurnEvent) -> None:
        """Show what the running turn reports; when it has ended, go on with what waits."""
        await self._chat.show_event(event)
        match event:
            case TurnStarted():
                self._log.conversation_id = event.conversation_id
                self._set_state(ModelState.THINKING)
            case ToolStarted():
                self._set_state(ModelState.WORKING)
            case TextDelta():
                self._set_state(ModelState.ANSWERING)
            case Retrying():
                self._set_state(ModelState.WAITING)
            case UsageReported():
                self.usage += event.usage
                self.cost_usd += event.cost_usd or 0.0
                self._changed()
            case ThinkingDelta() | ToolFinished() | CallRestarted() | ApprovalAsked():
                self._set_state(ModelState.THINKING)
            case _:
                await self._ended(event)

    async def broke(self, event: TurnBroke) -> None:
        """The turn has no last event: show why, and return to the box what is not stored."""
        if event.stored:
            await self._chat.break_turn(
                TurnError("internal", event.error.message, event.error.hint)
                if event.error
                else None
            )
            self.unfinished = event.text
        else:
            await self._chat.drop_turn()
            self._chat.composer.put_back(event.text)
            if event.error is not None:
                self._complain(event.error)
        self._return_queue()
        self._set_state(ModelState.TROUBLE if event.error else ModelState.READY)

    async def wind_up(self) -> None:
        """Stop the turn and wait until the store has what is kept of it."""
        self._runner.stop()
        await self._runner.wait()

    async def _ended(self, event: TurnEnd) -> None:
        await self._runner.wait()
        asked = self._chat.transcript.newest.asked if self._chat.transcript.newest else ""
        finished = isinstance(event, TurnFinished)
        self.unfinished = "" if finished else asked
        self._set_state(ModelState.TROUBLE if isinstance(event, TurnFailed) else ModelState.READY)
        await self._offer_undo(event.outcome)
        resend, self._resend = self._resend, False
        waiting = self._outbox.next() if finished else None
        if resend and not finished:
            await self.send(asked)
        elif waiting is not None:
            self._show_queue()
            await self.send(waiting)
        else:
            self._return_queue()

    async def _offer_undo(self, outcome: TurnOutcome) -> None:
        newest = self._chat.transcript.newest
        undid = any(step.name in _UNDOING_TOOLS for step in outcome.trace)
        if len(outcome.kept_batches) == 1 and not undid and newest is not None:
            self._undo_batch = outcome.kept_batches[0]
            await newest.offer_undo()
            self._changed()

    async def _show(self, page: Page) -> None:
        self.usage = page.usage
        self.cost_usd = page.cost_usd
        last = page.turns[-1] if page.turns else None
        stopped = last is not None and last.status not in (TurnStatus.FINISHED, TurnStatus.RUNNING)
        self.unfinished = last.asked if last is not None and stopped else ""
        await self._chat.show_page(page.turns, more=page.more, newcomer=page.newcomer)
        self._set_state(ModelState.READY)

    def _return_queue(self) -> None:
        """What waited for a turn that did not finish is not sent behind the person's back."""
        text = self._outbox.take_all_back()
        if text:
            self._chat.composer.put_back(text)
        self._show_queue()

    def _show_queue(self) -> None:
        self._chat.activity.queued = self._outbox.texts
        self._chat.composer.something_queued = bool(self._outbox.texts)

    def _set_state(self, state: ModelState) -> None:
        self.state = state
        self._changed()

    def _complain(self, error: TodoError) -> None:
        words = f"{error.message} {error.hint}" if error.hint else error.message
        self._chat.app.notify(words, title="That did not work", severity="error", markup=False)

    def _say(self, words: str) -> None:
        self._chat.app.notify(words, markup=False)
