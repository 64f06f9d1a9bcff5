"""The two panes of the main screen: which are shown, and how they share the width."""

from __future__ import annotations

import re
from contextlib import suppress

from textual.containers import Horizontal
from textual.geometry import clamp

from todo_tui.domain.errors import StoreError
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane

TWO_PANE_MIN_WIDTH = 100
"""Width in columns below which only one pane is shown."""
_PANES = "panes"
_LIST_PERCENT, _LEAST_PERCENT, _MOST_PERCENT, _STEP_PERCENT = 50, 30, 70, 5
"""Share of the list in the width, its limits, and what one key adds."""


class Panes(Horizontal):
    """Chat and tasks side by side, or one of them: in a narrow terminal, or zoomed.

    Split and zoom are kept for the next start.
    """

    def __init__(self, chat: ChatPane, tasks: TaskPane, services: AppServices) -> None:
        super().__init__(chat, tasks, id="panes")
        self._chat = chat
        self._tasks = tasks
        self._memory, self._writer = services.store.memory, services.writer
        self.is_narrow: bool = False
        self.is_zoomed = False
        self.shows_tasks = False
        """True if the tasks are the pane that is shown alone."""
        self.list_percent = _LIST_PERCENT
        with suppress(StoreError):
            kept = re.fullmatch(r"(\d{2})( zoomed)?", self._memory.get(_PANES) or "")
            if kept is not None:
                self.is_zoomed = kept[2] is not None
                self.list_percent = clamp(int(kept[1]), _LEAST_PERCENT, _MOST_PERCENT)
                self._arrange()

    @property
    def is_single(self) -> bool:
        """True if one pane is shown alone."""
        return self.is_narrow or self.is_zoomed

    def show_pane(self, *, tasks: bool) -> None:
        """Show the tasks or the chat; side by side both stay."""
        self.shows_tasks = tasks
        self._arrange()

    def fit(self, width: int) -> bool:
        """Show one or two panes, whichever fit, the focused one in any case; True if that changed.

        Breakpoint classes would restyle every widget, in the first frame too.
        """
        is_narrow = width < TWO_PANE_MIN_WIDTH
        if is_narrow is self.is_narrow:
            return False
        self.is_narrow = is_narrow
        self.show_pane(tasks=self._tasks.has_focus_within)
        return True

    def toggle_zoom(self) -> None:
        """Show the focused pane alone, or both again."""
        self.is_zoomed = not self.is_zoomed
        self.show_pane(tasks=self._tasks.has_focus_within)
        self._remember()

    def resize_list(self, steps: int) -> None:
        """Give the list more of the width, or less."""
        percent = self.list_percent + steps * _STEP_PERCENT
        self.list_percent = clamp(percent, _LEAST_PERCENT, _MOST_PERCENT)
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
        self._writer.start(self._memory.set, _PANES, kept)
