"""Windows above the main screen."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from textual import on
from textual.screen import ModalScreen

from todo_tui.tui.widgets.line_input import LineInput

ResultT = TypeVar("ResultT")


class Dialog(ModalScreen[ResultT]):
    """Framed window in the middle of the screen, which is dimmed.

    The outermost container is the frame. Subclasses style what differs in `DEFAULT_CSS`: for a
    new `CSS_PATH` Textual parses all style sheets again, which is seen when a screen opens.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def action_close(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    @on(LineInput.Cancelled)
    def _leave_input(self) -> None:
        self.action_close()
