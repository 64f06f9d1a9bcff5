"""The conversation as it is held: what is sent, what waits, what a turn leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.screen import Screen

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
from todo_tui.domain.task import Actor
from todo_tui.tui.conversation_log import ConversationLog, Page
from todo_tui.tui.live_turn import LiveTurn
from todo_tui.tui.messages import TurnBroke
from todo_tui.tui.outbox import Outbox
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import model_lines
from todo_tui.tui.turn_runner import Selection, TurnRunner
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.status_line import ModelState, TurnFacts
from todo_tui.tui.widgets.transcript import Transcript
from todo_tui.tui.wishes import Wish
from todo_tui.tui.workbench import Workbench

_UNDOING_TOOLS = frozenset({"undo", "redo"})


class Dialogue:
    """Carries messages between the runner of turns, the store's log and the chat pane.

    `changed` is called when its facts differ or what can be done now.
    """

    def __init__(
        self,
        screen: Screen[None],
        workbench: Workbench,
        switch: ProviderSwitch,
        chat: ChatPane,
        selection: Callable[[], Selection],
        changed: Callable[[], None],
    ) -> None:
        self._store = workbench.store
        self._now = workbench.clock.now
        self._switch = switch
        self._runner = TurnRunner(screen, switch)
        self._chat = chat
        self._selection = selection
        self._changed = changed
        self._log = ConversationLog(workbench)
        self._outbox = Outbox()
        self._live: LiveTurn | None = None
        self._undo_batch = ""
        self._unfinished = ""
        self._resend = False
        self.transcript = Transcript(id="transcript")
        self._state = ModelState.READY
        self._tokens = 0
        self._cost_usd = 0.0

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._runner.busy

    @property
    def waits_to_retry(self) -> bool:
        """Whether the turn only waits until it may ask its model again."""
        return self._state is ModelState.WAITING

    @property
    def facts(self) -> TurnFacts:
        """What the status line shows of it."""
        return TurnFacts(self._state, self._tokens, self._cost_usd)

    def can(self, wish: Wish) -> bool:
        """Whether it would do something now.

        Undo of a turn must take back just that turn, so nobody may have written since.
        """
        match wish:
            case Wish.STOP:
                return self.busy
            case Wish.RETRY:
                return bool(self._unfinished) and not self.busy
            case Wish.UNDO_TURN:
                return bool(self._undo_batch) and not self.busy
            case _:
                return True

    async def fulfil(self, wish: Wish) -> None:
        """Do what a key asks for."""
        match wish:
            case Wish.STOP:
                self._runner.stop()
            case Wish.RETRY if self.can(wish):
                await self.send(self._unfinished)
            case Wish.UNDO_TURN if self.can(wish):
                await self._undo_turn()
            case Wish.ANEW:
                await self._start_anew()
            case Wish.CALLS | Wish.PAGE_UP | Wish.PAGE_DOWN | Wish.NEWEST | Wish.OLDEST:
                self.transcript.show_part(wish)

    @property
    def live(self) -> LiveTurn:
        """The turn that runs, if any; needs a transcript that is on screen."""
        if self._live is None:
            self._live = LiveTurn(self.transcript, self._chat.activity, self._now)
        return self._live

    async def open_latest(self) -> None:
        """Put the last conversation on screen; runs in a worker, after the first frame."""
        await self._chat.place.mount(self.transcript)
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._complain(error)
            page = Page()
        # What was sent before the conversation could be read goes on top of nothing.
        if not self.busy and not self.transcript.turns:
            await self._show(page)

    async def show_earlier(self) -> None:
        """Put the turns before the oldest that is shown above it."""
        turns = self.transcript.turns
        if not turns:
            return
        try:
            page = await asyncio.to_thread(self._log.earlier, turns[0].turn_id)
        except TodoError as error:
            self._complain(error)
            return
        await self.transcript.show_earlier(page.turns, more=page.more)

    async def _start_anew(self) -> None:
        """A new conversation; the one before stays in the store."""
        if self.busy:
            self._say("Esc stops the turn first.")
            return
        self._log.leave()
        self._undo_batch = ""
        await self._show(Page())

    async def send(self, text: str) -> None:
        """Begin a turn with the message, or line it up behind the one that runs."""
        if self.busy:
            self._outbox.put(text)
            self._show_queue()
            return
        await self.withdraw_undo()
        self._undo_batch = ""
        self._unfinished = ""
        if self.transcript.newest is not None:
            await self.transcript.newest.retire()
        await self.live.begin(text, other_model_key="Ctrl+T" if self._switch.others_ready else "F2")
        self._set_state(ModelState.OPENING)
        self._runner.start(text, self._log.conversation_id, self._selection())

    def resend(self) -> None:
        """Stop a turn that only waits to try again, and ask the model that is chosen now."""
        self._resend = True
        self._runner.stop()

    def models_changed(self) -> None:
        """Another model answers, or another one has become ready: an empty page says so."""
        welcome = self.transcript.welcome
        welcome.offline = not self._switch.option.host
        welcome.model_lines = model_lines(self._switch)

    def take_queued_back(self) -> None:
        """Return the message that was lined up last to the composer."""
        text = self._outbox.take_back()
        if text is not None:
            self._chat.composer.put_back(text)
            self._show_queue()

    async def _undo_turn(self) -> None:
        """Take back what the last turn wrote; says where that met later changes."""
        self._undo_batch = ""
        by = self._store.gesture(Actor.USER)
        try:
            report = await asyncio.to_thread(self._store.tasks.undo, by=by)
        except TodoError as error:
            self._complain(error)
            return
        newest = self.transcript.newest
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
        newest = self.transcript.newest
        if self._undo_batch and not self.busy and newest is not None:
            self._undo_batch = ""
            await newest.withdraw_undo()
            self._changed()

    async def progressed(self, event: TurnEvent) -> None:
        """Show what the running turn reports; when it has ended, go on with what waits."""
        await self.live.show(event)
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
                self._tokens += event.usage.input_tokens + event.usage.output_tokens
                self._cost_usd += event.cost_usd or 0.0
                self._changed()
            case ThinkingDelta() | ToolFinished() | CallRestarted() | ApprovalAsked():
                self._set_state(ModelState.THINKING)
            case _:
                await self._ended(event)

    async def broke(self, event: TurnBroke) -> None:
        """The turn has no last event: show why, and return to the box what is not stored."""
        if event.stored:
            await self.live.break_off(
                TurnError("internal", event.error.message, event.error.hint)
                if event.error
                else None
            )
            self._unfinished = event.text
        else:
            await self.live.drop()
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
        asked = self.transcript.newest.asked if self.transcript.newest else ""
        finished = isinstance(event, TurnFinished)
        self._unfinished = "" if finished else asked
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
        newest = self.transcript.newest
        undid = any(step.name in _UNDOING_TOOLS for step in outcome.trace)
        if len(outcome.kept_batches) == 1 and not undid and newest is not None:
            self._undo_batch = outcome.kept_batches[0]
            await newest.offer_undo()
            self._changed()

    async def _show(self, page: Page) -> None:
        self._tokens = page.tokens
        self._cost_usd = page.cost_usd
        last = page.turns[-1] if page.turns else None
        stopped = last is not None and last.status not in (TurnStatus.FINISHED, TurnStatus.RUNNING)
        self._unfinished = last.asked if last is not None and stopped else ""
        self.transcript.welcome.newcomer = page.newcomer
        await self.transcript.show_conversation(page.turns, more=page.more)
        if page.turns:
            self._chat.composer.remember_sent([turn.asked for turn in page.turns])
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
        if state is not self._state:
            self._state = state
            self._changed()

    def _complain(self, error: TodoError) -> None:
        words = f"{error.message} {error.hint}" if error.hint else error.message
        self._chat.app.notify(words, title="That did not work", severity="error", markup=False)

    def _say(self, words: str) -> None:
        self._chat.app.notify(words, markup=False)
