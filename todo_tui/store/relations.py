"""What a filter wants to know of other tasks, looked up one by one."""

from __future__ import annotations

from todo_tui.store.database import DatabaseFile

_OPEN = "status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0"
_IS_OPEN = f"SELECT 1 FROM tasks WHERE user = ? AND id = ? AND {_OPEN}"  # noqa: S608 - constants
_PARENT = (
    "SELECT p.id FROM tasks t JOIN tasks p ON p.uuid = t.parent"
    " WHERE t.user = ? AND t.id = ? AND p.gone = 0"
)
_HAS_CHILDREN = (
    "SELECT 1 FROM tasks t JOIN tasks c ON c.parent = t.uuid"
    " WHERE t.user = ? AND t.id = ? AND c.deleted_at IS NULL AND c.gone = 0 LIMIT 1"
)
_HOLDS_UP = (
    "SELECT 1 FROM tasks t JOIN task_blockers k ON k.blocker = t.row JOIN tasks w ON w.row = k.task"
    " WHERE t.user = ? AND t.id = ? AND k.gone = 0"
    " AND w.status IN ('todo', 'doing') AND w.deleted_at IS NULL AND w.gone = 0 LIMIT 1"
)


class StoredRelations:
    """How the tasks of one user hang together; see `todo_tui.domain.filter_relations`."""

    def __init__(self, file: DatabaseFile, *, user: str) -> None:
        self._file = file
        self._user = user

    def is_open(self, task_id: int) -> bool:
        """Whether the task is todo or doing, and not in the trash."""
        return self._found(_IS_OPEN, task_id) is not None

    def parent_of(self, task_id: int) -> int | None:
        """The task above."""
        return self._found(_PARENT, task_id)

    def has_children(self, task_id: int) -> bool:
        """Whether a task outside the trash lies right below."""
        return self._found(_HAS_CHILDREN, task_id) is not None

    def holds_up(self, task_id: int) -> bool:
        """Whether an open task waits for it."""
        return self._found(_HOLDS_UP, task_id) is not None

    def _found(self, question: str, task_id: int) -> int | None:
        with self._file.reading() as database:
            row = database.execute(question, (self._user, task_id)).fetchone()
        return None if row is None else int(row[0])
