"""Two panes where there is room for both, else one of them, and news of the other."""

from __future__ import annotations

from collections.abc import Callable

from textual.widget import Widget

from todo_tui.tui.widgets.status_line import PaneFacts

NARROW_BELOW = 100
"""Columns under which one pane is shown at a time."""


class PaneLayout:
    """Shows and hides the two panes; `changed` is called when the status line must tell.

    Not with breakpoint classes: they restyle every widget, in the first frame too.
    """

    def __init__(self, chat: Widget, tasks: Widget, changed: Callable[[], None]) -> None:
        self._chat = chat
        self._tasks = tasks
        self._changed = changed
        self._narrow = False
        self._on_tasks = False
        self._other_has_news = False

    @property
    def facts(self) -> PaneFacts:
        """What the status line says of it."""
        if not self._narrow:
            return PaneFacts()
        names = ("Tasks", "Chat") if self._on_tasks else ("Chat", "Tasks")
        return PaneFacts(*names, changed=self._other_has_news)

    def show(self, *, tasks: bool) -> None:
        """The tasks are wanted, or the chat; where both are shown, both stay."""
        self._on_tasks = tasks
        self._other_has_news = False
        self._lay_out()

    def mark_news(self, *, tasks: bool) -> None:
        """Something changed in the tasks, or in the chat: say so where that is hidden."""
        if self._narrow and tasks is not self._on_tasks:
            self._other_has_news = True
            self._changed()

    def fit(self, width: int) -> None:
        """Take the second pane away or bring it back; the one with the focus stays."""
        narrow = width < NARROW_BELOW
        if narrow is not self._narrow:
            self._narrow = narrow
            self.show(tasks=self._tasks.has_focus_within)
            self._changed()

    def _lay_out(self) -> None:
        self._chat.display = not (self._narrow and self._on_tasks)
        self._tasks.display = not self._narrow or self._on_tasks
        self._tasks.set_class(self._narrow, "-alone")
