"""Conversation messages, model requests and stream events, neutral between providers.

Also the Provider protocol and token usage.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from operator import add
from typing import Protocol

from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle, NewId

Meta = Mapping[str, JsonValue]
"""Provider-only data of a part; replayed only to its origin."""
RESTATES_STEPS = "restates_steps"
"""Key in the meta of a text that says what the steps of its turn say."""
CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
"""Ids of tool calls that every server accepts."""
LONGEST_TOOL_NAME = 64
"""Characters in the name of a tool that every server accepts."""


class Role(StrEnum):
    """Role of a message. Tool results are a message of their own, after the calls."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Text:
    """Text; Markdown in assistant messages."""

    text: str
    meta: Meta = field(default_factory=dict)

    @property
    def restates_steps(self) -> bool:
        """True if the steps of its turn say the same: where they are shown, it is left out."""
        return self.meta.get(RESTATES_STEPS) is True


@dataclass(frozen=True, slots=True)
class Thinking:
    """Thinking of a model before its answer, where the provider shows it."""

    text: str
    meta: Meta = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Request of the model to run a tool.

    `arguments` is JSON text exactly as the model wrote it, valid or not: it is
    never repaired by guessing; invalid text goes back as an error result.
    `id` is unique in the conversation and matches `^[a-zA-Z0-9_-]{1,40}$`, once the agent has
    the message; before that it is as the server sent it, perhaps empty.
    """

    id: str
    name: str
    arguments: str
    meta: Meta = field(default_factory=dict)


def new_call_id(new_id: NewId) -> str:
    """Return the id of a new call, or of a step in the trace that no model requested."""
    return f"call_{new_id()[:24]}"


def unique_call_id(call_id: str, taken: set[str], new_id: Callable[[], str]) -> str:
    """Return an id that every server accepts: this one, or a new one if malformed or taken.

    The id is added to `taken`.
    """
    while call_id in taken or not CALL_ID.fullmatch(call_id):
        call_id = new_id()
    taken.add(call_id)
    return call_id


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a tool call: `content` is the JSON text of a ToolResponse.

    `foreign` names the fields of its data, at any depth, whose text may come from
    somebody else.
    """

    call_id: str
    name: str
    content: str
    is_error: bool = False
    foreign: tuple[str, ...] = ()
    summary: str = ""
    """What the user sees of a failed call, without the advice of its error."""


MessagePart = Text | Thinking | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class TurnContext:
    """Changing part of a request: what is true when the user writes.

    It goes with the newest user message, is stored with it and replayed unchanged,
    so that everything before it stays byte-identical and can be cached.
    `selection` holds (id, title) of the tasks marked in the list; `foreign` is True if
    others wrote one of the titles.
    """

    now: datetime
    """Naive local wall time, to the minute."""
    zone: str
    """IANA name; empty for a model that is told the day alone, without counts."""
    open_tasks: int = 0
    overdue_tasks: int = 0
    due_today: int = 0
    selection: tuple[tuple[int, str], ...] = ()
    date_style: DateStyle = field(default_factory=DateStyle)
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """Message of a conversation; `origin` is `provider:model` for those of an assistant."""

    role: Role
    parts: tuple[MessagePart, ...]
    origin: str | None = None
    context: TurnContext | None = None

    @property
    def text(self) -> str:
        """All Text parts, concatenated."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def text_beside_steps(self) -> str:
        """Text without the parts that restate the steps of its turn."""
        texts = (part for part in self.parts if isinstance(part, Text))
        return "".join(part.text for part in texts if not part.restates_steps).strip("\n")

    @property
    def thinking(self) -> str:
        """All Thinking parts, concatenated."""
        return "".join(part.text for part in self.parts if isinstance(part, Thinking))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """Tool calls in the order requested."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """Tool results in the order of their calls."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))

    def with_parts(self, parts: tuple[MessagePart, ...]) -> Message:
        """Return the message with these parts; the same object if it has them already."""
        return self if parts == self.parts else replace(self, parts=parts)


def answer_start(messages: Sequence[Message]) -> int:
    """Return the index after the newest user message: what answers it; 0 if there is none."""
    for position in range(len(messages), 0, -1):
        if messages[position - 1].role is Role.USER:
            return position
    return 0


class TurnStatus(StrEnum):
    """Status of a turn; the running turn of a dead process becomes interrupted."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call.

    `input_tokens` includes tokens read from a cache and written to one, which some
    providers charge more for; `output_tokens` includes the thinking.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    cache_written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Add all counts."""
        return Usage(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class UsageSum:
    """Tokens and US dollars of model calls, failed ones included.

    `cost_usd` omits the `unpriced_calls`, whose price is unknown.
    """

    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int

    def plus(self, usage: Usage, cost_usd: float | None) -> UsageSum:
        """Return the sum with one more call; its cost is None if the price is unknown."""
        return UsageSum(
            self.usage + usage,
            self.cost_usd + (cost_usd or 0.0),
            self.unpriced_calls + (cost_usd is None),
            self.model_calls + 1,
        )


NO_USAGE = UsageSum(Usage(), 0.0, 0, 0)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """Tool as offered to the model; `parameters` is a flat JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    reads_only: bool = False
    """True for tools that change nothing, so that several may run together."""


class ToolMode(StrEnum):
    """Permission or obligation of the model to call tools."""

    AUTO = "auto"
    NONE = "none"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class NamedTool:
    """Obligation to call this one tool."""

    name: str


ToolChoice = ToolMode | NamedTool


@dataclass(slots=True)
class Exchange:
    """HTTP request of a model call and its response, without keys; empty until it came."""

    url: str
    request_headers: Mapping[str, str]
    request: str
    """Body as sent."""
    status: int | None = None
    """HTTP status; None without a response."""
    response_headers: Mapping[str, str] = field(default_factory=dict)
    response: str = ""
    """Body as received so far, an event stream as a rule; cut where it is very long."""


@dataclass(frozen=True, slots=True)
class Request:
    """Input of one model call. `system` and `tools` are the same bytes from turn to turn.

    Messages are oldest first, begin with a user message and are complete: each
    call has its result. Each adapter renders `Message.context` as it sees fit.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = ToolMode.AUTO
    exchanges: list[Exchange] | None = field(default=None, compare=False, repr=False)
    """Where a provider records what it sends and receives; None: nowhere."""


class StopReason(StrEnum):
    """Reason why a model stopped; a stream without one is an error, never an answer."""

    END = "end"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    PAUSED = "paused"
    """Pause by the server, which continues when its message is sent back."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Piece of the answer; an empty one only shows that the stream is alive."""

    text: str
    restates_steps: bool = False
    """As in `Text`."""


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """Piece of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """Start of a tool call in the stream; it runs only after Completed."""

    name: str


class Decider(StrEnum):
    """Author of the decision for the tool calls of a message."""

    MODEL = "model"
    RULES = "rules"
    """Code of this program, which text in tasks cannot influence."""
    PERSON = "person"
    """The user, in answer to a question about these calls or explicitly."""


@dataclass(frozen=True, slots=True)
class Completed:
    """End of a stream with the whole message. `usage` is None if the server reported none.

    `decided_by` and `asks` are set by providers that are part of this program and never read
    from what a server sends: they decide which calls need approval.
    """

    message: Message
    stop: StopReason
    usage: Usage | None = None
    decided_by: Decider = Decider.MODEL
    asks: bool = False
    """True if the message ends with a question about changes, and a yes makes them."""


StreamEvent = TextDelta | ThinkingDelta | ToolCallStarted | Completed


class Provider(Protocol):
    """Model behind one wire format."""

    @property
    def id(self) -> str:
        """Id in the registry, such as `groq`."""
        ...

    @property
    def model(self) -> str:
        """Name of the model for its server; empty until known."""
        ...

    @property
    def local(self) -> bool:
        """True for a model on this machine: it may take longer, and no data leaves."""
        ...

    def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Send the request once, without retries, and yield events up to one Completed.

        Cancelling the consuming task closes the connection.

        Raises:
            ConsentNeeded: the user has not agreed to the host; nothing was sent.
            ProviderError: the answer is not complete.
        """
        ...

    async def aclose(self) -> None:
        """Close idle connections; the provider is not used afterwards."""
        ...


def origin_of(provider: Provider) -> str:
    """Return `provider:model`, the origin of messages."""
    return f"{provider.id}:{provider.model}"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Model that a server offers."""

    name: str
    context_tokens: int | None = None
    details: Mapping[str, JsonValue] = field(default_factory=dict)
    calls_tools: bool | None = None
    """True if it can call tools; None if the server does not say."""


def turns_backwards(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    """Yield the messages of each turn, which a user's message begins, the newest turn first."""
    end = len(messages)
    for start in range(end - 1, -1, -1):
        if messages[start].role is Role.USER:
            yield messages[start:end]
            end = start
