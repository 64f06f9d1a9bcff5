"""One transaction's changes of tasks: each is applied, logged and announced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeKind, Gesture, TaskChange
from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded
from todo_tui.store.fields import Columns, clean_tag, sort_instant
from todo_tui.store.file_format import OPEN_SCOPE
from todo_tui.store.oplog import BatchKind, Op, OpKind, OpLog
from todo_tui.store.rows import EMPTY, LOGGED, tasks_by_row, utc_text
from todo_tui.store.task_records import Record, TaskRecords

TAGS = "tags"
BLOCKED_BY = "blocked_by"


class TaskWriting(TaskRecords):
    """Loads tasks of one user, changes them and logs what it did.

    Lives as long as one transaction; `finish` writes what is still held and
    answers with the changes to announce once the transaction is committed.
    """

    def __init__(
        self, database: Connection, *, user: str, clock: Clock, new_id: NewId, gesture: Gesture
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

    def live_occurrence(self, series: str) -> Record | None:
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
    ) -> Record:
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
    ) -> Record:
        """As `create`, but that it was made is to be logged with that of many, by `log_made`."""
        if task_id is None:
            task_id = self._next_id()
        full: Columns = dict(EMPTY)
        full["position"], full["created_at"] = f"{task_id:08x}", self.stamp
        full.update(columns)
        due_at = sort_instant(full, self.zone)
        record = Record(0, task_id, uuid or self.new_id(), full, _distinct(tags), due_at)
        record.updated_at = updated_at
        self._hold_new(record)
        for tag in record.tags:
            self._hold_tag(record, tag)
        self._before[record.row] = (False, None, False)
        if full["parent"] is not None:
            self._new_parents.add(full["parent"])
        return record

    def log_made(self, records: Sequence[Record]) -> None:
        """Log that tasks were made, one right after the other, with all that they have now."""
        if records:
            self.log.append_creations(range(records[0].row, records[-1].row + 1))

    def change(self, record: Record, columns: Columns, undoes: str | None = None) -> None:
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

    def add_tags(self, record: Record, tags: Iterable[str], undoes: str | None = None) -> None:
        """Add the tags that it does not have yet, in whatever case they are written."""
        for tag in tags:
            cleaned = clean_tag(tag)
            if folded(cleaned) not in map(folded, record.tags):
                self._touch(record, TAGS)
                record.tags.append(cleaned)
                self._hold_tag(record, cleaned)
                self.log.append(Op(record.uuid, OpKind.ADD, TAGS, None, cleaned, undoes))

    def remove_tags(self, record: Record, tags: Iterable[str], undoes: str | None = None) -> None:
        """Remove the tags that it has, in whatever case they are written."""
        for tag in tags:
            key = folded(clean_tag(tag))
            for present in [held for held in record.tags if folded(held) == key]:
                self.flush()
                self.database.execute(
                    "UPDATE task_tags SET gone = 1 WHERE task = ? AND folded = ?",
                    (record.row, key),
                )
                self._touch(record, TAGS)
                record.tags.remove(present)
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
            ValidationError: it would wait for itself; names the circle.
        """
        wanted = list(blockers)
        if not wanted:
            return
        # Most tasks have no links: `todo-tui add` does without what looks for circles.
        from todo_tui.store.circles import refuse_circle_of_waiting

        present = self.blockers(record)
        for blocker in wanted:
            if blocker.row in present:
                continue
            refuse_circle_of_waiting(self, record, blocker)
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
        self, record: Record, blockers: Iterable[Record], undoes: str | None = None
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

    def set_parent(self, record: Record, parent: Record | None) -> None:
        """Put it under another task, or under none.

        Raises:
            ValidationError: it would be its own ancestor; names the circle.
        """
        self._refuse_circle_of_parts(record, parent)
        self.change(record, {"parent": None if parent is None else parent.uuid})

    def make_under(self, record: Record, parent: Record) -> None:
        """Put a task that is made and not yet logged under another one.

        Raises:
            ValidationError: it would be its own ancestor; names the circle.
        """
        self._refuse_circle_of_parts(record, parent)
        self._touch(record, "parent")
        record.columns["parent"] = parent.uuid
        self._new_parents.add(parent.uuid)

    def _refuse_circle_of_parts(self, record: Record, parent: Record | None) -> None:
        if parent is not None:
            from todo_tui.store.circles import refuse_circle_of_parts  # as above

            refuse_circle_of_parts(self, record, parent)

    def may_have_children(self, record: Record) -> bool:
        """Whether anything is, or was in this transaction, a part of it."""
        if record.uuid in self._new_parents:
            return True
        query = "SELECT 1 FROM tasks WHERE parent = ? LIMIT 1"
        return (
            record.row not in self._new
            and self.database.execute(query, (record.uuid,)).fetchone() is not None
        )

    def set_gone(self, record: Record, gone: bool, undoes: str) -> None:
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
        self.finish_unseen(kind, target)
        self.finished = tasks_by_row(self.database, list(self._loaded))
        return tuple(
            TaskChange(self._kind_of(record), self.finished[row], self.gesture)
            for row, record in self._loaded.items()
            if row in self._before
        )

    def finish_unseen(
        self, kind: BatchKind | None = BatchKind.DO, target: str | None = None
    ) -> None:
        """Write as `finish` does, without reading back what nobody wants to see."""
        self.flush()
        self.log.write(kind, target)

    def _touch(self, record: Record, name: str) -> None:
        """Hold a task of which something is about to change."""
        if record.row not in self._before:
            state = (not record.gone, record.columns["status"], record.in_trash)
            self._before[record.row] = state
        self._hold_change(record, name)

    def _kind_of(self, record: Record) -> ChangeKind:
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
        by_name.setdefault(folded(tag), tag)
    return list(by_name.values())
