"""Unit of work of one transaction: loads each task once, writes and logs every change."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeContext, ChangeKind, TaskChange
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.task import Status, Task
from todo_tui.domain.task_text import clean_tag
from todo_tui.domain.text import fold_case, search_text
from todo_tui.store.database import UserDatabase
from todo_tui.store.operations.oplog import BatchKind, OpKind, OpLog
from todo_tui.store.operations.provenance import ForeignNames, foreign_names
from todo_tui.store.rows import (
    EMPTY,
    LOGGED,
    SEPARATOR,
    Columns,
    sort_instant,
    tasks_by_row,
    utc_text,
)
from todo_tui.store.tasks.cycles import refuse_blocker_cycle, refuse_parent_cycle

TAGS = "tags"
BLOCKED_BY = "blocked_by"
_COLUMNS = (*LOGGED, "due_at", "project_folded", "folded", "updated_at", "gone")
"""All columns except identity columns; derived ones at the end."""
_DERIVED_FROM: Mapping[str, tuple[str, ...]] = {
    "title": ("folded",),
    "notes": ("folded",),
    "tags": ("folded",),
    "project": ("project_folded", "folded"),
    "due": ("due_at",),
    "due_zone": ("due_at",),
}
"""Derived columns to write, by the column that changed."""
_LOGGED_TEXTS = ", ".join(LOGGED).replace("estimate", "CAST(estimate AS TEXT)")
_SELECT = (
    f"SELECT row, id, uuid, {_LOGGED_TEXTS}, due_at, gone,"  # noqa: S608 - names of our own columns
    " (SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM task_tags"
    " WHERE task = tasks.row AND gone = 0 ORDER BY row)) FROM tasks WHERE "
)
# The plus signs keep the planner from using the index over all tasks of the user.
_BY_ID = "user = ? AND gone = 0 AND id IN (SELECT value FROM json_each(?))"
_BY_UUID = "+user = ? AND uuid IN (SELECT value FROM json_each(?))"
_BY_ROW = "+user = ? AND row IN (SELECT value FROM json_each(?))"
_INSERT_TASK = (
    f"INSERT INTO tasks (row, user, id, uuid, {', '.join(_COLUMNS)})"  # noqa: S608 - as above
    f" VALUES (?, ?, ?, ?{', ?' * len(_COLUMNS)})"
)
_INSERT_TAG = (
    "INSERT INTO task_tags (task, tag, folded) VALUES (?, ?, ?)"
    " ON CONFLICT (task, folded) DO UPDATE SET tag = excluded.tag, gone = 0"
)
_State = tuple[bool, str | None, bool]
"""Existence, status, and presence in the trash of a task."""
_logged_values = itemgetter(*LOGGED)


def task_not_found(task_id: int) -> NotFound:
    """Create the error for an id that is unknown to this user."""
    return NotFound(f"There is no task #{task_id}.")


@dataclass(slots=True)
class TaskRecord:
    """A task in its state within this transaction; `gone` if its creation was undone."""

    row: int
    id: int
    uuid: str
    columns: Columns
    tags: list[str]
    due_at: int | None = None
    """Sort instant."""
    gone: bool = False
    updated_at: str | None = None
    """Instant of the last change; None for this transaction."""

    @property
    def title(self) -> str:
        """Current title."""
        return self.columns["title"] or ""

    @property
    def is_open(self) -> bool:
        """True if its status is todo or doing, even in the trash."""
        return self.columns["status"] in ("todo", "doing")

    @property
    def in_trash(self) -> bool:
        """True if it is in the trash."""
        return self.columns["deleted_at"] is not None


def require_not_in_trash(record: TaskRecord) -> TaskRecord:
    """Return the record.

    Raises:
        Conflict: it is in the trash.
    """
    if record.in_trash:
        raise Conflict(f"Task #{record.id} is in the trash.", hint="Restore the task first.")
    return record


def require_recurring(record: TaskRecord) -> str:
    """Return its recurrence rule.

    Raises:
        Conflict: it has none.
    """
    rule = record.columns["recurrence"]
    if rule is None:
        raise Conflict(f"Task #{record.id} is not recurring.")
    return rule


class UnitOfWork:
    """Loads, changes and logs tasks of one user within one transaction.

    Each change is written at once; `finish` writes the log, and returns the changes to announce
    after the commit. Raises NotFound for the first id that is unknown to this user, and
    ValidationError for a due moment beyond the calendar, or for a task that would be its own
    ancestor or wait for itself; names the cycle.
    """

    def __init__(self, database: Connection, db: UserDatabase, context: ChangeContext) -> None:
        self.database = database
        self.user, self.clock, self.new_id = db.user, db.clock, db.new_id
        self.zone = db.clock.zone
        self.context = context
        self.log = OpLog(database, db, context)
        self.stamp = utc_text(self.log.now)
        self._by_row: dict[int, TaskRecord] = {}
        self._by_id: dict[int, TaskRecord] = {}
        self._by_uuid: dict[str, TaskRecord] = {}
        self._unknown: set[str] = set()
        self._before: dict[int, _State] = {}
        """State of each touched task before its first change."""
        self._last_row: int | None = None
        self._finished: dict[int, Task] = {}

    # Loading

    def record(self, task_id: int) -> TaskRecord:
        """Return the task of that id."""
        return self.records([task_id])[0]

    def records(self, task_ids: Iterable[int]) -> list[TaskRecord]:
        """Return the tasks of these ids without duplicates, in the given order."""
        wanted = list(dict.fromkeys(task_ids))
        # As text, so that a number too large for SQLite is just not found.
        self._load(_BY_ID, [task_id for task_id in wanted if task_id not in self._by_id])
        for task_id in wanted:
            found = self._by_id.get(task_id)
            if found is None or found.gone:
                raise task_not_found(task_id)
        return [self._by_id[task_id] for task_id in wanted]

    def records_outside_trash(self, task_ids: Iterable[int]) -> list[TaskRecord]:
        """Return the tasks of these ids as `records` does.

        Raises:
            Conflict: one of them is in the trash.
        """
        return [require_not_in_trash(record) for record in self.records(task_ids)]

    def by_uuid(self, uuid: str) -> TaskRecord | None:
        """Return the task of that uuid, also one whose creation was undone; None if unknown."""
        if uuid not in self._by_uuid and uuid not in self._unknown:
            self.look_up([uuid])
        return self._by_uuid.get(uuid)

    def look_up(self, uuids: Iterable[str]) -> None:
        """Load tasks by uuid with one query; `by_uuid` then needs none."""
        unseen = [uuid for uuid in dict.fromkeys(uuids) if uuid not in self._by_uuid]
        self._load(_BY_UUID, unseen)
        self._unknown.update(unseen)

    def by_row(self, row: int) -> TaskRecord:
        """Return the task of that row number, which must exist."""
        return self.by_rows([row])[0]

    def by_rows(self, rows: Iterable[int]) -> list[TaskRecord]:
        """Return the tasks of these row numbers, which must exist, in the given order."""
        wanted = list(rows)
        self._load(_BY_ROW, [row for row in wanted if row not in self._by_row])
        return [self._by_row[row] for row in wanted]

    def blockers(self, record: TaskRecord) -> list[int]:
        """Return the row numbers of its blockers."""
        found = self.database.execute(
            "SELECT blocker FROM task_blockers WHERE task = ? AND gone = 0 ORDER BY row",
            (record.row,),
        )
        return [row[0] for row in found.fetchall()]

    def highest_row(self) -> int:
        """Return the highest row number, which is close to the number of rows."""
        if self._last_row is None:
            query = "SELECT coalesce(max(row), 0) FROM tasks"
            self._last_row = int(self.database.execute(query).fetchone()[0])
        return self._last_row

    def _load(self, condition: str, wanted: Sequence[int | str]) -> None:
        if not wanted:
            return
        rows = self.database.execute(_SELECT + condition, (self.user, json.dumps(wanted)))
        # Reports name the oldest task first; an index on random uuids has no such order.
        for row, task_id, uuid, *values, due_at, gone, tags in sorted(rows, key=itemgetter(0)):
            if row not in self._by_row:
                columns: Columns = dict(zip(LOGGED, values, strict=True))
                held = tags.split(SEPARATOR) if tags else []
                self._keep(TaskRecord(row, task_id, uuid, columns, held, due_at, bool(gone)))

    def _keep(self, record: TaskRecord) -> None:
        self._by_row[record.row] = record
        self._by_uuid[record.uuid] = record
        self._by_id[record.id] = record

    # Creating

    def create(
        self,
        columns: Columns,
        tags: Sequence[str] = (),
        *,
        uuid: str | None = None,
        task_id: int | None = None,
        updated_at: str | None = None,
        copy_of: TaskRecord | None = None,
    ) -> TaskRecord:
        """Create a task, by default with the user's next id, and log its fields.

        `updated_at` is for tasks with a history in another program. Names that others wrote are
        logged as theirs in a copy, too.
        """
        foreign: ForeignNames = {}
        if copy_of is not None:
            foreign = foreign_names(self.database, self.user, [copy_of.uuid])

        def log(kind: OpKind, field: str, old: str | None, new: str | None) -> None:
            actor = foreign.get((copy_of.uuid, field, new or "")) if copy_of else None
            self.log.append(record.uuid, kind, field, old, new, actor=actor)

        if task_id is None:
            task_id = self._next_id()
        # Values derived from id and time of the creation are not logged separately.
        given: Columns = {**EMPTY, "position": f"{task_id:08x}", "created_at": self.stamp}
        full = {**given, **columns}
        self._last_row = row = self.highest_row() + 1
        record = TaskRecord(
            row, task_id, uuid or self.new_id(), full, _distinct(tags),
            sort_instant(full, self.zone), updated_at=updated_at,
        )  # fmt: skip
        self._keep(record)
        self._before[row] = (False, None, False)
        identity = (row, self.user, task_id, record.uuid)
        self.database.execute(_INSERT_TASK, (*identity, *self._values(record)))
        self.log.append(record.uuid, OpKind.CREATE, new=str(task_id))
        for name in LOGGED:
            if full[name] != given[name]:
                log(OpKind.SET, name, given[name], full[name])
        for tag in record.tags:
            self.database.execute(_INSERT_TAG, (row, tag, fold_case(tag)))
            log(OpKind.ADD, TAGS, None, tag)
        return record

    def forget(self, record: TaskRecord) -> None:
        """Delete a task from the tables, but not from the log."""
        self.database.execute("DELETE FROM tasks WHERE row = ?", (record.row,))
        del self._by_row[record.row], self._by_uuid[record.uuid], self._by_id[record.id]

    def _next_id(self) -> int:
        rows = self.database.execute(
            "INSERT INTO counters (user, last_id) VALUES (?, 1)"
            " ON CONFLICT (user) DO UPDATE SET last_id = last_id + 1 RETURNING last_id",
            (self.user,),
        ).fetchall()
        return int(rows[0][0])

    def _values(self, record: TaskRecord) -> tuple[str | int | None, ...]:
        columns = record.columns
        project = columns["project"]
        return (
            *_logged_values(columns),
            record.due_at,
            None if project is None else fold_case(project),
            search_text(record.title, columns["notes"] or "", project, record.tags),
            record.updated_at or self.stamp,
            int(record.gone),
        )

    # Changing

    def change(self, record: TaskRecord, columns: Columns) -> None:
        """Set columns; write and log those that differ."""
        changed = {name: new for name, new in columns.items() if record.columns[name] != new}
        if not changed:
            return
        if "due" in changed or "due_zone" in changed:
            record.due_at = sort_instant(record.columns | changed, self.zone)
        self._touch(record)
        for name, new in changed.items():
            old = record.columns[name]
            self.log.append(record.uuid, OpKind.SET, name, old, new)
        record.columns |= changed
        self._write(record, *changed)

    def add_tags(self, record: TaskRecord, tags: Iterable[str]) -> None:
        """Add missing tags, ignoring case."""
        for tag in map(clean_tag, tags):
            if fold_case(tag) not in map(fold_case, record.tags):
                self._touch(record)
                record.tags.append(tag)
                self.database.execute(_INSERT_TAG, (record.row, tag, fold_case(tag)))
                self._write(record, TAGS)
                self.log.append(record.uuid, OpKind.ADD, TAGS, None, tag)

    def remove_tags(self, record: TaskRecord, tags: Iterable[str]) -> None:
        """Remove tags, ignoring case."""
        for key in map(fold_case, map(clean_tag, tags)):
            for present in [held for held in record.tags if fold_case(held) == key]:
                self._touch(record)
                record.tags.remove(present)
                self.database.execute(
                    "UPDATE task_tags SET gone = 1 WHERE task = ? AND folded = ?",
                    (record.row, key),
                )
                self._write(record, TAGS)
                self.log.append(record.uuid, OpKind.REMOVE, TAGS, present)

    def add_blockers(self, record: TaskRecord, blockers: Iterable[TaskRecord]) -> None:
        """Add blockers."""
        present = self.blockers(record)
        for blocker in blockers:
            if blocker.row in present:
                continue
            refuse_blocker_cycle(self, record, blocker)
            self._touch(record)
            self.database.execute(
                "INSERT INTO task_blockers (task, blocker) VALUES (?, ?)"
                " ON CONFLICT (task, blocker) DO UPDATE SET gone = 0",
                (record.row, blocker.row),
            )
            present.append(blocker.row)
            self._write(record)
            self.log.append(record.uuid, OpKind.ADD, BLOCKED_BY, None, blocker.uuid)

    def remove_blockers(self, record: TaskRecord, blockers: Iterable[TaskRecord]) -> None:
        """Remove blockers."""
        for blocker in blockers:
            cursor = self.database.execute(
                "UPDATE task_blockers SET gone = 1 WHERE task = ? AND blocker = ? AND gone = 0",
                (record.row, blocker.row),
            )
            if cursor.rowcount:
                self._touch(record)
                self._write(record)
                self.log.append(record.uuid, OpKind.REMOVE, BLOCKED_BY, blocker.uuid)

    def set_parent(self, record: TaskRecord, parent: TaskRecord | None) -> None:
        """Set or remove the parent."""
        if parent is not None:
            refuse_parent_cycle(self, record, parent)
        self.change(record, {"parent": None if parent is None else parent.uuid})

    def set_gone(self, record: TaskRecord, gone: bool) -> None:
        """Undo or redo its creation; its fields stay as they are."""
        self._touch(record)
        record.gone = gone
        self._write(record, "gone")
        kind = OpKind.DESTROY if gone else OpKind.CREATE
        number = str(record.id)
        old, new = (number, None) if gone else (None, number)
        self.log.append(record.uuid, kind, None, old, new)

    def _touch(self, record: TaskRecord) -> None:
        state = (not record.gone, record.columns["status"], record.in_trash)
        self._before.setdefault(record.row, state)

    def _write(self, record: TaskRecord, *changed: str) -> None:
        """Write changed and derived columns; others stay out of the indexes' way."""
        named = {"updated_at", *changed}.union(*(_DERIVED_FROM.get(name, ()) for name in changed))
        values = {
            name: value
            for name, value in zip(_COLUMNS, self._values(record), strict=True)
            if name in named
        }
        assigned = ", ".join(f"{name} = ?" for name in values)
        self.database.execute(
            f"UPDATE tasks SET {assigned} WHERE row = ?",  # noqa: S608 - our own columns
            (*values.values(), record.row),
        )

    def ancestors(self, uuid: str | None) -> Iterator[TaskRecord]:
        """Yield the task of that uuid, its parent, and so on."""
        while uuid is not None and (found := self.by_uuid(uuid)) is not None:
            yield found
            uuid = found.columns["parent"]

    # Finishing

    def finish(
        self, kind: BatchKind | None = BatchKind.DO, target: str | None = None
    ) -> tuple[TaskChange, ...]:
        """Write the log; return the changes, oldest first.

        `kind` and `target` are those of `OpLog.write`. Afterwards `tasks` returns the results.
        """
        self.log.write(kind, target)
        self._finished = tasks_by_row(self.database, list(self._by_row))
        return tuple(
            TaskChange(_kind_of(record, self._before[row]), self._finished[row], self.context)
            for row, record in self._by_row.items()
            if row in self._before
        )

    def tasks(self, records: Iterable[TaskRecord]) -> tuple[Task, ...]:
        """Return the tasks as `finish` left them, also after the commit."""
        return tuple(self._finished[record.row] for record in records)


def _kind_of(record: TaskRecord, before: _State) -> ChangeKind:
    existed, status, trashed = before
    was_open = status in ("todo", "doing")
    if record.gone:
        return ChangeKind.PURGED
    if not existed:
        return ChangeKind.ADDED
    if record.in_trash and not trashed:
        return ChangeKind.DELETED
    if trashed and not record.in_trash:
        return ChangeKind.RESTORED
    if was_open and not record.is_open:
        is_done = record.columns["status"] == Status.DONE
        return ChangeKind.COMPLETED if is_done else ChangeKind.CANCELLED
    if record.is_open and not was_open:
        return ChangeKind.REOPENED
    return ChangeKind.UPDATED


def _distinct(tags: Sequence[str]) -> list[str]:
    """Clean the tags and remove duplicates, ignoring case."""
    if not tags:
        return []
    by_name: dict[str, str] = {}
    for tag in map(clean_tag, tags):
        by_name.setdefault(fold_case(tag), tag)
    return list(by_name.values())
