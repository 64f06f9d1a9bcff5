"""The view of projects: a tree with how far each is, and their open tasks in it.

A project is a row of its own, whose number is negative: no task has such a number, so
what keys do to tasks they do not do to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_order import headings, sort_key
from todo_tui.domain.filter_query import Grouping, Query
from todo_tui.domain.filter_relations import Relations
from todo_tui.domain.filter_scope import OPEN_TASKS
from todo_tui.domain.filter_terms import EVERYTHING, all_of
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded
from todo_tui.domain.urgency import SortKey
from todo_tui.tui.views.arranging import Typed
from todo_tui.tui.views.project_rows import Branch, ProjectRow, ProjectRows
from todo_tui.tui.views.section import UNNAMED, Said
from todo_tui.tui.widgets.task_outline import Place

if TYPE_CHECKING:
    # As in the contents: whoever opens the app has opened the store.
    from todo_tui.store.agenda import ProjectNode
    from todo_tui.store.workspace import Store

_TREE = UNNAMED._replace(said=Said.PROJECT)
_OPEN, _FINISHED, _NONE = range(3)
_TASKS, _BELOW = range(2)
"""Within a project its own tasks come before the projects in it."""


class _Growth:
    """The branches and rows of a tree that is being made, from the top."""

    def __init__(self, rows: ProjectRows) -> None:
        self._rows = rows
        self.branches: dict[str | None, Branch] = {}
        self.drawn: dict[int, ProjectRow] = {}

    def add(self, node: ProjectNode) -> None:
        """The next project; those around it have come before."""
        path = folded(node.path)
        above = self.branches.get(path.rpartition(".")[0])
        name = (_OPEN if node.open else _FINISHED, path.rpartition(".")[2])
        is_shown = above is None or above.shows_tasks
        is_folded = self._rows.is_folded(path)
        self.branches[path] = Branch(
            name if above is None else (*above.key, _BELOW, *name),
            node.depth,
            shows_tasks=is_shown and not is_folded,
        )
        if is_shown:
            self.drawn[self._rows.number_of(path)] = ProjectRow(
                node.name, path, node.depth, node.open, node.done, is_folded
            )

    def add_rest(self, count: int) -> None:
        """So many open tasks without a project."""
        is_folded = self._rows.is_folded(None)
        self.branches[None] = Branch((_NONE, ""), 0, shows_tasks=not is_folded)
        number = self._rows.number_of(None)
        self.drawn[number] = ProjectRow("No project", None, 0, count, 0, is_folded)


class ProjectTree:
    """The tree at one moment, of the tasks that a filter lets in."""

    asks_of_others = True
    """Every change makes another progress."""
    is_by_due = False

    def __init__(self, typed: Typed, now: datetime, zone: str, rows: ProjectRows) -> None:
        wanted = OPEN_TASKS if typed.filter == EVERYTHING else all_of(OPEN_TASKS, typed.filter)
        self._query = Query(wanted, typed.sort, Grouping.PROJECT)
        self._is_narrowed = typed.filter != EVERYTHING
        self._now = now
        self._zone = zone
        self._rows = rows

    @property
    def queries(self) -> tuple[Query, ...]:
        """What it asks of the store."""
        return (self._query,)

    def read(self, store: Store) -> Iterator[tuple[int, Place]]:
        """The places of all projects and tasks.

        Raises:
            StoreError: the file cannot be read.
        """
        lines = tuple(store.tasks.arranged_rows(self._query))
        nodes = store.agenda.projects()
        # A heading's order is of its folded path; those without a project come last.
        tasks_of: dict[str | None, int] = {}
        for line in lines:
            path = _path_of(line.heading.order)
            tasks_of[path] = tasks_of.get(path, 0) + 1
        growth = _Growth(self._rows)
        for node in self._wanted(nodes, tasks_of):
            growth.add(node)
        if None in tasks_of:
            growth.add_rest(tasks_of[None])
        self._rows.drawn, self._rows.branches = growth.drawn, growth.branches
        for number, row in growth.drawn.items():
            yield number, Place(_TREE, growth.branches[row.path].key, row.depth)
        for line in lines:
            yield from self._below(line.id, _path_of(line.heading.order), line.key)

    def places(self, task: Task, relations: Relations) -> tuple[Place, ...]:
        """Where a task stands; nowhere where its project is folded or not known yet."""
        now, zone = self._now, self._zone
        if not matches(self._query.filter, task, now, zone=zone, relations=relations):
            return ()
        (heading,) = headings(task, Grouping.PROJECT, now, zone)
        key = sort_key(task, self._query.sort, now, zone, relations)
        return tuple(place for _, place in self._below(task.id, _path_of(heading.order), key))

    def _wanted(
        self, nodes: tuple[ProjectNode, ...], tasks_of: Mapping[str | None, int]
    ) -> Iterator[ProjectNode]:
        if not self._is_narrowed:
            yield from nodes
            return
        holding = {above for path in tasks_of if path is not None for above in _upwards(path)}
        yield from (node for node in nodes if folded(node.path) in holding)

    def _below(self, task_id: int, path: str | None, key: SortKey) -> Iterator[tuple[int, Place]]:
        branch = self._rows.branches.get(path)
        if branch is not None and branch.shows_tasks:
            yield task_id, Place(_TREE, (*branch.key, _TASKS, *key), branch.depth + 1)


def _path_of(order: SortKey) -> str | None:
    """The folded path from the order of a heading of projects."""
    is_none, path = order
    return None if is_none else str(path)


def _upwards(path: str) -> Iterator[str]:
    """A path and those of all projects around it."""
    while path:
        yield path
        path = path.rpartition(".")[0]
