"""What keys do to the marked tasks, or to the one under the cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Priority, Task, TaskFields
from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.deeds import Deed
from todo_tui.tui.widgets.held_key import REPEAT_SECONDS, HeldKey, Press
from todo_tui.tui.widgets.live_list import LiveList
from todo_tui.tui.widgets.pane_notice import PaneNotice
from todo_tui.tui.widgets.task_hand import TaskHand
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_marks import TaskMarks
from todo_tui.tui.widgets.task_neighbours import TaskNeighbours
from todo_tui.tui.widgets.task_sentences import counted, short_title
from todo_tui.tui.widgets.task_tree import TaskTree
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    from todo_tui.domain.set_words import SetWords
    from todo_tui.tui.widgets.pane_boxes import PaneBoxes

_FEW = 200
"""Tasks that are read while a key waits; more are read aside."""

_NO_TASK = "There is no task here to do that to."
_A_PROJECT = "This is a project; that is done to tasks."

_DEALT_WITH = (
    ChangeKind.COMPLETED,
    ChangeKind.DELETED,
    ChangeKind.RESTORED,
    ChangeKind.PURGED,
)

Act = Callable[[Sequence[Task]], None]


class TaskDeeds:
    """Decides what a key is about, and has the hand do it as one gesture.

    What changes tasks is remembered, for the key that repeats it. `have_boxes` makes the
    boxes where they are not there yet.
    """

    def __init__(
        self,
        workbench: Workbench,
        view: TaskList,
        outline: TaskTree,
        hand: TaskHand,
        notice: PaneNotice,
        live: LiveList,
        have_boxes: Callable[[], Awaitable[PaneBoxes]],
        reload: Callable[[], None],
        monotonic: Callable[[], float],
    ) -> None:
        self._tasks = workbench.store.tasks
        self._view = view
        self._outline = outline
        self._hand = hand
        self._notice = notice
        self._live = live
        self._have_boxes = have_boxes
        self._reload = reload
        self._monotonic = monotonic
        self._held: dict[str, HeldKey] = {}
        self._again: Act | None = None
        self._is_dear = False
        self._back = KeyNames(workbench.keymap).first("list.back")
        self.marks = TaskMarks(view, outline, self._say_marked)
        self.parent: Task | None = None
        """Whose subtask is being added."""

    def with_targets(self, act: Act) -> None:
        """Do something to the marked tasks in the order of the list.

        With none marked it is the one under the cursor. Many are read away from the
        screen's thread.
        """
        marked = self.marks.ids()
        if len(marked) > _FEW:
            self._view.run_worker(self._read_then(act, marked), group="marked-tasks")
        elif marked:
            act(self._tasks.rows(marked))
        else:
            task = self.task_under_cursor()
            if task is not None:
                act((task,))

    def task_under_cursor(self) -> Task | None:
        """The task that a key is about; where there is none that is said, not passed over."""
        cursor = self._view.cursor_task
        task = None if cursor is None else self._view.task_of(cursor)
        if task is None:
            is_project = cursor is not None and cursor < 0
            self._notice.say(_A_PROJECT if is_project else _NO_TASK)
        return task

    async def _read_then(self, act: Act, marked: Sequence[int]) -> None:
        try:
            tasks = await asyncio.to_thread(self._tasks.rows, marked)
        except TodoError as error:
            self._notice.say_error(error)
        else:
            act(tasks)

    async def do(self, deed: Deed) -> None:
        """What a key asks for."""
        match deed:
            case Deed.MARK | Deed.MARK_ALL | Deed.MARK_DOWN | Deed.MARK_UP:
                self._mark(deed)
            case Deed.FOLD | Deed.UNFOLD | Deed.FOLD_ALL | Deed.UNFOLD_ALL:
                self._fold(deed)
            case Deed.CHANGE | Deed.DATE:
                await self._open_set_box(dates_only=deed is Deed.DATE)
            case Deed.ADD_SUBTASK:
                await self._open_quick_add()
            case Deed.COPY:
                self.with_targets(self._copy)
            case Deed.OPEN_LINKS:
                self._open_links()
            case Deed.BEGIN | Deed.CANCEL | Deed.SKIP | Deed.END_SERIES:
                self._carry_on(deed)
            case _:
                self._write(deed)

    def tick(self) -> Task | None:
        """Complete or reopen; the one task that is being completed, if it is one."""
        completed: list[Task] = []

        def tick(tasks: Sequence[Task]) -> None:
            if self._hand.tick(*tasks):
                self._remember(self._hand.complete)
                completed.extend(tasks)

        self.with_targets(tick)
        return completed[0] if len(completed) == 1 else None

    def take(self, changes: Iterable[TaskChange]) -> None:
        """What was done, deleted or restored is dealt with: it is no longer marked."""
        self.marks.forget(change.task.id for change in changes if change.kind in _DEALT_WITH)

    def prioritise(self, priority: Priority | None) -> None:
        """Give a priority."""
        self.act(lambda tasks: self._hand.prioritise(tasks, priority))

    def change(
        self, tasks: Sequence[Task], words: SetWords, failed: Callable[[TodoError], None]
    ) -> None:
        """Change what a line of words says; `failed` gets the reason why not."""
        self._remember(lambda others: self._hand.change(others, words))
        self._hand.change(tasks, words, failed)

    def delete(self) -> None:
        """Move to the trash; a held key does it once."""
        self._carefully(
            "delete", lambda: self.act(lambda tasks: self._hand.delete(*tasks), is_dear=True)
        )

    def under_parent(self, fields: TaskFields) -> TaskFields:
        """What is added becomes part of the task that it was asked for, if of any."""
        parent = self.parent
        if parent is None:
            return fields
        self._live.fold(parent.id, folded=False)
        return {**fields, "parent": parent.id}

    def act(self, act: Act, *, is_dear: bool = False) -> None:
        """Do something to the targets, and again to others when asked."""

        def remember_and_act(tasks: Sequence[Task]) -> None:
            self._remember(act, is_dear=is_dear)
            act(tasks)

        self.with_targets(remember_and_act)

    def _remember(self, act: Act, *, is_dear: bool = False) -> None:
        self._again, self._is_dear = act, is_dear

    def _write(self, deed: Deed) -> None:
        match deed:
            case Deed.MOVE_DOWN | Deed.MOVE_UP:
                self.act(lambda tasks: self._move(tasks, 1 if deed is Deed.MOVE_DOWN else -1))
            case Deed.INDENT:
                self.act(self._indent)
            case Deed.OUTDENT:
                self.act(self._outdent)
            case Deed.REPEAT:
                self._repeat()
            case Deed.RESTORE:
                self.with_targets(self._hand.restore)
            case Deed.PURGE:
                self.with_targets(self._hand.purge)

    def _carry_on(self, deed: Deed) -> None:
        match deed:
            case Deed.BEGIN:
                self.act(self._hand.begin)
            case Deed.CANCEL:
                self._carefully(deed, lambda: self.act(self._hand.cancel, is_dear=True))
            case Deed.SKIP:
                self._carefully(deed, lambda: self.act(self._hand.skip, is_dear=True))
            case Deed.END_SERIES:
                self.with_targets(self._hand.end_series)

    def _repeat(self) -> None:
        again = self._again
        if again is None:
            self._notice.say("Nothing was changed yet that could be repeated.")
        elif self._is_dear:
            self._carefully(Deed.REPEAT, lambda: self.with_targets(again))
        else:
            self.with_targets(again)

    def _carefully(self, deed: str, act: Callable[[], None]) -> None:
        """Act once for each press of a key, however long it is held."""
        key = self._held.setdefault(deed, HeldKey())

        def go_by(judge: Callable[[float], Press]) -> None:
            match judge(self._monotonic()):
                case Press.ACT:
                    act()
                case Press.WAIT:
                    self._view.set_timer(REPEAT_SECONDS, lambda: go_by(key.confirm))

        go_by(key.press)

    def _mark(self, deed: Deed) -> None:
        cursor = self._view.cursor_task
        match deed:
            case Deed.MARK if cursor is not None and cursor > 0:
                self.marks.toggle(cursor)
                self._view.action_move(1)
            case Deed.MARK:
                self.task_under_cursor()
            case Deed.MARK_ALL:
                self.marks.toggle_all()
            case Deed.MARK_DOWN:
                self.marks.extend_by(1)
            case Deed.MARK_UP:
                self.marks.extend_by(-1)

    def _fold(self, deed: Deed) -> None:
        cursor = self._view.cursor_task
        match deed:
            case Deed.FOLD_ALL | Deed.UNFOLD_ALL:
                self._live.fold_all(folded=deed is Deed.FOLD_ALL)
                self._reload()
            case Deed.UNFOLD if cursor is not None:
                self._live.fold(cursor, folded=False)
            case Deed.FOLD if cursor is not None:
                parent = self._outline.shown_parent(cursor)
                if not self._live.fold(cursor, folded=True) and parent is not None:
                    self._view.move_cursor_to(parent)

    def _move(self, tasks: Sequence[Task], step: int) -> None:
        around = TaskNeighbours(self._outline, self._view.task_of)
        last = tasks[-1] if step > 0 else tasks[0]
        beside = around.sibling(last, step, same_key=True)
        if beside is None:
            where = "below" if step > 0 else "above"
            self._notice.say(f"There is nothing {where} of the same date to change places with.")
        elif step > 0:
            self._hand.move(tasks, after=beside.id)
        else:
            self._hand.move(tasks, before=beside.id)

    def _indent(self, tasks: Sequence[Task]) -> None:
        around = TaskNeighbours(self._outline, self._view.task_of)
        above = around.above(tasks[0])
        if above is None:
            self._notice.say("There is no task above to be part of.")
        else:
            self._hand.move(tasks, under=above.id)
            self._live.fold(above.id, folded=False)

    def _outdent(self, tasks: Sequence[Task]) -> None:
        parent_id = tasks[0].parent
        parent = None if parent_id is None else self._view.task_of(parent_id)
        if parent is None:
            self._notice.say("It is no subtask.")
            return
        along = [task for task in tasks if task.parent == parent.id]
        if parent.parent is None:
            self._hand.move(along, after=parent.id, top=True)
        else:
            self._hand.move(along, after=parent.id, under=parent.parent)

    async def _open_set_box(self, *, dates_only: bool) -> None:
        boxes = await self._have_boxes()

        def open_for(tasks: Sequence[Task]) -> None:
            self._notice.display = False
            boxes.change.open_for(tuple(tasks), dates_only=dates_only)

        self.with_targets(open_for)

    async def _open_quick_add(self) -> None:
        cursor = self._view.cursor_task
        task = None if cursor is None else self._view.task_of(cursor)
        quick_add = (await self._have_boxes()).quick_add
        self._notice.display = False
        quick_add.open()
        # Keys are on their way into the box: without a parent, too, it must be there.
        if task is not None and task.deleted_at is None:
            self.parent = task
            quick_add.say(f"A subtask of {short_title(task.title)}.")

    def _copy(self, tasks: Sequence[Task]) -> None:
        app = self._view.app
        # The pane says in its own place what was copied: a toast would lie on that.
        hand: Callable[[str], None] = getattr(app, "hand_to_terminal", app.copy_to_clipboard)
        hand("\n".join(task.title for task in tasks))
        what = short_title(tasks[0].title) if len(tasks) == 1 else counted(len(tasks), "title")
        self._notice.say(f"Copied {what}: sent to the terminal.")

    def _open_links(self) -> None:
        # The grammar of addresses is for those who follow one.
        from todo_tui.tui.widgets.link_choice import LinkChoice

        self.with_targets(LinkChoice(self._view, self._notice).open)

    def _say_marked(self, count: int) -> None:
        if count:
            self._notice.keep(f"{counted(count)} marked · {self._back} unmarks")
        else:
            self._notice.keep("")
