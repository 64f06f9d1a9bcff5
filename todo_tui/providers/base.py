"""Interface of the wire formats, and helpers for payloads that they share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    Request,
    Role,
    StreamEvent,
    TextDelta,
    TurnContext,
    Usage,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import NewId
from todo_tui.providers.errors import parse_error_body, provider_error_from
from todo_tui.providers.server import Server

# Names from strftime would follow the process's locale and miss the provider's cache.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
JsonObject = dict[str, JsonValue]


def format_context(context: TurnContext) -> str:
    """Return one line in square brackets: time, counts, and the tasks selected in the list."""
    now = context.now
    counts = (context.open_tasks, context.overdue_tasks, context.due_today)
    facts = [
        f"Now: {_WEEKDAYS[now.weekday()]} {now:%Y-%m-%d %H:%M}, {context.zone}",
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
    if message.context is None:
        return message.text
    return f"{format_context(message.context)}\n\n{message.text}".rstrip()


class Response(Protocol):
    """HTTP response of httpx or httpx2 that is being read."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers, with case-insensitive names."""
        ...


class ChunkStream(Protocol):
    """Stream of an SDK: its events or chunks, of any type."""

    @property
    def response(self) -> Response:
        """HTTP response that carries the stream."""
        ...

    def __aiter__(self) -> AsyncIterator[object]: ...

    async def close(self) -> None:
        """Close the response and its connection."""
        ...


@dataclass(frozen=True, slots=True)
class Connection:
    """Open client: sends a request body, and can be closed."""

    send: Callable[[JsonObject], Awaitable[ChunkStream]]
    close: Callable[[], Awaitable[None]]
    transport_errors: tuple[type[Exception], ...]
    """Exceptions of sending and reading when the server or the network fails."""


class StreamReader(ABC):
    """Reader of one streamed answer: yields deltas, then Completed with the whole message."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        self._request = request
        self._server = server
        self._origin = origin
        self._new_id = new_id
        self._call_ids = {call.id for message in request.messages for call in message.tool_calls}
        self._usage: Usage | None = None

    @property
    @abstractmethod
    def is_ended(self) -> bool:
        """True once the model has ended its message; only usage may still come."""

    @property
    def is_complete(self) -> bool:
        """True once no part of the message can be missing, even if the stream breaks."""
        return self.is_ended

    @property
    def usage(self) -> Usage | None:
        """Tokens reported so far; None if the server reported none."""
        return self._usage

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one chunk, or a list of them; yield at least one event.

        An empty delta stands for a chunk without visible content, so that the stream does
        not count as silent.

        Raises:
            ProviderError: the chunk says that the stream failed.
        """
        chunks = chunk if isinstance(chunk, list) else [chunk]
        events = [event for each in chunks for event in self._read(each)]
        yield from events or (TextDelta(""),)

    @abstractmethod
    def _read(self, chunk: object) -> Iterator[StreamEvent]: ...

    @abstractmethod
    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield text that was held back, then Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Recover a message from a failed stream, if possible; yield Completed last.

        Raises:
            ProviderError: the error itself, if nothing can be recovered.
        """
        raise error

    def _sent_error(self, error: object) -> ProviderError:
        """Convert an error that the stream contains."""
        return provider_error_from(
            parse_error_body(error, headers={}), self._server, detail=str(error)
        )

    def _check_answered(self) -> None:
        """Raise for an empty answer to a user message; after tool results it is allowed."""
        if self._request.messages and self._request.messages[-1].role is Role.USER:
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )


class WireFormat(Protocol):
    """Protocol of one server."""

    def connect(self, server: Server) -> Connection:
        """Import the SDK and build its client; blocks for up to a second.

        Raises:
            ConfigError: the package is missing, or the proxy settings cannot be used.
        """
        ...

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render a request body; `origin` is `provider:model`.

        Provider-only meta of messages is rendered where the message's origin is the same.
        """
        ...

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """Return a reader for the answer to that request."""
        ...


def without_keywords(
    schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]
) -> JsonValue:
    """Return the schema without the keywords, and optional types without null."""
    if isinstance(schema, list):
        return [without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Keys below are names of parameters, one of which may be called `title`.
            kept[key] = {name: without_keywords(each, dropped) for name, each in value.items()}
        elif key == "anyOf" and isinstance(value, list) and len(_not_null(value)) == 1:
            kept |= _object(without_keywords(_not_null(value)[0], dropped))
        elif key not in dropped:
            kept[key] = without_keywords(value, dropped)
    return kept


def _not_null(options: Iterable[JsonValue]) -> list[JsonValue]:
    return [option for option in options if option != {"type": "null"}]


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
