"""Due, announced and snoozed reminders of a user."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from sqlite3 import Connection
from zoneinfo import ZoneInfo

from todo_tui.domain.reminders import (
    Reminder,
    ReminderKind,
    ReminderSettings,
    reminder_instant,
    reminder_moments,
)
from todo_tui.domain.task import Task
from todo_tui.domain.when import When
from todo_tui.store.database import OPEN_SCOPE, Repository
from todo_tui.store.tasks.reader import read_tasks

MOST = 200
"""Most reminders returned at once."""
_KEY = "reminders"
_ANNOUNCED_KEPT = 2_000
_DATED = "(due IS NULL) = 0"
"""Condition on a due date, spelled as in the index over open tasks."""
_A_DAY = timedelta(hours=25)
"""Upper bound of the length of a day, including those on which clocks are set back."""
_LONGEST = timedelta(days=2)
"""Upper bound of the difference between zones of the same wall time."""


@dataclass(slots=True)
class _State:
    """Reminder state of a user: all up to `mark` were announced, except snoozed ones."""

    mark: datetime
    announced: dict[tuple[str, str], None] = field(default_factory=dict)
    snoozed: dict[str, datetime] = field(default_factory=dict)


class ReminderStore(Repository):
    """Reminders found through the index of open tasks; methods take milliseconds, on any thread.

    They raise StoreError if the file cannot be read or written.
    """

    def take(self, rules: ReminderSettings) -> tuple[Reminder, ...]:
        """Return reminders that have come due and mark them as announced, oldest first.

        The very first call returns none: what was due before it was never missed.
        """
        now = self._db.clock.utc()
        # Outside of the write lock: after a long absence this reads many tasks.
        with self._db.file.reading() as database:
            known = self._state(database)
            passed = [] if known is None else self._unannounced(database, known, now, rules)
        with self._db.file.writing() as database:
            state = self._state(database)
            if state is None:
                self._keep(database, _State(now))
                return ()
            if known is None or known.mark != state.mark:
                # Another process may have announced some meanwhile.
                passed = self._unannounced(database, state, now, rules)
            found = passed + self._snoozed(database, state, now)
            for each in found:
                state.announced[each.task.uuid, each.at.isoformat()] = None
            state.mark = now
            self._keep(database, state)
        by_task = {each.task.id: each for each in sorted(found, key=lambda each: each.at)}
        return tuple(by_task.values())[-MOST:]

    def next_at(self, rules: ReminderSettings) -> datetime | None:
        """Return the instant of the next reminder, or of an unannounced one; None without any."""
        now = self._db.clock.utc()
        with self._db.file.reading() as database:
            state = self._state(database)
            snoozed = () if state is None else tuple(state.snoozed.values())
            since = now if state is None else min(now, state.mark)
            return min((*snoozed, *self._following(database, since, rules)), default=None)

    def snooze(self, uuids: Iterable[str], until: datetime) -> None:
        """Announce these tasks again at `until`."""
        with self._db.file.writing() as database:
            state = self._state(database) or _State(self._db.clock.utc())
            state.snoozed.update(dict.fromkeys(uuids, until))
            self._keep(database, state)

    # Tasks by moment

    def _unannounced(
        self, database: Connection, state: _State, now: datetime, rules: ReminderSettings
    ) -> list[Reminder]:
        """Return the reminders after the mark, up to and including now."""
        if now <= state.mark:
            return []
        # A date is due with its last minute, and announced within it.
        latest_due = now + max(rules.before, _A_DAY)
        due_at = int(state.mark.timestamp()), int(latest_due.timestamp()) + 1
        starts = (
            (state.mark - _LONGEST).date().isoformat(),
            (now + _LONGEST).date().isoformat() + "T99",
        )
        tasks = self._find(
            database,
            (f"{_DATED} AND due_at BETWEEN ? AND ? ORDER BY due_at DESC LIMIT {10 * MOST}", due_at),
            (f"start BETWEEN ? AND ? ORDER BY start DESC LIMIT {10 * MOST}", starts),
        )
        return [
            Reminder(task, occasion, at)
            for task in tasks
            for occasion, at in reminder_moments(task, self._db.clock.zone, rules)
            if state.mark < at <= now
            and (task.uuid, at.isoformat()) not in state.announced
            # A user who sets a moment in the past knows that it has passed.
            and task.updated_at <= at
        ]

    def _following(
        self, database: Connection, now: datetime, rules: ReminderSettings
    ) -> Iterator[datetime]:
        """Yield future instants, the earliest of each kind among them."""
        zone = self._db.clock.zone
        today = now.astimezone(ZoneInfo(zone)).date()
        soon = int((now + rules.before).timestamp())
        end = int(When(today).instant(zone).timestamp())
        order = "ORDER BY due_at LIMIT 1"
        tasks = self._find(
            database,
            # A comparison with `due` itself would keep SQLite from using the index by time.
            (f"{_DATED} AND due_at > ? AND length(due) > 10 {order}", (soon,)),
            (f"{_DATED} AND due_at >= ? AND length(due) = 10 {order}", (end,)),
            (f"{_DATED} AND due_at > ? AND length(due) = 10 {order}", (end,)),
        )
        for task in tasks:
            yield from (at for _, at in reminder_moments(task, zone, rules) if at > now)
        yield from self._next_start(database, now, rules)

    def _next_start(
        self, database: Connection, now: datetime, rules: ReminderSettings
    ) -> Iterator[datetime]:
        """Yield instants of future starts, in wall time of all zones, until none can be earlier."""
        rows = database.execute(
            f"SELECT start, start_zone FROM tasks WHERE user = ? AND {OPEN_SCOPE}"  # noqa: S608  # a constant
            " AND start >= ? ORDER BY start",
            (self._db.user, (now - _LONGEST).date().isoformat()),
        )
        for start, zone in rows:
            at = reminder_instant(When.parse(start), zone, self._db.clock.zone, rules)
            if at is None or at <= now:
                continue
            yield at
            if When.parse(start).day > now.date() + _LONGEST:
                return

    def _snoozed(self, database: Connection, state: _State, now: datetime) -> list[Reminder]:
        """Remove from the state and return snoozed reminders that are due and still open."""
        due = {uuid: at for uuid, at in state.snoozed.items() if at <= now}
        for uuid in due:
            del state.snoozed[uuid]
        found = database.execute(
            # Without the plus SQLite would read all open tasks of the user.
            f"SELECT id FROM tasks WHERE +user = ? AND {OPEN_SCOPE}"  # noqa: S608  # a constant
            " AND uuid IN (SELECT value FROM json_each(?))",
            (self._db.user, json.dumps(list(due))),
        )
        tasks = read_tasks(database, self._db.user, [row[0] for row in found])
        return [Reminder(task, ReminderKind.SNOOZED, due[task.uuid]) for task in tasks]

    def _find(
        self, database: Connection, *conditions: tuple[str, tuple[str | int, ...]]
    ) -> tuple[Task, ...]:
        ids: dict[int, None] = {}
        for condition, values in conditions:
            found = database.execute(
                f"SELECT id FROM tasks WHERE user = ? AND {OPEN_SCOPE} AND {condition}",  # noqa: S608  # parts of our own
                (self._db.user, *values),
            )
            ids.update((row[0], None) for row in found)
        return read_tasks(database, self._db.user, tuple(ids))

    # Announced reminders

    def _state(self, database: Connection) -> _State | None:
        row = database.execute(
            "SELECT value FROM memory WHERE user = ? AND key = ?", (self._db.user, _KEY)
        ).fetchone()
        if row is None:
            return None
        try:
            kept = json.loads(row[0])
            return _State(
                datetime.fromisoformat(kept["mark"]),
                {(uuid, at): None for uuid, at in kept["announced"]},
                {uuid: datetime.fromisoformat(at) for uuid, at in kept["snoozed"].items()},
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            # Not written by todo-tui: start with an empty state.
            return None

    def _keep(self, database: Connection, state: _State) -> None:
        kept = {
            "mark": state.mark.astimezone(UTC).isoformat(),
            "announced": list(state.announced)[-_ANNOUNCED_KEPT:],
            "snoozed": {uuid: at.isoformat() for uuid, at in state.snoozed.items()},
        }
        database.execute(
            "INSERT OR REPLACE INTO memory (user, key, value) VALUES (?, ?, ?)",
            (self._db.user, _KEY, json.dumps(kept)),
        )
