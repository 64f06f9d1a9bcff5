"""Drafts of entries that use our own names for fields."""

from __future__ import annotations

import dataclasses

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.task import Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.formats.entry import Entry

KNOWN = frozenset(each.name for each in dataclasses.fields(Task))
"""The names of a task's fields."""


def draft_by_ids(entry: Entry) -> TaskDraft:
    """The draft of an entry in which tasks name each other by `id`.

    Fields that are not ours are kept in `extra`.

    Raises:
        ValidationError: a field cannot be used; names the entry.
    """
    return dataclasses.replace(
        _draft(entry),
        id=entry.number("id"),
        parent=entry.number("parent"),
        blocked_by=entry.numbers("blocked_by"),
    )


def draft_by_uuids(entry: Entry) -> TaskDraft:
    """The draft of an entry in which tasks name each other by `uuid`.

    Raises:
        ValidationError: a field cannot be used; names the entry.
    """
    return dataclasses.replace(
        _draft(entry),
        parent_uuid=entry.text("parent"),
        blocker_uuids=entry.texts("blocked_by"),
    )


def _draft(entry: Entry) -> TaskDraft:
    return TaskDraft(
        fields=_fields(entry),
        uuid=entry.text("uuid"),
        series=entry.text("series"),
        slot=entry.text("slot"),
        created_at=entry.instant("created_at"),
        updated_at=entry.instant("updated_at"),
        completed_at=entry.instant("completed_at"),
        deleted_at=entry.instant("deleted_at"),
        place=entry.place,
    )


def _fields(entry: Entry) -> TaskFields:
    fields = TaskFields(
        title=entry.title(),
        notes=entry.text("notes") or "",
        annotations=entry.annotations("annotations"),
        status=entry.choice("status", Status) or Status.TODO,
        priority=entry.choice("priority", Priority),
        due=entry.moment("due"),
        start=entry.moment("start"),
        project=entry.text("project"),
        tags=entry.texts("tags"),
        recurrence=entry.rule("recurrence"),
        repeat_from=entry.choice("repeat_from", RepeatFrom) or RepeatFrom.DUE,
        extra={**entry.others(KNOWN), **entry.table("extra")},
    )
    for zone in ("due_zone", "start_zone"):
        name = entry.text(zone)
        if name is not None:
            fields[zone] = name
    position = entry.text("position")
    if position is not None:
        fields["position"] = position
    return fields
