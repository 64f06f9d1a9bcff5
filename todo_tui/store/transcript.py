"""Turns read back as a screen draws them."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.conversation import Role, TurnStatus
from todo_tui.domain.events import StepStatus, TraceStep, TurnError
from todo_tui.domain.usage import Usage
from todo_tui.store.message_json import message_from_texts
from todo_tui.store.records import TurnRecord


def read_turns(
    database: Connection, conversation_id: str, *, limit: int, before: str | None
) -> tuple[TurnRecord, ...]:
    """The newest turns of a conversation, newest last; with `before`, those older than it."""
    rows = database.execute(
        "SELECT id, status, error_kind, error_message, error_hint, provider, model,"
        " input_tokens, cached_tokens, output_tokens, thinking_tokens, cache_written_tokens,"
        " cost_usd, latency_ms, model_calls, started_at, ended_at FROM turns"
        " WHERE conversation_id = ? AND (? IS NULL OR seq < (SELECT seq FROM turns WHERE id = ?))"
        " ORDER BY seq DESC LIMIT ?",
        (conversation_id, before, before, limit),
    ).fetchall()
    ids = json.dumps([row[0] for row in rows])
    texts = _texts(database, ids)
    steps = _steps(database, ids)
    batches = _batches(database, ids)
    return tuple(
        TurnRecord(
            id=turn_id,
            conversation_id=conversation_id,
            user_text="".join(texts[turn_id, Role.USER]),
            answer="\n\n".join(texts[turn_id, Role.ASSISTANT]),
            steps=tuple(steps[turn_id]),
            status=TurnStatus(status),
            error=TurnError(kind or "", message or "", hint) if kind or message else None,
            provider=provider,
            model=model,
            usage=Usage(*tokens),
            cost_usd=cost,
            latency_ms=latency,
            model_calls=calls,
            started_at=datetime.fromisoformat(started_at),
            ended_at=datetime.fromisoformat(ended_at) if ended_at else None,
            batches=tuple(batches[turn_id]),
        )
        for (
            turn_id, status, kind, message, hint, provider, model, *tokens,
            cost, latency, calls, started_at, ended_at,
        ) in reversed(rows)
    )  # fmt: skip


def _texts(database: Connection, ids: str) -> dict[tuple[str, Role], list[str]]:
    """What was said in each turn by each role, empty messages left out."""
    texts: dict[tuple[str, Role], list[str]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, role, parts, origin, context FROM messages"
        " WHERE turn_id IN (SELECT value FROM json_each(?)) AND role <> 'tool' ORDER BY seq",
        (ids,),
    )
    for turn_id, *columns in rows:
        message = message_from_texts(*columns)
        if message.text:
            texts[turn_id, message.role].append(message.text)
    return texts


def _steps(database: Connection, ids: str) -> dict[str, list[TraceStep]]:
    steps: dict[str, list[TraceStep]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, call_id, name, summary, arguments, result, status, milliseconds"
        " FROM tool_calls WHERE turn_id IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (ids,),
    )
    for turn_id, call_id, name, summary, arguments, result, status, milliseconds in rows:
        steps[turn_id].append(
            TraceStep(call_id, name, summary, arguments, result, StepStatus(status), milliseconds)
        )
    return steps


def _batches(database: Connection, ids: str) -> dict[str, list[str]]:
    batches: dict[str, list[str]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, batch FROM ops WHERE turn_id IN (SELECT value FROM json_each(?))"
        " GROUP BY turn_id, batch ORDER BY min(seq)",
        (ids,),
    )
    for turn_id, batch in rows:
        batches[turn_id].append(batch)
    return batches
