"""Rows of the database as tasks, and the values of a task as text in a column."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from sqlite3 import Connection
from typing import cast

from todo_tui.domain.task import Annotation, JsonValue, Priority, RepeatFrom, Status, Task
from todo_tui.domain.text import whole_characters
from todo_tui.domain.when import When

SEPARATOR = "\x1f"
"""Joins the tags of a row; no tag can hold it, because tags are plain text."""

LOGGED = (
    "title",
    "notes",
    "annotations",
    "status",
    "priority",
    "due",
    "due_zone",
    "start",
    "start_zone",
    "project",
    "recurrence",
    "repeat_from",
    "series",
    "slot",
    "parent",
    "position",
    "created_at",
    "completed_at",
    "deleted_at",
    "extra",
)
"""Columns whose every change is an operation in the log."""

EMPTY: Mapping[str, str | None] = {
    **dict.fromkeys(LOGGED),
    "title": "",
    "notes": "",
    "annotations": "[]",
    "status": "todo",
    "repeat_from": "due",
    "position": "",
    "extra": "{}",
}
"""The columns of a task of which nothing was said."""

TASK_SELECT = """
SELECT t.id, t.uuid, t.title, t.created_at, t.updated_at, t.notes, t.annotations, t.status,
    t.priority, t.due, t.due_zone, t.start, t.start_zone, t.project,
    (SELECT group_concat(tag, char(31))
        FROM (SELECT tag FROM task_tags WHERE task = t.row AND gone = 0 ORDER BY row)),
    t.recurrence, t.repeat_from, t.series, t.slot,
    (SELECT p.id FROM tasks p WHERE p.uuid = t.parent AND p.gone = 0),
    (SELECT group_concat(id)
        FROM (SELECT b.id FROM task_blockers k JOIN tasks b ON b.row = k.blocker
            WHERE k.task = t.row AND k.gone = 0 AND b.gone = 0 ORDER BY k.row)),
    t.position, t.completed_at, t.deleted_at, t.extra
FROM tasks t
"""
"""The columns that `task_from_row` reads, in its order."""

_TASKS_BY_ROW = (
    f"{TASK_SELECT.replace('SELECT t.id', 'SELECT t.row, t.id', 1)}"  # noqa: S608 - constants
    "WHERE t.row IN (SELECT value FROM json_each(?))"
)


def task_from_row(row: tuple[object, ...]) -> Task:
    """The task of one row of `TASK_SELECT`."""
    (
        number, uuid, title, created_at, updated_at, notes, annotations, status,
        priority, due, due_zone, start, start_zone, project, tags,
        recurrence, repeat_from, series, slot, parent, blockers,
        position, completed_at, deleted_at, extra,
    ) = cast("tuple[str, ...]", row)  # fmt: skip
    return Task(
        id=int(number),
        uuid=uuid,
        title=title,
        created_at=datetime.fromisoformat(created_at),
        updated_at=datetime.fromisoformat(updated_at),
        notes=notes,
        annotations=annotations_from_text(annotations),
        status=Status(status),
        priority=Priority(priority) if priority else None,
        due=When.parse(due) if due else None,
        due_zone=due_zone,
        start=When.parse(start) if start else None,
        start_zone=start_zone,
        project=project,
        tags=tuple(tags.split(SEPARATOR)) if tags else (),
        recurrence=recurrence,
        repeat_from=RepeatFrom(repeat_from),
        series=series,
        slot=slot,
        parent=None if parent is None else int(parent),
        blocked_by=tuple(int(blocker) for blocker in blockers.split(",")) if blockers else (),
        position=position,
        completed_at=datetime.fromisoformat(completed_at) if completed_at else None,
        deleted_at=datetime.fromisoformat(deleted_at) if deleted_at else None,
        extra={} if extra == "{}" else json.loads(extra),
    )


def tasks_by_row(database: Connection, rows: list[int]) -> dict[int, Task]:
    """The tasks of these row numbers, by row number."""
    found = database.execute(_TASKS_BY_ROW, (json.dumps(rows),))
    return {row[0]: task_from_row(row[1:]) for row in found}


def utc_text(instant: datetime) -> str:
    """An aware instant as it is stored: UTC, to the millisecond, so that text sorts by time."""
    in_utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return (
        f"{_day_text(in_utc.toordinal())}T{_TWO[in_utc.hour]}:{_TWO[in_utc.minute]}"
        f":{_TWO[in_utc.second]}.{str(1000 + in_utc.microsecond // 1000)[1:]}+00:00"
    )


# `isoformat` takes four times as long, and each task of a long import has several instants.
_TWO = tuple(f"{number:02d}" for number in range(60))


@lru_cache(maxsize=4096)
def _day_text(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


def json_text(value: object) -> str:
    """JSON as it is stored: compact, readable, in whole characters."""
    return whole_characters(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def annotations_text(annotations: tuple[Annotation, ...]) -> str:
    """Annotations as a JSON array of `at` and `text`."""
    if not annotations:
        return "[]"
    return json_text([{"at": utc_text(remark.at), "text": remark.text} for remark in annotations])


def annotations_from_text(text: str) -> tuple[Annotation, ...]:
    """The reverse of `annotations_text`."""
    if text == "[]":
        return ()
    return tuple(
        Annotation(datetime.fromisoformat(remark["at"]), remark["text"])
        for remark in json.loads(text)
    )


def extra_text(extra: Mapping[str, JsonValue]) -> str:
    """Fields of other programs as a JSON object."""
    if not extra:
        return "{}"
    return json_text(dict(extra))
