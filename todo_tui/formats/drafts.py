"""Drafts of entries that use our own names for fields."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import TypedDict

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


class _History(TypedDict, total=False):
    """What a draft says beside its fields, under the names that it has there."""

    uuid: str | None
    series: str | None
    slot: str | None
    created_at: datetime | None
    updated_at: datetime | None
    completed_at: datetime | None
    deleted_at: datetime | None


# In a long file it matters that only what an entry has is asked for.
def _history(entry: Entry) -> _History:
    given = entry.given
    history = _History(uuid=entry.text("uuid"))
    if "series" in given:
        history["series"] = entry.text("series")
    if "slot" in given:
        history["slot"] = entry.text("slot")
    if "created_at" in given:
        history["created_at"] = entry.instant("created_at")
    if "updated_at" in given:
        history["updated_at"] = entry.instant("updated_at")
    if "completed_at" in given:
        history["completed_at"] = entry.instant("completed_at")
    if "deleted_at" in given:
        history["deleted_at"] = entry.instant("deleted_at")
    return history


def _fields(entry: Entry) -> TaskFields:
    fields = _NOTHING.copy()
    fields["title"] = entry.title()
    _add_words(fields, entry)
    _add_marks(fields, entry)
    _add_moments(fields, entry)
    return fields


def _add_words(fields: TaskFields, entry: Entry) -> None:
    given = entry.given
    if "notes" in given:
        fields["notes"] = entry.text("notes") or ""
    if "annotations" in given:
        fields["annotations"] = entry.annotations("annotations")
    if "project" in given:
        fields["project"] = entry.text("project")
    if "tags" in given:
        fields["tags"] = entry.texts("tags")
    others = entry.others(KNOWN)
    if others or "extra" in given:
        fields["extra"] = {**others, **entry.table("extra")}


def _add_marks(fields: TaskFields, entry: Entry) -> None:
    given = entry.given
    if "status" in given:
        fields["status"] = entry.choice("status", Status) or Status.TODO
    if "priority" in given:
        fields["priority"] = entry.choice("priority", Priority)
    if "recurrence" in given:
        fields["recurrence"] = entry.rule("recurrence")
    if "repeat_from" in given:
        fields["repeat_from"] = entry.choice("repeat_from", RepeatFrom) or RepeatFrom.DUE
    position = entry.text("position")
    if position is not None:
        fields["position"] = position


def _add_moments(fields: TaskFields, entry: Entry) -> None:
    given = entry.given
    if "due" in given:
        fields["due"] = entry.moment("due")
    if "start" in given:
        fields["start"] = entry.moment("start")
    for zone in ("due_zone", "start_zone"):
        name = entry.text(zone)
        if name is not None:
            fields[zone] = name
