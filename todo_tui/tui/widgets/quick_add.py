"""The box that adds a task, with what was understood shown as it is typed."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from todo_tui.domain.clock import Clock
from todo_tui.domain.date_text import when_words
from todo_tui.domain.errors import TodoError
from todo_tui.domain.quick_marks import SpanKind
from todo_tui.domain.quickadd import QuickAdd, Span, read_quick_add
from todo_tui.domain.recurrence import recurrence_words
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import DateStyle
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.box_messages import AddingLeft, AddRequested
from todo_tui.tui.widgets.cell_text import steady
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.task_drawer import TaskDrawer

_EXAMPLE = "Buy milk tomorrow 5pm #errands @town !high"


class QuickAddBox(LineBox):
    """The box itself: what was understood as something else than title has its colour."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"quick-add--{kind}" for kind in SpanKind}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+w",
            "words_only",
            "words only",
            show=False,
            tooltip="Take every word as part of the title, or read dates again",
        ),
    ]

    class WordsOnlyToggled(Message):
        """Every word is to be title, or no longer."""

    def __init__(self) -> None:
        super().__init__(placeholder=_EXAMPLE)
        self.spans: tuple[Span, ...] = ()
        self.highlighter = _SpanColours(self)

    def action_words_only(self) -> None:
        """Ask for the other way of reading."""
        self.post_message(self.WordsOnlyToggled())


class _SpanColours(Highlighter):
    """Colours the spans of a box."""

    def __init__(self, box: QuickAddBox) -> None:
        self._box = box

    def highlight(self, text: Text) -> None:
        for span in self._box.spans:
            style = self._box.get_component_rich_style(f"quick-add--{span.kind}", partial=True)
            text.stylize(style, span.start, span.end)


class QuickAddDrawer(TaskDrawer):
    """Adds one task after the other; Esc leaves."""

    def __init__(self, clock: Clock, style: DateStyle, *, id: str | None = None) -> None:
        self._box = QuickAddBox()
        super().__init__("+", self._box, "Enter add · Esc leave · Ctrl+W words only", id=id)
        self._clock = clock
        self._style = style
        self._words_only = False

    def put_back(self, text: str, error: TodoError) -> None:
        """What could not be added is in the box again, before what is there, with the reason."""
        typed = self._box.value.strip()
        self.open(f"{text} {typed}".rstrip(), focus=False)
        words = " ".join(filter(None, (error.message, error.hint)))
        self.call_after_refresh(self.say_below, Content.styled(words, "$text-error"))

    def say(self, sentence: str) -> None:
        """Say something below the empty box."""
        self.say_below(Content.styled(sentence, MUTED))

    def close(self) -> None:
        """Put it away; the next time dates are read again."""
        super().close()
        self._words_only = False

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()

    @on(QuickAddBox.WordsOnlyToggled)
    def _read_the_other_way(self, event: QuickAddBox.WordsOnlyToggled) -> None:
        event.stop()
        self._words_only = not self._words_only
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_add(self, event: Input.Submitted) -> None:
        event.stop()
        text = self._box.value.strip()
        if text:
            self.post_message(AddRequested(self._read(text).task_fields(), text))
            self._words_only = False
            self._box.put("")

    @on(LineBox.Left)
    def _leave(self, event: LineBox.Left) -> None:
        event.stop()
        self.post_message(AddingLeft())

    def _read(self, text: str) -> QuickAdd:
        return read_quick_add(text, self._clock.now(), self._style, words_only=self._words_only)

    def _show_reading(self) -> None:
        text = self._box.value
        if not text.strip():
            self._box.spans = ()
            self.say_below(Content(""))
            return
        understood = self._read(text)
        self._box.spans = understood.spans
        self._box.refresh()
        self.say_below(preview(understood, self._clock.now()))


def preview(understood: QuickAdd, now: datetime) -> Content:
    """What Enter would make: title, when, priority, project, tags, then what was doubtful."""
    parts = [Content(steady(plain_line(understood.title)))]
    if understood.recurrence is not None:
        words = recurrence_words(understood.recurrence)
        if understood.due is not None:
            words += f", first {when_words(understood.due, now)}"
        parts.append(Content.styled(words, "$text-accent"))
    elif understood.due is not None:
        parts.append(Content.styled(when_words(understood.due, now), "$text-accent"))
    if understood.start is not None:
        parts.append(Content.styled(f"from {when_words(understood.start, now)}", "$text-accent"))
    if understood.priority is not None:
        parts.append(Content.styled(understood.priority.value, "bold"))
    labels = [understood.project or "", *(f"@{tag}" for tag in understood.tags)]
    parts += [
        Content.styled(steady(plain_line(label)), "$text-success") for label in labels if label
    ]
    parts += [Content.styled(plain_line(note), "$text-warning") for note in understood.notes]
    return Content.styled(" · ", MUTED).join(parts)
