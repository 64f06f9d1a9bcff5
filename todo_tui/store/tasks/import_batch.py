"""Import of file entries as tasks in one transaction, each only once."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import BadEntry, ImportEntry
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.store.rows import EMPTY, Columns, clean_label, clean_title, to_columns, utc_text
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_OF_ANOTHER = uuid.UUID("b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17")
"""Namespace for uuids that another user of the same file has already."""

_UUID = re.compile(r"[0-9A-Fa-f]{8}(-?)(?:[0-9A-Fa-f]{4}\1){3}[0-9A-Fa-f]{12}")

_SHOWN = 60
"""Characters of a title that identify an entry in a message."""

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
    notes: tuple[str, ...] = ()
    """Sentences about data that could not be kept."""
    bad: tuple[BadEntry, ...] = ()
    """Entries with an invalid field."""


class ImportRolledBack(Exception):
    """Raised to roll back the transaction of an import."""


def write_import(
    work: UnitOfWork,
    entries: Sequence[ImportEntry],
    progress: ImportProgress | None,
    *,
    skip_bad: bool,
    with_tasks: bool,
) -> tuple[ImportReport, tuple[TaskChange, ...]]:
    """Import the valid entries; return the report and the changes to announce.

    Without `with_tasks` both contain no tasks: reading 100,000 back takes seconds.
    """
    batch = ImportBatch(work, skip_bad=skip_bad)
    batch.run(entries, progress)
    changes: tuple[TaskChange, ...] = ()
    if with_tasks:
        changes = work.finish()
    else:
        work.log.write()
    report = ImportReport(
        count=len(batch.added),
        skipped=batch.skipped,
        added=work.tasks(batch.added) if with_tasks else (),
        notes=tuple(batch.notes),
        bad=tuple(batch.bad),
    )
    return report, changes


class _ImportedTask(NamedTuple):
    """An import entry and its new task."""

    place: str
    entry: ImportEntry
    record: TaskRecord


class ImportBatch:
    """Writes import entries within one transaction; ids follow their order."""

    def __init__(self, work: UnitOfWork, *, skip_bad: bool = False) -> None:
        """With `skip_bad`, bad entries are left out and the rest is kept."""
        self._work = work
        self._skip_bad = skip_bad
        self._by_file_id: dict[int, TaskRecord] = {}
        self._by_uuid: dict[str, TaskRecord] = {}
        """Existing and new tasks by every written form of their uuids."""
        self._taken: frozenset[str] = frozenset()
        self.added: list[TaskRecord] = []
        self.skipped = 0
        self.notes: list[str] = []
        self.bad: list[BadEntry] = []

    def run(self, entries: Sequence[ImportEntry], progress: ImportProgress | None) -> None:
        """Create the missing tasks, then set their parents and blockers."""
        self._look_up(entries)
        # Tasks are written after their blockers, and of two new ones either may be the parent.
        self._work.database.execute("PRAGMA defer_foreign_keys = ON")
        new: list[_ImportedTask] = []
        for number, entry in enumerate(entries, start=1):
            place = entry.place or f"Entry {number}"
            try:
                record = self._task_of(entry, place, new)
            except ValidationError as error:
                self.bad.append(_bad(place, entry, error))
            else:
                if entry.id is not None:
                    self._by_file_id[entry.id] = record
            if progress is not None:
                progress(1)
        for made in new:
            try:
                self._link(made)
            except ValidationError as error:
                problem = _bad(made.place, made.entry, error)
                if self._skip_bad:
                    self.notes.append(f"{problem.message} That was left out.")
                else:
                    self.bad.append(problem)
        self.added = [made.record for made in new]
        if self.added:
            self._work.insert(self.added)
            rows = range(self.added[0].row, self.added[-1].row + 1)
            self._work.log.append_creations(rows)

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

    def _task_of(self, entry: ImportEntry, place: str, new: list[_ImportedTask]) -> TaskRecord:
        """Return the existing task of an entry, or create it."""
        known = None if entry.uuid is None else self._known(entry.uuid)
        if known is not None and not known.gone:
            self.skipped += 1
            return known
        own_uuid = known.uuid if known is not None else self._free_uuid(entry.uuid)
        record = self._make(entry, own_uuid, known)
        self._keep(record)
        new.append(_ImportedTask(place, entry, record))
        return record

    def _known(self, wanted: str) -> TaskRecord | None:
        """Find a task by any written form of its uuid, also one whose creation was undone."""
        known = self._by_uuid.get(wanted) or self._by_uuid.get(_digits(wanted))
        if known is not None:
            return known
        return self._work.by_uuid(self._derived_uuid(wanted)) if wanted in self._taken else None

    def _free_uuid(self, wanted: str | None) -> str:
        """Return the uuid, or a derived one if it belongs to another user's task."""
        wanted = clean_label(wanted or "", "uuid") or self._work.new_id()
        return self._derived_uuid(wanted) if wanted in self._taken else wanted

    def _derived_uuid(self, wanted: str) -> str:
        return uuid.uuid5(_OF_ANOTHER, f"{self._work.user} {wanted}").hex

    def _make(self, entry: ImportEntry, own_uuid: str, undone: TaskRecord | None) -> TaskRecord:
        columns = to_columns(entry.fields, EMPTY, self._work.zone)
        if "title" not in columns:
            columns["title"] = clean_title("")
        self._add_history(columns, entry)
        if columns.get("recurrence"):
            columns["series"] = columns.get("series") or own_uuid
            columns["slot"] = columns.get("slot") or columns.get("due")
        if undone is not None:
            self._work.forget(undone)
        return self._work.prepare(
            columns,
            entry.fields.get("tags", ()),
            uuid=own_uuid,
            task_id=None if undone is None else undone.id,
            updated_at=None if entry.updated_at is None else utc_text(entry.updated_at),
        )

    def _add_history(self, columns: Columns, entry: ImportEntry) -> None:
        """Copy instants and series from the entry, as far as they fit its status."""
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

    def _link(self, made: _ImportedTask) -> None:
        entry, record = made.entry, made.record
        if entry.parent is not None or entry.parent_uuid is not None:
            parents = self._named(record, "is part of", [entry.parent], [entry.parent_uuid])
            if parents:
                self._work.prepare_parent(record, parents[0])
        if entry.blocked_by or entry.blocker_uuids:
            blockers = self._named(record, "waits for", entry.blocked_by, entry.blocker_uuids)
            self._work.add_blockers(record, blockers)

    def _named(
        self,
        record: TaskRecord,
        how: str,
        file_ids: Iterable[int | None],
        uuids: Iterable[str | None],
    ) -> list[TaskRecord]:
        """Find the tasks that an entry refers to, in the file or the store; note unknown ones."""
        found: list[TaskRecord] = []
        for file_id in file_ids:
            if file_id is not None:
                self._find(found, self._by_file_id.get(file_id), record, f"{how} #{file_id}")
        for each in uuids:
            if each is not None:
                self._find(found, self._known(each), record, f"{how} a task")
        return found

    def _find(
        self, found: list[TaskRecord], named: TaskRecord | None, record: TaskRecord, how: str
    ) -> None:
        if named is not None and not named.gone:
            found.append(named)
            return
        self.notes.append(
            f"#{record.id} {record.title} {how}, which is not in the file; that was left out."
        )


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
    """Build the error report of an entry of the file."""
    title = plain_line(entry.fields.get("title", ""))[:_SHOWN].strip()
    name = f"{place} (“{title}”)" if title else place
    return BadEntry(place, f"{name}: {error.message}", error.hint)
