"""The trace of a turn as rows: model calls, tool calls, and the summary that it brought."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection

from todo_tui.domain.events import TraceStep
from todo_tui.domain.text import whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.store.records import ModelCall, Summary


def insert_calls(
    database: Connection, user: str, turn_id: str, at: str, calls: Sequence[ModelCall]
) -> None:
    """Add model calls to a turn."""
    database.executemany(
        "INSERT INTO model_calls (user, turn_id, at, provider, model, input_tokens,"
        " cached_tokens, cache_written_tokens, output_tokens, thinking_tokens, cost_usd,"
        " milliseconds, status, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                user, turn_id, at, call.provider, whole_characters(call.model),
                call.usage.input_tokens, call.usage.cached_tokens,
                call.usage.cache_written_tokens, call.usage.output_tokens,
                call.usage.thinking_tokens, call.cost_usd, call.milliseconds, call.status,
                None if call.error is None else whole_characters(call.error),
            )
            for call in calls
        ],
    )  # fmt: skip


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


def insert_steps(database: Connection, turn_id: str, at: str, steps: Sequence[TraceStep]) -> None:
    """Add tool calls to a turn."""
    database.executemany(
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


def insert_summary(
    database: Connection, summary_id: str, turn_id: str, at: str, summary: Summary
) -> None:
    """Let a summary stand for all that was said before the turn.

    The messages of the turn lead to it, and so will those that follow them. Before the
    first turn of a conversation there is nothing to sum up: then nothing is written.
    """
    cursor = database.execute(
        "INSERT INTO summaries (id, conversation_id, turn_id, message_id, depth, text, origin,"
        " created_at) SELECT ?, t.conversation_id, t.id, last.id, last.depth, ?, ?, ?"
        " FROM turns t JOIN messages asked ON asked.id = t.user_message_id"
        " JOIN messages last ON last.id = asked.parent_id WHERE t.id = ?",
        (summary_id, whole_characters(summary.text), summary.origin, at, turn_id),
    )
    if cursor.rowcount:
        database.execute(
            "UPDATE messages SET summary_id = ? WHERE turn_id = ?", (summary_id, turn_id)
        )
