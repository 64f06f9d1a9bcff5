"""Conversation messages, model requests and stream events, neutral between providers.

Also the Provider protocol and token usage.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

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


MessagePart = Text | Thinking | ToolCall | ToolResult


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
    parts: tuple[MessagePart, ...]
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


def current_turn_length(messages: Sequence[Message]) -> int:
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


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call.

    `input_tokens` includes the cached and those written to a cache, which some
    providers charge more for; `output_tokens` includes the thinking.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    cache_written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Token by token."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.thinking_tokens + other.thinking_tokens,
            self.cache_written_tokens + other.cache_written_tokens,
        )


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; `parameters` is a flat JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    reads_only: bool = False
    """Whether it changes nothing, so that several may run together."""


class ToolMode(StrEnum):
    """Whether the model may, must not or must call a tool."""

    AUTO = "auto"
    NONE = "none"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class NamedTool:
    """The model must call this one tool."""

    name: str


ToolChoice = ToolMode | NamedTool


@dataclass(frozen=True, slots=True)
class Request:
    """One model call. `system` and `tools` are the same bytes from turn to turn.

    Messages are oldest first, open with a user message and are complete: each
    call has its result. Each adapter renders `Message.context` as it sees fit.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = ToolMode.AUTO


class StopReason(StrEnum):
    """Why a model stopped; a stream without one is an error, never an answer."""

    END = "end"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    PAUSED = "paused"
    """The server has had enough for now and goes on when it is sent what it said."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More words of the answer; an empty one only says that the stream goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More words of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """The model has begun to write a call; it runs only after Completed."""

    name: str


class Decider(StrEnum):
    """Who decided on the tool calls of a message."""

    MODEL = "model"
    RULES = "rules"
    """Code of this program, which text in tasks cannot steer."""
    PERSON = "person"
    """The person, in answer to a question about these calls or in so many words."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The whole message, once. `usage` is None where the server reported none.

    `decided_by` is set by providers that are part of this program and never read from
    what a server sends: it decides which calls need approval.
    """

    message: Message
    stop: StopReason
    usage: Usage | None = None
    decided_by: Decider = Decider.MODEL


StreamEvent = TextDelta | ThinkingDelta | ToolCallStarted | Completed


class Provider(Protocol):
    """A model behind one wire format."""

    @property
    def id(self) -> str:
        """The registry's id, such as `groq`."""
        ...

    @property
    def model(self) -> str:
        """The model's name as its server knows it; empty until known."""
        ...

    @property
    def local(self) -> bool:
        """Whether it runs on this machine: it may take longer, and nothing leaves."""
        ...

    def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Send the request once, no retries, and yield events up to one Completed.

        Cancelling the consuming task closes the connection.

        Raises:
            ConsentNeeded: the person has not agreed to its host; nothing was sent.
            ProviderError: anything else than a complete answer.
        """
        ...

    async def aclose(self) -> None:
        """Close idle connections; the provider is not used afterwards."""
        ...


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a server offers."""

    name: str
    context_tokens: int | None = None
    details: Mapping[str, JsonValue] = field(default_factory=dict)
    calls_tools: bool | None = None
    """Whether it can call tools; None where its server does not say."""
