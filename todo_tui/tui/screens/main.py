"""Main screen: layout, and messages between its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.screen import Screen

from todo_tui.domain.planning import SPANS
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.main import MAIN, READING
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.documents import DocumentController
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.chat.session import SessionChanged
from todo_tui.tui.chat.slash_commands import (
    CommandCall,
    CommandRefused,
    parse_message,
    run_command,
)
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.panes import Panes
from todo_tui.tui.reminders import ReminderCard
from todo_tui.tui.screens.conversations import ConversationsScreen, OpenConversation
from todo_tui.tui.screens.database_lost import DatabaseLostScreen
from todo_tui.tui.screens.documents import DocumentsScreen
from todo_tui.tui.screens.live_screen import StoreChanged
from todo_tui.tui.screens.opener import ScreenOpener
from todo_tui.tui.services import AppServices
from todo_tui.tui.store_watch import StoreWatch, TasksChanged
from todo_tui.tui.task_list.notices import short_title
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.widgets.choice import Choice
from todo_tui.tui.widgets.key_bar import KeyBar
from todo_tui.tui.widgets.status_bar import StatusBar

if TYPE_CHECKING:
    from todo_tui.tui.key_queue import KeyQueue

_BREAKPOINTS = [(0, "-small"), (60, "-large")]
_MIN_NOTICE_LINES = 3
"""Lines that the toasts and the reminder card keep at the top of a low screen."""


class MainScreen(ActionHost, Screen[None]):
    """Main screen: chat on the left, tasks on the right; one of them in a narrow terminal."""

    AUTO_FOCUS = "#composer"
    ACTIONS = (*MAIN, *READING)
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDINGS = bindings(MAIN)

    def __init__(self, services: AppServices, keys: KeyQueue) -> None:
        super().__init__(id="main")
        self._services = services
        self._keys = keys
        # With their types, as mypy checks the tables of actions, which use them, before this.
        self._store_watch = StoreWatch(services)
        self.models: ModelController = ModelController(services)
        self.documents: DocumentController = DocumentController(services)
        self.opener: ScreenOpener = ScreenOpener(services)
        self._status = StatusBar()
        self.chat: ChatPane = ChatPane(services, self.models.catalog)
        self.tasks: TaskPane = TaskPane(services, id="tasks")
        self.panes: Panes = Panes(self.chat, self.tasks, services)
        self._reminders = ReminderCard(services)

    def compose(self) -> ComposeResult:
        """Lay out status bar, panes and key bar."""
        yield self._status
        yield self.panes
        yield KeyBar()
        yield from (self._store_watch, self.models, self.documents, self.opener, self._reminders)

    def on_mount(self) -> None:
        """Insert the text typed so far; everything slow waits until the first frame is drawn."""
        self.set_focus(self.chat.composer, scroll_visible=False)
        self.chat.composer.insert(self._keys.open())
        self._update_status()
        self.call_after_refresh(self.call_after_refresh, self._start_background_work)

    def _start_background_work(self) -> None:
        """Start what the first frame did not need: conversation, model, reminders."""
        self.screen_layout_refresh_signal.subscribe(self, self._place_notices)
        self._open_conversation()
        self._reminders.start()

    def on_screen_suspend(self) -> None:
        """Leave the notices to the screen above; they come back with this one."""
        self.query("ToastHolder").remove()

    def _place_notices(self, _screen: object) -> None:
        """Place the reminder card and the toasts in the corner, the toasts above the card.

        They are above what is typed into and what must be read: the message box, its completions,
        the activity line and the approval card, and the inputs below the list. The list leaves
        free the lines of the card.
        """
        # Of the chat's children alone: this runs with each layout.
        boxes = self.chat.query_children(
            "Composer, ComposerCompletionList, ApprovalArea, ActivityLine"
        )
        bottom = min((box.region.y for box in boxes if box.region), default=self.size.height)
        card, tasks = self._reminders, self.tasks.list_region
        card.fit((tasks.width or self.size.width) - 2)
        height = card.outer_size.height if card.is_open else 0
        self.tasks.make_room(height)
        if tasks:
            bottom = min(bottom, tasks.bottom)
        bottom = max(bottom, _MIN_NOTICE_LINES)
        if height:
            left, top = self.size.width - card.outer_size.width - 1, bottom - height
            if tasks and self.tasks.has_room:
                top = tasks.bottom
            card.styles.offset = (max(left, 0), max(top, 0))
            bottom = max(min(bottom, top), _MIN_NOTICE_LINES)
        margin = (0, 0, self.size.height - bottom, 0)
        for rack in self.query_children("ToastRack"):
            if rack.styles.margin != margin:
                rack.styles.margin = margin

    @work(name="conversation", group="conversation")
    async def _open_conversation(self) -> None:
        if await self.chat.open():
            self.chat.offer_proposals()
            self.models.report_missed()
            self._store_watch.keep_erasing()
            await self.models.preload()
            self.models.report_missed()

    async def shut_down(self, *, interrupted: bool) -> str:
        """Stop the turn, finish the writes and close the client, before the app exits.

        Returns the unsent text if it could not be saved.
        """
        await self.documents.shut_down()
        unsaved = await self.chat.shut_down(interrupted=interrupted)
        await self._store_watch.erase_deleted(closing=True).wait()
        await self._services.writer.finish()
        await self.models.switch.aclose()
        return unsaved

    # The store

    @on(TasksChanged)
    async def _show_changes(self, event: TasksChanged) -> None:
        self.tasks.show_changes(event.changes)
        self._reminders.tasks_changed(event.changes)
        await self.chat.conversation.tasks_changed(event.changes)
        self._reload_above()
        self.panes.note_task_changes()

    @on(StoreWatch.Outdated)
    async def _show_writes(self, event: StoreWatch.Outdated) -> None:
        if event.is_task_written:
            self.panes.note_task_changes()
            await self.chat.conversation.withdraw_offer()
        if event.is_written:
            await self.chat.conversation.store_changed()
            self.chat.offer_proposals()
        self._reload(reminders=event.is_written)

    @on(StoreWatch.DayChanged)
    def _show_day(self, event: StoreWatch.DayChanged) -> None:
        self.chat.conversation.show_day(event.before)

    def _reload(self, *, reminders: bool) -> None:
        if reminders:
            self._reminders.store_changed()
        self.tasks.reload()
        self._reload_above()

    def _reload_above(self) -> None:
        for above in self.app.screen_stack[1:]:
            above.post_message(StoreChanged())

    @on(DatabaseLostScreen.ReopenRequested)
    @work(group="reopen", exclusive=True)
    async def _reopen_database(self) -> None:
        # Pending writes of a turn belong to the previous file.
        await self.chat.shut_down()
        await self._store_watch.reopen()

    @on(StoreWatch.Reopened)
    def _show_reopened(self) -> None:
        self.chat.show_reopened()
        self._reload(reminders=True)

    # The chat

    async def send(self, message: str) -> None:
        """Go to the chat and send a message as if it was typed; what is typed stays."""
        await self.panes.go_to_chat()
        self.chat.outbox.leave_edit()
        self.post_message(Composer.Submitted(message))

    async def plan(self, span: str = "day") -> None:
        """Ask the chat for a plan of the day, of tomorrow or of the week."""
        name = span.casefold() or "day"
        if name in SPANS:
            await self.send("plan tomorrow" if name == "tomorrow" else f"plan my {name}")
        else:
            reason = f"“{plain_line(span)}” cannot be planned. Use day, tomorrow or week."
            self.post_message(CommandRefused(f"/plan {span}", reason))

    @on(Composer.Submitted)
    async def _send(self, event: Composer.Submitted) -> None:
        """Send a message or run a command; it may arrive before the conversation is loaded."""
        message = parse_message(event.text)
        if isinstance(message, CommandCall):
            await run_command(message, event.text, self)
            return
        await self.chat.send(message)

    @on(CommandRefused)
    def _put_back(self, event: CommandRefused) -> None:
        self.chat.composer.put_back(event.typed)
        if event.reason:
            self.app.notify(event.reason)

    @on(ConversationsScreen.ShowRequested)
    async def _show_conversation(self, event: ConversationsScreen.ShowRequested) -> None:
        await self.chat.conversation.open(event.conversation_id)

    @on(ConversationsScreen.Changed)
    async def _reload_title(self) -> None:
        await self.chat.title_line.reload()

    async def action_edit_message(self) -> None:
        """Edit the message in the user's editor; keys wait until it is closed."""
        self.panes.go_to(tasks=False)
        self._keys.hold()
        try:
            await self.chat.composer.edit_externally()
        finally:
            self._keys.release()

    async def action_new_conversation(self) -> None:
        """Begin a new conversation, in the message box."""
        await self.chat.conversation.begin_new()
        self.panes.go_to(tasks=False)

    async def action_edit_turn(self, number: str = "") -> None:
        """Edit the message of the focused turn, or that of the typed number."""
        await self.chat.turn_actions.edit(number)
        self.panes.go_to(tasks=False)

    async def action_compare(self, typed: str = "") -> None:
        """Answer the message with another model: the one typed, else the one picked."""
        if (turn := self.chat.conversation.reachable_turn) is None:
            return
        choice = await self.models.pick_other(*turn.model, typed, short_title(turn.user_text))
        if choice is not None:
            await self.chat.turn_actions.compare(turn, choice)

    def action_conversations(self, find: str = "") -> None:
        """Open the list of conversations, those that match `find`, and the one chosen there."""
        screen = ConversationsScreen(self._services, self.chat.session, find)
        self.app.push_screen(screen, self.open_conversation)

    async def open_conversation(self, chosen: OpenConversation | None) -> None:
        """Open the conversation, if one was chosen, and focus the message box."""
        if chosen is not None:
            await self.chat.conversation.open(chosen.conversation_id, chosen.found)
            self.panes.go_to(tasks=False)

    # Stopping

    def action_answer(self, yes: bool) -> None:
        """Answer the open card by a key that works everywhere.

        Text keys of a focused input are left to it: any key can be mapped to this action, and its
        binding has priority over the inputs.
        """
        closes_list = not yes and bool(self.chat.composer.completions.candidates)
        if self._keys.is_for_box or closes_list:
            raise SkipAction
        if yes:
            self.chat.answer(Choice.APPROVE)
        else:
            self.action_stop_turn()

    def action_stop_turn(self) -> None:
        """Stop the turn, unless the key is still held from denying an approval."""
        self._keys.act_once(self._deny_or_stop)

    def _deny_or_stop(self) -> None:
        if self.chat.can_answer(False):
            self.chat.answer(Choice.DENY)
        elif not self.chat.approvals.holds_turn:
            self.stop()

    def stop(self) -> bool:
        """Stop the turn, else the reading of documents; False if neither runs."""
        if self.chat.session.busy:
            self.chat.stop()
        elif self.documents.is_running:
            self.documents.stop()
        else:
            return False
        return True

    @property
    def can_stop(self) -> bool:
        """True if a turn runs, or documents are read, and no card would be denied instead."""
        is_running = self.chat.session.busy or self.documents.is_running
        return is_running and not self.chat.approvals.holds_turn

    # The model

    async def action_next_provider(self) -> None:
        """Switch to the next ready provider; a failed turn is retried with it."""
        failed = self.chat.session.has_failed
        if await self.models.switch_to_next() and failed:
            await self.chat.retry()

    @on(ModelController.Switched)
    def _provider_changed(self) -> None:
        """Update the screen for another model; a turn that waits to retry uses it at once."""
        is_sent_again = self.chat.model_switched()
        self._update_status()
        if not self.chat.session.busy:
            self.models.open_client_soon()
        elif not is_sent_again:
            label = self.models.switch.option.row.label
            self.app.notify(f"{label} will answer the next message.")

    @on(SessionChanged)
    @on(ModelController.Changed)
    @on(Panes.Changed)
    def _update_status(self) -> None:
        self._status.shows_tasks = self.panes.shows_tasks if self.panes.is_single else None
        self._status.is_unread = self.panes.is_unread
        self._status.turn = self.chat.session.state
        self._status.model = self.models.active_model
        self.chat.conversation.show_models()
        self.refresh_bindings()

    # Documents, brain dump

    def action_attach(self, paths: str = "") -> None:
        """Add documents; without a path, begin the command for it in the message box."""
        if paths:
            self.documents.add_typed(paths)
            return
        self.panes.go_to(tasks=False)
        if self.chat.composer.text.strip():
            self.app.notify("Send or clear your message first, then type /attach.", timeout=4)
        else:
            self.chat.composer.replace_text("/attach ")

    def action_documents(self) -> None:
        """Open the list of documents."""
        screen = DocumentsScreen(self._services, self.chat.activity)
        self.app.push_screen(screen, self._attach_another)

    def _attach_another(self, is_wanted: bool | None) -> None:
        if is_wanted:
            self.action_attach()

    @on(DocumentsScreen.AddRequested)
    def _add_document(self, event: DocumentsScreen.AddRequested) -> None:
        self.documents.add_path(event.path)

    @on(DocumentsScreen.RefreshRequested)
    def _refresh_documents(self) -> None:
        self.documents.read_again()

    @on(DocumentController.Progressed)
    def _show_progress(self, event: DocumentController.Progressed) -> None:
        goes_on = bool(event.text and self.chat.activity.indexing)
        self.chat.activity.indexing = event.text
        if not goes_on:
            self.refresh_bindings()
            self._reload_above()

    def dump(self, text: str = "") -> None:
        """Preview many tasks: those of the text, or of the message box."""
        self.opener.open_dump(text or self.chat.composer.clear_text())

    # Reminders

    def action_reminder(self) -> None:
        """Focus the reminder card."""
        self._reminders.focus_card()

    async def on_reminder_card_task_requested(self, event: ReminderCard.TaskRequested) -> None:
        """Go to the task of a reminder."""
        self.panes.go_to(tasks=True)
        await self.tasks.go_to_task(event.task_id)

    def on_reminder_card_task_completed(self, event: ReminderCard.TaskCompleted) -> None:
        """Complete the task of a reminder."""
        self.tasks.commands.complete([event.task])

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Show one or two panes, whichever fit; the focused one stays."""
        self.panes.fit(event.size.width)
        self._reminders.draw()
