"""Made-up tasks, and filters, orders and headings to hold against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import cast

from hypothesis import strategies as st

from tests.store.opened import NOW, user_context
from todo_tui.domain.filters.terms import (
    And,
    BeforeOrAfter,
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
    EstimateWithin,
    Filter,
    Grouping,
    HasField,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    Not,
    Or,
    SortField,
    SortTerm,
    TaskField,
    TaskState,
    WithinDays,
)
from todo_tui.domain.task import Priority, Status, Task, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import Store

WORDS = ["milk", "Milk", "MÜSLI", "müsli", "straße", "STRASSE", "100%", "a_b", "é", "e\u0301", "ﬁx"]
PROJECTS = ["work", "Work.Client", "work.client.x", "worker", "work-b", "Büro"]
TAGS = ["home", "Home", "Büro", "büro", "x.y"]
DAYS = [NOW.date() + timedelta(days=number) for number in (-400, -8, -3, -1, 0, 1, 2, 7, 14, 30)]
TIMES = [None, time(0), time(9), time(14, 30), time(23, 59)]
MOMENTS = [When(each, at) for each in DAYS for at in TIMES]
ZONES = ["Asia/Tokyo", "America/New_York", "UTC", "Pacific/Kiritimati"]
MOST = 5


def fields() -> st.SearchStrategy[TaskFields]:
    """What a task may have."""

    def optional(values: Sequence[object]) -> st.SearchStrategy[object]:
        return st.sampled_from([None, *values])

    return st.fixed_dictionaries(  # type: ignore[return-value] # the keys are those of TaskFields
        {
            "title": st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
            "notes": st.sampled_from(["", "some notes", "Müsli"]),
            "status": st.sampled_from(Status),
            "priority": optional(list(Priority)),
            "estimate": optional([15, 30, 90]),
            "due": optional(MOMENTS),
            "due_zone": optional(ZONES),
            "start": optional(MOMENTS),
            "start_zone": optional(ZONES),
            "project": optional(PROJECTS),
            "tags": st.lists(st.sampled_from(TAGS), max_size=2).map(tuple),
        }
    )


@dataclass(frozen=True, slots=True)
class TaskSet:
    """Some tasks and how they hang together; links go from a task to an earlier one."""

    older: tuple[TaskFields, ...]
    """Tasks that were made and closed some days ago."""
    newer: tuple[TaskFields, ...]
    parents: tuple[tuple[int, int], ...]
    blockers: tuple[tuple[int, int], ...]
    trashed: int | None

    def move_in(self, store: Store, past: Store) -> dict[int, Task]:
        """Make the tasks instead of all that are there; `past` writes some days ago."""
        present = [task.id for task in store.tasks.list(And(())).tasks]
        if present:
            store.tasks.purge(present, by=user_context(store))
        made = [
            *(past.tasks.add_many(self.older, by=user_context(past)) if self.older else ()),
            *(store.tasks.add_many(self.newer, by=user_context(store)) if self.newer else ()),
        ]
        for child, parent in self.parents:
            if child < len(made):
                store.tasks.update(
                    [made[child].id], {"parent": made[parent].id}, by=user_context(store)
                )
        for held, blocker in self.blockers:
            if held < len(made):
                store.tasks.update(
                    [made[held].id], {}, add_blockers=[made[blocker].id], by=user_context(store)
                )
        if self.trashed is not None and made:
            store.tasks.delete([made[self.trashed % len(made)].id], by=user_context(store))
        return {task.id: task for task in store.tasks.list(And(())).tasks}


def households() -> st.SearchStrategy[TaskSet]:
    """A few tasks, some of them below others, waiting for others, or in the trash."""
    link = st.tuples(st.integers(1, MOST), st.integers(0, MOST)).filter(
        lambda ends: ends[1] < ends[0]
    )
    links = st.lists(link, max_size=2).map(tuple)
    return st.builds(
        TaskSet,
        st.lists(fields(), max_size=2).map(tuple),
        st.lists(fields(), min_size=1, max_size=4).map(tuple),
        links,
        links,
        st.one_of(st.none(), st.integers(0, MOST)),
    )


def terms() -> st.SearchStrategy[Filter]:
    """Filters of any kind; their numbers are places in a task_set, see `with_ids`."""
    bound = st.sampled_from([None, *DAYS])
    day_field = st.sampled_from(DayField)
    moments = st.sampled_from([datetime.combine(each, time(14, 30)) for each in DAYS])
    place = st.integers(0, MOST)
    priority = st.sampled_from([None, *Priority])
    leaves: st.SearchStrategy[Filter] = st.one_of(
        st.builds(HasIds, st.lists(st.tuples(place, place), min_size=1, max_size=2).map(tuple)),
        st.builds(ChildOf, place),
        st.builds(DescendantOf, place),
        st.builds(InProject, st.sampled_from([*PROJECTS, "WORK", "büro", "work.", "no"])),
        st.builds(HasTag, st.sampled_from([*TAGS, "BÜRO", "x", "x_y"])),
        st.builds(EstimateWithin, st.integers(1, 40), st.none() | st.integers(20, 90)),
        st.builds(HasPriority, st.lists(priority, min_size=1, unique=True).map(tuple)),
        st.builds(HasField, st.sampled_from(TaskField)),
        st.builds(WithinDays, day_field, bound, bound),
        st.builds(BeforeOrAfter, day_field, moments, st.booleans(), st.booleans()),
        st.builds(HasStatus, st.sampled_from(Status)),
        st.builds(
            ContainsText, st.sampled_from([*WORDS, "%", "_", "lk mi", "fix", "zzz", "'", '"'])
        ),
        st.sampled_from(
            [
                *TaskState, And(()),
                Or((HasStatus(Status.DOING), HasStatus(Status.TODO))),
            ]
        ),
    )  # fmt: skip
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.lists(inner, max_size=3).map(lambda parts: And(tuple(parts))),
            st.lists(inner, max_size=3).map(lambda parts: Or(tuple(parts))),
        ),
        max_leaves=6,
    )


def with_ids(wanted: Filter, ids: Sequence[int]) -> Filter:
    """The filter with the numbers of tasks in place of places."""

    def number(place: int) -> int:
        return ids[place % len(ids)]

    match wanted:
        case And(parts):
            return And(tuple(with_ids(part, ids) for part in parts))
        case Or(parts):
            return Or(tuple(with_ids(part, ids) for part in parts))
        case Not(part):
            return Not(with_ids(part, ids))
        case HasIds(stretches):
            ends = [sorted((number(first), number(last))) for first, last in stretches]
            return HasIds(tuple((first, last) for first, last in ends))
        case ChildOf(place) | DescendantOf(place):
            return cast("Filter", type(wanted)(number(place)))
        case _:
            return wanted


def sorts() -> st.SearchStrategy[tuple[SortTerm, ...]]:
    """Up to three fields to sort by."""
    term = st.builds(SortTerm, st.sampled_from(SortField), st.booleans())
    return st.lists(term, max_size=3, unique_by=lambda each: each.field).map(tuple)


def groupings() -> st.SearchStrategy[Grouping]:
    """Any headings."""
    return st.sampled_from(Grouping)
