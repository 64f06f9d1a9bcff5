"""The urgency of tasks as a column of SQL, made of what the domain says of single tasks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from todo_tui.domain.filter_order import PARTS_OF_A_POINT
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.urgency import explained
from todo_tui.domain.when import When
from todo_tui.store.search import BLOCKED, NOT_TRASHED, OPEN
from todo_tui.store.search_days import Column, Value, due_local, local_text, start_local

_FARTHEST = 31
"""Days from today from which on another one makes no difference to urgency."""
_NOON = datetime(2001, 1, 15, 12)
"""Any moment will do: only what lies between it and a due moment counts."""


def urgency_column(now: datetime) -> Column:
    """Points of open tasks, in parts of which all are whole numbers; NULL of others."""
    due, due_values = _due_points(now)
    points = (
        f"{due} + CASE t.priority {_priority_cases()} ELSE 0 END"
        f" + CASE WHEN {BLOCKED} THEN {_points(blocked=True)}"
        f" WHEN t.start IS NOT NULL AND {start_local} > ?"
        f" THEN {_points(start=When(date.max))}"
        f" WHEN t.status = 'doing' THEN {_points(status=Status.DOING)} ELSE 0 END"
    )
    return Column(
        f"CASE WHEN {OPEN} AND {NOT_TRASHED} THEN {points} END", (*due_values, local_text(now))
    )


def _due_points(now: datetime) -> Column:
    """A ladder of days: due moments are compared as text, the farthest first."""
    today, late, coming = now.date(), *_ladders()
    cases: list[str] = []
    values: list[Value] = []
    for days, points in coming:
        cases.append(f"WHEN t.due >= ? THEN {points}")
        values.append(_day(today, days))
    cases.append(f"WHEN {due_local} >= ? THEN {_points(due=When(_NOON.date()))}")
    values.append(local_text(now))
    for days, points in late:
        cases.append(f"WHEN t.due >= ? THEN {points}")
        values.append(_day(today, days))
    earliest = late[-1][1]
    return Column(
        f"CASE WHEN t.due IS NULL THEN 0 {' '.join(cases)} ELSE {earliest} END", tuple(values)
    )


Ladder = tuple[tuple[int, int], ...]
"""Days from today, and the points of all that is due from there on to the step before."""


@lru_cache(maxsize=1)
def _ladders() -> tuple[Ladder, Ladder]:
    """The steps of what is late, from today back; and of what comes, from the farthest on."""
    late = [(0, _points(due=When.of(datetime.combine(_NOON.date(), time(11)))))]
    late += [(-days, _due_in(-days)) for days in range(1, _FARTHEST)]
    coming = [(days, _due_in(days)) for days in range(_FARTHEST, 0, -1)]
    return _steps(late), _steps(coming)


def _steps(days: list[tuple[int, int]]) -> Ladder:
    """Of days with the same points, the last one."""
    return tuple(
        each
        for each, following in zip(days, [*days[1:], None], strict=True)
        if following is None or following[1] != each[1]
    )


def _due_in(days: int) -> int:
    return _points(due=When(_NOON.date() + timedelta(days=days)))


def _priority_cases() -> str:
    return " ".join(f"WHEN '{each.value}' THEN {_points(priority=each)}" for each in Priority)


def _points(
    *,
    due: When | None = None,
    start: When | None = None,
    priority: Priority | None = None,
    status: Status = Status.TODO,
    blocked: bool = False,
) -> int:
    """What a task has of these alone."""
    at = _NOON.replace(tzinfo=UTC)
    task = Task(0, "", "", at, at, due=due, start=start, priority=priority, status=status)
    points = sum(part.points for part in explained(task, _NOON, blocked=blocked))
    return round(points * PARTS_OF_A_POINT)


def _day(today: date, days: int) -> str:
    return date.fromordinal(min(max(today.toordinal() + days, 1), date.max.toordinal())).isoformat()
