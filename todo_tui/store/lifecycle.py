"""How a task comes, changes and is finished, with the occurrences of what repeats."""

from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta

from todo_tui.domain.errors import Conflict
from todo_tui.domain.task import RepeatFrom, Status, TaskFields
from todo_tui.domain.text import folded
from todo_tui.domain.when import When
from todo_tui.store.fields import Columns, clean_tag, clean_title, columns_of
from todo_tui.store.rows import EMPTY
from todo_tui.store.writing import Record, TaskWriting

_OCCURRENCES = uuid.UUID("6f6a2e0b-5d0c-5b53-9a3f-0c2d7f3a9e51")
"""Namespace of the uuids of occurrences."""

_COUNT = re.compile(r"\bCOUNT=(\d+)", re.IGNORECASE)

_CARRIED = (
    "title",
    "notes",
    "priority",
    "start_zone",
    "project",
    "repeat_from",
    "series",
    "parent",
    "position",
    "extra",
)
"""Columns that the next occurrence takes over as they are."""


def add_task(writing: TaskWriting, fields: TaskFields) -> Record:
    """Make a task of these fields.

    Raises:
        ValidationError: a field cannot hold what was asked.
        NotFound: parent or blocker is unknown.
    """
    columns = columns_of(fields, dict(EMPTY), writing.zone)
    columns["title"] = clean_title(fields.get("title", ""))
    if columns.get("status") in ("done", "cancelled"):
        columns["completed_at"] = writing.stamp
    own_uuid = writing.new_id()
    if columns.get("recurrence"):
        columns |= {"series": own_uuid, "slot": _slot(columns.get("due"), writing)}
    parent = fields.get("parent")
    if parent is not None:
        columns["parent"] = writing.record(parent).uuid
    record = writing.create(columns, fields.get("tags", ()), uuid=own_uuid)
    writing.add_blockers(record, writing.records(fields.get("blocked_by", ())))
    return record


def apply_fields(writing: TaskWriting, record: Record, fields: TaskFields) -> None:
    """Set the fields that are given and leave the others.

    Raises:
        ValidationError: a field cannot hold what was asked.
        NotFound: parent or blocker is unknown.
    """
    columns = columns_of(fields, record.columns, writing.zone)
    status = columns.pop("status", None)
    if columns.get("recurrence") and record.columns["series"] is None:
        due = columns.get("due", record.columns["due"])
        columns |= {"series": record.uuid, "slot": _slot(due, writing)}
    writing.change(record, columns)
    if "tags" in fields:
        wanted = {folded(clean_tag(tag)) for tag in fields["tags"]}
        writing.remove_tags(record, [tag for tag in record.tags if folded(tag) not in wanted])
        writing.add_tags(record, fields["tags"])
    if "parent" in fields:
        parent = fields["parent"]
        writing.set_parent(record, None if parent is None else writing.record(parent))
    if "blocked_by" in fields:
        blockers = writing.records(fields["blocked_by"])
        kept = {blocker.row for blocker in blockers}
        dropped = [row for row in writing.blockers(record) if row not in kept]
        writing.remove_blockers(record, [writing.by_row(row) for row in dropped])
        writing.add_blockers(record, blockers)
    if status is not None:
        set_status(writing, record, Status(status))


def set_status(writing: TaskWriting, record: Record, status: Status) -> Record | None:
    """Give it a status; the occurrence that lives on where a repeating task was done."""
    if record.columns["status"] == status:
        return None
    was_open = record.is_open
    columns: Columns = {"status": status.value}
    if status.is_open:
        columns["completed_at"] = None
    elif was_open:
        columns["completed_at"] = writing.stamp
    writing.change(record, columns)
    if status is Status.DONE and record.columns["recurrence"]:
        return _follow(writing, record)
    return None


def out_of_trash(record: Record) -> Record:
    """The record itself.

    Raises:
        Conflict: it is in the trash.
    """
    if record.columns["deleted_at"] is not None:
        raise Conflict(
            f"Task #{record.id} is in the trash.", hint="Undo the deletion, or reopen it first."
        )
    return record


def _follow(writing: TaskWriting, record: Record) -> Record | None:
    """The occurrence after this one: the live one of the series, or a new one.

    The uuid derives from series and slot, so that two devices that complete the
    same occurrence make the same next one.
    """
    series = record.columns["series"] or record.uuid
    live = writing.live_occurrence(series)
    if live is not None:
        return live
    done_at = writing.clock.now()
    due = _due_of(record, done_at)
    zone = record.columns["due_zone"] or writing.zone
    while (following := _next_due(record, due, done_at, zone)) is not None:
        slot = following.iso()
        own_uuid = uuid.uuid5(_OCCURRENCES, f"{series} {slot}").hex
        known = writing.by_uuid(own_uuid)
        if known is None or known.gone:
            return _occurrence(writing, record, following, own_uuid, known)
        if known.is_open:
            writing.change(known, {"deleted_at": None})
            return known
        due = following
    return None


def _occurrence(
    writing: TaskWriting, record: Record, due: When, own_uuid: str, known: Record | None
) -> Record:
    columns: Columns = {name: record.columns[name] for name in _CARRIED}
    columns["due"] = due.iso()
    columns["slot"] = due.iso()
    columns["recurrence"] = _counted_down(record.columns["recurrence"])
    columns["due_zone"] = None if due.at is None else record.columns["due_zone"] or writing.zone
    columns["start"] = _shifted_start(record, due)
    if known is not None:
        writing.forget(known)
    return writing.create(
        columns, record.tags, uuid=own_uuid, task_id=None if known is None else known.id
    )


def _next_due(record: Record, due: When, done_at: datetime, zone: str) -> When | None:
    # dateutil's rules take longer to import than a plain task takes to save.
    from todo_tui.domain.recurrence import Recurrence, next_occurrence

    rule = Recurrence(
        record.columns["recurrence"] or "", RepeatFrom(record.columns["repeat_from"] or "due")
    )
    if _COUNT.search(rule.rule) and _counted_down(rule.rule) is None:
        return None
    return next_occurrence(rule, due, done_at, zone)


def _counted_down(rule: str | None) -> str | None:
    """The rule of the next occurrence, one less to come; None after the last one."""
    found = _COUNT.search(rule or "")
    if rule is None or found is None:
        return rule
    left = int(found[1]) - 1
    return f"{rule[: found.start(1)]}{left}{rule[found.end(1) :]}" if left > 0 else None


def _due_of(record: Record, done_at: datetime) -> When:
    due = record.columns["due"]
    return When(done_at.date()) if due is None else When.parse(due)


def _shifted_start(record: Record, due: When) -> str | None:
    """The start as many days before the new due day as it was before the old one."""
    start, old_due = record.columns["start"], record.columns["due"]
    if start is None or old_due is None:
        return None
    before = When.parse(start)
    gap: timedelta = before.day - When.parse(old_due).day
    return When(due.day + gap, before.at).iso()


def _slot(due: str | None, writing: TaskWriting) -> str:
    return due or writing.clock.now().date().isoformat()
