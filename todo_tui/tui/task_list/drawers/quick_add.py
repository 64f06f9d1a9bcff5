"""Quick add drawer: input with highlighting and a preview of the task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add, split_task_lines
from todo_tui.domain.change_words.signs import (
    LiteralSpan,
    Span,
    SpanKind,
    remap_literals,
    toggle_literal,
)
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filters.completion import Completions, complete_sign
from todo_tui.domain.recurrence.next_occurrence import Recurrence, first_occurrences
from todo_tui.domain.recurrence.reader import format_recurrence
from todo_tui.domain.task import TaskFields
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import Clock, DateStyle, When
from todo_tui.tui.actions import KeyNames, bind
from todo_tui.tui.task_list.drawers.base import (
    AddManyRequested,
    AddRequested,
    Drawer,
)
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import (
    CompletionInput,
    CompletionList,
    HighlightSpan,
    NameCache,
)
from todo_tui.tui.widgets.text import strip_unstable

DATES_AHEAD = 3
_EXAMPLE = "Buy milk tomorrow 5pm #errands @town !high"
_LITERAL = "quick-add--literal"


def render_preview(understood: QuickAdd, clock: Clock) -> Content:
    """Render title, dates, recurrence, priority, project, tags and notes of doubt."""
    parts = [Content(strip_unstable(plain_line(understood.title))), *_days(understood, clock)]
    if understood.priority is not None:
        parts.append(Content.styled(understood.priority.value, "bold"))
    if understood.project:
        parts.append(_label(understood.project, "$text-success"))
    parts += [_label(f"@{tag}", "$text-warning") for tag in understood.tags]
    if understood.recurrence is not None and understood.due is not None:
        following = format_following_dates(understood.recurrence, understood.due, clock)
        parts += [Content.styled(following, MUTED)] if following else []
    parts += [Content.styled(plain_line(note), "$text-warning") for note in understood.notes]
    return Content.styled(" · ", MUTED).join(parts)


def _days(understood: QuickAdd, clock: Clock) -> Iterator[Content]:
    now = clock.now()
    if understood.recurrence is not None:
        words = format_recurrence(understood.recurrence)
        if understood.due is not None:
            words += f", first {format_when(understood.due, now)}"
        yield Content.styled(words, "$text-accent")
    elif understood.due is not None:
        yield Content.styled(format_when(understood.due, now), "$text-accent")
    if understood.start is not None:
        yield Content.styled(f"from {format_when(understood.start, now)}", "$text-accent")


def format_following_dates(recurrence: Recurrence, first: When, clock: Clock) -> str:
    """Return the dates after the first: `then Fri 1 Jan and Mon 1 Feb`; empty without any."""
    try:
        dates = first_occurrences(recurrence, first, DATES_AHEAD, clock.zone)
    except ValidationError:
        return ""
    words = [format_when(each, clock.now()) for each in dates[1:]]
    return f"then {' and '.join(words)}" if words else ""


def _label(text: str, style: str) -> Content:
    return Content.styled(strip_unstable(plain_line(text)), style)


class QuickAddInput(CompletionInput):
    """Input with parsed parts highlighted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"quick-add--{kind}" for kind in SpanKind),
        _LITERAL,
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.words_only", "words_only", "words only"),
    ]

    class WordsOnlyToggled(Message):
        """Toggle whether the part at the cursor is literal text."""

    class LinesPasted(Message):
        """Several lines were pasted into the empty input, which shows them as one."""

        def __init__(self, lines: tuple[str, ...]) -> None:
            super().__init__()
            self.lines = lines

    def action_words_only(self) -> None:
        """Request the other reading of the part at the cursor."""
        self.post_message(self.WordsOnlyToggled())

    def _on_paste(self, event: events.Paste) -> None:
        lines = split_task_lines(event.text)
        if len(lines) > 1 and not self.value.strip():
            self.post_message(self.LinesPasted(lines))


class QuickAddParser:
    """Parser of the current text, with the spans that are literal."""

    def __init__(self, clock: Clock, style: DateStyle) -> None:
        self._clock = clock
        self._style = style
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self.literals: tuple[LiteralSpan, ...] = ()

    def read(self, text: str) -> QuickAdd:
        """Read the text after an edit."""
        self.literals = remap_literals(self.literals, self._text, text)
        self._text = text
        understood = read_quick_add(text, self._clock.now(), self._style, literals=self.literals)
        self._spans = understood.spans
        return understood

    def fields_of(self, lines: Sequence[str]) -> list[TaskFields]:
        """Parse each line into the fields of a task; slow for many."""
        now = self._clock.now()
        return [read_quick_add(line, now, self._style).task_fields() for line in lines]

    def toggle(self, cursor: int) -> None:
        """Make the part at the cursor literal, or parsed again."""
        self.literals = toggle_literal(self.literals, self._spans, cursor)

    def forget(self) -> None:
        """Reset for a new text."""
        self._text, self._spans, self.literals = "", (), ()

    def highlight_spans(self) -> list[HighlightSpan]:
        """Return the highlights of the last text."""
        spans = [
            HighlightSpan(start, end, f"quick-add--{kind}") for start, end, kind in self._spans
        ]
        return [*spans, *(HighlightSpan(start, end, _LITERAL) for start, end in self.literals)]


class QuickAddDrawer(Drawer):
    """Drawer that adds one task after another, or one for each pasted line."""

    def __init__(
        self,
        clock: Clock,
        style: DateStyle,
        names: NameCache,
        keys: KeyNames,
        *,
        id: str | None = None,
    ) -> None:
        above = CompletionList()
        leave, as_words = keys.first("box.leave"), keys.first("box.words_only")
        self._box = QuickAddInput(above, self._complete, placeholder=_EXAMPLE)
        super().__init__(
            "+", self._box, f"Enter add · {leave} leave · {as_words} as words", above=above, id=id
        )
        self._clock = clock
        self._names = names
        self._line = QuickAddParser(clock, style)
        self._as_words = as_words
        self._pasted: tuple[str, ...] = ()
        self._pasted_as = ""

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show the drawer with a text in its input."""
        super().open(text, focus=focus)
        self.run_worker(self._names.refresh(), group="names", exclusive=True)

    def put_back(self, text: str, error: TodoError) -> None:
        """Restore a text that could not be added, before the current input, with the error."""
        typed = self._box.value.strip()
        self.open(f"{text} {typed}".rstrip(), focus=False)
        words = " ".join(filter(None, (error.message, error.hint)))
        self.call_after_refresh(self.say_below, Content.styled(words, "$text-error"))

    def put_lines_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        """Restore pasted lines that could not be added, with the error."""
        self.put_back(" ".join(lines), error)
        self._hold(lines)

    def say(self, sentence: str) -> None:
        """Show a message below the empty input."""
        self.say_below(Content.styled(sentence, MUTED))

    def close(self) -> None:
        """Hide the drawer and reset the literal spans."""
        super().close()
        self._line.forget()

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()
        self._box.update_completions()

    @on(QuickAddInput.LinesPasted)
    def _keep_lines(self, event: QuickAddInput.LinesPasted) -> None:
        event.stop()
        self._hold(event.lines)
        self._show_reading()

    def _hold(self, lines: tuple[str, ...]) -> None:
        self._pasted, self._pasted_as = lines, self._box.value

    @property
    def _lines(self) -> tuple[str, ...]:
        """Return the pasted lines, unless the text was edited since."""
        return self._pasted if self._box.value == self._pasted_as else ()

    @on(QuickAddInput.WordsOnlyToggled)
    def _toggle_words_only(self, event: QuickAddInput.WordsOnlyToggled) -> None:
        event.stop()
        if self._lines:
            self._pasted = ()
            self._show_reading()
            return
        # The key can arrive before the last Changed message was handled.
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

    def _complete(self, text: str, cursor: int) -> Completions:
        return complete_sign(text, cursor, self._names.names, self._line.literals)

    def _show_reading(self) -> None:
        text = self._box.value
        understood = self._line.read(text)
        self._box.set_highlights(self._line.highlight_spans())
        if not text.strip():
            self.say_below(Content(""))
            return
        if lines := self._lines:
            hint = (
                f"Enter adds {len(lines):,} tasks, one a line · {self._as_words} makes one of them"
            )
            self._box.set_highlights(())
            self.say_below(Content.styled(hint, "$text-accent"))
            return
        self.say_below(render_preview(understood, self._clock))
