"""Task fields from the user's own words: dates, recurrence, priority, project, notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time

from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import RecurrenceReading, first_occurrence, read_recurrence
from todo_tui.domain.task import JsonValue, Priority, Task, TaskFields
from todo_tui.domain.when import DateStyle, When

_NONE_WORDS = ("", "none")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def means_none(given: str) -> bool:
    """Return True for words that clear a field."""
    return given.strip().lower() in _NONE_WORDS


@dataclass(slots=True)
class FieldReader:
    """Reads fields one by one and collects notes on how ambiguous words were understood.

    `task` is the task to change, None for a new one: dates may be relative to its
    present ones, and a recurrence to its due date, so read the due date first. `none`,
    or empty text, clears a field.
    """

    now: datetime
    style: DateStyle
    task: Task | None = None
    fields: TaskFields = field(default_factory=lambda: TaskFields())
    notes: list[str] = field(default_factory=list)

    def read(self, words: Mapping[str, str]) -> None:
        """Read the fields by name.

        Raises:
            ValidationError: Names the words that were not understood.
        """
        readers = {
            "due": self.due,
            "start": self.start,
            "repeat": self.repeat,
            "priority": self.priority,
            "project": self.project,
            "notes": self.text,
        }
        for name, read in readers.items():
            if name in words:
                read(words[name])

    def due(self, words: str) -> None:
        """Read a date or a recurrence with its first date: `every monday 8pm` sets both.

        Raises:
            ValidationError: The words are neither.
        """
        if means_none(words):
            self.fields["due"] = None
            return
        try:
            reading = read_date(
                words, self.now, self.style, current=self.task.due if self.task else None
            )
        except DateNotUnderstood as not_a_date:
            try:
                recurrence = read_recurrence(words, self.now, self.style)
            except DateNotUnderstood:
                raise not_a_date from None
            self._repeat(recurrence, recurrence.first)
            return
        self._set_due(reading.when, exact=_ISO_DAY.fullmatch(words.strip()) is not None)
        self._note(reading.note)

    def _set_due(self, when: When, *, exact: bool) -> None:
        """Set the due date; a day in words, but not an ISO date, keeps the present time."""
        present = self.task.due if self.task else None
        if present is not None and when.at is None and not exact:
            when = When(when.day, present.at)
        self.fields["due"] = when
        if self.task and self.task.due_zone and present and when.at == present.at is not None:
            self.fields["due_zone"] = self.task.due_zone

    def start(self, words: str) -> None:
        """Read the date until which the task is hidden.

        Raises:
            ValidationError: The words are not a date.
        """
        if means_none(words):
            self.fields["start"] = None
            return
        current = self.task.start if self.task else None
        reading = read_date(words, self.now, self.style, current=current)
        self.fields["start"] = reading.when
        self._note(reading.note)

    def repeat(self, words: str) -> None:
        """Read a recurrence; its first date becomes due unless the due date already fits.

        Raises:
            ValidationError: The words are not a recurrence.
        """
        if means_none(words):
            self.fields["recurrence"] = None
            return
        reading = read_recurrence(words, self.now, self.style)
        self._repeat(reading, self._first(reading))

    def priority(self, word: str) -> None:
        """Read `high`, `medium`, `low` or `none`."""
        self.fields["priority"] = None if means_none(word) else Priority(word)

    def project(self, name: str) -> None:
        """Read a dotted path, with or without `#`."""
        self.fields["project"] = None if means_none(name) else name.strip().lstrip("#").strip()

    def text(self, notes: str) -> None:
        """Read notes that replace the old ones; a leading `+ ` adds a line instead."""
        old = self.task.notes if self.task else ""
        if notes.startswith("+ "):
            self.fields["notes"] = "\n".join(part for part in (old, notes[2:].strip()) if part)
        else:
            self.fields["notes"] = "" if means_none(notes) else notes.strip()

    def understood(self) -> dict[str, JsonValue]:
        """Return the notes on ambiguous words, for an answer."""
        return {"understood": list(self.notes)} if self.notes else {}

    def _first(self, reading: RecurrenceReading) -> When:
        """Return the given due date, else the present one if it fits, else the first date."""
        due = self.fields.get("due")
        present = self.task.due if self.task else None
        if due is None and present and _has_occurrence_on(reading.recurrence, present):
            due = present
        if due is None:
            return self._first_at_present_time(reading, present)
        return When(due.day, reading.first.at) if due.at is None else due

    def _first_at_present_time(self, reading: RecurrenceReading, present: When | None) -> When:
        """Return the first date, at the task's present time unless another was given."""
        if reading.first.at is not None or present is None or present.at is None:
            return reading.first
        return first_occurrence(reading.recurrence, self.now, present.at) or reading.first

    def _repeat(self, reading: RecurrenceReading, due: When) -> None:
        self.fields["due"] = due
        self.fields["recurrence"] = reading.recurrence.rule
        self.fields["repeat_from"] = reading.recurrence.repeat_from
        self._note(reading.note)

    def _note(self, note: str | None) -> None:
        if note:
            self.notes.append(note)


def _has_occurrence_on(recurrence: Recurrence, due: When) -> bool:
    """Return True if the recurrence has an occurrence on the due day."""
    first = first_occurrence(recurrence, datetime.combine(due.day, time()))
    return first is not None and first.day == due.day
