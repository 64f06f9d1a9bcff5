"""Conversations: messages made of parts, neutral between providers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle

Meta = Mapping[str, JsonValue]
"""Provider-only data of a part; replayed only to the origin that it came from."""


class Role(StrEnum):
    """Who speaks. Tool results are a message of their own, after the calls."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Text:
    """Words, Markdown where an assistant speaks."""

    text: str
    meta: Meta = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a model thought before it spoke, where it shows that."""

    text: str
    meta: Meta = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model asks for.

    `arguments` is JSON text exactly as the model wrote it, valid or not: it is
    never repaired by guessing; what cannot be parsed goes back as an error result.
    `id` is unique in the conversation and matches `^[a-zA-Z0-9_-]{1,40}$`.
    """

    id: str
    name: str
    arguments: str
    meta: Meta = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered: `content` is the JSON text of a ToolResponse.

    `foreign` names the fields of its data, at any depth, whose text somebody else may
    have written.
    """

    call_id: str
    name: str
    content: str
    is_error: bool = False
    foreign: tuple[str, ...] = ()


Part = Text | Thinking | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The moving part of a request: what is true as the person speaks.

    It goes with the newest user message, is stored with it and replayed as it
    was, so that everything before it stays the same bytes and can be cached.
    `selection` holds (id, title) of the tasks marked in the list.
    """

    now: datetime
    """Naive local wall time, to the minute."""
    zone: str
    """IANA name."""
    open_tasks: int = 0
    overdue_tasks: int = 0
    due_today: int = 0
    selection: tuple[tuple[int, str], ...] = ()
    date_style: DateStyle = field(default_factory=DateStyle)


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `origin` is `provider:model` for those of an assistant."""

    role: Role
    parts: tuple[Part, ...]
    origin: str | None = None
    context: TurnContext | None = None

    @property
    def text(self) -> str:
        """The words of all Text parts, joined as they stand."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls in the order asked."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """The results in the order of their calls."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))


def turn_start(messages: Sequence[Message]) -> int:
    """How many messages there are up to the newest of the user, itself included."""
    for position in range(len(messages), 0, -1):
        if messages[position - 1].role is Role.USER:
            return position
    return 0


class TurnStatus(StrEnum):
    """How a turn stands; the running turn of a dead process becomes interrupted."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
