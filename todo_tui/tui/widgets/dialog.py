"""Windows above the main screen."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from textual.screen import ModalScreen

ResultT = TypeVar("ResultT")


class Dialog(ModalScreen[ResultT]):
    """Framed window in the middle of the screen, which is dimmed.

    The outermost container is the frame. Subclasses style what differs in `DEFAULT_CSS`: for a
    new `CSS_PATH` Textual parses all style sheets again, which is seen when a screen opens.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
