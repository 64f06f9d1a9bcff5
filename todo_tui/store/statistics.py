"""Statistics, counts per day, and the project tree, counted in SQL."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from sqlite3 import Connection, Cursor
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.filters.terms import DayField, Filter
from todo_tui.domain.planning import Habits
from todo_tui.domain.statistics import (
    DurationQuartiles,
    Period,
    ProjectCounts,
    Punctuality,
    Statistics,
    duration_quartiles,
)
from todo_tui.domain.text import fold_case
from todo_tui.store.database import STARTS_OF_OPS, Repository
from todo_tui.store.rows import day_begins, day_ends
from todo_tui.store.tasks.conditions import (
    DUE_DAY,
    EXISTS,
    NOT_TRASHED,
    OPEN,
    OWN_OR_INHERITED,
    STARTED,
    SqlCondition,
    compare_due,
    local_text,
)
from todo_tui.store.tasks.filter_sql import compile_filter, days_within

_LIVE = f"t.user = ? AND {EXISTS} AND {NOT_TRASHED}"
_FINISHED = f"t.completed_at IS NOT NULL AND NOT {OPEN}"
_DONE = "t.status = 'done'"
# The sort instant of an all-day task is the last second of its day, in its own zone.
_ON_TIME = "t.due_at >= CAST(strftime('%s', t.completed_at) AS INTEGER)"
_DAY_DONE = "substr(local_time(t.completed_at), 1, 10)"
_PROJECT = OWN_OR_INHERITED.format("project")
_HABIT_WEEKS, _MIN_WEEKS = 8, 2
"""Weeks from which the tasks finished on a weekday are counted, and the least number of them."""
_HABITS = f"""
SELECT t.id, NULL, count(*) FROM tasks t JOIN ops o ON o.task_uuid = t.uuid AND {STARTS_OF_OPS}
    WHERE {_LIVE} AND {OPEN} AND t.recurrence IS NULL
    AND o.kind = 'set' AND o.field = 'due' AND o.new > o.old AND o.undoes IS NULL
    AND NOT EXISTS (SELECT 1 FROM ops u WHERE u.task_uuid = o.task_uuid AND u.undoes = o.op_id)
    GROUP BY t.id
UNION ALL SELECT NULL, {_DAY_DONE}, count(*) FROM tasks t
    WHERE {_LIVE} AND {_FINISHED} AND {_DONE} AND t.completed_at >= ? AND t.completed_at < ?
    GROUP BY 2
"""  # noqa: S608 - constants
_IN_PROJECTS = f"""
SELECT {_PROJECT} AS path, t.status, {STARTED}, count(*) FROM tasks t
    WHERE {_LIVE} AND (t.project IS NOT NULL OR t.parent IS NOT NULL)
    GROUP BY 1, 2, 3 HAVING path IS NOT NULL
"""  # noqa: S608 - constants
_EVER = ""
"""Sorts before every instant."""
_SECONDS_TO_DONE = "round((julianday(t.completed_at) - julianday(t.created_at)) * 86400)"


@dataclass(frozen=True, slots=True)
class CalendarDayCounts:
    """Numbers of open tasks due on a day, and of tasks completed on it."""

    day: date
    due: int
    done: int


@dataclass(frozen=True, slots=True)
class ProjectNode:
    """A project in the project tree; its counts include its subprojects.

    Cancelled tasks are not counted; `depth` is 0 at the top. `later` counts those that are hidden
    until a later start, which are not in `open`.
    """

    path: str
    depth: int
    open: int
    done: int
    later: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


class StatisticsStore(Repository):
    """Statistics of one user; days are those of the clock's zone."""

    def read(self, days: int | None = None, wanted: Filter | None = None) -> Statistics:
        """Return the statistics of the last `days` up to today; None stands for all time.

        Counts the tasks that match the filter, never those in the trash.
        """
        now, zone = self._db.clock.now(), self._db.clock.zone
        among = SqlCondition(_LIVE, (self._db.user,))
        with self._db.file.reading() as database:
            if wanted is not None:
                fitting = compile_filter(wanted, now, zone, self._db.user)
                # Evaluates the filter only once.
                (rows,) = database.execute(
                    "SELECT json_group_array(t.row) FROM tasks t"  # noqa: S608
                    f" WHERE {_LIVE} AND {fitting.sql}",
                    (self._db.user, *fitting.values),
                ).fetchone()
                # The plus sign makes SQLite use the indexes below instead of a lookup per row.
                listed = "+t.row IN (SELECT value FROM json_each(?))"
                among = SqlCondition(f"{_LIVE} AND {listed}", (self._db.user, rows))
            return _StatisticsReader(database, among, ZoneInfo(zone), now).statistics(days)

    def habits(self) -> Habits:
        """Return how often open tasks were moved later, and the pace of the last weeks.

        Recurring tasks move by themselves and are left out.
        """
        today, zone = self._db.clock.now().date(), ZoneInfo(self._db.clock.zone)
        with self._db.file.reading() as database:
            since = day_begins(today - timedelta(days=_HABIT_WEEKS * 7), zone)
            rows = database.execute(
                _HABITS, (self._db.user, self._db.user, since, day_begins(today, zone))
            ).fetchall()
        moves = {task: count for task, day, count in rows if day is None}
        done = {date.fromisoformat(day): count for _, day, count in rows if day is not None}
        weeks = min(_HABIT_WEEKS, ((today - min(done, default=today)).days + 6) // 7)
        if weeks < _MIN_WEEKS:
            return Habits(moves)
        sums = Counter[int]()
        for day, count in done.items():
            sums[day.weekday()] += count
        return Habits(moves, {day: round(sums[day] / weeks) for day in sums})

    def calendar(self, first: date, last: date) -> tuple[CalendarDayCounts, ...]:
        """Return the days from `first` to `last` with any count, in order."""
        zone = ZoneInfo(self._db.clock.zone)
        within = days_within(DayField.DUE, first, last, zone)
        with self._db.file.reading() as database:
            due = dict(
                database.execute(
                    f"SELECT {DUE_DAY} AS day, count(*) FROM tasks t"  # noqa: S608
                    f" WHERE {_LIVE} AND {OPEN} AND {within.sql} GROUP BY day",
                    (self._db.user, *within.values),
                ).fetchall()
            )
            done = dict(
                database.execute(
                    f"SELECT {_DAY_DONE} AS day, count(*) FROM tasks t WHERE {_LIVE}"  # noqa: S608
                    " AND t.completed_at >= ? AND t.completed_at < ?"
                    " AND t.completed_at IS NOT NULL AND t.status = 'done' GROUP BY day",
                    (self._db.user, day_begins(first, zone), day_ends(last, zone)),
                ).fetchall()
            )
        return tuple(
            CalendarDayCounts(date.fromisoformat(day), due.get(day, 0), done.get(day, 0))
            for day in sorted(due.keys() | done.keys())
        )

    def projects(self) -> tuple[ProjectNode, ...]:
        """Return the project tree in depth-first order, siblings by name.

        A subtask without a project counts in that of the task above it, unless it is left open
        below a closed one.
        """
        rows = self._db.rows(
            _IN_PROJECTS,
            local_text(self._db.clock.now()),
            self._db.user,
        )
        paths: dict[tuple[str, ...], str] = {}
        still_open, done, later = (Counter[tuple[str, ...]]() for _ in range(3))
        for path, status, has_started, count in rows:
            parts = path.split(".")
            for depth in range(1, len(parts) + 1):
                key = tuple(fold_case(part) for part in parts[:depth])
                paths.setdefault(key, ".".join(parts[:depth]))
                if status != "cancelled":
                    still = still_open if has_started else later
                    (done if status == "done" else still)[key] += count
        return tuple(
            ProjectNode(paths[key], len(key) - 1, still_open[key], done[key], later[key])
            for key in sorted(paths)
        )


class _StatisticsReader(NamedTuple):
    """The statistics queries of one snapshot."""

    database: Connection
    among: SqlCondition
    zone: ZoneInfo
    now: datetime

    def statistics(self, days: int | None) -> Statistics:
        """Compute all statistics."""
        today = self.now.date()
        period = None if days is None else Period.up_to(today, days)
        since = _EVER if period is None else day_begins(period.first, self.zone)
        done, cancelled = self._finished_by_day()
        added_by_day = self._added_by_day(since)
        open_now, overdue = self._open()
        first = min((*done, *cancelled, *added_by_day), default=today)
        return Statistics(
            today=today,
            period=period or Period(first, today),
            done_by_day=done,
            cancelled_by_day=cancelled,
            added_by_day=added_by_day,
            done_by_hour=self._done_by_hour(since),
            time_to_done=self._time_to_done(since),
            projects=self._projects(since, open_now),
            open=open_now,
            overdue=overdue,
        )

    def _finished_by_day(self) -> tuple[dict[date, int], dict[date, int]]:
        columns = f"{_DAY_DONE}, sum({_DONE}), sum(NOT {_DONE})"
        done: dict[date, int] = {}
        cancelled: dict[date, int] = {}
        for text, done_then, cancelled_then in self._finished(columns, _EVER, "GROUP BY 1"):
            if done_then:
                done[date.fromisoformat(text)] = done_then
            if cancelled_then:
                cancelled[date.fromisoformat(text)] = cancelled_then
        return done, cancelled

    def _done_by_hour(self, since: str) -> dict[tuple[int, int], int]:
        columns = "strftime('%w %H', local_time(t.completed_at)), count(*)"
        rows = self._finished(columns, since, f"AND {_DONE} GROUP BY 1")
        # SQLite's week starts on Sunday.
        return {((int(text[0]) + 6) % 7, int(text[2:])): count for text, count in rows}

    def _added_by_day(self, since: str) -> dict[date, int]:
        """Count by creation; tasks completed before in another program, by completion."""
        among, values = self.among
        rows = self.database.execute(
            "SELECT substr(local_time(at), 1, 10), count(*) FROM ("  # noqa: S608 - our columns
            "SELECT min(t.created_at, t.completed_at) AS at FROM tasks t"
            f" WHERE {among} AND {_FINISHED} AND t.completed_at >= ?"
            f" UNION ALL SELECT t.created_at FROM tasks t WHERE {among} AND {OPEN}"
            ") WHERE at >= ? AND at < ? GROUP BY 1",
            (*values, since, *values, since, self._end()),
        )
        return {date.fromisoformat(text): count for text, count in rows}

    def _time_to_done(self, since: str) -> DurationQuartiles | None:
        """Return the quartiles of tasks completed after their creation; others tell no duration."""
        timed = f"AND {_DONE} AND t.created_at <= t.completed_at"
        rows = self._finished(_SECONDS_TO_DONE, since, timed)
        return duration_quartiles([seconds for (seconds,) in rows])

    def _projects(self, since: str, open_now: int) -> tuple[ProjectCounts, ...]:
        done: dict[str | None, Punctuality] = defaultdict(Punctuality)
        still_open = Counter[str | None]()
        counts = Counter[str | None]()
        names: dict[str | None, str | None] = {}
        columns = f"{_PROJECT}, count(*), count(t.due_at), sum({_ON_TIME})"
        rows = self._finished(columns, since, f"AND {_DONE} GROUP BY 1")
        for name, count, with_due, on_time in rows:
            key = None if name is None else fold_case(name)
            names[key] = name
            counts[key] += count
            before = done[key]
            done[key] = Punctuality(before.with_due + with_due, before.on_time + (on_time or 0))
        rows = self.database.execute(
            f"SELECT {_PROJECT}, sum({OPEN} AND {STARTED}) FROM tasks t"  # noqa: S608 - constants
            f" WHERE {self.among.sql} AND (t.project IS NOT NULL OR t.parent IS NOT NULL)"
            " GROUP BY 1",
            (local_text(self.now), *self.among.values),
        )
        for name, count in rows:
            if name is not None:
                names[fold_case(name)] = name
                still_open[fold_case(name)] += count
        still_open[None] = open_now - sum(still_open.values())
        found = [
            ProjectCounts(names.get(key), counts[key], still_open[key], done[key])
            for key in {None: None, **names}
        ]
        found.sort(key=lambda each: (-each.done, -each.open, each.project or ""))
        return tuple(each for each in found if each.done or each.open)

    def _open(self) -> tuple[int, int]:
        late = compare_due("<", self.now, self.zone.key)
        row: tuple[int, int] = self.database.execute(
            f"SELECT count(*), count(CASE WHEN {late.sql} THEN 1 END) FROM tasks t"  # noqa: S608
            f" WHERE {self.among.sql} AND {OPEN} AND {STARTED}",
            (*late.values, *self.among.values, local_text(self.now)),
        ).fetchone()
        return row

    def _finished(self, columns: str, since: str, more: str) -> Cursor:
        """Select from tasks completed or cancelled between `since` and the end of today."""
        return self.database.execute(
            f"SELECT {columns} FROM tasks t WHERE {self.among.sql} AND {_FINISHED}"  # noqa: S608
            f" AND t.completed_at >= ? AND t.completed_at < ? {more}",
            (*self.among.values, since, self._end()),
        )

    def _end(self) -> str:
        return day_ends(self.now.date(), self.zone)
