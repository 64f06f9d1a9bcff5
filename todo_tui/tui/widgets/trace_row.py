"""One tool call in the transcript: a line that opens to arguments and result."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.events import StepStatus, ToolStarted, TraceStep
from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.response_lines import response_lines
from todo_tui.tui.widgets.spinner import spinner_frame

_MARKS = {
    StepStatus.SUCCESS: ("✓", "$text-success"),
    StepStatus.ERROR: ("✗", "$text-error"),
    StepStatus.INTERRUPTED: ("■", "$text-warning"),
}
_MOST_LINES = 40
_INDENT = 6
_RIGHT = 9
"""Cells that the milliseconds and the triangle take."""


class TraceRow(Widget, can_focus=True):
    """Spinner and label while the tool runs, then ✓ ✗ ■, one sentence, milliseconds.

    A tick redraws one row of a fixed height and never lays out the history.
    """

    BINDING_GROUP_TITLE = "In the conversation (Shift+Tab)"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,space", "open_or_close", "Open", tooltip="Show arguments and result of this call"
        ),
    ]

    step: reactive[TraceStep | None] = reactive(None, layout=True)
    """The finished call; None while it runs."""
    opened: reactive[bool] = reactive(False, layout=True)
    tick: reactive[int] = reactive(0)
    seconds: reactive[float] = reactive(0.0)
    """How long it has been running."""

    def __init__(self, *, label: str = "", step: TraceStep | None = None) -> None:
        super().__init__()
        self._label = plain_line(label)
        self.set_reactive(TraceRow.step, step)
        self.set_class(step is None, "-running", update=False)

    @classmethod
    def running(cls, started: ToolStarted) -> TraceRow:
        """The row of a call that has just begun."""
        return cls(label=started.label)

    def watch_step(self, step: TraceStep | None) -> None:
        """A finished row no longer spins."""
        self.set_class(step is None, "-running")

    def action_open_or_close(self) -> None:
        """Open or close; a running call has nothing to show yet."""
        if self.step is not None:
            self.opened = not self.opened

    def on_click(self, event: events.Click) -> None:
        """A click toggles, unless it ended a selection of text."""
        if not self.screen.get_selected_text():
            event.stop()
            self.action_open_or_close()

    def render(self) -> Content:
        """The line, and below it what went in and what came out."""
        width = self.content_size.width or self.size.width
        step = self.step
        if step is None:
            spinner = (f" {spinner_frame(self.tick)} ", "$accent")
            passed = f"{self.seconds:.1f} s" if self.seconds >= 0.1 else ""
            return _line(Content.assemble(spinner, self._label), passed, width)
        mark, style = _MARKS[step.status]
        sentence = Content.assemble((f" {mark} ", style), plain_line(step.summary))
        line = _line(
            sentence, f"{_duration(step.milliseconds)} {'▾' if self.opened else '▸'}", width
        )
        if not self.opened:
            return line
        full = Content(plain_line(step.summary))
        cut = full.cell_length > width - 3 - _RIGHT
        whole = _folded(full, width) if cut else []
        return Content("\n").join([line, *whole, *_details(step, width)])


def _line(sentence: Content, right: str, width: int) -> Content:
    """The sentence, cut where it is too long, and what belongs at the right edge."""
    room = max(width - len(right) - 2, 1)
    sentence = sentence.truncate(room, ellipsis=True)
    gap = " " * max(width - sentence.cell_length - len(right) - 1, 1)
    return Content.assemble(sentence, gap, (right, FAINT))


def _duration(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{max(round(milliseconds), 1)} ms"
    return f"{milliseconds / 1000:.1f} s"


def _details(step: TraceStep, width: int) -> list[Content]:
    """Arguments on a line, then the result, indented under the sentence."""
    called = f"{plain_line(step.name)}  {plain_line(step.arguments)}"
    lines = _folded(Content.styled(called, MUTED), width)
    for text in response_lines(step.result):
        lines.extend(_folded(Content.styled(text, MUTED), width))
        if len(lines) >= _MOST_LINES:
            lines = [
                *lines[: _MOST_LINES - 1],
                Content.styled(" " * _INDENT + "…", FAINT),
            ]
            break
    return lines


def _folded(content: Content, width: int) -> list[Content]:
    """The lines of a text in the room that the indent leaves."""
    return [Content(" " * _INDENT) + line for line in content.wrap(max(width - _INDENT - 1, 8))]
