"""How a task comes and how its fields change."""

from __future__ import annotations

from todo_tui.domain.task import TaskFields
from todo_tui.domain.text import folded
from todo_tui.store.fields import clean_tag, clean_title, columns_of
from todo_tui.store.rows import EMPTY
from todo_tui.store.task_records import Record, not_in_trash
from todo_tui.store.writing import TaskWriting


def add_task(writing: TaskWriting, fields: TaskFields) -> Record:
    """Make a task of these fields.

    Raises:
        ValidationError: a field cannot hold what was asked.
        NotFound: parent or blocker is unknown.
        Conflict: the parent is in the trash.
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
        columns["parent"] = not_in_trash(writing.record(parent)).uuid
    record = writing.create(columns, fields.get("tags", ()), uuid=own_uuid)
    if fields.get("blocked_by"):
        writing.add_blockers(record, writing.records(fields["blocked_by"]))
    return record


def apply_fields(writing: TaskWriting, record: Record, fields: TaskFields) -> None:
    """Set the fields that are given, all but the status, and leave the others.

    Raises:
        ValidationError: a field cannot hold what was asked.
        NotFound: parent or blocker is unknown.
        Conflict: the parent is in the trash.
    """
    columns = columns_of(fields, record.columns, writing.zone)
    columns.pop("status", None)
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
        above = None if parent is None else not_in_trash(writing.record(parent))
        writing.set_parent(record, above)
    if "blocked_by" in fields:
        blockers = writing.records(fields["blocked_by"])
        kept = {blocker.row for blocker in blockers}
        dropped = [row for row in writing.blockers(record) if row not in kept]
        writing.remove_blockers(record, writing.by_rows(dropped))
        writing.add_blockers(record, blockers)


def _slot(due: str | None, writing: TaskWriting) -> str:
    return due or writing.clock.now().date().isoformat()
