"""Skipping: how often repeating tasks go on to their next date, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.coming import Recurrence, occurrence_after_skipping
from todo_tui.domain.dates import read_date
from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.when import When
from todo_tui.domain.zones import living_zone
from todo_tui.tools import summaries
from todo_tui.tools.base import Answer, ToolContext
from todo_tui.tools.choosing import Chosen
from todo_tui.tools.items import Done, Outcome, answer
from todo_tui.tools.task_data import tasks_data, title_of

_SKIP = re.compile(
    r"skip(?: (?P<missed>missed)| (?P<times>\d{1,4})(?: times)?| until (?P<until>.+))?",
    re.IGNORECASE,
)
_MOST_TIMES = 400


class _Extent(NamedTuple):
    """How far to go: past what was missed, past so many dates, or up to a day."""

    missed: bool = False
    times: int = 1
    until: When | None = None


def is_skip(words: str) -> bool:
    """Whether words for a repeat ask to skip: `skip`, `skip 2`, `skip until friday`."""
    return _SKIP.fullmatch(words.strip()) is not None


def skip(context: ToolContext, chosen: Chosen, words: str) -> Answer:
    """Let repeating tasks go on to their next date, or as far as the words say.

    Raises:
        ValidationError: the words name no day, or too many dates.
        Conflict: a task does not repeat, or has no date so far on; then none was skipped.
    """
    extent = _read(context, words)
    outcomes: dict[int, Outcome] = dict(chosen.errors)
    for times, tasks in _by_times(context, chosen.tasks, extent).items():
        if not times:
            for task in tasks:
                outcomes[task.id] = _too_soon(task, words)
        else:
            outcomes |= _skipped(context, tasks, times, missed=extent.missed)
    return answer(chosen, outcomes, summaries.all_changed)


def _skipped(
    context: ToolContext, tasks: Sequence[Task], times: int, *, missed: bool
) -> dict[int, Outcome]:
    """Let all of them go on alike; what is told of each."""
    ids = [task.id for task in tasks]
    gesture = context.batch.gesture()
    skips = context.store.tasks.skip(ids, by=gesture, missed=missed, times=times)
    after = [skip.task for skip in skips]
    outcomes: dict[int, Outcome] = {}
    for before, task, data in zip(tasks, after, tasks_data(context, after), strict=True):
        told: dict[str, JsonValue] = {"task": data, "skipped": True}
        if times > 1:
            told["times"] = times
        outcomes[task.id] = Done(told, summaries.changed(before, task, context.now))
    return outcomes


def _read(context: ToolContext, words: str) -> _Extent:
    match = _SKIP.fullmatch(words.strip())
    if match is None or match["missed"]:
        return _Extent(missed=True)
    if match["until"]:
        return _Extent(until=read_date(match["until"], context.now, context.style).when)
    times = int(match["times"] or 1)
    if not 1 <= times <= _MOST_TIMES:
        raise ValidationError(f"I can skip 1 to {_MOST_TIMES} dates; nothing was done.")
    return _Extent(times=times)


def _by_times(
    context: ToolContext, tasks: Sequence[Task], extent: _Extent
) -> dict[int, list[Task]]:
    """The tasks by how many of their dates are skipped."""
    found: dict[int, list[Task]] = {}
    for task in tasks:
        times = extent.times
        if extent.until is not None:
            times = _dates_before(context, task, extent.until)
        found.setdefault(times, []).append(task)
    return found


def _dates_before(context: ToolContext, task: Task, until: When) -> int:
    """How many dates of a task lie before a day, its present one included.

    Raises:
        Conflict: it has no date any more on that day or later.
        ValidationError: there are too many.
    """
    if task.recurrence is None or task.due is None:
        raise Conflict(f"Task #{task.id} does not repeat.")
    rhythm = Recurrence(task.recurrence, task.repeat_from)
    home = context.store.clock.zone
    here = context.now.replace(tzinfo=ZoneInfo(home))
    due, count = task.due, 0
    while _is_before(due, until):
        zone = living_zone(task.due_zone, home)
        following = occurrence_after_skipping(rhythm, due, here, zone, missed=False)
        if following is None:
            raise Conflict(f"#{task.id} “{title_of(task)}” ends before that: nothing was skipped.")
        due, count = following, count + 1
        if count > _MOST_TIMES:
            raise ValidationError(
                f"#{task.id} “{title_of(task)}” has more than {_MOST_TIMES} dates until then; "
                "nothing was done."
            )
    return count


def _is_before(due: When, until: When) -> bool:
    if until.at is None or due.at is None:
        return due.day < until.day
    return datetime.combine(due.day, due.at) < datetime.combine(until.day, until.at)


def _too_soon(task: Task, words: str) -> Conflict:
    due = task.due.iso() if task.due else "no day"
    return Conflict(
        f"#{task.id} “{title_of(task)}” is due {due} only: there was nothing to {words.strip()}."
    )
