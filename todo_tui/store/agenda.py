"""Numbers beside the lists of `todo_tui.domain.filter_agenda`: by day and by project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from sqlite3 import Connection
from zoneinfo import ZoneInfo

from todo_tui.domain.clock import Clock
from todo_tui.domain.text import folded
from todo_tui.store.database import DatabaseFile
from todo_tui.store.local_days import AFTER_ALL, LocalDays
from todo_tui.store.search import EXISTS, NOT_TRASHED, OPEN
from todo_tui.store.search_days import due_range

_LIVE = f"t.user = ? AND {EXISTS} AND {NOT_TRASHED}"


@dataclass(frozen=True, slots=True)
class DayCounts:
    """How much falls on a day: open tasks that are due, and tasks that were done."""

    day: date
    due: int
    done: int


@dataclass(frozen=True, slots=True)
class ProjectNode:
    """A project among all of them, those below it counted in.

    Cancelled tasks count neither as open nor as done; `depth` is 0 at the top.
    """

    path: str
    depth: int
    open: int
    done: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def share(self) -> float | None:
        """How much of it is done, from 0 to 1; None where there is nothing to do."""
        total = self.open + self.done
        return self.done / total if total else None


class Agenda:
    """Counts of one user's tasks; days are those of the clock's zone."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def days(self, first: date, last: date) -> tuple[DayCounts, ...]:
        """The days from `first` to `last` on which something falls, in order."""
        with self._file.reading() as database:
            due = self._due(database, first, last)
            done = self._done(database, first, last)
        return tuple(
            DayCounts(date.fromisoformat(day), due.get(day, 0), done.get(day, 0))
            for day in sorted(due.keys() | done.keys())
        )

    def done_days(self, limit: int, *, before: date | None = None) -> tuple[DayCounts, ...]:
        """The days on which something was done, the newest first, at most `limit`.

        Only those before a day, if one is given: for the next page.
        """
        found: list[DayCounts] = []
        with self._file.reading() as database:
            while len(found) < limit:
                newest = self._last_day_done(database, before)
                if newest is None:
                    break
                # As long a stretch as is wanted, and longer from one to the next.
                first = _days_before(newest, limit + 2 * len(found))
                counts = self._done(database, first, newest)
                found += [
                    DayCounts(date.fromisoformat(day), 0, counts[day])
                    for day in sorted(counts, reverse=True)
                ]
                before = first
        return tuple(found[:limit])

    def projects(self) -> tuple[ProjectNode, ...]:
        """All projects as a tree laid flat: each is followed by those below it, by name."""
        with self._file.reading() as database:
            rows = database.execute(
                "SELECT t.project, t.project_folded, t.status, count(*) FROM tasks t"  # noqa: S608
                f" WHERE {_LIVE} AND t.project IS NOT NULL GROUP BY t.project_folded, t.status",
                (self._user,),
            ).fetchall()
        return _tree(rows)

    def _last_day_done(self, database: Connection, before: date | None) -> date | None:
        local = LocalDays(self._clock.zone, self._clock.now().date())
        ends = AFTER_ALL if before is None else local.begins(before)
        (newest,) = database.execute(
            f"SELECT max(t.completed_at) FROM tasks t WHERE {_LIVE} AND t.status = 'done'"  # noqa: S608
            " AND t.completed_at IS NOT NULL AND t.completed_at < ?",
            (self._user, ends),
        ).fetchone()
        if newest is None:
            return None
        return datetime.fromisoformat(newest).astimezone(ZoneInfo(self._clock.zone)).date()

    def _due(self, database: Connection, first: date, last: date) -> dict[str, int]:
        within, values = due_range(first, last)
        rows = database.execute(
            "SELECT substr(t.due, 1, 10) AS day, count(*) FROM tasks t"  # noqa: S608
            f" WHERE {_LIVE} AND {OPEN} AND {within} GROUP BY day",
            (self._user, *values),
        )
        return dict(rows.fetchall())

    def _done(self, database: Connection, first: date, last: date) -> dict[str, int]:
        local = LocalDays(self._clock.zone, self._clock.now().date())
        day = local.day("t.completed_at")
        rows = database.execute(
            f"SELECT {day.sql} AS day, count(*) FROM tasks t WHERE {_LIVE}"  # noqa: S608
            " AND t.completed_at >= ? AND t.completed_at < ?"
            " AND t.completed_at IS NOT NULL AND t.status = 'done' GROUP BY day",
            (*day.values, self._user, local.begins(first), local.ends(last)),
        )
        return dict(rows.fetchall())


def _days_before(day: date, count: int) -> date:
    return date.fromordinal(max(day.toordinal() - count, 1))


@dataclass(slots=True)
class _Tally:
    """What is counted of a project while its rows come in."""

    path: str
    open: int = 0
    done: int = 0


def _tree(rows: Iterable[tuple[str, str, str, int]]) -> tuple[ProjectNode, ...]:
    tallies: dict[tuple[str, ...], _Tally] = {}
    for path, _, status, count in rows:
        parts = path.split(".")
        for depth in range(1, len(parts) + 1):
            above = ".".join(parts[:depth])
            key = tuple(folded(part) for part in parts[:depth])
            tally = tallies.setdefault(key, _Tally(above))
            tally.open += count * (status in ("todo", "doing"))
            tally.done += count * (status == "done")
    return tuple(
        ProjectNode(tally.path, len(key) - 1, tally.open, tally.done)
        for key, tally in sorted(tallies.items())
    )
