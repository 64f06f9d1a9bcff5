"""What goes to a model and what streams back, neutral between providers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from todo_tui.domain.conversation import Message
from todo_tui.domain.task import JsonValue
from todo_tui.domain.usage import Usage


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
