"""Conversations, their messages, the history sent to a model, and what the calls used."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from datetime import date, datetime
from itertools import islice
from sqlite3 import Connection
from typing import Any
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import StepStatus, TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import Message, Role, TurnStatus, Usage, UsageSum
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.store.conversations.records import (
    Conversation,
    DayUsage,
    ModelCall,
    ModelHistory,
    ModelUsage,
    Process,
    StoredTurn,
    Summary,
    TurnRecord,
    context_to_json,
    message_from_json,
    parts_to_json,
)
from todo_tui.store.database import Repository
from todo_tui.store.rows import day_begins, day_ends, utc_text

# Newest first and lazily: a sort outside of the recursion would first read the whole
# conversation.
_BRANCH = """
WITH RECURSIVE branch (depth, parent_id, role, parts, origin, context) AS (
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM conversations c JOIN messages m ON m.id = c.head WHERE c.id = ?
    UNION ALL
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM branch b JOIN messages m ON m.id = b.parent_id
    ORDER BY 1 DESC
) SELECT role, parts, origin, context FROM branch
"""
_HEAD = """
SELECT m.depth, s.depth, s.text, s.origin
FROM conversations c
JOIN messages m ON m.id = c.head
LEFT JOIN summaries s ON s.id = m.summary_id
WHERE c.id = ?
"""
_TOKENS = "input_tokens, cached_tokens, output_tokens, thinking_tokens, cache_written_tokens"
_MESSAGES = (
    "SELECT turn_id, role, parts, origin, context FROM messages"
    " WHERE turn_id IN (SELECT value FROM json_each(?)) AND role <> 'tool' ORDER BY seq"
)
_STEPS = (
    "SELECT turn_id, call_id, name, summary, arguments, result, status, milliseconds"
    " FROM tool_calls WHERE turn_id IN (SELECT value FROM json_each(?)) ORDER BY seq"
)
TITLE_LENGTH = 80
"""Characters of the first message that are the default title."""
_COLUMNS = "id, title, created_at, updated_at"
# A call that failed before any output has no price because it has no tokens.
_SUMS = """
    coalesce(sum(input_tokens), 0), coalesce(sum(cached_tokens), 0),
    coalesce(sum(output_tokens), 0), coalesce(sum(thinking_tokens), 0),
    coalesce(sum(cache_written_tokens), 0), coalesce(sum(cost_usd), 0.0),
    coalesce(sum(cost_usd IS NULL
        AND (status = 'finished' OR input_tokens + output_tokens > 0)), 0),
    count(*)
"""


def default_title(text: str) -> str:
    """Derive the title of a conversation from its first message."""
    return " ".join(plain_line(repair_surrogates(text)).split())[:TITLE_LENGTH]


class ConversationStore(Repository):
    """Reads and writes of a user's conversations; every query is bound to one user.

    Each write is one transaction. It raises StoreError if the file cannot be written, and
    NotFound for an unknown conversation or turn, or one of another user.
    """

    # Conversations

    def start(self) -> Conversation:
        """Create an empty conversation."""
        with self._db.file.writing() as database:
            return _find(database, self._db.user, self._insert_conversation(database))

    def _insert_conversation(self, database: Connection) -> str:
        conversation_id, now = self._db.new_id(), self._now()
        database.execute(
            "INSERT INTO conversations (id, user, created_at, updated_at, newest_message)"
            " VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM messages))",
            (conversation_id, self._db.user, now, now),
        )
        return conversation_id

    def latest(self) -> Conversation | None:
        """Return the conversation with the newest message, or the newest one."""
        return next(iter(self.list(limit=1)), None)

    def list(self, limit: int = 50) -> tuple[Conversation, ...]:
        """Return conversations by newest message or creation, newest first."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM conversations WHERE user = ?"  # noqa: S608 - our columns
            " ORDER BY newest_message DESC, rowid DESC LIMIT ?",
            self._db.user,
            limit,
        )
        return tuple(map(_conversation, rows))

    def get(self, conversation_id: str) -> Conversation:
        """Return the conversation of that id."""
        with self._db.file.reading() as database:
            return _find(database, self._db.user, conversation_id)

    def rename(
        self, conversation_id: str, title: str, *, instead_of: str | None = None
    ) -> Conversation:
        """Set the title; with `instead_of` only if it still has that title.

        Raises:
            ValidationError: the title is empty.
        """
        cleaned = plain_line(repair_surrogates(title)).strip()
        if not cleaned:
            raise ValidationError("A conversation needs a title.")
        with self._db.file.writing() as database:
            _find(database, self._db.user, conversation_id)
            database.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND title = coalesce(?, title)",
                (cleaned, conversation_id, instead_of),
            )
            return _find(database, self._db.user, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """Erase a conversation with its messages and traces; tasks and costs stay."""
        with self._db.file.writing() as database:
            _find(database, self._db.user, conversation_id)
            # Costs are kept; the error texts of servers are erased.
            database.execute(
                "UPDATE model_calls SET error = NULL WHERE turn_id IN"
                " (SELECT id FROM turns WHERE conversation_id = ?)",
                (conversation_id,),
            )
            database.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        self._db.file.truncate_wal()

    def _now(self) -> str:
        return utc_text(self._db.clock.utc())

    # Turns

    def open_turn(
        self, conversation_id: str | None, user_message: Message, *, provider: str, model: str
    ) -> StoredTurn:
        """Store the user message and a running turn in one transaction.

        Without `conversation_id` a new conversation is created in it.
        """
        process = Process.current()
        with self._db.file.writing() as database:
            conversation_id = conversation_id or self._insert_conversation(database)
            turn_id, now = self._db.new_id(), self._now()
            conversation = _find(database, self._db.user, conversation_id)
            (head,) = database.execute(
                "SELECT head FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            message_id = self._insert_message(
                database, turn_id, conversation_id, head, user_message
            )
            database.execute(
                "INSERT INTO turns (id, conversation_id, user_message_id, status, provider, model,"
                " owner_pid, owner_started, started_at) VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)",
                (
                    turn_id, conversation_id, message_id, provider, model,
                    process.pid, process.started, now,
                ),
            )  # fmt: skip
            if not conversation.title:
                database.execute(
                    "UPDATE conversations SET title = ? WHERE id = ?",
                    (default_title(user_message.text), conversation_id),
                )
        return StoredTurn(turn_id, conversation_id, datetime.fromisoformat(now))

    def append_round(
        self,
        turn_id: str,
        messages: Sequence[Message],
        *,
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
    ) -> None:
        """Append the results of one round of a turn in one transaction.

        A `summary` replaces everything before the turn from now on.
        """
        with self._db.file.writing() as database:
            self._append(database, turn_id, messages, calls, steps, summary)

    def close_turn(
        self,
        turn_id: str,
        status: TurnStatus,
        *,
        messages: Sequence[Message] = (),
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
        error: TurnError | None = None,
        outcome: TurnOutcome | None = None,
    ) -> None:
        """End a turn with its last, maybe partial messages."""
        failure = error or TurnError("", "")
        with self._db.file.writing() as database:
            self._append(database, turn_id, messages, calls, steps, summary)
            database.execute(
                "UPDATE turns SET status = ?, ended_at = ?,"
                " error_kind = ?, error_message = ?, error_hint = ? WHERE id = ?",
                (
                    status.value, self._now(), failure.kind or None,
                    repair_surrogates(failure.message) or None, failure.hint, turn_id,
                ),
            )  # fmt: skip
            if outcome is not None:
                database.execute(
                    f"UPDATE turns SET provider = ?, model = ?, ({_TOKENS}) = (?, ?, ?, ?, ?),"  # noqa: S608
                    " cost_usd = ?, latency_ms = ?, model_calls = ? WHERE id = ?",
                    (
                        outcome.provider, outcome.model, *astuple(outcome.usage),
                        outcome.cost_usd, outcome.latency_ms, outcome.model_calls, turn_id,
                    ),
                )  # fmt: skip

    def recover(self) -> int:
        """Mark running turns of dead processes as interrupted; return their number."""
        running = self._db.rows(
            "SELECT t.id, t.owner_pid, t.owner_started FROM turns t"
            " JOIN conversations c ON c.id = t.conversation_id"
            " WHERE t.status = 'running' AND c.user = ?",
            self._db.user,
        )
        dead = [turn for turn, pid, started in running if not Process(pid, started).is_alive()]
        if dead:
            now = self._now()
            with self._db.file.writing() as database:
                database.executemany(
                    "UPDATE turns SET status = 'interrupted', ended_at = ?"
                    " WHERE id = ? AND status = 'running'",
                    [(now, turn_id) for turn_id in dead],
                )
        return len(dead)

    def _append(
        self,
        database: Connection,
        turn_id: str,
        messages: Iterable[Message],
        calls: Iterable[ModelCall],
        steps: Iterable[TraceStep],
        summary: Summary | None,
    ) -> None:
        # Each turn begins with a message.
        last = database.execute(
            "SELECT m.conversation_id, m.id FROM messages m"
            " JOIN conversations c ON c.id = m.conversation_id"
            " WHERE m.turn_id = ? AND c.user = ? ORDER BY m.seq DESC LIMIT 1",
            (turn_id, self._db.user),
        ).fetchone()
        if last is None:
            raise NotFound("There is no such turn.")
        conversation_id, parent = last
        now = self._now()
        if summary is not None:
            self._insert_summary(database, turn_id, now, summary)
        for message in messages:
            parent = self._insert_message(database, turn_id, conversation_id, parent, message)
        database.executemany(
            f"INSERT INTO model_calls (user, turn_id, at, provider, model, {_TOKENS}, cost_usd,"  # noqa: S608
            " milliseconds, status, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    self._db.user, turn_id, now, call.provider, repair_surrogates(call.model),
                    *astuple(call.usage), call.cost_usd, call.milliseconds, call.status,
                    None if call.error is None else repair_surrogates(call.error),
                )
                for call in calls
            ],
        )  # fmt: skip
        database.executemany(
            "INSERT INTO tool_calls (turn_id, at, call_id, name, summary, arguments, result,"
            " status, milliseconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    turn_id, now, step.call_id, repair_surrogates(step.name),
                    repair_surrogates(step.summary), repair_surrogates(step.arguments),
                    repair_surrogates(step.result), step.status.value, step.milliseconds,
                )
                for step in steps
            ],
        )  # fmt: skip

    def _insert_message(
        self,
        database: Connection,
        turn_id: str,
        conversation_id: str,
        parent: str | None,
        message: Message,
    ) -> str:
        message_id, now = self._db.new_id(), self._now()
        cursor = database.execute(
            "INSERT INTO messages (id, conversation_id, turn_id, parent_id, depth, summary_id,"
            " role, parts, origin, context, created_at)"
            " SELECT ?, ?, ?, p.id, 1 + coalesce(p.depth, 0), p.summary_id, ?, ?, ?, ?, ?"
            " FROM (SELECT ? AS id) AS parent LEFT JOIN messages AS p ON p.id = parent.id",
            (
                message_id, conversation_id, turn_id, message.role.value,
                parts_to_json(message.parts), message.origin, context_to_json(message.context), now,
                parent,
            ),
        )  # fmt: skip
        database.execute(
            "UPDATE conversations SET head = ?, updated_at = ?, newest_message = ? WHERE id = ?",
            (message_id, now, cursor.lastrowid, conversation_id),
        )
        return message_id

    def _insert_summary(
        self, database: Connection, turn_id: str, at: str, summary: Summary
    ) -> None:
        """Insert a summary of everything before the turn.

        The messages of the turn refer to it, as later ones will. Nothing is inserted before the
        first turn of a conversation, which has nothing to summarize.
        """
        summary_id = self._db.new_id()
        cursor = database.execute(
            "INSERT INTO summaries (id, conversation_id, turn_id, message_id, depth, text, origin,"
            " created_at) SELECT ?, t.conversation_id, t.id, last.id, last.depth, ?, ?, ?"
            " FROM turns t JOIN messages asked ON asked.id = t.user_message_id"
            " JOIN messages last ON last.id = asked.parent_id WHERE t.id = ?",
            (summary_id, repair_surrogates(summary.text), summary.origin, at, turn_id),
        )
        if cursor.rowcount:
            database.execute(
                "UPDATE messages SET summary_id = ? WHERE turn_id = ?", (summary_id, turn_id)
            )

    # History

    def model_history(self, conversation_id: str, limit: int = 50) -> ModelHistory:
        """Return the active branch without what a summary covers, and that summary.

        The messages begin with one of the user: at most `limit`, or more if the newest turn alone
        is longer.
        """
        with self._db.file.reading() as database:
            _find(database, self._db.user, conversation_id)
            head = database.execute(_HEAD, (conversation_id,)).fetchone()
            if head is None:
                return ModelHistory(())
            depth, covered, text, origin = head
            uncovered = depth - (covered or 0)
            rows = islice(database.execute(_BRANCH, (conversation_id,)), uncovered)
            messages = _within((message_from_json(*row) for row in rows), limit)
        summary = None if covered is None else Summary(text, origin)
        return ModelHistory(messages, uncovered - len(messages), summary)

    def turns(
        self, conversation_id: str, limit: int = 20, before: str | None = None
    ) -> tuple[TurnRecord, ...]:
        """Return the newest turns before `before`, newest last."""
        with self._db.file.reading() as database:
            _find(database, self._db.user, conversation_id)
            rows = database.execute(
                "SELECT id, status, error_kind, error_message, error_hint, provider, model,"  # noqa: S608
                f" {_TOKENS}, cost_usd, latency_ms, model_calls, started_at FROM turns"
                " WHERE conversation_id = ?"
                " AND (? IS NULL OR seq < (SELECT seq FROM turns WHERE id = ?))"
                " ORDER BY seq DESC LIMIT ?",
                (conversation_id, before, before, limit),
            ).fetchall()
            ids = json.dumps([row[0] for row in rows])
            messages = _by_turn(database, _MESSAGES, ids)
            steps = _by_turn(database, _STEPS, ids)
        return tuple(
            TurnRecord(
                id=turn_id,
                conversation_id=conversation_id,
                user_text="".join(_texts(messages[turn_id], Role.USER)),
                answer="\n\n".join(_texts(messages[turn_id], Role.ASSISTANT)),
                steps=tuple(map(_step, steps[turn_id])),
                status=TurnStatus(status),
                error=TurnError(kind or "", message or "", hint) if kind or message else None,
                provider=provider,
                model=model,
                usage=Usage(*tokens),
                cost_usd=cost,
                latency_ms=latency,
                model_calls=calls,
                started_at=datetime.fromisoformat(started_at),
            )
            for (
                turn_id, status, kind, message, hint, provider, model, *tokens,
                cost, latency, calls, started_at,
            ) in reversed(rows)
        )  # fmt: skip


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
        """Return the usage of one conversation."""
        with self._db.file.reading() as database:
            _find(database, self._db.user, conversation_id)
            of_turns = "turn_id IN (SELECT id FROM turns WHERE conversation_id = ?)"
            return UsageSum(*_sums(database, of_turns, conversation_id))

    def _day(self, database: Connection, day: date) -> DayUsage:
        within = "user = ? AND at >= ? AND at < ?"
        return DayUsage(*_sums(database, within, *self._within(day)), day)

    def _within(self, day: date) -> tuple[str, str, str]:
        zone = ZoneInfo(self._db.clock.zone)
        return self._db.user, day_begins(day, zone), day_ends(day, zone)


def _within(messages: Iterator[Message], limit: int) -> tuple[Message, ...]:
    """Keep the newest messages within the limit, starting with a user message; oldest first."""
    newest_first: list[Message] = []
    opened = False
    for message in messages:
        newest_first.append(message)
        opened = opened or message.role is Role.USER
        if opened and len(newest_first) >= limit:
            break
    users = [at for at, message in enumerate(newest_first) if message.role is Role.USER]
    within = [at for at in users if at < limit] or users[:1]
    if not within:
        return ()
    return tuple(reversed(newest_first[: within[-1] + 1]))


def _sums(database: Connection, condition: str, *values: str) -> tuple[Usage, float, int, int]:
    query = f"SELECT {_SUMS} FROM model_calls WHERE {condition}"  # noqa: S608 - constants
    *tokens, cost, unpriced, calls = database.execute(query, values).fetchone()
    return Usage(*tokens), cost, unpriced, calls


def _step(row: list[Any]) -> TraceStep:
    call_id, name, summary, arguments, result, status, milliseconds = row
    return TraceStep(call_id, name, summary, arguments, result, StepStatus(status), milliseconds)


def _by_turn(database: Connection, query: str, ids: str) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = defaultdict(list)
    for turn_id, *values in database.execute(query, (ids,)):
        found[turn_id].append(values)
    return found


def _texts(messages: Iterable[list[Any]], role: Role) -> list[str]:
    found = [message_from_json(*message) for message in messages if message[0] == role]
    return [message.text for message in found if message.text]


def _find(database: Connection, user: str, conversation_id: str) -> Conversation:
    row = database.execute(
        f"SELECT {_COLUMNS} FROM conversations WHERE user = ? AND id = ?",  # noqa: S608
        (user, conversation_id),
    ).fetchone()
    if row is None:
        raise NotFound("There is no such conversation.")
    return _conversation(row)


def _conversation(row: tuple[str, str, str, str]) -> Conversation:
    conversation_id, title, created_at, updated_at = row
    return Conversation(
        conversation_id,
        title,
        datetime.fromisoformat(created_at),
        datetime.fromisoformat(updated_at),
    )
