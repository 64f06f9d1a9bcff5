"""The outline with subtasks below their parents: folding and siblings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from todo_tui.domain.task import Task
from todo_tui.tui.task_list.outline import TaskOutline, TaskPlace, key_of, tail_of, task_id_of

_SEARCH_ROWS = 500
"""Limit of rows searched; subtasks of a neighbour lie between siblings."""


class SiblingFinder:
    """Finds siblings on screen: tasks with the same parent in the same section."""

    def __init__(self, outline: TaskOutline, task_of: Callable[[int], Task | None]) -> None:
        self._outline = outline
        self._task_of = task_of

    def sibling(self, task: Task, step: int, *, same_key: bool = False) -> Task | None:
        """Return the next sibling below (1) or above (-1), or None.

        With `same_key` it must differ by the manual order only.
        """
        place = self._outline.place_of(task.id)
        for other in self._rows_from(task, step):
            there = self._outline.place_of(other.id)
            if place is None or there is None or there.section != place.section:
                return None
            if other.parent != task.parent:
                continue
            if same_key and there.key[:-2] != place.key[:-2]:
                return None
            return other
        return None

    def above(self, task: Task) -> Task | None:
        """Return the task above that this one can become a subtask of, or None."""
        for other in self._rows_from(task, -1):
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

    def _rows_from(self, task: Task, step: int) -> Iterator[Task]:
        row = self._outline.row_of(task.id)
        if row is None:
            return
        for other_row in range(row + step, row + step * _SEARCH_ROWS, step):
            if not 0 <= other_row < self._outline.row_count:
                return
            task_id = self._outline.task_at_row(other_row)
            other = None if task_id is None or task_id < 0 else self._task_of(task_id)
            if other is not None:
                yield other


class TaskTree(TaskOutline):
    """Outline with subtasks below their parents where both are in the same section.

    A subtask in another section, by its own date, keeps its place there. Places are given as if
    there were no tree; only tasks with a parent or a subtask are stored here, so that a long flat
    list costs nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self._parents: dict[int, int] = {}
        self._children: dict[int, list[int]] = {}
        self._given: dict[int, tuple[bytes, ...]] = {}
        """Packed rows of tree members as they would be without the tree."""
        self._folded: set[int] = set()
        self._hidden: dict[int, bytes] = {}

    def __len__(self) -> int:
        return super().__len__() + len(self._hidden)

    def set_parents(self, parents: Mapping[int, int]) -> None:
        """Replace all parent links, before loading."""
        self._parents = dict(parents)
        self._children = {}
        for child, parent in parents.items():
            self._children.setdefault(parent, []).append(child)

    def set_parent(self, task_id: int, parent: int | None) -> None:
        """Set the parent of a task, before it is put in its place."""
        before = self._parents.get(task_id)
        if before == parent:
            return
        if before is not None:
            self._parents.pop(task_id)
            self._children[before].remove(task_id)
        if parent is not None:
            for each in (task_id, parent):
                self._given.setdefault(each, self._rows_of(each))
            self._parents[task_id] = parent
            self._children.setdefault(parent, []).append(task_id)

    def load(self, places: Iterable[tuple[int, TaskPlace]]) -> None:
        """Replace all tasks."""
        self._unhide(list(self._hidden))
        self._given = {}
        super().load(self._nesting(places))
        for each in self._given:
            if self._is_folded_away(each):
                self._hide(each)

    def _nesting(self, places: Iterable[tuple[int, TaskPlace]]) -> Iterator[tuple[int, TaskPlace]]:
        """Yield places as they come, then those of tree members at their nested places."""
        for task_id, place in places:
            if task_id in self._parents or task_id in self._children:
                self._given[task_id] = (
                    *self._given.get(task_id, ()),
                    self._packed(task_id, place),
                )
            else:
                yield task_id, place
        for each in self._given:
            if not self._is_folded_away(each):
                for place in self._nested(each):
                    yield each, place

    def prepared(
        self, places: Iterable[tuple[int, TaskPlace]], parents: Mapping[int, int]
    ) -> TaskTree:
        """Return a tree of these tasks with the current folds, for `swap`; thread-safe."""
        tree = TaskTree()
        tree._folded = set(self._folded)
        tree.set_parents(parents)
        tree.load(places)
        # Computes the cached order in this thread.
        _ = tree.height
        return tree

    def fits(self, tree: TaskTree) -> bool:
        """Return True if the folds have not changed since the tree was prepared."""
        return tree._folded == self._folded

    def swap(self, other: TaskOutline) -> None:
        """Exchange everything but the folds with another tree."""
        super().swap(other)
        if isinstance(other, TaskTree):
            self._parents, other._parents = other._parents, self._parents
            self._children, other._children = other._children, self._children
            self._given, other._given = other._given, self._given
            self._hidden, other._hidden = other._hidden, self._hidden

    def put(self, task_id: int, *places: TaskPlace) -> None:
        """Add or move a task together with its subtasks."""
        if task_id not in self._parents and not self._children.get(task_id):
            self._unhide([task_id])
            self._given.pop(task_id, None)
            super().put(task_id, *places)
            return
        self._given[task_id] = tuple(self._packed(task_id, place) for place in places)
        self._renew(task_id)
        for below in self._descendants(task_id):
            self._renew(below)

    def own_places(self, task_id: int) -> tuple[TaskPlace, ...]:
        """Return every place of a task as it was put, without nesting."""
        return tuple(map(self._place, self._given.get(task_id, self._rows_of(task_id))))

    def fold(self, task_id: int, *, folded: bool) -> bool:
        """Fold or unfold the subtasks of a task; return True if that changed anything."""
        if (task_id in self._folded) == folded or (folded and not self.has_below(task_id)):
            return False
        self._folded.symmetric_difference_update({task_id})
        for below in self._descendants(task_id):
            self._renew(below)
        self._changed()
        return True

    def fold_all(self, *, folded: bool) -> None:
        """Fold or unfold every task; takes effect with the next load."""
        self._folded = (
            {each for each, below in self._children.items() if below} if folded else set()
        )

    def is_folded(self, task_id: int) -> bool:
        """Return True if the subtasks of a task are folded."""
        return task_id in self._folded

    def has_below(self, task_id: int) -> bool:
        """Return True if a subtask is nested right below this task, folded or not."""
        return any(self._tree_parent(each) == task_id for each in self._children.get(task_id, ()))

    def has_subtasks(self, task_id: int) -> bool:
        """Return True if a task has subtasks in any section."""
        return bool(self._children.get(task_id))

    def shown_parent(self, task_id: int) -> int | None:
        """Return the task that this one is nested below, or None."""
        return self._tree_parent(task_id)

    def shown_ids(self) -> Iterator[int]:
        """Yield the ids of all shown tasks, top down."""
        for group in self._order.groups:
            yield from (each for each in map(task_id_of, group.rows[: group.shown]) if each > 0)

    def _renew(self, task_id: int) -> None:
        self._unhide([task_id])
        if self._is_folded_away(task_id):
            super().put(task_id)
            self._hide(task_id)
        else:
            super().put(task_id, *self._nested(task_id))

    def _hide(self, task_id: int) -> None:
        row = self._given[task_id][0]
        self._hidden[task_id] = row
        self._group_of(row).folded += 1

    def _unhide(self, task_ids: Iterable[int]) -> None:
        for task_id in task_ids:
            row = self._hidden.pop(task_id, None)
            if row is not None:
                self._group_of(row).folded -= 1

    def _nested(self, task_id: int) -> tuple[TaskPlace, ...]:
        """Return the nested places of a task: its key prefixed with those of its ancestors."""
        above = list(self._ancestors(task_id))
        places = self.own_places(task_id)
        if not above:
            return places
        (own,) = places
        keys = [key_of(self._given[each][0]) for each in reversed(above)]
        _, depth, _ = tail_of(self._given[above[-1]][0])
        return (TaskPlace(own.section, (*chain.from_iterable(keys), *own.key), depth + len(above)),)

    def _is_folded_away(self, task_id: int) -> bool:
        return bool(self._folded) and any(each in self._folded for each in self._ancestors(task_id))

    def _ancestors(self, task_id: int) -> Iterator[int]:
        """Yield the tasks that this one is nested below, nearest first."""
        seen = {task_id}
        parent = self._tree_parent(task_id)
        while parent is not None and parent not in seen:
            yield parent
            seen.add(parent)
            parent = self._tree_parent(parent)

    def _descendants(self, task_id: int) -> list[int]:
        """Return all descendants in the tree."""
        found: list[int] = []
        seen = {task_id}
        waiting = [task_id]
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                if child not in seen and child in self._given:
                    seen.add(child)
                    found.append(child)
                    waiting.append(child)
        return found

    def _tree_parent(self, task_id: int) -> int | None:
        parent = self._parents.get(task_id)
        if parent is None:
            return None
        own, theirs = self._given.get(task_id, ()), self._given.get(parent, ())
        if len(own) != 1 or len(theirs) != 1:
            return None
        return parent if self._group_of(own[0]) is self._group_of(theirs[0]) else None
