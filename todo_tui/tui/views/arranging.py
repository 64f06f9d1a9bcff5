"""Which tasks a view holds, and under which heading and where each of them stands.

Loaded when a view or a filter is first asked for: it brings the grammar of filters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.filter_agenda import DONE, NEXT, TO_DO, TRASH, today_sections
from todo_tui.domain.filter_grammar import FilterReader
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_order import Heading, headings, sort_key
from todo_tui.domain.filter_query import Grouping, Query, SortTerm
from todo_tui.domain.filter_relations import Relations, asks_of_others
from todo_tui.domain.filter_scope import NOT_IN_TRASH, with_default_scope
from todo_tui.domain.filter_terms import (
    EVERYTHING,
    DayField,
    Filter,
    IsOverdue,
    Not,
    Within,
    all_of,
    any_of,
)
from todo_tui.domain.task import Task
from todo_tui.domain.urgency import TaskGroup, group_of, order_in_group
from todo_tui.domain.when import DateStyle
from todo_tui.tui.views.section import SECTIONS, UNNAMED, Said, Section
from todo_tui.tui.views.view import View, ViewKind
from todo_tui.tui.widgets.task_outline import Place

if TYPE_CHECKING:
    # As in the contents: whoever opens the app has opened the store.
    from todo_tui.store.workspace import Store

READY_SHOWN = 10
"""Tasks of Today that nothing but a day of their own is missing; Next has them all."""

_BY_DUE = tuple(SECTIONS.values())
_CLOSED_VIEWS = (ViewKind.DONE, ViewKind.TRASH)


class Typed(NamedTuple):
    """A filter as it was typed: its condition, without a scope added, and its arrangement."""

    filter: Filter = EVERYTHING
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None


def read_typed(text: str, now: datetime, style: DateStyle, store: Store) -> Typed:
    """Read a filter; one that is empty lets everything in.

    Raises:
        FilterProblem: it cannot be read.
    """
    if not text.strip():
        return Typed()
    reader = FilterReader(text, now, style, store.views_mentioned(text))
    return Typed(reader.read(), reader.sort, reader.group)


class Part(NamedTuple):
    """Some tasks of a view; they stand in its section, or under headings of their own."""

    query: Query
    section: Section | None = None


class Arrangement:
    """The parts of one view at one moment; a task stands in the first that lets it in."""

    def __init__(self, parts: Sequence[Part], now: datetime, zone: str, *, closed: bool) -> None:
        self._parts = tuple(parts)
        self._now = now
        self._zone = zone
        self._closed = closed
        self._sections: dict[tuple[int, Heading], Section] = {}

    @property
    def queries(self) -> tuple[Query, ...]:
        """What its parts ask of the store, but for one of which it shows the first alone."""
        return tuple(
            part.query
            for part in self._parts
            if part.section is None or part.section.shown_at_most is None
        )

    @property
    def is_by_due(self) -> bool:
        """Whether it has the headings of the list without a filter."""
        return all(map(_is_by_due, self._parts))

    @property
    def asks_of_others(self) -> bool:
        """Whether the change of one task can let in another."""
        return any(asks_of_others(part.query.filter) for part in self._parts)

    def read(self, store: Store) -> Iterator[tuple[int, Place]]:
        """The places of all its tasks.

        Raises:
            StoreError: the file cannot be read.
        """
        for rank, part in enumerate(self._parts):
            if _is_by_due(part):
                for row in store.tasks.outline(part.query.filter):
                    yield row.id, Place(SECTIONS[row.group], row.key)
            else:
                for line in store.tasks.arranged_rows(part.query):
                    yield line.id, Place(self._section(rank, part, line.heading), line.key)

    def places(self, task: Task, relations: Relations) -> tuple[Place, ...]:
        """Where a task stands; nowhere if no part lets it in."""
        now, zone = self._now, self._zone
        for rank, part in enumerate(self._parts):
            if not matches(part.query.filter, task, now, zone=zone, relations=relations):
                continue
            if _is_by_due(part):
                return (Place(SECTIONS[group_of(task, now)], order_in_group(task, zone)),)
            key = sort_key(task, part.query.sort, now, zone, relations)
            group = part.query.group or Grouping.NONE
            return tuple(
                Place(self._section(rank, part, heading), key)
                for heading in headings(task, group, now, zone)
            )
        return ()

    def _section(self, rank: int, part: Part, heading: Heading) -> Section:
        if part.section is not None:
            return part.section
        known = self._sections.get((rank, heading))
        if known is None:
            known = self._sections[rank, heading] = self._made(rank, part, heading)
        return known

    def _made(self, rank: int, part: Part, heading: Heading) -> Section:
        first = heading.order[0] if heading.order else None
        is_late, said = False, Said.NOTHING
        match part.query.group:
            case Grouping.DUE if isinstance(first, int):
                return _BY_DUE[first]._replace(order=(rank, *heading.order))
            case Grouping.DAY:
                is_late = heading.order < (0, self._now.toordinal())
                said = Said.DAY
            case Grouping.DONE:
                said = Said.DAY
            case Grouping.PROJECT:
                said = Said.PROJECT
            case _:
                pass
        label = heading.label[:1].upper() + heading.label[1:]
        order = (rank, *heading.order)
        return Section(order, label, is_late=is_late, is_closed=self._closed, said=said)


def arranged(view: View, typed: Typed, saved: Typed, now: datetime, zone: str) -> Arrangement:
    """A view, narrowed by what is typed, whose order and headings come before its own.

    `saved` is the filter of a saved view, read.
    """
    closed = view.kind in _CLOSED_VIEWS
    if view.kind in (ViewKind.ALL, ViewKind.SAVED):
        wanted = with_default_scope(_both(saved.filter, typed.filter))
        query = Query(wanted, typed.sort or saved.sort, typed.group or saved.group)
        return Arrangement([Part(query)], now, zone, closed=closed)
    parts = _built_in(view.kind, now)
    if typed.group is not None:
        wanted = _both(any_of(*(part.query.filter for part in parts)), typed.filter)
        sort = typed.sort or parts[-1].query.sort
        return Arrangement([Part(Query(wanted, sort, typed.group))], now, zone, closed=closed)
    narrowed = [
        part._replace(
            query=Query(
                _both(part.query.filter, typed.filter),
                typed.sort or part.query.sort,
                part.query.group,
            )
        )
        for part in parts
    ]
    return Arrangement(narrowed, now, zone, closed=closed)


def _both(one: Filter, other: Filter) -> Filter:
    if other == EVERYTHING:
        return one
    return other if one == EVERYTHING else all_of(one, other)


def _is_by_due(part: Part) -> bool:
    """Whether it has the headings that the list has when nothing is said of headings."""
    query = part.query
    return part.section is None and query.group is None and not query.sort


def _built_in(kind: ViewKind, now: datetime) -> tuple[Part, ...]:
    match kind:
        case ViewKind.TODAY:
            return _today(now)
        case ViewKind.UPCOMING:
            return _upcoming(now)
        case ViewKind.NEXT:
            return (Part(NEXT, UNNAMED),)
        case ViewKind.DONE:
            return (Part(DONE),)
        case ViewKind.TRASH:
            return (Part(TRASH, UNNAMED._replace(is_closed=True)),)
        case _:
            raise AssertionError(f"{kind} is arranged elsewhere")


def _today(now: datetime) -> tuple[Part, ...]:
    parts = []
    for rank, (name, query) in enumerate(today_sections(now.date())):
        section = Section((rank,), name.upper(), is_late=rank == 0)
        parts.append(Part(query, section))
    ready = parts[-1]
    assert ready.section is not None  # noqa: S101  # given above
    by_urgency = Query(ready.query.filter, NEXT.sort)
    cut = ready.section._replace(shown_at_most=READY_SHOWN, rest="in the view Next")
    return (*parts[:-1], Part(by_urgency, cut))


def _upcoming(now: datetime) -> tuple[Part, ...]:
    """What is late, then every day that has something, today first."""
    late = all_of(NOT_IN_TRASH, TO_DO, IsOverdue())
    ahead = all_of(NOT_IN_TRASH, TO_DO, Within(DayField.DUE, now.date(), None), Not(IsOverdue()))
    overdue = SECTIONS[TaskGroup.OVERDUE]
    return Part(Query(late), overdue), Part(Query(ahead, group=Grouping.DAY))
