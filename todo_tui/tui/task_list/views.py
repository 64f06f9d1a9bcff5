"""Views of the task list: built-in and saved ones; queries, sections and order; project tree."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.filters import terms
from todo_tui.domain.filters.views import DONE, NEXT, TO_DO, TRASH, today_sections
from todo_tui.domain.task import Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import TaskGroup
from todo_tui.store.tasks.sorting import GroupHeading
from todo_tui.tui.task_list.outline import (
    SECTIONS,
    UNNAMED_SECTION,
    OutlineBlock,
    Section,
)

if TYPE_CHECKING:
    from todo_tui.domain.filters.views import SavedView
    from todo_tui.store.statistics import ProjectNode
    from todo_tui.store.store import Store
    from todo_tui.store.tasks.sorting import ListGroup

READY_SHOWN = 10
"""Limit of ready tasks in Today; Next shows all of them."""
DONE_DAYS = 7
"""Days of done tasks at the end of the unfiltered list, today included."""
_DONE_SHOWN = 5
_BY_DUE = tuple(SECTIONS.values())


class ViewKind(StrEnum):
    """Kind of a view; `saved` is a filter saved by the user."""

    ALL = "all"
    TODAY = "today"
    UPCOMING = "upcoming"
    NEXT = "next"
    PROJECTS = "projects"
    DONE = "done"
    TRASH = "trash"
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class View:
    """One view; `text` is the filter of a saved one, `key` opens it from the menu.

    `order` says how its tasks are sorted and grouped unless another order is chosen.
    """

    kind: ViewKind
    name: str
    about: str = ""
    text: str = ""
    key: str | None = None
    noun: str = "shown"
    """Noun for the task count where the view is not grouped by due day."""
    order: str = ""

    @property
    def stored_name(self) -> str:
        """Return the name under which the view is stored for the next run."""
        return f"{self.kind}:{self.name}" if self.kind is ViewKind.SAVED else self.kind.value


ALL = View(ViewKind.ALL, "Tasks", "Open tasks", order=" by due date")
BUILT_IN = (
    ALL,
    View(ViewKind.TODAY, "Today", "Overdue, due today, started; then ready", noun="for today"),
    View(ViewKind.UPCOMING, "Upcoming", "Tasks with due dates", noun="due", order=", by day"),
    View(ViewKind.NEXT, "Next", "Actionable tasks", noun="ready", order=" by urgency"),
    View(ViewKind.PROJECTS, "Projects", "Projects with progress", noun="open"),
    View(ViewKind.DONE, "Done", "Completed tasks", noun="done", order=" by day"),
    View(ViewKind.TRASH, "Trash", "Deleted tasks", noun="deleted", order=", latest first"),
)
EMPTY_VIEW_TEXTS = {
    ViewKind.TODAY: (
        "No tasks due today.",
        "Press {list.add} to add one: call mom today",
    ),
    ViewKind.UPCOMING: (
        "No upcoming tasks.",
        "Tasks with a due date appear here by day.",
        "Press {list.add} to add one: pay rent on the 1st",
    ),
    ViewKind.NEXT: (
        "No actionable tasks.",
        "Tasks that are neither scheduled for later nor blocked appear here, the most urgent "
        "first. Press {list.why} to explain urgency.",
    ),
    ViewKind.PROJECTS: (
        "No projects yet.",
        "Add a task with a project, with a dot for a project inside another: "
        "paint the fence #home.garden",
    ),
    ViewKind.DONE: (
        "No completed tasks yet.",
        "Press {list.tick} to complete a task. Completed tasks appear here by day.",
    ),
    ViewKind.TRASH: (
        "The trash is empty.",
        "Press {list.delete} to delete a task. Deleted tasks can be restored here.",
    ),
    ViewKind.SAVED: ("No tasks match this view.",),
}
"""Empty-state texts, heading first; keys by their action names."""


def all_views(saved: Iterable[SavedView]) -> tuple[View, ...]:
    """Return the built-in views, then the saved ones in their order."""
    return (*BUILT_IN, *map(saved_view, saved))


def saved_view(view: SavedView) -> View:
    """Return the view of a saved filter."""
    return View(ViewKind.SAVED, view.name, view.filter_text, view.filter_text, view.key)


_PROJECT_TREE = UNNAMED_SECTION._replace(grouping=terms.Grouping.PROJECT)


class ProjectRow(NamedTuple):
    """Content of a project's row; `path` is case-folded, None for tasks without a project."""

    name: str
    path: str | None
    depth: int
    open: int
    done: int
    is_folded: bool
    later: int = 0
    """Number of tasks that are hidden until a later start."""


class ProjectFolds:
    """Folded projects, and the ids of their rows, stable while the app runs."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {}
        self.folded: frozenset[str | None] = frozenset()
        """Case-folded paths; None stands for tasks without a project."""

    def number_of(self, path: str | None) -> int:
        """Return the negative id of a row."""
        return self._numbers.setdefault(path, -len(self._numbers) - 1)

    @property
    def numbers(self) -> frozenset[int]:
        """Return the ids of all rows, hidden ones included."""
        return frozenset(self._numbers.values())

    @property
    def stored_folds(self) -> str:
        """Return the folded paths as JSON for `restore_folds`; empty without folds."""
        paths = sorted(self.folded, key=lambda path: path or "")
        return json.dumps(paths, ensure_ascii=False) if paths else ""

    def restore_folds(self, stored: str) -> None:
        """Restore `stored_folds`; an invalid text is ignored."""
        try:
            paths = json.loads(stored or "[]")
        except ValueError:
            return
        if isinstance(paths, list):
            self.folded = frozenset(each for each in paths if each is None or type(each) is str)

    def fold(self, numbers: Iterable[int], *, closed: bool) -> bool:
        """Fold or unfold these rows; return True if that changed anything."""
        wanted = set(numbers)
        paths = {path for path, number in self._numbers.items() if number in wanted}
        before = self.folded
        self.folded = before | paths if closed else before - paths
        return self.folded != before


def project_tree(
    groups: Iterable[ListGroup],
    nodes: Sequence[ProjectNode],
    folds: ProjectFolds,
    drawn: dict[int, ProjectRow],
    *,
    is_narrowed: bool,
) -> Iterator[OutlineBlock]:
    """Yield projects with their tasks, then their subprojects; put the projects into `drawn`.

    Open projects come first, then by name. `groups` are the tasks by project; with `is_narrowed`
    only projects with tasks are shown, and their ancestors.
    """
    tasks: dict[str | None, Sequence[int]] = {}
    for heading, ids in groups:
        is_none, path = heading.order
        tasks[None if is_none else str(path)] = ids
    holding = {above for path in tasks if path is not None for above in _ancestor_paths(path)}
    below: defaultdict[str, list[ProjectNode]] = defaultdict(list)
    for node in nodes:
        path = fold_case(node.path)
        if not is_narrowed or path in holding:
            below[path.rpartition(".")[0]].append(node)
    folded = folds.folded
    # Iterative, as a path can have many parts; the next project is at the end.
    ahead = _in_reverse(below[""])
    while ahead:
        node = ahead.pop()
        path = fold_case(node.path)
        is_folded = path in folded
        number = folds.number_of(path)
        counts = (node.open, node.done, is_folded, node.later)
        drawn[number] = ProjectRow(node.name, path, node.depth, *counts)
        yield OutlineBlock(_PROJECT_TREE, (number,), node.depth)
        if not is_folded:
            yield OutlineBlock(_PROJECT_TREE, tasks.get(path, ()), node.depth + 1)
            ahead += _in_reverse(below[path])
    if None in tasks:
        number, is_folded = folds.number_of(None), None in folded
        drawn[number] = ProjectRow("No project", None, 0, len(tasks[None]), 0, is_folded)
        yield OutlineBlock(_PROJECT_TREE, (number,))
        if not is_folded:
            yield OutlineBlock(_PROJECT_TREE, tasks[None], 1)


def _in_reverse(nodes: Iterable[ProjectNode]) -> list[ProjectNode]:
    def order(node: ProjectNode) -> tuple[bool, str]:
        return not (node.open or node.later), fold_case(node.path).rpartition(".")[2]

    return sorted(nodes, key=order, reverse=True)


def _ancestor_paths(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition(".")[0]


class ListOrder(NamedTuple):
    """Order and headings that can be chosen for any view."""

    name: str
    about: str
    sort: tuple[terms.SortTerm, ...] = ()
    group: terms.Grouping | None = None

    def is_replaced_by(self, typed: terms.Query) -> bool:
        """Return True if a filter sorts, or groups, by something else than this order does."""
        if self.sort:
            return bool(typed.sort)
        return typed.group is not None or (self.group is None and bool(typed.sort))


ORDERS = (
    ListOrder("Default", "the view's own order"),
    ListOrder("Due", "overdue, today, next 7 days, later", group=terms.Grouping.DUE),
    ListOrder(
        "Urgency",
        "most urgent first",
        (terms.SortTerm(terms.SortField.URGENCY, descending=True),),
        terms.Grouping.NONE,
    ),
    ListOrder("Priority", "grouped by high, medium, low", group=terms.Grouping.PRIORITY),
    ListOrder("Project", "grouped by project", group=terms.Grouping.PROJECT),
    ListOrder(
        "Created",
        "newest first",
        (terms.SortTerm(terms.SortField.CREATED, descending=True),),
        terms.Grouping.NONE,
    ),
    ListOrder(
        "Manual",
        "as you move the tasks",
        (terms.MANUAL,),
        terms.Grouping.NONE,
    ),
)
"""Choices of the menu; the first is the order of the view itself."""


NO_FILTER = terms.Query(terms.EVERYTHING)
"""Query of an empty filter. Queries of filters have no default scope until they are arranged."""


class ViewPart(NamedTuple):
    """Tasks of a view with one section, or grouped under sections of their own."""

    query: terms.Query
    section: Section | None = None

    @property
    def is_by_due(self) -> bool:
        """Return True if the part uses the default sections."""
        return self.section is None and self.query.group is None and not self.query.sort


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The parts of one view at one moment; a task belongs to one part only."""

    parts: tuple[ViewPart, ...]
    now: datetime
    closed: bool = False
    folds: ProjectFolds | None = None
    """Folds of a project tree; None for any other view."""
    is_narrowed: bool = False

    @property
    def is_by_due(self) -> bool:
        """Return True if the view is grouped by due day, but perhaps for done tasks at its end."""
        return self.parts[0].is_by_due

    def read(
        self,
        store: Store,
        projects: dict[int, ProjectRow],
        parents: dict[int, int],
        minutes: dict[int, int],
        limit: int | None = None,
    ) -> Iterator[OutlineBlock]:
        """Yield the rows of all parts, at most `limit` of each.

        Puts the rows of projects into `projects`, the parents of subtasks into `parents`, and
        estimates into `minutes`.
        StoreError where the file cannot be read.
        """
        for rank, part in enumerate(self.parts):
            listing = store.tasks.listing(part.query, limit=limit)
            parents.update(listing.parents)
            minutes.update(listing.minutes)
            if self.folds is not None:
                nodes = store.statistics.projects()
                yield from project_tree(
                    listing.groups,
                    nodes,
                    self.folds,
                    projects,
                    is_narrowed=self.is_narrowed,
                )
                return
            for heading, ids in listing.groups:
                yield OutlineBlock(self._section(rank, part, heading), ids)

    def _section(self, rank: int, part: ViewPart, heading: GroupHeading) -> Section:
        query = part.query
        if part.section is not None:
            return part.section._replace(sort=query.sort or part.section.sort)
        first = heading.order[0] if heading.order else None
        if part.is_by_due and isinstance(first, int):
            return _BY_DUE[first]
        if query.group is terms.Grouping.DUE and isinstance(first, int):
            return _BY_DUE[first]._replace(order=(rank, *heading.order), sort=query.sort)
        return Section(
            (rank, *heading.order),
            heading.label[:1].upper() + heading.label[1:],
            is_late=query.group is terms.Grouping.DAY and heading.order < (0, self.now.toordinal()),
            is_closed=self.closed,
            grouping=query.group,
            sort=query.sort,
        )


def arrange_view(
    view: View, typed: terms.Query, saved: terms.Query, now: datetime, folds: ProjectFolds
) -> Arrangement:
    """Arrange a view with its saved filter; sort and group of the typed one override its own.

    Grouped by something else, the tasks of the project view are a plain list.
    """
    if view.kind is ViewKind.PROJECTS:
        wanted = terms.all_of(terms.OPEN_TASKS, typed.filter)
        if typed.group not in (None, terms.Grouping.PROJECT):
            return Arrangement((ViewPart(terms.Query(wanted, typed.sort, typed.group)),), now)
        part = ViewPart(terms.Query(wanted, typed.sort, terms.Grouping.PROJECT))
        return Arrangement((part,), now, folds=folds, is_narrowed=typed.filter != terms.EVERYTHING)
    closed = view.kind in (ViewKind.DONE, ViewKind.TRASH)
    if view.kind in (ViewKind.ALL, ViewKind.SAVED):
        if view.kind is ViewKind.ALL and typed == NO_FILTER:
            return Arrangement(_all_tasks(now), now)
        wanted = terms.with_default_scope(terms.all_of(saved.filter, typed.filter))
        query = terms.Query(wanted, typed.sort or saved.sort, typed.group or saved.group)
        return Arrangement((ViewPart(query),), now)
    parts = _BUILT_IN[view.kind](now)
    if typed.group is not None:
        wanted = terms.all_of(terms.any_of(*(part.query.filter for part in parts)), typed.filter)
        sort = typed.sort or parts[-1].query.sort
        return Arrangement((ViewPart(terms.Query(wanted, sort, typed.group)),), now, closed)
    narrowed = []
    for query, section in parts:
        wanted = terms.all_of(query.filter, typed.filter)
        query = terms.Query(wanted, typed.sort or query.sort, query.group)
        narrowed.append(ViewPart(query, section))
    return Arrangement(tuple(narrowed), now, closed)


def _all_tasks(now: datetime) -> tuple[ViewPart, ...]:
    """Open tasks by due day, then recently done ones; separate, as each has an index."""
    since = now.date() - timedelta(days=DONE_DAYS - 1)
    done_of_late = terms.all_of(
        terms.HasStatus(Status.DONE), terms.WithinDays(terms.DayField.COMPLETED, since, None)
    )
    cut = SECTIONS[TaskGroup.DONE]._replace(shown_at_most=_DONE_SHOWN, rest="/ done")
    done = ViewPart(terms.Query(terms.all_of(done_of_late, terms.NOT_IN_TRASH)), cut)
    return ViewPart(terms.Query(terms.OPEN_TASKS)), done


def _today(now: datetime) -> tuple[ViewPart, ...]:
    *dated, (name, ready) = today_sections(now.date())
    parts = [
        ViewPart(
            terms.Query(query.filter, group=terms.Grouping.NONE),
            Section((rank,), heading.upper(), is_late=rank == 0),
        )
        for rank, (heading, query) in enumerate(dated)
    ]
    cut = Section((len(parts),), name.upper(), shown_at_most=READY_SHOWN, rest="in the Next view")
    return (*parts, ViewPart(terms.Query(ready.filter, NEXT.sort), cut))


def _upcoming(now: datetime) -> tuple[ViewPart, ...]:
    """Overdue tasks, then each day with due tasks, today first."""
    late = terms.all_of(terms.NOT_IN_TRASH, TO_DO, terms.TaskState.OVERDUE)
    ahead = terms.all_of(
        terms.NOT_IN_TRASH,
        TO_DO,
        terms.WithinDays(terms.DayField.DUE, now.date(), None),
        terms.Not(terms.TaskState.OVERDUE),
    )
    overdue = SECTIONS[TaskGroup.OVERDUE]
    return ViewPart(terms.Query(late, group=terms.Grouping.NONE), overdue), ViewPart(
        terms.Query(ahead, group=terms.Grouping.DAY)
    )


_BUILT_IN: dict[ViewKind, Callable[[datetime], tuple[ViewPart, ...]]] = {
    ViewKind.TODAY: _today,
    ViewKind.UPCOMING: _upcoming,
    ViewKind.NEXT: lambda _: (ViewPart(NEXT, UNNAMED_SECTION),),
    ViewKind.DONE: lambda _: (ViewPart(DONE),),
    ViewKind.TRASH: lambda _: (ViewPart(TRASH, UNNAMED_SECTION._replace(is_closed=True)),),
}
