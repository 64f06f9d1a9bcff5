"""Drafts of entries that use our own names for fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypedDict, cast

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.task import Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.formats.entry import Entry

KNOWN = frozenset(each.name for each in dataclasses.fields(Task))
"""The names of a task's fields."""

_NOTHING = TaskFields(
    title="",
    notes="",
    annotations=(),
    status=Status.TODO,
    priority=None,
    due=None,
    start=None,
    project=None,
    tags=(),
    recurrence=None,
    repeat_from=RepeatFrom.DUE,
    extra={},
)
"""The fields of an entry that says nothing."""


class _History(TypedDict, total=False):
    """What a draft says beside its fields, under the names that it has there."""

    uuid: str
    series: str
    slot: str
    created_at: datetime
    updated_at: datetime
    completed_at: datetime
    deleted_at: datetime


_Readers = Iterable[tuple[str, Callable[[Entry, str], object]]]
"""How to read each field as what `TaskFields` or `_History` has under its name."""

_FIELDS: _Readers = (
    ("notes", Entry.text),
    ("annotations", Entry.annotations),
    ("project", Entry.text),
    ("tags", Entry.texts),
    ("status", lambda entry, name: entry.choice(name, Status)),
    ("priority", lambda entry, name: entry.choice(name, Priority)),
    ("recurrence", Entry.rule),
    ("repeat_from", lambda entry, name: entry.choice(name, RepeatFrom)),
    ("position", Entry.text),
    ("due", Entry.moment),
    ("start", Entry.moment),
    ("due_zone", Entry.text),
    ("start_zone", Entry.text),
)
_HISTORY: _Readers = (
    ("uuid", Entry.text),
    ("series", Entry.text),
    ("slot", Entry.text),
    ("created_at", Entry.instant),
    ("updated_at", Entry.instant),
    ("completed_at", Entry.instant),
    ("deleted_at", Entry.instant),
)


def draft_by_ids(entry: Entry) -> TaskDraft:
    """The draft of an entry in which tasks name each other by `id`.

    Fields that are not ours are kept in `extra`.

    Raises:
        ValidationError: a field cannot be used; names the entry.
    """
    return TaskDraft(
        _fields(entry),
        id=entry.number("id"),
        parent=entry.number("parent"),
        blocked_by=entry.numbers("blocked_by"),
        place=entry.place,
        **_history(entry),
    )


def draft_by_uuids(entry: Entry) -> TaskDraft:
    """The draft of an entry in which tasks name each other by `uuid`.

    Raises:
        ValidationError: a field cannot be used; names the entry.
    """
    return TaskDraft(
        _fields(entry),
        parent_uuid=entry.text("parent"),
        blocker_uuids=entry.texts("blocked_by"),
        place=entry.place,
        **_history(entry),
    )


def _history(entry: Entry) -> _History:
    history: dict[str, object] = {}
    _read(entry, _HISTORY, history)
    return cast("_History", history)


def _fields(entry: Entry) -> TaskFields:
    fields = _NOTHING.copy()
    fields["title"] = entry.title()
    _read(entry, _FIELDS, cast("dict[str, object]", fields))
    others = entry.others(KNOWN)
    if others or "extra" in entry.given:
        fields["extra"] = {**others, **entry.table("extra")}
    return fields


def _read(entry: Entry, readers: _Readers, into: dict[str, object]) -> None:
    """Read what the entry says; in a long file it matters that nothing else is asked for."""
    given = entry.given
    for name, read in readers:
        if name in given:
            value = read(entry, name)
            if value is not None:
                into[name] = value
