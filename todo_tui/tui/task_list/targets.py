"""Tasks that an action applies to: the marked ones, else the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.message import Message

from todo_tui.domain.changes import CLOSING_KINDS, ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.store.tasks.repository import TaskStore
from todo_tui.tui.key_queue import HeldKeyFilter
from todo_tui.tui.task_list.notices import NoticeLine
from todo_tui.tui.task_list.widget import TaskList

_UNSELECTING_CHANGES = CLOSING_KINDS | {
    ChangeKind.DELETED,
    ChangeKind.RESTORED,
    ChangeKind.PURGED,
}
TaskFunction = Callable[[Sequence[Task]], None]


class TaskSelection:
    """Marking of tasks by id, of which only those shown count."""

    class Changed(Message):
        """Posted by the list when other tasks are marked."""

    def __init__(self, view: TaskList) -> None:
        self._view = view
        self._before: frozenset[int] = frozenset()
        """Marked tasks when Shift began to extend."""
        self._anchor: int | None = None
        self._extended_to: int | None = None

    def ids(self) -> list[int]:
        """Return the ids of marked and shown tasks, in list order."""
        marked = self._view.marked
        shown = dict.fromkeys(self._view.outline.shown_ids()) if marked else ()
        return [each for each in shown if each in marked]

    def toggle(self, task_id: int) -> None:
        """Mark or unmark a task."""
        self._anchor = None
        self._mark(self._view.marked ^ {task_id})

    def toggle_all(self) -> None:
        """Mark all shown tasks; unmark all if all are marked."""
        self._anchor = None
        shown = frozenset(self._view.outline.shown_ids())
        self._mark(frozenset() if shown <= self._view.marked else self._view.marked | shown)

    def extend(self, task_id: int) -> None:
        """Mark the range from the first Shift press to this task and move the cursor there."""
        cursor, outline = self._view.cursor_task, self._view.outline
        if self._anchor is None or cursor != self._extended_to:
            self._anchor, self._before = cursor, self._view.marked
        anchor = None if self._anchor is None else outline.row_of(self._anchor)
        row = outline.row_of(task_id)
        if anchor is None or row is None:
            return
        self._extended_to = task_id
        between = map(outline.task_at_row, range(min(anchor, row), max(anchor, row) + 1))
        self._view.move_cursor_to(task_id)
        self._mark(self._before.union(each for each in between if each is not None))

    def extend_by(self, rows: int) -> None:
        """Extend the marked range by a number of rows from the cursor."""
        target = self._view.outline.task_at_row(self._view.cursor_row + rows)
        if target is not None:
            self.extend(target)

    def clear(self) -> None:
        """Unmark all tasks."""
        self._anchor = None
        self._mark(frozenset())

    def unmark_finished(self, changes: Iterable[TaskChange]) -> None:
        """Unmark tasks that were completed, deleted, restored or purged."""
        finished = {each.task.id for each in changes if each.kind in _UNSELECTING_CHANGES}
        self._mark(self._view.marked - finished)

    def _mark(self, marked: frozenset[int]) -> None:
        if marked != self._view.marked:
            self._view.marked = marked
            self._view.post_message(self.Changed())


class Targets:
    """Applies actions to their target tasks and keeps the last change for the repeat key."""

    def __init__(
        self,
        tasks: TaskStore,
        view: TaskList,
        notice: NoticeLine,
        monotonic: Callable[[], float],
    ) -> None:
        self._tasks = tasks
        self._view = view
        self._notice = notice
        self._monotonic = monotonic
        self.selection: TaskSelection = TaskSelection(view)
        self._held: dict[object, HeldKeyFilter] = {}
        """By the action whose key may be held."""
        self._last_change: TaskFunction | None = None
        self._is_destructive = False

    def under_cursor(self) -> Task | None:
        """Return the task under the cursor; say so if there is none."""
        task = self._view.task_at_cursor
        if task is None:
            self._notice.say("Select a task first.")
        return task

    def apply(self, act: TaskFunction) -> None:
        """Call `act` with the marked tasks in list order, else the task under the cursor."""
        if marked := self.selection.ids():
            try:
                tasks = self._tasks.rows(marked)
            except TodoError as error:
                self._notice.say_error(error)
            else:
                act(tasks)
        elif (task := self.under_cursor()) is not None:
            act((task,))

    def act(self, act: TaskFunction, *, is_destructive: bool = False) -> None:
        """Apply an action to the targets and keep it for the repeat key."""

        def remember_and_act(tasks: Sequence[Task]) -> None:
            self.remember(act, is_destructive=is_destructive)
            act(tasks)

        self.apply(remember_and_act)

    def act_once_per_press(self, act: TaskFunction, pressed: object = None) -> None:
        """Apply an action once per key press, however long the key is held.

        `pressed` is the action of that key, if it is another one.
        """
        held = HeldKeyFilter(self._view.set_timer, self._monotonic)
        key = self._held.setdefault(pressed or act, held)
        key.follow(key.press(), lambda: self.act(act, is_destructive=True))

    def remember(self, act: TaskFunction, *, is_destructive: bool = False) -> None:
        """Keep a change for the repeat key."""
        self._last_change, self._is_destructive = act, is_destructive

    def repeat(self) -> None:
        """Apply the last change to the target tasks."""
        repeat = self._last_change
        if repeat is None:
            self._notice.say("Nothing to repeat yet.")
        elif self._is_destructive:
            self.act_once_per_press(repeat, self.repeat)
        else:
            self.apply(repeat)
