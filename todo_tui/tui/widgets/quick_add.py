"""The box that adds a task, with what was understood shown as it is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
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
from todo_tui.domain.task import TaskFields
from todo_tui.domain.task_lines import task_lines
from todo_tui.domain.when import DateStyle
from todo_tui.tui.action_keys import KeyNames, bind
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.box_messages import AddingLeft, AddManyRequested, AddRequested
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

    class LinesPasted(Message):
        """Several lines came into the empty box, where they are one."""

        def __init__(self, lines: tuple[str, ...]) -> None:
            super().__init__()
            self.lines = lines

    def action_words_only(self) -> None:
        """Ask for the other way of reading."""
        self.post_message(self.WordsOnlyToggled())

    def _on_paste(self, event: events.Paste) -> None:
        lines = task_lines(event.text)
        if len(lines) > 1 and not self.value.strip():
            self.post_message(self.LinesPasted(lines))


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

    def fields_of(self, lines: Sequence[str]) -> list[TaskFields]:
        """A task for each line, whatever has been typed; it takes a while for many."""
        now = self._clock.now()
        return [read_quick_add(line, now, self._style).task_fields() for line in lines]

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
    """Adds one task after the other, or one for each line of a paste; Esc leaves."""

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
        self._as_words = as_words
        self._pasted: tuple[str, ...] = ()
        self._pasted_as = ""

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

    def put_lines_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        """Lines that could not be added are in the box as they were pasted, with the reason."""
        self.put_back(" ".join(lines), error)
        self._hold(lines)

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

    @on(QuickAddBox.LinesPasted)
    def _keep_the_lines(self, event: QuickAddBox.LinesPasted) -> None:
        event.stop()
        self._hold(event.lines)
        self._show_reading()

    def _hold(self, lines: tuple[str, ...]) -> None:
        self._pasted, self._pasted_as = lines, self._box.value

    @property
    def _lines(self) -> tuple[str, ...]:
        """The lines that were pasted, as long as nothing of them was edited."""
        return self._pasted if self._box.value == self._pasted_as else ()

    @on(QuickAddBox.WordsOnlyToggled)
    def _read_the_other_way(self, event: QuickAddBox.WordsOnlyToggled) -> None:
        event.stop()
        if self._lines:
            self._pasted = ()
            self._show_reading()
            return
        # The key may come before the change that was typed last has been read.
        self._line.read(self._box.value)
        self._line.toggle(self._box.cursor_position)
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_add(self, event: Input.Submitted) -> None:
        event.stop()
        text = self._box.value.strip()
        if lines := self._lines:
            self.post_message(AddManyRequested(lines, lambda: self._line.fields_of(lines)))
        elif text:
            fields = self._line.read(self._box.value).task_fields()
            self.post_message(AddRequested(fields, text))
        if text:
            self._pasted = ()
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
        if lines := self._lines:
            said = (
                f"Enter adds {len(lines):,} tasks, one a line · {self._as_words} makes one of them"
            )
            self._box.colour(())
            self.say_below(Content.styled(said, "$text-accent"))
            return
        self.say_below(preview(understood, self._clock))
