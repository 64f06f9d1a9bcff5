"""Usage: tokens and cost of model calls by day, model and conversation."""

from __future__ import annotations

from datetime import date, datetime
from sqlite3 import Connection
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import NotFound
from todo_tui.domain.messages import Usage
from todo_tui.store.conversations.records import DayUsage, ModelUsage, UsageSum
from todo_tui.store.database import Repository
from todo_tui.store.rows import day_begins, day_ends

# A call that failed before any output has no price because it has no tokens.
_SUMS = """
    coalesce(sum(input_tokens), 0), coalesce(sum(cached_tokens), 0),
    coalesce(sum(output_tokens), 0), coalesce(sum(thinking_tokens), 0),
    coalesce(sum(cache_written_tokens), 0), coalesce(sum(cost_usd), 0.0),
    coalesce(sum(cost_usd IS NULL
        AND (status = 'finished' OR input_tokens + output_tokens > 0)), 0),
    count(*)
"""


class UsageStore(Repository):
    """Sums over the model calls of one user, including deleted conversations.

    Days are those of the clock's zone, wherever the user was at the time of a call.
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
            f"SELECT {_SUMS}, provider, model FROM model_calls"  # noqa: S608 - our columns
            " WHERE user = ? AND at >= ? AND at < ?"
            " GROUP BY provider, model ORDER BY count(*) DESC, provider, model",
            *self._within(day),
        )
        return tuple(
            ModelUsage(Usage(*tokens), cost, unpriced, calls, provider, model)
            for *tokens, cost, unpriced, calls, provider, model in rows
        )

    def conversation(self, conversation_id: str) -> UsageSum:
        """Return the usage of one conversation.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.reading() as database:
            known = database.execute(
                "SELECT 1 FROM conversations WHERE user = ? AND id = ?",
                (self._db.user, conversation_id),
            ).fetchone()
            if known is None:
                raise NotFound("There is no such conversation.")
            *tokens, cost, unpriced, calls = database.execute(
                f"SELECT {_SUMS} FROM model_calls WHERE turn_id IN"  # noqa: S608 - our columns
                " (SELECT id FROM turns WHERE conversation_id = ?)",
                (conversation_id,),
            ).fetchone()
        return UsageSum(Usage(*tokens), cost, unpriced, calls)

    def _day(self, database: Connection, day: date) -> DayUsage:
        *tokens, cost, unpriced, calls = database.execute(
            f"SELECT {_SUMS} FROM model_calls WHERE user = ? AND at >= ? AND at < ?",  # noqa: S608
            self._within(day),
        ).fetchone()
        return DayUsage(Usage(*tokens), cost, unpriced, calls, day)

    def _within(self, day: date) -> tuple[str, str, str]:
        zone = ZoneInfo(self._db.clock.zone)
        return self._db.user, day_begins(day, zone), day_ends(day, zone)
