"""Chat pane: sends messages, runs their turns, and shows conversations."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import events as widget_events
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import TextArea

from todo_tui.agent.approver import read_typed_answer
from todo_tui.domain import events
from todo_tui.domain.errors import NotFound, ProviderErrorKind
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.activity_line import ActivityLine
from todo_tui.tui.chat.answer_bell import AnswerBell
from todo_tui.tui.chat.approval import ApprovalArea
from todo_tui.tui.chat.completion import CompletionSource, ComposerCompletionList
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.conversation import ConversationView
from todo_tui.tui.chat.conversation_page import ConversationPage
from todo_tui.tui.chat.conversation_title import ConversationTitle
from todo_tui.tui.chat.message_lists import FindScreen, QueueScreen, SentMessagesScreen
from todo_tui.tui.chat.outbox import Outbox
from todo_tui.tui.chat.session import ChatSession, RunningTurn, Selection, SessionChanged
from todo_tui.tui.chat.slash_commands import escape_message
from todo_tui.tui.chat.turn_actions import TurnActions
from todo_tui.tui.errors import show_error
from todo_tui.tui.models.catalog import ModelCatalog
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.choice import Choice
from todo_tui.tui.widgets.choice_row import ChoiceRow
from todo_tui.tui.widgets.status_bar import STATE_TEXTS, ModelState

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import TurnMatch
    from todo_tui.tui.chat.answer import MessageSuggested
    from todo_tui.tui.chat.transcript import Transcript

CONTINUE = "Continue your answer where it stopped."
"""Message that asks for the rest of a stopped answer."""


class ChatPane(Vertical):
    """Chat half of the screen.

    Messages sent before `open` has shown the conversation are kept until then, later ones while a
    turn runs.
    """

    class HiddenUpdate(Message):
        """Posted when a turn went on while the pane is not shown."""

    def __init__(self, services: AppServices, catalog: ModelCatalog) -> None:
        super().__init__(id="chat")
        self._services = services
        self._switch = catalog.switch
        self.session: ChatSession = ChatSession()
        self.approvals: ApprovalArea = ApprovalArea(services)
        self.activity: ActivityLine = ActivityLine()
        source = CompletionSource(services, catalog, self.session)
        self.composer: Composer = Composer(source, id="composer")
        self.outbox: Outbox = Outbox(services, self.session, self.composer, self.activity)
        self.conversation: ConversationView = ConversationView(
            services, self._switch, self.session, self.outbox
        )
        self.title_line: ConversationTitle = self.conversation.title_line
        self.turn_actions: TurnActions = TurnActions(
            services, self._switch, self.session, self.conversation, self.outbox
        )
        self.answer_bell: AnswerBell = AnswerBell()
        self.selection: Selection = ()
        """Tasks that the next message may be about."""
        self._is_open = False

    def compose(self) -> ComposeResult:
        """Lay out conversation, approval card, activity line and composer."""
        yield self.title_line
        yield self.conversation
        yield self.approvals
        yield self.activity
        yield self.composer
        yield self.turn_actions
        yield self.answer_bell

    # The conversation

    async def open(self) -> bool:
        """Show the first conversation and send messages kept so far; False on exit."""
        if not await self.conversation.load(self._services.conversation_id):
            return False
        self._is_open = True
        await self._send_next()
        return True

    def show_reopened(self) -> None:
        """Show the latest conversation of the database that was opened now."""
        # Behind the end of the turn that was stopped.
        self.call_later(self.conversation.show_reopened)

    # Actions

    async def retry(self) -> None:
        """Send the message of a turn that did not finish again."""
        if self.session.can_retry:
            await self.send(self.session.unfinished)

    def find(self, text: str = "") -> None:
        """Open the search for a text in this conversation."""
        if self.session.conversation_id is not None:
            screen = FindScreen(self._services.store, self.session.conversation_id, text)
            self.app.push_screen(screen, self._show_match)

    async def _show_match(self, found: TurnMatch | None) -> None:
        if found is not None and self.session.conversation_id is not None:
            await self.conversation.open(self.session.conversation_id, found)

    def search_sent(self, text: str = "") -> None:
        """Open the search for a text in the messages of all conversations."""
        self.app.push_screen(SentMessagesScreen(self._services.store, text), self._use_sent)

    def _use_sent(self, text: str | None) -> None:
        if text is not None:
            self.composer.replace_text(escape_message(text))

    @on(Composer.LinesPasted)
    def _offer_preview(self, event: Composer.LinesPasted) -> None:
        """Tell how pasted lines become tasks, where no model would read them."""
        event.stop()
        if not self._switch.option.host:
            hint = format_hint(self.app, "{app.dump} previews these lines as tasks.")
            self.app.notify(hint, markup=False)

    def edit_queue(self) -> None:
        """Open the queued messages."""
        self.app.push_screen(QueueScreen(self.activity))

    # Actions on a turn

    async def answer_again(self) -> None:
        """Answer the message of the turn again, as another version, once its changes are undone."""
        turn = self.conversation.reachable_turn
        if turn is not None and await self.turn_actions.may_repeat(turn.turn_id):
            await self._start(turn.user_text, replaces=turn.turn_id)

    async def continue_answer(self) -> None:
        """Ask for the rest of a stopped answer."""
        if self.conversation.reachable_turn is not None:
            await self.send(CONTINUE)

    @on(TurnActions.ShowRequested)
    @work(group="conversation")  # the shown version is stored, which may wait
    async def _show_turn(self, event: TurnActions.ShowRequested) -> None:
        if self.session.busy:
            return  # A message was sent before the version could be shown.
        # One that is sent now follows the version that is being shown.
        self._is_open = False
        try:
            await self.conversation.show_stored(self.session.conversation_id, event.turn_id)
        finally:
            self._is_open = True
        transcript = self.conversation.transcript
        if event.focuses_answer is not None and transcript is not None:
            transcript.focus_turn(event.turn_id, answer=event.focuses_answer)
        if event.note:
            self.app.notify(format_hint(self.app, event.note), timeout=5)
        if not self.session.busy:
            await self._send_next()

    # Turns

    async def send(self, text: str) -> None:
        """Start a turn with the message, or queue it; a yes or no answers the open card."""
        if self.approvals.holds_turn:
            yes = read_typed_answer(text)
            if yes is not None and self.can_answer(yes):
                self.answer(Choice.APPROVE if yes else Choice.DENY)
                return
            # Any other message answers no card, and waits for the end of the turn.
            hint = "Queued. To answer, type yes or no, or press {chat.to_card}."
            self.app.notify(format_hint(self.app, hint))
        replaces = self.outbox.end_edit()
        if self._is_open and not self.session.busy:
            await self._start(text, replaces=replaces)
        else:
            self.outbox.add(text)

    def stop(self) -> None:
        """Stop the turn, if one runs."""
        if self.session.turn is not None:
            self.session.turn.stop()

    async def shut_down(self, *, interrupted: bool = False) -> str:
        """Stop the turn and save drafts; return the unsent text if it could not be saved."""
        self.answer_bell.take_back()
        await self.turn_actions.shut_down()
        try:
            if self.session.turn is not None:
                self.session.turn.stop(interrupted=interrupted)
                await self.session.turn.wait()
        finally:
            self.outbox.save()
        return await self.outbox.finish()

    def model_switched(self) -> bool:
        """Forget the state of the previous model; True if a turn that waits is sent again."""
        turn = self.session.turn
        if turn is None:
            self.session.forget_model()
            self.post_message(SessionChanged())
            return False
        if self.session.state.state is ModelState.WAITING:
            turn.is_resent = True
            turn.stop()
        return turn.is_resent

    async def _send_next(self) -> None:
        if self.outbox.queue:
            await self._start(self.outbox.take_next(), moves=False)

    async def _start(self, text: str, *, replaces: str | None = None, moves: bool = True) -> None:
        """Start a turn with a message, in place of another one if it `replaces` that.

        Unless it `moves` a reader, the transcript shows it only if it follows the end.
        """
        transcript = self.conversation.transcript
        assert transcript is not None  # noqa: S101  # messages are kept until it is open
        if not transcript.is_end and replaces is None:
            await self.conversation.show_stored(self.session.conversation_id)
        selection, self.selection = self.selection, ()
        turn = RunningTurn(text, replaces, selection)
        self.session.begin(turn)
        # Drawn once: each drawing delays a client that is loading in a thread.
        with self.app.batch_update():
            version = 1
            if replaces is not None:
                former, count, replaced = await transcript.remove_from(replaces)
                version = count + 1
                await self.turn_actions.notify_replaced(former, count, replaced)
            if transcript.newest is not None:
                await transcript.newest.retire()
            model = self._switch.choice.provider, self._switch.model
            turn.view = self.conversation.views.running(text, model, version)
            await transcript.append(turn.view, moves=moves)
            self.post_message(SessionChanged())
        turn.worker = self.run_worker(partial(self._run, turn), name="turn", group="turn")

    async def _run(self, turn: RunningTurn) -> None:
        try:
            config = replace(
                await self._switch.run_config(),
                approver=self.approvals,
                session_approvals=self.approvals.session,
                note_call=self.session.calls.add,
            )
            async with aclosing(turn.events(config, self.session.conversation_id)) as turn_events:
                async for event in turn_events:
                    await self._draw(turn, event)
        except asyncio.CancelledError:
            # Shown by a task that is not cancelled.
            self.call_later(self._end, turn)
            raise
        except Exception as error:
            turn.fail(error)
        await self._end(turn)

    async def _draw(self, turn: RunningTurn, event: events.TurnEvent) -> None:
        await turn.view.show(event)
        label = ""
        match event:
            case events.TurnStarted(conversation_id=new) if self.session.conversation_id is None:
                self.session.conversation_id = new
                self.title_line.load(self.title_line.read, new)
                self.outbox.follow(new)
            case events.TurnStarted():
                self.outbox.save()
            case events.FailedOver():
                label = self._services.provider_label(event.provider)
        if self.session.follow(event, label):
            self.post_message(SessionChanged())
        if not self.display:
            self.post_message(self.HiddenUpdate())

    async def _end(self, turn: RunningTurn) -> None:
        """Offer to undo the turn, record what it showed of its model, send what waits."""
        event, session = turn.ending, self.session
        if event is None and not turn.is_stored:
            await self._take_back(turn)
            return
        if event is None:
            event = turn.early_end(session.conversation_id or "")
            await turn.view.show(event)
        if self.conversation.transcript is not None:
            await self.conversation.transcript.unmount_far_turns()
        self.answer_bell.ring(event.outcome.latency_ms / 1000)
        is_finished = isinstance(event, events.TurnFinished)
        failure = event.error if isinstance(event, events.TurnFailed) else None
        if is_finished:
            self._switch.note_answer()
            if session.is_untitled and self._services.generate_title:
                self.title_line.load(self._services.generate_title, event.conversation_id)
            session.is_untitled = False
        elif failure is not None and failure.kind == ProviderErrorKind.TOOLS_UNSUPPORTED:
            model = self._switch.choice.provider, self._switch.model
            self._switch.note_tools(*model, called=False)
        elif failure is not None and failure.kind == ProviderErrorKind.AUTH:
            self._switch.reopen_client()
        session.end(
            "" if is_finished else turn.text,
            has_failed=failure is not None,
            asks=is_finished and event.outcome.asks,
        )
        self.post_message(SessionChanged())
        if turn.is_resent and not is_finished:
            await self._start(turn.text)
        elif is_finished and not (event.outcome.asks and self.outbox.begins_with_answer):
            await self._send_next()
        else:
            self.outbox.return_all()

    async def _take_back(self, turn: RunningTurn) -> None:
        """Move the message of a turn that was not stored back to the composer."""
        is_gone = isinstance(turn.problem, NotFound)
        if turn.view.version[1] > 1 and not is_gone:
            await self.conversation.show_stored(self.session.conversation_id)
        elif self.conversation.transcript is not None:
            await self.conversation.transcript.drop(turn.view)
        self.session.end("", has_failed=turn.problem is not None)
        self.post_message(SessionChanged())
        self.outbox.put_back(turn.text)
        self.outbox.return_all()
        if is_gone and self.session.conversation_id is not None:
            await self.conversation.show_deletion(self.session.conversation_id)
        elif turn.problem is not None:
            show_error(self.app, turn.problem)

    # Messages of the parts

    @on(QueueScreen.Changed)
    def _change_queue(self, event: QueueScreen.Changed) -> None:
        self.outbox.change(event.change, event.place)

    @on(ConversationTitle.Deleted)
    async def _leave_deleted(self) -> None:
        await self.conversation.show(ConversationPage())

    @on(SessionChanged)
    def _show_state(self) -> None:
        self.activity.activity = STATE_TEXTS.get(self.session.state.state, "")
        self.offer_proposals()

    @on(TextArea.Changed)
    def _save_draft(self) -> None:
        self.outbox.save_soon()
        self.approvals.note_typing()

    @on(Composer.EditCancelled)
    def _cancel_edit(self) -> None:
        self.outbox.end_edit()

    @on(Composer.EditQueuedRequested)
    def _edit_queued(self) -> None:
        self.outbox.edit_last()

    @on(Composer.CompletionsOffered)
    async def _mount_completions(self) -> None:
        if not self.query(ComposerCompletionList):
            await self.mount(ComposerCompletionList(self.composer))

    def on_message_suggested(self, event: MessageSuggested) -> None:
        """Send a reply, or put a message into the box, after what is there."""
        self.composer.focus(scroll_visible=False)
        if event.is_reply:
            self.outbox.leave_edit()
            self.post_message(Composer.Submitted(event.text))
        else:
            self.composer.insert(event.text)

    def on_transcript_lines_arrived(self, event: Transcript.LinesArrived) -> None:
        """Show how much is new below the viewport."""
        self.activity.new_lines = event.count

    @on(widget_events.DescendantFocus)
    @on(widget_events.DescendantBlur)
    def _show_reading_keys(self) -> None:
        focused = self.screen.focused
        has_code = focused is not None and bool(focused.query("CodeBlock"))
        is_reading, has_turns = self.conversation.has_focus_within, self.conversation.has_turns
        self.composer.set_reading(is_reading, has_turns=has_turns, has_code=has_code)

    # Approval

    def offer_proposals(self) -> None:
        """Show what agents propose while no turn runs, whose own questions come first."""
        if self.session.busy:
            self.approvals.withdraw_proposal()
        elif self._is_open:
            self.approvals.offer_proposals()

    def can_answer(self, yes: bool) -> bool:
        """Return whether a key may answer the open card, which has to be on screen."""
        return self.display and self.approvals.can_answer(yes)

    @property
    def can_go_to_card(self) -> bool:
        """True if a card is open that has not got the focus."""
        return self.approvals.is_open and not self.approvals.has_focus_within

    def answer(self, choice: Choice, reason: str = "") -> None:
        """Answer the open card, if any, and return the focus to the composer."""
        if self.approvals.choose(choice, reason):
            self.composer.focus(scroll_visible=False)

    @on(ChoiceRow.Chosen)
    def _answer_by_row(self, event: ChoiceRow.Chosen) -> None:
        self.answer(event.choice)

    @on(ApprovalArea.Opened)
    def _make_room(self) -> None:
        self.composer.set_below_card(True, is_proposal=not self.approvals.holds_turn)
        self.post_message(SessionChanged())

    @on(ApprovalArea.Closed)
    def _close_card(self, event: ApprovalArea.Closed) -> None:
        if event.had_focus:
            self.composer.focus(scroll_visible=False)
        self.composer.set_below_card(False)
        self.outbox.put_back(event.unsent_reason)
        self.post_message(SessionChanged())
