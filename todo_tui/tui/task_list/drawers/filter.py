"""Filters: the drawer with highlighting, errors and completions; the one that saves a view."""

import asyncio
from typing import ClassVar

from textual import on, work
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker

from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filters.completion import Candidate, Completions, complete_filter
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.parser import analyse_filter
from todo_tui.domain.filters.views import SavedView, clean_view_key, clean_view_name
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.text import fold_case, format_count, plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.task_list import FILTER_DRAWER, SAVE_VIEW_DRAWER
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.drawers.base import (
    Drawer,
    FilterChanged,
    SaveViewRequested,
    ViewSaved,
)
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import CompletionInput, LineInput, NameCache

EXAMPLES = "today · this week · #project · @tag · !high · no due · any word"
_DOUBT = "filter--doubt"
_FITS = "matches here"
_PAUSE_SECONDS = 0.12
"""Longer than a fast typist needs for the next letter."""


class FilterInput(CompletionInput):
    """Input with each word highlighted by its kind."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"filter--{kind}" for kind in TokenKind),
        _DOUBT,
    }


class FilterDrawer(ActionHost, Drawer):
    """Filter input that posts each change and shows errors and suggestions."""

    ACTIONS = FILTER_DRAWER

    def __init__(self, services: AppServices, names: NameCache) -> None:
        self._box = FilterInput()
        hint = "Enter apply · {box.leave} clear · {box.save_view} save view"
        super().__init__("task-filter", "/", self._box, keys=hint)
        self._clock = services.clock
        self._style = services.style
        self._names = names
        self._problems: tuple[FilterProblem, ...] = ()
        self._error: FilterProblem | None = None
        self._pause: Worker[None] | None = None

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show the drawer with a text in its input."""
        super().open(text, focus=focus)
        self._load_names()

    def action_save(self) -> None:
        """Request a name for the filter."""
        if text := self._box.value.strip():
            self.post_message(SaveViewRequested(text))

    def show_meaning(self, meaning: str, found: int | None) -> None:
        """Show the filter in words, or examples, and the number of matches, None while counting."""
        if self._problems:
            return
        count = "…" if found is None else format_count(found, "task") if found else "no tasks"
        words = f"{meaning} · {count}" if meaning else EXAMPLES
        is_being_typed = self._pause is not None and not self._pause.is_finished
        self.below.put(Content.styled(words, MUTED), keep_lines=is_being_typed)

    @on(Input.Changed)
    def _say_what_was_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._read()
        if self.is_open:
            self.post_message(FilterChanged(event.value))
            self._box.prepare(self._complete(event.value, self._box.cursor_position))
            self._pause = self._show_after_pause()

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

    @work(group="completions", exclusive=True)
    async def _show_after_pause(self) -> None:
        """Show what needs a new layout in a pause between letters."""
        await asyncio.sleep(_PAUSE_SECONDS)
        self._box.show_candidates()
        self.below.fit()

    @work(group="names", exclusive=True)
    async def _load_names(self) -> None:
        await self._names.refresh()
        self._read()

    def _read(self) -> None:
        """Highlight the words and show the first problem."""
        reading = analyse_filter(self._box.value, self._clock.now(), self._style, self._names.names)
        self._problems = (*reading.problems, *reading.warnings)
        self._error = next(iter(reading.problems), None)
        kinds = [(start, end, f"filter--{kind}") for start, end, kind in reading.tokens]
        doubts = [(each.position, each.end, _DOUBT) for each in reading.warnings]
        self._box.highlight_spans = (*kinds, *doubts)
        if self._problems:
            problem = self._problems[0]
            text = (plain_line(problem.message), "$text-error" if self._error else "$text-warning")
            hint = (" ", (plain_line(problem.hint), MUTED)) if problem.hint else ()
            self.below.put(Content.assemble(text, *hint))

    def _complete(self, text: str, cursor: int) -> Completions:
        found = complete_filter(text, cursor, self._names.names)
        typed = text[found.start : found.end]
        if typed and any(each.text != typed for each in found.candidates):
            return found
        for problem in self._problems:
            if problem.suggestions and text[problem.position : problem.end] == problem.word:
                fits = (Candidate(each, TokenKind.MISTAKE, _FITS) for each in problem.suggestions)
                return Completions(problem.position, problem.end, tuple(fits))
        return Completions(cursor, cursor, ())


class SaveViewDrawer(ActionHost, Drawer):
    """Drawer that names a view, warning about the name or key that it would replace."""

    ACTIONS = SAVE_VIEW_DRAWER

    def __init__(self, services: AppServices) -> None:
        self._name_box = LineInput(placeholder="Name", id="view-name")
        self._key_box = LineInput(placeholder="–", id="view-key")
        label = Static("shortcut ", markup=False, classes="drawer--label")
        hint = "Enter save · {box.next_field} shortcut · {box.leave} close"
        super().__init__("save-view", "☆", self._name_box, label, self._key_box, keys=hint)
        self._views, self._writer = services.store.views, services.writer
        self._known: tuple[SavedView, ...] = ()
        self._text = ""

    def action_next_field(self) -> None:
        """Switch between name and key; elsewhere Tab leaves the pane."""
        box = self._name_box if self._key_box.has_focus else self._key_box
        box.focus(scroll_visible=False)

    def open_for(self, filter_text: str) -> None:
        """Open the drawer for a filter."""
        self._text = filter_text
        self._key_box.put("")
        self.open()
        self._load_views()

    @work(group="names", exclusive=True)
    async def _load_views(self) -> None:
        try:
            self._known = await asyncio.to_thread(self._views.list)
        except TodoError as error:
            self.say_error(error)
            return
        self._show_reading()

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is self._key_box and len(event.value) > 1:
            # The last typed key replaces the one before.
            self._key_box.put(event.value[-1])
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_save(self, event: Input.Submitted) -> None:
        event.stop()
        self._save()

    @work(group="save-view", exclusive=True)
    async def _save(self) -> None:
        name, key = typed = self._typed
        try:
            view = await self._writer.run(self._views.save, name, self._text, key=key)
        except TodoError as error:
            self.say_error(error)
            return
        if typed == self._typed:
            self.post_message(ViewSaved(view))
        else:
            # What was typed while the write waited is another name.
            self._load_views()

    @property
    def _typed(self) -> tuple[str, str | None]:
        """Return name and shortcut."""
        return self._name_box.value, self._key_box.value.strip() or None

    def _show_reading(self) -> None:
        if not self._name_box.value.strip():
            self.below.put(Content.styled(f"Save view: {plain_line(self._text)}", MUTED))
            return
        try:
            name = clean_view_name(self._name_box.value)
            key = clean_view_key(self._key_box.value.strip())
        except ValidationError as error:
            self.say_error(error)
            return
        self.below.put(self._clashes(name, key))

    def _clashes(self, name: str, key: str | None) -> Content:
        warnings = []
        for view in self._known:
            if fold_case(view.name) == fold_case(name):
                warnings.append(f"Replaces the view “{view.name}” ({view.filter_text}).")
            elif key is not None and view.key == key:
                warnings.append(f"Shortcut {key} will open this view instead of “{view.name}”.")
        if warnings:
            return Content.styled(plain_line(" ".join(warnings)), "$text-warning")
        menu = format_hint(self.app, "{list.views}")
        how = f"{menu} {key} opens the view" if key else f"{menu} lists the view"
        return Content.styled(f"{how} · view:{name} in a filter", MUTED)
