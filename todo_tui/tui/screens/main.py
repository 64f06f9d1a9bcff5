"""Main screen: layout and focus of the two panes, messages between them, polling the store."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import TextArea

from todo_tui.agent.approver import remember_mode, with_last_mode
from todo_tui.domain.errors import StoreError, StoreReplaced, TodoError
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.main import MAIN, READING
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.completion import ComposerCompleter
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.controller import ChatController, Selection
from todo_tui.tui.chat.conversation_commands import ConversationCommands
from todo_tui.tui.chat.documents import DocumentController
from todo_tui.tui.chat.external_editor import edit_externally
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.chat.slash_commands import SlashCommandRunner
from todo_tui.tui.chat.turn_actions import RecordedCalls, TurnActions
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.panes import Panes
from todo_tui.tui.reminders import ReminderCard
from todo_tui.tui.screens.consent import ApprovalSettingsScreen
from todo_tui.tui.screens.conversations import ConversationsScreen, OpenConversation
from todo_tui.tui.screens.database_lost import DatabaseLostScreen
from todo_tui.tui.screens.documents import DocumentsScreen
from todo_tui.tui.screens.error_log import ErrorLogScreen
from todo_tui.tui.screens.live_screen import StoreChanged
from todo_tui.tui.screens.usage import UsageScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.widgets.choice_row import ChoiceRow
from todo_tui.tui.widgets.key_bar import KeyBar
from todo_tui.tui.widgets.line_input import NameCache
from todo_tui.tui.widgets.status_bar import STATE_TEXTS, ActiveModel, StatusBar

if TYPE_CHECKING:
    from todo_tui.config.settings import ApprovalMode
    from todo_tui.domain.changes import TaskChange
    from todo_tui.tui.key_queue import KeyQueue

_ANSWERS = frozenset("yes y no n ok okay approve deny".split())
"""Messages that are probably meant for an open approval card."""
_log = logging.getLogger(__name__)
POLL_SECONDS = 0.5
_ERASE_SECONDS = 3600.0
"""Time between two looks for deleted conversations to erase."""


@dataclass
class TasksChanged(Message):
    """Posted after a commit of this process, from the thread that wrote."""

    changes: tuple[TaskChange, ...]


class MainScreen(ActionHost, Screen[None]):
    """Main screen: chat on the left, tasks on the right; one of them in a narrow terminal."""

    BINDING_GROUP_TITLE = "Everywhere"
    AUTO_FOCUS = "#composer"
    ACTIONS = (*MAIN, *READING)
    BINDINGS = bindings(MAIN)

    def __init__(self, services: AppServices, keys: KeyQueue) -> None:
        super().__init__(id="main")
        self._services = services
        self._keys = keys
        # With their types, as mypy checks the tables of actions, which use them, before this.
        self.models: ModelController = ModelController(
            self, services, self._provider_changed, self._update_status
        )
        self._status = StatusBar()
        self._chat = ChatPane(id="chat")
        self._tasks = TaskPane(services, id="tasks")
        self.panes: Panes = Panes(self._chat, self._tasks, services)
        self.approvals: ApprovalController = ApprovalController(self._chat, self.refresh_bindings)
        self.documents: DocumentController = DocumentController(
            self._chat,
            services.store.knowledge,
            self._documents_changed,
            services.open_vectors,
            services.own_paths,
        )
        self._command_runner = SlashCommandRunner(self._chat)
        calls = RecordedCalls()
        self.controller: ChatController = ChatController(
            self,
            services,
            self.models.switch,
            self._chat,
            self.approvals,
            self._take_selection,
            self._update_status,
            partial(self._mark_unread, tasks=False),
            calls.add,
        )
        self.turn_actions: TurnActions = TurnActions(self.controller, self.models, calls)
        self.conversation_commands: ConversationCommands = ConversationCommands(self.controller)
        self._completer = ComposerCompleter(
            self._chat,
            self.models,
            self.approvals,
            self.turn_actions,
            NameCache(services.store),
        )
        self._reminders: ReminderCard | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._came_from_list = False
        self._cleared = ""
        self._today = services.clock.now().date()
        self._store_error = ""
        self._database_lost: DatabaseLostScreen | None = None
        self._is_reopening = False
        self._chat_is_stale = False
        """True if another process wrote and the chat could not show it yet."""

    def compose(self) -> ComposeResult:
        """Lay out status bar, panes and key bar."""
        yield self._status
        yield self.panes
        yield KeyBar()

    def on_mount(self) -> None:
        """Insert the text typed so far; everything slow waits until the first frame is drawn."""
        self._chat.composer.look_up = self._completer.look_up
        self.set_focus(self._chat.composer, scroll_visible=False)
        self._chat.composer.insert(self._keys.open())
        self._update_status()
        self.call_after_refresh(self.call_after_refresh, self._start_background_work)

    def _start_background_work(self) -> None:
        """Start what the first frame did not need: conversation, model, polling, reminders."""
        self._unsubscribe = self._services.store.tasks.subscribe(self._post_changes)
        self.set_interval(POLL_SECONDS, self._poll)
        self._open_conversation()
        if self._services.reminders.enabled and not self._services.demo:
            self._reminders = ReminderCard(self._services)
            self.mount(self._reminders)

    @work(name="conversation", group="conversation")
    async def _open_conversation(self) -> None:
        if await self.controller.open():
            self._report_missed()
            self._erase_deleted()
            self.set_interval(_ERASE_SECONDS, self._erase_deleted)
            await self.models.preload()
            self._report_missed()

    @work(group="erasing")
    async def _erase_deleted(self, *, closing: bool = False) -> None:
        """Erase the deleted conversations that cannot be restored any more."""
        conversations = self._services.store.conversations
        try:
            await self._services.writer.run(conversations.erase_deleted, closing=closing)
        except TodoError as error:
            _log.warning("deleted conversations are not erased yet: %s", error.message)

    def on_unmount(self) -> None:
        """Unsubscribe from the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self.controller.busy

    async def shut_down(self, *, interrupted: bool) -> str:
        """Stop the turn, finish the writes and close the client, before the app exits.

        Returns the unsent text if it could not be saved.
        """
        await self.documents.shut_down()
        await self.turn_actions.shut_down()
        await self.controller.shut_down(interrupted=interrupted)
        unsaved = await self.controller.drafts.finish()
        await self._erase_deleted(closing=True).wait()
        await self._services.writer.finish()
        await self.models.switch.aclose()
        return unsaved

    # The store

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        self.post_message(TasksChanged(changes))

    @on(TasksChanged)
    async def _show_changes(self, event: TasksChanged) -> None:
        self._tasks.show_changes(event.changes)
        await self.controller.undo_offer.tasks_changed(event.changes)
        if self._reminders is not None:
            self._reminders.tasks_changed(event.changes)
        self._reload_above()
        self._mark_unread(tasks=True)

    async def _poll(self) -> None:
        """Show writes by other processes, a new day, or the loss of the database file."""
        if self._is_reopening:
            return
        try:
            is_written = self._services.store.poll()
        except StoreReplaced as error:
            self._show_database_lost(error)
            return
        except StoreError as error:
            if str(error) != self._store_error:
                self._store_error = str(error)
                self.app.notify(error.message, severity="error")
            return
        # The original file may have been restored.
        self._close_database_lost()
        yesterday, self._today = self._today, self._services.clock.now().date()
        if is_written:
            await self.controller.undo_offer.store_changed()
            self._mark_unread(tasks=True)
        if is_written or self._chat_is_stale:
            self._chat_is_stale = not await self.controller.show_new_turns()
        if is_written or self._today != yesterday:
            self._reload(reminders=is_written)

    def _reload(self, *, reminders: bool) -> None:
        if reminders and self._reminders is not None:
            self._reminders.store_changed()
        self._tasks.reload()
        self._reload_above()

    def _reload_above(self) -> None:
        for above in self.app.screen_stack[1:]:
            above.post_message(StoreChanged())

    def _show_database_lost(self, error: StoreReplaced) -> None:
        if self._database_lost is None:
            self._database_lost = DatabaseLostScreen(error, self._reopen_database)
            self.app.push_screen(self._database_lost)
        else:
            self._database_lost.show(error)

    async def _reopen_database(self) -> None:
        """Open the file that is at the path now, or raise StoreError."""
        self._is_reopening = True
        try:
            # Pending writes of a turn belong to the previous file.
            await self.controller.shut_down()
            await self.controller.drafts.finish()
            await self._services.writer.run(self._services.store.reopen)
        finally:
            self._is_reopening = False
        # Queued behind the last messages of the turn.
        self.call_later(self._show_reopened)
        self._close_database_lost()

    def _close_database_lost(self) -> None:
        # If another screen covers it, a later poll closes it.
        if self._database_lost is not None and self._database_lost.is_active:
            self._database_lost.dismiss()
            self._database_lost = None

    async def _show_reopened(self) -> None:
        await self.controller.show_reopened()
        self._reload(reminders=True)

    # The conversation

    @on(Composer.Submitted)
    async def _send(self, event: Composer.Submitted) -> None:
        """Send a message or run a command; it may arrive before the conversation is loaded."""
        message = await self._command_runner.message_or_run(event.text)
        if message is None:
            return
        if self.approvals.is_open and message.strip(" .!").casefold() in _ANSWERS:
            # A message answers no card, and waits for the end of the turn.
            hint = "Queued. To answer, press {chat.to_card}, or type /approve or /deny."
            self.app.notify(format_hint(self.app, hint))
        await self.controller.send(message)

    @on(TextArea.Changed, "#composer")
    def _save_draft(self) -> None:
        self.controller.drafts.changed()

    @on(TextArea.Changed, "#composer")
    @on(TextArea.SelectionChanged, "#composer")
    def _update_completions(self) -> None:
        self._completer.update()

    def action_edit_message(self) -> None:
        """Edit the message in the user's editor; keys wait until it is closed."""
        self.action_show_pane(tasks=False)
        self._keys.hold()
        self._edit_message()

    @work(group="editor")
    async def _edit_message(self) -> None:
        composer = self._chat.composer
        before = composer.full_text
        try:
            edited = await edit_externally(self.app, before, os.environ)
        except TodoError as error:
            self.app.notify(error.text, severity="warning")
        else:
            if edited != before:
                # A message may have been put back meanwhile.
                composer.replace_text(composer.full_text.removesuffix(before) + edited)
        finally:
            self._keys.release()

    def clear_message(self) -> bool:
        """Empty the message box if it has the focus; False if there is nothing in it."""
        composer = self._chat.composer
        self._cleared = composer.clear_text() if self.focused is composer else ""
        return bool(self._cleared)

    def put_back_cleared(self) -> None:
        """Put the message that was cleared last back into the empty box: it is kept as a draft."""
        if not self._chat.composer.text:
            self._chat.composer.put_back(self._cleared)

    @on(Composer.EditCancelled)
    def _cancel_edit(self) -> None:
        self.controller.cancel_edit()

    @on(Composer.EditQueuedRequested)
    def _edit_queued(self) -> None:
        self.controller.queue.edit_last()

    @on(ChoiceRow.Chosen)
    def _answer_approval(self, event: ChoiceRow.Chosen) -> None:
        self.approvals.choose(event.choice)

    async def action_new_conversation(self) -> None:
        """Begin a new conversation, in the message box."""
        await self.controller.begin_new()
        self.action_show_pane(tasks=False)

    async def action_edit_turn(self, number: str = "") -> None:
        """Edit the message of the focused turn, or that of the typed number."""
        await self.turn_actions.edit(number)
        self.action_show_pane(tasks=False)

    def action_copy_answer(self, part: str = "") -> None:
        """Copy the newest answer, or its newest code block if `part` is `code`."""
        if (transcript := self.controller.transcript) is None:
            return
        if part.casefold() == "code":
            transcript.copy_code()
        else:
            transcript.action_copy()

    def action_answer(self, yes: bool) -> None:
        """Answer the open card by a key that works everywhere.

        Text keys of a focused input are left to it: any key can be mapped to this action, and its
        binding has priority over the inputs.
        """
        closes_list = not yes and bool(self._chat.composer.completions.candidates)
        if self._keys.is_for_box or closes_list:
            raise SkipAction
        if yes:
            self.approvals.answer(yes)
        else:
            self.action_stop_turn()

    def action_stop_turn(self) -> None:
        """Stop the turn, unless the key is still held from denying an approval."""
        self._keys.act_once(self._deny_or_stop)

    def _deny_or_stop(self) -> None:
        if self.approvals.can_answer(False):
            self.approvals.answer(False)
        elif not self.approvals.is_open:
            self.stop()

    def stop(self) -> bool:
        """Stop the turn, else the reading of documents; False if neither runs."""
        if self.busy:
            self.controller.stop()
        elif self.documents.is_running:
            self.documents.stop()
        else:
            return False
        return True

    @property
    def can_stop(self) -> bool:
        """True if a turn runs, or documents are read, and no card would be denied instead."""
        return (self.busy or self.documents.is_running) and not self.approvals.is_open

    @property
    def can_go_to_card(self) -> bool:
        """True if a card is open and neither it nor the list has the focus."""
        return self.approvals.is_open and not (self.approvals.has_focus or self.is_in_list)

    # The model

    def action_next_provider(self) -> None:
        """Switch to the next ready provider; a failed turn is retried with it."""
        self._switch_to_next()

    @work(group="model", exclusive=True)
    async def _switch_to_next(self) -> None:
        failed = self.controller.has_failed
        if await self.models.switch_to_next() and failed:
            await self.controller.retry()

    @work(group="model", exclusive=True)
    async def action_go_to_provider(self, number: int) -> None:
        """Switch to the provider of that number."""
        await self.models.switch_to_number(number)

    def action_choose_model(self, name: str = "") -> None:
        """Switch to the model of that name or number; without one, open the picker."""
        self._choose("model", name, self.models.switch_to_typed)

    def action_choose_provider(self, name: str = "") -> None:
        """Switch to the provider of that name; without one, open the picker."""
        self._choose("provider", name, self.models.switch_to_provider)

    @work(group="model", exclusive=True)
    async def _choose(
        self, command: str, name: str, switch: Callable[[str], Awaitable[bool]]
    ) -> None:
        if not name:
            await self.models.pick()
        elif not await switch(name):
            self._chat.composer.put_back(f"/{command} {name}")

    def _provider_changed(self) -> None:
        """Update the screen for another model; a turn that waits to retry uses it at once."""
        is_sent_again = self.controller.model_switched()
        self._update_status()
        if not self.busy:
            self.models.open_client_soon()
        elif not is_sent_again:
            label = self.models.switch.option.row.label
            self.app.notify(f"{label} will answer the next message.")

    def _report_missed(self) -> None:
        if missed := self.models.switch.missed:
            self.models.switch.missed = ""
            self.app.notify(f"{missed} is unavailable. The built-in assistant answers instead.")

    def _update_status(self) -> None:
        self._status.turn = self.controller.turn_state
        names = ("Tasks", "Chat") if self.panes.shows_tasks else ("Chat", "Tasks")
        self._status.panes = names if self.panes.is_single else ("", "")
        switch = self.models.switch
        known = switch.readiness(switch.option)
        self._status.model = ActiveModel(
            provider=switch.option.row.label,
            model=switch.model if switch.option.host else "",
            others_ready=switch.others_ready,
            demo=self._services.demo,
            missing_text=known.state.value if known is not None and not known.ready else "",
        )
        self._chat.activity.activity = STATE_TEXTS.get(self._status.turn.state, "")
        self.controller.models_changed()
        self.refresh_bindings()

    # Reminders

    def action_reminder(self) -> None:
        """Focus the reminder card."""
        if self._reminders is not None and self._reminders.is_open:
            self._reminders.focus_card()
        else:
            self.app.notify("No reminder to snooze.", timeout=3)

    async def on_reminder_card_task_requested(self, event: ReminderCard.TaskRequested) -> None:
        """Go to the task of a reminder."""
        self.action_show_pane(tasks=True)
        await self._tasks.go_to_task(event.task_id)

    # Documents

    def action_attach(self, paths: str = "") -> None:
        """Add documents; without a path, begin the command for it in the message box."""
        if paths:
            self._add_documents(paths)
            return
        self.action_show_pane(tasks=False)
        if self._chat.composer.text.strip():
            self.app.notify("Send or clear your message first, then type /attach.", timeout=4)
        else:
            self._chat.composer.replace_text("/attach ")

    @work(group="documents")
    async def _add_documents(self, paths: str) -> None:
        if not await self.documents.add_typed(paths):
            self._chat.composer.put_back(f"/attach {paths}")

    def action_documents(self) -> None:
        """Open the list of documents."""
        documents = self.documents
        screen = DocumentsScreen(
            self._services, self._chat.activity, documents.add, documents.refresh
        )
        self.app.push_screen(screen, self._attach_another)

    def _attach_another(self, is_wanted: bool | None) -> None:
        if is_wanted:
            self.action_attach()

    def _documents_changed(self) -> None:
        self.refresh_bindings()
        self._reload_above()

    # Other screens

    def action_conversations(self) -> None:
        """Open the list of conversations, and the one chosen there."""
        screen = ConversationsScreen(self.controller)
        self.app.push_screen(screen, self.open_conversation)

    async def open_conversation(self, chosen: OpenConversation | None) -> None:
        """Open the conversation, if one was chosen, and focus the message box."""
        if chosen is not None:
            await self.controller.open_conversation(chosen.conversation_id, chosen.found)
            self.action_show_pane(tasks=False)

    def action_approvals(self) -> None:
        """Open the choice of calls that need approval."""
        services, session = self._services, self.approvals.session
        try:
            last = with_last_mode(services.approvals, services.store.decisions)
        except StoreError as error:
            self.app.notify(error.text, severity="error")
            return
        screen = ApprovalSettingsScreen(services.approvals, session.apply(last).ask)
        self.app.push_screen(screen, self._choose_approval_mode)

    def _choose_approval_mode(self, mode: ApprovalMode | None) -> None:
        if mode is None:
            return
        self.approvals.session.choose(mode)
        self._remember_mode(mode)

    @work(group="approval mode")
    async def _remember_mode(self, mode: ApprovalMode) -> None:
        try:
            await asyncio.to_thread(remember_mode, mode, self._services.store.decisions)
        except StoreError as error:
            self.app.notify(error.message, severity="warning")

    def action_usage(self) -> None:
        """Open usage and cost."""
        self.app.push_screen(UsageScreen(self._services, self.controller.conversation_id))

    def action_statistics(self) -> None:
        """Open the statistics."""
        from todo_tui.tui.screens.statistics import StatisticsScreen  # 20 ms with plotext

        self.app.push_screen(StatisticsScreen(self._services))

    def action_log(self) -> None:
        """Open the log."""
        self.app.push_screen(ErrorLogScreen(self._services.log_path))

    def _take_selection(self) -> Selection:
        """Return the selected tasks if the user has just come from the list."""
        came_from_list, self._came_from_list = self._came_from_list, False
        return self._tasks.selected_tasks if came_from_list else ()

    # Focus and layout

    @property
    def is_writing(self) -> bool:
        """True if the message box has the focus."""
        return self.focused is self._chat.composer

    @property
    def is_in_list(self) -> bool:
        """True if the task list, or an input of it, has the focus."""
        return self._tasks.has_focus_within

    def action_read_back(self) -> None:
        """Toggle the focus between transcript and composer."""
        if self._chat.place.has_focus_within or self.approvals.has_focus:
            self.set_focus(self._chat.composer)
        elif self.controller.transcript is not None:
            self.action_show_pane(tasks=False)
            self.controller.transcript.focus_visible_part()

    def on_resize(self, event: events.Resize) -> None:
        """Show one or two panes, whichever fit; the focused one stays."""
        if self.panes.fit(event.size.width):
            self._status.is_unread = False
            self._update_status()

    def action_zoom(self) -> None:
        """Show the focused pane alone, or both again."""
        self.panes.toggle_zoom()
        self._status.is_unread = False
        self._update_status()

    def action_resize_list(self, steps: int) -> None:
        """Move the border between the panes."""
        self.panes.resize_list(steps)

    async def action_to_chat(self) -> None:
        """Focus the composer; out of reading mode, also return to the newest messages."""
        was_reading = self._chat.place.has_focus_within
        self.action_show_pane(tasks=False)
        if was_reading:
            await self.controller.show_newest()

    def action_show_pane(self, tasks: bool) -> None:
        """Focus the list, or the composer."""
        self._came_from_list = self._tasks.has_focus_within
        self.panes.show_pane(tasks=tasks)
        self._status.is_unread = False
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._update_status()

    def _mark_unread(self, *, tasks: bool) -> None:
        if self.panes.is_single and tasks is not self.panes.shows_tasks:
            self._status.is_unread = True
