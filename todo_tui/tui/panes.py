"""The two panes of the main screen: which are shown, which has the focus, how wide they are."""

from __future__ import annotations

import re
from contextlib import suppress

from textual import on
from textual.containers import Horizontal
from textual.geometry import clamp
from textual.message import Message
from textual.widget import Widget

from todo_tui.domain.errors import StoreError
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane

TWO_PANE_MIN_WIDTH = 100
"""Width in columns below which only one pane is shown."""
_PANES = "panes"
_LIST_PERCENT, _MIN_PERCENT, _MAX_PERCENT, _STEP_PERCENT = 50, 30, 70, 5
"""Share of the list in the width, its limits, and what one key adds."""


class Panes(Horizontal):
    """Chat and tasks side by side, or one of them: in a narrow terminal, or zoomed.

    Split and zoom are kept for the next start.
    """

    class Changed(Message):
        """Posted when another pane is shown or focused, or a hidden one has news."""

    def __init__(self, chat: ChatPane, tasks: TaskPane, services: AppServices) -> None:
        super().__init__(chat, tasks, id="panes")
        self._chat = chat
        self._tasks = tasks
        self._app_state, self._writer = services.store.app_state, services.writer
        self.is_narrow: bool = False
        self.is_zoomed: bool = False
        self.shows_tasks = False
        """True if the tasks are the pane that is shown alone."""
        self.is_unread = False
        """True if the hidden pane has changed since it was shown."""
        self.list_percent = _LIST_PERCENT
        with suppress(StoreError):
            kept = re.fullmatch(r"(\d{2})( zoomed)?", self._app_state.get(_PANES) or "")
            if kept is not None:
                self.is_zoomed = kept[2] is not None
                self.list_percent = clamp(int(kept[1]), _MIN_PERCENT, _MAX_PERCENT)
                self._arrange()

    @property
    def is_single(self) -> bool:
        """True if one pane is shown alone."""
        return self.is_narrow or self.is_zoomed

    def _show(self, *, tasks: bool) -> None:
        """Show the tasks or the chat; side by side both stay."""
        self.shows_tasks = tasks
        self._arrange()

    @property
    def is_in_list(self) -> bool:
        """True if the task list, or an input of it, has the focus."""
        return self._tasks.has_focus_within

    def go_to(self, *, tasks: bool) -> None:
        """Show and focus the list, or the composer."""
        self._chat.selection = self._tasks.selected_tasks if self.is_in_list else ()
        self._show(tasks=tasks)
        if tasks:
            self._tasks.focus_list()
        else:
            self.screen.set_focus(self._chat.composer)
        self._mark_read()

    async def go_to_chat(self) -> None:
        """Focus the composer; out of reading mode, also return to the newest messages."""
        was_reading = self._chat.conversation.has_focus_within
        self.go_to(tasks=False)
        if was_reading:
            await self._chat.conversation.show_newest()

    def toggle_reading(self) -> None:
        """Toggle the focus between transcript and composer."""
        conversation = self._chat.conversation
        if conversation.has_focus_within or self._chat.approvals.has_focus_within:
            self.screen.set_focus(self._chat.composer)
        elif conversation.transcript is not None:
            self.go_to(tasks=False)
            conversation.transcript.cursor.focus_visible_part()

    def note_task_changes(self) -> None:
        """Mark the list as changed while it is hidden."""
        self._note_changes(self._tasks)

    @on(ChatPane.HiddenUpdate)
    def _note_chat_changes(self) -> None:
        self._note_changes(self._chat)

    def _note_changes(self, pane: Widget) -> None:
        if not pane.display and not self.is_unread:
            self.is_unread = True
            self.post_message(self.Changed())

    def _mark_read(self) -> None:
        self.is_unread = False
        self.post_message(self.Changed())

    def fit(self, width: int) -> None:
        """Show one or two panes, whichever fit, the focused one in any case.

        Breakpoint classes would restyle every widget, in the first frame too.
        """
        is_narrow = width < TWO_PANE_MIN_WIDTH
        if is_narrow is not self.is_narrow:
            self.is_narrow = is_narrow
            self._show(tasks=self.is_in_list)
            self._mark_read()

    def toggle_zoom(self) -> None:
        """Show the focused pane alone, or both again."""
        self.is_zoomed = not self.is_zoomed
        self._show(tasks=self.is_in_list)
        self._mark_read()
        self._remember()

    def resize_list(self, steps: int) -> None:
        """Give the list more of the width, or less."""
        percent = self.list_percent + steps * _STEP_PERCENT
        self.list_percent = clamp(percent, _MIN_PERCENT, _MAX_PERCENT)
        self._arrange()
        self._remember()

    def _arrange(self) -> None:
        self._chat.display = not (self.is_single and self.shows_tasks)
        self._tasks.display = not self.is_single or self.shows_tasks
        self._tasks.set_class(self.is_single, "-alone")
        self._chat.styles.width = f"{100 - self.list_percent}fr"
        self._tasks.styles.width = f"{self.list_percent}fr"

    def _remember(self) -> None:
        kept = f"{self.list_percent}{' zoomed' if self.is_zoomed else ''}"
        # The panes stay as they are all the same if storing it fails.
        self._writer.start(self._app_state.set, _PANES, kept)
