"""Texts of the task editor's fields.

Formats a task, parses each field, looks up parent and blockers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.filters.terms import AnyStatus, ContainsText, InTrash, Not, all_of
from todo_tui.domain.recurrence.next_occurrence import Recurrence, first_occurrences
from todo_tui.domain.recurrence.reader import format_recurrence, read_recurrence
from todo_tui.domain.task import Annotation, Priority, Status, Task, TaskFields
from todo_tui.domain.text import fold_case, plain_line, plain_text
from todo_tui.domain.when import Clock, DateStyle, When, is_known_zone

if TYPE_CHECKING:
    from todo_tui.store.tasks.repository import TaskStore

DATES_AHEAD = 3
NO_PRIORITY = "none"
_EMPTY_WORDS = frozenset(("", "none", "no date", "never", "-", "–"))
MAX_MATCHES = 6
_NUMBER = re.compile(r"(?<!\S)#?(\d+)(?=[\s,;]|$)")
_SHOWN = 40


class FormField(StrEnum):
    """The fields of the form, in their order."""

    TITLE = "title"
    STATUS = "status"
    DUE = "due"
    START = "start"
    REPEAT = "repeat"
    PRIORITY = "priority"
    PROJECT = "project"
    TAGS = "tags"
    PARENT = "parent"
    BLOCKED_BY = "blocked_by"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class ParsedField:
    """Parsed value of a field, with its description."""

    fields: TaskFields
    words: str = ""
    doubt: str = ""
    """Warning, such as a date in the past."""


FieldTexts = Mapping[FormField, str]


def format_fields(task: Task, home: str) -> dict[FormField, str]:
    """Return the texts of a task's fields as they can be typed; `home` is the user's zone."""
    return {
        FormField.TITLE: plain_line(task.title),
        FormField.STATUS: task.status.value,
        FormField.DUE: format_moment(task.due, task.due_zone, home),
        FormField.START: format_moment(task.start, task.start_zone, home),
        FormField.REPEAT: format_recurrence_field(task),
        FormField.PRIORITY: task.priority.value if task.priority else NO_PRIORITY,
        FormField.PROJECT: plain_line(task.project or ""),
        FormField.TAGS: format_tags(task.tags),
        FormField.PARENT: "" if task.parent is None else f"#{task.parent}",
        FormField.BLOCKED_BY: " ".join(f"#{blocker}" for blocker in task.blocked_by),
        FormField.NOTES: plain_text(task.notes),
    }


def format_moment(when: When | None, zone: str | None, home: str) -> str:
    """Return `2026-11-27 17:00 Europe/Berlin`; the home zone is left out."""
    if when is None:
        return ""
    text = when.iso().replace("T", " ")
    return f"{text} {zone}" if zone and zone != home and when.at is not None else text


def format_recurrence_field(task: Task) -> str:
    """Return the recurrence in words that parse again."""
    if task.recurrence is None:
        return ""
    return format_recurrence(Recurrence(task.recurrence, task.repeat_from))


def format_tags(tags: Iterable[str]) -> str:
    """Return the tags separated by spaces, or by commas if a tag contains a space."""
    names = [f"@{plain_line(tag)}" for tag in tags]
    if any(" " in name for name in names):
        return ", ".join(names) if len(names) > 1 else f"{names[0]},"
    return " ".join(names)


def parse_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a line without duplicates."""
    pieces = text.split(",") if "," in text else text.split()
    names = (piece.strip().removeprefix("@").strip() for piece in pieces)
    return tuple(dict.fromkeys(name for name in names if name))


class FormParser:
    """Parses the field texts of one task at one moment."""

    def __init__(self, task: Task, clock: Clock, style: DateStyle) -> None:
        self._task = task
        self._clock = clock
        self._style = style

    def read(self, field: FormField, texts: FieldTexts) -> ParsedField:
        """Parse the text of a field; parent and blockers are left to TaskReferences.

        Raises:
            ValidationError: the text is invalid in this field.
        """
        text = texts[field]
        match field:
            case FormField.TITLE:
                return self._title(text)
            case FormField.DUE:
                return self._due(text)
            case FormField.START:
                return self._start(text)
            case FormField.REPEAT:
                return self._repeat(text, texts[FormField.DUE])
            case _:
                return ParsedField(_parse_label(field, text))

    def _title(self, text: str) -> ParsedField:
        if not text.strip():
            raise ValidationError("A task needs a title.")
        return ParsedField(TaskFields(title=text.strip()))

    def _due(self, text: str) -> ParsedField:
        when, zone, words, doubt = self._moment(text, self._task.due)
        return ParsedField(TaskFields(due=when, due_zone=zone), words, doubt)

    def _start(self, text: str) -> ParsedField:
        when, zone, words, doubt = self._moment(text, self._task.start)
        return ParsedField(TaskFields(start=when, start_zone=zone), words, doubt)

    def _moment(self, text: str, current: When | None) -> tuple[When | None, str | None, str, str]:
        phrase, zone = _split_zone(text)
        if phrase.casefold() in _EMPTY_WORDS:
            return None, None, "", ""
        reading = read_date(phrase, self._clock.now(), self._style, current)
        zone = (zone or self._clock.zone) if reading.when.at is not None else None
        return reading.when, zone, self._describe(reading.when, zone), reading.note or ""

    def _describe(self, when: When, zone: str | None) -> str:
        """Return `tomorrow 17:00 · Thursday 19 November 2026 · Europe/Berlin`."""
        day = f"{when.day:%A} {when.day.day} {when.day:%B} {when.day.year}"
        return " · ".join(filter(None, (format_when(when, self._clock.now()), day, zone)))

    def _repeat(self, text: str, due_text: str) -> ParsedField:
        if text.strip().casefold() in _EMPTY_WORDS:
            return ParsedField(TaskFields(recurrence=None))
        reading = read_recurrence(text, self._clock.now(), self._style)
        recurrence = reading.recurrence
        fields = TaskFields(recurrence=recurrence.rule, repeat_from=recurrence.repeat_from)
        try:
            due = self._due(due_text).fields["due"]
        except ValidationError:
            due = None
        first = due or reading.first
        dates = first_occurrences(recurrence, first, DATES_AHEAD, self._clock.zone)
        now = self._clock.now()
        words = f"{format_recurrence(recurrence)}: {', '.join(format_when(d, now) for d in dates)}"
        if due is not None:
            # A note on the first date of the rule is irrelevant for a task with a due date.
            return ParsedField(fields, words)
        fields["due"] = first
        return ParsedField(fields, f"{words} · due with the first", reading.note or "")


def _parse_label(field: FormField, text: str) -> TaskFields:
    """Parse a field with a literal value; references to tasks yield nothing here."""
    match field:
        case FormField.STATUS:
            return TaskFields(status=Status(text))
        case FormField.PRIORITY:
            return TaskFields(priority=None if text == NO_PRIORITY else Priority(text))
        case FormField.PROJECT:
            return TaskFields(project=text.strip().removeprefix("#") or None)
        case FormField.TAGS:
            return TaskFields(tags=parse_tags(text))
        case FormField.NOTES:
            return TaskFields(notes=text)
        case _:
            return TaskFields()


def _split_zone(text: str) -> tuple[str, str | None]:
    """Split a time zone off the end of a phrase."""
    phrase = text.strip()
    head, _, last = phrase.rpartition(" ")
    if ("/" in last or last == "UTC") and head and not last[:1].isdigit() and is_known_zone(last):
        return head.strip(), last
    return phrase, None


def merge_annotations(
    present: tuple[Annotation, ...], edited: Mapping[Annotation, str], new: str, at: datetime
) -> tuple[Annotation, ...]:
    """Return the annotations after editing: emptied ones removed, a new one dated `at`."""
    kept = [
        Annotation(annotation.at, edited.get(annotation, annotation.text).strip())
        for annotation in present
        if edited.get(annotation, annotation.text).strip()
    ]
    return (*kept, Annotation(at, new.strip())) if new.strip() else tuple(kept)


class TaskReferences:
    """Looks up parent and blockers of one task; takes milliseconds, thread-safe.

    Cycles of parents or blockers are refused.
    """

    def __init__(self, tasks: TaskStore, task_id: int) -> None:
        self._tasks = tasks
        self._id = task_id

    def find(self, words: str) -> tuple[Task, ...]:
        """Find some tasks by words of their title, without the task itself; open ones first.

        Raises:
            StoreError: the file cannot be read.
        """
        parts = [ContainsText(word) for word in words.split()]
        if not parts:
            return ()
        wanted = all_of(AnyStatus(), Not(InTrash()), *parts)
        found = [
            each
            for each in self._tasks.find(wanted, limit=4 * MAX_MATCHES)
            if each.id != self._id and all(_has(each, word) for word in words.split())
        ]
        found.sort(key=lambda each: (not each.is_open, fold_case(each.title) != fold_case(words)))
        return tuple(found[:MAX_MATCHES])

    def parent(self, text: str) -> Task | None:
        """Return the one task named by a text; None for an empty text.

        Raises:
            ValidationError: the text names no task, several, or a descendant of this one.
            StoreError: the file cannot be read.
        """
        named = self._named(text)
        if len(named) > 1:
            raise ValidationError("A task is part of one other at most.")
        for task in named:
            if task.id == self._id:
                raise ValidationError(f"#{task.id} cannot be part of itself.")
            if self._leads_here(task.id, self._parent_of):
                raise ValidationError(
                    f"#{self._id} cannot be part of #{task.id}, which is part of it."
                )
            return task
        return None

    def blockers(self, text: str) -> tuple[Task, ...]:
        """Return the tasks named by a text.

        Raises:
            ValidationError: the text names a missing task, or one that waits for this one.
            StoreError: the file cannot be read.
        """
        named = self._named(text)
        for task in named:
            if task.id == self._id:
                raise ValidationError(f"#{task.id} cannot wait for itself.")
            if self._leads_here(task.id, self._blockers_of):
                raise ValidationError(
                    f"#{self._id} cannot wait for #{task.id}, which waits for it."
                )
        return named

    def _named(self, text: str) -> tuple[Task, ...]:
        named = [self._numbered(number) for number in _NUMBER.findall(text)]
        named += [self._titled(words) for words in reference_phrases(text)]
        return tuple({task.id: task for task in named}.values())

    def _numbered(self, number: str) -> Task:
        try:
            task = self._tasks.get(int(number[:18]))
        except NotFound as error:
            raise ValidationError(error.message) from error
        if task.deleted_at is not None:
            raise ValidationError(f"#{task.id} is in the trash.")
        return task

    def _titled(self, words: str) -> Task:
        found = self.find(words)
        exact = [each for each in found if fold_case(each.title) == fold_case(words)]
        if len(found) == 1 or len(exact) == 1:
            return (exact or found)[0]
        if not found:
            raise ValidationError(f"No title has “{words}”.")
        some = ", ".join(f"#{each.id} {shorten_title(each)}" for each in found[:3])
        raise ValidationError(f"“{words}” could be {some}.")

    def _parent_of(self, task_id: int) -> Iterable[int]:
        parent = self._tasks.get(task_id).parent
        return () if parent is None else (parent,)

    def _blockers_of(self, task_id: int) -> Iterable[int]:
        return self._tasks.get(task_id).blocked_by

    def _leads_here(self, start: int, following: Callable[[int], Iterable[int]]) -> bool:
        """Return True if following the links from `start` reaches this task."""
        seen, left = {start}, [start]
        while left:
            for each in following(left.pop()):
                if each == self._id:
                    return True
                if each not in seen:
                    seen.add(each)
                    left.append(each)
        return False


def reference_phrases(text: str) -> Iterator[str]:
    """Yield the phrases of a text that are not ids, split at ids and commas."""
    for piece in re.split(r"[,;]", _NUMBER.sub(",", text)):
        words = " ".join(piece.split())
        if words:
            yield words


def shorten_title(task: Task) -> str:
    """Return the beginning of a title."""
    title = plain_line(task.title)
    return title if len(title) <= _SHOWN else f"{title[: _SHOWN - 1]}…"


def _has(task: Task, word: str) -> bool:
    return fold_case(word) in fold_case(task.title)


def phrase_before_cursor(text: str, cursor: int) -> tuple[int, str]:
    """Return start and text of the phrase that ends at the cursor; empty right after an id."""
    before = text[:cursor]
    start = 0
    for found in re.finditer(r"(?<!\S)#?\d+(?=[\s,;]|$)|[,;]", before):
        start = found.end()
    words = before[start:]
    return start + len(words) - len(words.lstrip()), " ".join(words.split())
