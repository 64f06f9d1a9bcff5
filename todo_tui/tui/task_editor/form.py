"""Form of the task editor.

One row per field, choices, links, and live feedback on the input.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar
from zoneinfo import ZoneInfo

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filters.completion import Candidate, Completions, complete_sign
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.links import find_task_links
from todo_tui.domain.task import Annotation, Priority, Status, Task, TaskFields
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.actions import bind
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.task_editor.fields import (
    NO_PRIORITY,
    FormField,
    FormParser,
    TaskReferences,
    format_fields,
    merge_annotations,
    phrase_before_cursor,
    shorten_title,
)
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.line_input import CompletionInput, CompletionList, LineInput, NameCache
from todo_tui.tui.widgets.text import cell_width

if TYPE_CHECKING:
    from todo_tui.tui.services import AppServices

_GAP = 2
LABELS = {
    FormField.TITLE: "Title",
    FormField.STATUS: "Status",
    FormField.DUE: "Due",
    FormField.START: "Starts",
    FormField.REPEAT: "Repeats",
    FormField.PRIORITY: "Priority",
    FormField.PROJECT: "Project",
    FormField.TAGS: "Tags",
    FormField.PARENT: "Part of",
    FormField.BLOCKED_BY: "Waits for",
    FormField.NOTES: "Notes",
}
_EXAMPLES = {
    FormField.DUE: "friday 5pm",
    FormField.START: "hidden until then",
    FormField.REPEAT: "every monday at 9",
    FormField.PROJECT: "work.clients",
    FormField.TAGS: "@home @phone",
    FormField.PARENT: "words of its title, or #12",
    FormField.BLOCKED_BY: "words of titles, or #3 #5",
}
_REFERENCE_FIELDS = (FormField.PARENT, FormField.BLOCKED_BY)
_PAUSE_SECONDS = 0.05


class ChoiceInput(Widget, can_focus=True):
    """One-line choice by arrow keys, first letters or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.choose_next", "choose(1)", "next"),
        bind("editor.choose_previous", "choose(-1)", "previous"),
    ]

    value: reactive[str] = reactive("", init=False)

    class Changed(Message):
        """The chosen value changed."""

        def __init__(self, line: ChoiceInput) -> None:
            super().__init__()
            self.line = line

        @property
        def control(self) -> ChoiceInput:
            """Return the sender, for `@on` selectors."""
            return self.line

    def __init__(self, choices: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choices = tuple(choices)
        self.set_reactive(ChoiceInput.value, value)

    def render(self) -> Content:
        """Render all choices with the current one highlighted."""
        style = "bold $text-accent reverse" if self.has_focus else "bold $text-accent"
        pieces = [
            Content.styled(each, style if each == self.value else FAINT) for each in self._choices
        ]
        return Content(" " * _GAP).join(pieces)

    def watch_value(self) -> None:
        """Post the change."""
        self.post_message(self.Changed(self))

    def on_focus(self) -> None:
        """Repaint with focus style."""
        self.refresh()

    def on_blur(self) -> None:
        """Repaint without focus style."""
        self.refresh()

    def action_choose(self, step: int) -> None:
        """Choose the next value, wrapping around."""
        at = self._choices.index(self.value) if self.value in self._choices else -step
        self.value = self._choices[(at + step) % len(self._choices)]

    def on_key(self, event: events.Key) -> None:
        """Choose the next value that starts with the typed letter."""
        letter = (event.character or "").casefold()
        at = self._choices.index(self.value) if self.value in self._choices else -1
        others = (*self._choices[at + 1 :], *self._choices[: at + 1])
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


class FormFieldRow(Vertical):
    """Row of a field: label, control, and feedback on its input."""

    def __init__(self, name: str, control: Widget, below: CompletionList | None = None) -> None:
        super().__init__(classes="form-row")
        self.control = control
        self._label = Static(name, markup=False, classes="form-label")
        self._candidates = below
        self._reading = Static(markup=False, classes="form-reading")
        self._reading.display = False
        self.problem = ""

    def compose(self) -> ComposeResult:
        """Yield label and control on a line, feedback below."""
        with Horizontal(classes="form-line"):
            yield self._label
            yield self.control
        if self._candidates is not None:
            yield self._candidates
        yield self._reading

    def show_changed(self, *, changed: bool) -> None:
        """Highlight the label of a changed field."""
        self.set_class(changed, "-changed")

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


class TaskForm(VerticalScroll, can_focus=False):
    """Fields of one task; parses the input, which the owner of the form saves."""

    class Edited(Message):
        """The text of a field changed."""

    def __init__(self, task: Task, services: AppServices, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.task_before = task
        self._services = services
        self._clock = services.clock
        self._names = NameCache(services.store)
        self._references = TaskReferences(services.store.tasks, task.id)
        self._found: dict[str, tuple[Task, ...]] = {}
        self._named: dict[FormField, tuple[Task, ...]] = {}
        self._original_texts: dict[FormField, str] = {}
        self._conflicts: dict[FormField, str] = {}
        self._rows = {field: self._row(field) for field in FormField}
        self._annotations = {
            annotation: LineInput(placeholder="Emptied, it is removed")
            for annotation in task.annotations
        }
        self._new_annotation = LineInput(placeholder="Something to remember, dated today")

    def compose(self) -> ComposeResult:
        """Yield the fields, annotations and links."""
        yield from self._rows.values()
        for annotation, box in self._annotations.items():
            box.value = plain_line(annotation.text)
            local = annotation.at.astimezone(ZoneInfo(self._clock.zone))
            yield FormFieldRow(format_when(When(local.date()), self._clock.now()), box)
        yield FormFieldRow("Remark", self._new_annotation)
        for number, url in enumerate(find_task_links(self.task_before)):
            yield FormFieldRow("" if number else "Links", LinkRow(url))

    def on_mount(self) -> None:
        """Fill in the task."""
        with self.prevent(Input.Changed, TextArea.Changed, ChoiceInput.Changed):
            for field, text in format_fields(self.task_before, self._clock.zone).items():
                self._put(field, text)
        self._original_texts = self.texts
        self._read()
        self._look_up()
        self.run_worker(self._names.refresh(), group="names")

    @property
    def texts(self) -> dict[FormField, str]:
        """Return the text of each field."""
        return {field: _text_in(row.control) for field, row in self._rows.items()}

    @property
    def changed(self) -> list[FormField]:
        """Return the fields whose text was edited."""
        return [
            field for field, text in self.texts.items() if text != self._original_texts.get(field)
        ]

    @property
    def changed_names(self) -> list[str]:
        """Return the labels of the edited fields."""
        names = [LABELS[field].lower() for field in self.changed]
        return (
            [*names, "remarks"] if self._edited_annotations or self._new_annotation.value else names
        )

    @property
    def first_problem(self) -> FormFieldRow | None:
        """Return the first edited field that is invalid."""
        return next((self._rows[each] for each in self.changed if self._rows[each].problem), None)

    def fields(self, present: Task) -> TaskFields:
        """Return the edited fields for writing into the current state of the task.

        Raises:
            ValidationError: a field is invalid, or an annotation is gone.
            StoreError: the file cannot be read.
        """
        reader = FormParser(present, self._clock, self._services.style)
        texts, changed = self.texts, self.changed
        fields = TaskFields()
        for field in changed:
            fields.update(reader.read(field, texts).fields)
        if FormField.PARENT in changed:
            parent = self._references.parent(texts[FormField.PARENT])
            fields["parent"] = None if parent is None else parent.id
        if FormField.BLOCKED_BY in changed:
            blockers = self._references.blockers(texts[FormField.BLOCKED_BY])
            fields["blocked_by"] = tuple(each.id for each in blockers)
        edited, new = self._edited_annotations, self._new_annotation.value
        if any(annotation not in present.annotations for annotation in edited):
            raise ValidationError("A remark that you changed was changed or removed meanwhile.")
        if edited or new.strip():
            at = self._clock.utc()
            fields["annotations"] = merge_annotations(present.annotations, edited, new, at)
        return fields

    @property
    def _edited_annotations(self) -> dict[Annotation, str]:
        return {
            annotation: box.value
            for annotation, box in self._annotations.items()
            if box.value != plain_line(annotation.text)
        }

    def take(self, present: Task) -> list[str]:
        """Take over the current state of the task; return the fields in conflict.

        Fields that were not edited follow.
        """
        before = format_fields(self.task_before, self._clock.zone)
        conflicts: list[str] = []
        edited = self.changed
        for field, text in format_fields(present, self._clock.zone).items():
            if text == before[field]:
                continue
            if field not in edited:
                self._put(field, text)
                self._original_texts[field] = self.texts[field]
            elif text != self.texts[field]:
                self._conflicts[field] = f"meanwhile: {plain_line(text)[:60] or 'nothing'}"
                self._original_texts[field] = text
                conflicts.append(LABELS[field].lower())
        self.task_before = present
        self._read()
        return conflicts

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(ChoiceInput.Changed)
    def _read_as_typed(self, event: Message) -> None:
        event.stop()
        if not self._original_texts:
            return
        self._read()
        self.post_message(self.Edited())
        box = event.control
        if isinstance(box, CompletionInput):
            box.update_completions()
        if any(box is self._rows[field].control for field in _REFERENCE_FIELDS):
            self._look_up()

    def _read(self) -> None:
        reader = FormParser(self.task_before, self._clock, self._services.style)
        texts, changed = self.texts, self.changed
        for field, row in self._rows.items():
            row.show_changed(changed=field in changed)
            if field in _REFERENCE_FIELDS:
                continue
            conflict = self._conflicts.get(field, "")
            try:
                read = reader.read(field, texts)
            except ValidationError as error:
                problem = " ".join(filter(None, (error.message, error.hint)))
                row.show_reading("", doubt=conflict, problem=problem if field in changed else "")
                continue
            doubt = " · ".join(filter(None, (read.doubt, conflict)))
            row.show_reading(read.words, doubt=doubt)

    def _look_up(self) -> None:
        """Look up the referenced tasks after a pause in typing."""
        self.run_worker(LazyCoroutine(self._look_up_named), group="named", exclusive=True)

    async def _look_up_named(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        for field in _REFERENCE_FIELDS:
            await self._show_named(field)
        focused = self.screen.focused
        if isinstance(focused, CompletionInput) and any(
            focused is self._rows[field].control for field in _REFERENCE_FIELDS
        ):
            words = phrase_before_cursor(focused.value, focused.cursor_position)[1]
            if words and words not in self._found:
                self._found[words] = await asyncio.to_thread(self._references.find, words)
            focused.update_completions()

    async def _show_named(self, field: FormField) -> None:
        text, row = self.texts[field], self._rows[field]
        conflict = self._conflicts.get(field, "")
        try:
            if field is FormField.PARENT:
                parent = await asyncio.to_thread(self._references.parent, text)
                named: tuple[Task, ...] = () if parent is None else (parent,)
            else:
                named = await asyncio.to_thread(self._references.blockers, text)
        except TodoError as error:
            problem = error.message if field in self.changed else ""
            row.show_reading("", doubt=conflict, problem=problem)
            return
        row.show_reading(
            " · ".join(f"#{each.id} {shorten_title(each)}" for each in named), doubt=conflict
        )

    def _row(self, field: FormField) -> FormFieldRow:
        below = None
        match field:
            case FormField.STATUS:
                control: Widget = ChoiceInput([each.value for each in Status], Status.TODO.value)
            case FormField.PRIORITY:
                choices = [NO_PRIORITY, *(each.value for each in Priority)]
                control = ChoiceInput(choices, NO_PRIORITY)
            case FormField.NOTES:
                control = TextArea(show_line_numbers=False, soft_wrap=True, compact=True)
            case FormField.PROJECT | FormField.TAGS | FormField.PARENT | FormField.BLOCKED_BY:
                below = CompletionList()
                complete = (
                    self._complete_name if field not in _REFERENCE_FIELDS else self._complete_task
                )
                if field is FormField.PROJECT:
                    complete = self._complete_project
                control = CompletionInput(below, complete, placeholder=_EXAMPLES[field])
            case _:
                control = LineInput(placeholder=_EXAMPLES.get(field, ""))
                # A new date replaces the old one; a title is edited.
                control.select_on_focus = field is not FormField.TITLE
        control.id = f"field-{field.value.replace('_', '-')}"
        return FormFieldRow(LABELS[field], control, below)

    def _put(self, field: FormField, text: str) -> None:
        control = self._rows[field].control
        match control:
            case LineInput():
                control.put(text)
            case TextArea():
                control.load_text(text)
            case ChoiceInput():
                control.value = text

    def _complete_name(self, text: str, cursor: int) -> Completions:
        return complete_sign(text, cursor, self._names.names)

    def _complete_project(self, text: str, cursor: int) -> Completions:
        """Complete like `#project` in quick add, without the sign."""
        names = self._names.names._replace(tags=())
        found = complete_sign(f"#{text}", cursor + 1, names)
        bare = (each._replace(text=each.text[1:]) for each in found.candidates)
        return Completions(0, len(text), tuple(each for each in bare if each.text != text))

    def _complete_task(self, text: str, cursor: int) -> Completions:
        start, words = phrase_before_cursor(text, cursor)
        found = self._found.get(words, ()) if words else ()
        candidates = (Candidate(f"#{each.id}", TokenKind.ID, shorten_title(each)) for each in found)
        return Completions(start, cursor, tuple(candidates))


def _text_in(control: Widget) -> str:
    match control:
        case LineInput():
            return control.value
        case TextArea():
            return control.text
        case ChoiceInput():
            return control.value
        case _:
            return ""
