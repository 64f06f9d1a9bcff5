"""The tasks that one transaction works with: each loaded once, all written together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from sqlite3 import Connection

from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.text import folded, search_text
from todo_tui.store.bulk import bulk_writing, task_indexes_made_anew
from todo_tui.store.fields import Columns
from todo_tui.store.rows import LOGGED, SEPARATOR
from todo_tui.store.task_rows import AT_ONCE, COLUMNS, TaskRow, insert_tasks

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


def not_in_trash(record: Record) -> Record:
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
        self._loaded: dict[int, Record] = {}
        self._by_id: dict[int, Record] = {}
        self._by_uuid: dict[str, Record] = {}
        self._new: dict[int, Record] = {}
        self._changed: dict[int, set[str]] = {}
        self._tags: list[tuple[int, str, str]] = []
        self._unknown: set[str] = set()
        self._last_row: int | None = None
        self._last_id: int | None = None

    def record(self, task_id: int) -> Record:
        """The task of that id.

        Raises:
            NotFound: this user has none.
        """
        return self.records([task_id])[0]

    def records(self, task_ids: Iterable[int]) -> list[Record]:
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
                raise no_such_task(task_id)
        return [self._by_id[task_id] for task_id in wanted]

    def by_uuid(self, uuid: str) -> Record | None:
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

    def by_row(self, row: int) -> Record:
        """The task of that row number, which must exist."""
        return self.by_rows([row])[0]

    def by_rows(self, rows: Iterable[int]) -> list[Record]:
        """The tasks of these row numbers, which must exist, in the order given."""
        wanted = list(rows)
        missing = [row for row in wanted if row not in self._loaded]
        if missing:
            self._load(_BY_ROW, json.dumps(missing))
        return [self._loaded[row] for row in wanted]

    def forget(self, record: Record) -> None:
        """Take a task out of the tables; the log is left as it is."""
        self.flush()
        self.database.execute("DELETE FROM tasks WHERE row = ?", (record.row,))
        del self._loaded[record.row], self._by_uuid[record.uuid], self._by_id[record.id]

    def flush(self) -> None:
        """Write what is held, so that queries see it."""
        new = len(self._new)
        with (
            bulk_writing(self.database, new),
            task_indexes_made_anew(
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

    def _hold_new(self, record: Record) -> None:
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

    def _hold_tag(self, record: Record, tag: str) -> None:
        self._tags.append((record.row, tag, folded(tag)))

    def _hold_change(self, record: Record, name: str) -> None:
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
            self._keep(Record(row, task_id, uuid, columns, held, due_at, bool(gone)))

    def _keep(self, record: Record) -> None:
        self._loaded[record.row] = record
        self._by_uuid[record.uuid] = record
        self._by_id[record.id] = record

    def _row_of(self, record: Record) -> TaskRow:
        return (record.row, self.user, record.id, record.uuid, *self._values(record))

    def _values(self, record: Record) -> TaskRow:
        """The columns of a row, those that follow from others at the end."""
        columns = record.columns
        project = columns["project"]
        searched = search_text(record.title, columns["notes"] or "", project, record.tags)
        return (
            *_logged_values(columns),
            record.due_at,
            None if project is None else folded(project),
            searched,
            record.updated_at or self.stamp,
            int(record.gone),
        )
