"""Turns as rows: how one begins, what it says and does, how it ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.conversation import Message, TurnStatus
from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import TraceStep, TurnError
from todo_tui.domain.text import whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.store.message_json import context_text, parts_text
from todo_tui.store.processes import Process
from todo_tui.store.records import ModelCall, StoredTurn, Summary
from todo_tui.store.rows import utc_text


class TurnRows:
    """Writes the turns of one user within an open transaction."""

    def __init__(self, database: Connection, *, user: str, clock: Clock, new_id: NewId) -> None:
        self._database = database
        self._user = user
        self._clock = clock
        self._new_id = new_id

    def begin(
        self, conversation_id: str, user_message: Message, provider: str, model: str, owner: Process
    ) -> StoredTurn:
        """A running turn at the end of a conversation, with what the person said."""
        turn_id, now = self._new_id(), self._now()
        (head,) = self._database.execute(
            "SELECT head FROM conversations WHERE id = ?", (conversation_id,)
        ).fetchone()
        message_id = self._insert_message(turn_id, conversation_id, head, user_message)
        self._database.execute(
            "INSERT INTO turns (id, conversation_id, user_message_id, status, provider, model,"
            " owner_pid, owner_started, started_at) VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)",
            (
                turn_id, conversation_id, message_id, provider, model,
                owner.pid, owner.started, now,
            ),
        )  # fmt: skip
        return StoredTurn(turn_id, conversation_id, message_id, datetime.fromisoformat(now))

    def add(
        self,
        turn_id: str,
        messages: Sequence[Message],
        calls: Sequence[ModelCall],
        steps: Sequence[TraceStep],
        summary: Summary | None,
    ) -> tuple[str, ...]:
        """What a turn brought; the ids of the messages.

        Raises:
            NotFound: this user has no such turn.
        """
        conversation_id, parent = self._end_of(turn_id)
        now = self._now()
        if summary is not None:
            self._insert_summary(turn_id, now, summary)
        ids = []
        for message in messages:
            parent = self._insert_message(turn_id, conversation_id, parent, message)
            ids.append(parent)
        self._insert_calls(turn_id, now, calls)
        self._insert_steps(turn_id, now, steps)
        return tuple(ids)

    def end(
        self,
        turn_id: str,
        status: TurnStatus,
        *,
        error: TurnError | None,
        answered_by: tuple[str, str] | None,
        usage: Usage,
        cost_usd: float | None,
        latency_ms: float | None,
        model_calls: int,
    ) -> None:
        """How a turn ended, and what it has cost; `answered_by` is None: as it began."""
        failure = error or TurnError("", "")
        self._database.execute(
            "UPDATE turns SET status = ?, ended_at = ?, error_kind = ?, error_message = ?,"
            " error_hint = ?, provider = coalesce(?, provider), model = coalesce(?, model),"
            " input_tokens = ?, cached_tokens = ?, cache_written_tokens = ?,"
            " output_tokens = ?, thinking_tokens = ?, cost_usd = ?, latency_ms = ?,"
            " model_calls = ? WHERE id = ?",
            (
                status.value, self._now(), failure.kind or None,
                whole_characters(failure.message) or None, failure.hint,
                *(answered_by or (None, None)),
                usage.input_tokens, usage.cached_tokens, usage.cache_written_tokens,
                usage.output_tokens, usage.thinking_tokens, cost_usd, latency_ms,
                model_calls, turn_id,
            ),
        )  # fmt: skip

    def interrupt(self, turn_ids: Sequence[str]) -> None:
        """Nobody goes on with these turns, as far as they still run."""
        now = self._now()
        self._database.executemany(
            "UPDATE turns SET status = 'interrupted', ended_at = ?"
            " WHERE id = ? AND status = 'running'",
            [(now, turn_id) for turn_id in turn_ids],
        )

    def _insert_message(
        self, turn_id: str, conversation_id: str, parent: str | None, message: Message
    ) -> str:
        message_id, now = self._new_id(), self._now()
        cursor = self._database.execute(
            "INSERT INTO messages (id, conversation_id, turn_id, parent_id, depth, summary_id,"
            " role, parts, origin, context, created_at)"
            " SELECT ?, ?, ?, p.id, 1 + coalesce(p.depth, 0), p.summary_id, ?, ?, ?, ?, ?"
            " FROM (SELECT ? AS id) AS parent LEFT JOIN messages AS p ON p.id = parent.id",
            (
                message_id, conversation_id, turn_id, message.role.value,
                parts_text(message.parts), message.origin, context_text(message.context), now,
                parent,
            ),
        )  # fmt: skip
        self._database.execute(
            "UPDATE conversations SET head = ?, updated_at = ?, newest_message = ? WHERE id = ?",
            (message_id, now, cursor.lastrowid, conversation_id),
        )
        return message_id

    def _end_of(self, turn_id: str) -> tuple[str, str]:
        """Conversation of a turn, and its last message, which the next one follows."""
        row = self._database.execute(
            "SELECT m.conversation_id, m.id FROM messages m"
            " JOIN conversations c ON c.id = m.conversation_id"
            " WHERE m.turn_id = ? AND c.user = ? ORDER BY m.seq DESC LIMIT 1",
            (turn_id, self._user),
        ).fetchone()
        if row is None:
            raise NotFound("There is no such turn.")
        return row[0], row[1]

    def _insert_calls(self, turn_id: str, at: str, calls: Sequence[ModelCall]) -> None:
        self._database.executemany(
            "INSERT INTO model_calls (user, turn_id, at, provider, model, input_tokens,"
            " cached_tokens, cache_written_tokens, output_tokens, thinking_tokens, cost_usd,"
            " milliseconds, status, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    self._user, turn_id, at, call.provider, whole_characters(call.model),
                    call.usage.input_tokens, call.usage.cached_tokens,
                    call.usage.cache_written_tokens, call.usage.output_tokens,
                    call.usage.thinking_tokens, call.cost_usd, call.milliseconds, call.status,
                    None if call.error is None else whole_characters(call.error),
                )
                for call in calls
            ],
        )  # fmt: skip

    def _insert_steps(self, turn_id: str, at: str, steps: Sequence[TraceStep]) -> None:
        self._database.executemany(
            "INSERT INTO tool_calls (turn_id, at, call_id, name, summary, arguments, result,"
            " status, milliseconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    turn_id, at, step.call_id, whole_characters(step.name),
                    whole_characters(step.summary), whole_characters(step.arguments),
                    whole_characters(step.result), step.status.value, step.milliseconds,
                )
                for step in steps
            ],
        )  # fmt: skip

    def _insert_summary(self, turn_id: str, at: str, summary: Summary) -> None:
        """Let a summary stand for all that was said before the turn.

        The messages of the turn lead to it, and so will those that follow them. Before the
        first turn of a conversation there is nothing to sum up: then nothing is written.
        """
        summary_id = self._new_id()
        cursor = self._database.execute(
            "INSERT INTO summaries (id, conversation_id, turn_id, message_id, depth, text, origin,"
            " created_at) SELECT ?, t.conversation_id, t.id, last.id, last.depth, ?, ?, ?"
            " FROM turns t JOIN messages asked ON asked.id = t.user_message_id"
            " JOIN messages last ON last.id = asked.parent_id WHERE t.id = ?",
            (summary_id, whole_characters(summary.text), summary.origin, at, turn_id),
        )
        if cursor.rowcount:
            self._database.execute(
                "UPDATE messages SET summary_id = ? WHERE turn_id = ?", (summary_id, turn_id)
            )

    def _now(self) -> str:
        return utc_text(self._clock.utc())


def read_calls(database: Connection, user: str, turn_id: str) -> tuple[ModelCall, ...]:
    """The model calls of a turn in the order made."""
    rows = database.execute(
        "SELECT provider, model, input_tokens, cached_tokens, output_tokens, thinking_tokens,"
        " cache_written_tokens, cost_usd, milliseconds, status, error FROM model_calls"
        " WHERE turn_id = ? AND user = ? ORDER BY seq",
        (turn_id, user),
    )
    return tuple(
        ModelCall(provider, model, Usage(*tokens), cost, milliseconds, status, error)
        for provider, model, *tokens, cost, milliseconds, status, error in rows
    )
