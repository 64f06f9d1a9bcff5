"""Occurrences of recurring tasks: create the next one, skip one, end the series.

Loaded only for recurring tasks: the calendar takes longer to import than a plain task
takes to save.
"""

from __future__ import annotations

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
)
from todo_tui.domain.recurrence.rule import parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When, effective_zone
from todo_tui.store.rows import Columns
from todo_tui.store.tasks.hierarchy import creates_parent_cycle, descendants, restore_tasks
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_COPIES = uuid.UUID("c0a1f6de-7f0b-5d7e-8d55-21c1c5a4e0b3")
"""Namespace for the uuids of copied subtasks."""
_SUBTASK_FIELDS = (
    "title",
    "notes",
    "priority",
    "due_zone",
    "start_zone",
    "project",
    "position",
    "extra",
)
"""Columns that are copied to a recurring subtask."""
_OCCURRENCES = uuid.UUID("6f6a2e0b-5d0c-5b53-9a3f-0c2d7f3a9e51")
"""Namespace for the uuids of occurrences."""
_OCCURRENCE_FIELDS = (
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
"""Columns that are copied to the next occurrence."""


def reopen_subtasks(
    writing: UnitOfWork,
    root: TaskRecord,
    into: TaskRecord,
    *,
    days: int,
    keep_under: TaskRecord | None,
    closed_along: set[int],
) -> list[TaskRecord]:
    """Recreate the subtasks of `root` as open ones under `into`, their dates `days` later.

    `into` may be `root` itself. Completed subtasks stay under `keep_under`. Returns the new
    subtasks.
    """
    below = descendants(writing, [root])
    return _SubtaskRenewal(writing, root, into, days, keep_under, closed_along).run(below)


def shift_moment(moment: str | None, days: int) -> str | None:
    """Shift a due or start moment in stored form by `days`."""
    if moment is None:
        return None
    when = When.parse(moment)
    try:
        return When(when.day + timedelta(days=days), when.at).iso()
    except OverflowError:
        return moment


class _SubtaskRenewal:
    def __init__(
        self,
        writing: UnitOfWork,
        root: TaskRecord,
        into: TaskRecord,
        days: int,
        keep_under: TaskRecord | None,
        closed_along: set[int],
    ) -> None:
        self._writing = writing
        self._days = days
        self._closed_along = closed_along
        self._again: dict[int, TaskRecord] = {root.row: into}
        """Copies in the next occurrence, by row of the original."""
        self._kept: dict[int, TaskRecord | None] = {root.row: keep_under}
        """New parents of completed subtasks, by row of their old one."""
        self._copies: list[TaskRecord] = []

    def run(self, below: dict[int, tuple[TaskRecord, TaskRecord]]) -> list[TaskRecord]:
        for record, parent in below.values():
            if parent.row not in self._again:
                continue  # below a task with its own recurrence
            if record.is_open:
                self._copy_or_keep(record, parent)
            elif record.columns["recurrence"] is None:
                self._copy(record, parent)
            elif record.row in self._closed_along:
                self._follow(record, parent)
        self._link(below)
        return self._copies

    def _copy_or_keep(self, record: TaskRecord, parent: TaskRecord) -> None:
        self._again[record.row] = record
        self._kept[record.row] = self._kept[parent.row]
        columns: Columns = {"parent": self._again[parent.row].uuid}
        if record.columns["recurrence"] is None:
            columns["due"] = shift_moment(record.columns["due"], self._days)
            columns["start"] = shift_moment(record.columns["start"], self._days)
        self._writing.change(record, columns)

    def _copy(self, record: TaskRecord, parent: TaskRecord) -> None:
        above = self._again[parent.row]
        columns: Columns = {name: record.columns[name] for name in _SUBTASK_FIELDS}
        columns["parent"] = above.uuid
        columns["due"] = shift_moment(record.columns["due"], self._days)
        columns["start"] = shift_moment(record.columns["start"], self._days)
        own_uuid = uuid.uuid5(_COPIES, f"{above.uuid} {record.uuid}").hex
        known = self._writing.by_uuid(own_uuid)
        if known is not None and not known.gone:
            # It was created before and kept by an undo, because it had been edited.
            self._writing.change(known, {"parent": above.uuid})
            copy = known
        else:
            if known is not None:
                self._writing.forget(known)
            copy = self._writing.create(
                columns,
                record.tags,
                uuid=own_uuid,
                task_id=None if known is None else known.id,
            )
        self._again[record.row] = copy
        self._kept[record.row] = record
        self._copies.append(copy)
        kept_under = self._kept[parent.row]
        if kept_under is not parent:
            self._writing.change(
                record, {"parent": None if kept_under is None else kept_under.uuid}
            )

    def _follow(self, record: TaskRecord, parent: TaskRecord) -> None:

        followed = create_next_occurrence(self._writing, record, self._closed_along)
        above = self._again[parent.row]
        # An occurrence may have been moved under another one of its series.
        if followed is not None and not creates_parent_cycle(
            self._writing, followed.record, above.uuid
        ):
            self._writing.change(followed.record, {"parent": above.uuid})
            self._copies += [followed.record, *followed.reopened_subtasks]

    def _link(self, below: dict[int, tuple[TaskRecord, TaskRecord]]) -> None:
        """Copy the blockers between the subtasks to their copies."""
        rows = json.dumps(list(below))
        pairs = self._writing.database.execute(
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
                self._writing.remove_blockers(waiting, [below[blocker][0]])
            self._writing.add_blockers(waiting, [awaited])


@dataclass(frozen=True, slots=True)
class NextOccurrence:
    """The next occurrence and its reopened subtasks."""

    record: TaskRecord
    reopened_subtasks: list[TaskRecord] = field(default_factory=list)


def create_next_occurrence(
    writing: UnitOfWork, record: TaskRecord, closed_along: set[int]
) -> NextOccurrence | None:
    """Return the live occurrence of the series or create the next one; None after the last.

    The uuid is derived from series and slot, so that two devices that complete the same
    occurrence create the same next one. `closed_along` are the rows of subtasks that were
    closed together with it.
    """
    series = record.columns["series"] or record.uuid
    live = writing.live_occurrence(series)
    if live is not None:
        return NextOccurrence(live)
    if _was_ended(writing, series, record.columns["slot"] or ""):
        return None
    due = _due_of(writing, record)
    counts_from_now = recurrence_of(record).repeat_from is RepeatFrom.COMPLETION
    suffix = ""
    while (following := _next_due(writing, record, due)) is not None:
        own_uuid = uuid.uuid5(_OCCURRENCES, f"{series} {following.iso()}{suffix}").hex
        known = writing.by_uuid(own_uuid)
        if known is None or known.gone:
            made = _occurrence(writing, record, following, own_uuid, known)
            days = (following.day - due.day).days
            renewed = reopen_subtasks(
                writing, record, made, days=days, keep_under=record, closed_along=closed_along
            )
            return NextOccurrence(made, renewed)
        if known.is_open:
            return NextOccurrence(restore_tasks(writing, [known])[0])
        if counts_from_now:
            # Completed twice within one interval, it is due on the same day again.
            suffix = f" after {known.uuid}"
        else:
            due = following
    return None


def skip_occurrence(writing: UnitOfWork, record: TaskRecord, *, missed: bool) -> list[TaskRecord]:
    """Advance a recurring task to its next date; return its reopened subtasks.

    With `missed`, advance past all dates that have gone by.

    Raises:
        Conflict: it is closed, does not recur, or this is its last occurrence.
    """
    if not record.is_open:
        raise Conflict(f"Task #{record.id} is closed: there is nothing to skip.")
    recurrence, zone = recurrence_of(record), recurrence_zone(writing, record)
    due = _due_of(writing, record)
    following = occurrence_after_skip(recurrence, due, writing.log.now, zone, missed=missed)
    rule = (
        None
        if following is None
        else _rule_with_remaining_count(recurrence, due, following, writing, zone)
    )
    if following is None or rule is None:
        raise Conflict(
            f"This is the last occurrence of #{record.id}: there is none to skip to.",
            hint="Complete it, or delete it.",
        )
    columns = _dates(writing, record, following)
    columns["recurrence"] = rule
    writing.change(record, columns)
    days = (following.day - due.day).days
    return reopen_subtasks(writing, record, record, days=days, keep_under=None, closed_along=set())


def end_series(writing: UnitOfWork, record: TaskRecord) -> None:
    """Make this occurrence the last one; no other field changes.

    Raises:
        Conflict: it does not recur.
    """
    recurrence_of(record)
    writing.change(record, {"recurrence": None})


def recurrence_of(record: TaskRecord) -> Recurrence:
    """Return the recurrence of a task.

    Raises:
        Conflict: it has none.
    """
    rule = record.columns["recurrence"]
    if rule is None:
        raise Conflict(f"Task #{record.id} does not repeat.")
    return Recurrence(rule, RepeatFrom(record.columns["repeat_from"] or "due"))


def recurrence_zone(writing: UnitOfWork, record: TaskRecord) -> str:
    """Return the zone in which its dates are computed."""
    return effective_zone(record.columns["due_zone"], writing.zone)


def _was_ended(writing: UnitOfWork, series: str, slot: str) -> bool:
    """Return True if the series was ended at a later occurrence."""
    writing.flush()
    found = writing.database.execute(
        "SELECT 1 FROM tasks WHERE series = ? AND slot > ? AND recurrence IS NULL"
        " AND user = ? AND gone = 0 LIMIT 1",
        (series, slot, writing.user),
    ).fetchone()
    return found is not None


def _occurrence(
    writing: UnitOfWork, record: TaskRecord, due: When, own_uuid: str, known: TaskRecord | None
) -> TaskRecord:
    recurrence, zone = recurrence_of(record), recurrence_zone(writing, record)
    columns: Columns = {name: record.columns[name] for name in _OCCURRENCE_FIELDS}
    columns |= _dates(writing, record, due)
    columns["recurrence"] = _rule_with_remaining_count(
        recurrence, _due_of(writing, record), due, writing, zone
    )
    if known is not None:
        writing.forget(known)
    return writing.create(
        columns, record.tags, uuid=own_uuid, task_id=None if known is None else known.id
    )


def _dates(writing: UnitOfWork, record: TaskRecord, due: When) -> Columns:
    """Return the dates of a later occurrence; its start stays as many days before it is due."""
    before = _due_of(writing, record)
    has_due = record.columns["due"] is not None
    start = shift_moment(record.columns["start"], (due.day - before.day).days) if has_due else None
    return {
        "due": due.iso(),
        "due_zone": None if due.at is None else record.columns["due_zone"] or writing.zone,
        "start": start,
        "slot": due.iso(),
    }


def _next_due(writing: UnitOfWork, record: TaskRecord, due: When) -> When | None:
    recurrence, zone = recurrence_of(record), recurrence_zone(writing, record)
    following = next_occurrence(recurrence, due, writing.log.now, zone)
    if following is None:
        return None
    left = _rule_with_remaining_count(
        recurrence, _due_of(writing, record), following, writing, zone
    )
    return None if left is None else following


def _rule_with_remaining_count(
    recurrence: Recurrence, due: When, following: When, writing: UnitOfWork, zone: str
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


def _due_of(writing: UnitOfWork, record: TaskRecord) -> When:
    """Return its due moment, or today for a task without one."""
    due = record.columns["due"]
    if due is not None:
        return When.parse(due)
    here = writing.clock.now()
    return When(here.date())
