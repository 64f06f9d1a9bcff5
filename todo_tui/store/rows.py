"""Task rows: validation of fields, columns, and conversion from and to rows.

Invalid values raise a ValidationError: empty titles and tags, texts over their limit, unknown
zones, and days too near an end of the calendar for a conversion to UTC.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from sqlite3 import Connection
from typing import Any, cast
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.estimates import EXAMPLES as ESTIMATE_EXAMPLES
from todo_tui.domain.task import (
    Annotation,
    Priority,
    RepeatFrom,
    Status,
    Task,
    TaskFields,
)
from todo_tui.domain.task_text import (
    clean_label,
    clean_notes,
    clean_project,
    clean_rule,
    clean_title,
)
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.domain.when import (
    When,
    day_after,
    effective_zone,
    is_known_zone,
    start_of_day,
)

SEPARATOR = "\x1f"
"""Joins the tags of a row; tags are plain text and cannot contain it."""
EMPTY: Mapping[str, str | None] = {
    "title": "",
    "notes": "",
    "annotations": "[]",
    "status": "todo",
    "priority": None,
    "due": None,
    "due_zone": None,
    "start": None,
    "start_zone": None,
    "estimate": None,
    "project": None,
    "recurrence": None,
    "repeat_from": "due",
    "series": None,
    "slot": None,
    "parent": None,
    "position": "",
    "created_at": None,
    "completed_at": None,
    "deleted_at": None,
    "extra": "{}",
}
"""Column values of a task with no field set."""
LOGGED = tuple(EMPTY)
"""Columns whose changes are logged as operations."""
TASK_SELECT = """
SELECT t.id, t.uuid, t.title, t.created_at, t.updated_at, t.notes, t.annotations, t.status,
    t.priority, t.due, t.due_zone, t.start, t.start_zone, t.estimate, t.project,
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
"""Columns that `task_from_row` reads, in its order."""
_TASKS_BY_ROW = (
    f"{TASK_SELECT.replace('SELECT t.id', 'SELECT t.row, t.id', 1)}"  # noqa: S608 - constants
    "WHERE t.row IN (SELECT value FROM json_each(?))"
)
_ZONE_SHOWN = 60
_MAX_MINUTES = 999_999
_REMEMBERED = 1024
"""Cache entries for due instants."""
Columns = dict[str, str | None]


def task_from_row(row: tuple[object, ...]) -> Task:
    """Convert one row of `TASK_SELECT`."""
    (
        number, uuid, title, created_at, updated_at, notes, annotations, status,
        priority, due, due_zone, start, start_zone, estimate, project, tags,
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
        estimate=int(estimate) if estimate else None,
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
    """Read tasks by row number."""
    found = database.execute(_TASKS_BY_ROW, (json.dumps(rows),))
    return {row[0]: task_from_row(row[1:]) for row in found}


def utc_text(instant: datetime) -> str:
    """Format an aware instant for storage: UTC with milliseconds, so that text sorts by time."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")


def local_instant(moment: datetime, zone: ZoneInfo) -> str:
    """Return the instant of a naive wall time in stored form."""
    try:
        return utc_text(moment.replace(tzinfo=zone))
    except OverflowError:
        return utc_text(moment.replace(tzinfo=UTC))


def day_begins(day: date, zone: ZoneInfo) -> str:
    """Return the instant at which a day of the zone begins, in stored form."""
    return local_instant(start_of_day(day), zone)


def day_ends(day: date, zone: ZoneInfo) -> str:
    """Return the instant at which the next day of the zone begins, in stored form."""
    return "~" if day == date.max else day_begins(day_after(day), zone)


def json_text(value: object) -> str:
    """Format compact JSON for storage, lone surrogates repaired."""
    return repair_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def annotations_text(annotations: tuple[Annotation, ...]) -> str:
    """Format annotations as a JSON array of `at` and `text`."""
    if not annotations:
        return "[]"
    return json_text(
        [{"at": utc_text(annotation.at), "text": annotation.text} for annotation in annotations]
    )


def annotations_from_text(text: str) -> tuple[Annotation, ...]:
    """Parse the result of `annotations_text`."""
    if text == "[]":
        return ()
    return tuple(
        Annotation(datetime.fromisoformat(annotation["at"]), annotation["text"])
        for annotation in json.loads(text)
    )


def to_columns(fields: TaskFields, present: Mapping[str, str | None], zone: str) -> Columns:
    """Validate fields and return the columns to write, without tags, parent and blockers.

    `present` are the current columns, for values that depend on others; `zone` is the default
    of timed moments.
    """
    given = cast("Mapping[str, Any]", fields)
    columns = {name: convert(given[name]) for name, convert in _CONVERTED.items() if name in given}
    for name, its_zone in (("due", "due_zone"), ("start", "start_zone")):
        if name in given or its_zone in given:
            when = given[name] if name in given else _when(present[name])
            columns[name], columns[its_zone] = _moment(when, given.get(its_zone), zone)
    if fields.get("recurrence"):
        columns["recurrence"] = _validated_rule(fields["recurrence"] or "", {**present, **columns})
    return columns


def sort_instant(columns: Columns, zone: str) -> int | None:
    """Return the seconds since 1970 by which due moments of all zones sort; None without one."""
    due = columns["due"]
    return None if due is None else _instant_of(due, columns["due_zone"], zone)


@lru_cache(maxsize=_REMEMBERED)
def _instant_of(due: str, due_zone: str | None, home: str) -> int:
    try:
        return int(When.parse(due).instant(effective_zone(due_zone, home)).timestamp())
    except (OverflowError, ValueError) as error:
        raise ValidationError(
            f"{due} is too far away.", hint="Choose a day between the years 2 and 9998."
        ) from error


def _validated_rule(rule: str, columns: Columns) -> str:
    # Deferred: most tasks do not recur.
    from todo_tui.domain.recurrence.next_occurrence import Recurrence, require_occurrence

    cleaned = clean_rule(rule).removeprefix("RRULE:")
    require_occurrence(Recurrence(cleaned), _when(columns["due"]))
    return cleaned


def _moment(when: When | None, zone: str | None, home: str) -> tuple[str | None, str | None]:
    if when is None:
        return None, None
    if when.at is None:
        return when.iso(), None
    if zone and not is_known_zone(zone):
        raise ValidationError(
            f"Unknown time zone {plain_line(zone)[:_ZONE_SHOWN]!r}.",
            hint="Write zones as Europe/Berlin.",
        )
    return when.iso(), zone or home


def _when(text: str | None) -> When | None:
    return None if text is None else When.parse(text)


def _text(value: str | None) -> str | None:
    return str(value) if value else None


def _minutes(value: int | None) -> str | None:
    if value is not None and not 0 < value <= _MAX_MINUTES:
        raise ValidationError(f"{value} is not an estimate in minutes.", hint=ESTIMATE_EXAMPLES)
    return _text(None if value is None else str(value))


_CONVERTED: Mapping[str, Callable[[Any], str | None]] = {
    "title": clean_title,
    "notes": lambda notes: clean_notes(notes or "", "note"),
    "project": clean_project,
    "annotations": annotations_text,
    "extra": lambda extra: json_text(dict(extra)) if extra else "{}",
    "status": str,
    "priority": _text,
    "estimate": _minutes,
    "recurrence": _text,
    "repeat_from": str,
    "position": lambda position: clean_label(position, "position"),
}
"""Column values of the fields that depend on no other, in the order in which they are logged."""
