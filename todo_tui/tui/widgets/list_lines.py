"""The lines of the list as they are drawn: each task in the state in which it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from textual.strip import Strip

from todo_tui.domain.task import Task
from todo_tui.tui.widgets.drawn_rows import DrawnRows
from todo_tui.tui.widgets.task_outline import Gap, Heading, Lead, More, OutlineLine, TaskLine
from todo_tui.tui.widgets.task_row import Mark, RowPainter, RowState
from todo_tui.tui.widgets.task_tree import TaskTree


class ListLines:
    """Knows what a row shows beside its task: the cursor, marks, what was done just now.

    What is told to it answers with the tasks whose rows are to be drawn anew.
    """

    def __init__(self, outline: TaskTree, rows: DrawnRows) -> None:
        self._outline = outline
        self._rows = rows
        self.cursor: int | None = None
        """The task whose row has the cursor."""
        self.lesson: list[str] = []
        """What the list says above its tasks, a line each."""
        self._marks: Mapping[int, Mark] = {}
        self._just_done: frozenset[int] = frozenset()
        self._marked: frozenset[int] = frozenset()

    def know(self, tasks: Collection[Task]) -> list[int]:
        """Take newer states of tasks; how others stand beside them is read anew."""
        are_alone = all(map(self._is_alone, tasks))
        self._rows.know(tasks)
        others = () if are_alone else self._rows.forget_standing()
        return [*(task.id for task in tasks), *others]

    def mark(self, marks: Mapping[int, Mark]) -> Collection[int]:
        """Mark these rows as changed, and no others."""
        touched = self._marks.keys() | marks.keys()
        self._marks = dict(marks)
        return touched

    def show_marked(self, task_ids: frozenset[int]) -> Collection[int]:
        """Draw these rows as marked, and no others."""
        touched = self._marked ^ task_ids
        self._marked = task_ids
        return touched

    def show_just_done(self, task_ids: frozenset[int]) -> Collection[int]:
        """Draw these rows as done a moment ago, and no others."""
        touched = self._just_done ^ task_ids
        self._just_done = task_ids
        return touched

    def read(self, lines: Iterable[OutlineLine]) -> None:
        """Read in one go what these lines show, as far as it is not known.

        Raises:
            TodoError: it cannot be read.
        """
        task_ids = [line.task_id for line in lines if isinstance(line, TaskLine)]
        self._rows.read(task_ids)
        # Only tasks that others hang on are asked for: most rows cost nothing then.
        self._rows.read_standing([each for each in task_ids if self._is_related(each)])

    def strips(self, lines: Iterable[OutlineLine], height: int, width: int) -> list[Strip]:
        """Draw these lines, and empty ones below; what was not read has an empty sign of it."""
        painter = self._rows.painter(width)
        strips = [self._strip(line, painter) for line in lines]
        return strips + [painter.blank()] * (height - len(strips))

    def _strip(self, line: OutlineLine, painter: RowPainter) -> Strip:
        match line:
            case TaskLine():
                return self._rows.row(line.task_id, self._state(line), painter.width)
            case Heading():
                return painter.heading(line)
            case More():
                return painter.more(line)
            case Gap():
                return painter.blank()
            case Lead(number):
                return painter.lead(self.lesson[number], head=number == 1)
            case _:
                assert_never(line)

    def _state(self, line: TaskLine) -> RowState:
        task_id = line.task_id
        standing = self._rows.standing_of(task_id)
        progress = None if standing is None else standing.progress
        has_below = self._outline.has_below(task_id)
        return RowState(
            marked=task_id in self._marked,
            folded=self._outline.is_folded(task_id) if has_below else None,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=standing is not None and standing.blocked,
            parent="" if line.depth else self._rows.parent_title(task_id),
            cursor=task_id == self.cursor,
            mark=self._marks.get(task_id),
            just_done=task_id in self._just_done,
            said=line.said,
            depth=line.depth,
        )

    def _is_alone(self, task: Task) -> bool:
        """Whether nothing hangs on a task, as it is or as it was."""
        before = self._rows.task_of(task.id)
        return (
            before is not None
            and not any(each.parent is not None or each.blocked_by for each in (before, task))
            and not self._outline.has_subtasks(task.id)
            and not self._rows.is_waited_for(task.id)
        )

    def _is_related(self, task_id: int) -> bool:
        if self._outline.has_subtasks(task_id):
            return True
        task = self._rows.task_of(task_id)
        return task is not None and bool(task.blocked_by)
