"""Unit of work of one transaction.

Loads each task once, applies and logs changes, and writes them together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeContext, ChangeKind, TaskChange
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.task import Task
from todo_tui.domain.text import fold_case, search_text
from todo_tui.store.database import OPEN_SCOPE, UserDatabase
from todo_tui.store.operations.oplog import (
    BatchKind,
    Op,
    OpKind,
    OpLog,
    bulk_writing,
    rebuilt_task_indexes,
)
from todo_tui.store.rows import (
    EMPTY,
    LOGGED,
    SEPARATOR,
    Columns,
    clean_tag,
    sort_instant,
    tasks_by_row,
    utc_text,
)

COLUMNS = (*LOGGED, "due_at", "project_folded", "folded", "updated_at", "gone")
"""All columns except identity columns; derived ones at the end."""
AT_ONCE = 5_000
"""Rows inserted together; columns in which all have the default are omitted."""
COLUMN_DEFAULTS: Mapping[str, str | int | None] = {
    **{name: EMPTY[name] for name in LOGGED if name not in ("title", "position", "created_at")},
    "due_at": None,
    "project_folded": None,
    "gone": 0,
}
"""Column defaults of a row whose INSERT does not name them."""
TaskRow = tuple[str | int | None, ...]
_INSERTED = ("row", "user", "id", "uuid", *COLUMNS)
_SELECT = (
    f"SELECT row, id, uuid, {', '.join(LOGGED)}, due_at, gone,"  # noqa: S608 - names of our own columns
    " (SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM task_tags"
    " WHERE task = tasks.row AND gone = 0 ORDER BY row)) FROM tasks WHERE "
)
# The plus signs keep the planner from using the index over all tasks of the user.
_BY_ID = "user = ? AND gone = 0 AND id IN (SELECT value FROM json_each(?))"
_BY_UUID = "+user = ? AND uuid = ?"
_BY_UUIDS = "+user = ? AND uuid IN (SELECT value FROM json_each(?))"
_BY_ROW = "+user = ? AND row IN (SELECT value FROM json_each(?))"
_DERIVED_FROM: Mapping[str, tuple[str, ...]] = {
    "title": ("folded",),
    "notes": ("folded",),
    "tags": ("folded",),
    "project": ("project_folded", "folded"),
    "due": ("due_at",),
    "due_zone": ("due_at",),
}
"""Derived columns to write, by the column that changed."""
_INSERT_TAG = (
    "INSERT INTO task_tags (task, tag, folded) VALUES (?, ?, ?)"
    " ON CONFLICT (task, folded) DO UPDATE SET tag = excluded.tag, gone = 0"
)
_logged_values = itemgetter(*LOGGED)
TAGS = "tags"
BLOCKED_BY = "blocked_by"


def insert_tasks(database: Connection, rows: Sequence[TaskRow]) -> None:
    """Insert rows of row number, user, id, uuid, then `COLUMNS`.

    Columns in which all rows have the default are not named, which saves a third of the time
    of a large insert.
    """
    named = {
        name: values
        for name, values in zip(_INSERTED, zip(*rows, strict=True), strict=True)
        if name not in COLUMN_DEFAULTS or values.count(COLUMN_DEFAULTS[name]) < len(values)
    }
    database.executemany(
        f"INSERT INTO tasks ({', '.join(named)})"  # noqa: S608 - our own columns
        f" VALUES ({', '.join('?' * len(named))})",
        zip(*named.values(), strict=True),
    )


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
        raise Conflict(
            f"Task #{record.id} is in the trash.", hint="Undo the deletion, or restore it first."
        )
    return record


class TaskRecords:
    """Loads tasks of one user and buffers new and changed ones until `flush`.

    Lookups by id, uuid and row see buffered tasks; a query sees them only after `flush`. Rows
    are written in groups, because a statement for each would take several times as long.
    """

    def __init__(self, database: Connection, *, user: str, zone: str, stamp: str) -> None:
        self.database = database
        self.user = user
        self.zone = zone
        self.stamp = stamp
        self._loaded: dict[int, TaskRecord] = {}
        self._by_id: dict[int, TaskRecord] = {}
        self._by_uuid: dict[str, TaskRecord] = {}
        self._new: dict[int, TaskRecord] = {}
        self._changed: dict[int, set[str]] = {}
        self._tags: list[tuple[int, str, str]] = []
        self._unknown: set[str] = set()
        self._last_row: int | None = None
        self._last_id: int | None = None

    def record(self, task_id: int) -> TaskRecord:
        """Return the task of that id.

        Raises:
            NotFound: this user has none.
        """
        return self.records([task_id])[0]

    def records(self, task_ids: Iterable[int]) -> list[TaskRecord]:
        """Return the tasks of these ids without duplicates, in the given order.

        Raises:
            NotFound: names the first id that is unknown to this user.
        """
        wanted = list(dict.fromkeys(task_ids))
        missing = [task_id for task_id in wanted if task_id not in self._by_id]
        if missing:
            # As text, so that a number too large for SQLite is just not found.
            self._load(_BY_ID, json.dumps(missing))
        for task_id in wanted:
            found = self._by_id.get(task_id)
            if found is None or found.gone:
                raise task_not_found(task_id)
        return [self._by_id[task_id] for task_id in wanted]

    def by_uuid(self, uuid: str) -> TaskRecord | None:
        """Return the task of that uuid, also one whose creation was undone; None if unknown."""
        if uuid not in self._by_uuid and uuid not in self._unknown:
            self._load(_BY_UUID, uuid)
        return self._by_uuid.get(uuid)

    def owned(self, uuids: Iterable[str]) -> dict[str, bool]:
        """Return which of the uuids exist, and True for those of this user."""
        rows = self._rows_so_far()
        if not rows:
            return {}
        wanted = set(uuids)
        query, values = "SELECT uuid, user = ? FROM tasks", [self.user]
        if rows > len(wanted):
            query += " WHERE uuid IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(wanted)))
        found = self.database.execute(query, values)
        return {uuid: bool(is_own) for uuid, is_own in found if uuid in wanted}

    def look_up(self, uuids: Iterable[str]) -> None:
        """Load tasks by uuid with one query; `by_uuid` then needs none."""
        unseen = {uuid for uuid in uuids if uuid not in self._by_uuid}
        self._load(_BY_UUIDS, json.dumps(list(unseen)))
        self._unknown |= unseen

    def by_row(self, row: int) -> TaskRecord:
        """Return the task of that row number, which must exist."""
        return self.by_rows([row])[0]

    def by_rows(self, rows: Iterable[int]) -> list[TaskRecord]:
        """Return the tasks of these row numbers, which must exist, in the given order."""
        wanted = list(rows)
        missing = [row for row in wanted if row not in self._loaded]
        if missing:
            self._load(_BY_ROW, json.dumps(missing))
        return [self._loaded[row] for row in wanted]

    def forget(self, record: TaskRecord) -> None:
        """Delete a task from the tables, but not from the log."""
        self.flush()
        self.database.execute("DELETE FROM tasks WHERE row = ?", (record.row,))
        del self._loaded[record.row], self._by_uuid[record.uuid], self._by_id[record.id]

    def flush(self) -> None:
        """Write the buffered rows, so that queries see them."""
        new = len(self._new)
        with (
            bulk_writing(self.database, new),
            rebuilt_task_indexes(
                self.database, tasks=new, before=self._rows_so_far() - new if new else 0
            ),
        ):
            self._write_held()
        if self._last_id is not None:
            self.database.execute(
                "INSERT INTO counters (user, last_id) VALUES (?, ?)"
                " ON CONFLICT (user) DO UPDATE SET last_id = excluded.last_id",
                (self.user, self._last_id),
            )
        self._last_id = None
        for held in (self._new, self._changed, self._tags):
            held.clear()

    def _write_held(self) -> None:
        if self._new:
            # Of two new tasks, either may be the parent.
            self.database.execute("PRAGMA defer_foreign_keys = ON")
            held = iter(self._new.values())
            while rows := [self._row_of(record) for record in islice(held, AT_ONCE)]:
                insert_tasks(self.database, rows)
        for names, rows_of in self._changes().items():
            assigned = ", ".join(f"{name} = ?" for name in names)
            query = f"UPDATE tasks SET {assigned} WHERE row = ?"  # noqa: S608 - our own columns
            self.database.executemany(query, rows_of)
        if self._tags:
            self.database.executemany(_INSERT_TAG, self._tags)

    def _hold_new(self, record: TaskRecord) -> None:
        """Assign the next row number and buffer the record."""
        record.row = self._last_row = self._rows_so_far() + 1
        self._new[record.row] = record
        self._keep(record)

    def _rows_so_far(self) -> int:
        """Return the highest row number, which is close to the number of rows."""
        if self._last_row is None:
            query = "SELECT coalesce(max(row), 0) FROM tasks"
            self._last_row = int(self.database.execute(query).fetchone()[0])
        return self._last_row

    def _hold_tag(self, record: TaskRecord, tag: str) -> None:
        self._tags.append((record.row, tag, fold_case(tag)))

    def _hold_change(self, record: TaskRecord, name: str) -> None:
        """Buffer a changed column, tags or blockers."""
        if record.row not in self._new:
            changed = self._changed.setdefault(record.row, {"updated_at"})
            changed.update(_DERIVED_FROM.get(name, ()))
            if name in COLUMNS:
                changed.add(name)

    def _changes(self) -> dict[tuple[str, ...], list[tuple[str | int | None, ...]]]:
        """Group the values to write, and their rows, by the set of changed columns.

        Unchanged columns are not named: each named column is written to all its indexes.
        """
        changes: dict[tuple[str, ...], list[tuple[str | int | None, ...]]] = {}
        for row, changed in self._changed.items():
            names = tuple(sorted(changed))
            values = dict(zip(COLUMNS, self._values(self._loaded[row]), strict=True))
            changes.setdefault(names, []).append((*(values[name] for name in names), row))
        return changes

    def _next_id(self) -> int:
        if self._last_id is None:
            query = "SELECT last_id FROM counters WHERE user = ?"
            found = self.database.execute(query, (self.user,)).fetchone()
            self._last_id = 0 if found is None else int(found[0])
        self._last_id += 1
        return self._last_id

    def _load(self, condition: str, value: int | str) -> None:
        rows = self.database.execute(_SELECT + condition, (self.user, value)).fetchall()
        for row, task_id, uuid, *values, due_at, gone, tags in rows:
            if row in self._loaded:
                continue
            columns: Columns = dict(zip(LOGGED, values, strict=True))
            held = tags.split(SEPARATOR) if tags else []
            self._keep(TaskRecord(row, task_id, uuid, columns, held, due_at, bool(gone)))

    def _keep(self, record: TaskRecord) -> None:
        self._loaded[record.row] = record
        self._by_uuid[record.uuid] = record
        self._by_id[record.id] = record

    def _row_of(self, record: TaskRecord) -> TaskRow:
        return (record.row, self.user, record.id, record.uuid, *self._values(record))

    def _values(self, record: TaskRecord) -> TaskRow:
        """Return the column values of a row, derived ones at the end."""
        columns = record.columns
        project = columns["project"]
        searched = search_text(record.title, columns["notes"] or "", project, record.tags)
        return (
            *_logged_values(columns),
            record.due_at,
            None if project is None else fold_case(project),
            searched,
            record.updated_at or self.stamp,
            int(record.gone),
        )


class UnitOfWork(TaskRecords):
    """Loads, changes and logs tasks of one user within one transaction.

    `finish` writes the buffered changes and returns those to announce after the commit.
    """

    def __init__(self, database: Connection, db: UserDatabase, context: ChangeContext) -> None:
        self.clock = db.clock
        self.context = context
        self.new_id = db.new_id
        self.log = OpLog(database, db.user, context, db.clock, db.new_id)
        super().__init__(database, user=db.user, zone=db.clock.zone, stamp=utc_text(self.log.now))
        self.finished: dict[int, Task] = {}
        self._before: dict[int, tuple[bool, str | None, bool]] = {}
        """State of each touched task before: existed, status, in the trash."""
        self._new_parents: set[str] = set()

    def live_occurrence(self, series: str) -> TaskRecord | None:
        """Return the task of a series that is open and not in the trash."""
        self.flush()
        found = self.database.execute(
            f"SELECT row FROM tasks WHERE user = ? AND series = ? AND {OPEN_SCOPE} LIMIT 1",  # noqa: S608
            (self.user, series),
        ).fetchone()
        return None if found is None else self.by_row(found[0])

    def create(
        self,
        columns: Columns,
        tags: Sequence[str] = (),
        *,
        uuid: str | None = None,
        task_id: int | None = None,
        updated_at: str | None = None,
    ) -> TaskRecord:
        """Create a task, by default with the user's next id, and log its fields.

        `updated_at` is for tasks with a history in another program.

        Raises:
            ValidationError: its due moment is beyond the calendar.
        """
        record = self.make(columns, tags, uuid=uuid, task_id=task_id, updated_at=updated_at)
        self.log.append(Op(record.uuid, OpKind.CREATE, new=str(record.id)))
        # Values derived from id and time of the creation are not logged separately.
        given = {**EMPTY, "position": f"{record.id:08x}", "created_at": self.stamp}
        for name in LOGGED:
            value = record.columns[name]
            if value != given[name]:
                self.log.append(Op(record.uuid, OpKind.SET, name, given[name], value))
        for tag in record.tags:
            self.log.append(Op(record.uuid, OpKind.ADD, TAGS, None, tag))
        return record

    def make(
        self,
        columns: Columns,
        tags: Sequence[str] = (),
        *,
        uuid: str | None = None,
        task_id: int | None = None,
        updated_at: str | None = None,
    ) -> TaskRecord:
        """Create a task as `create` does, to be logged together with others by `log_made`."""
        if task_id is None:
            task_id = self._next_id()
        full: Columns = dict(EMPTY)
        full["position"], full["created_at"] = f"{task_id:08x}", self.stamp
        full.update(columns)
        due_at = sort_instant(full, self.zone)
        record = TaskRecord(0, task_id, uuid or self.new_id(), full, _distinct(tags), due_at)
        record.updated_at = updated_at
        self._hold_new(record)
        for tag in record.tags:
            self._hold_tag(record, tag)
        self._before[record.row] = (False, None, False)
        if full["parent"] is not None:
            self._new_parents.add(full["parent"])
        return record

    def log_made(self, records: Sequence[TaskRecord]) -> None:
        """Log the creation of tasks with consecutive rows, including their present fields."""
        if records:
            self.log.append_creations(range(records[0].row, records[-1].row + 1))

    def change(self, record: TaskRecord, columns: Columns, undoes: str | None = None) -> None:
        """Set columns; write and log those that differ.

        Raises:
            ValidationError: the due moment is beyond the calendar.
        """
        if "due" in columns or "due_zone" in columns:
            record.due_at = sort_instant(record.columns | columns, self.zone)
        for name, value in columns.items():
            old = record.columns[name]
            if old != value:
                self._touch(record, name)
                record.columns[name] = value
                self.log.append(Op(record.uuid, OpKind.SET, name, old, value, undoes))
                if name == "parent" and value is not None:
                    self._new_parents.add(value)

    def add_tags(self, record: TaskRecord, tags: Iterable[str], undoes: str | None = None) -> None:
        """Add missing tags, ignoring case."""
        for tag in tags:
            cleaned = clean_tag(tag)
            if fold_case(cleaned) not in map(fold_case, record.tags):
                self._touch(record, TAGS)
                record.tags.append(cleaned)
                self._hold_tag(record, cleaned)
                self.log.append(Op(record.uuid, OpKind.ADD, TAGS, None, cleaned, undoes))

    def remove_tags(
        self, record: TaskRecord, tags: Iterable[str], undoes: str | None = None
    ) -> None:
        """Remove tags, ignoring case."""
        for tag in tags:
            key = fold_case(clean_tag(tag))
            for present in [held for held in record.tags if fold_case(held) == key]:
                self.flush()
                self.database.execute(
                    "UPDATE task_tags SET gone = 1 WHERE task = ? AND folded = ?",
                    (record.row, key),
                )
                self._touch(record, TAGS)
                record.tags.remove(present)
                self.log.append(Op(record.uuid, OpKind.REMOVE, TAGS, present, None, undoes))

    def blockers(self, record: TaskRecord) -> list[int]:
        """Return the row numbers of its blockers."""
        found = self.database.execute(
            "SELECT blocker FROM task_blockers WHERE task = ? AND gone = 0 ORDER BY row",
            (record.row,),
        )
        return [row[0] for row in found.fetchall()]

    def add_blockers(
        self, record: TaskRecord, blockers: Iterable[TaskRecord], undoes: str | None = None
    ) -> None:
        """Add blockers.

        Raises:
            ValidationError: it would wait for itself; names the cycle.
        """
        wanted = list(blockers)
        if not wanted:
            return
        # Deferred: most tasks have no blockers, and `todo-tui add` need not load the cycle check.
        from todo_tui.store.tasks.hierarchy import refuse_blocker_cycle

        present = self.blockers(record)
        for blocker in wanted:
            if blocker.row in present:
                continue
            refuse_blocker_cycle(self, record, blocker)
            # The tasks may still be buffered.
            self.database.execute("PRAGMA defer_foreign_keys = ON")
            self.database.execute(
                "INSERT INTO task_blockers (task, blocker) VALUES (?, ?)"
                " ON CONFLICT (task, blocker) DO UPDATE SET gone = 0",
                (record.row, blocker.row),
            )
            present.append(blocker.row)
            self._touch(record, BLOCKED_BY)
            self.log.append(Op(record.uuid, OpKind.ADD, BLOCKED_BY, None, blocker.uuid, undoes))

    def remove_blockers(
        self, record: TaskRecord, blockers: Iterable[TaskRecord], undoes: str | None = None
    ) -> None:
        """Remove blockers."""
        for blocker in blockers:
            cursor = self.database.execute(
                "UPDATE task_blockers SET gone = 1 WHERE task = ? AND blocker = ? AND gone = 0",
                (record.row, blocker.row),
            )
            if cursor.rowcount:
                self._touch(record, BLOCKED_BY)
                self.log.append(
                    Op(record.uuid, OpKind.REMOVE, BLOCKED_BY, blocker.uuid, None, undoes)
                )

    def set_parent(self, record: TaskRecord, parent: TaskRecord | None) -> None:
        """Set or remove the parent.

        Raises:
            ValidationError: it would be its own ancestor; names the cycle.
        """
        self._refuse_parent_cycle(record, parent)
        self.change(record, {"parent": None if parent is None else parent.uuid})

    def make_under(self, record: TaskRecord, parent: TaskRecord) -> None:
        """Set the parent of a task that is not logged yet.

        Raises:
            ValidationError: it would be its own ancestor; names the cycle.
        """
        self._refuse_parent_cycle(record, parent)
        self._touch(record, "parent")
        record.columns["parent"] = parent.uuid
        self._new_parents.add(parent.uuid)

    def _refuse_parent_cycle(self, record: TaskRecord, parent: TaskRecord | None) -> None:
        if parent is not None:
            from todo_tui.store.tasks.hierarchy import refuse_parent_cycle  # as above

            refuse_parent_cycle(self, record, parent)

    def may_have_children(self, record: TaskRecord) -> bool:
        """Return True if it has subtasks, or had some in this transaction."""
        if record.uuid in self._new_parents:
            return True
        query = "SELECT 1 FROM tasks WHERE parent = ? LIMIT 1"
        return (
            record.row not in self._new
            and self.database.execute(query, (record.uuid,)).fetchone() is not None
        )

    def set_gone(self, record: TaskRecord, gone: bool, undoes: str) -> None:
        """Undo or redo its creation; its fields stay as they are."""
        self._touch(record, "gone")
        record.gone = gone
        kind = OpKind.DESTROY if gone else OpKind.CREATE
        number = str(record.id)
        old, new = (number, None) if gone else (None, number)
        self.log.append(Op(record.uuid, kind, None, old, new, undoes))

    def finish(
        self, kind: BatchKind | None = BatchKind.DO, target: str | None = None
    ) -> tuple[TaskChange, ...]:
        """Write the buffered rows and the log; return the changes, oldest first.

        `kind` and `target` are those of `OpLog.write`. Afterwards `finished` holds every loaded
        task by row number.
        """
        self.finish_without_results(kind, target)
        self.finished = tasks_by_row(self.database, list(self._loaded))
        return tuple(
            TaskChange(self._kind_of(record), self.finished[row], self.context)
            for row, record in self._loaded.items()
            if row in self._before
        )

    def finish_without_results(
        self, kind: BatchKind | None = BatchKind.DO, target: str | None = None
    ) -> None:
        """Write as `finish` does, without reading the tasks back."""
        self.flush()
        self.log.write(kind, target)

    def _touch(self, record: TaskRecord, name: str) -> None:
        """Record the state of a task before its first change."""
        if record.row not in self._before:
            state = (not record.gone, record.columns["status"], record.in_trash)
            self._before[record.row] = state
        self._hold_change(record, name)

    def _kind_of(self, record: TaskRecord) -> ChangeKind:
        existed, status, trashed = self._before[record.row]
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
            return ChangeKind.COMPLETED
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
