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
    """FIFO queue of messages typed while a turn runs, shown in the chat pane."""

    def __init__(self, chat: ChatPane) -> None:
        self._chat = chat
        self._texts: deque[str] = deque()

    def put(self, text: str) -> None:
        """Append a message."""
        self._texts.append(text)
        self._show()

    def next(self) -> str | None:
        """Remove and return the oldest message."""
        text = self._texts.popleft() if self._texts else None
        self._show()
        return text

    def return_last(self) -> None:
        """Move the newest message back to the composer."""
        if self._texts:
            self._chat.composer.put_back(escape_message(self._texts.pop()))
            self._show()

    def return_all(self) -> None:
        """Move all messages back to the composer, joined by line breaks.

        Messages queued behind a turn that did not finish are not sent without the user.
        """
        text = "\n".join(self._texts)
        self._texts.clear()
        if text:
            self._chat.composer.put_back(escape_message(text))
        self._show()

    def _show(self) -> None:
        self._chat.activity.queued = tuple(self._texts)
        self._chat.composer.has_queued = bool(self._texts)


def recovery_keys(services: AppServices, switch: ProviderSwitch) -> RecoveryKeys:
    """Return the key hints for recovery.

    After a failure Ctrl+T retries with the next model at once; Alt+digit and F2 only choose one.
    """
    others = switch.others_ready
    path = services.log_path
    keys = KeyNames(services.keymap)
    stop, retry = keys.first("chat.stop"), keys.first("chat.retry")
    switch_key, pick = keys.first("app.next_provider"), keys.first("app.pick_model")
    log = (f"{keys.first('app.log')} log",) if path is not None and path.exists() else ()
    other = f"{switch_key} other model" if others else f"{pick} other model"
    return RecoveryKeys(
        failed=(f"{retry} retry", f"{other} and retry" if others else other, *log),
        waiting=(f"{stop} stop", other),
    )


class TurnUndo:
    """Offer to undo the newest turn; calls `changed` when it appears or is withdrawn.

    Undo reverts the newest batch of the user, so the offer is withdrawn as soon as anything else is
    written.
    """

    def __init__(self, store: Store, transcript: Transcript, changed: Callable[[], None]) -> None:
        self._store = store
        self._transcript = transcript
        self._changed = changed
        self._batch = ""

    @property
    def is_offered(self) -> bool:
        """True if there is a batch to undo."""
        return bool(self._batch)

    async def offer(self, outcome: TurnOutcome) -> None:
        """Offer undo for a finished turn that wrote exactly one batch."""
        newest = self._transcript.newest
        undid = any(step.name in _UNDOING_TOOLS for step in outcome.trace)
        if len(outcome.kept_batches) == 1 and not undid and newest is not None:
            self._batch = outcome.kept_batches[0]
            await newest.offer_undo()
            self._changed()

    def forget(self) -> None:
        """Drop the offer without redrawing; the next turn retires the view."""
        self._batch = ""

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Withdraw the offer after a write by anything else than the turn."""
        if any(change.context.batch != self._batch for change in changes):
            await self.withdraw()

    async def withdraw(self) -> None:
        """Withdraw the offer."""
        newest = self._transcript.newest
        if self._batch and newest is not None:
            self._batch = ""
            await newest.withdraw_undo()
            self._changed()

    async def take(self) -> tuple[str, ...]:
        """Undo the turn; return a sentence for each field kept because it was changed since.

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
            newest.confirm_undo()
        self._changed()
        return tuple(
            f"{conflict.title}: {conflict.field} was changed since and stays as it is."
            for conflict in report.conflicts
        )


class ChatController:
    """Connects turn runner, stored conversation and chat pane.

    Calls `changed` when the turn state or the enabled actions change.
    """

    def __init__(
        self,
        screen: Screen[None],
        services: AppServices,
        switch: ProviderSwitch,
        chat: ChatPane,
        selection: Callable[[], Selection],
        changed: Callable[[], None],
    ) -> None:
        self._services = services
        self._switch = switch
        self._runner = TurnRunner(screen, switch)
        self._chat = chat
        self._selection = selection
        self._history = ConversationHistory(services)
        self._titler = ConversationTitler(services, self._history, chat.title)
        self._queue = MessageQueue(chat)
        self._state_tracker = TurnStateTracker(services, changed)
        self.transcript = Transcript(id="transcript")
        self._undo = TurnUndo(services.store, self.transcript, changed)
        self._running_view: RunningTurnView | None = None
        self._resend = False

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self._runner.busy

    @property
    def conversation_id(self) -> str | None:
        """Id of the conversation on screen; None before its first message."""
        return self._history.conversation_id

    @property
    def totals(self) -> UsageAndCost:
        """Usage and cost of the conversation."""
        return self._state_tracker.totals

    @property
    def waits_to_retry(self) -> bool:
        """True if the turn is waiting before a retry."""
        return self._state_tracker.state is ModelState.WAITING

    @property
    def has_failed(self) -> bool:
        """True if the newest turn failed and can be retried."""
        return self._state_tracker.failed and self.can_perform(ChatAction.RETRY)

    @property
    def turn_state(self) -> TurnState:
        """State shown in the status bar."""
        return self._state_tracker.turn_state

    def can_perform(self, action: ChatAction) -> bool:
        """Return whether the action would do something now.

        Undo of a turn must revert just that turn, so nothing may have been written since.
        """
        match action:
            case ChatAction.STOP:
                return self.busy
            case ChatAction.RETRY:
                return bool(self._state_tracker.unfinished) and not self.busy
            case ChatAction.UNDO_TURN:
                return self._undo.is_offered and not self.busy
            case _:
                return True

    async def perform(self, action: ChatAction) -> None:
        """Perform the action of a key."""
        match action:
            case ChatAction.STOP:
                self._runner.stop()
            case ChatAction.RETRY if self.can_perform(action):
                await self.send(self._state_tracker.unfinished)
            case ChatAction.UNDO_TURN if self.can_perform(action):
                await self._undo_turn()
            case ChatAction.NEW:
                await self._start_conversation()
            case (
                ChatAction.CALLS
                | ChatAction.PAGE_UP
                | ChatAction.PAGE_DOWN
                | ChatAction.NEWEST
                | ChatAction.OLDEST
            ):
                self.transcript.show_part(action)

    @property
    def running_view(self) -> RunningTurnView:
        """View of the running turn, created once the transcript is mounted."""
        if self._running_view is None:
            self._running_view = RunningTurnView(
                self.transcript, self._chat.activity, self._services.clock.now
            )
        return self._running_view

    async def open_latest(self) -> None:
        """Mount the transcript and show the latest conversation."""
        await self._chat.place.mount(self.transcript)
        try:
            page = await asyncio.to_thread(self._history.open_latest)
        except TodoError as error:
            self._show_error(error)
            page = HistoryPage()
        # A message sent before the conversation was read starts a new conversation.
        if not self.busy and not self.transcript.turns:
            await self._show(page)

    async def show_reopened(self) -> None:
        """Show the latest conversation of the database that was opened now.

        An unanswered message goes back to the composer, unless it is in that conversation.
        """
        unfinished = self._state_tracker.unfinished
        self._undo.forget()
        self._history.leave()
        try:
            page = await asyncio.to_thread(self._history.open_latest)
        except TodoError as error:
            self._show_error(error)
            page = HistoryPage()
        await self._show(page)
        if unfinished and unfinished != self._state_tracker.unfinished:
            self._chat.composer.put_back(escape_message(unfinished))

    async def show_earlier(self) -> None:
        """Load the page of turns before the oldest one shown."""
        turns = self.transcript.turns
        if not turns:
            return
        try:
            page = await asyncio.to_thread(self._history.earlier, turns[0].turn_id)
        except TodoError as error:
            self.transcript.allow_earlier_request()
            self._show_error(error)
            return
        await self.transcript.show_earlier(page.turns, before=turns[0], more=page.more)

    async def _start_conversation(self) -> None:
        """Start a new conversation; the present one stays in the store."""
        if self.busy:
            self._notify(format_hint(self.transcript.app, "{chat.stop} stops the turn first."))
            return
        self._history.leave()
        self._undo.forget()
        await self._show(HistoryPage())

    async def _show(self, page: HistoryPage) -> None:
        self._state_tracker.conversation_opened(page)
        self._titler.conversation_opened(page)
        self.transcript.welcome.is_first = page.is_first
        await self.transcript.show_conversation(page.turns, more=page.more, keys=self._keys)
        if page.turns:
            self._chat.composer.remember_sent([escape_message(turn.asked) for turn in page.turns])

    async def send(self, text: str) -> None:
        """Start a turn with the message, or queue it behind the running one."""
        if self.busy:
            self._queue.put(text)
            return
        self._undo.forget()
        # Drawn once: each drawing delays a client that is loading in a thread.
        with self._chat.app.batch_update():
            if self.transcript.newest is not None:
                await self.transcript.newest.retire()
            await self.running_view.begin(text, keys=self._keys)
            self._state_tracker.message_sent()
        self._runner.start(text, self._history.conversation_id, self._selection())

    def resend(self) -> None:
        """Stop a turn that waits to retry, and send its message to the selected model."""
        self._resend = True
        self._runner.stop()

    def edit_queued(self) -> None:
        """Move the message queued last back to the composer."""
        self._queue.return_last()

    def models_changed(self) -> None:
        """Update the welcome text and the recovery hints for the selectable models."""
        welcome = self.transcript.welcome
        welcome.offline = not self._switch.option.host
        welcome.model_lines = ready_model_lines(self._switch)
        if self._state_tracker.failed and self.transcript.newest is not None:
            self.transcript.newest.update_recovery_keys()

    def model_switched(self) -> None:
        """Reset the state of the previous model."""
        if not self.busy:
            self._state_tracker.model_switched()

    async def _undo_turn(self) -> None:
        try:
            kept = await self._undo.take()
        except TodoError as error:
            self._show_error(error)
            return
        for sentence in kept:
            self._notify(sentence)

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Withdraw the undo offer after a write outside of a turn."""
        if not self.busy:
            await self._undo.tasks_changed(changes)

    async def withdraw_undo(self) -> None:
        """Withdraw the undo offer after a write by another process."""
        if not self.busy:
            await self._undo.withdraw()

    async def apply_event(self, event: TurnEvent) -> None:
        """Apply an event of the running turn; after its last one send the next queued message."""
        await self.running_view.show(event)
        self._state_tracker.apply_event(event)
        if isinstance(event, TurnStarted) and self._history.conversation_id is None:
            self._history.conversation_id = event.conversation_id
            self._titler.first_message_stored()
        elif isinstance(event, TurnEnd):
            await self._ended(event)

    async def handle_crash(self, event: TurnCrashed) -> None:
        """Show a turn's error; move its message back to the composer if it was not stored."""
        error = event.error
        if event.stored:
            shown_error = TurnError("internal", error.message, error.hint) if error else None
            await self.running_view.end_early(shown_error)
        else:
            await self.running_view.drop()
            self._chat.composer.put_back(escape_message(event.text))
            if error is not None:
                self._show_error(error)
        self._queue.return_all()
        unfinished = event.text if event.stored else ""
        self._state_tracker.turn_ended(unfinished, finished=False, failed=error is not None)

    async def shut_down(self, *, interrupted: bool = False) -> None:
        """Stop the turn and wait until it is stored."""
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
        waiting = self._queue.next() if finished else None
        if resend and not finished:
            await self.send(asked)
        elif waiting is not None:
            await self.send(waiting)
        else:
            self._queue.return_all()

    def _record_model_outcome(self, event: TurnEnd) -> None:
        """Record what the turn showed of its model; request a title once a turn has finished."""
        if isinstance(event, TurnFinished):
            self._switch.note_answer()
            self._titler.turn_finished()
        elif (
            isinstance(event, TurnFailed)
            and event.error.kind == ProviderErrorKind.TOOLS_UNSUPPORTED
        ):
            self._switch.note_no_tools()

    def _keys(self) -> RecoveryKeys:
        return recovery_keys(self._services, self._switch)

    def _show_error(self, error: TodoError) -> None:
        text = f"{error.message} {error.hint}" if error.hint else error.message
        self._chat.app.notify(text, title="That did not work", severity="error", markup=False)

    def _notify(self, text: str) -> None:
        self._chat.app.notify(text, markup=False)
