"""Tasks of a file become tasks of the store: all or none, and each only once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.store.fields import Columns, clean_label, clean_title, columns_of
from todo_tui.store.rows import EMPTY, utc_text
from todo_tui.store.writing import Record, TaskWriting

_OF_ANOTHER = uuid.UUID("b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17")
"""Namespace for uuids that another user of the same file has already."""

_SHOWN = 60
"""Characters of a title by which an entry is known."""

Progress = Callable[[int], None]
"""Is told how many entries more are done."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did: tasks in the order of the file, entries that were here already."""

    added: tuple[Task, ...]
    skipped: int
    remarks: tuple[str, ...]
    """What could not be kept, a sentence each."""


class Importing:
    """Writes drafts within one transaction; ids are given in their order."""

    def __init__(self, writing: TaskWriting) -> None:
        self._writing = writing
        self._by_file_id: dict[int, Record] = {}
        self.added: list[Record] = []
        self.skipped = 0
        self.remarks: list[str] = []

    def run(self, drafts: Sequence[TaskDraft], progress: Progress) -> None:
        """Make the tasks that are not here yet, then tie them to each other.

        Raises:
            ValidationError: a field cannot hold what was asked; names the entry, from 1 on.
        """
        new: list[tuple[int, TaskDraft, Record]] = []
        for number, draft in enumerate(drafts, start=1):
            own_uuid = self._own_uuid(draft)
            known = self._writing.by_uuid(own_uuid)
            if known is None or known.gone:
                with _entry_named(number, draft):
                    record = self._create(draft, own_uuid, known)
                new.append((number, draft, record))
            else:
                record = known
                self.skipped += 1
            if draft.id is not None:
                self._by_file_id[draft.id] = record
            progress(1)
        for number, draft, record in new:
            with _entry_named(number, draft):
                self._tie(draft, record)
        self.added = [record for _, _, record in new]

    def _own_uuid(self, draft: TaskDraft) -> str:
        """The uuid of the draft, unless another user has it: theirs is not touched or told."""
        if draft.uuid is None:
            return self._writing.new_id()
        wanted = clean_label(draft.uuid, "uuid") or self._writing.new_id()
        owner = self._writing.database.execute(
            "SELECT user FROM tasks WHERE uuid = ?", (wanted,)
        ).fetchone()
        if owner is None or owner[0] == self._writing.user:
            return wanted
        return uuid.uuid5(_OF_ANOTHER, f"{self._writing.user} {wanted}").hex

    def _create(self, draft: TaskDraft, own_uuid: str, undone: Record | None) -> Record:
        if undone is not None:
            self._writing.forget(undone)
        columns = columns_of(draft.fields, dict(EMPTY), self._writing.zone)
        columns["title"] = clean_title(draft.fields.get("title", ""))
        columns |= self._history(draft, columns)
        if columns.get("recurrence"):
            columns["series"] = columns.get("series") or own_uuid
            columns["slot"] = columns.get("slot") or columns.get("due")
        return self._writing.create(
            columns,
            draft.fields.get("tags", ()),
            uuid=own_uuid,
            task_id=None if undone is None else undone.id,
            updated_at=None if draft.updated_at is None else utc_text(draft.updated_at),
        )

    def _history(self, draft: TaskDraft, columns: Columns) -> Columns:
        """The instants and marks of the draft, as far as they fit its status."""
        history: Columns = {}
        if draft.created_at is not None:
            history["created_at"] = utc_text(draft.created_at)
        if columns["status"] in ("done", "cancelled"):
            completed_at = draft.completed_at
            history["completed_at"] = (
                utc_text(completed_at) if completed_at else self._writing.stamp
            )
        if draft.deleted_at is not None:
            history["deleted_at"] = utc_text(draft.deleted_at)
        if draft.series is not None:
            history["series"] = clean_label(draft.series, "series") or None
        if draft.slot is not None:
            history["slot"] = clean_label(draft.slot, "slot") or None
        return history

    def _tie(self, draft: TaskDraft, record: Record) -> None:
        if draft.parent is not None:
            parent = self._named(draft.parent, record, "is part of")
            if parent is not None:
                self._writing.set_parent(record, parent)
        blockers = [self._named(each, record, "waits for") for each in draft.blocked_by]
        self._writing.add_blockers(record, [each for each in blockers if each is not None])

    def _named(self, file_id: int, record: Record, how: str) -> Record | None:
        found = self._by_file_id.get(file_id)
        if found is None:
            self.remarks.append(
                f"#{record.id} {record.title} {how} #{file_id}, which is not in the file; "
                "that was left out."
            )
        return found


@contextmanager
def _entry_named(number: int, draft: TaskDraft) -> Iterator[None]:
    """Say of which entry of the file it is that something is wrong."""
    try:
        yield
    except ValidationError as error:
        title = plain_line(draft.fields.get("title", ""))[:_SHOWN].strip()
        name = f"Entry {number} (“{title}”)" if title else f"Entry {number}"
        raise ValidationError(f"{name}: {error.message}", hint=error.hint) from error
