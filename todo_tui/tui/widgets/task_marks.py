"""The tasks that a person has marked, for one key to act on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_tree import TaskTree

_MANY = 200


class TaskMarks:
    """Marks stay with their tasks, however the list is sorted, filtered or read anew.

    Only those that the list shows count: nothing is done to what is not seen. `changed`
    is told how many there are.
    """

    def __init__(self, view: TaskList, outline: TaskTree, changed: Callable[[int], None]) -> None:
        self._view = view
        self._outline = outline
        self._changed = changed
        self._marked: set[int] = set()
        self._before: set[int] = set()
        """What was marked when Shift began to extend."""
        self._anchor: int | None = None
        self._extended_to: int | None = None

    def __len__(self) -> int:
        return sum(1 for task_id in self._marked if task_id in self._outline)

    @property
    def exist(self) -> bool:
        """Whether any task is marked, shown or not."""
        return bool(self._marked)

    def ids(self) -> list[int]:
        """The marked tasks that are shown, in the order of the list."""
        if len(self._marked) > _MANY:
            # One way through the list is quicker than a search for each.
            return [
                each for each in dict.fromkeys(self._outline.shown_ids()) if each in self._marked
            ]
        rows = {
            each: row for each in self._marked if (row := self._outline.row_of(each)) is not None
        }
        return sorted(rows, key=rows.__getitem__)

    def toggle(self, task_id: int) -> None:
        """Mark a task, or no longer."""
        self._anchor = None
        self._set(self._marked ^ {task_id})

    def toggle_all(self) -> None:
        """Mark all that is shown; where all is marked, none."""
        self._anchor = None
        shown = set(self._outline.shown_ids())
        self._set(set() if shown <= self._marked else self._marked | shown)

    def extend(self, task_id: int) -> None:
        """Mark from where Shift was first pressed to this task, and put the cursor there."""
        cursor = self._view.cursor_task
        if self._anchor is None or cursor != self._extended_to:
            self._anchor, self._before = cursor, set(self._marked)
        anchor = None if self._anchor is None else self._outline.row_of(self._anchor)
        row = self._outline.row_of(task_id)
        if anchor is None or row is None:
            return
        self._extended_to = task_id
        reach = range(min(anchor, row), max(anchor, row) + 1)
        between = {self._outline.task_at_row(each) for each in reach}
        self._view.move_cursor_to(task_id)
        self._set(self._before | {each for each in between if each is not None})

    def extend_by(self, rows: int) -> None:
        """Mark on by rows from the cursor."""
        cursor = self._view.cursor_task
        row = None if cursor is None else self._outline.row_of(cursor)
        target = None if row is None else self._outline.task_at_row(row + rows)
        if target is not None:
            self.extend(target)

    def clicked(self, task_id: int, before: int | None, *, reaches: bool) -> None:
        """A click with Ctrl marks a task or no longer; with Shift all from the cursor on."""
        if reaches and before is not None:
            self._view.move_cursor_to(before)
            self.extend(task_id)
        else:
            self.toggle(task_id)

    def clear(self) -> bool:
        """Mark nothing; whether anything was."""
        had_any = bool(self._marked)
        self._anchor = None
        self._set(set())
        return had_any

    def forget(self, task_ids: Iterable[int]) -> None:
        """These are dealt with."""
        self._set(self._marked.difference(task_ids))

    def tell(self) -> None:
        """Count anew: the list shows others now."""
        if self._marked:
            self._changed(len(self))

    def _set(self, marked: set[int]) -> None:
        if marked != self._marked:
            self._marked = marked
            self._view.show_marked(frozenset(marked))
            self._changed(len(self))
