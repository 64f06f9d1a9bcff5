"""Main screen: layout and focus of the two panes, messages between them."""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import TextArea

from todo_tui.agent.approver import remember_mode, with_last_mode
from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.tui.actions import MAIN_BINDINGS, ChatAction, TurnAction, format_hint
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
from todo_tui.tui.store_watch import StoreWatch, TasksChanged
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.widgets.choice_row import ChoiceRow
from todo_tui.tui.widgets.key_bar import KeyBar
from todo_tui.tui.widgets.line_input import NameCache
from todo_tui.tui.widgets.status_bar import STATE_TEXTS, ActiveModel, StatusBar

if TYPE_CHECKING:
    from todo_tui.config.settings import ApprovalMode
    from todo_tui.tui.key_queue import KeyQueue

_ANSWERS = frozenset("yes y no n ok okay approve deny".split())
"""Messages that are probably meant for an open approval card."""
_log = logging.getLogger(__name__)
_ERASE_SECONDS = 3600.0
"""Time between two looks for deleted conversations to erase."""


class MainScreen(Screen[None]):
    """Main screen: chat on the left, tasks on the right; one of them in a narrow terminal."""

    BINDING_GROUP_TITLE = "Everywhere"
    AUTO_FOCUS = "#composer"
    BINDINGS: ClassVar[list[BindingType]] = [*MAIN_BINDINGS]

    def __init__(self, services: AppServices, keys: KeyQueue) -> None:
        super().__init__(id="main")
        self._services = services
        self._keys = keys
        self._models = ModelController(self, services, self._provider_changed, self._update_status)
        self._store_watch = StoreWatch(services)
        self._status = StatusBar()
        self._chat = ChatPane(id="chat")
        self._tasks = TaskPane(services, id="tasks")
        self._panes = Panes(self._chat, self._tasks, services)
        self._approvals = ApprovalController(self._chat, self.refresh_bindings)
        self._documents = DocumentController(
            self._chat,
            services.store.knowledge,
            self._documents_changed,
            services.open_vectors,
            services.own_paths,
        )
        self._command_runner = SlashCommandRunner(self._chat, self._models, self._documents)
        calls = RecordedCalls()
        self._controller = ChatController(
            self,
            services,
            self._models.switch,
            self._chat,
            self._approvals,
            self._take_selection,
            self._update_status,
            partial(self._mark_unread, tasks=False),
            calls.add,
        )
        self._turn_actions = TurnActions(self._controller, self._models, calls)
        self._completer = ComposerCompleter(
            self._chat,
            self._models,
            self._approvals,
            self._turn_actions.numbered,
            NameCache(services.store),
        )
        self._reminders: ReminderCard | None = None
        self._came_from_list = False
        self._cleared = ""

    def compose(self) -> ComposeResult:
        """Lay out status bar, panes and key bar."""
        yield self._status
        yield self._panes
        yield KeyBar()
        yield self._store_watch

    def on_mount(self) -> None:
        """Insert the text typed so far; everything slow waits until the first frame is drawn."""
        self._chat.composer.look_up = self._completer.look_up
        self.set_focus(self._chat.composer, scroll_visible=False)
        self._chat.composer.insert(self._keys.open())
        self._update_status()
        self.call_after_refresh(self.call_after_refresh, self._start_background_work)

    def _start_background_work(self) -> None:
        """Start what the first frame did not need: conversation, model, reminders."""
        self._open_conversation()
        if self._services.reminders.enabled and not self._services.demo:
            self._reminders = ReminderCard(self._services)
            self.mount(self._reminders)

    @work(name="conversation", group="conversation")
    async def _open_conversation(self) -> None:
        if await self._controller.open():
            self._report_missed()
            self._erase_deleted()
            self.set_interval(_ERASE_SECONDS, self._erase_deleted)
            await self._models.preload()
            self._report_missed()

    @work(group="erasing")
    async def _erase_deleted(self, *, closing: bool = False) -> None:
        """Erase the deleted conversations that cannot be restored any more."""
        conversations = self._services.store.conversations
        try:
            await self._services.writer.run(conversations.erase_deleted, closing=closing)
        except TodoError as error:
            _log.warning("deleted conversations are not erased yet: %s", error.message)

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self._controller.busy

    async def shut_down(self, *, interrupted: bool) -> str:
        """Stop the turn, finish the writes and close the client, before the app exits.

        Returns the unsent text if it could not be saved.
        """
        await self._documents.shut_down()
        await self._turn_actions.shut_down()
        await self._controller.shut_down(interrupted=interrupted)
        unsaved = await self._controller.drafts.finish()
        await self._erase_deleted(closing=True).wait()
        await self._services.writer.finish()
        await self._models.switch.aclose()
        return unsaved

    # The store

    @on(TasksChanged)
    async def _show_changes(self, event: TasksChanged) -> None:
        self._tasks.show_changes(event.changes)
        await self._controller.undo_offer.tasks_changed(event.changes)
        if self._reminders is not None:
            self._reminders.tasks_changed(event.changes)
        self._reload_above()
        self._mark_unread(tasks=True)

    @on(StoreWatch.Outdated)
    async def _show_writes(self, event: StoreWatch.Outdated) -> None:
        if event.is_written:
            self._mark_unread(tasks=True)
            await self._controller.store_changed()
        self._reload(reminders=event.is_written)

    def _reload(self, *, reminders: bool) -> None:
        if reminders and self._reminders is not None:
            self._reminders.store_changed()
        self._tasks.reload()
        self._reload_above()

    def _reload_above(self) -> None:
        for above in self.app.screen_stack[1:]:
            above.post_message(StoreChanged())

    @on(DatabaseLostScreen.ReopenRequested)
    @work(group="reopen", exclusive=True)
    async def _reopen_database(self) -> None:
        # Pending writes of a turn belong to the previous file.
        await self._controller.shut_down()
        await self._controller.drafts.finish()
        await self._store_watch.reopen()

    @on(StoreWatch.Reopened)
    async def _show_reopened(self) -> None:
        await self._controller.show_reopened()
        self._reload(reminders=True)

    # The conversation

    @on(Composer.Submitted)
    async def _send(self, event: Composer.Submitted) -> None:
        """Send a message or run a command; it may arrive before the conversation is loaded."""
        message = await self._command_runner.message_or_run(event.text)
        if message is None:
            return
        if self._approvals.is_open and message.strip(" .!").casefold() in _ANSWERS:
            # A message answers no card, and waits for the end of the turn.
            hint = "Queued. To answer, press {chat.to_card}, or type /approve or /deny."
            self.app.notify(format_hint(self.app, hint))
        await self._controller.send(message)

    @on(TextArea.Changed, "#composer")
    def _save_draft(self) -> None:
        self._controller.drafts.changed()

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
        self._controller.cancel_edit()

    @on(Composer.EditQueuedRequested)
    def _edit_queued(self) -> None:
        self._controller.queue.edit_last()

    @on(ChoiceRow.Chosen)
    def _answer_approval(self, event: ChoiceRow.Chosen) -> None:
        self._approvals.choose(event.choice)

    async def action_chat(self, action: str) -> None:
        """Perform a chat action of a key."""
        await self._controller.perform(ChatAction(action))
        if action == ChatAction.NEW:
            self.action_show_pane(tasks=False)

    async def action_turn(self, action: str, argument: str = "") -> None:
        """Perform an action on a turn; the argument is a model to compare with, or a number."""
        await self._turn_actions.perform(TurnAction(action), argument)
        if action == TurnAction.EDIT:
            self.action_show_pane(tasks=False)

    def action_copy_answer(self, part: str = "") -> None:
        """Copy the newest answer, or its newest code block if `part` is `code`."""
        if (transcript := self._controller.transcript) is None:
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
            self._approvals.answer(yes)
        else:
            self.action_stop_turn()

    def action_stop_turn(self) -> None:
        """Stop the turn, unless the key is still held from denying an approval."""
        self._keys.act_once(self._deny_or_stop)

    def _deny_or_stop(self) -> None:
        if self._approvals.can_answer(False):
            self._approvals.answer(False)
        elif not self._approvals.is_open:
            self.stop()

    def stop(self) -> bool:
        """Stop the turn, else the reading of documents; False if neither runs."""
        if self.busy:
            self.call_next(self.action_chat, ChatAction.STOP)
        elif self._documents.is_running:
            self._documents.stop()
        else:
            return False
        return True

    def action_reply(self, yes: bool, reason: str = "") -> None:
        """Answer the open card by a command; report if there is none."""
        if self._approvals.is_open:
            self._approvals.answer(yes, reason)
            return
        if reason:
            self._chat.composer.put_back(f"/deny {reason}")
        self.app.notify(f"Nothing to {'approve' if yes else 'deny'}.")

    # The model

    @work(group="model", exclusive=True)
    async def action_next_provider(self) -> None:
        """Switch to the next ready provider; a failed turn is retried with it."""
        failed = self._controller.has_failed
        if await self._models.switch_to_next() and failed:
            await self.action_chat(ChatAction.RETRY)

    @work(group="model", exclusive=True)
    async def action_go_to_provider(self, number: int) -> None:
        """Switch to the provider of that number."""
        await self._models.switch_to_number(number)

    @work(group="model", exclusive=True)
    async def action_pick_model(self) -> None:
        """Open the model picker."""
        await self._models.pick()

    def _provider_changed(self) -> None:
        """Update the screen for another model; a turn that waits to retry uses it at once."""
        is_sent_again = self._controller.model_switched()
        self._update_status()
        if not self.busy:
            self._models.open_client_soon()
        elif not is_sent_again:
            label = self._models.switch.option.row.label
            self.app.notify(f"{label} will answer the next message.")

    def _report_missed(self) -> None:
        if missed := self._models.switch.missed:
            self._models.switch.missed = ""
            self.app.notify(f"{missed} is unavailable. The built-in assistant answers instead.")

    def _update_status(self) -> None:
        self._status.turn = self._controller.turn_state
        names = ("Tasks", "Chat") if self._panes.shows_tasks else ("Chat", "Tasks")
        self._status.panes = names if self._panes.is_single else ("", "")
        switch = self._models.switch
        known = switch.readiness(switch.option)
        self._status.model = ActiveModel(
            provider=switch.option.row.label,
            model=switch.model if switch.option.host else "",
            others_ready=switch.others_ready,
            demo=self._services.demo,
            missing_text=known.state.value if known is not None and not known.ready else "",
        )
        self._chat.activity.activity = STATE_TEXTS.get(self._status.turn.state, "")
        self._controller.models_changed()
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

    def action_attach(self) -> None:
        """Begin the command that adds a document."""
        self.action_show_pane(tasks=False)
        if self._chat.composer.text.strip():
            self.app.notify("Send or clear your message first, then type /attach.", timeout=4)
        else:
            self._chat.composer.replace_text("/attach ")

    def action_documents(self) -> None:
        """Open the list of documents."""
        documents = self._documents
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

    @work(group="conversation command")
    async def action_conversation(self, name: str, argument: str = "") -> None:
        """Run a command on the conversation on screen."""
        await ConversationCommands(self._controller).run(name, argument)

    def action_conversations(self) -> None:
        """Open the list of conversations, and the one chosen there."""
        screen = ConversationsScreen(self._controller)
        self.app.push_screen(screen, self.open_conversation)

    async def open_conversation(self, chosen: OpenConversation | None) -> None:
        """Open the conversation, if one was chosen, and focus the message box."""
        if chosen is not None:
            await self._controller.open_conversation(chosen.conversation_id, chosen.found)
            self.action_show_pane(tasks=False)

    def action_approvals(self) -> None:
        """Open the choice of calls that need approval."""
        services, session = self._services, self._approvals.session
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
        self._approvals.session.choose(mode)
        self._remember_mode(mode)

    @work(group="approval mode")
    async def _remember_mode(self, mode: ApprovalMode) -> None:
        try:
            await asyncio.to_thread(remember_mode, mode, self._services.store.decisions)
        except StoreError as error:
            self.app.notify(error.message, severity="warning")

    async def action_calendar(self) -> None:
        """Open the calendar; the focus stays where it was, unless a day is chosen there."""
        await self._tasks.action_task("calendar")

    def action_usage(self) -> None:
        """Open usage and cost."""
        self.app.push_screen(UsageScreen(self._services, self._controller.conversation_id))

    def action_statistics(self) -> None:
        """Open the statistics."""
        from todo_tui.tui.screens.statistics import StatisticsScreen  # 20 ms with plotext

        self.app.push_screen(StatisticsScreen(self._services))

    def action_log(self) -> None:
        """Open the log."""
        self.app.push_screen(ErrorLogScreen(self._services.log_path))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only actions that do something now."""
        match action:
            case "chat":
                return self._controller.can_perform(ChatAction(str(parameters[0])))
            case "conversation":
                return self._controller.conversation_id is not None
            case "turn":
                return self._turn_actions.can_perform(TurnAction(str(parameters[0])))
            case "answer":
                return self._approvals.can_answer(bool(parameters[0]))
            case "stop_turn":
                return (self.busy or self._documents.is_running) and not self._approvals.is_open
            case "to_card":
                has_focus = self._approvals.has_focus or self._tasks.has_focus_within
                return self._approvals.is_open and not has_focus
            case "zoom" | "resize_list":
                panes = self._panes
                return not (panes.is_narrow if action == "zoom" else panes.is_single)
            case "show_pane" if parameters[0]:
                return not self._tasks.has_focus_within
            case "show_pane" | "to_chat":
                return self.focused is not self._chat.composer
            case _:
                return True

    def _take_selection(self) -> Selection:
        """Return the selected tasks if the user has just come from the list."""
        came_from_list, self._came_from_list = self._came_from_list, False
        return self._tasks.selected_tasks if came_from_list else ()

    # Focus and layout

    def action_to_card(self) -> None:
        """Focus the approval card."""
        self._approvals.focus()

    def action_read_back(self) -> None:
        """Toggle the focus between transcript and composer."""
        if self._chat.place.has_focus_within or self._approvals.has_focus:
            self.set_focus(self._chat.composer)
        elif self._controller.transcript is not None:
            self.action_show_pane(tasks=False)
            self._controller.transcript.focus_visible_part()

    def on_resize(self, event: events.Resize) -> None:
        """Show one or two panes, whichever fit; the focused one stays."""
        if self._panes.fit(event.size.width):
            self._status.is_unread = False
            self._update_status()

    def action_zoom(self) -> None:
        """Show the focused pane alone, or both again."""
        self._panes.toggle_zoom()
        self._status.is_unread = False
        self._update_status()

    def action_resize_list(self, steps: int) -> None:
        """Move the border between the panes."""
        self._panes.resize_list(steps)

    async def action_to_chat(self) -> None:
        """Focus the composer; out of reading mode, also return to the newest messages."""
        was_reading = self._chat.place.has_focus_within
        self.action_show_pane(tasks=False)
        if was_reading:
            await self.action_chat(ChatAction.NEWEST)

    def action_show_pane(self, tasks: bool) -> None:
        """Focus the list, or the composer."""
        self._came_from_list = self._tasks.has_focus_within
        self._panes.show_pane(tasks=tasks)
        self._status.is_unread = False
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._update_status()

    def _mark_unread(self, *, tasks: bool) -> None:
        if self._panes.is_single and tasks is not self._panes.shows_tasks:
            self._status.is_unread = True
