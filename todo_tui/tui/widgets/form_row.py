"""One field of a form: its name, what it is typed in, and below that how it is read."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.candidate_list import CandidateList


class FormRow(Vertical):
    """Says what is wrong in its place; the name of a changed field is lit."""

    def __init__(self, name: str, control: Widget, below: CandidateList | None = None) -> None:
        super().__init__(classes="form-row")
        self.control = control
        self._label = Static(name, markup=False, classes="form-label")
        self._candidates = below
        self._reading = Static(markup=False, classes="form-reading")
        self._reading.display = False
        self.problem = ""

    def compose(self) -> ComposeResult:
        """Name and control on a line, the reading under the control."""
        with Horizontal(classes="form-line"):
            yield self._label
            yield self.control
        if self._candidates is not None:
            yield self._candidates
        yield self._reading

    def show_changed(self, *, changed: bool) -> None:
        """Light the name, or no longer."""
        self.set_class(changed, "-changed")

    def show_reading(self, words: str, *, doubt: str = "", problem: str = "") -> None:
        """Say how it is read, what is doubtful about that, or what is wrong."""
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
