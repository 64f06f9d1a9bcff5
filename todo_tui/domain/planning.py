"""Plans of a day or a week, and the questions of a review: pure functions for chat and shell.

Nothing here reads a store: the caller hands in the open tasks, the most urgent first, and what
the log tells of habits.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from todo_tui.domain.dates.text import format_due, format_when, weekday_name
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.recurrence.later_occurrences import ComingTask, coming_tasks
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.domain.text import format_count, join_words, listed_count, plain_line
from todo_tui.domain.urgency import explain_urgency
from todo_tui.domain.when import When, day_after

MAX_A_DAY = 7
"""Tasks of a day at most; those at a fixed time are never left out."""
_MIN_A_DAY = 3
"""Tasks of a day where fewer are usually finished."""
DAY_MINUTES = 8 * 60
"""Sum of the estimates of a day at most."""
WEEK = 7
_DAYS_AHEAD = 14
"""Days on which room is looked for, beyond those of the plan."""
_OFTEN = 3
"""Moves of a due date from which on they are told."""
_ASSUMED_MINUTES = 30
"""Length of a task without an estimate where it decides what comes before a fixed time, and
whether a task of another day still fits."""
_DAY_BEGINS = time(9)
_NAMED = 3


@dataclass(frozen=True, slots=True)
class PlanTask:
    """An open task as a plan sees it."""

    id: int
    title: str
    due: When | None = None
    estimate: int | None = None
    urgency: float = 0.0
    is_started: bool = False
    is_blocked: bool = False
    moves: int = 0
    """How often its due date was moved later."""
    is_recurring: bool = False


@dataclass(frozen=True, slots=True)
class Habits:
    """Facts from the log: how often open tasks were moved, and tasks finished per weekday.

    `moves` are by id; `finished` are averages by `date.weekday()`, empty without enough days.
    """

    moves: Mapping[int, int] = field(default_factory=dict)
    finished: Mapping[int, int] = field(default_factory=dict)


class PlanDay(NamedTuple):
    """Tasks of a day in the order to do them; `planned` counts those left out too."""

    day: date
    tasks: tuple[PlanTask, ...]
    planned: int
    usual: int | None = None
    """Number of tasks that are usually finished on this weekday."""


class Move(NamedTuple):
    """A proposal to reschedule a task."""

    task: PlanTask
    to: When


class Plan(NamedTuple):
    """Days, what is proposed to move, and due tasks that wait for other ones."""

    days: tuple[PlanDay, ...]
    moves: tuple[Move, ...] = ()
    blocked: tuple[PlanTask, ...] = ()
    left: int = 0
    """Number of tasks for which no day has room."""
    recurring: tuple[PlanTask, ...] = ()
    """Those that do not fit, and are not moved to a day on which they do not happen."""

    @property
    def busy_days(self) -> tuple[PlanDay, ...]:
        """The days that have tasks; the first one where none has."""
        return tuple(day for day in self.days if day.tasks) or self.days[:1]

    def coming(self, tasks: Iterable[Task], now: datetime, zone: str) -> list[ComingTask]:
        """Return the recurring tasks that come again on these days."""
        return coming_tasks(tasks, self.days[0].day, self.days[-1].day, now, zone)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the JSON form: days with ids in order, moves, and remarks in words."""
        return {
            "days": [
                {
                    "day": day.day.isoformat(),
                    "tasks": [{"id": task.id, "title": task.title} for task in day.tasks],
                    "minutes": sum(task.estimate or 0 for task in day.tasks),
                    "planned": day.planned,
                    "usual": day.usual,
                }
                for day in self.days
            ],
            "moves": [
                {
                    "id": move.task.id,
                    "title": move.task.title,
                    "due": move.task.due.iso() if move.task.due else None,
                    "to": move.to.iso(),
                }
                for move in self.moves
            ],
            "blocked": [task.id for task in self.blocked],
            "recurring": [task.id for task in self.recurring],
            "remarks": [*plan_remarks(self)],
        }


def plan_task(task: Task, now: datetime, zone: str, *, blocked: bool, moves: int = 0) -> PlanTask:
    """Return a task as a plan sees it; `now` is naive, local in `zone`."""
    return PlanTask(
        task.id,
        plain_line(task.title),
        task.due_in(zone),
        task.estimate,
        sum(part.points for part in explain_urgency(task, now, zone, blocked=blocked)),
        task.status is Status.DOING,
        blocked,
        moves,
        task.recurrence is not None,
    )


SPANS = ("day", "tomorrow", "week")
"""What can be planned."""


def span_of(name: str, now: datetime) -> tuple[datetime, int]:
    """Return the moment at which a plan begins, and its number of days."""
    if name == "tomorrow":
        return datetime.combine(day_after(now.date()), time()), 1
    return now, WEEK if name == "week" else 1


def plan_days(
    tasks: Sequence[PlanTask], now: datetime, habits: Habits | None = None, *, days: int = 1
) -> Plan:
    """Plan the days from today on; `tasks` are open, the most urgent first.

    A day has what is due on it, today also what is overdue or started. What is due and does not fit
    goes to the next day with room, unless it repeats. The plan of one day on which all fits is
    filled up with other urgent tasks, those due in more than a week last, but for those that
    repeat or are at a time of another day.
    """
    habits, today = habits or Habits(), now.date()
    last, soon = today + timedelta(days=days - 1), today + timedelta(days=WEEK)
    own: dict[date | None, list[PlanTask]] = defaultdict(list)
    for task in tasks:
        if not task.is_blocked:
            own[_day_of(task, now)].append(task)
    own[today].sort(key=lambda task: not _is_late(task, now))
    planned: list[PlanDay] = []
    moves: list[Move] = []
    carried: list[PlanTask] = []
    recurring: list[PlanTask] = []
    for ahead in range(days + _DAYS_AHEAD):
        day = today + timedelta(days=ahead)
        usual = habits.finished.get(day.weekday())
        limit = MAX_A_DAY if usual is None else min(MAX_A_DAY, max(usual, _MIN_A_DAY))
        kept = _fitting([*own[day], *carried], limit, day, now)
        moves += [Move(task, _moved(task, day)) for task in carried if task.id in kept]
        if day <= last:
            count, present = len(own[day]) + len(carried), [*own[day], *carried]
            left_out = [task for task in present if task.id not in kept]
            due = [task for task in left_out if task.due and task.due.day <= day]
            carried = [task for task in due if not task.is_recurring]
            recurring += [task for task in due if task.is_recurring]
            if days == 1 and not left_out:
                others = [task for task in tasks if _can_be_early(task, day, now)]
                others.sort(key=lambda task: task.due is not None and task.due.day > soon)
                present = [*present, *others]
                kept = _fitting(present, max(limit, len(kept)), day, now, early=others)
            in_order = _in_order([task for task in present if task.id in kept], day, now)
            planned.append(PlanDay(day, tuple(in_order), count, usual))
        else:
            # The day's own tasks stay; only what was carried there is placed.
            carried = [task for task in carried if task.id not in kept]
        if day >= last and not carried:
            break
    blocked = [task for task in tasks if task.is_blocked and task.due and task.due.day <= last]
    return Plan(tuple(planned), tuple(moves), tuple(blocked), len(carried), tuple(recurring))


def fitting(tasks: Iterable[PlanTask], minutes: int) -> tuple[PlanTask, ...]:
    """Return the tasks that can be done in so many minutes each, as far as they have estimates."""
    found = (
        task for task in tasks
        if not task.is_blocked and task.estimate is not None and task.estimate <= minutes
    )  # fmt: skip
    return tuple(found)[:MAX_A_DAY]


def _day_of(task: PlanTask, now: datetime) -> date | None:
    """Return the day to which a task belongs; today for an overdue or started one."""
    today = now.date()
    if task.due is None or task.due.day < today:
        return today if task.is_started or task.due else None
    return today if task.is_started else task.due.day


def _minutes_of(day: date, now: datetime) -> int:
    if day > now.date():
        return DAY_MINUTES
    left = datetime.combine(day, datetime.max.time()) - now
    return min(DAY_MINUTES, round(left.total_seconds() / 60))


def _is_late(task: PlanTask, now: datetime) -> bool:
    return task.due is not None and task.due.local() < now


def _is_fixed(task: PlanTask, day: date, now: datetime) -> bool:
    """Return True if a task is due at a time of that day which is still to come."""
    due = task.due
    return due is not None and due.at is not None and due.day == day and due.local() >= now


def _can_be_early(task: PlanTask, day: date, now: datetime) -> bool:
    """Return True if an urgent task of another day may be done on this one.

    A repeating one belongs to its day: a daily task that was done is not for today again.
    """
    is_tied = task.is_blocked or task.is_recurring or (task.due is not None and task.due.at)
    return task.urgency > 0 and not is_tied and (_day_of(task, now) or date.max) > day


def _fitting(
    tasks: Sequence[PlanTask],
    limit: int,
    day: date,
    now: datetime,
    early: Sequence[PlanTask] = (),
) -> set[int]:
    """Return the ids of the tasks that fit into a day; those at a fixed time go first.

    Those of another day that come `early` need time, with an estimate or without.
    """
    kept, of_other_days = set[int](), {task.id for task in early}
    used, minutes = 0, _minutes_of(day, now)
    for task in sorted(tasks, key=lambda task: not _is_fixed(task, day, now)):
        assumed = _ASSUMED_MINUTES if task.id in of_other_days else 0
        needed = used + (task.estimate or assumed)
        has_room = len(kept) < limit and (needed <= minutes or not used)
        if has_room or _is_fixed(task, day, now):
            kept.add(task.id)
            used = needed
    return kept


def _in_order(tasks: Sequence[PlanTask], day: date, now: datetime) -> Iterator[PlanTask]:
    """Yield the overdue first, then by urgency; those at a fixed time in their places."""
    begins = datetime.combine(day, _DAY_BEGINS)
    timed = [(task.due.local(), task) for task in tasks if task.due and _is_fixed(task, day, now)]
    timed.sort(key=lambda each: (each[0], each[1].id))
    fixed = deque(timed)
    others = [task for task in tasks if not _is_fixed(task, day, now)]
    others.sort(key=lambda task: (not _is_late(task, now), not task.is_started))
    at = max(now, begins)
    for task in others:
        while fixed and fixed[0][0] < at + _length(task):
            moment, first = fixed.popleft()
            at = max(at, moment) + _length(first)
            yield first
        at += _length(task)
        yield task
    yield from (task for _, task in fixed)


def _length(task: PlanTask) -> timedelta:
    return timedelta(minutes=task.estimate or _ASSUMED_MINUTES)


def _moved(task: PlanTask, day: date) -> When:
    return When(day, task.due.at if task.due else None)


# Words


def day_heading(day: PlanDay, now: datetime) -> str:
    """Return `Today · 5 tasks, 2 of them due · 2 h 30`: a day with room has later tasks too."""
    minutes = sum(task.estimate or 0 for task in day.tasks)
    name = format_when(When(day.day), now)
    count = format_count(len(day.tasks), "task") if day.tasks else "free"
    due = sum(task.due is not None and task.due.day <= day.day for task in day.tasks)
    if due < len(day.tasks):
        count = f"{count}, {due} of them due" if due else f"nothing due, {count} to get ahead"
    parts = [name[:1].upper() + name[1:], count]
    return " · ".join([*parts, *([format_estimate(minutes)] if minutes else [])])


def task_facts(task: PlanTask, day: date, now: datetime) -> str:
    """Return what a line of a plan says beside the title: `1 day late · 30 min`."""
    facts = []
    if task.due is not None and task.due.at is not None and task.due.day == day:
        facts.append(f"{task.due.at:%H:%M}")
    elif task.due is not None and task.due.day != day:
        late = _is_late(task, now)
        facts.append(format_due(task.due, now) if late else f"due {format_when(task.due, now)}")
    if task.is_started:
        facts.append("started")
    if task.estimate:
        facts.append(format_estimate(task.estimate))
    if task.moves >= _OFTEN:
        facts.append(f"moved {task.moves} times")
    return " · ".join(facts)


def move_words(move: Move, now: datetime) -> str:
    """Return `1 day late → tomorrow`."""
    due = move.task.due
    before = "no date" if due is None else format_due(due, now)
    return f"{before} → {format_when(move.to, now)}"


def plan_remarks(plan: Plan) -> list[str]:
    """Return sentences on what slips, what is blocked, and what has no estimate."""
    remarks = [
        f"{day.planned} planned; on {weekday_name(day.day.weekday())}s you finish {day.usual}."
        for day in plan.days
        if day.usual is not None and day.planned > day.usual
    ]
    if plan.blocked:
        remarks.append(f"Due, but blocked: {_names(plan.blocked)}.")
    if plan.recurring:
        names = _names(plan.recurring)
        remarks.append(f"No room for repeating: {names}. Skip the occurrence or choose a day.")
    if plan.left:
        remarks.append(f"{plan.left:,} more fit on no day of the next two weeks.")
    tasks = [task for day in plan.days for task in day.tasks]
    if any(task.estimate for task in tasks) and (without := [t for t in tasks if not t.estimate]):
        remarks.append(f"{format_count(len(without), 'task')} without an estimate.")
    return remarks


def _names(tasks: Sequence[PlanTask]) -> str:
    """Return the first of the tasks by number and title, and how many more there are."""
    named = listed_count(len(tasks), _NAMED)
    names = join_words([f"#{task.id} {task.title}" for task in tasks[:named]], "and")
    return f"{names} and {len(tasks) - named} more" if len(tasks) > named else names


# Review


class ReviewRow(NamedTuple):
    """Tasks that a review asks about, as a filter, and the words for their number."""

    filter: str
    words: str


REVIEW_ROWS = (
    ReviewRow("overdue sort:due", "overdue"),
    ReviewRow("no due not blocked sort:created", "without a date"),
    ReviewRow(
        'has:due not overdue not blocked updated.before:"30 days ago" sort:updated',
        "unchanged for 30 days",
    ),
    ReviewRow("blocked not overdue sort:created", "blocked"),
)
"""What a review walks through, in order; no task is in two of them."""
DONE_OF_LATE = 'done done:"last 7 days"'


def review_heading(counts: Sequence[int], done: int) -> str:
    """Return the numbers of a review; `counts` are those of the rows."""
    parts = [
        f"{count:,} {row.words}" for row, count in zip(REVIEW_ROWS, counts, strict=True) if count
    ]
    left = join_words(parts, "and") if parts else "nothing to decide"
    return f"{format_count(done, 'task')} done in the last 7 days; {left}."
