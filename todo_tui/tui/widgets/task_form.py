"""The form of one task: a row for each field, read as it is typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea

from todo_tui.domain.date_text import when_words
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filter_completion import Candidate, Completions
from todo_tui.domain.filter_tokens import TokenKind
from todo_tui.domain.links import links_of
from todo_tui.domain.quick_completion import sign_completions
from todo_tui.domain.task import Annotation, Priority, Status, Task, TaskFields
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.editing.form import (
    NO_PRIORITY,
    Field,
    FormReader,
    merged_remarks,
    texts_of,
)
from todo_tui.tui.editing.references import References, piece_before, short
from todo_tui.tui.later import Later
from todo_tui.tui.widgets.candidate_list import CandidateList
from todo_tui.tui.widgets.choice_line import ChoiceLine
from todo_tui.tui.widgets.completing_box import CompletingBox
from todo_tui.tui.widgets.form_row import FormRow
from todo_tui.tui.widgets.known_names import KnownNames
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.link_line import LinkLine

if TYPE_CHECKING:
    from todo_tui.tui.workbench import Workbench

LABELS = {
    Field.TITLE: "Title",
    Field.STATUS: "Status",
    Field.DUE: "Due",
    Field.START: "Starts",
    Field.REPEAT: "Repeats",
    Field.PRIORITY: "Priority",
    Field.PROJECT: "Project",
    Field.TAGS: "Tags",
    Field.PARENT: "Part of",
    Field.BLOCKED_BY: "Waits for",
    Field.NOTES: "Notes",
}
_EXAMPLES = {
    Field.DUE: "friday 5pm",
    Field.START: "hidden until then",
    Field.REPEAT: "every monday at 9",
    Field.PROJECT: "work.clients",
    Field.TAGS: "@home @phone",
    Field.PARENT: "words of its title, or #12",
    Field.BLOCKED_BY: "words of titles, or #3 #5",
}
_NAMED = (Field.PARENT, Field.BLOCKED_BY)
_PAUSE_SECONDS = 0.05


class TaskForm(VerticalScroll, can_focus=False):
    """Holds the texts; what they mean is read here, and written by whoever owns the form."""

    class Edited(Message):
        """A field has another text."""

    def __init__(self, task: Task, workbench: Workbench, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.task_before = task
        self._workbench = workbench
        self._clock = workbench.clock
        self._names = KnownNames(workbench.store)
        self._references = References(workbench.store.tasks, task.id)
        self._found: dict[str, tuple[Task, ...]] = {}
        self._named: dict[Field, tuple[Task, ...]] = {}
        self._base: dict[Field, str] = {}
        self._clashes: dict[Field, str] = {}
        self._rows = {field: self._row(field) for field in Field}
        self._remarks = {
            remark: LineBox(placeholder="Emptied, it is removed") for remark in task.annotations
        }
        self._new_remark = LineBox(placeholder="Something to remember, dated today")

    def compose(self) -> ComposeResult:
        """The fields, the remarks, the addresses."""
        yield from self._rows.values()
        for remark, box in self._remarks.items():
            box.value = plain_line(remark.text)
            local = remark.at.astimezone(ZoneInfo(self._clock.zone))
            yield FormRow(when_words(When(local.date()), self._clock.now()), box)
        yield FormRow("Remark", self._new_remark)
        for number, url in enumerate(links_of(self.task_before)):
            yield FormRow("" if number else "Links", LinkLine(url))

    def on_mount(self) -> None:
        """Show the task as it is."""
        with self.prevent(Input.Changed, TextArea.Changed, ChoiceLine.Changed):
            for field, text in texts_of(self.task_before, self._clock.zone).items():
                self._put(field, text)
        self._base = self.texts
        self._read()
        self._look_up()
        self.run_worker(self._names.refresh(), group="names")

    # What stands in it

    @property
    def texts(self) -> dict[Field, str]:
        """The text of each field."""
        return {field: _text_in(row.control) for field, row in self._rows.items()}

    @property
    def changed(self) -> list[Field]:
        """The fields whose texts are others than at first."""
        return [field for field, text in self.texts.items() if text != self._base.get(field)]

    @property
    def changed_names(self) -> list[str]:
        """What was changed, in words."""
        names = [LABELS[field].lower() for field in self.changed]
        return [*names, "remarks"] if self._edited_remarks or self._new_remark.value else names

    @property
    def first_problem(self) -> FormRow | None:
        """The first changed field that cannot be saved as it is."""
        return next((self._rows[each] for each in self.changed if self._rows[each].problem), None)

    def fields(self, present: Task) -> TaskFields:
        """What is to be written into the task as it is now: what was changed, and no more.

        Raises:
            ValidationError: a text has no meaning, or a remark is gone.
            StoreError: the file cannot be read.
        """
        reader = FormReader(present, self._clock, self._workbench.style)
        texts, changed = self.texts, self.changed
        fields = TaskFields()
        for field in changed:
            fields.update(reader.read(field, texts).fields)
        if Field.PARENT in changed:
            parent = self._references.parent(texts[Field.PARENT])
            fields["parent"] = None if parent is None else parent.id
        if Field.BLOCKED_BY in changed:
            blockers = self._references.blockers(texts[Field.BLOCKED_BY])
            fields["blocked_by"] = tuple(each.id for each in blockers)
        edited, new = self._edited_remarks, self._new_remark.value
        if any(remark not in present.annotations for remark in edited):
            raise ValidationError("A remark that you changed was changed or removed meanwhile.")
        if edited or new.strip():
            at = self._clock.utc()
            fields["annotations"] = merged_remarks(present.annotations, edited, new, at)
        return fields

    @property
    def _edited_remarks(self) -> dict[Annotation, str]:
        return {
            remark: box.value
            for remark, box in self._remarks.items()
            if box.value != plain_line(remark.text)
        }

    # What others change meanwhile

    def take(self, present: Task) -> list[str]:
        """Take the task as it is now; answers with the fields that both have changed.

        Fields that were left alone follow.
        """
        before = texts_of(self.task_before, self._clock.zone)
        clashes: list[str] = []
        mine = self.changed
        for field, text in texts_of(present, self._clock.zone).items():
            if text == before[field]:
                continue
            if field not in mine:
                self._put(field, text)
                self._base[field] = self.texts[field]
            elif text != self.texts[field]:
                self._clashes[field] = f"meanwhile: {plain_line(text)[:60] or 'nothing'}"
                self._base[field] = text
                clashes.append(LABELS[field].lower())
        self.task_before = present
        self._read()
        return clashes

    # Reading

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(ChoiceLine.Changed)
    def _read_as_typed(self, event: Message) -> None:
        event.stop()
        if not self._base:
            return
        self._read()
        self.post_message(self.Edited())
        box = event.control
        if isinstance(box, CompletingBox):
            box.look_for_completions()
        if any(box is self._rows[field].control for field in _NAMED):
            self._look_up()

    def _read(self) -> None:
        reader = FormReader(self.task_before, self._clock, self._workbench.style)
        texts, changed = self.texts, self.changed
        for field, row in self._rows.items():
            row.show_changed(changed=field in changed)
            if field in _NAMED:
                continue
            clash = self._clashes.get(field, "")
            try:
                read = reader.read(field, texts)
            except ValidationError as error:
                problem = " ".join(filter(None, (error.message, error.hint)))
                row.show_reading("", doubt=clash, problem=problem if field in changed else "")
                continue
            doubt = " · ".join(filter(None, (read.doubt, clash)))
            row.show_reading(read.words, doubt=doubt)

    def _look_up(self) -> None:
        """Find the tasks that are named, after a pause in typing."""
        self.run_worker(Later(self._look_up_named), group="named", exclusive=True)

    async def _look_up_named(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        for field in _NAMED:
            await self._show_named(field)
        focused = self.screen.focused
        if isinstance(focused, CompletingBox) and any(
            focused is self._rows[field].control for field in _NAMED
        ):
            words = piece_before(focused.value, focused.cursor_position)[1]
            if words and words not in self._found:
                self._found[words] = await asyncio.to_thread(self._references.find, words)
            focused.look_for_completions()

    async def _show_named(self, field: Field) -> None:
        text, row = self.texts[field], self._rows[field]
        clash = self._clashes.get(field, "")
        try:
            if field is Field.PARENT:
                parent = await asyncio.to_thread(self._references.parent, text)
                named: tuple[Task, ...] = () if parent is None else (parent,)
            else:
                named = await asyncio.to_thread(self._references.blockers, text)
        except TodoError as error:
            problem = error.message if field in self.changed else ""
            row.show_reading("", doubt=clash, problem=problem)
            return
        row.show_reading(" · ".join(f"#{each.id} {short(each)}" for each in named), doubt=clash)

    # Making the rows

    def _row(self, field: Field) -> FormRow:
        below = None
        match field:
            case Field.STATUS:
                control: Widget = ChoiceLine([each.value for each in Status], Status.TODO.value)
            case Field.PRIORITY:
                choices = [NO_PRIORITY, *(each.value for each in Priority)]
                control = ChoiceLine(choices, NO_PRIORITY)
            case Field.NOTES:
                control = TextArea(show_line_numbers=False, soft_wrap=True, compact=True)
            case Field.PROJECT | Field.TAGS | Field.PARENT | Field.BLOCKED_BY:
                below = CandidateList()
                complete = self._complete_name if field not in _NAMED else self._complete_task
                if field is Field.PROJECT:
                    complete = self._complete_project
                control = CompletingBox(below, complete, placeholder=_EXAMPLES[field])
            case _:
                control = LineBox(placeholder=_EXAMPLES.get(field, ""))
                # Another date is typed over the old one, as words; a title is mended.
                control.select_on_focus = field is not Field.TITLE
        control.id = f"field-{field.value.replace('_', '-')}"
        return FormRow(LABELS[field], control, below)

    def _put(self, field: Field, text: str) -> None:
        control = self._rows[field].control
        match control:
            case LineBox():
                control.put(text)
            case TextArea():
                control.load_text(text)
            case ChoiceLine():
                control.value = text

    def _complete_name(self, text: str, cursor: int) -> Completions:
        return sign_completions(text, cursor, self._names.names)

    def _complete_project(self, text: str, cursor: int) -> Completions:
        """As quick add completes `#project`, here without its sign."""
        names = self._names.names._replace(tags=())
        found = sign_completions(f"#{text}", cursor + 1, names)
        bare = (each._replace(text=each.text[1:]) for each in found.candidates)
        return Completions(0, len(text), tuple(each for each in bare if each.text != text))

    def _complete_task(self, text: str, cursor: int) -> Completions:
        start, words = piece_before(text, cursor)
        found = self._found.get(words, ()) if words else ()
        candidates = (Candidate(f"#{each.id}", TokenKind.ID, short(each)) for each in found)
        return Completions(start, cursor, tuple(candidates))


def _text_in(control: Widget) -> str:
    match control:
        case LineBox():
            return control.value
        case TextArea():
            return control.text
        case ChoiceLine():
            return control.value
        case _:
            return ""
