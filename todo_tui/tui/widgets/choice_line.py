"""A few choices on one line, of which one holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.tui.action_keys import bind
from todo_tui.tui.theme import FAINT
from todo_tui.tui.widgets.cell_text import width_of

_GAP = 2


class ChoiceLine(Widget, can_focus=True):
    """Arrows and first letters choose, and so does a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.choose_next", "choose(1)", "next"),
        bind("editor.choose_previous", "choose(-1)", "previous"),
    ]

    value: reactive[str] = reactive("", init=False)

    class Changed(Message):
        """Another choice holds."""

        def __init__(self, line: ChoiceLine) -> None:
            super().__init__()
            self.line = line

        @property
        def control(self) -> ChoiceLine:
            """The line whose choice it is."""
            return self.line

    def __init__(self, choices: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choices = tuple(choices)
        self.set_reactive(ChoiceLine.value, value)

    def render(self) -> Content:
        """All choices, the one that holds in front of the others by its looks."""
        style = "bold $text-accent reverse" if self.has_focus else "bold $text-accent"
        pieces = [
            Content.styled(each, style if each == self.value else FAINT) for each in self._choices
        ]
        return Content(" " * _GAP).join(pieces)

    def watch_value(self) -> None:
        """Tell of another choice."""
        self.post_message(self.Changed(self))

    def on_focus(self) -> None:
        """The choice that holds looks chosen by the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """It looks like the others' again."""
        self.refresh()

    def action_choose(self, step: int) -> None:
        """Go to the next choice, from the last one to the first."""
        at = self._choices.index(self.value) if self.value in self._choices else -step
        self.value = self._choices[(at + step) % len(self._choices)]

    def on_key(self, event: events.Key) -> None:
        """A letter goes to the next choice that begins with it."""
        letter = (event.character or "").casefold()
        at = self._choices.index(self.value) if self.value in self._choices else -1
        others = (*self._choices[at + 1 :], *self._choices[: at + 1])
        found = next((each for each in others if letter and each.startswith(letter)), None)
        if found is not None:
            event.stop()
            self.value = found

    def on_click(self, event: events.Click) -> None:
        """Take the choice that was hit."""
        offset = event.get_content_offset(self)
        start = 0
        for each in self._choices:
            end = start + width_of(each) + _GAP
            if offset is not None and start <= offset.x < end:
                self.value = each
            start = end
