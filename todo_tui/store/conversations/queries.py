"""SQL that the stores of conversations share: one conversation, its turns, sums of model calls."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from sqlite3 import Connection
from typing import Any
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import date_facts
from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import StepStatus, TraceStep, TurnError
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage
from todo_tui.domain.when import Clock
from todo_tui.store.conversations.records import Conversation, TurnRecord, message_from_json

_BUILT_IN = "offline"
"""Provider whose answers state facts as the summaries of steps do."""
COLUMNS = "c.id, c.title, c.created_at, c.updated_at, c.pinned"
TOKENS = "input_tokens, cached_tokens, output_tokens, thinking_tokens, cache_written_tokens"
# A call that failed before any output has no price because it has no tokens.
USAGE_SUMS = """
    coalesce(sum(input_tokens), 0), coalesce(sum(cached_tokens), 0),
    coalesce(sum(output_tokens), 0), coalesce(sum(thinking_tokens), 0),
    coalesce(sum(cache_written_tokens), 0), coalesce(sum(cost_usd), 0.0),
    coalesce(sum(cost_usd IS NULL
        AND (status = 'finished' OR input_tokens + output_tokens > 0)), 0),
    count(*)
"""
# Turns that follow the same message, which is none for those that open the conversation.
_BESIDE = """
SELECT count(*) FROM messages s WHERE s.role = 'user'
    AND s.conversation_id = a.conversation_id AND s.parent_id IS a.parent_id
"""
_TURNS = f"""
SELECT t.id, t.conversation_id, t.status, t.error_kind, t.error_message, t.error_hint,
    t.provider, t.model, {TOKENS}, t.cost_usd, t.latency_ms, t.model_calls, t.quality_score,
    t.started_at, t.ended_at,
    ({_BESIDE} AND s.seq <= a.seq), ({_BESIDE})
FROM json_each(?) w JOIN turns t ON t.id = w.value JOIN messages a ON a.id = t.user_message_id
ORDER BY w.key
"""  # noqa: S608 - constants
# Each inverse names the operation that it inverts; its newest inverse has undone it, unless that
# was undone in turn. Of a task that the turn created, its creation alone is inverted.
_CHANGING = """
WITH RECURSIVE chain (turn_id, root, op_id, task_uuid, depth) AS (
    SELECT o.turn_id, o.op_id, o.op_id, o.task_uuid, 0
    FROM json_each(?) w JOIN ops o ON o.turn_id = w.value
    WHERE o.undoes IS NULL AND o.kind <> 'skip' AND (o.kind = 'create' OR NOT EXISTS (
        SELECT 1 FROM ops c WHERE c.turn_id = o.turn_id AND c.task_uuid = o.task_uuid
            AND c.kind = 'create'))
    UNION ALL
    SELECT c.turn_id, c.root, u.op_id, u.task_uuid, c.depth + 1
    FROM chain c JOIN ops u ON u.seq = (
        SELECT max(n.seq) FROM ops n
        WHERE n.task_uuid = c.task_uuid AND n.undoes = c.op_id AND n.kind <> 'skip'
            AND (n.actor <> 'import' OR n.kind <> 'set' OR n.field = 'parent'))
)
SELECT turn_id, min(undone) FROM (
    SELECT turn_id, max(depth) % 2 AS undone FROM chain GROUP BY turn_id, root
) GROUP BY turn_id
"""
_MESSAGES = (
    "SELECT turn_id, role, parts, origin, context FROM messages"
    " WHERE turn_id IN (SELECT value FROM json_each(?)) AND role <> 'tool' ORDER BY seq"
)
_STEPS = (
    "SELECT turn_id, at, call_id, name, summary, arguments, result, status, milliseconds"
    " FROM tool_calls WHERE turn_id IN (SELECT value FROM json_each(?)) ORDER BY seq"
)


def find_conversation(database: Connection, user: str, conversation_id: str) -> Conversation:
    """Return the user's conversation of that id, unless it was deleted.

    Raises:
        NotFound: there is none.
    """
    row = database.execute(
        f"SELECT {COLUMNS} FROM conversations c"  # noqa: S608 - our columns
        " WHERE c.user = ? AND c.id = ? AND c.deleted_at IS NULL",
        (user, conversation_id),
    ).fetchone()
    if row is None:
        raise NotFound("Conversation not found.")
    return Conversation(*conversation_values(row))


def conversation_values(row: tuple[Any, ...]) -> tuple[str, str, datetime, datetime, bool]:
    """Convert a row of `COLUMNS` to the fields of a conversation."""
    conversation_id, title, created_at, updated_at, pinned = row
    created, updated = datetime.fromisoformat(created_at), datetime.fromisoformat(updated_at)
    return conversation_id, title, created, updated, bool(pinned)


def read_turns(
    database: Connection, turn_ids: Iterable[str], clock: Clock
) -> tuple[TurnRecord, ...]:
    """Return the turns of these ids, in that order.

    What they say of tasks has dates where it said today or tomorrow on another day.
    """
    ids = json.dumps(list(turn_ids))
    rows = database.execute(_TURNS, (ids,)).fetchall()
    messages = _by_turn(database, _MESSAGES, ids)
    steps = _by_turn(database, _STEPS, ids)
    changing = read_changing(database, ids)
    return tuple(
        TurnRecord(
            id=turn_id,
            conversation_id=conversation_id,
            user_text="".join(_texts(messages[turn_id])),
            blocks=tuple(
                _blocks(
                    [message_from_json(*each) for each in messages[turn_id]],
                    [_step(each, clock) for each in steps[turn_id]],
                    datetime.fromisoformat(started_at) if provider == _BUILT_IN else None,
                    clock,
                )
            ),
            status=TurnStatus(status),
            error=TurnError(kind or "", message or "", hint) if kind or message else None,
            provider=provider,
            model=model,
            usage=Usage(*tokens),
            cost_usd=cost,
            latency_ms=latency,
            model_calls=calls,
            quality_score=quality,
            started_at=datetime.fromisoformat(started_at),
            ended_at=datetime.fromisoformat(ended_at) if ended_at else None,
            branch=branch,
            branches=branches,
            undone=changing.get(turn_id),
        )
        for (
            turn_id, conversation_id, status, kind, message, hint, provider, model, *tokens,
            cost, latency, calls, quality, started_at, ended_at, branch, branches,
        ) in rows
    )  # fmt: skip


def read_changing(database: Connection, ids: str) -> dict[str, bool]:
    """Return those of the turns, a JSON array, that changed tasks; True if undone as a whole."""
    return {turn_id: bool(undone) for turn_id, undone in database.execute(_CHANGING, (ids,))}


def _step(row: list[Any], clock: Clock) -> TraceStep:
    at, call_id, name, summary, arguments, result, status, milliseconds = row
    summary = _with_dates(summary, datetime.fromisoformat(at), clock)
    return TraceStep(call_id, name, summary, arguments, result, StepStatus(status), milliseconds)


def _with_dates(text: str, written: datetime, clock: Clock) -> str:
    return date_facts(text, written.astimezone(ZoneInfo(clock.zone)).date(), clock.now().date())


def _by_turn(database: Connection, query: str, ids: str) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = defaultdict(list)
    for turn_id, *values in database.execute(query, (ids,)):
        found[turn_id].append(values)
    return found


def _texts(messages: Iterable[list[Any]]) -> Iterator[str]:
    """Yield the texts of the user's messages."""
    return (message_from_json(*each).text for each in messages if each[0] == Role.USER)


def _blocks(
    messages: Iterable[Message], steps: Sequence[TraceStep], ours: datetime | None, clock: Clock
) -> Iterator[Message | TraceStep]:
    """Yield messages with text and steps in order: a step comes after the message that called it.

    Steps that no model requested keep their place among the others. `ours` is when the built-in
    assistant answered, whose answers get dates unless they quote documents.
    """
    answers = [each for each in messages if each.role is Role.ASSISTANT]
    caller = {call.id: at for at, each in enumerate(answers) for call in each.tool_calls}
    if ours is not None and not any(step.evidence for step in steps):
        answers = [_dated_answer(each, ours, clock) for each in answers]
    shown = 0
    for step in steps:
        until = caller.get(step.call_id, -1) + 1
        yield from filter(_has_text, answers[shown:until])
        shown = max(shown, until)
        yield step
    yield from filter(_has_text, answers[shown:])


def _dated_answer(message: Message, written: datetime, clock: Clock) -> Message:
    parts = (
        replace(part, text=_with_dates(part.text, written, clock))
        if isinstance(part, Text)
        else part
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))


def _has_text(message: Message) -> bool:
    return bool(message.text)
