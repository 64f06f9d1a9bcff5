"""What a format must read back of the tasks it has written, and where it does so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Task, TaskFields
from todo_tui.formats.parsed_file import FormatContext, ParsedFile
from todo_tui.formats.registry import FileFormat

HOME = FormatContext("Europe/Berlin", datetime(2026, 11, 18, 14, 30))


def context_of(tasks: Sequence[Task]) -> FormatContext:
    return replace(HOME, uuids={task.id: task.uuid for task in tasks})


def as_draft(task: Task, tasks: Sequence[Task], each: FileFormat) -> ImportEntry:
    """What a format must read back of a task."""
    fields = TaskFields(
        title=task.title,
        notes=task.notes,
        annotations=task.annotations,
        status=task.status,
        priority=task.priority,
        estimate=task.estimate,
        due=task.due,
        start=task.start,
        project=task.project,
        tags=task.tags,
        recurrence=task.recurrence,
        repeat_from=task.repeat_from,
        extra=task.extra,
    )
    if task.due_zone is not None:
        fields["due_zone"] = task.due_zone
    if task.start_zone is not None:
        fields["start_zone"] = task.start_zone
    has_ids = each.id in ("json", "csv")
    if has_ids or any(other.position != f"{other.id:08x}" for other in tasks):
        fields["position"] = task.position
    uuids = context_of(tasks).uuids
    return ImportEntry(
        fields=fields,
        id=task.id if has_ids else None,
        uuid=task.uuid,
        series=task.series,
        slot=task.slot,
        parent=task.parent if has_ids else None,
        blocked_by=task.blocked_by if has_ids else (),
        parent_uuid=None if has_ids or task.parent is None else uuids[task.parent],
        blocker_uuids=() if has_ids else tuple(uuids[each] for each in task.blocked_by),
        created_at=task.created_at,
        updated_at=task.updated_at,
        completed_at=task.completed_at,
        deleted_at=task.deleted_at,
    )


def written(each: FileFormat, tasks: Sequence[Task]) -> str:
    return "".join(each.module.write(tasks, context_of(tasks)))


def by_uuid(drafts: Sequence[ImportEntry]) -> dict[str | None, ImportEntry]:
    return {draft.uuid: draft for draft in drafts}


def reading_of(each: FileFormat, text: str) -> ParsedFile | ValidationError:
    try:
        return each.module.read(text, HOME)
    except ValidationError as error:
        return error


def remarks_of(reading: ParsedFile, place: str) -> str:
    """The remarks about the entry at a place, which is read nevertheless."""
    assert reading.bad == ()
    (entry,) = (each for each in reading.entries if each.place == place)
    assert entry.fields["title"]
    return " ".join(remark.what for remark in entry.remarks)


def made_up(number: int, **fields: object) -> Task:
    moment = HOME.now.replace(year=2026, tzinfo=UTC)
    task = Task(
        id=number,
        uuid=f"{number:032x}",
        title=f"Task number {number}",
        created_at=moment,
        updated_at=moment,
        position=f"{number:08x}",
    )
    return replace(task, **fields)  # type: ignore[arg-type]  # each test names real fields
