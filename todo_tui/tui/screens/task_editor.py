"""Task editor: its rows and choices, reading what is typed, saving, conflicting changes."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import OpenSubtasks, TodoError, ValidationError
from todo_tui.domain.filters.completion import Candidate, Completions, complete_sign
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.links import find_task_links
from todo_tui.domain.task import Actor, Annotation, Priority, Status, Task, TaskFields
from todo_tui.domain.text import format_count, plain_line
from todo_tui.domain.when import When
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import app_key_names
from todo_tui.tui.actions.screens import CHOICE_INPUT, LINK_ROW, TASK_EDITOR
from todo_tui.tui.background import run_in_background
from todo_tui.tui.screens.task_fields import (
    NO_PRIORITY,
    REFERENCE_FIELDS,
    FormField,
    FormParser,
    ParsedField,
    format_fields,
    phrase_before_cursor,
    shorten_title,
)
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import CompletionInput, CompletionList, LineInput, NameCache

_POLL_INTERVAL_SECONDS = 1.5
_PAUSE_SECONDS = 0.05


class ChoiceInput(ActionHost, Widget, can_focus=True):
    """One-line choice by arrow keys, first letters or a click."""

    ACTIONS = CHOICE_INPUT

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
        chosen = "bold $text-accent reverse" if self.has_focus else "bold $text-accent"
        pieces = []
        for each in self._choices:
            piece = Content.styled(each, chosen if each == self.value else FAINT)
            pieces.append(piece.stylize(Style.from_meta({"value": each})))
        return Content("  ").join(pieces)

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
        self.value = event.style.meta.get("value", self.value)


class NotesInput(TextArea):
    """Box of several lines."""

    def on_mount(self) -> None:
        """Keep the cursor still where animations are off."""
        self.cursor_blink = self.app.animation_level != "none"

    @property
    def value(self) -> str:
        """Whole text."""
        return self.text

    def put(self, text: str) -> None:
        """Replace the text."""
        self.load_text(text)


FormControl = LineInput | ChoiceInput | NotesInput


class LinkRow(ActionHost, Static, can_focus=True):
    """Row with a link, showing the whole URL that it opens."""

    ACTIONS = LINK_ROW

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

    def __init__(self, name: str, control: Widget, *below: CompletionList) -> None:
        label = Static(name, markup=False, classes="form-label")
        self._reading = Static(markup=False, classes="form-reading")
        self._reading.display = False
        line = Horizontal(label, control, classes="form-line")
        super().__init__(line, *below, self._reading, classes="form-row")
        self.problem = ""

    def show_reading(self, words: str, *, doubt: str = "", problem: str = "") -> None:
        """Show the parsed value, a warning about it, or an error."""
        self.problem = problem
        read = (problem, "$text-error") if problem else (words, MUTED)
        texts = [each for each in (read, (doubt, "$text-warning")) if each[0]]
        parts = [Content.styled(plain_line(text), style) for text, style in texts]
        self._reading.display = bool(parts)
        self._reading.update(Content.styled(" · ", MUTED).join(parts))


class _Edits(NamedTuple):
    """What differs from the task when it is saved; what is typed later waits for the next time."""

    texts: dict[FormField, str]
    annotations: dict[Annotation, str]
    new_annotation: str


class TaskEditorScreen(ActionHost, Dialog[None]):
    """Modal editor that writes edited fields only and reports concurrent changes first."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ACTIONS = TASK_EDITOR

    def __init__(self, services: AppServices, task: Task) -> None:
        super().__init__()
        self._services = services
        self._store = services.store
        self._clock = services.clock
        # The name `_task` belongs to Textual.
        self._known_task = task
        self._names = NameCache(services.store)
        self._found: dict[str, tuple[Task, ...]] = {}
        self._original_texts: dict[FormField, str] = {}
        self._conflicts: dict[FormField, str] = {}
        self._controls: dict[FormField, FormControl] = {}
        self._rows = {field: self._row(field) for field in FormField}
        self._annotations = {
            annotation: LineInput(placeholder="Clear to remove") for annotation in task.annotations
        }
        self._new_annotation = LineInput(placeholder="Add annotation")
        keys = app_key_names(self.app)
        self._save_key, self._leave_key = keys.first("editor.save"), keys.first("editor.leave")
        self._open_key = keys.first("editor.leave_open")
        self._hint = f"{self._save_key} save · Tab next field · {self._leave_key} close"
        self._message_line = Static(self._hint, markup=False, id="said")
        self._leaving = self._asked_of_subtasks = False

    def compose(self) -> ComposeResult:
        """Lay out fields, annotations and links, with a message line below."""
        with Vertical(id="editor") as frame:
            frame.border_title = f"Task #{self._known_task.id}"
            with VerticalScroll(id="form", can_focus=False):
                yield from self._rows.values()
                for annotation, box in self._annotations.items():
                    box.value = plain_line(annotation.text)
                    day = When(annotation.at.astimezone(ZoneInfo(self._clock.zone)).date())
                    yield FormRow(format_when(day, self._clock.now()), box)
                yield FormRow("Annotation", self._new_annotation)
                for number, url in enumerate(find_task_links(self._known_task)):
                    yield FormRow("" if number else "Links", LinkRow(url))
            yield self._message_line

    def _row(self, field: FormField) -> FormRow:
        label, example = field.value
        below = []
        match field:
            case FormField.STATUS:
                control: FormControl = ChoiceInput([each.value for each in Status])
            case FormField.PRIORITY:
                control = ChoiceInput([NO_PRIORITY, *(each.value for each in Priority)])
            case FormField.NOTES:
                control = NotesInput(compact=True)
            case FormField.PROJECT | FormField.TAGS | FormField.PARENT | FormField.BLOCKED_BY:
                control = CompletionInput(placeholder=example)
                below.append(control.candidates)
            case _:
                control = LineInput(placeholder=example)
                # A new date replaces the old one; a title is edited.
                control.select_on_focus = field is not FormField.TITLE
        control.id = f"field-{field.name.lower().replace('_', '-')}"
        self._controls[field] = control
        return FormRow(label, control, *below)

    def on_mount(self) -> None:
        """Fill in the task, focus the title and poll for changes of the task."""
        with self.prevent(Input.Changed, TextArea.Changed, ChoiceInput.Changed):
            for field, text in format_fields(self._known_task, self._clock).items():
                self._controls[field].put(text)
        self._original_texts = self._texts
        self._read()
        self._look_up()
        run_in_background(self, self._names.refresh, group="names")
        self._controls[FormField.TITLE].focus()
        self.set_interval(_POLL_INTERVAL_SECONDS, self._check_task)

    # Reading what is typed

    @property
    def _texts(self) -> dict[FormField, str]:
        return {field: control.value for field, control in self._controls.items()}

    @property
    def _changed(self) -> list[FormField]:
        return [each for each, text in self._texts.items() if text != self._original_texts[each]]

    @property
    def _edits(self) -> _Edits:
        texts = self._texts
        changed = {field: texts[field] for field in self._changed}
        return _Edits(changed, self._edited_annotations, self._new_annotation.value)

    @property
    def _edited_annotations(self) -> dict[Annotation, str]:
        texts = {annotation: box.value for annotation, box in self._annotations.items()}
        return {each: text for each, text in texts.items() if text != plain_line(each.text)}

    def _parser(self, task: Task) -> FormParser:
        return FormParser(task, self._clock, self._services.style, self._store.tasks)

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(ChoiceInput.Changed)
    def _read_as_typed(self, event: Message) -> None:
        event.stop()
        if not self._original_texts:
            return
        self._read()
        # Questions are withdrawn when editing continues.
        self._leaving = self._asked_of_subtasks = False
        self._say(self._hint, MUTED)
        box = event.control
        if isinstance(box, CompletionInput):
            box.offer(self._complete(box))
        if self._names_tasks(box):
            self._look_up()

    def _read(self) -> None:
        texts, changed = self._texts, self._changed
        for field, row in self._rows.items():
            row.set_class(field in changed, "-changed")
            if field not in REFERENCE_FIELDS:
                self._show_reading(field, self._parse(field, texts))

    def _parse(self, field: FormField, texts: dict[FormField, str]) -> ParsedField | TodoError:
        try:
            return self._parser(self._known_task).read(field, texts)
        except TodoError as error:
            return error

    def _show_reading(self, field: FormField, read: ParsedField | TodoError) -> None:
        row, conflict = self._rows[field], self._conflicts.get(field, "")
        if isinstance(read, ParsedField):
            row.show_reading(read.words, doubt=" · ".join(filter(None, (read.doubt, conflict))))
            return
        problem = read.text if isinstance(read, ValidationError) else read.message
        row.show_reading("", doubt=conflict, problem=problem if field in self._changed else "")

    @work(group="named", exclusive=True)
    async def _look_up(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        for field in REFERENCE_FIELDS:
            self._show_reading(field, await asyncio.to_thread(self._parse, field, self._texts))
        box = self.focused
        if isinstance(box, CompletionInput) and self._names_tasks(box):
            words = phrase_before_cursor(box.value, box.cursor_position)[1]
            if words and words not in self._found:
                find = self._parser(self._known_task).find
                self._found[words] = await asyncio.to_thread(find, words)
            box.offer(self._complete(box))

    def _names_tasks(self, box: object) -> bool:
        return any(box is self._controls[field] for field in REFERENCE_FIELDS)

    def _complete(self, box: CompletionInput) -> Completions:
        text, cursor = box.value, box.cursor_position
        if box is self._controls[FormField.PROJECT]:
            return self._complete_project(text, cursor)
        if box is self._controls[FormField.TAGS]:
            return complete_sign(text, cursor, self._names.names)
        return self._complete_task(text, cursor)

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

    # Saving

    def action_save(self) -> None:
        """Save; once asked about open subtasks, also close them."""
        children = SubtaskPolicy.CLOSE if self._asked_of_subtasks else SubtaskPolicy.ASK
        self._save(children, self._edits)

    def action_leave_open(self) -> None:
        """Save without closing open subtasks, once that was asked."""
        if self._asked_of_subtasks:
            self._save(SubtaskPolicy.LEAVE, self._edits)

    @work(group="save", exclusive=True)
    async def _save(self, children: SubtaskPolicy, edits: _Edits) -> None:
        for field in edits.texts:
            if problem := self._rows[field].problem:
                self._controls[field].focus()
                self._say(problem, "$text-error")
                return
        task_id = self._known_task.id
        try:
            present = await asyncio.to_thread(self._store.tasks.get, task_id)
            if self._report_conflicts(present):
                return
            texts = {**self._original_texts, **edits.texts}
            fields = await asyncio.to_thread(self._edited_fields, present, texts, edits)
            if fields:
                by = self._store.new_change_context(Actor.USER)
                (present,) = await self._services.writer.run(
                    self._store.tasks.update, [task_id], fields, by=by, children=children
                )
        except OpenSubtasks as error:
            self._asked_of_subtasks = True
            some = ", ".join(
                f"#{each} {plain_line(name)[:30]}" for each, name in error.subtasks[:3]
            )
            count = format_count(len(error.subtasks), "open subtask")
            keys = f"{self._save_key} complete them too · {self._open_key} leave them open"
            self._say(f"{count}: {some}. {keys}", "$text-warning")
        except TodoError as error:
            self._say(error.text, "$text-error")
        else:
            if self._texts == texts and self._edits[1:] == edits[1:]:
                self.dismiss()
            else:
                self._go_on(present, texts, edits)

    def _go_on(self, saved: Task, texts: dict[FormField, str], edits: _Edits) -> None:
        """Stay open for what was typed while the save waited; `texts` and `edits` are saved."""
        self._known_task = saved
        for field, text in format_fields(saved, self._clock).items():
            control = self._controls[field]
            if control.value == texts[field]:
                control.put(text)
                text = control.value
            self._original_texts[field] = text
        self._annotations = {
            Annotation(each.at, edits.annotations.get(each, each.text).strip()): box
            for each, box in self._annotations.items()
        }
        if self._new_annotation.value == edits.new_annotation:
            self._new_annotation.value = ""
        self._read()
        self._say(f"Saved. {self._save_key} saves what you typed since.", MUTED)

    def _edited_fields(
        self, present: Task, texts: dict[FormField, str], edits: _Edits
    ) -> TaskFields:
        parser, fields = self._parser(present), TaskFields()
        for field in edits.texts:
            fields.update(parser.read(field, texts).fields)
        edited, new = edits.annotations, edits.new_annotation.strip()
        if any(annotation not in present.annotations for annotation in edited):
            raise ValidationError(
                "An annotation you edited has changed elsewhere. Close and edit again."
            )
        if edited or new:
            kept = [(each.at, edited.get(each, each.text).strip()) for each in present.annotations]
            kept.append((self._clock.utc(), new))
            fields["annotations"] = tuple(Annotation(at, text) for at, text in kept if text)
        return fields

    def _report_conflicts(self, present: Task) -> bool:
        """Take over the current state of the task and report fields changed by others too.

        Fields that were not edited follow; saving again overwrites the others.
        """
        if present == self._known_task:
            return False
        before = format_fields(self._known_task, self._clock)
        now = format_fields(present, self._clock)
        conflicts, edited = [], self._changed
        for field in [each for each in FormField if now[each] != before[each]]:
            control, text = self._controls[field], now[field]
            if field not in edited:
                control.put(text)
                self._original_texts[field] = control.value
            elif text != control.value:
                self._conflicts[field] = f"now: {plain_line(text)[:60] or 'nothing'}"
                self._original_texts[field] = text
                conflicts.append(field.label.lower())
        self._known_task = present
        self._read()
        if conflicts:
            text = f"This task changed elsewhere: {', '.join(conflicts)}."
            self._say(f"{text} {self._save_key} overwrites it.", "$text-warning")
        return bool(conflicts)

    @work(group="look", exclusive=True)
    async def _check_task(self) -> None:
        try:
            present = await asyncio.to_thread(self._store.tasks.get, self._known_task.id)
        except TodoError as error:
            self._say(error.message, "$text-error")
            return
        if present != self._known_task and not self._report_conflicts(present):
            self._say("This task changed elsewhere. Fields you did not edit were updated.", MUTED)

    def action_close(self) -> None:
        """Leave; the first press warns about unsaved changes."""
        changed = [field.label.lower() for field in self._changed]
        if self._edited_annotations or self._new_annotation.value:
            changed.append("annotations")
        if not changed or self._leaving:
            self.dismiss()
            return
        self._leaving = True
        keys = f"{self._leave_key} again discards changes · {self._save_key} saves"
        self._say(f"Not saved: {', '.join(changed)}. {keys}", "$text-warning")

    def _say(self, words: str, style: str) -> None:
        self._message_line.update(Content.styled(plain_line(words), style))
