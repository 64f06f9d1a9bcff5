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
from todo_tui.domain.when import Clock, NewId
from todo_tui.store.database import OPEN_SCOPE
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
"""All columns but those that say which task it is; those that follow from others at the end."""
AT_ONCE = 5_000
"""Rows that are looked through together for what none of them has."""
LEFT_OUT: Mapping[str, str | int | None] = {
    **{name: EMPTY[name] for name in LOGGED if name not in ("title", "position", "created_at")},
    "due_at": None,
    "project_folded": None,
    "gone": 0,
}
"""What the columns of a row hold that are not named as it is inserted."""
TaskRow = tuple[str | int | None, ...]
_INSERTED = ("row", "user", "id", "uuid", *COLUMNS)
_SELECT = (
    f"SELECT row, id, uuid, {', '.join(LOGGED)}, due_at, gone,"  # noqa: S608 - names of our own columns
    " (SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM task_tags"
    " WHERE task = tasks.row AND gone = 0 ORDER BY row)) FROM tasks WHERE "
)
# The plus signs keep the planner from reading all tasks of the user instead of the few.
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
"""What else is written where something changed."""
_INSERT_TAG = (
    "INSERT INTO task_tags (task, tag, folded) VALUES (?, ?, ?)"
    " ON CONFLICT (task, folded) DO UPDATE SET tag = excluded.tag, gone = 0"
)
_logged_values = itemgetter(*LOGGED)
TAGS = "tags"
BLOCKED_BY = "blocked_by"


def insert_tasks(database: Connection, rows: Sequence[TaskRow]) -> None:
    """Insert some tasks: row, user, id, uuid, then `COLUMNS`.

    A column in which all have what is there anyway is not named; of what many rows
    cost, such columns are a third.
    """
    said = {
        name: values
        for name, values in zip(_INSERTED, zip(*rows, strict=True), strict=True)
        if name not in LEFT_OUT or values.count(LEFT_OUT[name]) < len(values)
    }
    database.executemany(
        f"INSERT INTO tasks ({', '.join(said)})"  # noqa: S608 - our own columns
        f" VALUES ({', '.join('?' * len(said))})",
        zip(*said.values(), strict=True),
    )


def task_not_found(task_id: int) -> NotFound:
    """The error for an id that this user has no task under."""
    return NotFound(f"There is no task #{task_id}.")


@dataclass(slots=True)
class TaskRecord:
    """A task as this transaction has it so far; `gone` when its creation was undone."""

    row: int
    id: int
    uuid: str
    columns: Columns
    tags: list[str]
    due_at: int | None = None
    """The instant by which it sorts."""
    gone: bool = False
    updated_at: str | None = None
    """When it was changed last; None stands for this transaction."""

    @property
    def title(self) -> str:
        """The title as it stands."""
        return self.columns["title"] or ""

    @property
    def is_open(self) -> bool:
        """Whether its status is todo or doing; it may be in the trash all the same."""
        return self.columns["status"] in ("todo", "doing")

    @property
    def in_trash(self) -> bool:
        """Whether it is in the trash."""
        return self.columns["deleted_at"] is not None


def require_not_in_trash(record: TaskRecord) -> TaskRecord:
    """The record itself.

    Raises:
        Conflict: it is in the trash.
    """
    if record.in_trash:
        raise Conflict(
            f"Task #{record.id} is in the trash.", hint="Undo the deletion, or restore it first."
        )
    return record


class TaskRecords:
    """Loads tasks of one user and holds what is new or changed until it is flushed.

    What is held is found by id, uuid and row, as if it were written; a query of
    one's own sees it after `flush` only. Many are written at once, because a
    statement for each would cost several times as much.
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
        """The task of that id.

        Raises:
            NotFound: this user has none.
        """
        return self.records([task_id])[0]

    def records(self, task_ids: Iterable[int]) -> list[TaskRecord]:
        """The tasks of these ids, each once, in the order asked.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        wanted = list(dict.fromkeys(task_ids))
        missing = [task_id for task_id in wanted if task_id not in self._by_id]
        if missing:
            # As text: a number that is too large for SQLite is just not found.
            self._load(_BY_ID, json.dumps(missing))
        for task_id in wanted:
            found = self._by_id.get(task_id)
            if found is None or found.gone:
                raise task_not_found(task_id)
        return [self._by_id[task_id] for task_id in wanted]

    def by_uuid(self, uuid: str) -> TaskRecord | None:
        """The task of that uuid, also one whose creation was undone."""
        if uuid not in self._by_uuid and uuid not in self._unknown:
            self._load(_BY_UUID, uuid)
        return self._by_uuid.get(uuid)

    def owned(self, uuids: Iterable[str]) -> dict[str, bool]:
        """Of many uuids those that are here already, and whether they are this user's."""
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
        """Load the tasks of many uuids at once; `by_uuid` then needs no query for any."""
        unseen = {uuid for uuid in uuids if uuid not in self._by_uuid}
        self._load(_BY_UUIDS, json.dumps(list(unseen)))
        self._unknown |= unseen

    def by_row(self, row: int) -> TaskRecord:
        """The task of that row number, which must exist."""
        return self.by_rows([row])[0]

    def by_rows(self, rows: Iterable[int]) -> list[TaskRecord]:
        """The tasks of these row numbers, which must exist, in the order given."""
        wanted = list(rows)
        missing = [row for row in wanted if row not in self._loaded]
        if missing:
            self._load(_BY_ROW, json.dumps(missing))
        return [self._loaded[row] for row in wanted]

    def forget(self, record: TaskRecord) -> None:
        """Take a task out of the tables; the log is left as it is."""
        self.flush()
        self.database.execute("DELETE FROM tasks WHERE row = ?", (record.row,))
        del self._loaded[record.row], self._by_uuid[record.uuid], self._by_id[record.id]

    def flush(self) -> None:
        """Write what is held, so that queries see it."""
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
            # Of two tasks that come together either may be the parent.
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
        """Give a task its row number and hold it."""
        record.row = self._last_row = self._rows_so_far() + 1
        self._new[record.row] = record
        self._keep(record)

    def _rows_so_far(self) -> int:
        """The highest row number, of which few are missing."""
        if self._last_row is None:
            query = "SELECT coalesce(max(row), 0) FROM tasks"
            self._last_row = int(self.database.execute(query).fetchone()[0])
        return self._last_row

    def _hold_tag(self, record: TaskRecord, tag: str) -> None:
        self._tags.append((record.row, tag, fold_case(tag)))

    def _hold_change(self, record: TaskRecord, name: str) -> None:
        """Hold what changed: a column, or anything else that is a task's own."""
        if record.row not in self._new:
            changed = self._changed.setdefault(record.row, {"updated_at"})
            changed.update(_DERIVED_FROM.get(name, ()))
            if name in COLUMNS:
                changed.add(name)

    def _changes(self) -> dict[tuple[str, ...], list[tuple[str | int | None, ...]]]:
        """The values to write, and the row to write them to, by the columns that changed.

        Only those, because each column that is named is written to every index it is in.
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
        """The columns of a row, those that follow from others at the end."""
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
    """Loads tasks of one user, changes them and logs what it did.

    Lives as long as one transaction; `finish` writes what is still held and
    answers with the changes to announce once the transaction is committed.
    """

    def __init__(
        self,
        database: Connection,
        *,
        user: str,
        clock: Clock,
        new_id: NewId,
        gesture: ChangeContext,
    ) -> None:
        self.clock = clock
        self.gesture = gesture
        self.new_id = new_id
        self.log = OpLog(database, user, gesture, clock, new_id)
        super().__init__(database, user=user, zone=clock.zone, stamp=utc_text(self.log.now))
        self.finished: dict[int, Task] = {}
        self._before: dict[int, tuple[bool, str | None, bool]] = {}
        """Of each touched task whether it existed, its status, whether it was in the trash."""
        self._new_parents: set[str] = set()

    def live_occurrence(self, series: str) -> TaskRecord | None:
        """The task of a series that is open and not in the trash."""
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
        """Make a task, with the user's next id if none is given; each field is logged.

        `updated_at` is for tasks that have a past elsewhere.

        Raises:
            ValidationError: its due moment is beyond the calendar.
        """
        record = self.make(columns, tags, uuid=uuid, task_id=task_id, updated_at=updated_at)
        self.log.append(Op(record.uuid, OpKind.CREATE, new=str(record.id)))
        # What follows from id and time of the creation is not logged apart from it.
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
        """As `create`, but that it was made is to be logged with that of many, by `log_made`."""
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
        """Log that tasks were made, one right after the other, with all that they have now."""
        if records:
            self.log.append_creations(range(records[0].row, records[-1].row + 1))

    def change(self, record: TaskRecord, columns: Columns, undoes: str | None = None) -> None:
        """Set columns; only those that really change are written and logged.

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
        """Add the tags that it does not have yet, in whatever case they are written."""
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
        """Remove the tags that it has, in whatever case they are written."""
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
        """Row numbers of the tasks that this one waits for."""
        found = self.database.execute(
            "SELECT blocker FROM task_blockers WHERE task = ? AND gone = 0 ORDER BY row",
            (record.row,),
        )
        return [row[0] for row in found.fetchall()]

    def add_blockers(
        self, record: TaskRecord, blockers: Iterable[TaskRecord], undoes: str | None = None
    ) -> None:
        """Let it wait for other tasks.

        Raises:
            ValidationError: it would wait for itself; names the circle.
        """
        wanted = list(blockers)
        if not wanted:
            return
        # Most tasks have no links: `todo-tui add` does without what looks for circles.
        from todo_tui.store.tasks.hierarchy import refuse_blocker_cycle

        present = self.blockers(record)
        for blocker in wanted:
            if blocker.row in present:
                continue
            refuse_blocker_cycle(self, record, blocker)
            # The tasks may still be held.
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
        """Let it no longer wait for other tasks."""
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
        """Put it under another task, or under none.

        Raises:
            ValidationError: it would be its own ancestor; names the circle.
        """
        self._refuse_circle_of_parts(record, parent)
        self.change(record, {"parent": None if parent is None else parent.uuid})

    def make_under(self, record: TaskRecord, parent: TaskRecord) -> None:
        """Put a task that is made and not yet logged under another one.

        Raises:
            ValidationError: it would be its own ancestor; names the circle.
        """
        self._refuse_circle_of_parts(record, parent)
        self._touch(record, "parent")
        record.columns["parent"] = parent.uuid
        self._new_parents.add(parent.uuid)

    def _refuse_circle_of_parts(self, record: TaskRecord, parent: TaskRecord | None) -> None:
        if parent is not None:
            from todo_tui.store.tasks.hierarchy import refuse_parent_cycle  # as above

            refuse_parent_cycle(self, record, parent)

    def may_have_children(self, record: TaskRecord) -> bool:
        """Whether anything is, or was in this transaction, a part of it."""
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
        """Write what is held, then the log as `OpLog.write` does; the changes, oldest first.

        Afterwards `finished` holds every task that was loaded, by row number.
        """
        self.finish_without_results(kind, target)
        self.finished = tasks_by_row(self.database, list(self._loaded))
        return tuple(
            TaskChange(self._kind_of(record), self.finished[row], self.gesture)
            for row, record in self._loaded.items()
            if row in self._before
        )

    def finish_without_results(
        self, kind: BatchKind | None = BatchKind.DO, target: str | None = None
    ) -> None:
        """Write as `finish` does, without reading back what nobody wants to see."""
        self.flush()
        self.log.write(kind, target)

    def _touch(self, record: TaskRecord, name: str) -> None:
        """Hold a task of which something is about to change."""
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
    """Tags as they are stored, each once, in whatever case it is written."""
    if not tags:
        return []
    by_name: dict[str, str] = {}
    for tag in map(clean_tag, tags):
        by_name.setdefault(fold_case(tag), tag)
    return list(by_name.values())
