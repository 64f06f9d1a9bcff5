"""The main screen: owns focus and layout, and carries messages between its parts."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen

from todo_tui.domain.errors import StoreError
from todo_tui.tui.messages import (
    EarlierRequested,
    NewsBelowChanged,
    RetryRequested,
    TasksChanged,
    TurnBroke,
    TurnProgressed,
    UndoTurnRequested,
)
from todo_tui.tui.provider_chooser import ProviderChooser
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import model_facts
from todo_tui.tui.widgets.activity_line import ActivityLine
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.composer import Composer
from todo_tui.tui.widgets.key_footer import KeyFooter
from todo_tui.tui.widgets.status_line import (
    DOING,
    PaneFacts,
    StatusLine,
    TurnFacts,
)
from todo_tui.tui.widgets.task_pane import TaskPane
from todo_tui.tui.wishes import Wish
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange
    from todo_tui.tui.dialogue import Dialogue
    from todo_tui.tui.turn_runner import Selection

NARROW_BELOW = 100
"""Columns under which one pane is shown at a time."""

_POLL_SECONDS = 0.5


def _load_dialogue() -> type[Dialogue]:
    """Import all that holds and draws a conversation; as slow as half of the first frame."""
    from todo_tui.tui.dialogue import Dialogue

    return Dialogue


class MainScreen(Screen[None]):
    """Chat on the left, tasks on the right; one of them where there is no room for both."""

    BINDING_GROUP_TITLE = "Everywhere"
    AUTO_FOCUS = "#composer"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "talk('stop')", "stop", tooltip="Stop the turn, keep what was done"),
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
        Binding("ctrl+r", "talk('retry')", "retry", tooltip="Send the message that failed again"),
        Binding(
            "alt+u", "talk('undo_turn')", "undo turn", tooltip="Take back what the last turn wrote"
        ),
        *(
            Binding(key, f"talk('{wish}')", wish.capitalize(), show=False, tooltip=tooltip)
            for key, wish, tooltip in (
                ("ctrl+n", Wish.ANEW, "A new conversation"),
                ("ctrl+o", Wish.CALLS, "Open or close the last tool calls"),
                ("pageup", Wish.PAGE_UP, "Page up in the conversation"),
                ("pagedown", Wish.PAGE_DOWN, "Page down in the conversation"),
                ("ctrl+end", Wish.NEWEST, "To the last word"),
                ("ctrl+home", Wish.OLDEST, "To the first word shown"),
            )
        ),
    ]

    def __init__(self, workbench: Workbench, *, ready: Callable[[], None]) -> None:
        """Make the parts; `ready` is called when keys have somewhere to go."""
        super().__init__(id="main")
        self._ready = ready
        self._workbench = workbench
        self._store = workbench.store
        self._switch = ProviderSwitch(workbench)
        self._chooser = ProviderChooser(self, self._switch, self._provider_changed)
        self._status = StatusLine()
        self._chat = ChatPane(id="chat")
        self._tasks = TaskPane(workbench, id="tasks")
        self._dialogue: Dialogue | None = None
        self._sent_early: list[str] = []
        self._unsubscribe: Callable[[], None] | None = None
        self._narrow = False
        self._on_tasks = False
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
        self.call_after_refresh(self.call_after_refresh, self._begin_slow_work)

    def _begin_slow_work(self) -> None:
        """What the first frame did not need: the conversation, the model, other processes."""
        # What lives now lives long; later collections need not look at it. The command
        # line starts with collections off, which would look at every import for nothing.
        gc.freeze()
        gc.enable()
        self._unsubscribe = self._store.tasks.subscribe(self._post_changes)
        self.set_interval(_POLL_SECONDS, self._poll)
        self._tasks.prepare_boxes()
        self.run_worker(self._open_conversation(), name="conversation", group="conversation")

    async def _open_conversation(self) -> None:
        make_dialogue = await asyncio.to_thread(_load_dialogue)
        if not self.is_running:
            return
        self._dialogue = dialogue = make_dialogue(
            self, self._workbench, self._switch, self._chat, self._take_selection, self._show_facts
        )
        await dialogue.open_latest()
        for text in self._sent_early:
            await dialogue.send(text)
        self._say_missed()
        await self._switch.warm_up()
        await self._switch.learn_all()
        self._show_facts()

    def on_unmount(self) -> None:
        """Stop listening to the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._dialogue is not None and self._dialogue.busy

    async def wind_up(self) -> None:
        """Before the app leaves: end the turn, close the client."""
        if self._dialogue is not None:
            await self._dialogue.wind_up()
        await self._switch.aclose()

    # The store

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Called on whichever thread wrote."""
        self.post_message(TasksChanged(changes))

    @on(TasksChanged)
    async def show_changes(self, event: TasksChanged) -> None:
        """This process wrote: show it where it is."""
        self._tasks.show_changes(event.changes)
        if self._dialogue is not None:
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
            if self._dialogue is not None:
                await self._dialogue.withdraw_undo()
            self._mark_other_pane(tasks=True)
        elif today == self._today:
            return
        self._today = today
        self._tasks.reload()

    # The conversation

    @on(Composer.Submitted)
    async def send(self, event: Composer.Submitted) -> None:
        """A message is ready; it may even come before there is a conversation."""
        if self._dialogue is None:
            self._sent_early.append(event.text)
        else:
            await self._dialogue.send(event.text)

    @on(Composer.Refused)
    def say_refused(self, event: Composer.Refused) -> None:
        """A message or paste is too large."""
        self.app.notify(event.reason, severity="warning", markup=False)

    @on(Composer.QueuedWanted)
    def take_queued_back(self) -> None:
        """A message that waits is to be changed first."""
        if self._dialogue is not None:
            self._dialogue.take_queued_back()

    @on(TurnProgressed)
    async def show_progress(self, event: TurnProgressed) -> None:
        """The running turn reports."""
        if self._dialogue is not None:
            await self._dialogue.progressed(event.event)
        self._mark_other_pane(tasks=False)

    @on(TurnBroke)
    async def show_break(self, event: TurnBroke) -> None:
        """The running turn is over without a word of its own."""
        if self._dialogue is not None:
            await self._dialogue.broke(event)

    @on(EarlierRequested)
    def load_earlier(self) -> None:
        """The reader is at the top."""
        if self._dialogue is not None:
            self.run_worker(self._dialogue.show_earlier(), group="conversation")

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
        if self._dialogue is not None:
            await self._dialogue.fulfil(Wish(wish))
        if wish == Wish.ANEW:
            self._show_pane(tasks=False)

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
        """It answers from the next message on; a turn that only waits asks it at once."""
        self._show_facts()
        if self._dialogue is not None and self._dialogue.waits_to_retry:
            self._dialogue.resend()
        elif self.busy:
            label = self._switch.option.row.label
            self.app.notify(f"{label} answers the next message.", markup=False)
        else:
            self.run_worker(self._switch.warm_up(), name="model", group="warm-up", exclusive=True)

    def _say_missed(self) -> None:
        if self._switch.missed:
            self.app.notify(
                f"{self._switch.missed} cannot be used now, so the built-in assistant answers.",
                markup=False,
            )

    def _show_facts(self) -> None:
        """Bring up to date what depends on the model, the turn and the pane that is shown."""
        facts = self._dialogue.facts if self._dialogue is not None else TurnFacts()
        panes = PaneFacts()
        if self._narrow:
            names = ("Tasks", "Chat") if self._on_tasks else ("Chat", "Tasks")
            panes = PaneFacts(*names, changed=self._other_changed)
        self._status.turn = facts
        self._status.panes = panes
        self._status.model = model_facts(self._switch, demo=self._workbench.demo)
        self._chat.activity.doing = DOING.get(facts.state, "")
        if self._dialogue is not None:
            self._dialogue.models_changed()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what does something now is offered."""
        match action:
            case "talk":
                return self._dialogue is not None and self._dialogue.can(Wish(str(parameters[0])))
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

    def action_to_list(self) -> None:
        """Tab, from the chat."""
        self._show_pane(tasks=True)

    def action_to_chat(self) -> None:
        """Tab or Esc, from elsewhere."""
        self._show_pane(tasks=False)

    def action_read_back(self) -> None:
        """Shift+Tab: into the conversation, and back to the composer."""
        if self._chat.place.has_focus_within:
            self.set_focus(self._chat.composer)
        elif self._dialogue is not None:
            self._show_pane(tasks=False)
            self.set_focus(self._dialogue.transcript)

    def _show_pane(self, *, tasks: bool) -> None:
        self._came_from_list = self._tasks.has_focus_within
        self._on_tasks = tasks
        self._other_changed = False
        self._lay_out()
        if tasks:
            self._tasks.focus_list()
        else:
            self.set_focus(self._chat.composer)
        self._show_facts()

    def _lay_out(self) -> None:
        """One pane where there is no room for two.

        Not with breakpoint classes: they restyle every widget, in the first frame too.
        """
        self._chat.display = not (self._narrow and self._on_tasks)
        self._tasks.display = not self._narrow or self._on_tasks
        self._tasks.set_class(self._narrow, "-alone")

    def _mark_other_pane(self, *, tasks: bool) -> None:
        """Say in the status line that the pane which is hidden has news."""
        if self._narrow and tasks is not self._on_tasks:
            self._other_changed = True
            self._show_facts()

    def on_resize(self, event: events.Resize) -> None:
        """Take the second pane away or bring it back; the one with the focus stays."""
        narrow = event.size.width < NARROW_BELOW
        if narrow is not self._narrow:
            self._narrow = narrow
            self._on_tasks = self._tasks.has_focus_within
            self._other_changed = False
            self._lay_out()
            self._show_facts()
