"""An address that can be opened by a click or Enter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import bind


class LinkLine(Static, can_focus=True):
    """Shows the address as it is: what is opened is what is read."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("editor.open_link", "open", "open")]

    def __init__(self, url: str) -> None:
        super().__init__(Content.styled(f"↗ {plain_line(url)}", "underline"), markup=False)
        self._url = url

    def action_open(self) -> None:
        """Open it in the browser."""
        self.app.open_url(self._url)

    def on_click(self) -> None:
        """As Enter does."""
        self.action_open()
