"""Fields of `edit` from the words of its options: dates, recurrence, priority, project, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from todo_tui.domain.change_words.quick_add import Schedule
from todo_tui.domain.change_words.reader import ISO_DAY
from todo_tui.domain.dates.moments import DatePhrase
from todo_tui.domain.dates.reader import DateContext, parse_date
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.reader import parse_recurrence
from todo_tui.domain.task import Priority, Task, TaskFields
from todo_tui.domain.when import When


def means_none(given: str) -> bool:
    """Return True for words that clear a field."""
    return given.strip().lower() in ("", "none")


def read_fields(
    words: Mapping[str, str], task: Task, context: DateContext
) -> tuple[TaskFields, tuple[str, ...]]:
    """Read options by name into fields, and notes on how ambiguous words were understood.

    `none`, or empty text, clears a field. Dates may be relative to the present ones.

    Raises:
        ValidationError: Names the words that were not understood.
    """
    fields = TaskFields()
    notes: tuple[str, ...] = ()
    for name in ("due", "repeat", "start"):
        if name not in words:
            continue
        if means_none(words[name]):
            none: dict[str, TaskFields] = {
                "due": {"due": None}, "repeat": {"recurrence": None}, "start": {"start": None},
            }  # fmt: skip
            fields |= none[name]
            continue
        due = fields.get("due")
        read, said = _schedule(name, words[name]).resolve(
            context,
            replace(task, due=due) if due else task,
            keeps_time=not ISO_DAY.search(words[name]),
        )
        if name == "repeat" and due is not None and read["due"] is not None:
            # A date of its own stays, also where it is no occurrence.
            read["due"] = When(due.day, due.at or read["due"].at)
        fields |= read
        notes += said
    if "priority" in words:
        word = words["priority"]
        fields["priority"] = None if means_none(word) else Priority(word)
    if "project" in words:
        name = words["project"]
        fields["project"] = None if means_none(name) else name.strip().lstrip("#").strip()
    if "notes" in words:
        fields["notes"] = _notes(words["notes"], task.notes)
    return fields, notes


def _schedule(name: str, words: str) -> Schedule:
    """Parse one option; `--due "every monday 8pm"` sets both date and recurrence."""
    if name == "start":
        return Schedule(start=parse_date(words))
    if name == "repeat":
        return Schedule(repeat=parse_recurrence(words))
    try:
        return Schedule(DatePhrase(parse_date(words)))
    except DateNotUnderstood as not_a_date:
        try:
            return Schedule(repeat=parse_recurrence(words))
        except DateNotUnderstood:
            raise not_a_date from None


def _notes(given: str, present: str) -> str:
    """Return notes that replace the present ones; `+ ` in front adds a line."""
    if given.startswith("+ "):
        return "\n".join(part for part in (present, given[2:].strip()) if part)
    return "" if means_none(given) else given.strip()
