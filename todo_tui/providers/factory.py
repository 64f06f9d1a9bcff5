"""Opening of providers, and RemoteProvider: sends a request once and reads the stream."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.messages import (
    Provider,
    Request,
    StreamEvent,
    origin_of,
)
from todo_tui.domain.when import NewId, random_id
from todo_tui.providers.base import StreamedResponse, StreamReader, WireFormat
from todo_tui.providers.chat import DIALECTS, ChatFormat, dialect_of
from todo_tui.providers.errors import server_error_of, to_provider_error
from todo_tui.providers.gemini import GeminiFormat
from todo_tui.providers.messages import MessagesFormat
from todo_tui.providers.readiness import first_answering
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.responses import ResponsesFormat
from todo_tui.providers.scripted import ScriptedProvider, demo_round
from todo_tui.providers.server import MaySend, Server, anywhere, require_consent, servers_of
from todo_tui.providers.transport import (
    END_MARKER,
    connect,
    preload_http_stack,
    read_events,
    recorded_exchange,
    recorded_pieces,
)

_TRAILING_EVENT_SECONDS = 2.0
_END_OF_STREAM = object()
_FORMATS: dict[Wire, Callable[[ProviderSettings], WireFormat]] = {
    Wire.RESPONSES: ResponsesFormat,
    Wire.MESSAGES: MessagesFormat,
    Wire.GEMINI: GeminiFormat,
}
"""Wire formats without dialects."""


def open_provider(
    row: ProviderRow,
    settings: ProviderSettings,
    *,
    new_id: NewId = random_id,
    may_send: MaySend = anywhere,
) -> Provider:
    """Build the provider of a row; requests are sent later, and only where `may_send` allows it.

    Imports an SDK, which takes up to a second: call it off the event loop.

    Raises:
        Unauthorized: it needs a key and there is none.
        ConfigError: its address cannot be used, or a package is missing.
    """
    if row.wire is Wire.OFFLINE:
        # Its grammar costs more than all wire formats together.
        from todo_tui.providers.offline.assistant import BuiltInAssistant

        return BuiltInAssistant(new_id)
    if row.wire is Wire.SCRIPTED:
        return ScriptedProvider(demo_round)
    if row.needs_key and not settings.has_key:
        raise Unauthorized(f"{row.label} needs an API key.", hint=row.setup)
    servers = servers_of(row, settings)
    return RemoteProvider(
        row.id,
        wire_format(row, settings),
        servers,
        model=settings.model or row.default_model,
        local=not row.remote and all(server.endpoint.is_near for server in servers),
        new_id=new_id,
        may_send=may_send,
    )


def wire_format(row: ProviderRow, settings: ProviderSettings) -> WireFormat:
    """Return the wire format of a row that has a network.

    Raises:
        ConfigError: its address cannot be used.
    """
    if row.wire in _FORMATS:
        return _FORMATS[row.wire](settings)
    host = servers_of(row, settings)[0].endpoint.host
    return ChatFormat(settings, dialect_of(row.id, host))


def preload_http_stack_of(row: ProviderRow) -> None:
    """Import the HTTP stack of the row's SDK, but not the SDK; blocks.

    SDKs load it with their first client, where a person waits for it.
    """
    if row.base_url:
        dialect = DIALECTS.get(row.id)
        preload_http_stack(dialect.http_stack if dialect else "httpx2")


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
        new_id: NewId = random_id,
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
        self._new_id = new_id
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
        reader = self._wire.reader(request, self._server, origin_of(self), self._new_id)
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
                    if event is END_MARKER:
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
                    exchange = recorded_exchange(server, response)
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
                    pieces = recorded_pieces(pieces, exchange, server)
                    stack.push_async_callback(pieces.aclose)
                events = await stack.enter_async_context(aclosing(read_events(pieces)))
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
                    request.exchanges.append(recorded_exchange(self._server, response, error))
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
