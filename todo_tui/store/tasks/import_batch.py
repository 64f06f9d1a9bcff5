"""Import of file entries as tasks in one transaction, each only once."""

import json
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import BadEntry, ImportEntry, Remark, name_place
from todo_tui.domain.task import Task
from todo_tui.domain.task_text import clean_label, clean_title
from todo_tui.store.rows import EMPTY, Columns, to_columns, utc_text
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_OF_ANOTHER = uuid.UUID("b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17")
"""Namespace for uuids that another user of the same file has already."""
_UUID = re.compile(r"[0-9A-Fa-f]{8}(-?)(?:[0-9A-Fa-f]{4}\1){3}[0-9A-Fa-f]{12}")
ImportProgress = Callable[[int], None]
"""Called with the number of entries processed since the last call."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Result of an import or of its dry run."""

    count: int
    """Tasks created; 0 if a bad entry stopped the import."""
    skipped: int
    """Entries whose tasks existed already."""
    added: tuple[Task, ...] = ()
    """Created tasks in the order of the file, if requested."""
    remarks: tuple[Remark, ...] = ()
    """Losses of the created tasks."""
    bad: tuple[BadEntry, ...] = ()
    """Entries that make no task."""


class ImportRolledBack(Exception):
    """Raised to roll back the transaction of an import."""


class _ImportedTask(NamedTuple):
    """An entry and its new task."""

    place: str
    entry: ImportEntry
    record: TaskRecord


class ImportBatch:
    """Imports entries within one transaction; ids follow their order."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._by_file_id: dict[int, TaskRecord] = {}
        self._by_uuid: dict[str, TaskRecord] = {}
        """Existing and new tasks by every written form of their uuids."""
        self._taken: frozenset[str] = frozenset()
        self._new: list[_ImportedTask] = []
        self._skipped = 0
        self._remarks: list[Remark] = []
        self._bad: list[BadEntry] = []

    def run(
        self,
        entries: Sequence[ImportEntry],
        progress: ImportProgress | None,
        *,
        with_tasks: bool,
    ) -> tuple[ImportReport, tuple[TaskChange, ...]]:
        """Create the missing tasks with parents and blockers; return the changes to announce.

        Without `with_tasks` report and changes contain no tasks: reading 100,000 back takes
        seconds.
        """
        self._look_up(entries)
        for number, entry in enumerate(entries, start=1):
            place = entry.place or f"Entry {number}"
            try:
                record = self._task_of(entry, place)
            except ValidationError as error:
                self._bad.append(_bad(place, entry, error))
            else:
                if entry.id is not None:
                    self._by_file_id[entry.id] = record
            if progress is not None:
                progress(1)
        for new in self._new:
            self._link(new)
        added = [new.record for new in self._new]
        changes: tuple[TaskChange, ...] = ()
        if with_tasks:
            changes = self._work.finish()
        else:
            self._work.log.write()
        report = ImportReport(
            count=len(added),
            skipped=self._skipped,
            added=self._work.tasks(added) if with_tasks else (),
            remarks=tuple(self._remarks),
            bad=tuple(self._bad),
        )
        return report, changes

    def _look_up(self, entries: Sequence[ImportEntry]) -> None:
        """Query once which uuids exist already, and which of them belong to another user."""
        rows = self._work.highest_row()
        if not rows:
            return
        wanted = {
            form
            for entry in entries
            for named in (entry.uuid, entry.parent_uuid, *entry.blocker_uuids)
            if named
            for form in _written_forms(named)
        }
        query, values = "SELECT uuid, user = ? FROM tasks", [self._work.user]
        if rows > len(wanted):
            query += " WHERE uuid IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(wanted)))
        found = self._work.database.execute(query, values).fetchall()
        here = {uuid: is_own for uuid, is_own in found if uuid in wanted}
        own = [uuid for uuid, is_own in here.items() if is_own]
        self._work.look_up(own)
        for each in own:
            self._keep(self._work.by_uuid(each))
        self._taken = frozenset(here.keys() - own)

    def _keep(self, record: TaskRecord | None) -> None:
        if record is not None:
            digits = _digits(record.uuid)
            self._by_uuid.setdefault(digits, record)
            if digits != record.uuid:
                self._by_uuid[record.uuid] = record

    def _task_of(self, entry: ImportEntry, place: str) -> TaskRecord:
        """Return the existing task of an entry, or create it."""
        known = None if entry.uuid is None else self._known(entry.uuid)
        if known is not None and not known.gone:
            self._skipped += 1
            return known
        if known is not None:
            own_uuid = known.uuid
        else:
            own_uuid = clean_label(entry.uuid or "", "uuid") or self._work.new_id()
            if own_uuid in self._taken:
                own_uuid = self._derived_uuid(own_uuid)
        columns = self._columns(entry, own_uuid)
        if known is not None:
            self._work.forget(known)
        record = self._work.create(
            columns,
            entry.fields.get("tags", ()),
            uuid=own_uuid,
            task_id=None if known is None else known.id,
            updated_at=None if entry.updated_at is None else utc_text(entry.updated_at),
        )
        self._keep(record)
        self._new.append(_ImportedTask(place, entry, record))
        for remark in entry.remarks:
            self._remark(place, entry, remark)
        return record

    def _known(self, wanted: str) -> TaskRecord | None:
        """Find a task by any written form of its uuid, also one whose creation was undone."""
        known = self._by_uuid.get(wanted) or self._by_uuid.get(_digits(wanted))
        if known is not None:
            return known
        return self._work.by_uuid(self._derived_uuid(wanted)) if wanted in self._taken else None

    def _derived_uuid(self, wanted: str) -> str:
        return uuid.uuid5(_OF_ANOTHER, f"{self._work.user} {wanted}").hex

    def _columns(self, entry: ImportEntry, own_uuid: str) -> Columns:
        """Return the fields of an entry, with instants and series as far as they fit its status."""
        columns = to_columns(entry.fields, EMPTY, self._work.zone)
        if "title" not in columns:
            columns["title"] = clean_title("")
        if entry.created_at is not None:
            columns["created_at"] = utc_text(entry.created_at)
        if columns.get("status") in ("done", "cancelled"):
            completed_at = entry.completed_at
            columns["completed_at"] = utc_text(completed_at) if completed_at else self._work.stamp
        if entry.deleted_at is not None:
            columns["deleted_at"] = utc_text(entry.deleted_at)
        if entry.series is not None:
            columns["series"] = clean_label(entry.series, "series") or None
        if entry.slot is not None:
            columns["slot"] = clean_label(entry.slot, "slot") or None
        if columns.get("recurrence"):
            columns["series"] = columns.get("series") or own_uuid
            columns["slot"] = columns.get("slot") or columns.get("due")
        return columns

    def _link(self, new: _ImportedTask) -> None:
        record = new.record
        parents = list(
            self._named(new, "is a subtask of", [new.entry.parent, new.entry.parent_uuid])
        )
        if parents:
            with self._refusal_told(new):
                self._work.set_parent(record, parents[0])
        named: list[int | str] = [*new.entry.blocked_by, *new.entry.blocker_uuids]
        if blockers := list(self._named(new, "is blocked by", named)):
            with self._refusal_told(new):
                self._work.add_blockers(record, blockers)

    @contextmanager
    def _refusal_told(self, new: _ImportedTask) -> Iterator[None]:
        """Turn a refused link to another task into a remark."""
        try:
            yield
        except ValidationError as error:
            kind = "cannot be linked to another task as the file says"
            self._remark(new.place, new.entry, Remark(f"{error.message} Link left out.", kind))

    def _remark(self, place: str, entry: ImportEntry, remark: Remark) -> None:
        where = name_place(place, entry.fields.get("title", ""))
        self._remarks.append(remark._replace(place=where))

    def _named(
        self, new: _ImportedTask, how: str, names: Sequence[int | str | None]
    ) -> Iterator[TaskRecord]:
        """Yield the tasks of these ids of the file or uuids; note unknown ones."""
        for name in names:
            if name is None:
                continue
            found = self._known(name) if isinstance(name, str) else self._by_file_id.get(name)
            if found is not None and not found.gone:
                yield found
                continue
            other = "a task" if isinstance(name, str) else f"#{name}"
            what = f"{how} {other}, which is not in the file. Link left out."
            remark = Remark(what, f"{how} a task that is not in the file; link left out")
            self._remark(new.place, new.entry, remark)


def _digits(text: str) -> str:
    """Normalize a uuid; return other text unchanged."""
    if "-" not in text and text == text.lower():
        return text
    return text.replace("-", "").lower() if _UUID.fullmatch(text) else text


def _written_forms(text: str) -> tuple[str, ...]:
    """Return a uuid as written, and in the forms that other programs use."""
    if _UUID.fullmatch(text) is None:
        return (text,)
    digits = _digits(text)
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return (text, digits, "-".join(parts))


def _bad(place: str, entry: ImportEntry, error: ValidationError) -> BadEntry:
    name = name_place(place, entry.fields.get("title", ""))
    return BadEntry(place, f"{name}: {error.message}", error.hint)
