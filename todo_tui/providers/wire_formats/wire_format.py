"""Wire format: interface of a server's protocol, and what all protocols send in the same way."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.dates.text import weekday_name
from todo_tui.domain.messages import (
    Message,
    NamedTool,
    Request,
    ToolChoice,
    ToolMode,
    TurnContext,
)
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.json_values import JsonObject
from todo_tui.providers.server import Server
from todo_tui.providers.traits import ModelTraits
from todo_tui.providers.wire_formats.stream_reader import StreamReader

PLACEHOLDER_KEY = "none"
"""Key given to SDKs, which else take one from the environment; the real one is set on each request
when it is sent."""


class StreamedResponse(Protocol):
    """Response of an SDK's `with_streaming_response`."""

    @property
    def http_response(self) -> Any:  # noqa: ANN401 - of either HTTP stack
        """Response of the HTTP client, httpx2 or httpx, whose body has not been read.

        It is read in place of the SDK's `iter_bytes()`, which leaves a generator to the
        event loop when a stream is left early.
        """


Send = Callable[[JsonObject], AbstractAsyncContextManager[StreamedResponse]]
"""Function that sends a request body; the response is open inside the context.

It calls an SDK's `with_streaming_response.create` with the whole body as `extra_body`, which
replaces the arguments that the SDK requires. As arguments, the fields would be copied and checked
against the SDK's types: 10 ms of CPU for 50 messages of chat, 28 ms of Responses.
"""


@dataclass(frozen=True, slots=True)
class Connection:
    """Open client of an SDK: sends a request body, and can be closed."""

    send: Send
    close: Callable[[], Awaitable[None]]
    transport_errors: tuple[type[Exception], ...]
    """Exceptions of sending and reading when the server or the network fails; of a format's
    client only the base class of the SDK's own."""


@dataclass(slots=True, eq=False)
class WireFormat(ABC):
    """Protocol of one server."""

    settings: ProviderSettings
    """The user's settings for one provider."""

    extra: ClassVar[str] = ""
    """Extra of todo-tui that installs its SDK; empty: none."""

    @property
    def http_stack(self) -> str:
        """Package of the HTTP client that its SDK takes: `httpx2`, or `httpx` for Groq's."""
        return "httpx2"

    @abstractmethod
    def open_client(self, url: str, http: Any) -> Connection:  # noqa: ANN401 - of either HTTP stack
        """Import the SDK and build its client on that HTTP client; blocks for up to a second."""

    @abstractmethod
    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render a request body; `origin` is `provider:model`.

        Provider-only meta of messages is rendered where the message's origin is the same.
        """

    @abstractmethod
    def reader(self, request: Request, server: Server, origin: str) -> StreamReader:
        """Return a reader for the answer to that request."""

    def records_refusal(self, status: int, error: object, body: JsonObject) -> bool:
        """Note an optional field that the server refuses; return True if a new body lacks it."""
        return False


def accepted_tool_choice(choice: ToolChoice, traits: ModelTraits) -> ToolChoice | None:
    """Return the tool choice to send; None for the default, or if the model cannot be forced."""
    forced = choice is ToolMode.REQUIRED or isinstance(choice, NamedTool)
    return None if choice is ToolMode.AUTO or (forced and not traits.forced_choice) else choice


def format_context(context: TurnContext) -> str:
    """Return one line in square brackets: time, counts, and the tasks selected in the list."""
    now = context.now
    # A name from strftime would follow the process's locale and miss the provider's cache.
    day = f"{weekday_name(now.weekday())} {now:%Y-%m-%d}"
    counts = (context.open_tasks, context.overdue_tasks, context.due_today)
    facts = [
        f"Now: {day} {now:%H:%M}, {context.zone}",
        "{} open, {} overdue, {} due today".format(*counts),
    ]
    if context.date_style.day_first:
        facts.append("dates are written day first")
    if context.selection:
        marked = ", ".join(
            f"#{task_id} {json.dumps(title, ensure_ascii=False)}"
            for task_id, title in context.selection
        )
        facts.append(f"selected: {marked}")
    return f"[{'; '.join(facts)}]"


def user_text(message: Message) -> str:
    """Return the text of a user's message, preceded by its context line."""
    text = message.text
    if message.context is not None:
        text = f"{format_context(message.context)}\n\n{text}".rstrip()
    return repair_surrogates(text)
