"""Values of stored conversations, turns and model calls, and the JSON form of messages."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from todo_tui.domain.errors import StoreUnreadable
from todo_tui.domain.events import TraceStep, TurnError
from todo_tui.domain.messages import (
    Exchange,
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
    UsageSum,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle
from todo_tui.store.rows import json_text

_PARTS: dict[str, type[MessagePart]] = {
    "text": Text,
    "thinking": Thinking,
    "tool_call": ToolCall,
    "tool_result": ToolResult,
}
_NAMES = {part: name for name, part in _PARTS.items()}
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
            "territory": context.date_style.territory,
            "week_start": context.date_style.week_start,
            "foreign": context.foreign,
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
            "Cannot read a stored message.", hint="Run `todo-tui doctor`."
        ) from error


def _part_to_json(part: MessagePart) -> dict[str, JsonValue]:
    stored = {each.name: getattr(part, each.name) for each in fields(part)}
    if "meta" in stored and not stored["meta"]:
        del stored["meta"]
    return {"type": _NAMES[type(part)], **stored}


def _part_from_json(stored: dict[str, Any]) -> MessagePart:
    part = _PARTS[stored.pop("type")]
    if part is ToolResult:
        stored["foreign"] = tuple(stored["foreign"])
    return part(**stored)


def _context_from_json(stored: dict[str, Any]) -> TurnContext:
    return TurnContext(
        now=datetime.fromisoformat(stored.pop("now")),
        selection=tuple((task_id, title) for task_id, title in stored.pop("selection")),
        date_style=DateStyle(
            stored.pop("day_first"),
            stored.pop("week_start"),
            stored["zone"] or "UTC",
            stored.pop("territory", ""),  # Messages of earlier versions have none.
        ),
        **stored,
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
    pinned: bool


@dataclass(frozen=True, slots=True)
class ConversationEntry(Conversation):
    """A conversation as listed."""

    last_words: str
    """Beginning of the active branch's newest message with text, on one plain line."""
    provider: str
    """Provider and model of its newest turn; empty if there is none."""
    model: str
    turns: int
    """Number of turns, those of other branches included."""
    usage: UsageSum


class TurnMatch(NamedTuple):
    """A turn that a search found; line and span as in ConversationMatch."""

    turn_id: str
    line: str
    span: tuple[int, int]
    is_shown: bool = True
    """False if it is on another branch than the active one."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that lead to the place in the turn, the longest first: the line, the match."""
        start, end = self.span
        texts = self.line.strip("… "), self.line[start:end]
        return tuple(filter(None, texts))


@dataclass(frozen=True, slots=True)
class ConversationMatch:
    """A conversation that a search found."""

    conversation: ConversationEntry
    line: str
    """Line of the newest matching message, cut around the match; or the title."""
    span: tuple[int, int]
    """Start and end of the match in `line`; equal if it cannot be located."""
    turn_id: str | None
    """Turn of that message, maybe on another branch; None if only the title matches."""

    @property
    def found(self) -> TurnMatch | None:
        """The matching turn, if it is not the title that matches."""
        return None if self.turn_id is None else TurnMatch(self.turn_id, self.line, self.span)


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A newly opened turn whose user message is stored."""

    id: str
    conversation_id: str
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

    `error` is a sentence without keys, `error_kind` a ProviderErrorKind; the cost is None if
    the price is unknown.
    """

    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    milliseconds: float
    status: str = "finished"
    error: str | None = None
    exchanges: Sequence[Exchange] = ()
    """Request and answer; not stored."""
    error_kind: str | None = None
    first_token_ms: float | None = None
    """Time to the first text, thinking or tool call; None if nothing came."""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn to display: question, steps in the requested order, answer."""

    id: str
    conversation_id: str
    user_text: str
    blocks: tuple[Message | TraceStep, ...]
    """Assistant messages with text and trace steps, in order; partial if the turn failed."""
    status: TurnStatus
    error: TurnError | None
    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    latency_ms: float | None
    model_calls: int
    quality_score: float | None
    """From 0 to 1; None if no passages were retrieved."""
    started_at: datetime
    ended_at: datetime | None
    branch: int
    """Position among its `branches`, from 1."""
    branches: int
    """Number of turns that follow the same message: this one and its alternatives."""
    undone: bool | None = None
    """True if all of its changes are undone; None if it changed no tasks."""

    @property
    def answer(self) -> str:
        """Text of all assistant messages, a paragraph each."""
        return "\n\n".join(block.text for block in self.blocks if isinstance(block, Message))

    @property
    def shown_blocks(self) -> Iterator[Message | TraceStep]:
        """Blocks without the messages that only restate the steps."""
        return (
            block
            for block in self.blocks
            if isinstance(block, TraceStep) or block.text_beside_steps
        )

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        """Trace steps in order."""
        return tuple(block for block in self.blocks if isinstance(block, TraceStep))


@dataclass(frozen=True, slots=True)
class DayUsage(UsageSum):
    """Usage of one local day."""

    day: date


@dataclass(frozen=True, slots=True)
class ModelUsage(UsageSum):
    """Usage of one model."""

    provider: str
    model: str
