"""What was done and what came in, counted in SQL over the indexes made for it."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from sqlite3 import Connection, Cursor

from todo_tui.domain.clock import Clock
from todo_tui.domain.filter_terms import Filter
from todo_tui.domain.statistics import (
    Period,
    ProjectCounts,
    Punctuality,
    Spread,
    Statistics,
    spread_of,
)
from todo_tui.store.database import DatabaseFile
from todo_tui.store.local_days import BEFORE_ALL, LocalDays
from todo_tui.store.search import (
    EXISTS,
    NOT_TRASHED,
    OPEN,
    Condition,
    condition_of,
)
from todo_tui.store.search_days import due_local, local_text

_FINISHED = f"t.completed_at IS NOT NULL AND NOT {OPEN}"
_DONE = "t.status = 'done'"
# An all-day task has until the last second of its day, in the zone in which it was
# written: that is what the sort instant says.
_ON_TIME = "t.due_at >= CAST(strftime('%s', t.completed_at) AS INTEGER)"
_SECONDS_TO_DONE = "round((julianday(t.completed_at) - julianday(t.created_at)) * 86400)"


class StatisticsStore:
    """Statistics of one user; days are those of the clock's zone."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def read(self, days: int | None = None, wanted: Filter | None = None) -> Statistics:
        """The statistics of so many days up to today; None: of all there ever were.

        Only tasks that the filter holds for count, and never those of the trash.

        Raises:
            StoreError: the file cannot be read.
        """
        now = self._clock.now()
        with self._file.reading() as database:
            among = self._among(database, wanted, now)
            local = LocalDays(self._clock.zone, now.date())
            return _Reading(database, among, local, now).statistics(days)

    def _among(self, database: Connection, wanted: Filter | None, now: datetime) -> Condition:
        """The tasks that count; those of a filter are looked for once, not by each query."""
        live = f"t.user = ? AND {EXISTS} AND {NOT_TRASHED}"
        if wanted is None:
            return Condition(live, (self._user,))
        fitting = condition_of(wanted, now, self._clock.zone, self._user)
        (rows,) = database.execute(
            f"SELECT json_group_array(t.row) FROM tasks t WHERE {live} AND {fitting.sql}",  # noqa: S608
            (self._user, *fitting.values),
        ).fetchone()
        # The sign keeps SQLite to the indexes below, instead of looking up row by row.
        listed = "+t.row IN (SELECT value FROM json_each(?))"
        return Condition(f"{live} AND {listed}", (self._user, rows))


class _Reading:
    """The queries of one snapshot."""

    def __init__(
        self, database: Connection, among: Condition, local: LocalDays, now: datetime
    ) -> None:
        self._database = database
        self._among = among
        self._local = local
        self._now = now
        self._today = now.date()

    def statistics(self, days: int | None) -> Statistics:
        """All numbers."""
        asked = None if days is None else Period.up_to(self._today, days)
        since = BEFORE_ALL if asked is None else self._local.begins(asked.first)
        done, cancelled = self._finished_by_day()
        came_in = self._came_in_by_day(since)
        open_now, overdue = self._open()
        first = min((*done, *cancelled, *came_in), default=self._today)
        return Statistics(
            today=self._today,
            period=asked or Period(first, self._today),
            done_by_day=done,
            cancelled_by_day=cancelled,
            came_in_by_day=came_in,
            done_by_hour=self._done_by_hour(since),
            time_to_done=self._time_to_done(since),
            projects=self._projects(since, open_now),
            open=open_now,
            overdue=overdue,
        )

    def _finished_by_day(self) -> tuple[dict[date, int], dict[date, int]]:
        """Of every day up to today: how much was done, and how much cancelled."""
        day = self._local.day("t.completed_at")
        columns = Condition(f"{day.sql}, sum({_DONE}), sum(NOT {_DONE})", day.values)
        done: dict[date, int] = {}
        cancelled: dict[date, int] = {}
        for text, done_then, cancelled_then in self._finished(columns, BEFORE_ALL, "GROUP BY 1"):
            if done_then:
                done[date.fromisoformat(text)] = done_then
            if cancelled_then:
                cancelled[date.fromisoformat(text)] = cancelled_then
        return done, cancelled

    def _done_by_hour(self, since: str) -> dict[tuple[int, int], int]:
        hour = self._local.weekday_and_hour("t.completed_at")
        columns = Condition(f"{hour.sql}, count(*)", hour.values)
        rows = self._finished(columns, since, f"AND {_DONE} GROUP BY 1")
        # SQLite's week begins on Sunday.
        return {((int(text[0]) + 6) % 7, int(text[2:])): count for text, count in rows}

    def _came_in_by_day(self, since: str) -> dict[date, int]:
        """By creation; what another program had finished came in when it was finished."""
        day = self._local.day("at")
        among, values = self._among.sql, self._among.values
        rows = self._database.execute(
            f"SELECT {day.sql}, count(*) FROM ("  # noqa: S608 - our columns
            "SELECT min(t.created_at, t.completed_at) AS at FROM tasks t"
            f" WHERE {among} AND {_FINISHED} AND t.completed_at >= ?"
            f" UNION ALL SELECT t.created_at FROM tasks t WHERE {among} AND {OPEN}"
            ") WHERE at >= ? AND at < ? GROUP BY 1",
            (*day.values, *values, since, *values, since, self._local.ends(self._today)),
        )
        return {date.fromisoformat(text): count for text, count in rows}

    def _time_to_done(self, since: str) -> Spread | None:
        """What was done before it was written down does not say how long it took."""
        rows = self._finished(
            Condition(_SECONDS_TO_DONE), since, f"AND {_DONE} AND t.created_at <= t.completed_at"
        )
        return spread_of([seconds for (seconds,) in rows])

    def _projects(self, since: str, open_now: int) -> tuple[ProjectCounts, ...]:
        """Those with anything done or open."""
        done: dict[str | None, tuple[int, Punctuality]] = defaultdict(lambda: (0, Punctuality()))
        columns = Condition(f"t.project_folded, count(*), count(t.due_at), sum({_ON_TIME})")
        rows = self._finished(columns, since, f"AND {_DONE} GROUP BY 1")
        for name, count, with_due, on_time in rows:
            done[name] = (count, Punctuality(with_due, on_time or 0))
        names, still_open = self._open_by_project()
        still_open[None] = open_now - sum(still_open.values())
        found = [
            ProjectCounts(names.get(name), done[name][0], still_open[name], done[name][1])
            for name in (None, *names)
        ]
        found.sort(key=lambda each: (-each.done, -each.open, each.project or ""))
        return tuple(each for each in found if each.done or each.open)

    def _open_by_project(self) -> tuple[dict[str | None, str], dict[str | None, int]]:
        """By folded name: one of its spellings, and how many are open."""
        rows = self._database.execute(
            f"SELECT t.project_folded, max(t.project), sum({OPEN}) FROM tasks t"  # noqa: S608
            f" WHERE {self._among.sql} AND t.project IS NOT NULL GROUP BY 1",
            self._among.values,
        ).fetchall()
        names: dict[str | None, str] = {folded: name for folded, name, _ in rows}
        return names, {folded: count for folded, _, count in rows}

    def _open(self) -> tuple[int, int]:
        """How many tasks are open now, and how many of them overdue."""
        row: tuple[int, int] = self._database.execute(
            f"SELECT count(*), count(CASE WHEN {due_local} < ? THEN 1 END) FROM tasks t"  # noqa: S608
            f" WHERE {self._among.sql} AND {OPEN}",
            (local_text(self._now), *self._among.values),
        ).fetchone()
        return row

    def _finished(self, columns: Condition, since: str, more: str) -> Cursor:
        """Of what was done or cancelled from then on, up to the end of today."""
        return self._database.execute(
            f"SELECT {columns.sql} FROM tasks t WHERE {self._among.sql} AND {_FINISHED}"  # noqa: S608
            f" AND t.completed_at >= ? AND t.completed_at < ? {more}",
            (*columns.values, *self._among.values, since, self._local.ends(self._today)),
        )
