"""The box that adds a task, with what was understood shown as it is typed."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import TodoError
from todo_tui.domain.filter_completion import Completions
from todo_tui.domain.quick_completion import sign_completions
from todo_tui.domain.quick_literals import Stretch, carried_over, toggled
from todo_tui.domain.quick_marks import SpanKind
from todo_tui.domain.quickadd import QuickAdd, Span, read_quick_add
from todo_tui.domain.when import DateStyle
from todo_tui.tui.action_keys import KeyNames, bind
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.box_messages import AddingLeft, AddRequested
from todo_tui.tui.widgets.candidate_list import CandidateList
from todo_tui.tui.widgets.completing_box import Coloured, CompletingBox
from todo_tui.tui.widgets.known_names import KnownNames
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.quick_preview import preview
from todo_tui.tui.widgets.task_drawer import TaskDrawer

_EXAMPLE = "Buy milk tomorrow 5pm #errands @town !high"
_LITERAL = "quick-add--literal"


class QuickAddBox(CompletingBox):
    """The box itself: what was understood as something else than title has its colour."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"quick-add--{kind}" for kind in SpanKind),
        _LITERAL,
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.words_only", "words_only", "words only"),
    ]

    class WordsOnlyToggled(Message):
        """What was understood at the cursor is to be words, or no longer."""

    def action_words_only(self) -> None:
        """Ask for the other way of reading."""
        self.post_message(self.WordsOnlyToggled())


class QuickLine:
    """The text of a box as quick add reads it, with the stretches that are to be words."""

    def __init__(self, clock: Clock, style: DateStyle) -> None:
        self._clock = clock
        self._style = style
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self.literals: tuple[Stretch, ...] = ()

    def read(self, text: str) -> QuickAdd:
        """Read the text after an edit."""
        self.literals = carried_over(self.literals, self._text, text)
        self._text = text
        understood = read_quick_add(text, self._clock.now(), self._style, literals=self.literals)
        self._spans = understood.spans
        return understood

    def toggle(self, cursor: int) -> None:
        """Make words of what is at the cursor, or give its meaning back."""
        self.literals = toggled(self.literals, self._spans, cursor)

    def forget(self) -> None:
        """Begin with another text."""
        self._text, self._spans, self.literals = "", (), ()

    def colours(self) -> list[Coloured]:
        """What the last text has of colours."""
        spans = [Coloured(start, end, f"quick-add--{kind}") for start, end, kind in self._spans]
        return [*spans, *(Coloured(start, end, _LITERAL) for start, end in self.literals)]


class QuickAddDrawer(TaskDrawer):
    """Adds one task after the other; Esc leaves."""

    def __init__(
        self,
        clock: Clock,
        style: DateStyle,
        names: KnownNames,
        keys: KeyNames,
        *,
        id: str | None = None,
    ) -> None:
        above = CandidateList()
        leave, as_words = keys.first("box.leave"), keys.first("box.words_only")
        self._box = QuickAddBox(above, self._complete, placeholder=_EXAMPLE)
        super().__init__(
            "+", self._box, f"Enter add · {leave} leave · {as_words} as words", above=above, id=id
        )
        self._clock = clock
        self._names = names
        self._line = QuickLine(clock, style)

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show it with a text in the box."""
        super().open(text, focus=focus)
        self.run_worker(self._names.refresh(), group="names", exclusive=True)

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
        """Put it away; the next time all is read again."""
        super().close()
        self._line.forget()

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()
        self._box.look_for_completions()

    @on(QuickAddBox.WordsOnlyToggled)
    def _read_the_other_way(self, event: QuickAddBox.WordsOnlyToggled) -> None:
        event.stop()
        # The key may come before the change that was typed last has been read.
        self._line.read(self._box.value)
        self._line.toggle(self._box.cursor_position)
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_add(self, event: Input.Submitted) -> None:
        event.stop()
        text = self._box.value.strip()
        if text:
            fields = self._line.read(self._box.value).task_fields()
            self.post_message(AddRequested(fields, text))
            self._line.forget()
            self._box.put("")

    @on(LineBox.Left)
    def _leave(self, event: LineBox.Left) -> None:
        event.stop()
        self.post_message(AddingLeft())

    def _complete(self, text: str, cursor: int) -> Completions:
        return sign_completions(text, cursor, self._names.names, self._line.literals)

    def _show_reading(self) -> None:
        text = self._box.value
        understood = self._line.read(text)
        self._box.colour(self._line.colours())
        if not text.strip():
            self.say_below(Content(""))
            return
        self.say_below(preview(understood, self._clock))
