"""Chat controller.

Sends messages, queues them while a turn runs, updates the transcript from turn events, undoes a
turn. Loaded after the first frame.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from textual.screen import Screen

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import ProviderErrorKind, TodoError
from todo_tui.domain.events import (
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
)
from todo_tui.domain.task import Actor
from todo_tui.store.store import Store
from todo_tui.tui.actions import ChatAction, KeyNames, format_hint
from todo_tui.tui.chat.history import ConversationHistory, ConversationTitler, HistoryPage
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.chat.running_turn import RunningTurnView, Selection, TurnRunner, TurnStateTracker
from todo_tui.tui.chat.slash_commands import escape_message
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.chat.turn_view import RecoveryKeys
from todo_tui.tui.messages import TurnCrashed
from todo_tui.tui.models.controller import ready_model_lines
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import ModelState, TurnState, UsageAndCost

_UNDOING_TOOLS = frozenset({"undo", "redo"})


class MessageQueue:
    """First in, first out; the last one in can be taken back. The chat pane shows it."""

    def __init__(self, chat: ChatPane) -> None:
        self._chat = chat
        self._texts: deque[str] = deque()

    def put(self, text: str) -> None:
        """Line up behind the others."""
        self._texts.append(text)
        self._show()

    def next(self) -> str | None:
        """Remove and return the one that waited longest."""
        text = self._texts.popleft() if self._texts else None
        self._show()
        return text

    def return_last(self) -> None:
        """Return the one that was written last to the composer."""
        if self._texts:
            self._chat.composer.put_back(escape_message(self._texts.pop()))
            self._show()

    def return_all(self) -> None:
        """Return all to the composer as one text, a line break between them.

        What waited for a turn that did not finish is not sent behind the person's back.
        """
        text = "\n".join(self._texts)
        self._texts.clear()
        if text:
            self._chat.composer.put_back(escape_message(text))
        self._show()

    def _show(self) -> None:
        self._chat.activity.queued = tuple(self._texts)
        self._chat.composer.something_queued = bool(self._texts)


def recovery_keys(workbench: AppServices, switch: ProviderSwitch) -> RecoveryKeys:
    """What helps now, in words.

    After a failure Ctrl+T asks the next model at once; Alt+digit and F2 only choose one.
    """
    others = switch.others_ready
    path = workbench.log_path
    keys = KeyNames(workbench.keymap)
    stop, retry = keys.first("chat.stop"), keys.first("chat.retry")
    switch_key, pick = keys.first("app.next_provider"), keys.first("app.pick_model")
    log = (f"{keys.first('app.log')} log",) if path is not None and path.exists() else ()
    other = f"{switch_key} other model" if others else f"{pick} other model"
    return RecoveryKeys(
        failed=(f"{retry} retry", f"{other} and retry" if others else other, *log),
        waiting=(f"{stop} stop", other),
    )


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
        if any(change.context.batch != self._batch for change in changes):
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
        by = self._store.new_change_context(Actor.USER)
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


class ChatController:
    """Carries messages between the runner of turns, the store's log and the chat pane.

    `changed` is called when its facts differ or what can be done now.
    """

    def __init__(
        self,
        screen: Screen[None],
        workbench: AppServices,
        switch: ProviderSwitch,
        chat: ChatPane,
        selection: Callable[[], Selection],
        changed: Callable[[], None],
    ) -> None:
        self._workbench = workbench
        self._switch = switch
        self._runner = TurnRunner(screen, switch)
        self._chat = chat
        self._selection = selection
        self._log = ConversationHistory(workbench)
        self._naming = ConversationTitler(workbench, self._log, chat.title)
        self._outbox = MessageQueue(chat)
        self._state_tracker = TurnStateTracker(workbench, changed)
        self.transcript = Transcript(id="transcript")
        self._undo = TurnUndo(workbench.store, self.transcript, changed)
        self._live: RunningTurnView | None = None
        self._resend = False

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._runner.busy

    @property
    def conversation_id(self) -> str | None:
        """The conversation on screen; None before its first message."""
        return self._log.conversation_id

    @property
    def tally(self) -> UsageAndCost:
        """What the conversation has used so far."""
        return self._state_tracker.tally

    @property
    def waits_to_retry(self) -> bool:
        """Whether the turn only waits until it may ask its model again."""
        return self._state_tracker.state is ModelState.WAITING

    @property
    def has_failed(self) -> bool:
        """Whether the newest turn has failed and can be tried again."""
        return self._state_tracker.failed and self.can_perform(ChatAction.RETRY)

    @property
    def turn_state(self) -> TurnState:
        """What the status line shows of it."""
        return self._state_tracker.turn_state

    def can_perform(self, wish: ChatAction) -> bool:
        """Whether it would do something now.

        Undo of a turn must take back just that turn, so nobody may have written since.
        """
        match wish:
            case ChatAction.STOP:
                return self.busy
            case ChatAction.RETRY:
                return bool(self._state_tracker.unfinished) and not self.busy
            case ChatAction.UNDO_TURN:
                return self._undo.offered and not self.busy
            case _:
                return True

    async def perform(self, wish: ChatAction) -> None:
        """Do what a key asks for."""
        match wish:
            case ChatAction.STOP:
                self._runner.stop()
            case ChatAction.RETRY if self.can_perform(wish):
                await self.send(self._state_tracker.unfinished)
            case ChatAction.UNDO_TURN if self.can_perform(wish):
                await self._undo_turn()
            case ChatAction.ANEW:
                await self._start_conversation()
            case (
                ChatAction.CALLS
                | ChatAction.PAGE_UP
                | ChatAction.PAGE_DOWN
                | ChatAction.NEWEST
                | ChatAction.OLDEST
            ):
                self.transcript.show_part(wish)

    @property
    def live(self) -> RunningTurnView:
        """The turn that runs, if any; needs a transcript that is on screen."""
        if self._live is None:
            self._live = RunningTurnView(
                self.transcript, self._chat.activity, self._workbench.clock.now
            )
        return self._live

    async def open_latest(self) -> None:
        """Put the last conversation on screen; runs in a worker, after the first frame."""
        await self._chat.place.mount(self.transcript)
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._show_error(error)
            page = HistoryPage()
        # What was sent before the conversation could be read goes on top of nothing.
        if not self.busy and not self.transcript.turns:
            await self._show(page)

    async def show_reopened(self) -> None:
        """Put the last conversation of the database on screen that was opened now.

        A message that did not get its answer before goes back to the composer, unless it
        is in that conversation.
        """
        unfinished = self._state_tracker.unfinished
        self._undo.forget()
        self._log.leave()
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._show_error(error)
            page = HistoryPage()
        await self._show(page)
        if unfinished and unfinished != self._state_tracker.unfinished:
            self._chat.composer.put_back(escape_message(unfinished))

    async def show_earlier(self) -> None:
        """Put the turns before the oldest that is shown above it."""
        turns = self.transcript.turns
        if not turns:
            return
        try:
            page = await asyncio.to_thread(self._log.earlier, turns[0].turn_id)
        except TodoError as error:
            self.transcript.stop_asking()
            self._show_error(error)
            return
        await self.transcript.show_earlier(page.turns, before=turns[0], more=page.more)

    async def _start_conversation(self) -> None:
        """A new conversation; the one before stays in the store."""
        if self.busy:
            self._say(format_hint(self.transcript.app, "{chat.stop} stops the turn first."))
            return
        self._log.leave()
        self._undo.forget()
        await self._show(HistoryPage())

    async def _show(self, page: HistoryPage) -> None:
        self._state_tracker.conversation_opened(page)
        self._naming.conversation_opened(page)
        self.transcript.welcome.newcomer = page.newcomer
        await self.transcript.show_conversation(page.turns, more=page.more, keys=self._keys)
        if page.turns:
            self._chat.composer.remember_sent([escape_message(turn.asked) for turn in page.turns])

    async def send(self, text: str) -> None:
        """Begin a turn with the message, or line it up behind the one that runs."""
        if self.busy:
            self._outbox.put(text)
            return
        self._undo.forget()
        # Drawn once: a client may be loading meanwhile, which every drawing holds up.
        with self._chat.app.batch_update():
            if self.transcript.newest is not None:
                await self.transcript.newest.retire()
            await self.live.begin(text, keys=self._keys)
            self._state_tracker.message_sent()
        self._runner.start(text, self._log.conversation_id, self._selection())

    def resend(self) -> None:
        """Stop a turn that only waits to try again, and ask the model that is chosen now."""
        self._resend = True
        self._runner.stop()

    def edit_queued(self) -> None:
        """Return the message that was lined up last to the composer."""
        self._outbox.return_last()

    def models_changed(self) -> None:
        """Another model answers, or another one has become ready: say so where it helps."""
        welcome = self.transcript.welcome
        welcome.offline = not self._switch.option.host
        welcome.model_lines = ready_model_lines(self._switch)
        if self._state_tracker.failed and self.transcript.newest is not None:
            self.transcript.newest.offer_help()

    def model_switched(self) -> None:
        """Another model answers from now on."""
        if not self.busy:
            self._state_tracker.model_switched()

    async def _undo_turn(self) -> None:
        try:
            kept = await self._undo.take()
        except TodoError as error:
            self._show_error(error)
            return
        for sentence in kept:
            self._say(sentence)

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """After any write."""
        if not self.busy:
            await self._undo.tasks_changed(changes)

    async def withdraw_undo(self) -> None:
        """Another process may have written since the last turn."""
        if not self.busy:
            await self._undo.withdraw()

    async def apply_event(self, event: TurnEvent) -> None:
        """Show what the running turn reports; when it has ended, go on with what waits."""
        await self.live.show(event)
        self._state_tracker.apply_event(event)
        if isinstance(event, TurnStarted) and self._log.conversation_id is None:
            self._log.conversation_id = event.conversation_id
            self._naming.first_message_stored()
        elif isinstance(event, TurnEnd):
            await self._ended(event)

    async def handle_crash(self, event: TurnCrashed) -> None:
        """The turn has no last event: show why, and return to the box what is not stored."""
        error = event.error
        if event.stored:
            told = TurnError("internal", error.message, error.hint) if error else None
            await self.live.break_off(told)
        else:
            await self.live.drop()
            self._chat.composer.put_back(escape_message(event.text))
            if error is not None:
                self._show_error(error)
        self._outbox.return_all()
        unfinished = event.text if event.stored else ""
        self._state_tracker.turn_ended(unfinished, finished=False, failed=error is not None)

    async def shut_down(self, *, interrupted: bool = False) -> None:
        """Stop the turn and wait until the store has what is kept of it."""
        self._runner.stop(interrupted=interrupted)
        await self._runner.wait()

    async def _ended(self, event: TurnEnd) -> None:
        await self._runner.wait()
        asked = self.transcript.newest.asked if self.transcript.newest else ""
        finished, failed = isinstance(event, TurnFinished), isinstance(event, TurnFailed)
        self._record_model_outcome(event)
        self._state_tracker.turn_ended(asked, finished=finished, failed=failed)
        await self._undo.offer(event.outcome)
        resend, self._resend = self._resend, False
        waiting = self._outbox.next() if finished else None
        if resend and not finished:
            await self.send(asked)
        elif waiting is not None:
            await self.send(waiting)
        else:
            self._outbox.return_all()

    def _record_model_outcome(self, event: TurnEnd) -> None:
        """What the end of a turn says of its model, and whether the talk can have a name."""
        if isinstance(event, TurnFinished):
            self._switch.note_answer()
            self._naming.turn_finished()
        elif (
            isinstance(event, TurnFailed)
            and event.error.kind == ProviderErrorKind.TOOLS_UNSUPPORTED
        ):
            self._switch.note_no_tools()

    def _keys(self) -> RecoveryKeys:
        return recovery_keys(self._workbench, self._switch)

    def _show_error(self, error: TodoError) -> None:
        words = f"{error.message} {error.hint}" if error.hint else error.message
        self._chat.app.notify(words, title="That did not work", severity="error", markup=False)

    def _say(self, words: str) -> None:
        self._chat.app.notify(words, markup=False)
