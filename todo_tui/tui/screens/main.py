"""Main screen: layout and focus of the two panes, messages between them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import (
    MAIN_BINDINGS,
    ChatAction,
    TurnAction,
    format_hint,
    run_or_explain,
)
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.documents import DocumentController, typed_paths
from todo_tui.tui.chat.message_lists import QueueScreen
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.chat.session import SessionChanged
from todo_tui.tui.chat.slash_commands import CommandCall, parse_message
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.panes import Panes
from todo_tui.tui.reminders import ReminderCard
from todo_tui.tui.screens.conversations import ConversationsScreen, OpenConversation
from todo_tui.tui.screens.database_lost import DatabaseLostScreen
from todo_tui.tui.screens.documents import DocumentsScreen
from todo_tui.tui.screens.error_log import ErrorLogScreen
from todo_tui.tui.screens.live_screen import StoreChanged
from todo_tui.tui.screens.usage import UsageScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.store_watch import StoreWatch, TasksChanged
from todo_tui.tui.task_list.notices import short_title
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.widgets.choice_row import Choice
from todo_tui.tui.widgets.key_bar import KeyBar
from todo_tui.tui.widgets.status_bar import StatusBar

if TYPE_CHECKING:
    from todo_tui.tui.key_queue import KeyQueue

_ANSWERS = frozenset("yes y no n ok okay approve deny".split())
"""Messages that are probably meant for an open approval card."""


class MainScreen(Screen[None]):
    """Main screen: chat on the left, tasks on the right; one of them in a narrow terminal."""

    BINDING_GROUP_TITLE = "Everywhere"
    AUTO_FOCUS = "#composer"
    BINDINGS: ClassVar[list[BindingType]] = [*MAIN_BINDINGS]

    def __init__(self, services: AppServices, keys: KeyQueue) -> None:
        super().__init__(id="main")
        self._services = services
        self._keys = keys
        self._store_watch = StoreWatch(services)
        self._models = ModelController(services)
        self._documents = DocumentController(services)
        self._status = StatusBar()
        self._chat = ChatPane(services, self._models.catalog)
        self._tasks = TaskPane(services, id="tasks")
        self._panes = Panes(self._chat, self._tasks, services)
        self._reminders: ReminderCard | None = None

    def compose(self) -> ComposeResult:
        """Lay out status bar, panes and key bar."""
        yield self._status
        yield self._panes
        yield KeyBar()
        yield from (self._store_watch, self._models, self._documents)

    def on_mount(self) -> None:
        """Insert the text typed so far; everything slow waits until the first frame is drawn."""
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
        if await self._chat.open():
            self._models.report_missed()
            self._store_watch.keep_erasing()
            await self._models.preload()
            self._models.report_missed()

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self._chat.session.busy

    async def shut_down(self, *, interrupted: bool) -> str:
        """Stop the turn, finish the writes and close the client, before the app exits.

        Returns the unsent text if it could not be saved.
        """
        await self._documents.shut_down()
        unsaved = await self._chat.shut_down(interrupted=interrupted)
        await self._store_watch.erase_deleted(closing=True).wait()
        await self._services.writer.finish()
        await self._models.switch.aclose()
        return unsaved

    # The store

    @on(TasksChanged)
    async def _show_changes(self, event: TasksChanged) -> None:
        self._tasks.show_changes(event.changes)
        await self._chat.conversation.tasks_changed(event.changes)
        if self._reminders is not None:
            self._reminders.tasks_changed(event.changes)
        self._reload_above()
        self._mark_unread()

    @on(StoreWatch.Outdated)
    async def _show_writes(self, event: StoreWatch.Outdated) -> None:
        if event.is_written:
            await self._chat.conversation.store_changed()
            await self._chat.conversation.follow_others()
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
        await self._chat.shut_down()
        await self._store_watch.reopen()

    @on(StoreWatch.Reopened)
    def _show_reopened(self) -> None:
        self._chat.show_reopened()
        self._reload(reminders=True)

    # The conversation

    @on(Composer.Submitted)
    async def _send(self, event: Composer.Submitted) -> None:
        """Send a message or run a command; it may arrive before the conversation is loaded."""
        message = parse_message(event.text)
        if isinstance(message, CommandCall):
            await self._run_command(message, event.text)
            return
        if self._chat.approvals.is_open and message.strip(" .!").casefold() in _ANSWERS:
            # A message answers no card, and waits for the end of the turn.
            hint = "Queued. To answer, press {chat.to_card}, or type /approve or /deny."
            self.app.notify(format_hint(self.app, hint))
        await self._chat.send(message)

    async def _run_command(self, call: CommandCall, typed: str) -> None:
        if not call.action:
            self.app.notify(plain_line(call.problem))
            self._chat.composer.put_back(typed)
        elif not await run_or_explain(self.app, call.action, self) and call.argument:
            self._chat.composer.put_back(typed)

    def action_edit_message(self) -> None:
        """Edit the message in the user's editor; keys wait until it is closed."""
        self.action_show_pane(tasks=False)
        self._keys.hold()
        self._edit_message()

    @work(group="editor")
    async def _edit_message(self) -> None:
        try:
            await self._chat.composer.edit_externally()
        finally:
            self._keys.release()

    def clear_message(self) -> bool:
        """Empty the message box if it has the focus; False if there is nothing in it."""
        return bool(self._chat.composer.clear_text())

    def put_back_cleared(self) -> None:
        """Put the message that was cleared last back into the empty box: it is kept as a draft."""
        self._chat.composer.put_back_cleared()

    @on(QueueScreen.Changed)
    def _change_queue(self, event: QueueScreen.Changed) -> None:
        self._chat.outbox.change(event.change, event.place)

    async def action_chat(self, action: str) -> None:
        """Perform a chat action of a key."""
        await self._chat.perform(ChatAction(action))
        if action == ChatAction.NEW:
            self.action_show_pane(tasks=False)

    async def action_turn(self, action: str, argument: str = "") -> None:
        """Perform an action on a turn; the argument is a model to compare with, or a number."""
        if action == TurnAction.COMPARE:
            self._compare(argument)
            return
        await self._chat.perform_on_turn(TurnAction(action), argument)
        if action == TurnAction.EDIT:
            self.action_show_pane(tasks=False)

    @work(group="model", exclusive=True)
    async def _compare(self, typed: str) -> None:
        """Show the answer of another model beside that of a turn."""
        turn = self._chat.conversation.visible_turn_for(TurnAction.COMPARE)
        if turn is None:
            return
        choice = await self._models.pick_other(*turn.model, typed, short_title(turn.asked))
        if choice is not None:
            await self._chat.turn_actions.compare(turn, choice)

    def action_copy_answer(self, part: str = "") -> None:
        """Copy the newest answer, or its newest code block if `part` is `code`."""
        if (transcript := self._chat.conversation.transcript) is None:
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
            self._chat.answer(Choice.APPROVE)
        else:
            self.action_stop_turn()

    def action_stop_turn(self) -> None:
        """Stop the turn, unless the key is still held from denying an approval."""
        self._keys.act_once(self._deny_or_stop)

    def _deny_or_stop(self) -> None:
        if self._chat.can_answer(False):
            self._chat.answer(Choice.DENY)
        elif not self._chat.approvals.is_open:
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
        if self._chat.approvals.is_open:
            self._chat.answer(Choice.APPROVE if yes else Choice.DENY, reason)
            return
        if reason:
            self._chat.composer.put_back(f"/deny {reason}")
        self.app.notify(f"Nothing to {'approve' if yes else 'deny'}.")

    # The model

    @work(group="model", exclusive=True)
    async def action_next_provider(self) -> None:
        """Switch to the next ready provider; a failed turn is retried with it."""
        session = self._chat.session
        failed = session.state.has_failed and session.can_retry
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

    @work(group="model", exclusive=True)
    async def action_switch_model(self, name: str) -> None:
        """Switch to the model of that name, or to the provider of that number."""
        models, is_number = self._models, name.isdecimal()
        switch = models.switch_to_number(int(name)) if is_number else models.switch_to_model(name)
        if not await switch:
            self._chat.composer.put_back(f"/model {name}")

    @work(group="model", exclusive=True)
    async def action_switch_provider(self, name: str) -> None:
        """Switch to the provider of that name."""
        if not await self._models.switch_to_provider(name):
            self._chat.composer.put_back(f"/provider {name}")

    @on(ModelController.Switched)
    def _provider_changed(self) -> None:
        """Update the screen for another model; a turn that waits to retry uses it at once."""
        is_sent_again = self._chat.model_switched()
        self._update_status()
        if not self.busy:
            self._models.open_client_soon()
        elif not is_sent_again:
            label = self._models.switch.option.row.label
            self.app.notify(f"{label} will answer the next message.")

    @on(SessionChanged)
    @on(ModelController.Changed)
    def _update_status(self) -> None:
        names = ("Tasks", "Chat") if self._panes.shows_tasks else ("Chat", "Tasks")
        self._status.panes = names if self._panes.is_single else ("", "")
        self._status.turn = self._chat.session.state
        self._status.model = self._models.active_model
        self._chat.conversation.show_models()
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
        """Add documents, or begin the command for that."""
        if paths:
            self._add_typed(paths)
            return
        self.action_show_pane(tasks=False)
        if self._chat.composer.text.strip():
            self.app.notify("Send or clear your message first, then type /attach.", timeout=4)
        else:
            self._chat.composer.replace_text("/attach ")

    @work(group="documents")
    async def _add_typed(self, text: str) -> None:
        if not await self._documents.add(await asyncio.to_thread(typed_paths, text)):
            self._chat.composer.put_back(f"/attach {text}")

    def action_documents(self) -> None:
        """Open the list of documents."""
        screen = DocumentsScreen(self._services, self._chat.activity)
        self.app.push_screen(screen, self._attach_another)

    def _attach_another(self, is_wanted: bool | None) -> None:
        if is_wanted:
            self.action_attach()

    @on(DocumentsScreen.AddRequested)
    @work(group="documents")
    async def _add_document(self, event: DocumentsScreen.AddRequested) -> None:
        await self._documents.add([event.path])

    @on(DocumentsScreen.RefreshRequested)
    @work(group="documents")
    async def _refresh_documents(self) -> None:
        await self._documents.read_again()

    @on(DocumentController.Progressed)
    def _show_progress(self, event: DocumentController.Progressed) -> None:
        is_over = not event.text
        if is_over or not self._chat.activity.indexing:
            self._chat.activity.indexing = event.text
            self.refresh_bindings()
            self._reload_above()
        self._chat.activity.indexing = event.text

    # Other screens

    @work(group="conversation command")
    async def action_conversation(self, name: str, argument: str = "") -> None:
        """Run a command on the conversation on screen."""
        await self._chat.conversation.run_command(name, argument)

    def action_conversations(self) -> None:
        """Open the list of conversations, and the one chosen there."""
        screen = ConversationsScreen(self._services, self._chat.session)
        self.app.push_screen(screen, self.open_conversation)

    async def open_conversation(self, chosen: OpenConversation | None) -> None:
        """Open the conversation, if one was chosen, and focus the message box."""
        if chosen is not None:
            await self._chat.conversation.open(chosen.conversation_id, chosen.found)
            self.action_show_pane(tasks=False)

    @on(ConversationsScreen.ShowRequested)
    async def _show_conversation(self, event: ConversationsScreen.ShowRequested) -> None:
        await self._chat.conversation.open(event.conversation_id)

    @on(ConversationsScreen.Changed)
    async def _reload_title(self) -> None:
        await self._chat.conversation.reload_title()

    def action_approvals(self) -> None:
        """Open the choice of calls that need approval."""
        self._chat.approvals.open_settings()

    async def action_calendar(self) -> None:
        """Open the calendar; the focus stays where it was, unless a day is chosen there."""
        await self._tasks.action_task("calendar")

    def action_usage(self) -> None:
        """Open usage and cost."""
        self.app.push_screen(UsageScreen(self._services, self._chat.session.conversation_id))

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
                return self._chat.can_perform(ChatAction(str(parameters[0])))
            case "conversation":
                return self._chat.session.conversation_id is not None
            case "turn":
                return self._chat.conversation.can_perform(TurnAction(str(parameters[0])))
            case "answer":
                return self._chat.can_answer(bool(parameters[0]))
            case "stop_turn":
                return (
                    self.busy or self._documents.is_running
                ) and not self._chat.approvals.is_open
            case "to_card":
                card = self._chat.approvals
                has_focus = card.has_focus_within or self._tasks.has_focus_within
                return card.is_open and not has_focus
            case "zoom" | "resize_list":
                panes = self._panes
                return not (panes.is_narrow if action == "zoom" else panes.is_single)
            case "show_pane" if parameters[0]:
                return not self._tasks.has_focus_within
            case "show_pane" | "to_chat":
                return self.focused is not self._chat.composer
            case _:
                return True

    # Focus and layout

    def action_to_card(self) -> None:
        """Focus the approval card."""
        self._chat.approvals.focus_card()

    def action_read_back(self) -> None:
        """Toggle the focus between transcript and composer."""
        chat = self._chat
        if chat.conversation.has_focus_within or chat.approvals.has_focus_within:
            self.set_focus(chat.composer)
        elif chat.conversation.transcript is not None:
            self.action_show_pane(tasks=False)
            chat.conversation.transcript.focus_visible_part()

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
        was_reading = self._chat.conversation.has_focus_within
        self.action_show_pane(tasks=False)
        if was_reading:
            await self.action_chat(ChatAction.NEWEST)

    def action_show_pane(self, tasks: bool) -> None:
        """Focus the list, or the composer."""
        comes_from_list = self._tasks.has_focus_within
        self._chat.selection = self._tasks.selected_tasks if comes_from_list else ()
        self._panes.show_pane(tasks=tasks)
        self._status.is_unread = False
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._update_status()

    @on(ChatPane.HiddenUpdate)
    def _mark_chat_unread(self) -> None:
        self._status.is_unread = self._status.is_unread or not self._chat.display

    def _mark_unread(self) -> None:
        """Mark that the task list has changed, if that is not shown."""
        self._status.is_unread = self._status.is_unread or not self._tasks.display
