"""Rows of the task editor: label, control and feedback; choices, notes and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static, TextArea

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import bind
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.line_input import CompletionList, LineInput
from todo_tui.tui.widgets.text import cell_width

_GAP = 2


class ChoiceInput(Widget, can_focus=True):
    """One-line choice by arrow keys, first letters or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.choose_next", "choose(1)", "next"),
        bind("editor.choose_previous", "choose(-1)", "previous"),
    ]

    value: reactive[str] = reactive("", init=False)

    class Changed(Message):
        """Posted when the chosen value changed."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__()
        self._choices = tuple(choices)
        self.set_reactive(ChoiceInput.value, self._choices[0])

    def put(self, text: str) -> None:
        """Choose a value."""
        self.value = text

    def render(self) -> Content:
        """Draw all choices with the current one highlighted."""
        style = "bold $text-accent reverse" if self.has_focus else "bold $text-accent"
        pieces = [
            Content.styled(each, style if each == self.value else FAINT) for each in self._choices
        ]
        return Content(" " * _GAP).join(pieces)

    def watch_value(self) -> None:
        """Post the change."""
        self.post_message(self.Changed())

    def action_choose(self, step: int) -> None:
        """Choose the next value, wrapping around."""
        at = self._choices.index(self.value)
        self.value = self._choices[(at + step) % len(self._choices)]

    def on_key(self, event: events.Key) -> None:
        """Choose the next value that starts with the typed letter."""
        letter = (event.character or "").casefold()
        at = self._choices.index(self.value) + 1
        others = (*self._choices[at:], *self._choices[:at])
        found = next((each for each in others if letter and each.startswith(letter)), None)
        if found is not None:
            event.stop()
            self.value = found

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked value."""
        offset = event.get_content_offset(self)
        start = 0
        for each in self._choices:
            end = start + cell_width(each) + _GAP
            if offset is not None and start <= offset.x < end:
                self.value = each
            start = end


class NotesInput(TextArea):
    """Box of several lines."""

    def __init__(self) -> None:
        super().__init__(show_line_numbers=False, soft_wrap=True, compact=True)

    @property
    def value(self) -> str:
        """Whole text."""
        return self.text

    def put(self, text: str) -> None:
        """Replace the text."""
        self.load_text(text)


FormControl = LineInput | ChoiceInput | NotesInput


class LinkRow(Static, can_focus=True):
    """Row with a link, showing the whole URL that it opens."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("editor.open_link", "open", "open")]

    def __init__(self, url: str) -> None:
        super().__init__(Content.styled(f"↗ {plain_line(url)}", "underline"), markup=False)
        self._url = url

    def action_open(self) -> None:
        """Open the URL in the browser."""
        self.app.open_url(self._url)

    def on_click(self) -> None:
        """Open the URL in the browser."""
        self.action_open()


class FormRow(Vertical):
    """Row of a field: label, control, and feedback on its input."""

    def __init__(
        self, name: str, control: FormControl | LinkRow, below: CompletionList | None = None
    ) -> None:
        super().__init__(classes="form-row")
        self._label = Static(name, markup=False, classes="form-label")
        self._control = control
        self._candidates = below
        self._reading = Static(markup=False, classes="form-reading")
        self._reading.display = False
        self.problem = ""

    def compose(self) -> ComposeResult:
        """Yield label and control on a line, feedback below."""
        with Horizontal(classes="form-line"):
            yield self._label
            yield self._control
        if self._candidates is not None:
            yield self._candidates
        yield self._reading

    def show_reading(self, words: str, *, doubt: str = "", problem: str = "") -> None:
        """Show the parsed value, a warning about it, or an error."""
        self.problem = problem
        parts = [
            Content.styled(plain_line(text), style)
            for text, style in (
                (problem, "$text-error"),
                ("" if problem else words, MUTED),
                (doubt, "$text-warning"),
            )
            if text
        ]
        self._reading.display = bool(parts)
        if parts:
            self._reading.update(Content.styled(" · ", MUTED).join(parts))
