"""Filter drawer: input with highlighting, errors and completions."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input
from textual.worker import Worker

from todo_tui.domain.filters.completion import Candidate, Completions, complete_filter
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.parser import FilterAnalysis, analyse_filter
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.text import format_count, plain_line
from todo_tui.domain.when import Clock, DateStyle
from todo_tui.tui.actions import KeyNames, bind
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.task_list.drawers.base import Drawer, FilterChanged, SaveViewRequested
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import (
    CompletionInput,
    CompletionList,
    HighlightSpan,
    NameCache,
)

EXAMPLES = "today · this week · #project · @tag · !high · no due · any word"
_DOUBT = "filter--doubt"
_FITS = "fits here"
_PAUSE_SECONDS = 0.12
"""Longer than a fast typist needs for the next letter."""


class FilterInput(CompletionInput):
    """Input with each word highlighted by its kind."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"filter--{kind}" for kind in TokenKind),
        _DOUBT,
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.save_view", "save", "save"),
    ]

    def action_save(self) -> None:
        """Request a name for the filter."""
        if self.value.strip():
            self.post_message(SaveViewRequested(self.value.strip()))


class FilterDrawer(Drawer):
    """Filter input that posts each change and shows errors and suggestions."""

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
        leave, save = keys.first("box.leave"), keys.first("box.save_view")
        self._box = FilterInput(above, self._complete)
        super().__init__(
            "/", self._box, f"Enter keep · {leave} clear · {save} save view", above=above, id=id
        )
        self._clock = clock
        self._style = style
        self._names = names
        self._problems: tuple[FilterProblem, ...] = ()
        self._error: FilterProblem | None = None
        self._pause: Worker[None] | None = None

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show the drawer with a text in its input."""
        super().open(text, focus=focus)
        self.run_worker(self._load_names(), group="names", exclusive=True)

    def show_meaning(self, meaning: str, found: int | None) -> None:
        """Show the filter in words and the number of matches, None while counting.

        An empty filter shows examples.
        """
        if self._problems:
            return
        count = "…" if found is None else format_count(found, "task") if found else "nothing"
        words = f"{meaning} · {count}" if meaning else EXAMPLES
        is_being_typed = self._pause is not None and not self._pause.is_finished
        self.say_below(Content.styled(words, MUTED), keep_lines=is_being_typed)

    @on(Input.Changed)
    def _say_what_was_typed(self, event: Input.Changed) -> None:
        event.stop()
        analysis = self._read()
        if self.is_open:
            self.post_message(FilterChanged(event.value, analysis))
            self._box.find_completions()
            self._pause = self.run_worker(
                LazyCoroutine(self._show_after_pause), group="completions", exclusive=True
            )

    @on(Input.Submitted)
    def _keep(self, event: Input.Submitted) -> None:
        event.stop()
        if self._error is not None:
            # Closing the drawer would hide the error shown below the input.
            self._box.cursor_position = self._error.end
        else:
            super().leave()

    def leave(self) -> None:
        """Request to be closed, without the filter."""
        super().leave()
        self.post_message(FilterChanged(""))

    async def _show_after_pause(self) -> None:
        """Show what needs a new layout in a pause between letters."""
        await asyncio.sleep(_PAUSE_SECONDS)
        self._box.show_candidates()
        self.fit_below()

    async def _load_names(self) -> None:
        await self._names.refresh()
        self._read()

    def _read(self) -> FilterAnalysis | None:
        """Highlight the words and show the first problem; None if there is an error."""
        reading = analyse_filter(self._box.value, self._clock.now(), self._style, self._names.names)
        self._problems = (*reading.problems, *reading.warnings)
        self._error = next(iter(reading.problems), None)
        kinds = [(start, end, f"filter--{kind}") for start, end, kind in reading.tokens]
        doubts = [(each.position, each.end, _DOUBT) for each in reading.warnings]
        self._box.set_highlights([HighlightSpan(*span) for span in (*kinds, *doubts)])
        if self._problems:
            problem = self._problems[0]
            text = (plain_line(problem.message), "$text-error" if self._error else "$text-warning")
            hint = (" ", (plain_line(problem.hint), MUTED)) if problem.hint else ()
            self.say_below(Content.assemble(text, *hint))
        return None if self._error else reading

    def _complete(self, text: str, cursor: int) -> Completions:
        """Complete the word at the cursor, else suggest replacements for a mistaken word."""
        found = complete_filter(text, cursor, self._names.names)
        typed = text[found.start : found.end]
        if typed and any(each.text != typed for each in found.candidates):
            return found
        for problem in self._problems:
            if problem.suggestions and text[problem.position : problem.end] == problem.word:
                fits = (Candidate(each, TokenKind.MISTAKE, _FITS) for each in problem.suggestions)
                return Completions(problem.position, problem.end, tuple(fits))
        return Completions(cursor, cursor, ())
