"""A one-line box whose text is safe to show: the base of quick add, filter and rename."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input

from todo_tui.domain.text import plain_line, whole_characters
from todo_tui.tui.action_keys import bind

LONGEST_LINE = 10_000
"""Characters that a box takes; a paste beyond is cut."""


class LineBox(Input):
    """An input without frame, control characters and blinking surprises.

    Esc posts `Left`; several pasted lines become one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.leave", "leave", "Leave"),
    ]

    # The base class lays the whole screen out anew when this changes, which is at each
    # key; how long the text is concerns nobody but the box.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    class Left(Message):
        """The person wants out of the box; its text is still there."""

        def __init__(self, box: LineBox) -> None:
            super().__init__()
            self.box = box

        @property
        def control(self) -> LineBox:
            """The box that is left."""
            return self.box

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(id=id, placeholder=placeholder, compact=True, select_on_focus=False)

    def validate_value(self, value: str) -> str:
        """Keep out of the box what must not reach a terminal."""
        return plain_line(whole_characters(value))[:LONGEST_LINE]

    def put(self, text: str) -> None:
        """Replace the text; the cursor goes to its end."""
        self.value = text
        self.cursor_position = len(self.value)

    def action_leave(self) -> None:
        """Say that the person wants out."""
        self.post_message(self.Left(self))

    async def _on_key(self, event: events.Key) -> None:
        if event.key.startswith("alt+"):
            # Old terminals send the letter along, which is not meant for the text.
            event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(plain_line(whole_characters(event.text.strip("\r\n"))), *self.selection)
