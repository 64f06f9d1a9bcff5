"""A quiet line of the conversation that opens to more: what tool calls and thinking share."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.tui.action_keys import bind
from todo_tui.tui.theme import FAINT

INDENT = 6
"""Cells by which what a row opens to stands behind its line."""


class OpeningRow(Widget, can_focus=True):
    """One line until it is opened; Enter, a click and Ctrl+O open and close it."""

    BINDING_GROUP_TITLE = "In the conversation (Shift+Tab)"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("steps.open", "open_or_close", "Open", show=True),
    ]

    opened: reactive[bool] = reactive(False, layout=True)

    @property
    def can_open(self) -> bool:
        """Whether there is more than the line."""
        raise NotImplementedError

    def action_open_or_close(self) -> None:
        """Open or close, where there is more to show."""
        if self.can_open:
            self.opened = not self.opened

    def on_click(self, event: events.Click) -> None:
        """A click toggles, unless it ended a selection of text."""
        if not self.screen.get_selected_text():
            event.stop()
            self.action_open_or_close()

    @property
    def width(self) -> int:
        """Cells of a line."""
        return self.content_size.width or self.size.width

    def line(self, sentence: Content, right: str) -> Content:
        """The sentence, cut where it is too long, and what belongs at the right edge."""
        room = max(self.width - len(right) - 2, 1)
        sentence = sentence.truncate(room, ellipsis=True)
        gap = " " * max(self.width - sentence.cell_length - len(right) - 1, 1)
        return Content.assemble(sentence, gap, (right, FAINT))

    def folded(self, content: Content) -> list[Content]:
        """The lines of a text in the room that the indent leaves."""
        room = max(self.width - INDENT - 1, 8)
        return [Content(" " * INDENT) + line for line in content.wrap(room)]


def duration_words(milliseconds: float) -> str:
    """`3 ms`, `1.2 s`, `2 min 5 s`."""
    seconds = milliseconds / 1000
    if seconds < 1:
        return f"{max(round(milliseconds), 1)} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
