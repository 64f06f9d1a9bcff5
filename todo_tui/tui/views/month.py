"""What a month of the calendar shows: tasks by due day, and when those that repeat come again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from todo_tui.domain.coming import Recurrence, next_occurrence
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filter_agenda import TO_DO, due_on, month_weeks
from todo_tui.domain.filter_query import Query
from todo_tui.domain.filter_scope import NOT_IN_TRASH
from todo_tui.domain.filter_terms import DayField, Has, TaskField, Within, all_of
from todo_tui.domain.task import Task

if TYPE_CHECKING:
    # Whoever opens the app has opened the store.
    from todo_tui.store.workspace import Store

TITLES_A_DAY = 30
"""Tasks of a day that are read; the others are counted."""
_MOST_REPEATING = 200
_MOST_STEPS = 2_000
"""Occurrences that are counted through for one month, so that no rule holds it up."""


@dataclass(slots=True)
class DayPage:
    """One day: its open tasks, how many of them there are, what was done, what will come."""

    tasks: tuple[Task, ...] = ()
    due: int = 0
    done: int = 0
    coming: list[Task] = field(default_factory=list)
    """Repeating tasks that fall due on this day once the present occurrence is done."""


@dataclass(frozen=True, slots=True)
class MonthPage:
    """The weeks that a month touches, and the days of them on which there is something."""

    month: date
    weeks: tuple[tuple[date, ...], ...]
    days: dict[date, DayPage]

    def day(self, day: date) -> DayPage:
        """The page of a day; an empty one where there is nothing."""
        return self.days.get(day) or DayPage()


def read_month(store: Store, month: date, week_start: int) -> MonthPage:
    """Read a month; takes a while, from any thread.

    Raises:
        StoreError: the file cannot be read.
    """
    weeks = month_weeks(month, week_start)
    first, last = weeks[0][0], weeks[-1][-1]
    days: dict[date, DayPage] = defaultdict(DayPage)
    for counts in store.agenda.days(first, last):
        tasks = store.tasks.some(due_on(counts.day), limit=TITLES_A_DAY) if counts.due else ()
        days[counts.day] = DayPage(tasks, counts.due, counts.done)
    for day, task in _coming(store, first, last):
        days[day].coming.append(task)
    return MonthPage(month, weeks, dict(days))


def _coming(store: Store, first: date, last: date) -> Iterator[tuple[date, Task]]:
    """Days between two on which repeating tasks fall due again, as if done on their days."""
    repeating = all_of(
        NOT_IN_TRASH, TO_DO, Has(TaskField.RECURRENCE), Within(DayField.DUE, None, last)
    )
    zone = store.clock.zone
    steps = _MOST_STEPS
    for task in store.tasks.some(Query(repeating), limit=_MOST_REPEATING):
        due = task.due
        if due is None or task.recurrence is None:
            continue
        recurrence = Recurrence(task.recurrence, task.repeat_from)
        while steps and due is not None and due.day <= last:
            steps -= 1
            try:
                due = next_occurrence(recurrence, due, due.local(), task.due_zone or zone)
            except ValidationError:
                # A rule of another program that nobody here can read.
                break
            if due is not None and first <= due.day <= last:
                yield due.day, task
