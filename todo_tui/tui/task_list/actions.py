"""Key actions on the selected tasks or the task under the cursor.

Also the selection and the detection of held keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Priority, Task, TaskFields
from todo_tui.store.tasks.repository import TaskStore
from todo_tui.tui.actions import KeyNames, TaskAction
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.controller import TaskListController
from todo_tui.tui.task_list.notices import NoticeLine, format_count, short_title
from todo_tui.tui.task_list.widget import TaskList

if TYPE_CHECKING:
    from todo_tui.domain.change_words.reader import ChangeWords
    from todo_tui.tui.task_list.drawers.drawer_set import DrawerSet

REPEAT_SECONDS = 0.15
"""Longest gap between the repeats of a held key; deliberate presses are slower."""
SETTLED_SECONDS = 0.8
"""Gap after which a press starts a new series; longer than usual keyboard repeat delays."""
_SEARCH_ROWS = 500
"""Limit of rows searched; subtasks of a neighbour lie between siblings."""
_SYNC_READ_LIMIT = 200
"""Number of tasks read on the event loop; more are read in a thread."""
_NO_TASK = "There is no task here to do that to."
_A_PROJECT = "This is a project; that is done to tasks."
_UNSELECTING_CHANGES = (
    ChangeKind.COMPLETED,
    ChangeKind.DELETED,
    ChangeKind.RESTORED,
    ChangeKind.PURGED,
)
TaskFunction = Callable[[Sequence[Task]], None]


class PressDecision(Enum):
    """Decision on one press of a key."""

    ACT = auto()
    """A separate press."""
    WAIT = auto()
    """A second press or the first repeat: act if nothing follows within REPEAT_SECONDS."""
    IGNORE = auto()
    """A repeat of a held key."""


class HeldKeyFilter:
    """Filter that drops the repeats of a held key, for actions that are costly to repeat.

    Terminals report no key release, so only timing tells: repeats come in quick succession, after
    a delay in which a deliberate second press may come too.
    """

    def __init__(self, *, counts_double_press: bool = False) -> None:
        """Accept a quick second press at once with `counts_double_press`.

        Otherwise a second press waits: a third one within REPEAT_SECONDS shows that the key is
        held.
        """
        self._counts_double_press = counts_double_press
        self._presses = 0
        self._last: float | None = None
        self._waiting = False
        self._waits_since = 0.0

    def press(self, at: float) -> PressDecision:
        """Judge a press at a moment of a monotonic clock, in seconds."""
        since = SETTLED_SECONDS if self._last is None else at - self._last
        self._last = at
        self._waiting = False
        if since >= SETTLED_SECONDS:
            self._presses = 1
            return PressDecision.ACT
        self._presses += 1
        is_double_press = self._counts_double_press and self._presses == 2
        if since < REPEAT_SECONDS and not is_double_press:
            return PressDecision.IGNORE
        self._waiting = True
        self._waits_since = at
        return PressDecision.WAIT

    def confirm(self, at: float) -> PressDecision:
        """Judge a waiting press after its delay.

        A call that comes much too late waits again: the event loop was blocked and has not
        delivered further presses either.
        """
        if not self._waiting:
            return PressDecision.IGNORE
        if at - self._waits_since > 2 * REPEAT_SECONDS:
            self._waits_since = at
            return PressDecision.WAIT
        self._waiting = False
        return PressDecision.ACT


class TaskSelection:
    """Marked tasks, kept by id through sorting, filtering and reloads.

    Only tasks shown in the list count. `changed` is called with their number.
    """

    def __init__(self, view: TaskList, changed: Callable[[int], None]) -> None:
        self._view = view
        self._changed = changed
        self._marked: set[int] = set()
        self._before: set[int] = set()
        """Marked tasks when Shift began to extend."""
        self._anchor: int | None = None
        self._extended_to: int | None = None

    def __len__(self) -> int:
        return len(self._marked.intersection(self._view.outline.task_ids()))

    @property
    def has_marks(self) -> bool:
        """Return True if any task is marked, shown or not."""
        return bool(self._marked)

    def ids(self) -> list[int]:
        """Return the ids of marked and shown tasks, in list order."""
        shown = dict.fromkeys(self._view.outline.shown_ids()) if self._marked else ()
        return [each for each in shown if each in self._marked]

    def toggle(self, task_id: int) -> None:
        """Mark or unmark a task."""
        self._anchor = None
        self._set(self._marked ^ {task_id})

    def toggle_all(self) -> None:
        """Mark all shown tasks; unmark all if all are marked."""
        self._anchor = None
        shown = set(self._view.outline.shown_ids())
        self._set(set() if shown <= self._marked else self._marked | shown)

    def extend(self, task_id: int) -> None:
        """Mark the range from the first Shift press to this task and move the cursor there."""
        cursor = self._view.cursor_task
        if self._anchor is None or cursor != self._extended_to:
            self._anchor, self._before = cursor, set(self._marked)
        anchor = None if self._anchor is None else self._view.outline.row_of(self._anchor)
        row = self._view.outline.row_of(task_id)
        if anchor is None or row is None:
            return
        self._extended_to = task_id
        reach = range(min(anchor, row), max(anchor, row) + 1)
        between = {self._view.outline.task_at_row(each) for each in reach}
        self._view.move_cursor_to(task_id)
        self._set(self._before | {each for each in between if each is not None})

    def extend_by(self, rows: int) -> None:
        """Extend the marked range by a number of rows from the cursor."""
        cursor = self._view.cursor_task
        row = None if cursor is None else self._view.outline.row_of(cursor)
        target = None if row is None else self._view.outline.task_at_row(row + rows)
        if target is not None:
            self.extend(target)

    def clicked(self, task_id: int, before: int | None, *, reaches: bool) -> None:
        """Toggle a clicked task (Ctrl), or mark the range from the earlier cursor to it (Shift)."""
        if reaches and before is not None:
            self._view.move_cursor_to(before)
            self.extend(task_id)
        else:
            self.toggle(task_id)

    def clear(self) -> bool:
        """Unmark all tasks; return True if any was marked."""
        had_any = bool(self._marked)
        self._anchor = None
        self._set(set())
        return had_any

    def forget(self, task_ids: Iterable[int]) -> None:
        """Unmark tasks that were completed, deleted or restored."""
        self._set(self._marked.difference(task_ids))

    def report_count(self) -> None:
        """Report the number of marked tasks after the list has changed."""
        if self._marked:
            self._changed(len(self))

    def _set(self, marked: set[int]) -> None:
        if marked != self._marked:
            self._marked = marked
            self._view.show_marked(frozenset(marked))
            self._changed(len(self))


class SiblingFinder:
    """Finds siblings on screen: tasks with the same parent in the same section."""

    def __init__(self, view: TaskList, store: TaskStore) -> None:
        self._outline = view.outline
        self._task_of = view.task_of
        self._store = store

    def sibling(self, task: Task, step: int, *, same_key: bool = False) -> Task | None:
        """Return the next sibling below (1) or above (-1), or None.

        With `same_key` it must differ by the manual order only.
        """
        for row, other in self._rows_from(task, step):
            section = self._outline.section_at_row(row)
            if section != self._outline.section_of(task.id):
                return None
            if other.parent == task.parent:
                ids = (task.id, other.id)
                is_same = not same_key or self._store.have_equal_sort_values(ids, section.sort)
                return other if is_same else None
        return None

    def above(self, task: Task) -> Task | None:
        """Return the task above that this one can become a subtask of, or None."""
        for _, other in self._rows_from(task, -1):
            if not self._is_below(other, task.id):
                while other.parent is not None and other.parent != task.parent:
                    parent = self._task_of(other.parent)
                    if parent is None or parent.deleted_at is not None:
                        break
                    other = parent
                return None if other.id == task.parent else other
        return None

    def _is_below(self, task: Task, ancestor: int) -> bool:
        parent = task.parent
        while parent is not None:
            if parent == ancestor:
                return True
            above = self._task_of(parent)
            parent = None if above is None else above.parent
        return False

    def _rows_from(self, task: Task, step: int) -> Iterator[tuple[int, Task]]:
        row = self._outline.row_of(task.id)
        if row is None:
            return
        for other_row in range(row + step, row + step * _SEARCH_ROWS, step):
            if not 0 <= other_row < self._outline.row_count:
                return
            task_id = self._outline.task_at_row(other_row)
            other = None if task_id is None or task_id < 0 else self._task_of(task_id)
            if other is not None:
                yield other_row, other


class TaskActions:
    """Key actions of the task list: finds the target tasks and runs the commands on them.

    The last change is kept for the repeat key. `load_drawers` creates the drawers on first use.
    """

    def __init__(
        self,
        services: AppServices,
        view: TaskList,
        commands: TaskCommands,
        notice: NoticeLine,
        controller: TaskListController,
        load_drawers: Callable[[], Awaitable[DrawerSet]],
        monotonic: Callable[[], float],
    ) -> None:
        self._tasks = services.store.tasks
        self._view = view
        self._commands = commands
        self._notice = notice
        self._controller = controller
        self._load_drawers = load_drawers
        self._monotonic = monotonic
        self._held: dict[str, HeldKeyFilter] = {}
        self._last_change: TaskFunction | None = None
        self._is_destructive = False
        self._back = KeyNames(services.keymap).first("list.back")
        self.selection = TaskSelection(view, self._show_mark_count)
        self.parent: Task | None = None
        """The parent for tasks added from quick add; None for top-level tasks."""

    def with_targets(self, act: TaskFunction) -> None:
        """Call `act` with the marked tasks in list order, else the task under the cursor.

        Large selections are read in a thread.
        """
        marked = self.selection.ids()
        if len(marked) > _SYNC_READ_LIMIT:
            self._view.run_worker(self._read_then(act, marked), group="marked-tasks")
        elif marked:
            act(self._tasks.rows(marked))
        else:
            task = self.task_under_cursor()
            if task is not None:
                act((task,))

    def task_under_cursor(self) -> Task | None:
        """Return the task under the cursor; show a notice where there is none."""
        cursor = self._view.cursor_task
        task = None if cursor is None else self._view.task_of(cursor)
        if task is None:
            is_project = cursor is not None and cursor < 0
            self._notice.say(_A_PROJECT if is_project else _NO_TASK)
        return task

    async def _read_then(self, act: TaskFunction, marked: Sequence[int]) -> None:
        try:
            tasks = await asyncio.to_thread(self._tasks.rows, marked)
        except TodoError as error:
            self._notice.say_error(error)
        else:
            act(tasks)

    async def do(self, action: TaskAction) -> None:
        """Run an action by its name in the key bindings."""
        match action:
            case TaskAction.CHANGE | TaskAction.DATE:
                await self._open_change_drawer(dates_only=action is TaskAction.DATE)
            case TaskAction.ADD_SUBTASK:
                await self._open_quick_add()
            case _:
                self._functions[action]()

    @cached_property
    def _functions(self) -> dict[TaskAction, Callable[[], None]]:
        commands, act = self._commands, self.act

        def once(action: TaskAction, write: TaskFunction) -> Callable[[], None]:
            return lambda: self._once_per_press(action, lambda: act(write, is_destructive=True))

        return {
            TaskAction.MARK: self._mark,
            TaskAction.MARK_ALL: self.selection.toggle_all,
            TaskAction.MARK_DOWN: lambda: self.selection.extend_by(1),
            TaskAction.MARK_UP: lambda: self.selection.extend_by(-1),
            TaskAction.FOLD: self._fold,
            TaskAction.UNFOLD: self._unfold,
            TaskAction.FOLD_ALL: lambda: self._controller.fold_all(folded=True),
            TaskAction.UNFOLD_ALL: lambda: self._controller.fold_all(folded=False),
            TaskAction.COPY: lambda: self.with_targets(self._copy),
            TaskAction.OPEN_LINKS: self._open_links,
            TaskAction.BEGIN: lambda: act(commands.begin),
            TaskAction.CANCEL: once(TaskAction.CANCEL, commands.cancel),
            TaskAction.SKIP: once(TaskAction.SKIP, commands.skip),
            TaskAction.END_SERIES: lambda: self.with_targets(commands.end_series),
            TaskAction.MOVE_DOWN: lambda: act(lambda tasks: self._move(tasks, 1)),
            TaskAction.MOVE_UP: lambda: act(lambda tasks: self._move(tasks, -1)),
            TaskAction.INDENT: lambda: act(self._indent),
            TaskAction.OUTDENT: lambda: act(self._outdent),
            TaskAction.REPEAT: self._repeat,
            TaskAction.RESTORE: lambda: self.with_targets(commands.restore),
            TaskAction.PURGE: lambda: self.with_targets(commands.purge),
        }

    def tick(self) -> Task | None:
        """Complete or reopen the targets; return the task if exactly one is being completed."""
        completed: list[Task] = []

        def tick(tasks: Sequence[Task]) -> None:
            if self._commands.tick(*tasks):
                self._remember(self._commands.complete)
                completed.extend(tasks)

        self.with_targets(tick)
        return completed[0] if len(completed) == 1 else None

    def unmark_finished(self, changes: Iterable[TaskChange]) -> None:
        """Unmark tasks that were completed, deleted, restored or purged."""
        self.selection.forget(
            change.task.id for change in changes if change.kind in _UNSELECTING_CHANGES
        )

    def prioritise(self, priority: Priority | None) -> None:
        """Set the priority of the targets."""
        self.act(lambda tasks: self._commands.prioritise(tasks, priority))

    def change(
        self, tasks: Sequence[Task], words: ChangeWords, failed: Callable[[TodoError], None]
    ) -> None:
        """Apply change words to tasks; `failed` is called with the error."""
        self._remember(lambda others: self._commands.change(others, words))
        self._commands.change(tasks, words, failed)

    def delete(self) -> None:
        """Move the targets to the trash, once per key press."""
        self._once_per_press(
            "delete",
            lambda: self.act(lambda tasks: self._commands.delete(*tasks), is_destructive=True),
        )

    def under_parent(self, fields: TaskFields) -> TaskFields:
        """Return the fields with the parent that quick add was opened for, if any."""
        parent = self.parent
        if parent is None:
            return fields
        self._controller.fold(parent.id, folded=False)
        return {**fields, "parent": parent.id}

    def act(self, act: TaskFunction, *, is_destructive: bool = False) -> None:
        """Apply an action to the targets and keep it for the repeat key."""

        def remember_and_act(tasks: Sequence[Task]) -> None:
            self._remember(act, is_destructive=is_destructive)
            act(tasks)

        self.with_targets(remember_and_act)

    def _remember(self, act: TaskFunction, *, is_destructive: bool = False) -> None:
        self._last_change, self._is_destructive = act, is_destructive

    def _repeat(self) -> None:
        repeat = self._last_change
        if repeat is None:
            self._notice.say("Nothing was changed yet that could be repeated.")
        elif self._is_destructive:
            self._once_per_press(TaskAction.REPEAT, lambda: self.with_targets(repeat))
        else:
            self.with_targets(repeat)

    def _once_per_press(self, action: str, act: Callable[[], None]) -> None:
        """Run an action once per key press, however long the key is held."""
        key = self._held.setdefault(action, HeldKeyFilter())

        def decide(judge: Callable[[float], PressDecision]) -> None:
            match judge(self._monotonic()):
                case PressDecision.ACT:
                    act()
                case PressDecision.WAIT:
                    self._view.set_timer(REPEAT_SECONDS, lambda: decide(key.confirm))

        decide(key.press)

    def _mark(self) -> None:
        cursor = self._view.cursor_task
        if cursor is not None and cursor > 0:
            self.selection.toggle(cursor)
            self._view.action_move(1)
        else:
            self.task_under_cursor()

    def _fold(self) -> None:
        """Fold the task under the cursor, or go to its parent."""
        cursor = self._view.cursor_task
        row = None if cursor is None else self._view.outline.row_of(cursor)
        if cursor is not None and row is not None:
            parent = self._view.outline.parent_at_row(row)
            if not self._controller.fold(cursor, folded=True) and parent is not None:
                self._view.move_cursor_to(parent)

    def _unfold(self) -> None:
        if self._view.cursor_task is not None:
            self._controller.fold(self._view.cursor_task, folded=False)

    def _move(self, tasks: Sequence[Task], step: int) -> None:
        siblings = SiblingFinder(self._view, self._tasks)
        last = tasks[-1] if step > 0 else tasks[0]
        sibling = siblings.sibling(last, step, same_key=True)
        if sibling is None:
            where = "below" if step > 0 else "above"
            self._notice.say(f"There is nothing {where} of the same date to change places with.")
        elif step > 0:
            self._commands.move(tasks, after=sibling.id)
        else:
            self._commands.move(tasks, before=sibling.id)

    def _indent(self, tasks: Sequence[Task]) -> None:
        siblings = SiblingFinder(self._view, self._tasks)
        above = siblings.above(tasks[0])
        if above is None:
            self._notice.say("There is no task above to be part of.")
        else:
            self._commands.move(tasks, under=above.id)
            self._controller.fold(above.id, folded=False)

    def _outdent(self, tasks: Sequence[Task]) -> None:
        parent_id = tasks[0].parent
        parent = None if parent_id is None else self._view.task_of(parent_id)
        if parent is None:
            self._notice.say("It is no subtask.")
            return
        moved = [task for task in tasks if task.parent == parent.id]
        if parent.parent is None:
            self._commands.move(moved, after=parent.id, top=True)
        else:
            self._commands.move(moved, after=parent.id, under=parent.parent)

    async def _open_change_drawer(self, *, dates_only: bool) -> None:
        drawers = await self._load_drawers()

        def open_for(tasks: Sequence[Task]) -> None:
            self._notice.display = False
            drawers.change.open_for(tuple(tasks), dates_only=dates_only)

        self.with_targets(open_for)

    async def _open_quick_add(self) -> None:
        cursor = self._view.cursor_task
        task = None if cursor is None else self._view.task_of(cursor)
        quick_add = (await self._load_drawers()).quick_add
        self._notice.display = False
        quick_add.open()
        # Open the drawer without a parent, too, as the next keys are meant for it.
        if task is not None and task.deleted_at is None:
            self.parent = task
            quick_add.say(f"A subtask of {short_title(task.title)}.")

    def _copy(self, tasks: Sequence[Task]) -> None:
        app = self._view.app
        # The notice line reports the copy; a toast would cover it.
        commands: Callable[[str], None] = getattr(app, "hand_to_terminal", app.copy_to_clipboard)
        commands("\n".join(task.title for task in tasks))
        what = short_title(tasks[0].title) if len(tasks) == 1 else format_count(len(tasks), "title")
        self._notice.say(f"Copied {what}: sent to the terminal.")

    def _open_links(self) -> None:
        # Saves importing the link grammar before the first frame.
        from todo_tui.tui.task_list.links import LinkOpener

        self.with_targets(LinkOpener(self._view, self._notice).open)

    def _show_mark_count(self, count: int) -> None:
        if count:
            self._notice.keep(f"{format_count(count)} marked · {self._back} unmarks")
        else:
            self._notice.keep("")
