"""RemoteProvider: sends a request once through an SDK and reads the body of the response.

Bodies are read raw, as server-sent events of JSON: the SDKs' own iterators drop events without
a name, swallow `[DONE]` and take a body that is not an event stream for an empty one.
"""

import asyncio
import json
from codecs import BOM_UTF8
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import replace
from typing import Any

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.foreign_json import flattened
from todo_tui.domain.messages import Exchange, Request, StreamEvent, origin_of
from todo_tui.providers.errors import server_error_of, to_provider_error
from todo_tui.providers.model_list import first_answering
from todo_tui.providers.server import MaySend, Server, anywhere, require_consent
from todo_tui.providers.transport import connect
from todo_tui.providers.wire_formats.stream_reader import StreamReader
from todo_tui.providers.wire_formats.wire_format import StreamedResponse, WireFormat

_TRAILING_EVENT_SECONDS = 2.0
_END_OF_STREAM = object()
_MAX_STREAM_BYTES = 64_000_000
"""Limit of one answer in bytes, so that an endless stream does not fill the memory."""
_END_MARKER = object()
"""Event that stands for the end marker of OpenAI's stream, which other formats may send too."""
_DONE = b"[DONE]"
_MAX_RECORDED = 1_000_000
"""Limit of the recorded part of a body in bytes."""
_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
"""Decoder that reads NaN and Infinity, which some servers send, as null."""


class RemoteProvider:
    """Model behind any wire format; implements `Provider`.

    Uses the first of several servers that responds. Without a configured model it uses the
    first that the server lists, which is unknown until the first request.
    Construction imports an SDK and blocks for up to a second.
    """

    def __init__(
        self,
        provider_id: str,
        wire: WireFormat,
        servers: tuple[Server, ...],
        *,
        model: str = "",
        local: bool = False,
        may_send: MaySend = anywhere,
    ) -> None:
        self.id = provider_id
        """Id of the registry row."""
        self.local = local
        """True if it runs on this machine."""
        self._wire = wire
        self._servers = servers
        self._server = replace(servers[0], model=model)
        self._settled = bool(model) and len(servers) == 1
        self._may_send = may_send
        self._has_consent = False
        self._connection = connect(wire, self._server)

    @property
    def model(self) -> str:
        """Model name as its server knows it; empty until known."""
        return self._server.model

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Send the request once and yield events up to one Completed.

        Cancelling the consuming task closes the connection; so does `aclose()` of
        the iterator.

        Raises:
            ConsentNeeded: the person has not agreed to its host; nothing was sent.
            ProviderError: anything else than a complete answer.
        """
        if not self._has_consent:
            await asyncio.to_thread(require_consent, self.id, self._servers, self._may_send)
            self._has_consent = True
        await self._resolve_server()
        reader = self._wire.reader(request, self._server, origin_of(self))
        try:
            async with aclosing(self._stream_events(request, reader)) as events:
                async for event in events:
                    yield event
        except ProviderError as error:
            # A refused or broken answer has its price too.
            error.usage = error.usage or reader.usage
            raise

    async def aclose(self) -> None:
        """Close idle connections; the provider is not used afterwards."""
        await self._connection.close()

    async def _resolve_server(self) -> None:
        if self._settled:
            return
        server, models = await first_answering(self._servers)
        if not self.model and not models:
            raise server.error(
                ProviderErrorKind.UNKNOWN_MODEL,
                message="{label} has no model yet",
                hint="Load a model into the server at {address}.",
            )
        moved = server.endpoint != self._server.endpoint
        self._server = replace(server, model=self.model or models[0].name)
        if moved:
            await self._connection.close()
            self._connection = await asyncio.to_thread(connect, self._wire, self._server)
        self._settled = True

    async def _stream_events(
        self, request: Request, reader: StreamReader
    ) -> AsyncGenerator[StreamEvent]:
        try:
            async with aclosing(self._sent_events(request)) as sent:
                while (event := await _next_event(sent, reader)) is not _END_OF_STREAM:
                    if event is _END_MARKER:
                        reader.is_ended = reader.has_end_marker = True
                        continue
                    for each in reader.read(event):
                        yield each
        except ProviderError as error:
            if not reader.is_complete:
                for each in reader.salvage(error):
                    yield each
                return
        for each in reader.finish():
            yield each

    async def _sent_events(self, request: Request) -> AsyncGenerator[object]:
        """Yield what the server sends, as JSON; convert foreign exceptions to ProviderErrors."""
        server = self._server
        # The command for a token may fail when the request is sent.
        errors: tuple[type[Exception], ...] = (*self._connection.transport_errors, Unauthorized)
        try:
            async with AsyncExitStack() as stack:
                sent = await self._send(request, stack)
                response, exchange = sent.http_response, None
                if request.exchanges is not None:
                    exchange = _recorded_exchange(server, response)
                    request.exchanges.append(exchange)
                if "html" in response.headers.get("content-type", ""):
                    raise server.error(
                        # A retry would get the same page.
                        ProviderErrorKind.BAD_REQUEST,
                        message="{address} returned a web page instead of a model API",
                        hint="Check the address: set {base_url_variable} to the API's base URL.",
                    )
                pieces: AsyncGenerator[bytes] = response.aiter_bytes()
                # Closed in the reverse order, no generator is left to the event loop.
                stack.push_async_callback(pieces.aclose)
                if exchange is not None:
                    pieces = _recorded_pieces(pieces, exchange, server)
                    stack.push_async_callback(pieces.aclose)
                events = await stack.enter_async_context(aclosing(_read_events(pieces)))
                stack.push_async_callback(response.aclose)
                async for event in events:
                    yield event
        except errors as error:
            raise to_provider_error(error, server) from error

    async def _send(self, request: Request, stack: AsyncExitStack) -> StreamedResponse:
        """Send the request; again with a new token or fewer fields if the server refuses some."""
        credential, renewed = self._server.credential, False
        while True:
            body = self._wire.body(request, self._server, origin_of(self))
            try:
                return await stack.enter_async_context(self._connection.send(body))
            except self._connection.transport_errors as error:
                if request.exchanges is not None:
                    response = getattr(error, "response", None)
                    request.exchanges.append(_recorded_exchange(self._server, response, error))
                if (sent := server_error_of(error)) is None:
                    raise
                if self._wire.records_refusal(sent.status, getattr(error, "body", None), body):
                    continue
                refused = to_provider_error(error, self._server).kind is ProviderErrorKind.AUTH
                if renewed or not refused or not credential.is_renewable:
                    raise
                credential.discard_token()
                renewed = True


async def _next_event(events: AsyncGenerator[object], reader: StreamReader) -> object:
    """Return the next event; _END_OF_STREAM if none comes soon after the end of the answer.

    Reading to the end lets the connection carry the next request; some servers keep it open.
    """
    try:
        async with asyncio.timeout(_TRAILING_EVENT_SECONDS if reader.is_ended else None):
            return await anext(events, _END_OF_STREAM)
    except TimeoutError:
        return _END_OF_STREAM


async def _read_events(pieces: AsyncIterator[bytes]) -> AsyncGenerator[object]:
    """Yield the data of each event as a JSON value; a body of bare JSON counts as one.

    The end marker is yielded as _END_MARKER. Data after it is read and dropped, so that the
    connection can be reused.

    Raises:
        ValueError: an event holds no JSON, or its end does not come.
    """
    event: list[bytes] = []
    rest: list[bytes] = []
    ended = False
    async with aclosing(_lines(pieces)) as lines:
        async for line in lines:
            if ended:
                continue
            field, _, value = line.removeprefix(BOM_UTF8).partition(b":")
            ended = field == b"data" and value.strip() == _DONE
            if ended or not line:
                for parsed in _parse(event):
                    yield parsed
                event.clear()
            elif field == b"data":
                event.append(value)
            elif field not in (b"", b"event", b"id", b"retry"):
                rest.append(line)
            if ended:
                yield _END_MARKER
    for left in (event, rest):
        for parsed in _parse(left):
            yield parsed


def _parse(lines: list[bytes]) -> Iterator[object]:
    data = b"\n".join(lines).strip()
    if data:
        yield _DECODER.decode(flattened(data.decode("utf-8-sig")))


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines of a body without line ends, multi-byte characters intact.

    Only a newline ends one: the SDKs' own readers also cut JSON at U+2028.
    """
    partial: list[bytes] = []
    length = 0
    async for piece in pieces:
        length += len(piece)
        if length > _MAX_STREAM_BYTES:
            raise json.JSONDecodeError(f"an answer of more than {_MAX_STREAM_BYTES:,} bytes", "", 0)
        first, *more = piece.split(b"\n")
        partial.append(first)
        for following in more:
            yield b"".join(partial).rstrip(b"\r")
            partial = [following]
    if any(partial):
        yield b"".join(partial)


def _recorded_exchange(
    server: Server,
    response: Any,  # noqa: ANN401 - of either HTTP stack
    error: Exception | None = None,
) -> Exchange:
    """Return the request and response without keys; the body only of an error, which was read.

    `response` is None if there was none.
    """
    exchange = Exchange(server.endpoint.url, {}, "")
    # The HTTP clients raise where an error has no request, or a body has not been read.
    with suppress(RuntimeError):
        sent = getattr(error if response is None else response, "request", None)
        if sent is not None:
            exchange.url = f"{sent.method} {sent.url}"
            exchange.request_headers = _redacted(sent.headers, server)
            exchange.request = server.redact(sent.content.decode("utf-8", "replace"))
    if response is not None:
        exchange.status = response.status_code
        exchange.response_headers = _redacted(response.headers, server)
        if error is not None:
            with suppress(RuntimeError):
                exchange.response = server.redact(response.text[:_MAX_RECORDED])
    return exchange


async def _recorded_pieces(
    pieces: AsyncGenerator[bytes], exchange: Exchange, server: Server
) -> AsyncGenerator[bytes]:
    """Yield the pieces of a body; record them when no more are read."""
    body = bytearray()
    try:
        async for piece in pieces:
            body += piece[: max(_MAX_RECORDED - len(body), 0)]
            yield piece
    finally:
        exchange.response = server.redact(body.decode("utf-8", "replace"))


def _redacted(headers: Mapping[str, str], server: Server) -> dict[str, str]:
    """Return the headers without keys and cookies."""
    return {name: server.redact(value) for name, value in headers.items() if name != "set-cookie"}
