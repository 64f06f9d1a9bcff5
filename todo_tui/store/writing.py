"""One transaction's changes of tasks: each is applied, logged and announced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from todo_tui.domain.changes import ChangeKind, Gesture, TaskChange
from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded, search_text
from todo_tui.store.fields import Columns, clean_tag, sort_instant
from todo_tui.store.oplog import BatchKind, Op, OpKind, OpLog
from todo_tui.store.rows import EMPTY, LOGGED, tasks_by_row, utc_text
from todo_tui.store.schema import OPEN_SCOPE

_STORED = (*LOGGED, "gone")
_SELECT = (
    f"SELECT row, id, uuid, {', '.join(_STORED)},"  # noqa: S608 - names of our own columns
    " (SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM task_tags"
    " WHERE task = tasks.row AND gone = 0 ORDER BY row)) FROM tasks"
)
_DERIVED = ("due_at", "project_folded", "folded", "updated_at", "gone")
_INSERT = (
    f"INSERT INTO tasks (user, id, uuid, {', '.join(LOGGED + _DERIVED)})"  # noqa: S608
    f" VALUES ({', '.join('?' * (3 + len(LOGGED) + len(_DERIVED)))})"
)
_UPDATE = (
    f"UPDATE tasks SET {', '.join(f'{name} = ?' for name in LOGGED + _DERIVED)}"  # noqa: S608
    " WHERE row = ?"
)
TAGS = "tags"
BLOCKED_BY = "blocked_by"


def no_such_task(task_id: int) -> NotFound:
    """The error for an id that this user has no task under."""
    return NotFound(f"There is no task #{task_id}.")


@dataclass(slots=True)
class Record:
    """A task as this transaction has it so far; `gone` when its creation was undone."""

    row: int
    id: int
    uuid: str
    columns: Columns
    tags: list[str]
    gone: bool = False
    updated_at: str | None = None
    """When it was changed last; None stands for this transaction."""
    dirty: bool = False
    """Whether it holds columns that are not written yet."""

    @property
    def title(self) -> str:
        """The title as it stands."""
        return self.columns["title"] or ""

    @property
    def is_open(self) -> bool:
        """Whether its status is todo or doing; it may be in the trash all the same."""
        return self.columns["status"] in ("todo", "doing")


class TaskWriting:
    """Loads tasks of one user, changes them and logs what it did.

    Lives as long as one transaction; `finish` writes what is still held and
    answers with the changes to announce once the transaction is committed.
    """

    def __init__(
        self, database: Database, *, user: str, clock: Clock, new_id: NewId, gesture: Gesture
    ) -> None:
        self.database = database
        self.user = user
        self.zone = clock.zone
        self.clock = clock
        self.gesture = gesture
        self.new_id = new_id
        self.log = OpLog(database, user, gesture, clock, new_id)
        self.stamp = utc_text(self.log.now)
        self.finished: dict[int, Task] = {}
        self._records: dict[int, Record] = {}
        self._before: dict[int, tuple[bool, str | None, bool]] = {}
        self._touched: set[int] = set()
        self._rows: dict[str, int] = {}

    def record(self, task_id: int) -> Record:
        """The task of that id.

        Raises:
            NotFound: this user has none.
        """
        found = self._load("id = ? AND gone = 0", task_id)
        if found is None:
            raise no_such_task(task_id)
        return found

    def records(self, task_ids: Iterable[int]) -> list[Record]:
        """The tasks of these ids, each once, in the order asked.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        return [self.record(task_id) for task_id in dict.fromkeys(task_ids)]

    def by_uuid(self, uuid: str) -> Record | None:
        """The task of that uuid, also one whose creation was undone."""
        row = self._rows.get(uuid)
        return self._records[row] if row in self._records else self._load("uuid = ?", uuid)

    def by_row(self, row: int) -> Record:
        """The task of that row number, which must exist."""
        found = self._load("row = ?", row)
        if found is None:
            raise KeyError(row)
        return found

    def live_occurrence(self, series: str) -> Record | None:
        """The task of a series that is open and not in the trash."""
        self.flush()
        found = self.database.execute(
            f"SELECT row FROM tasks WHERE user = ? AND series = ? AND {OPEN_SCOPE} LIMIT 1",  # noqa: S608
            (self.user, series),
        ).fetchone()
        return None if found is None else self.by_row(found[0])

    def forget(self, record: Record) -> None:
        """Take a task out of the tables; the log is left as it is."""
        self.database.execute("DELETE FROM tasks WHERE row = ?", (record.row,))
        del self._records[record.row]

    def create(
        self,
        columns: Columns,
        tags: Sequence[str] = (),
        *,
        uuid: str | None = None,
        task_id: int | None = None,
        updated_at: str | None = None,
    ) -> Record:
        """Make a task, with the user's next id if none is given; each field is logged.

        `updated_at` is for tasks that have a past elsewhere.
        """
        if task_id is None:
            task_id = self._next_id()
        # What follows from id and time of the creation is not logged apart from it.
        given: Columns = {**EMPTY, "position": f"{task_id:08x}", "created_at": self.stamp}
        full: Columns = given | columns
        record = Record(0, task_id, uuid or self.new_id(), full, _distinct(tags))
        record.updated_at = updated_at
        values = (self.user, record.id, record.uuid, *self._column_values(record))
        cursor = self.database.execute(_INSERT, values)
        record.row = int(cursor.lastrowid or 0)
        self._records[record.row] = record
        self._before[record.row] = (False, None, False)
        self._touched.add(record.row)
        self.log.append(Op(record.uuid, OpKind.CREATE, new=str(task_id)))
        for name in LOGGED:
            if full[name] != given[name]:
                self.log.append(Op(record.uuid, OpKind.SET, name, given[name], full[name]))
        for tag in record.tags:
            self._insert_tag(record, tag, None)
        return record

    def change(self, record: Record, columns: Columns, undoes: str | None = None) -> None:
        """Set columns; only those that really change are written and logged."""
        for name, value in columns.items():
            old = record.columns[name]
            if old != value:
                record.columns[name] = value
                self._touch(record)
                self.log.append(Op(record.uuid, OpKind.SET, name, old, value, undoes))

    def add_tags(self, record: Record, tags: Iterable[str], undoes: str | None = None) -> None:
        """Add the tags that it does not have yet, in whatever case they are written."""
        for tag in tags:
            cleaned = clean_tag(tag)
            if folded(cleaned) not in map(folded, record.tags):
                record.tags.append(cleaned)
                self._insert_tag(record, cleaned, undoes)
                self._touch(record)

    def remove_tags(self, record: Record, tags: Iterable[str], undoes: str | None = None) -> None:
        """Remove the tags that it has, in whatever case they are written."""
        for tag in tags:
            key = folded(clean_tag(tag))
            for present in [held for held in record.tags if folded(held) == key]:
                self.database.execute(
                    "UPDATE task_tags SET gone = 1 WHERE task = ? AND folded = ?",
                    (record.row, key),
                )
                record.tags.remove(present)
                self._touch(record)
                self.log.append(Op(record.uuid, OpKind.REMOVE, TAGS, present, None, undoes))

    def blockers(self, record: Record) -> list[int]:
        """Row numbers of the tasks that this one waits for."""
        found = self.database.execute(
            "SELECT blocker FROM task_blockers WHERE task = ? AND gone = 0 ORDER BY row",
            (record.row,),
        )
        return [row[0] for row in found.fetchall()]

    def add_blockers(
        self, record: Record, blockers: Iterable[Record], undoes: str | None = None
    ) -> None:
        """Let it wait for other tasks.

        Raises:
            ValidationError: it would wait for itself.
        """
        for blocker in blockers:
            if blocker.row in self.blockers(record):
                continue
            if self.would_wait_for_itself(record, blocker):
                raise ValidationError(
                    f"Task #{record.id} cannot wait for #{blocker.id}: it would wait for itself."
                )
            self.database.execute(
                "INSERT INTO task_blockers (task, blocker) VALUES (?, ?)"
                " ON CONFLICT (task, blocker) DO UPDATE SET gone = 0",
                (record.row, blocker.row),
            )
            self._touch(record)
            self.log.append(Op(record.uuid, OpKind.ADD, BLOCKED_BY, None, blocker.uuid, undoes))

    def remove_blockers(
        self, record: Record, blockers: Iterable[Record], undoes: str | None = None
    ) -> None:
        """Let it no longer wait for other tasks."""
        for blocker in blockers:
            cursor = self.database.execute(
                "UPDATE task_blockers SET gone = 1 WHERE task = ? AND blocker = ? AND gone = 0",
                (record.row, blocker.row),
            )
            if cursor.rowcount:
                self._touch(record)
                self.log.append(
                    Op(record.uuid, OpKind.REMOVE, BLOCKED_BY, blocker.uuid, None, undoes)
                )

    def set_parent(self, record: Record, parent: Record | None) -> None:
        """Put it under another task, or under none.

        Raises:
            ValidationError: it would be its own ancestor.
        """
        uuid = None if parent is None else parent.uuid
        if self.would_contain_itself(record, uuid):
            raise ValidationError(f"Task #{record.id} cannot be part of itself.")
        self.change(record, {"parent": uuid})

    def would_contain_itself(self, record: Record, parent: str | None) -> bool:
        """Whether a task would be its own ancestor under this parent."""
        above = parent
        while above is not None and above != record.uuid:
            found = self.by_uuid(above)
            above = None if found is None else found.columns["parent"]
        return above is not None

    def would_wait_for_itself(self, record: Record, blocker: Record) -> bool:
        """Whether a task would wait for itself, at once or through others."""
        found = self.database.execute(
            "WITH RECURSIVE waits (row) AS (VALUES (?) UNION SELECT k.blocker FROM task_blockers k"
            " JOIN waits ON k.task = waits.row AND k.gone = 0) SELECT 1 FROM waits WHERE row = ?",
            (blocker.row, record.row),
        ).fetchone()
        return found is not None

    def set_gone(self, record: Record, gone: bool, undoes: str) -> None:
        """Undo or redo its creation; its fields stay as they are."""
        record.gone = gone
        self._touch(record)
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
        self.flush()
        self.log.write(kind, target)
        touched = [row for row in self._records if row in self._touched]
        self.finished = tasks_by_row(self.database, list(self._records))
        return tuple(
            TaskChange(self._kind_of(self._records[row]), self.finished[row], self.gesture)
            for row in touched
        )

    def _insert_tag(self, record: Record, tag: str, undoes: str | None) -> None:
        self.database.execute(
            "INSERT INTO task_tags (task, tag, folded) VALUES (?, ?, ?)"
            " ON CONFLICT (task, folded) DO UPDATE SET tag = excluded.tag, gone = 0",
            (record.row, tag, folded(tag)),
        )
        self.log.append(Op(record.uuid, OpKind.ADD, TAGS, None, tag, undoes))

    def _touch(self, record: Record) -> None:
        record.dirty = True
        self._touched.add(record.row)

    def flush(self) -> None:
        """Write the columns that are held; queries see only what is written."""
        for record in self._records.values():
            if record.dirty:
                self.database.execute(_UPDATE, (*self._column_values(record), record.row))
                record.dirty = False

    def _load(self, condition: str, value: int | str) -> Record | None:
        found = self.database.execute(
            f"{_SELECT} WHERE user = ? AND {condition}", (self.user, value)
        ).fetchone()
        if found is None:
            return None
        row, task_id, uuid, *values, gone, tags = found
        if row not in self._records:
            columns: Columns = dict(zip(LOGGED, values, strict=True))
            record = Record(
                row, task_id, uuid, columns, tags.split("\x1f") if tags else [], bool(gone)
            )
            self._records[row] = record
            self._rows[uuid] = row
            self._before[row] = (not record.gone, columns["status"], bool(columns["deleted_at"]))
        return self._records[row]

    def _column_values(self, record: Record) -> tuple[str | int | None, ...]:
        columns = record.columns
        project = columns["project"]
        searched = search_text(record.title, columns["notes"] or "", project, record.tags)
        return (
            *(columns[name] for name in LOGGED),
            sort_instant(columns, self.zone),
            None if project is None else folded(project),
            searched,
            record.updated_at or self.stamp,
            int(record.gone),
        )

    def _next_id(self) -> int:
        (task_id,) = self.database.execute(
            "INSERT INTO counters (user, last_id) VALUES (?, 1)"
            " ON CONFLICT (user) DO UPDATE SET last_id = last_id + 1 RETURNING last_id",
            (self.user,),
        ).fetchone()
        return int(task_id)

    def _kind_of(self, record: Record) -> ChangeKind:
        existed, status, trashed = self._before[record.row]
        was_open = status in ("todo", "doing")
        now_trashed = record.columns["deleted_at"] is not None
        if record.gone:
            return ChangeKind.PURGED
        if not existed:
            return ChangeKind.ADDED
        if now_trashed and not trashed:
            return ChangeKind.DELETED
        if trashed and not now_trashed:
            return ChangeKind.RESTORED
        if was_open and not record.is_open:
            return ChangeKind.COMPLETED
        if record.is_open and not was_open:
            return ChangeKind.REOPENED
        return ChangeKind.UPDATED


def _distinct(tags: Iterable[str]) -> list[str]:
    """Tags as they are stored, each once, in whatever case it is written."""
    by_name: dict[str, str] = {}
    for tag in map(clean_tag, tags):
        by_name.setdefault(folded(tag), tag)
    return list(by_name.values())
