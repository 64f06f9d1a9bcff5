"""The main screen: owns focus and layout, and carries messages between its parts."""

from __future__ import annotations

import gc
from collections.abc import Callable
from datetime import date
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import StoreError
from todo_tui.tui.dialogue import Dialogue
from todo_tui.tui.messages import (
    RetryRequested,
    TasksChanged,
    TurnBroke,
    TurnProgressed,
    UndoTurnRequested,
)
from todo_tui.tui.provider_chooser import ProviderChooser
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import model_lines
from todo_tui.tui.turn_runner import Selection, TurnRunner
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.composer import Composer
from todo_tui.tui.widgets.key_footer import KeyFooter
from todo_tui.tui.widgets.status_line import DOING, ModelState, StatusFacts, StatusLine
from todo_tui.tui.widgets.task_pane import TaskPane
from todo_tui.tui.widgets.transcript import Transcript
from todo_tui.tui.workbench import Workbench

NARROW_BELOW = 100
"""Columns under which one pane is shown at a time."""

_POLL_SECONDS = 0.5
_NARROW, _TASKS_SHOWN = "-narrow", "-tasks"
_BREAKPOINTS = [(0, _NARROW), (NARROW_BELOW, "-wide")]


class MainScreen(Screen[None]):
    """Chat on the left, tasks on the right; one of them where there is no room for both."""

    BINDING_GROUP_TITLE = "Everywhere"
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    AUTO_FOCUS = "#composer"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "stop", tooltip="Stop the turn, keep what was done"),
        Binding("escape", "to_chat", "chat", show=False, tooltip="Back to the message box"),
        Binding("tab", "to_list", "list", tooltip="To the list of tasks"),
        Binding("tab", "to_chat", "chat", tooltip="Back to the message box"),
        Binding("shift+tab", "read_back", "Read", show=False, tooltip="Into the conversation"),
        Binding("f2", "pick_model", "model", tooltip="Choose a model"),
        Binding("ctrl+t", "next_provider", "Switch", show=False, tooltip="To the next ready model"),
        *(
            Binding(
                f"alt+{number}",
                f"go_to_provider({number})",
                "Model",
                show=False,
                key_display="Alt+1…9",
                tooltip="To the model with that number",
            )
            for number in range(1, 10)
        ),
        Binding("ctrl+r", "retry", "retry", tooltip="Send the message that failed again"),
        Binding("alt+u", "undo_turn", "undo turn", tooltip="Take back what the last turn wrote"),
        Binding("ctrl+n", "new_conversation", "New", show=False, tooltip="A new conversation"),
        Binding(
            "ctrl+o",
            "toggle_traces",
            "Calls",
            show=False,
            tooltip="Open or close the last tool calls",
        ),
        Binding("pageup", "page(-1)", "Up", show=False, tooltip="Page up in the conversation"),
        Binding("pagedown", "page(1)", "Down", show=False, tooltip="Page down in the conversation"),
        Binding("ctrl+end", "newest", "Newest", show=False, tooltip="To the last word"),
        Binding("ctrl+home", "oldest", "Oldest", show=False, tooltip="To the first word shown"),
    ]

    def __init__(self, workbench: Workbench, *, ready: Callable[[], None]) -> None:
        """Make the parts; `ready` is called when keys have somewhere to go."""
        super().__init__(id="main")
        self._ready = ready
        self._workbench = workbench
        self._store = workbench.store
        self._switch = ProviderSwitch(workbench)
        self._status = StatusLine()
        self._chat = ChatPane(workbench.clock.now, id="chat")
        self._tasks = TaskPane(workbench, id="tasks")
        self._dialogue = Dialogue(
            workbench,
            TurnRunner(self, self._switch),
            self._chat,
            self._take_selection,
            self._show_facts,
        )
        self._chooser = ProviderChooser(self, self._switch, self._provider_changed)
        self._unsubscribe: Callable[[], None] | None = None
        self._other_changed = False
        self._came_from_list = False
        self._store_trouble = ""
        self._today: date = workbench.clock.now().date()

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
        self._ready()
        self._show_facts()
        self.call_after_refresh(self._begin_slow_work)

    def _begin_slow_work(self) -> None:
        """What the first frame did not need: the conversation, the model, other processes."""
        # What lives now lives long; later collections need not look at it.
        gc.freeze()
        self._unsubscribe = self._store.tasks.subscribe(self._post_changes)
        self.set_interval(_POLL_SECONDS, self._poll)
        self.run_worker(self._open_conversation(), name="conversation", group="conversation")

    def on_unmount(self) -> None:
        """Stop listening to the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._dialogue.busy

    async def wind_up(self) -> None:
        """Before the app leaves: end the turn, close the client."""
        await self._dialogue.wind_up()
        await self._switch.aclose()

    async def _open_conversation(self) -> None:
        await self._dialogue.open_latest()
        if self._switch.missed:
            self.app.notify(
                f"{self._switch.missed} cannot be used now, so the built-in assistant answers.",
                markup=False,
            )
        self._show_models()
        await self._switch.warm_up()
        await self._switch.learn_all()
        self._show_models()

    # The store

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Called on whichever thread wrote."""
        self.post_message(TasksChanged(changes))

    @on(TasksChanged)
    async def show_changes(self, event: TasksChanged) -> None:
        """This process wrote: show it where it is."""
        self._tasks.show_changes(event.changes)
        await self._dialogue.tasks_changed(event.changes)
        self._mark_other_pane(tasks=True)

    async def _poll(self) -> None:
        """Another process wrote, or a new day has made other words true."""
        today = self._workbench.clock.now().date()
        try:
            changed_elsewhere = self._store.poll()
        except StoreError as error:
            if str(error) != self._store_trouble:
                self._store_trouble = str(error)
                self.app.notify(error.message, severity="error", markup=False)
            return
        if changed_elsewhere:
            await self._dialogue.withdraw_undo()
            self._mark_other_pane(tasks=True)
        elif today == self._today:
            return
        self._today = today
        self._tasks.reload()

    # The turn

    @on(Composer.Submitted)
    async def send(self, event: Composer.Submitted) -> None:
        """A message is ready."""
        await self._dialogue.send(event.text)

    @on(Composer.Refused)
    def say_refused(self, event: Composer.Refused) -> None:
        """A message or paste is too large."""
        self.app.notify(event.reason, severity="warning", markup=False)

    @on(Composer.QueuedWanted)
    def take_queued_back(self) -> None:
        """A message that waits is to be changed first."""
        self._dialogue.take_queued_back()

    @on(TurnProgressed)
    async def show_progress(self, event: TurnProgressed) -> None:
        """The running turn reports."""
        await self._dialogue.progressed(event.event)
        self._mark_other_pane(tasks=False)

    @on(TurnBroke)
    async def show_break(self, event: TurnBroke) -> None:
        """The running turn is over without a word of its own."""
        await self._dialogue.broke(event)

    @on(Transcript.EarlierRequested)
    def load_earlier(self) -> None:
        """The reader is at the top."""
        self.run_worker(self._dialogue.show_earlier(), group="conversation")

    @on(RetryRequested)
    async def action_retry(self) -> None:
        """Send the message of a turn that did not finish again."""
        await self._dialogue.retry()

    @on(UndoTurnRequested)
    async def action_undo_turn(self) -> None:
        """Take back what the last turn wrote."""
        await self._dialogue.undo_turn()

    def action_stop(self) -> None:
        """Esc: end the turn, wherever the focus is."""
        self._dialogue.stop()

    async def action_new_conversation(self) -> None:
        """Leave this conversation in the store and begin another."""
        if self.busy:
            self.app.notify("Esc stops the turn first.", markup=False)
            return
        await self._dialogue.start_anew()
        self._show_models()
        self._show_pane(tasks=False)

    def action_toggle_traces(self) -> None:
        """All tool calls of the last turn at once."""
        self._chat.transcript.toggle_traces()

    def action_page(self, direction: int) -> None:
        """Through the conversation, from wherever the focus is."""
        if direction < 0:
            self._chat.transcript.scroll_page_up(animate=False)
        else:
            self._chat.transcript.scroll_page_down(animate=False)

    def action_newest(self) -> None:
        """To the last word."""
        self._chat.transcript.go_to_newest()

    def action_oldest(self) -> None:
        """To the first word that is shown."""
        self._chat.transcript.scroll_home(animate=False)

    # The model

    def action_next_provider(self) -> None:
        """Ctrl+T."""
        self.run_worker(self._chooser.go_to_next(), group="model", exclusive=True)

    def action_go_to_provider(self, number: int) -> None:
        """Alt+1 to Alt+9."""
        self.run_worker(self._chooser.go_to(number), group="model", exclusive=True)

    def action_pick_model(self) -> None:
        """F2."""
        self.run_worker(self._chooser.pick(), group="model", exclusive=True)

    def _provider_changed(self) -> None:
        """It answers from the next message on."""
        self._show_facts()
        self._show_models()
        label = self._switch.option.row.label
        if self._dialogue.state is ModelState.WAITING:
            self._dialogue.resend()
        elif self.busy:
            self.app.notify(f"{label} answers the next message.", markup=False)
        else:
            self.run_worker(self._switch.warm_up(), name="model", group="warm-up", exclusive=True)

    def _show_models(self) -> None:
        welcome = self._chat.transcript.welcome
        welcome.offline = not self._switch.option.host
        welcome.model_lines = model_lines(self._switch)

    def _show_facts(self) -> None:
        narrow, on_tasks = self.has_class(_NARROW), self.has_class(_TASKS_SHOWN)
        dialogue, switch = self._dialogue, self._switch
        self._status.facts = StatusFacts(
            provider=switch.option.row.label,
            model=switch.model if switch.option.host else "",
            others_ready=switch.others_ready,
            state=dialogue.state,
            usage=dialogue.usage,
            cost_usd=dialogue.cost_usd,
            demo=self._workbench.demo,
            pane=("Tasks" if on_tasks else "Chat") if narrow else "",
            other_pane=("Chat" if on_tasks else "Tasks") if narrow else "",
            other_changed=self._other_changed,
        )
        self._chat.other_model_key = "Ctrl+T" if switch.others_ready else "F2"
        self._chat.activity.doing = DOING.get(dialogue.state, "")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what does something now is offered."""
        match action:
            case "stop":
                return self.busy
            case "to_chat":
                return self.focused is not self._chat.composer
            case "to_list":
                return not self._tasks.has_focus_within
            case "retry":
                return bool(self._dialogue.unfinished) and not self.busy
            case "undo_turn":
                return self._dialogue.can_undo
            case _:
                return True

    def _take_selection(self) -> Selection:
        """The task that the person has just come from; its cursor alone means nothing."""
        came_from_list, self._came_from_list = self._came_from_list, False
        return self._tasks.selected_tasks if came_from_list else ()

    # Focus and layout

    def action_to_list(self) -> None:
        """Tab, from the chat."""
        self._show_pane(tasks=True)

    def action_to_chat(self) -> None:
        """Tab or Esc, from elsewhere."""
        self._show_pane(tasks=False)

    def action_read_back(self) -> None:
        """Shift+Tab: into the conversation, and back to the composer."""
        if self._chat.transcript.has_focus_within:
            self.set_focus(self._chat.composer)
        else:
            self._show_pane(tasks=False)
            self.set_focus(self._chat.transcript)

    def _show_pane(self, *, tasks: bool) -> None:
        self._came_from_list = self._tasks.has_focus_within
        self.set_class(tasks, _TASKS_SHOWN)
        self._other_changed = False
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._show_facts()

    def _mark_other_pane(self, *, tasks: bool) -> None:
        """Say in the status line that the pane which is hidden has news."""
        if self.has_class(_NARROW) and tasks is not self.has_class(_TASKS_SHOWN):
            self._other_changed = True
            self._show_facts()

    def on_resize(self, _event: events.Resize) -> None:
        """The status line names the hidden pane, where one is."""
        self.call_after_refresh(self._show_facts)
