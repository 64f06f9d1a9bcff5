"""WireFormat, the interface of the wire formats; helpers for payloads that they share."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.errors import ProviderError
from todo_tui.domain.messages import Message, Request, StreamEvent, TurnContext, Usage
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import NewId
from todo_tui.providers.server import Server

# strftime's names follow the process's locale, and would change what was cached.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
JsonObject = dict[str, JsonValue]


def format_context(context: TurnContext) -> str:
    """One line in square brackets: now, counts, and the tasks marked in the list."""
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
    """The words of a user's message, its context line before them."""
    if message.context is None:
        return message.text
    return f"{format_context(message.context)}\n\n{message.text}".rstrip()


class Response(Protocol):
    """An answer of httpx or httpx2 that is being read."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Names in any case."""
        ...


class ChunkStream(Protocol):
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

    send: Callable[[JsonObject], Awaitable[ChunkStream]]
    close: Callable[[], Awaitable[None]]
    transport_errors: tuple[type[Exception], ...]
    """What sending and reading raise when the server or the way to it fails."""


class StreamReader(Protocol):
    """Takes the chunks of one answer; yields its deltas and, at last, the whole message."""

    @property
    def is_ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        ...

    @property
    def is_complete(self) -> bool:
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

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """What reads the answer to that request."""
        ...


def without_keywords(
    schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]
) -> JsonValue:
    """The schema without the keywords; a union with null as its other half alone."""
    if isinstance(schema, list):
        return [without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Below it, keys are parameters' names: one may well be called `title`.
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
