"""Dates on which recurring tasks come again after the one they are due on."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from todo_tui.domain.dates.text import format_day
from todo_tui.domain.recurrence.next_occurrence import upcoming_dates
from todo_tui.domain.task import Task
from todo_tui.domain.text import join_words

_MAX_DATES = 366
"""Dates of a task that are looked at: a year of a daily one."""
_RUN = 3
"""Days in a row from which on only the first and the last are named."""
_MAX_NAMED = 5


class ComingTask(NamedTuple):
    """A recurring task with the later days on which it comes again, earliest first."""

    task: Task
    days: Sequence[date]


def coming_tasks(
    tasks: Iterable[Task], first: date, last: date, now: datetime, zone: str
) -> list[ComingTask]:
    """Return the tasks that come again from `first` to `last`; `now` is naive, local in `zone`."""
    count = min((last - now.date()).days + 1, _MAX_DATES)
    if count < 1:
        return []
    found = (
        ComingTask(
            task,
            [
                *dict.fromkeys(
                    when.day
                    for when in upcoming_dates(task, now, zone, count)
                    if first <= when.day <= last
                )
            ],
        )
        for task in tasks
    )
    return [each for each in found if each.days]


def format_days(days: Sequence[date], now: datetime) -> str:
    """Return `Thu 3 Dec`, `Mon 30 Nov and Thu 3 Dec`, `Tue 1 Dec to Fri 4 Dec`.

    Dates, also for tomorrow: an answer with them is still right when it is read on another day.
    """
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    parts: list[str] = []
    for run in runs:
        names = [format_day(day, now.date()) for day in run]
        parts += [f"{names[0]} to {names[-1]}"] if len(run) >= _RUN else names
    if len(parts) > _MAX_NAMED:
        parts[_MAX_NAMED:] = ["later"]
    return join_words(parts, "and")
