"""Input placed over a title in the list for renaming."""

from __future__ import annotations

from textual import events, on
from textual.widgets import Input

from todo_tui.tui.task_list.drawers.base import RenameClosed, RenameRequested
from todo_tui.tui.widgets.line_input import LineInput


class RenameInput(LineInput):
    """Input for one title, in place."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._task_id: int | None = None
        self._before = ""

    @property
    def task_id(self) -> int | None:
        """Return the task being renamed; None while the input is closed."""
        return self._task_id

    def open(self, task_id: int, title: str) -> None:
        """Show a title for editing, with the whole text as typed."""
        self._task_id = task_id
        self.put(title)
        self._before = self.value
        self.add_class("-open")
        self.focus(scroll_visible=False)

    def close(self) -> None:
        """Hide the input."""
        self._task_id = None
        self.remove_class("-open")

    @on(Input.Submitted)
    def _rename(self, event: Input.Submitted) -> None:
        event.stop()
        title = event.value.strip()
        if self._task_id is None or not title or title == self._before:
            self.post_message(RenameClosed())
        else:
            self.post_message(RenameRequested(self._task_id, title))

    @on(LineInput.Cancelled)
    def _leave(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.post_message(RenameClosed())

    def on_blur(self, _event: events.Blur) -> None:
        """Close an unchanged title when the focus leaves."""
        if self._task_id is not None and self.value == self._before:
            self.post_message(RenameClosed())
