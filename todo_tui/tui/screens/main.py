"""The main screen: owns focus and layout, and carries messages between its parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import TextArea

from todo_tui.domain.errors import StoreError, StoreReplaced
from todo_tui.tui.approvals import Approvals
from todo_tui.tui.idle_collection import LOOK_SECONDS, IdleCollection
from todo_tui.tui.later import Later
from todo_tui.tui.main_keys import MAIN_KEYS
from todo_tui.tui.messages import (
    ApprovalSettled,
    ApprovalWanted,
    EarlierRequested,
    NewsBelowChanged,
    OthersWrote,
    QuestionReadable,
    RetryRequested,
    TasksChanged,
    TurnBroke,
    TurnProgressed,
    TurnsUnmounted,
    UndoTurnRequested,
)
from todo_tui.tui.pane_layout import PaneLayout
from todo_tui.tui.provider_chooser import ProviderChooser
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import model_facts
from todo_tui.tui.slash_desk import SlashDesk
from todo_tui.tui.store_watch import POLL_SECONDS, Seen, StoreWatch
from todo_tui.tui.talk import Talk
from todo_tui.tui.warm_up import WarmUp
from todo_tui.tui.widgets.activity_line import ActivityLine
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.composer import Composer
from todo_tui.tui.widgets.key_footer import KeyFooter
from todo_tui.tui.widgets.status_line import DOING, StatusLine
from todo_tui.tui.widgets.task_pane import TaskPane
from todo_tui.tui.wishes import Wish
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange
    from todo_tui.tui.dialogue import Dialogue
    from todo_tui.tui.key_order import KeyOrder
    from todo_tui.tui.reminder_desk import ReminderDesk
    from todo_tui.tui.screens.database_lost import DatabaseLostScreen
    from todo_tui.tui.turn_runner import Selection
    from todo_tui.tui.widgets.choice_row import ChoiceRow
    from todo_tui.tui.widgets.reminder_card import ReminderCard


def _load_reminders() -> type[ReminderDesk]:
    from todo_tui.tui.reminder_desk import ReminderDesk

    return ReminderDesk


class MainScreen(Screen[None]):
    """Chat on the left, tasks on the right; one of them where there is no room for both."""

    BINDING_GROUP_TITLE = "Everywhere"
    AUTO_FOCUS = "#composer"
    BINDINGS: ClassVar[list[BindingType]] = [*MAIN_KEYS]

    def __init__(self, workbench: Workbench, keys: KeyOrder) -> None:
        """Make the parts; `keys` are let in when they have somewhere to go."""
        super().__init__(id="main")
        self._keys = keys
        self._collection = IdleCollection(lambda: keys.idle_seconds)
        self._workbench = workbench
        self._switch = ProviderSwitch(workbench)
        self._chooser = ProviderChooser(self, workbench, self._switch, self._provider_changed)
        self._status = StatusLine()
        self._chat = ChatPane(id="chat")
        self._tasks = TaskPane(workbench, id="tasks")
        self._panes = PaneLayout(self._chat, self._tasks, self._show_facts)
        self._watch = StoreWatch(workbench)
        self._approvals = Approvals(self._chat, self.refresh_bindings)
        self._slash = SlashDesk(self._chat, self._switch, self._chooser, self._approvals)
        self._talk = Talk(self, self._make_dialogue)
        self._warm_up = WarmUp(self, self._switch, self._show_facts)
        self._reminders: ReminderDesk | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._came_from_list = False
        self._database_lost: DatabaseLostScreen | None = None
        self._is_reopening = False

    def compose(self) -> ComposeResult:
        """Status, the two panes, keys."""
        yield self._status
        with Horizontal(id="panes"):
            yield self._chat
            yield self._tasks
        yield KeyFooter()

    def on_mount(self) -> None:
        """Take what was typed so far; all that is slow waits until this is drawn."""
        self.set_focus(self._chat.composer, scroll_visible=False)
        self._chat.composer.insert(self._keys.open())
        self._show_facts()
        self.call_after_refresh(self.call_after_refresh, self._begin_slow_work)

    def _begin_slow_work(self) -> None:
        """What the first frame did not need: the conversation, the model, other processes."""
        self._collection.begin()
        self.set_interval(LOOK_SECONDS, self._collection.look)
        self._unsubscribe = self._workbench.store.tasks.subscribe(self._post_changes)
        self.set_interval(POLL_SECONDS, self._poll)
        self.run_worker(self._open_conversation(), name="conversation", group="conversation")
        if self._workbench.reminders.enabled and not self._workbench.demo:
            self.run_worker(self._begin_reminders(), group="reminders")

    async def _begin_reminders(self) -> None:
        make_desk = await asyncio.to_thread(_load_reminders)
        if self.is_running:
            self._reminders = make_desk(self, self._workbench)
            await self._reminders.begin()

    async def _open_conversation(self) -> None:
        if await self._talk.open():
            self._say_missed()
            await self._warm_up.begin(is_writing=bool(self._chat.composer.text))
            self._say_missed()

    def _make_dialogue(self, dialogue: type[Dialogue]) -> Dialogue:
        return dialogue(
            self, self._workbench, self._switch, self._chat, self._take_selection, self._show_facts
        )

    def on_unmount(self) -> None:
        """Stop listening to the store."""
        self._collection.end()
        if self._unsubscribe is not None:
            self._unsubscribe()

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._talk.busy

    async def wind_up(self, *, interrupted: bool) -> None:
        """End the turn and close the client, before the app leaves."""
        await self._talk.wind_up(interrupted=interrupted)
        await self._switch.aclose()

    # The store

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Called on whichever thread wrote."""
        self.post_message(TasksChanged(changes))

    @on(TasksChanged)
    async def show_changes(self, event: TasksChanged) -> None:
        """This process wrote: show it where it is."""
        self._tasks.show_changes(event.changes)
        await self._talk.tasks_changed(event.changes)
        if self._reminders is not None:
            self._reminders.tasks_changed(event.changes)
        self._panes.mark_news(tasks=True)

    async def _poll(self) -> None:
        """Another process wrote, or a new day has made other words true."""
        if self._is_reopening:
            return
        try:
            seen = self._watch.look()
        except StoreReplaced as error:
            self._show_database_lost(error)
            return
        except StoreError as error:
            self.app.notify(error.message, severity="error", markup=False)
            return
        # The same file may be back in its place.
        self._close_database_lost()
        if seen is Seen.WRITTEN:
            await self._talk.others_wrote()
            if self._reminders is not None:
                self._reminders.others_wrote()
            self._panes.mark_news(tasks=True)
        if seen is not Seen.NOTHING:
            self._tasks.reload()
            for above in self.app.screen_stack[1:]:
                above.post_message(OthersWrote())

    def _show_database_lost(self, error: StoreReplaced) -> None:
        if self._database_lost is not None:
            self._database_lost.show(error)
            return
        from todo_tui.tui.screens.database_lost import DatabaseLostScreen  # seldom needed

        self._database_lost = DatabaseLostScreen(error, self._reopen_database)
        self.app.push_screen(self._database_lost)

    async def _reopen_database(self) -> None:
        """Go on with the file that lies there now.

        Raises:
            StoreError: it cannot be used.
        """
        self._is_reopening = True
        try:
            # What a turn has still to write belongs to the file before it.
            await self._talk.wind_up()
            await asyncio.to_thread(self._workbench.store.reopen)
        finally:
            self._is_reopening = False
        # Behind what the turn has posted last.
        self.call_later(self._show_reopened)
        self._close_database_lost()

    def _close_database_lost(self) -> None:
        # Another screen may lie above it: then a later poll closes it.
        if self._database_lost is not None and self._database_lost.is_current:
            self._database_lost.dismiss()
            self._database_lost = None

    async def _show_reopened(self) -> None:
        await self._talk.show_reopened()
        if self._reminders is not None:
            self._reminders.others_wrote()
        self._tasks.reload()
        for above in self.app.screen_stack[1:]:
            above.post_message(OthersWrote())

    # The conversation

    @on(Composer.Submitted)
    async def send(self, event: Composer.Submitted) -> None:
        """A message is ready, or a command; it may even come before there is a conversation."""
        said = await self._slash.take(event.text)
        if said is not None:
            await self._talk.send(said)

    @on(TextArea.Changed, "#composer")
    async def follow_writing(self) -> None:
        """A command may be on its way."""
        self._warm_up.written()
        await self._slash.hint()

    @on(Composer.Refused)
    def say_refused(self, event: Composer.Refused) -> None:
        """A message or paste is too large."""
        self.app.notify(event.reason, severity="warning", markup=False)

    @on(Composer.QueuedWanted)
    def take_queued_back(self) -> None:
        """A message that waits is to be changed first."""
        self._talk.dialogue.take_queued_back()

    @on(TurnProgressed)
    async def show_progress(self, event: TurnProgressed) -> None:
        """The running turn reports."""
        await self._talk.dialogue.progressed(event.event)
        self._panes.mark_news(tasks=False)
        from todo_tui.tui.shown_filter import shown_filter  # no part of the first frame

        wanted = shown_filter(event.event)
        if wanted is not None:
            await self._tasks.show_filter(wanted)
            self._panes.mark_news(tasks=True)

    @on(TurnBroke)
    async def show_break(self, event: TurnBroke) -> None:
        """The running turn is over without a word of its own."""
        await self._talk.dialogue.broke(event)

    @on(ApprovalWanted)
    async def ask(self, event: ApprovalWanted) -> None:
        """The turn waits for a yes."""
        await self._approvals.show(event)
        self._panes.mark_news(tasks=False)

    @on(QuestionReadable)
    def let_keys_answer(self) -> None:
        """The person has had the time to read it."""
        self.refresh_bindings()

    def on_choice_row_chosen(self, event: ChoiceRow.Chosen) -> None:
        """Take the answer that was chosen on the card."""
        self._approvals.answer(event.approves)

    @on(ApprovalSettled)
    async def stop_asking(self, event: ApprovalSettled) -> None:
        """It waits no more."""
        await self._approvals.settle(event)

    @on(EarlierRequested)
    def load_earlier(self) -> None:
        """The reader is at the top."""
        self.run_worker(self._talk.dialogue.show_earlier(), group="conversation")

    @on(TurnsUnmounted)
    def expect_garbage(self, event: TurnsUnmounted) -> None:
        """What drew them can be collected."""
        self._collection.expect_garbage(event.count)

    @on(NewsBelowChanged)
    def mark_news_below(self, event: NewsBelowChanged) -> None:
        """Something arrived where the reader does not look."""
        self._chat.activity.news_below = event.news_below

    @on(ActivityLine.NewestRequested)
    async def go_to_newest(self) -> None:
        """The mark of what is below was clicked."""
        await self.action_talk(Wish.NEWEST)

    @on(RetryRequested)
    async def retry(self) -> None:
        """Asked for from within the conversation."""
        await self.action_talk(Wish.RETRY)

    @on(UndoTurnRequested)
    async def undo_turn(self) -> None:
        """Asked for from within the conversation."""
        await self.action_talk(Wish.UNDO_TURN)

    async def action_talk(self, wish: str) -> None:
        """What keys ask of the conversation."""
        await self._talk.fulfil(Wish(wish))
        if wish == Wish.ANEW:
            self._show_pane(tasks=False)

    def action_answer(self, yes: bool) -> None:
        """Answer the open card by a key that works everywhere.

        Not by one that is text where the focus is: any key can be given to this action,
        and its binding is ahead of the boxes.
        """
        if self._keys.is_for_box:
            raise SkipAction
        if yes:
            self._approvals.answer(yes)
        else:
            self._keys.act_once(self._deny_or_stop)

    def action_stop_turn(self) -> None:
        """Stop the turn, unless the key is still held from denying what it asked."""
        self._keys.act_once(self._deny_or_stop)

    def _deny_or_stop(self) -> None:
        if self._approvals.can_answer(False):
            self._approvals.answer(False)
        elif not self._approvals.is_open:
            self.call_next(self.action_talk, Wish.STOP)

    def action_reply(self, yes: bool) -> None:
        """Answer the open card by a command; say so where there is none."""
        if self._approvals.is_open:
            self._approvals.answer(yes)
        else:
            self.app.notify(f"Nothing to {'approve' if yes else 'deny'} now.", markup=False)

    # The model

    def action_next_provider(self) -> None:
        """Ctrl+T; a turn that has failed goes to the next provider at once."""
        self.run_worker(Later(self._go_on_with_next), group="model", exclusive=True)

    async def _go_on_with_next(self) -> None:
        failed = self._talk.has_failed
        if await self._chooser.go_to_next() and failed:
            await self.action_talk(Wish.RETRY)

    def action_go_to_provider(self, number: int) -> None:
        """Alt+1 to Alt+9."""
        self.run_worker(Later(self._chooser.go_to, number), group="model", exclusive=True)

    def action_pick_model(self) -> None:
        """F2."""
        self.run_worker(Later(self._chooser.pick), group="model", exclusive=True)

    def _provider_changed(self) -> None:
        """It answers from the next message on; a turn that only waits asks it at once."""
        self._talk.other_chosen()
        self._show_facts()
        if self._talk.ask_again_if_waiting():
            return
        if self.busy:
            label = self._switch.option.row.label
            self.app.notify(f"{label} answers the next message.", markup=False)
        else:
            self._warm_up.anew()

    def _say_missed(self) -> None:
        if missed := self._switch.missed:
            self._switch.missed = ""
            self.app.notify(
                f"{missed} cannot be used now, so the built-in assistant answers.", markup=False
            )

    def _show_facts(self) -> None:
        """Bring up to date what depends on the model, the turn and the pane that is shown."""
        facts = self._talk.facts
        self._status.turn = facts
        self._status.panes = self._panes.facts
        self._status.model = model_facts(self._switch, demo=self._workbench.demo)
        self._chat.activity.doing = DOING.get(facts.state, "")
        self._talk.models_changed()
        self.refresh_bindings()

    # Reminders

    def action_reminder(self) -> None:
        """Z: what becomes of the reminder that is shown."""
        if self._reminders is not None and self._reminders.card.is_open:
            self._reminders.ask()
        else:
            self.app.notify("There is no reminder to put off.", timeout=3, markup=False)

    async def on_reminder_card_answered(self, event: ReminderCard.Answered) -> None:
        """The person has said so."""
        event.stop()
        if self._reminders is not None:
            await self._reminders.answered(event)
        if event.shows and event.reminders:
            self._show_pane(tasks=True)
            await self._tasks.go_to_task(event.reminders[0].task.id)

    # Other screens

    def action_usage(self) -> None:
        """F3."""
        from todo_tui.tui.screens.usage import UsageScreen  # as the help: wanted later

        self.app.push_screen(UsageScreen(self._workbench, self._talk.conversation_id))

    def action_statistics(self) -> None:
        """F4."""
        from todo_tui.tui.screens.statistics import StatisticsScreen  # as above

        self.app.push_screen(StatisticsScreen(self._workbench))

    def action_log(self) -> None:
        """F8."""
        from todo_tui.tui.screens.log import LogScreen  # as above

        self.app.push_screen(LogScreen(self._workbench.log_path))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what does something now is offered."""
        match action:
            case "talk":
                return self._talk.can(Wish(str(parameters[0])))
            case "answer":
                return self._approvals.can_answer(bool(parameters[0]))
            case "stop_turn":
                return self._talk.can(Wish.STOP) and not self._approvals.is_open
            case "to_card":
                return (
                    self._approvals.is_open
                    and not self._approvals.has_focus
                    and not self._tasks.has_focus_within
                )
            case "to_chat":
                return self.focused is not self._chat.composer
            case "to_list":
                return not self._tasks.has_focus_within
            case _:
                return True

    def _take_selection(self) -> Selection:
        """The task that the person has just come from; its cursor alone means nothing."""
        came_from_list, self._came_from_list = self._came_from_list, False
        return self._tasks.selected_tasks if came_from_list else ()

    # Focus and layout

    def action_to_card(self) -> None:
        """Tab, from the message box."""
        self._approvals.focus()

    def action_to_list(self) -> None:
        """Tab, from the chat."""
        self._show_pane(tasks=True)

    def action_to_chat(self) -> None:
        """Tab or Esc, from elsewhere."""
        self._show_pane(tasks=False)

    def action_read_back(self) -> None:
        """Shift+Tab: into the conversation, and back to the composer."""
        if self._chat.place.has_focus_within or self._approvals.has_focus:
            self.set_focus(self._chat.composer)
        elif self._talk.is_open:
            self._show_pane(tasks=False)
            self.set_focus(self._talk.dialogue.transcript)

    def _show_pane(self, *, tasks: bool) -> None:
        self._came_from_list = self._tasks.has_focus_within
        self._panes.show(tasks=tasks)
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._show_facts()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the panes into the new width."""
        self._panes.fit(event.size.width)
