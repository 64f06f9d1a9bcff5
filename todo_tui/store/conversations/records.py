"""Stored conversations, turns and messages: values, JSON form, and rows of a turn."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from sqlite3 import Connection
from typing import assert_never

from todo_tui.domain.errors import NotFound, StoreUnreadable
from todo_tui.domain.events import TraceStep, TurnError
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnContext,
    TurnStatus,
    Usage,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.domain.when import Clock, DateStyle, NewId
from todo_tui.store.rows import json_text, utc_text

_FOREIGN_BEFORE = ("notes", "annotations")
"""Results with foreign text stored before results had a flag for it."""
_START_TIME = 19
"""Index of `starttime` in /proc/PID/stat after the name, which may contain anything: proc(5)."""


def parts_to_json(parts: tuple[MessagePart, ...]) -> str:
    """Format the parts of a message as a JSON array, lone surrogates repaired."""
    return json_text([_part_to_json(part) for part in parts])


def context_to_json(context: TurnContext | None) -> str | None:
    """Format the context of a user message as a JSON object."""
    if context is None:
        return None
    return json_text(
        {
            "now": context.now.isoformat(),
            "zone": context.zone,
            "open_tasks": context.open_tasks,
            "overdue_tasks": context.overdue_tasks,
            "due_today": context.due_today,
            "selection": [list(task) for task in context.selection],
            "day_first": context.date_style.day_first,
            "week_start": context.date_style.week_start,
        }
    )


# Each turn reads the same rows as the one before it, except for its newest ones.
@lru_cache(maxsize=128)
def message_from_json(role: str, parts: str, origin: str | None, context: str | None) -> Message:
    """Parse the message of one row.

    Raises:
        StoreUnreadable: the texts were not written by todo-tui.
    """
    try:
        return Message(
            role=Role(role),
            parts=tuple(_part_from_json(part) for part in json.loads(parts)),
            origin=origin,
            context=None if context is None else _context_from_json(json.loads(context)),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreUnreadable(
            "A stored message cannot be read.", hint="Run todo-tui doctor."
        ) from error


def _part_to_json(part: MessagePart) -> dict[str, JsonValue]:
    match part:
        case Text():
            return {"type": "text", "text": part.text, **_meta(part)}
        case Thinking():
            return {"type": "thinking", "text": part.text, **_meta(part)}
        case ToolCall():
            return {
                "type": "tool_call",
                "id": part.id,
                "name": part.name,
                "arguments": part.arguments,
                **_meta(part),
            }
        case ToolResult():
            return {
                "type": "tool_result",
                "call_id": part.call_id,
                "name": part.name,
                "content": part.content,
                "is_error": part.is_error,
                "foreign": list(part.foreign),
            }
        case _:
            assert_never(part)


def _meta(part: Text | Thinking | ToolCall) -> dict[str, JsonValue]:
    return {"meta": dict(part.meta)} if part.meta else {}


def _part_from_json(stored: dict[str, object]) -> MessagePart:
    fields = {name: value for name, value in stored.items() if name != "type"}
    match stored["type"]:
        case "text":
            return Text(**fields)  # type: ignore[arg-type] # a wrong shape raises TypeError
        case "thinking":
            return Thinking(**fields)  # type: ignore[arg-type] # as above
        case "tool_call":
            return ToolCall(**fields)  # type: ignore[arg-type] # as above
        case "tool_result":
            foreign = tuple(fields.pop("foreign", _FOREIGN_BEFORE))  # type: ignore[arg-type, var-annotated] # as above
            return ToolResult(**fields, foreign=foreign)  # type: ignore[arg-type] # as above
        case unknown:
            raise ValueError(f"unknown part {unknown!r}")


def _context_from_json(stored: dict[str, object]) -> TurnContext:
    fields = dict(stored)
    now = datetime.fromisoformat(str(fields.pop("now")))
    selection = fields.pop("selection")
    style = DateStyle(day_first=fields.pop("day_first"), week_start=fields.pop("week_start"))  # type: ignore[arg-type] # as above
    return TurnContext(
        now=now,
        selection=tuple((task_id, title) for task_id, title in selection),  # type: ignore[attr-defined] # as above
        date_style=style,
        **fields,  # type: ignore[arg-type] # as above
    )


@dataclass(frozen=True, slots=True)
class Process:
    """A process; `started` distinguishes it from a later one with the same id, if known."""

    pid: int
    started: str

    @classmethod
    def current(cls) -> Process:
        """Return this process."""
        return cls(os.getpid(), _started(os.getpid()))

    def is_alive(self) -> bool:
        """Return False only if the process has certainly ended."""
        started = _started(self.pid)
        if started and self.started:
            return started == self.started
        return _exists(self.pid)


def _started(pid: int) -> str:
    """Return boot id and start time of a process; empty if the system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return f"{boot}:{stat.rpartition(')')[2].split()[_START_TIME]}"


def _exists(pid: int) -> bool:
    if sys.platform == "win32":
        # On Windows signal 0 would be Ctrl+C.
        import ctypes

        query_limited_information = 0x1000
        handle = ctypes.windll.kernel32.OpenProcess(query_limited_information, False, pid)
        if not handle:
            return False
        ctypes.windll.kernel32.CloseHandle(handle)
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its messages; `title` is its first words until renamed."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A newly opened turn whose user message is stored."""

    id: str
    conversation_id: str
    user_message_id: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """Replacement of the older part of a conversation; `origin` is the model that wrote it."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class ModelHistory:
    """Messages of a conversation to send to a model, oldest first.

    `summary` covers everything before them, except for `before` messages in between, which
    were left out.
    """

    messages: tuple[Message, ...]
    before: int = 0
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model; `status` is `finished`, `failed` or `cancelled`.

    `error` is a sentence without keys; the cost is None if the price is unknown.
    """

    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    milliseconds: float
    status: str = "finished"
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn to display: question, steps in the requested order, answer."""

    id: str
    conversation_id: str
    user_text: str
    answer: str
    """Text of all assistant messages, a paragraph each; partial if the turn failed."""
    steps: tuple[TraceStep, ...]
    status: TurnStatus
    error: TurnError | None
    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    latency_ms: float | None
    model_calls: int
    started_at: datetime
    ended_at: datetime | None = None
    batches: tuple[str, ...] = field(default=())
    """Batches of operations written by the turn, oldest first, undone or not."""


@dataclass(frozen=True, slots=True)
class UsageSum:
    """Tokens and US dollars of model calls, failed ones included.

    `cost_usd` omits the `unpriced_calls`, whose price is unknown.
    """

    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int


@dataclass(frozen=True, slots=True)
class DayUsage:
    """Usage of one local day."""

    day: date
    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Usage of one model."""

    provider: str
    model: str
    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int


class TurnRows:
    """Writes turns of one user within an open transaction."""

    def __init__(self, database: Connection, *, user: str, clock: Clock, new_id: NewId) -> None:
        self._database = database
        self._user = user
        self._clock = clock
        self._new_id = new_id

    def begin(
        self, conversation_id: str, user_message: Message, provider: str, model: str, owner: Process
    ) -> StoredTurn:
        """Insert a running turn with its user message at the end of a conversation."""
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
        """Insert messages and trace of a turn; return the ids of the messages.

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
        """Set status and costs of a turn; `answered_by` None keeps the first provider and model."""
        failure = error or TurnError("", "")
        self._database.execute(
            "UPDATE turns SET status = ?, ended_at = ?, error_kind = ?, error_message = ?,"
            " error_hint = ?, provider = coalesce(?, provider), model = coalesce(?, model),"
            " input_tokens = ?, cached_tokens = ?, cache_written_tokens = ?,"
            " output_tokens = ?, thinking_tokens = ?, cost_usd = ?, latency_ms = ?,"
            " model_calls = ? WHERE id = ?",
            (
                status.value, self._now(), failure.kind or None,
                repair_surrogates(failure.message) or None, failure.hint,
                *(answered_by or (None, None)),
                usage.input_tokens, usage.cached_tokens, usage.cache_written_tokens,
                usage.output_tokens, usage.thinking_tokens, cost_usd, latency_ms,
                model_calls, turn_id,
            ),
        )  # fmt: skip

    def interrupt(self, turn_ids: Sequence[str]) -> None:
        """Mark those of the turns as interrupted that are still running."""
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
                parts_to_json(message.parts), message.origin, context_to_json(message.context), now,
                parent,
            ),
        )  # fmt: skip
        self._database.execute(
            "UPDATE conversations SET head = ?, updated_at = ?, newest_message = ? WHERE id = ?",
            (message_id, now, cursor.lastrowid, conversation_id),
        )
        return message_id

    def _end_of(self, turn_id: str) -> tuple[str, str]:
        """Return the conversation of a turn, and the turn's last message."""
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
                    self._user, turn_id, at, call.provider, repair_surrogates(call.model),
                    call.usage.input_tokens, call.usage.cached_tokens,
                    call.usage.cache_written_tokens, call.usage.output_tokens,
                    call.usage.thinking_tokens, call.cost_usd, call.milliseconds, call.status,
                    None if call.error is None else repair_surrogates(call.error),
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
                    turn_id, at, step.call_id, repair_surrogates(step.name),
                    repair_surrogates(step.summary), repair_surrogates(step.arguments),
                    repair_surrogates(step.result), step.status.value, step.milliseconds,
                )
                for step in steps
            ],
        )  # fmt: skip

    def _insert_summary(self, turn_id: str, at: str, summary: Summary) -> None:
        """Insert a summary of everything before the turn.

        The messages of the turn refer to it, as later ones will. Nothing is inserted before the
        first turn of a conversation, which has nothing to summarize.
        """
        summary_id = self._new_id()
        cursor = self._database.execute(
            "INSERT INTO summaries (id, conversation_id, turn_id, message_id, depth, text, origin,"
            " created_at) SELECT ?, t.conversation_id, t.id, last.id, last.depth, ?, ?, ?"
            " FROM turns t JOIN messages asked ON asked.id = t.user_message_id"
            " JOIN messages last ON last.id = asked.parent_id WHERE t.id = ?",
            (summary_id, repair_surrogates(summary.text), summary.origin, at, turn_id),
        )
        if cursor.rowcount:
            self._database.execute(
                "UPDATE messages SET summary_id = ? WHERE turn_id = ?", (summary_id, turn_id)
            )

    def _now(self) -> str:
        return utc_text(self._clock.utc())


def read_calls(database: Connection, user: str, turn_id: str) -> tuple[ModelCall, ...]:
    """Read the model calls of a turn in order."""
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
