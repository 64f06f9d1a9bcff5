"""Messages and model calls as they are in the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from todo_tui.domain.messages import Message, Usage
from todo_tui.store.conversations.records import ModelCall, message_from_json
from todo_tui.store.store import Store


def stored_messages(store: Store, conversation_id: str) -> tuple[Message, ...]:
    """Return all messages of a conversation, oldest first."""
    query = (
        "SELECT role, parts, origin, context FROM messages WHERE conversation_id = ? ORDER BY seq"
    )
    with closing(sqlite3.connect(store.path)) as database:
        return tuple(message_from_json(*row) for row in database.execute(query, (conversation_id,)))


def stored_calls(store: Store, turn_id: str) -> tuple[ModelCall, ...]:
    """Return the model calls of a turn, in order."""
    query = (
        "SELECT provider, model, input_tokens, cached_tokens, output_tokens, thinking_tokens,"
        " cache_written_tokens, cost_usd, milliseconds, status, error FROM model_calls"
        " WHERE turn_id = ? ORDER BY seq"
    )
    with closing(sqlite3.connect(store.path)) as database:
        rows = database.execute(query, (turn_id,)).fetchall()
    return tuple(
        ModelCall(provider, model, Usage(*tokens), cost, milliseconds, status, error)
        for provider, model, *tokens, cost, milliseconds, status, error in rows
    )
