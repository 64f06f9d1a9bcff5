"""Which lines of the list are seen, and how it scrolls: as little as it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from textual.geometry import Region
from textual.scroll_view import ScrollView

from todo_tui.tui.widgets.task_outline import Gap, Heading, OutlineLine, Place, TaskLine
from todo_tui.tui.widgets.task_tree import TaskTree


class Anchor(NamedTuple):
    """A task by which the view is held: where it is seen, and where it belongs."""

    task_id: int
    below: int
    """Lines from the top of the widget."""
    place: Place | None


class Sight:
    """The part of the outline that a widget shows."""

    def __init__(self, view: ScrollView, outline: TaskTree) -> None:
        self._view = view
        self._outline = outline

    @property
    def top(self) -> int:
        """The first line that is seen."""
        return self._view.scroll_offset.y

    @property
    def height(self) -> int:
        """How many lines are seen."""
        return self._view.scrollable_content_region.height

    @property
    def page(self) -> int:
        """By how many lines a screenful goes on."""
        return max(self.height - 1, 1)

    @property
    def tasks(self) -> Iterator[tuple[int, int]]:
        """Every task that is seen: its id, and lines from the top of the widget."""
        for below, line in enumerate(self._outline.lines(self.top, self.height)):
            if isinstance(line, TaskLine):
                yield line.task_id, below

    def regions_of(self, task_ids: Iterable[int]) -> Iterator[Region]:
        """Where these tasks are seen, in cells of the widget."""
        width, top, height = self._view.size.width, self.top, self.height
        for task_id in task_ids:
            for line in self._outline.lines_of(task_id):
                if top <= line < top + height:
                    yield Region(0, line - top, width, 1)

    def line_of(self, task_id: int) -> int | None:
        """How many lines below the top of the widget a task is; None where it is not seen."""
        line = self._outline.line_of(task_id)
        below = None if line is None else line - self.top
        return below if below is not None and 0 <= below < self.height else None

    def line_at(self, below: int) -> OutlineLine | None:
        """What is seen so many lines below the top of the widget."""
        return self._outline.line(self.top + below)

    def show_tasks(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as shows these tasks, or as many of the first as fit."""
        lines = sorted(line for each in task_ids for line in self._outline.lines_of(each))
        if lines:
            last = max(line for line in lines if line - lines[0] < self.page)
            self._show(self._with_heading(lines[0]), last)

    def show_row(self, row: int) -> None:
        """Scroll as little as shows a row, at the ends with what stands around it."""
        line = self._outline.line_at_row(row)
        is_last = row == self._outline.row_count - 1
        self._show(self._with_heading(line), self._outline.height - 1 if is_last else line)

    def go_to_line(self, top: int) -> None:
        """Scroll so that a line is the first that is seen."""
        if top != self.top:
            self._view.scroll_to(y=top, animate=False, force=True)

    def anchors(self, cursor: int | None) -> list[Anchor]:
        """Tasks to hold the view by, best first: while keys come here, the cursor's."""
        seen = list(self.tasks)
        if self._view.has_focus:
            seen.sort(key=lambda each: each[0] != cursor)
        return [Anchor(task_id, below, self._outline.place_of(task_id)) for task_id, below in seen]

    def hold(self, anchors: Iterable[Anchor]) -> None:
        """After the order changed: keep in its line the first of these that stayed in place."""
        if self.top == 0 and not self._view.has_focus:
            return
        for task_id, below, place in anchors:
            line = self._outline.line_of(task_id)
            if line is not None and self._outline.place_of(task_id) == place:
                self.go_to_line(max(line - below, 0))
                return

    def _with_heading(self, line: int) -> int:
        """The first line to show with a task: its group's heading where that is next to it."""
        match self._outline.line(line - 1):
            case Heading():
                return line - 2
            case Gap():
                return line - 1
            case _:
                return line

    def _show(self, first: int, last: int) -> None:
        height = self.height
        if not height:
            return
        top = self.top
        if last >= top + height:
            top = last - height + 1
        self.go_to_line(min(top, first))
