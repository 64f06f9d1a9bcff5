"""Arrangement of each view: queries, sections and order, and the project tree.

Imported with the filter grammar when a view is first arranged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.filters.matching import TaskRelations, depends_on_other_tasks, matches
from todo_tui.domain.filters.parser import FilterParser
from todo_tui.domain.filters.sorting import GroupHeading, group_headings, sort_key
from todo_tui.domain.filters.terms import (
    EVERYTHING,
    NOT_IN_TRASH,
    OPEN_TASKS,
    DayField,
    Filter,
    Grouping,
    IsOverdue,
    Not,
    Query,
    SortTerm,
    WithinDays,
    all_of,
    any_of,
    with_default_scope,
)
from todo_tui.domain.filters.views import DONE, NEXT, TO_DO, TRASH, today_sections
from todo_tui.domain.task import Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import SortKey, TaskGroup, group_sort_key, task_group
from todo_tui.domain.when import DateStyle
from todo_tui.tui.task_list.outline import TaskPlace
from todo_tui.tui.views.view import (
    SECTIONS,
    UNNAMED_SECTION,
    ProjectBranch,
    ProjectRow,
    ProjectRows,
    Section,
    ShownInHeading,
    View,
    ViewKind,
)

if TYPE_CHECKING:
    from todo_tui.store.statistics import ProjectNode
    from todo_tui.store.store import Store

READY_SHOWN = 10
"""Limit of ready tasks in Today; Next shows all of them."""
_BY_DUE = tuple(SECTIONS.values())
_CLOSED_VIEWS = (ViewKind.DONE, ViewKind.TRASH)
_TREE = UNNAMED_SECTION._replace(shown_in_heading=ShownInHeading.PROJECT)
_OPEN, _FINISHED, _NONE = range(3)
_TASKS, _BELOW = range(2)
"""Within a project its own tasks come before its subprojects."""


class ParsedFilter(NamedTuple):
    """A parsed filter without default scope, with its sort order and grouping."""

    filter: Filter = EVERYTHING
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None


def parse_filter(text: str, now: datetime, style: DateStyle, store: Store) -> ParsedFilter:
    """Parse a filter; an empty one matches everything.

    Raises:
        FilterProblem: the filter is invalid.
    """
    if not text.strip():
        return ParsedFilter()
    reader = FilterParser(text, now, style, store.views_mentioned(text))
    return ParsedFilter(reader.read(), reader.sort, reader.group)


class ViewPart(NamedTuple):
    """Tasks of a view with one section, or grouped under sections of their own."""

    query: Query
    section: Section | None = None


class Arrangement:
    """The parts of one view at one moment; a task belongs to the first part that matches."""

    def __init__(
        self, parts: Sequence[ViewPart], now: datetime, zone: str, *, closed: bool
    ) -> None:
        self._parts = tuple(parts)
        self._now = now
        self._zone = zone
        self._closed = closed
        self._sections: dict[tuple[int, GroupHeading], Section] = {}

    @property
    def queries(self) -> tuple[Query, ...]:
        """Return the queries of all parts but the truncated ones."""
        return tuple(
            part.query
            for part in self._parts
            if part.section is None or part.section.shown_at_most is None
        )

    @property
    def is_by_due(self) -> bool:
        """Return True if the view is grouped by due day, like the unfiltered list."""
        return all(map(_is_by_due, self._parts))

    @property
    def asks_of_others(self) -> bool:
        """Return True if a change of one task can let in another."""
        return any(depends_on_other_tasks(part.query.filter) for part in self._parts)

    def read(self, store: Store) -> Iterator[tuple[int, TaskPlace]]:
        """Yield the places of all its tasks.

        Raises:
            StoreError: the file cannot be read.
        """
        for rank, part in enumerate(self._parts):
            if _is_by_due(part):
                for row in store.tasks.outline(part.query.filter):
                    yield row.id, TaskPlace(SECTIONS[row.group], row.key)
            else:
                for line in store.tasks.unsorted_grouped_rows(part.query):
                    yield line.id, TaskPlace(self._section(rank, part, line.heading), line.key)

    def places(self, task: Task, relations: TaskRelations) -> tuple[TaskPlace, ...]:
        """Return the places of a task; empty if no part matches."""
        now, zone = self._now, self._zone
        for rank, part in enumerate(self._parts):
            if not matches(part.query.filter, task, now, zone=zone, relations=relations):
                continue
            if _is_by_due(part):
                return (TaskPlace(SECTIONS[task_group(task, now)], group_sort_key(task, zone)),)
            key = sort_key(task, part.query.sort, now, zone, relations)
            group = part.query.group or Grouping.NONE
            return tuple(
                TaskPlace(self._section(rank, part, heading), key)
                for heading in group_headings(task, group, now, zone)
            )
        return ()

    def _section(self, rank: int, part: ViewPart, heading: GroupHeading) -> Section:
        if part.section is not None:
            return part.section
        known = self._sections.get((rank, heading))
        if known is None:
            known = self._sections[rank, heading] = self._make_section(rank, part, heading)
        return known

    def _make_section(self, rank: int, part: ViewPart, heading: GroupHeading) -> Section:
        first = heading.order[0] if heading.order else None
        is_late, shown_in_heading = False, ShownInHeading.NOTHING
        match part.query.group:
            case Grouping.DUE if isinstance(first, int):
                return _BY_DUE[first]._replace(order=(rank, *heading.order))
            case Grouping.DAY:
                is_late = heading.order < (0, self._now.toordinal())
                shown_in_heading = ShownInHeading.DAY
            case Grouping.DONE:
                shown_in_heading = ShownInHeading.DAY
            case Grouping.PROJECT:
                shown_in_heading = ShownInHeading.PROJECT
            case _:
                pass
        label = heading.label[:1].upper() + heading.label[1:]
        order = (rank, *heading.order)
        return Section(
            order, label, is_late=is_late, is_closed=self._closed, shown_in_heading=shown_in_heading
        )


def arrange_view(
    view: View, typed: ParsedFilter, saved: ParsedFilter, now: datetime, zone: str
) -> Arrangement:
    """Arrange a view; sort order and grouping of the typed filter override its own.

    `saved` is the parsed filter of a saved view.
    """
    closed = view.kind in _CLOSED_VIEWS
    if view.kind in (ViewKind.ALL, ViewKind.SAVED):
        wanted = with_default_scope(_intersect(saved.filter, typed.filter))
        query = Query(wanted, typed.sort or saved.sort, typed.group or saved.group)
        return Arrangement([ViewPart(query)], now, zone, closed=closed)
    parts = _built_in(view.kind, now)
    if typed.group is not None:
        wanted = _intersect(any_of(*(part.query.filter for part in parts)), typed.filter)
        sort = typed.sort or parts[-1].query.sort
        return Arrangement([ViewPart(Query(wanted, sort, typed.group))], now, zone, closed=closed)
    narrowed = [
        part._replace(
            query=Query(
                _intersect(part.query.filter, typed.filter),
                typed.sort or part.query.sort,
                part.query.group,
            )
        )
        for part in parts
    ]
    return Arrangement(narrowed, now, zone, closed=closed)


def _intersect(one: Filter, other: Filter) -> Filter:
    if other == EVERYTHING:
        return one
    return other if one == EVERYTHING else all_of(one, other)


def _is_by_due(part: ViewPart) -> bool:
    """Return True if the part uses the default sections."""
    query = part.query
    return part.section is None and query.group is None and not query.sort


def _built_in(kind: ViewKind, now: datetime) -> tuple[ViewPart, ...]:
    match kind:
        case ViewKind.TODAY:
            return _today(now)
        case ViewKind.UPCOMING:
            return _upcoming(now)
        case ViewKind.NEXT:
            return (ViewPart(NEXT, UNNAMED_SECTION),)
        case ViewKind.DONE:
            return (ViewPart(DONE),)
        case ViewKind.TRASH:
            return (ViewPart(TRASH, UNNAMED_SECTION._replace(is_closed=True)),)
        case _:
            raise AssertionError(f"{kind} is arranged elsewhere")


def _today(now: datetime) -> tuple[ViewPart, ...]:
    parts = []
    for rank, (name, query) in enumerate(today_sections(now.date())):
        section = Section((rank,), name.upper(), is_late=rank == 0)
        parts.append(ViewPart(query, section))
    ready = parts[-1]
    assert ready.section is not None  # noqa: S101  # given above
    by_urgency = Query(ready.query.filter, NEXT.sort)
    cut = ready.section._replace(shown_at_most=READY_SHOWN, rest="in the view Next")
    return (*parts[:-1], ViewPart(by_urgency, cut))


def _upcoming(now: datetime) -> tuple[ViewPart, ...]:
    """Overdue tasks, then each day with due tasks, today first."""
    late = all_of(NOT_IN_TRASH, TO_DO, IsOverdue())
    ahead = all_of(
        NOT_IN_TRASH, TO_DO, WithinDays(DayField.DUE, now.date(), None), Not(IsOverdue())
    )
    overdue = SECTIONS[TaskGroup.OVERDUE]
    return ViewPart(Query(late), overdue), ViewPart(Query(ahead, group=Grouping.DAY))


class _TreeBuilder:
    """Builds the branches and rows of a project tree, top down."""

    def __init__(self, rows: ProjectRows) -> None:
        self._rows = rows
        self.branches: dict[str | None, ProjectBranch] = {}
        self.drawn: dict[int, ProjectRow] = {}

    def add(self, node: ProjectNode) -> None:
        """Add a project; its ancestors must have been added before."""
        path = fold_case(node.path)
        above = self.branches.get(path.rpartition(".")[0])
        name = (_OPEN if node.open else _FINISHED, path.rpartition(".")[2])
        is_shown = above is None or above.shows_tasks
        is_folded = self._rows.is_folded(path)
        self.branches[path] = ProjectBranch(
            name if above is None else (*above.key, _BELOW, *name),
            node.depth,
            shows_tasks=is_shown and not is_folded,
        )
        if is_shown:
            self.drawn[self._rows.number_of(path)] = ProjectRow(
                node.name, path, node.depth, node.open, node.done, is_folded
            )

    def add_rest(self, count: int) -> None:
        """Add the row for open tasks without a project."""
        is_folded = self._rows.is_folded(None)
        self.branches[None] = ProjectBranch((_NONE, ""), 0, shows_tasks=not is_folded)
        number = self._rows.number_of(None)
        self.drawn[number] = ProjectRow("No project", None, 0, count, 0, is_folded)


class ProjectTree:
    """The project tree at one moment, of the tasks that match a filter."""

    asks_of_others = True
    """Always True, as every change alters the progress of a project."""
    is_by_due = False

    def __init__(self, typed: ParsedFilter, now: datetime, zone: str, rows: ProjectRows) -> None:
        wanted = OPEN_TASKS if typed.filter == EVERYTHING else all_of(OPEN_TASKS, typed.filter)
        self._query = Query(wanted, typed.sort, Grouping.PROJECT)
        self._is_narrowed = typed.filter != EVERYTHING
        self._now = now
        self._zone = zone
        self._rows = rows

    @property
    def queries(self) -> tuple[Query, ...]:
        """Return the query of its tasks."""
        return (self._query,)

    def read(self, store: Store) -> Iterator[tuple[int, TaskPlace]]:
        """Yield the places of all projects and tasks.

        Raises:
            StoreError: the file cannot be read.
        """
        lines = tuple(store.tasks.unsorted_grouped_rows(self._query))
        nodes = store.agenda.projects()
        # Headings sort by case-folded path; tasks without a project come last.
        tasks_of: dict[str | None, int] = {}
        for line in lines:
            path = _path_of(line.heading.order)
            tasks_of[path] = tasks_of.get(path, 0) + 1
        builder = _TreeBuilder(self._rows)
        for node in self._shown_nodes(nodes, tasks_of):
            builder.add(node)
        if None in tasks_of:
            builder.add_rest(tasks_of[None])
        self._rows.drawn, self._rows.branches = builder.drawn, builder.branches
        for number, row in builder.drawn.items():
            yield number, TaskPlace(_TREE, builder.branches[row.path].key, row.depth)
        for line in lines:
            yield from self._task_places(line.id, _path_of(line.heading.order), line.key)

    def places(self, task: Task, relations: TaskRelations) -> tuple[TaskPlace, ...]:
        """Return the places of a task; empty if its project is folded or not known yet."""
        now, zone = self._now, self._zone
        if not matches(self._query.filter, task, now, zone=zone, relations=relations):
            return ()
        (heading,) = group_headings(task, Grouping.PROJECT, now, zone)
        key = sort_key(task, self._query.sort, now, zone, relations)
        return tuple(place for _, place in self._task_places(task.id, _path_of(heading.order), key))

    def _shown_nodes(
        self, nodes: tuple[ProjectNode, ...], tasks_of: Mapping[str | None, int]
    ) -> Iterator[ProjectNode]:
        if not self._is_narrowed:
            yield from nodes
            return
        holding = {
            above for path in tasks_of if path is not None for above in _ancestor_paths(path)
        }
        yield from (node for node in nodes if fold_case(node.path) in holding)

    def _task_places(
        self, task_id: int, path: str | None, key: SortKey
    ) -> Iterator[tuple[int, TaskPlace]]:
        branch = self._rows.branches.get(path)
        if branch is not None and branch.shows_tasks:
            yield task_id, TaskPlace(_TREE, (*branch.key, _TASKS, *key), branch.depth + 1)


def _path_of(order: SortKey) -> str | None:
    """Return the folded path from the sort order of a project heading."""
    is_none, path = order
    return None if is_none else str(path)


def _ancestor_paths(path: str) -> Iterator[str]:
    """Yield a path and those of its ancestors."""
    while path:
        yield path
        path = path.rpartition(".")[0]
