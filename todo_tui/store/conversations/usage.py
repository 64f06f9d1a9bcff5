"""Sums over model calls: tokens and cost of a day, a model, a conversation."""

from datetime import date, datetime
from sqlite3 import Connection
from zoneinfo import ZoneInfo

from todo_tui.domain.messages import Usage, UsageSum
from todo_tui.store.conversations.queries import TOKENS, USAGE_SUMS, find_conversation
from todo_tui.store.conversations.records import DayUsage, ModelCall, ModelUsage
from todo_tui.store.database import Repository
from todo_tui.store.rows import day_begins, day_ends


class UsageStore(Repository):
    """Sums over the model calls of one user, including deleted conversations.

    Days are those of the clock's zone, wherever the user was at the time of a call. Raises
    NotFound for an unknown conversation, or one of another user.
    """

    def today(self) -> DayUsage:
        """Return the usage since midnight."""
        with self._db.file.reading() as database:
            return self._day(database, self._db.clock.now().date())

    def days(self, limit: int = 30) -> tuple[DayUsage, ...]:
        """Return the usage of days with model calls, newest first."""
        found: list[DayUsage] = []
        with self._db.file.reading() as database:
            before = "~"  # sorts behind every instant
            zone = ZoneInfo(self._db.clock.zone)
            while len(found) < limit:
                (newest,) = database.execute(
                    "SELECT max(at) FROM model_calls WHERE user = ? AND at < ?",
                    (self._db.user, before),
                ).fetchone()
                if newest is None:
                    break
                day = datetime.fromisoformat(newest).astimezone(zone).date()
                found.append(self._day(database, day))
                before = day_begins(day, zone)
        return tuple(found)

    def models(self, day: date) -> tuple[ModelUsage, ...]:
        """Return the usage of a day by model, most calls first."""
        rows = self._db.rows(
            f"SELECT {USAGE_SUMS}, provider, model FROM model_calls"  # noqa: S608 - our columns
            " WHERE user = ? AND at >= ? AND at < ?"
            " GROUP BY provider, model ORDER BY count(*) DESC, provider, model",
            *self._within(day),
        )
        return tuple(
            ModelUsage(Usage(*tokens), cost, unpriced, calls, provider, model)
            for *tokens, cost, unpriced, calls, provider, model in rows
        )

    def conversation(self, conversation_id: str) -> UsageSum:
        """Return the usage of one conversation."""
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            of_turns = "turn_id IN (SELECT id FROM turns WHERE conversation_id = ?)"
            return UsageSum(*_sums(database, of_turns, conversation_id))

    def calls(self, turn_id: str) -> tuple[ModelCall, ...]:
        """Return the model calls of a turn, oldest first; none if it is unknown."""
        rows = self._db.rows(
            f"SELECT {TOKENS}, provider, model, cost_usd, milliseconds, status, error,"  # noqa: S608
            " error_kind, first_token_ms FROM model_calls"
            " WHERE user = ? AND turn_id = ? ORDER BY seq",
            self._db.user,
            turn_id,
        )
        return tuple(
            ModelCall(provider, model, Usage(*tokens), cost, ms, status, error, (), kind, first)
            for *tokens, provider, model, cost, ms, status, error, kind, first in rows
        )

    def _day(self, database: Connection, day: date) -> DayUsage:
        within = "user = ? AND at >= ? AND at < ?"
        return DayUsage(*_sums(database, within, *self._within(day)), day)

    def _within(self, day: date) -> tuple[str, str, str]:
        zone = ZoneInfo(self._db.clock.zone)
        return self._db.user, day_begins(day, zone), day_ends(day, zone)


def _sums(database: Connection, condition: str, *values: str) -> tuple[Usage, float, int, int]:
    query = f"SELECT {USAGE_SUMS} FROM model_calls WHERE {condition}"  # noqa: S608 - constants
    *tokens, cost, unpriced, calls = database.execute(query, values).fetchone()
    return Usage(*tokens), cost, unpriced, calls
