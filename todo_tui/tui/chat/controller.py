"""Chat controller: sends messages, runs their turns, shows and undoes them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from todo_tui.agent.cancellation import TurnHandle
from todo_tui.config.provider_row import format_model
from todo_tui.domain import events
from todo_tui.domain.errors import NotFound, ProviderErrorKind, TodoError, error_kind
from todo_tui.domain.messages import (
    TextDelta,
    ThinkingDelta,
    TurnStatus,
    Usage,
)
from todo_tui.domain.text import format_count
from todo_tui.tui.actions import STOP_FIRST, ChatAction, format_hint
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.conversation_page import ConversationPage, read_page
from todo_tui.tui.chat.drafts import DraftSaver
from todo_tui.tui.chat.message_lists import FindScreen, QueueScreen, SentMessagesScreen
from todo_tui.tui.chat.message_queue import MessageQueue
from todo_tui.tui.chat.pane import ChatPane, RecoveryKeys
from todo_tui.tui.chat.slash_commands import escape_message
from todo_tui.tui.chat.undo_offer import UndoOffer
from todo_tui.tui.models.controller import ready_model_lines
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import ModelState, TurnState

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import ModelCall, TurnMatch, TurnRecord
    from todo_tui.tui.chat.transcript import Transcript
    from todo_tui.tui.chat.turn_view import TurnView

Selection = tuple[tuple[int, str], ...]
"""(id, title) of the tasks selected in the list."""
_STATE_AFTER = {
    events.TurnStarted: ModelState.THINKING,
    ThinkingDelta: ModelState.THINKING,
    TextDelta: ModelState.ANSWERING,
    events.ToolStarted: ModelState.WORKING,
    events.ToolFinished: ModelState.THINKING,
    events.CallRestarted: ModelState.THINKING,
    events.Retrying: ModelState.WAITING,
    events.ApprovalAsked: ModelState.ASKING,
    events.HistoryTruncated: ModelState.THINKING,
}
"""Model state after each event; others do not change it."""
_RETRY_SECONDS = 0.5
_NO_OUTCOME = events.TurnOutcome("", (), "", "", Usage(), None, 0, 0.0)
_log = logging.getLogger(__name__)


def _early_end(turn_id: str, conversation_id: str, problem: TodoError | None) -> events.TurnEnd:
    if problem is None:
        return events.TurnCancelled(turn_id, conversation_id, _NO_OUTCOME)
    error = events.TurnError("internal", problem.message, problem.hint)
    return events.TurnFailed(turn_id, conversation_id, _NO_OUTCOME, error)


@dataclass(eq=False)
class ChatController:
    """The conversation on screen, and its running turn, which asks `approvals`.

    `selection` returns the tasks that a message is about; `changed` is called when the turn
    state or the enabled actions change, `event_drawn` for each event of a turn, `note_call` for
    each model call. Messages sent before `open` has shown the conversation are kept until then,
    later ones while a turn runs.
    """

    screen: Screen[None]
    services: AppServices
    switch: ProviderSwitch
    pane: ChatPane
    approvals: ApprovalController
    selection: Callable[[], Selection]
    changed: Callable[[], None]
    event_drawn: Callable[[], None]
    note_call: Callable[[str, ModelCall], None]
    transcript: Transcript | None = None
    conversation_id: str | None = None
    turn_state: TurnState = field(default_factory=TurnState)
    busy: bool = False
    """True if a turn runs, from its start until its end is shown."""
    _is_open: bool = False
    _unstored: str = ""
    """Message of the running turn until it is stored."""
    _unfinished: str = ""
    """Message of the newest turn if that did not finish."""
    _is_untitled: bool = False
    """True until a turn has finished: then a model is asked for a title."""
    _replaces: str | None = None
    """Turn whose message is edited in the composer."""
    _resend: bool = False
    _worker: Worker[None] | None = None
    _handle: TurnHandle | None = None
    _retry: Timer | None = None
    """Runs while what another process wrote cannot be shown yet."""

    def __post_init__(self) -> None:
        """Create what needs the screen and the store."""
        store = self.services.store
        self.drafts = DraftSaver(self.screen, store.memory, self.services.writer, self._unsent_text)
        self.queue = MessageQueue(self.pane, self.drafts.changed)
        self.undo_offer = UndoOffer(self.screen, store, self.changed)

    # The conversation

    async def open(self) -> bool:
        """Show the first conversation and send messages kept so far; False on exit."""
        # 60 ms, after the first frame and while keys are read.
        await asyncio.to_thread(import_module, "todo_tui.tui.chat.transcript")
        from todo_tui.tui.chat.transcript import Transcript
        from todo_tui.tui.chat.turn_view import TurnLabels

        if not self.screen.is_running:
            return False
        labels = TurnLabels(self.services.clock, self.model_label)
        self.transcript = Transcript(self._recovery_keys, labels, self._load_earlier)
        self.undo_offer.transcript = self.transcript
        await self.pane.place.mount(self.transcript)
        self.pane.activity.watch(self.transcript, "new_lines", self._show_new_lines)
        await self._show_stored(self.services.conversation_id)
        self._is_open = True
        await self._send_next()
        return True

    def why_not_leave(self) -> str:
        """Return why no other conversation can be shown now; empty if one can."""
        return format_hint(self.screen.app, STOP_FIRST) if self.busy else ""

    async def open_conversation(self, conversation_id: str, found: TurnMatch | None = None) -> None:
        """Show a conversation, or the turn in it that a search found, on its branch."""
        if self.busy:
            self.screen.app.notify(self.why_not_leave())
            return
        is_reading = self.transcript is not None and self.transcript.has_focus_within
        if conversation_id != self.conversation_id or found is not None:
            await self._show_stored(conversation_id, found.turn_id if found is not None else None)
        if found is not None and self.transcript is not None:
            self.transcript.show_found(found, focuses=is_reading)
            if not found.is_shown:
                text = (
                    "Shown in another version: {chat.read_back} then {steps.branch_after} goes on."
                )
                self.screen.app.notify(format_hint(self.screen.app, text), timeout=5)

    async def reload_title(self) -> None:
        """Show the title again after a change of it; an empty conversation if it was deleted."""
        if self.conversation_id is None:
            return
        try:
            self.pane.title.title = await self._read_title(self.conversation_id)
        except NotFound:
            if not self.busy:
                await self._show(ConversationPage())
        except TodoError as error:
            self.show_error(error)

    async def show_reopened(self) -> None:
        """Show the latest conversation of the database that was opened now.

        An unanswered message goes back to the composer, unless it is in that conversation.
        """
        if self.transcript is None:
            return
        unfinished, self.conversation_id = self._unfinished, None
        await self._show_stored()
        if unfinished and unfinished != self._unfinished:
            self.pane.composer.put_back(escape_message(unfinished))

    async def store_changed(self) -> None:
        """Show what another process wrote, as soon as that disturbs neither turn nor reader."""
        await self.undo_offer.store_changed()
        await self._follow_others()

    async def _follow_others(self) -> None:
        if not await self.show_new_turns() and self._retry is None:
            self._retry = self.screen.set_timer(_RETRY_SECONDS, self._retry_to_follow)

    async def _retry_to_follow(self) -> None:
        self._retry = None
        await self._follow_others()

    async def show_new_turns(self) -> bool:
        """Show what another process did to the conversation on screen; False if it has to wait.

        A turn, a reader, and the text in the box are left alone.
        """
        transcript, conversation_id = self.transcript, self.conversation_id
        if transcript is None or conversation_id is None:
            return True
        if self.busy:
            return False
        turns = self.services.store.turns.list
        try:
            stored = await asyncio.to_thread(turns, conversation_id, limit=1)
        except NotFound:
            return await self._show_deletion(conversation_id)
        except TodoError:
            return False
        if self.busy or conversation_id != self.conversation_id:
            return False
        shown = transcript.newest
        newest = stored[-1] if stored else None
        if newest is None or (
            transcript.is_end
            and shown is not None
            and (newest.id, newest.status) == (shown.turn_id, shown.status)
        ):
            return True
        if not transcript.is_idle or self._replaces is not None:
            return False
        page = await asyncio.to_thread(read_page, self.services.store, conversation_id)
        await self._show(page._replace(draft=self.pane.composer.full_text))
        return True

    async def _show_deletion(self, conversation_id: str) -> bool:
        """Say that another process deleted the conversation on screen; False while a turn runs.

        What is in the box stays there, and a message without an answer returns there.
        """
        if self.busy or conversation_id != self.conversation_id:
            return False
        composer, unfinished = self.pane.composer, self._unfinished
        text = composer.full_text
        await self._show(ConversationPage())
        if composer.full_text != text:
            composer.replace_text(text)
        if unfinished:
            composer.put_back(escape_message(unfinished))
        self.screen.app.notify(
            "This conversation was deleted in another window. Your next message begins a new one.",
            severity="warning",
        )
        return True

    async def _load_earlier(self, turn_id: str) -> tuple[Sequence[TurnRecord], bool]:
        store, conversation_id = self.services.store, self.conversation_id
        try:
            page = await asyncio.to_thread(read_page, store, conversation_id, turn_id)
        except TodoError as error:
            self.show_error(error)
            return (), True
        return page.turns, page.more

    async def _show_stored(
        self, conversation_id: str | None = None, turn_id: str | None = None
    ) -> None:
        page = ConversationPage()
        try:
            page = await asyncio.to_thread(
                read_page,
                self.services.store,
                conversation_id,
                around=turn_id,
                unsaved={**self.drafts.unsaved},
            )
        except TodoError as error:
            self.show_error(error)
        await self._show(page)
        if turn_id is not None and self.transcript is not None:
            self.transcript.go_to_turn(turn_id)

    async def _show(self, page: ConversationPage) -> None:
        if self.transcript is None:
            return
        statuses = [turn.status for turn in page.turns]
        self._replaces = None
        self.pane.composer.end_edit()
        self._show_draft(page)
        self.conversation_id = page.conversation_id
        self.undo_offer.forget()
        self._unfinished = ""
        if (
            page.is_end
            and statuses
            and statuses[-1] not in (TurnStatus.FINISHED, TurnStatus.RUNNING)
        ):
            self._unfinished = page.turns[-1].user_text
        self._is_untitled = not page.more and TurnStatus.FINISHED not in statuses
        self.pane.title.title = page.title
        has_failed = page.is_end and statuses[-1:] == [TurnStatus.FAILED]
        self._set_state(
            state=ModelState.READY, totals=page.totals, has_failed=has_failed, fallback=None
        )
        self.transcript.welcome.is_first = page.is_first
        await self.transcript.show_conversation(page.turns, more=page.more, is_end=page.is_end)
        if page.turns:
            sent = [escape_message(turn.user_text) for turn in page.turns]
            self.pane.composer.remember_sent(sent)

    def _show_draft(self, page: ConversationPage) -> None:
        """Show the draft of a conversation in place of the former one's, which is saved.

        A text that belongs to no conversation yet goes along, and so does any to a new one.
        """
        composer, shown = self.pane.composer, self.conversation_id
        stays = shown is not None and page.conversation_id not in (None, shown)
        if not stays and page.draft and page.draft != composer.full_text:
            composer.put_back(page.draft)
        self.drafts.follow(page.conversation_id, page.draft, takes_text=not stays)
        if stays:
            composer.replace_text(page.draft)

    def _unsent_text(self) -> str:
        """Return the messages that are not stored yet, and the text in the box."""
        messages = map(escape_message, (self._unstored, *self.queue))
        return "\n".join(filter(None, (*messages, self.pane.composer.full_text)))

    # Actions

    def can_perform(self, action: ChatAction) -> bool:
        """Return whether the action would do something now."""
        match action:
            case ChatAction.STOP:
                return self.busy
            case ChatAction.RETRY:
                return bool(self._unfinished) and not self.busy
            case ChatAction.FIND:
                return self.conversation_id is not None
            case ChatAction.QUEUE:
                return bool(self.queue)
            case _:
                return self.transcript is not None

    @property
    def has_failed(self) -> bool:
        """True if the newest turn failed and can be retried."""
        return self.turn_state.has_failed and self.can_perform(ChatAction.RETRY)

    async def perform(self, action: ChatAction) -> None:
        """Perform the action of a key, if it would do something."""
        if not self.can_perform(action):
            return
        match action:
            case ChatAction.STOP:
                self._stop()
            case ChatAction.RETRY:
                await self.send(self._unfinished)
            case ChatAction.FIND if self.conversation_id is not None:
                found = FindScreen(self.services.store, self.conversation_id)
                self.screen.app.push_screen(found, self._show_found)
            case ChatAction.HISTORY:
                screen = SentMessagesScreen(self.services.store)
                self.screen.app.push_screen(screen, self._use_sent)
            case ChatAction.QUEUE:
                queue = QueueScreen(self.pane.activity, self.queue.change)
                self.screen.app.push_screen(queue)
            case _:
                await self._show_part(action)

    async def _show_part(self, action: ChatAction) -> None:
        """Show a new conversation, the end of this one, or another part of it."""
        transcript = self.transcript
        if action is ChatAction.NEW and self.busy:
            self.screen.app.notify(self.why_not_leave())
        elif action is ChatAction.NEW:
            await self._show(ConversationPage())
        elif transcript is not None and action is not ChatAction.NEWEST:
            transcript.show_part(action)
        elif transcript is not None and transcript.is_end:
            transcript.go_to_newest()
            if transcript.has_focus_within:
                transcript.focus_visible_part()
        elif transcript is not None:
            is_reading = transcript.has_focus_within
            await self._show_stored(self.conversation_id)
            if is_reading:
                transcript.focus_visible_part()

    def begin_edit(self, turn: TurnView) -> None:
        """Put the message of a turn into the composer; sent, it begins a branch."""
        self._replaces = turn.turn_id
        self.pane.composer.begin_edit(escape_message(turn.asked))

    async def edit_turn(self, turn_id: str) -> None:
        """Show a turn, which may be far from the viewport, and edit its message."""
        transcript = self.transcript
        if transcript is None:
            return
        if turn_id in (turn.turn_id for turn in transcript.turns):
            transcript.go_to_turn(turn_id)
        else:
            await self.show_turn(turn_id)
        for turn in transcript.turns:
            if turn.turn_id == turn_id:
                self.begin_edit(turn)

    def cancel_edit(self) -> None:
        """Send the next message as a new one again."""
        self._replaces = None

    async def _show_found(self, found: TurnMatch | None) -> None:
        if found is not None and self.conversation_id is not None:
            await self.open_conversation(self.conversation_id, found)

    async def show_turn(self, turn_id: str) -> None:
        """Show a turn of this conversation, with its branch."""
        await self._show_stored(self.conversation_id, turn_id)

    def _use_sent(self, text: str | None) -> None:
        if text is not None:
            self.pane.composer.replace_text(escape_message(text))

    def models_changed(self) -> None:
        """Update the welcome text and the recovery hints for the selectable models."""
        if self.transcript is None:
            return
        self.transcript.welcome.offline = not self.switch.option.host
        self.transcript.welcome.model_lines = ready_model_lines(self.switch)
        if self.turn_state.has_failed and self.transcript.newest is not None:
            self.transcript.newest.update_recovery_keys()

    def model_switched(self) -> bool:
        """Forget the state of the previous model; True if a turn that waits is sent again."""
        if not self.busy:
            self._set_state(state=ModelState.READY, fallback=None)
        elif self.turn_state.state is ModelState.WAITING:
            self._resend = True
            self._stop()
        return self._resend

    # Turns

    async def send(self, text: str) -> None:
        """Start a turn with the message, or queue it."""
        replaces, self._replaces = self._replaces, None
        if replaces is not None:
            self.pane.composer.end_edit()
        if self._is_open and not self.busy:
            await self.start(text, replaces=replaces)
        else:
            self.queue.add(text)

    async def shut_down(self, *, interrupted: bool = False) -> None:
        """Stop the turn and wait until it is stored."""
        self._stop(interrupted=interrupted)
        try:
            if self._worker is not None and not self._worker.is_finished:
                await self._worker.wait()
        except (WorkerCancelled, WorkerFailed):
            # Textual takes a cancellation of the waiting task for one of the worker.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from None
        finally:
            self.drafts.save()

    def _stop(self, *, interrupted: bool = False) -> None:
        """Request the turn to end as cancelled; its last event still arrives."""
        if self._handle is not None:
            self._handle.stop(interrupted=interrupted)
        elif self._worker is not None:
            # A worker that is cancelled before its first step never counts as finished.
            asyncio.get_running_loop().call_soon(self._worker.cancel)

    async def _send_next(self) -> None:
        if self.queue:
            await self.start(self.queue.take_next(), moves=False)

    async def start(self, text: str, *, replaces: str | None = None, moves: bool = True) -> None:
        """Start a turn with a message, in place of another one if it `replaces` that.

        Unless it `moves` a reader, the transcript shows it only if it follows the end.
        """
        transcript = self.transcript
        assert transcript is not None  # noqa: S101  # messages are kept until it is open
        if not transcript.is_end and replaces is None:
            await self._show_stored(self.conversation_id)
        self.undo_offer.forget()
        self.busy, self._unfinished = True, ""
        self._handle, self._unstored = None, text
        # Drawn once: each drawing delays a client that is loading in a thread.
        with self.screen.app.batch_update():
            version = 1
            if replaces:
                ids = [turn.turn_id for turn in transcript.turns]
                replaced = ids[ids.index(replaces) :]
                former, count = await transcript.remove_from(replaces)
                version = count + 1
                await self._tell_of_former_version(former, version, replaced)
            if transcript.newest is not None:
                await transcript.newest.retire()
            choice = self.switch.choice.row_id, self.switch.model
            versions = version, version
            view = await transcript.begin(text, *choice, version=versions, moves=moves)
            self._set_state(state=ModelState.OPENING, has_failed=False, fallback=None)
        self._worker = self.screen.run_worker(
            self._run_turn(text, view, self.selection(), replaces), name="turn", group="turn"
        )

    async def _tell_of_former_version(
        self, former: int, version: int, turn_ids: Sequence[str]
    ) -> None:
        """Say how to return to the turns that another version has replaced, and what stays."""
        kept = f"Version {former} is kept"
        if later := len(turn_ids) - 1:
            kept = f"Version {former} and {format_count(later, 'later message')} are kept"
        times = f" ({version - former} times)" if version - former > 1 else ""
        text = f"{kept}: press {{chat.read_back}} then {{steps.branch_before}}{times}."
        try:
            changing = await asyncio.to_thread(self.services.store.turns.changing, turn_ids)
        except TodoError as error:
            _log.warning("the changes of a former version are unknown: %s", error.message)
        else:
            if not all(changing.values()):
                text += " Its task changes stay; {steps.undo_turn} there undoes them."
        self.screen.app.notify(format_hint(self.screen.app, text), timeout=8)

    async def _run_turn(
        self, text: str, view: TurnView, selection: Selection, replaces: str | None
    ) -> None:
        from todo_tui.agent.loop import run_turn  # 60 ms, loaded while the model gets ready

        event: events.TurnEvent | None = None
        problem: TodoError | None = None
        is_stored = False
        try:
            config = await self.switch.run_config()
            self._handle = TurnHandle()
            turn = run_turn(
                text,
                replace(
                    config,
                    approver=self.approvals,
                    session_approvals=self.approvals.session,
                    note_call=self.note_call,
                ),
                conversation_id=self.conversation_id,
                selection=selection,
                replaces=replaces,
                handle=self._handle,
            )
            async with aclosing(turn):
                async for event in turn:
                    if isinstance(event, events.TurnStarted):
                        is_stored, self._unstored = True, ""
                    if isinstance(event, events.TurnFailed) and not is_stored:
                        is_gone = event.error.kind == error_kind(NotFound(""))
                        error = NotFound if is_gone else TodoError
                        raise error(event.error.message, hint=event.error.hint)
                    await self._apply_event(event, view)
        except asyncio.CancelledError:
            # Shown by a task that is not cancelled.
            self.screen.call_later(self._end, event, view, None, is_stored)
            raise
        except TodoError as error:
            problem = error
        except Exception as error:
            _log.exception("internal error in a turn")
            problem = TodoError(
                f"Internal error ({type(error).__name__}).",
                hint="Open the log for details.",
            )
        await self._end(event, view, problem, is_stored)

    async def _apply_event(self, event: events.TurnEvent, view: TurnView) -> None:
        await view.show(event)
        match event:
            case events.TurnStarted() if self.conversation_id is None:
                self.conversation_id = event.conversation_id
                self._load_title(self._read_title, event.conversation_id)
                self.drafts.follow(event.conversation_id, "", takes_text=True)
            case events.TurnStarted():
                self.drafts.save()
            case events.UsageReported():
                totals = self.turn_state.totals.plus(event.usage, event.cost_usd)
                self._set_state(totals=totals)
            case events.FailedOver():
                label = self.provider_label(event.provider)
                self._set_state(state=ModelState.THINKING, fallback=(label, event.model))
        state = _STATE_AFTER.get(type(event), self.turn_state.state)
        if state is not self.turn_state.state:
            self._set_state(state=state)
        self.event_drawn()

    async def _end(
        self,
        event: events.TurnEvent | None,
        view: TurnView,
        problem: TodoError | None,
        is_stored: bool,
    ) -> None:
        """Offer to undo the turn, record what it showed of its model, send what waits.

        A turn whose last event is not its end was stopped by the user, or by a problem.
        """
        if problem is not None or not isinstance(event, events.TurnEnd):
            if not is_stored:
                await self._take_back(view, problem)
                return
            event = _early_end(view.turn_id, self.conversation_id or "", problem)
            await view.show(event)
        if self.transcript is not None:
            await self.transcript.unmount_far_turns()
        is_finished = isinstance(event, events.TurnFinished)
        failure = event.error if isinstance(event, events.TurnFailed) else None
        if is_finished:
            self.switch.note_answer()
            if self._is_untitled and self.services.generate_title:
                self._load_title(self.services.generate_title, event.conversation_id)
            self._is_untitled = False
        elif failure is not None and failure.kind == ProviderErrorKind.TOOLS_UNSUPPORTED:
            self.switch.note_tools(self.switch.choice.row_id, self.switch.model, called=False)
        await self.undo_offer.show(view, event.outcome)
        self._record_end("" if is_finished else view.asked, has_failed=failure is not None)
        resend, self._resend = self._resend, False
        if resend and not is_finished:
            await self.start(view.asked)
        elif is_finished:
            await self._send_next()
        else:
            self.queue.return_all()

    async def _take_back(self, view: TurnView, problem: TodoError | None) -> None:
        """Move the message of a turn that was not stored back to the composer."""
        is_gone = isinstance(problem, NotFound)
        if view.version[1] > 1 and not is_gone:
            await self._show_stored(self.conversation_id)
        elif self.transcript is not None:
            await self.transcript.drop(view)
        self._unstored = ""
        self.pane.composer.put_back(escape_message(view.asked))
        self.queue.return_all()
        self._record_end("", has_failed=problem is not None)
        if is_gone and self.conversation_id is not None:
            await self._show_deletion(self.conversation_id)
        elif problem is not None:
            self.show_error(problem)

    def _record_end(self, unfinished: str, *, has_failed: bool) -> None:
        self.busy, self._unfinished = False, unfinished
        state = ModelState.FAILED if has_failed else ModelState.READY
        self._set_state(state=state, has_failed=has_failed)

    def _load_title(self, load: Callable[[str], Awaitable[str | None]], loaded_for: str) -> None:
        """Show the title of a conversation once it is loaded; on failure the old one stays."""

        async def show() -> None:
            try:
                title = await load(loaded_for)
            except TodoError as error:
                _log.warning("the title of a conversation is missing: %s", error.message)
                return
            if title and loaded_for == self.conversation_id:
                self.pane.title.title = title

        self.screen.run_worker(show(), group="title")

    async def _read_title(self, conversation_id: str) -> str:
        get = self.services.store.conversations.get
        return (await asyncio.to_thread(get, conversation_id)).title

    # Texts

    def provider_label(self, provider: str) -> str:
        """Return the display name of a provider, its id if it is not configured any more."""
        option = self.services.option(provider)
        return option.row.label if option is not None else provider

    def model_label(self, provider: str, model: str) -> str:
        """Return `Groq · gpt-oss-120b`."""
        option = self.services.option(provider)
        return format_model(option.row if option is not None else None, provider, model)

    def _recovery_keys(self) -> RecoveryKeys:
        # After a failure Ctrl+T retries with the next model at once; Alt+digit and F2 only choose.
        others, path = self.switch.others_ready, self.services.log_path
        hint = partial(format_hint, self.screen.app)
        other = hint(f"{'{app.next_provider}' if others else '{app.pick_model}'} other model")
        failed = [hint("{chat.retry} retry"), f"{other} and retry" if others else other]
        if path is not None and path.exists():
            failed.append(hint("{app.log} log"))
        # The built-in assistant answers at once, and knows no half answer.
        stopped = [hint("{chat.retry} retry")]
        stopped += ["/continue"] if self.switch.option.host else []
        return RecoveryKeys(tuple(failed), tuple(stopped), (hint("{chat.stop} stop"), other))

    def _show_new_lines(self, new_lines: int) -> None:
        self.pane.activity.new_lines = new_lines

    def _set_state(self, **changes: object) -> None:
        self.turn_state = replace(self.turn_state, **changes)  # type: ignore[arg-type]  # its fields by name
        self.changed()

    def show_error(self, error: TodoError) -> None:
        """Notify of an error."""
        self.screen.app.notify(error.text, title="Error", severity="error")
