"""What a wire format has to say: one request out as JSON, one streamed answer in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.clock import NewId
from todo_tui.domain.errors import ProviderError
from todo_tui.domain.request import Request, StreamEvent
from todo_tui.domain.task import JsonValue
from todo_tui.domain.usage import Usage
from todo_tui.providers.server import Server

JsonObject = dict[str, JsonValue]


class Response(Protocol):
    """An answer of httpx or httpx2 that is being read."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Names in any case."""
        ...


class Chunks(Protocol):
    """A stream of an SDK: its events or chunks, of whatever type."""

    @property
    def response(self) -> Response:
        """The HTTP response that carries it."""
        ...

    def __aiter__(self) -> AsyncIterator[object]: ...

    async def close(self) -> None:
        """Close the response and its connection."""
        ...


@dataclass(frozen=True, slots=True)
class Connection:
    """An open client: how to send a body, and how to close it."""

    send: Callable[[JsonObject], Awaitable[Chunks]]
    close: Callable[[], Awaitable[None]]
    faults: tuple[type[Exception], ...]
    """What sending and reading raise when the server or the way to it fails."""


class AnswerReader(Protocol):
    """Takes the chunks of one answer; yields its deltas and, at last, the whole message."""

    @property
    def ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        ...

    @property
    def complete(self) -> bool:
        """Whether nothing of the message can be missing, whatever becomes of the stream."""
        ...

    @property
    def usage(self) -> Usage | None:
        """What the server has counted so far; None where it counted nothing."""
        ...

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one chunk; each yields at least one event, so that silence can be told.

        Raises:
            ProviderError: it says that the stream failed.
        """
        ...

    def finish(self) -> Iterator[StreamEvent]:
        """The stream has ended: what was held back, and the one Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        ...

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """The stream failed: what can still be made of it, one Completed at its end.

        Raises:
            ProviderError: nothing; it is the error itself.
        """
        ...


class WireFormat(Protocol):
    """One format, as one server speaks it; says nothing before `connect`, which is slow."""

    def connect(self, server: Server) -> Connection:
        """Import the SDK and build its client; blocks for up to a second.

        Raises:
            ConfigError: the package is missing, or the proxy settings cannot be used.
        """
        ...

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """The request as the server is sent it; `origin` is `provider:model`.

        Provider-only meta of messages is rendered where the message's origin is the same.
        """
        ...

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> AnswerReader:
        """What reads the answer to that request."""
        ...
