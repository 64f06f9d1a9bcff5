"""Occurrences of recurring tasks: create the next one, remove it again, or skip one."""

import json
import uuid
from dataclasses import dataclass, field
from datetime import timedelta

from todo_tui.domain.errors import Conflict
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    anchor_to_due_day,
    count_missed_occurrences,
    next_occurrence,
    occurrence_after_skip,
    slot_of,
)
from todo_tui.domain.recurrence.rrule import parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When, effective_zone
from todo_tui.store.database import STARTS_OF_OPS
from todo_tui.store.operations.oplog import OPS_OF_TASKS, OpKind
from todo_tui.store.operations.undo import READ_OP, Inverter, LoggedOp
from todo_tui.store.rows import Columns
from todo_tui.store.tasks.completion import find_open_occurrence, require_open_occurrence
from todo_tui.store.tasks.cycles import creates_parent_cycle
from todo_tui.store.tasks.hierarchy import descendants, restore_tasks
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork, require_recurring

_COPIES = uuid.UUID("c0a1f6de-7f0b-5d7e-8d55-21c1c5a4e0b3")
"""Namespace for the uuids of copied subtasks."""
_COPIED = ("title", "notes", "priority", "start_zone", "estimate", "project", "position", "extra")
_SUBTASK_FIELDS = (*_COPIED, "due_zone")
"""Columns that are copied to a recurring subtask."""
_OCCURRENCES = uuid.UUID("6f6a2e0b-5d0c-5b53-9a3f-0c2d7f3a9e51")
"""Namespace for the uuids of occurrences."""
_OCCURRENCE_FIELDS = (*_COPIED, "repeat_from", "series", "parent")
"""Columns that are copied to the next occurrence."""


def _shift(moment: str | None, days: int) -> str | None:
    """Shift a due or start moment in stored form by `days`."""
    if moment is None:
        return None
    when = When.parse(moment)
    try:
        return When(when.day + timedelta(days=days), when.at).iso()
    except OverflowError:
        return moment


@dataclass
class _SubtaskRenewal:
    """Recreates the subtasks of a task as open ones under `into`, their dates `days` later.

    `into` may be the task itself. Completed subtasks stay under `keep_under`; `closed_together` are
    the rows of those that were closed together with the task.
    """

    work: UnitOfWork
    root: TaskRecord
    into: TaskRecord
    days: int
    keep_under: TaskRecord | None = None
    closed_together: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._below = descendants(self.work, [self.root])
        self._again = {self.root.row: self.into}
        """Copies in the next occurrence, by row of the original."""
        self._kept = {self.root.row: self.keep_under}
        """New parents of completed subtasks, by row of their old one."""
        self._copies: list[TaskRecord] = []

    def run(self) -> list[TaskRecord]:
        """Return the new subtasks."""
        for record, parent in self._below.values():
            if parent.row not in self._again:
                continue  # below a task with its own recurrence
            if record.is_open:
                self._keep(record, parent)
            elif record.columns["recurrence"] is None:
                self._copy(record, parent)
            elif record.row in self.closed_together:
                self._follow(record, parent)
        self._link()
        return self._copies

    def _keep(self, record: TaskRecord, parent: TaskRecord) -> None:
        self._again[record.row] = record
        self._kept[record.row] = self._kept[parent.row]
        columns: Columns = {"parent": self._again[parent.row].uuid}
        if record.columns["recurrence"] is None:
            columns |= self._shifted(record)
        self.work.change(record, columns)

    def _shifted(self, record: TaskRecord) -> Columns:
        return {name: _shift(record.columns[name], self.days) for name in ("due", "start")}

    def _copy(self, record: TaskRecord, parent: TaskRecord) -> None:
        above = self._again[parent.row]
        columns: Columns = {name: record.columns[name] for name in _SUBTASK_FIELDS}
        columns |= {"parent": above.uuid, **self._shifted(record)}
        own_uuid = uuid.uuid5(_COPIES, f"{above.uuid} {record.uuid}").hex
        known = self.work.by_uuid(own_uuid)
        if known is not None and not known.gone:
            # It was created before and kept by an undo, because it had been edited.
            self.work.change(known, {"parent": above.uuid})
            copy = known
        else:
            copy = _create(self.work, columns, record, own_uuid, known)
        self._again[record.row] = copy
        self._kept[record.row] = record
        self._copies.append(copy)
        kept_under = self._kept[parent.row]
        if kept_under is not parent:
            self.work.change(record, {"parent": None if kept_under is None else kept_under.uuid})

    def _follow(self, record: TaskRecord, parent: TaskRecord) -> None:
        following = create_next_occurrence(self.work, record, self.closed_together)
        above = self._again[parent.row]
        # An occurrence may have been moved under another one of its series.
        if following and not creates_parent_cycle(self.work, following[0], above.uuid):
            self.work.change(following[0], {"parent": above.uuid})
            self._copies += following

    def _link(self) -> None:
        """Copy the blockers between the subtasks to their copies."""
        rows = json.dumps(list(self._below))
        pairs = self.work.database.execute(
            "SELECT task, blocker FROM task_blockers WHERE gone = 0"
            " AND task IN (SELECT value FROM json_each(?))"
            " AND blocker IN (SELECT value FROM json_each(?))",
            (rows, rows),
        ).fetchall()
        for task, blocker in pairs:
            waiting, awaited = self._again.get(task), self._again.get(blocker)
            if waiting is None or awaited is None:
                continue
            if waiting.row == task and awaited.row != blocker:
                self.work.remove_blockers(waiting, [self._below[blocker][0]])
            self.work.add_blockers(waiting, [awaited])


def create_next_occurrence(
    work: UnitOfWork, record: TaskRecord, closed_together: set[int]
) -> list[TaskRecord]:
    """Return the live occurrence of the series or create the next one; empty after the last.

    Its reopened subtasks follow it. The uuid is derived from series and slot, so that two
    devices that complete the same occurrence create the same next one. `closed_together` are the
    rows of subtasks that were closed together with it.
    """
    series = record.columns["series"] or record.uuid
    live = find_open_occurrence(work, series)
    if live is not None:
        return [live]
    ended = work.database.execute(
        "SELECT 1 FROM tasks WHERE series = ? AND slot > ? AND recurrence IS NULL"
        " AND user = ? AND gone = 0 LIMIT 1",
        (series, record.columns["slot"] or "", work.user),
    ).fetchone()
    if ended is not None:
        return []
    recurrence, zone = _recurrence_of(record), effective_zone(record.columns["due_zone"], work.zone)
    due, slot = _due_and_slot(work, record)
    current, suffix = slot_of(recurrence, due, slot), ""
    while True:
        following = next_occurrence(recurrence, due, work.log.now, zone, slot=slot)
        if following is None:
            return []
        rule = _rule_with_remaining_count(recurrence, current, following, zone)
        if rule is None:
            return []
        own_uuid = uuid.uuid5(_OCCURRENCES, f"{series} {following.iso()}{suffix}").hex
        known = work.by_uuid(own_uuid)
        if known is None or known.gone:
            columns: Columns = {name: record.columns[name] for name in _OCCURRENCE_FIELDS}
            columns |= {**_dates(work, record, current, following), "recurrence": rule}
            created = _create(work, columns, record, own_uuid, known)
            days = (following.day - current.day).days
            renewal = _SubtaskRenewal(work, record, created, days, record, closed_together)
            return [created, *renewal.run()]
        if known.is_open:
            return restore_tasks(work, [known])[:1]
        if recurrence.repeat_from is RepeatFrom.COMPLETION:
            # Completed twice within one interval, it is due on the same day again.
            suffix = f" after {known.uuid}"
        else:
            due, slot = following, None


def remove_next_occurrence(
    work: UnitOfWork, record: TaskRecord
) -> tuple[TaskRecord | None, TaskRecord | None]:
    """Remove the occurrence that the completion of a task created, unless it was changed since.

    Its subtasks go with it; those that it took over return, and recurring ones are open again.
    Returns the removed one, or the one that stays.
    """
    series = record.columns["series"]
    completed = work.database.execute(
        "SELECT batch, at FROM ops WHERE task_uuid = ? AND user = ? AND field = 'status'"  # noqa: S608
        f" AND new = 'done' AND {STARTS_OF_OPS} ORDER BY seq DESC LIMIT 1",
        (record.uuid, work.user),
    ).fetchone()
    if series is None or completed is None:
        return None, None
    logged = _logged_in(work, *completed)
    created = [each.task_uuid for each in logged if each.kind == OpKind.CREATE]
    work.look_up(created)
    later = [
        each
        for each in map(work.by_uuid, created)
        if each and not each.gone and each.columns["series"] == series and each is not record
    ]
    if not later:
        return None, find_open_occurrence(work, series)
    following = min(later, key=lambda each: each.columns["slot"] or "")
    subtree = [following, *(below for below, _ in descendants(work, [following]).values())]
    if following.in_trash or _changed_after(work, subtree, logged[-1].seq):
        return None, None if following.in_trash else following
    removed = {each.uuid for each in subtree}
    kept = {below.uuid for below, _ in descendants(work, [record]).values()}
    again = {each.columns["series"] for each in subtree if each.uuid in created} - {series, None}

    def concerns(each: LoggedOp) -> bool:
        if each.task_uuid in removed or (each.task_uuid in kept and each.field == "parent"):
            return True
        task = work.by_uuid(each.task_uuid)
        has_closed = each.field in ("status", "completed_at")
        return has_closed and task is not None and task.columns["series"] in again

    Inverter(work, [each for each in logged if concerns(each)], is_undo=False).run()
    return following, None


def _logged_in(work: UnitOfWork, batch: str, at: str) -> list[LoggedOp]:
    """Return the operations of a batch at that instant, oldest first."""
    rows = work.database.execute(
        f"SELECT {READ_OP} FROM batches b JOIN ops o ON o.seq BETWEEN b.first_op AND b.last_op"  # noqa: S608
        " WHERE b.user = ?1 AND b.batch = ?2 AND o.user = ?1 AND o.batch = ?2 AND o.at = ?3"
        " ORDER BY o.seq",
        (work.user, batch, at),
    )
    return [LoggedOp(*row) for row in rows]


def _changed_after(work: UnitOfWork, records: list[TaskRecord], seq: int) -> bool:
    """Return True if the log has a change of one of the tasks after that position."""
    uuids = json.dumps([record.uuid for record in records])
    query = f"{OPS_OF_TASKS} SELECT 1 FROM own WHERE seq > ? LIMIT 1"  # noqa: S608 - a constant
    return work.database.execute(query, (uuids, seq)).fetchone() is not None


def skip_occurrence(work: UnitOfWork, record: TaskRecord, *, missed: bool) -> list[TaskRecord]:
    """Advance a recurring task as `TaskStore.skip`; return its reopened subtasks."""
    require_open_occurrence(work, record)
    recurrence, zone = _recurrence_of(record), effective_zone(record.columns["due_zone"], work.zone)
    due, slot = _due_and_slot(work, record)
    current = slot_of(recurrence, due, slot)
    following = occurrence_after_skip(recurrence, due, work.log.now, zone, missed=missed, slot=slot)
    rule = None
    if following is not None:
        rule = _rule_with_remaining_count(recurrence, current, following, zone)
    if following is None or rule is None:
        raise Conflict(
            f"#{record.id} has no further occurrence to skip to.",
            hint="Complete or delete the task.",
        )
    work.change(record, {**_dates(work, record, current, following), "recurrence": rule})
    days = (following.day - current.day).days
    return _SubtaskRenewal(work, record, record, days).run()


def _recurrence_of(record: TaskRecord) -> Recurrence:
    repeat_from = RepeatFrom(record.columns["repeat_from"] or "due")
    return Recurrence(require_recurring(record), repeat_from)


def _create(
    work: UnitOfWork,
    columns: Columns,
    original: TaskRecord,
    own_uuid: str,
    undone: TaskRecord | None,
) -> TaskRecord:
    """Create a copy, with the id of the one whose creation was undone, if any."""
    if undone is not None:
        work.forget(undone)
    task_id = None if undone is None else undone.id
    return work.create(columns, original.tags, uuid=own_uuid, task_id=task_id, copy_of=original)


def _dates(work: UnitOfWork, record: TaskRecord, before: When, due: When) -> Columns:
    """Return the dates of a later occurrence; its start stays as many days before it is due."""
    has_due = record.columns["due"] is not None
    start = _shift(record.columns["start"], (due.day - before.day).days) if has_due else None
    return {
        "due": due.iso(),
        "due_zone": None if due.at is None else record.columns["due_zone"] or work.zone,
        "start": start,
        "slot": due.iso(),
    }


def _rule_with_remaining_count(
    recurrence: Recurrence, due: When, following: When, zone: str
) -> str | None:
    """Return the rule of a later occurrence with its COUNT reduced; None after the last one."""
    kept = anchor_to_due_day(recurrence, due)
    rule = parse_rule(kept.rule)
    if rule.times is None:
        return kept.rule
    passed = 1
    if recurrence.repeat_from is not RepeatFrom.COMPLETION:
        at = following.local()
        passed = max(count_missed_occurrences(kept, due, at, zone, most=rule.times), 1)
    left = rule.times - passed
    return rule._replace(times=left).text() if left > 0 else None


def _due_and_slot(work: UnitOfWork, record: TaskRecord) -> tuple[When, str | None]:
    due = record.columns["due"]
    if due is not None:
        return When.parse(due), record.columns["slot"]
    return When(work.clock.now().date()), None
