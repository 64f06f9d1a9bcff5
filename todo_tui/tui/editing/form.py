"""What the editor of a task holds: a text for each field, and how such a text is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from todo_tui.domain.clock import Clock
from todo_tui.domain.date_text import when_words
from todo_tui.domain.dates import read_date
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.recurrence import (
    Recurrence,
    read_recurrence,
    recurrence_words,
    upcoming,
)
from todo_tui.domain.task import Annotation, Priority, Status, Task, TaskFields
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import DateStyle, When
from todo_tui.domain.zones import is_zone

DATES_AHEAD = 3
NO_PRIORITY = "none"
_NOTHING = frozenset(("", "none", "no date", "never", "-", "–"))


class Field(StrEnum):
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
class Read:
    """What a text was read as: what would be written, and that in words."""

    fields: TaskFields
    words: str = ""
    doubt: str = ""
    """What is remarkable about it, such as a day that has passed."""


Texts = Mapping[Field, str]


def texts_of(task: Task, home: str) -> dict[Field, str]:
    """The texts of a task's fields, as they can be typed back; `home` is the person's zone."""
    return {
        Field.TITLE: plain_line(task.title),
        Field.STATUS: task.status.value,
        Field.DUE: moment_text(task.due, task.due_zone, home),
        Field.START: moment_text(task.start, task.start_zone, home),
        Field.REPEAT: repeat_text(task),
        Field.PRIORITY: task.priority.value if task.priority else NO_PRIORITY,
        Field.PROJECT: plain_line(task.project or ""),
        Field.TAGS: tags_text(task.tags),
        Field.PARENT: "" if task.parent is None else f"#{task.parent}",
        Field.BLOCKED_BY: " ".join(f"#{blocker}" for blocker in task.blocked_by),
        Field.NOTES: plain_text(task.notes),
    }


def moment_text(when: When | None, zone: str | None, home: str) -> str:
    """`2026-11-27 17:00 Europe/Berlin`; the zone is left out where it is home."""
    if when is None:
        return ""
    text = when.iso().replace("T", " ")
    return f"{text} {zone}" if zone and zone != home and when.at is not None else text


def repeat_text(task: Task) -> str:
    """The repeat in words that can be read again."""
    if task.recurrence is None:
        return ""
    return recurrence_words(Recurrence(task.recurrence, task.repeat_from))


def tags_text(tags: Iterable[str]) -> str:
    """Tags with blanks between, or with commas where a tag has blanks itself."""
    names = [f"@{plain_line(tag)}" for tag in tags]
    if any(" " in name for name in names):
        return ", ".join(names) if len(names) > 1 else f"{names[0]},"
    return " ".join(names)


def read_tags(text: str) -> tuple[str, ...]:
    """The names in a line of tags, each once."""
    pieces = text.split(",") if "," in text else text.split()
    names = (piece.strip().removeprefix("@").strip() for piece in pieces)
    return tuple(dict.fromkeys(name for name in names if name))


class FormReader:
    """Reads the texts of one task's form at one moment."""

    def __init__(self, task: Task, clock: Clock, style: DateStyle) -> None:
        self._task = task
        self._clock = clock
        self._style = style

    def read(self, field: Field, texts: Texts) -> Read:
        """What the text of a field means; other tasks are none of its business.

        Raises:
            ValidationError: it has no meaning there.
        """
        text = texts[field]
        match field:
            case Field.TITLE:
                return self._title(text)
            case Field.DUE:
                return self._due(text)
            case Field.START:
                return self._start(text)
            case Field.REPEAT:
                return self._repeat(text, texts[Field.DUE])
            case _:
                return Read(_labels(field, text))

    def _title(self, text: str) -> Read:
        if not text.strip():
            raise ValidationError("A task needs a title.")
        return Read(TaskFields(title=text.strip()))

    def _due(self, text: str) -> Read:
        when, zone, words, doubt = self._moment(text, self._task.due)
        return Read(TaskFields(due=when, due_zone=zone), words, doubt)

    def _start(self, text: str) -> Read:
        when, zone, words, doubt = self._moment(text, self._task.start)
        return Read(TaskFields(start=when, start_zone=zone), words, doubt)

    def _moment(self, text: str, current: When | None) -> tuple[When | None, str | None, str, str]:
        phrase, zone = _parted(text)
        if phrase.casefold() in _NOTHING:
            return None, None, "", ""
        reading = read_date(phrase, self._clock.now(), self._style, current)
        zone = (zone or self._clock.zone) if reading.when.at is not None else None
        return reading.when, zone, self._said(reading.when, zone), reading.note or ""

    def _said(self, when: When, zone: str | None) -> str:
        """`tomorrow 17:00 · Thursday 19 November 2026 · Europe/Berlin`."""
        day = f"{when.day:%A} {when.day.day} {when.day:%B} {when.day.year}"
        return " · ".join(filter(None, (when_words(when, self._clock.now()), day, zone)))

    def _repeat(self, text: str, due_text: str) -> Read:
        if text.strip().casefold() in _NOTHING:
            return Read(TaskFields(recurrence=None))
        reading = read_recurrence(text, self._clock.now(), self._style)
        recurrence = reading.recurrence
        fields = TaskFields(recurrence=recurrence.rule, repeat_from=recurrence.repeat_from)
        try:
            due = self._due(due_text).fields["due"]
        except ValidationError:
            due = None
        first = due or reading.first
        dates = upcoming(recurrence, first, DATES_AHEAD, self._clock.zone)
        now = self._clock.now()
        words = f"{recurrence_words(recurrence)}: {', '.join(when_words(d, now) for d in dates)}"
        if due is not None:
            # Where the repeat itself would begin is no doubt of a task that has its date.
            return Read(fields, words)
        fields["due"] = first
        return Read(fields, f"{words} · due with the first", reading.note or "")


def _labels(field: Field, text: str) -> TaskFields:
    """Fields whose texts mean what they say; what names other tasks sets nothing here."""
    match field:
        case Field.STATUS:
            return TaskFields(status=Status(text))
        case Field.PRIORITY:
            return TaskFields(priority=None if text == NO_PRIORITY else Priority(text))
        case Field.PROJECT:
            return TaskFields(project=text.strip().removeprefix("#") or None)
        case Field.TAGS:
            return TaskFields(tags=read_tags(text))
        case Field.NOTES:
            return TaskFields(notes=text)
        case _:
            return TaskFields()


def _parted(text: str) -> tuple[str, str | None]:
    """A phrase and the zone that ends it, if one does."""
    phrase = text.strip()
    head, _, last = phrase.rpartition(" ")
    if ("/" in last or last == "UTC") and head and not last[:1].isdigit() and is_zone(last):
        return head.strip(), last
    return phrase, None


def merged_remarks(
    present: tuple[Annotation, ...], edited: Mapping[Annotation, str], new: str, at: datetime
) -> tuple[Annotation, ...]:
    """The remarks after editing: emptied ones are gone, and a new one is dated `at`."""
    kept = [
        Annotation(remark.at, edited.get(remark, remark.text).strip())
        for remark in present
        if edited.get(remark, remark.text).strip()
    ]
    return (*kept, Annotation(at, new.strip())) if new.strip() else tuple(kept)
