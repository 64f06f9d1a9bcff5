"""RemoteProvider: sends a request once through a wire format and reads the stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.messages import Request, StreamEvent
from todo_tui.domain.when import NewId, random_id
from todo_tui.providers.base import ChunkStream, Connection, JsonObject, StreamReader, WireFormat
from todo_tui.providers.consent import MaySend, anywhere, require_consent
from todo_tui.providers.errors import server_error_of, to_provider_error
from todo_tui.providers.model_list import first_answering
from todo_tui.providers.server import Server

_TRAILING_CHUNK_SECONDS = 2.0

_END_OF_STREAM = object()


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
        self._id = provider_id
        self._wire = wire
        self._servers = servers
        self._server = replace(servers[0], model=model)
        self._settled = bool(model) and len(servers) == 1
        self._local = local
        self._new_id = new_id
        self._may_send = may_send
        self._has_consent = False
        self._connection = self._connect()

    @property
    def id(self) -> str:
        """Id of the registry row."""
        return self._id

    @property
    def model(self) -> str:
        """Model name as its server knows it; empty until known."""
        return self._server.model

    @property
    def local(self) -> bool:
        """True if it runs on this machine."""
        return self._local

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Send the request once and yield events up to one Completed.

        Cancelling the consuming task closes the connection; so does `aclose()` of
        the iterator.

        Raises:
            ConsentNeeded: the person has not agreed to its host; nothing was sent.
            ProviderError: anything else than a complete answer.
        """
        if not self._has_consent:
            await asyncio.to_thread(require_consent, self._id, self._servers, self._may_send)
            self._has_consent = True
        await self._resolve_server()
        origin = f"{self._id}:{self.model}"
        body = self._wire.body(request, self._server, origin)
        reader = self._wire.reader(request, self._server, origin, self._new_id)
        try:
            async with aclosing(self._events(body, reader)) as events:
                async for event in events:
                    yield event
        except ProviderError as error:
            # A refused or broken answer has its price too.
            error.usage = error.usage or reader.usage
            raise

    async def aclose(self) -> None:
        """Close idle connections; the provider is not used afterwards."""
        await self._connection.close()

    def _connect(self) -> Connection:
        return self._wire.connect(self._server)

    async def _resolve_server(self) -> None:
        """Determine the responding server and its model, unless known."""
        if self._settled:
            return
        server, models = await first_answering(self._servers)
        if not self.model and not models:
            raise server.error(
                ProviderErrorKind.UNKNOWN_MODEL,
                message="{label} has no model yet",
                hint="Load one into the server at {address}.",
            )
        moved = server.endpoint != self._server.endpoint
        self._server = replace(server, model=self.model or models[0].name)
        if moved:
            await self._connection.close()
            self._connection = await asyncio.to_thread(self._connect)
        self._settled = True

    async def _events(self, body: JsonObject, reader: StreamReader) -> AsyncGenerator[StreamEvent]:
        """Yield the events of the answer to a body."""
        try:
            async with aclosing(self._chunks(body)) as chunks:
                async for chunk in chunks:
                    for event in reader.feed(chunk):
                        yield event
                    if reader.is_ended:
                        break
                while (chunk := await _next_trailing_chunk(chunks)) is not _END_OF_STREAM:
                    for event in reader.feed(chunk):
                        yield event
        except ProviderError as error:
            if not reader.is_complete:
                for event in reader.salvage(error):
                    yield event
                return
        for event in reader.finish():
            yield event

    async def _chunks(self, body: JsonObject) -> AsyncGenerator[object]:
        """Yield the chunks of one answer; convert foreign exceptions to ProviderErrors."""
        server = self._server
        # The command for a token may fail when the request is sent.
        errors: tuple[type[Exception], ...] = (*self._connection.transport_errors, Unauthorized)
        try:
            stream = await self._send(body)
            try:
                async with aclosing(_chunks_of(stream, server)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            finally:
                await stream.close()
        except errors as error:
            raise to_provider_error(error, server) from error

    async def _send(self, body: JsonObject) -> ChunkStream:
        """Send the body; retry once with a new token if the server refuses one from a command."""
        try:
            return await self._connection.send(body)
        except self._connection.transport_errors as error:
            credential = self._server.credential
            responded = server_error_of(error) is not None
            refused = to_provider_error(error, self._server).kind is ProviderErrorKind.AUTH
            if not (responded and refused and credential.is_renewable):
                raise
            credential.discard_token()
            return await self._connection.send(body)


async def _next_trailing_chunk(chunks: AsyncGenerator[object]) -> object:
    """Return the next chunk after the end of an answer; _END_OF_STREAM if none comes soon.

    Reading to the end lets the connection carry the next request; some servers keep it open.
    """
    try:
        async with asyncio.timeout(_TRAILING_CHUNK_SECONDS):
            return await anext(chunks, _END_OF_STREAM)
    except TimeoutError:
        return _END_OF_STREAM


async def _chunks_of(stream: ChunkStream, server: Server) -> AsyncGenerator[object]:
    """Yield the chunks of an API's answer; raise for a web page."""
    content_type = stream.response.headers.get("content-type", "")
    if "html" in content_type:
        raise server.error(
            # A retry would get the same page.
            ProviderErrorKind.BAD_REQUEST,
            message="{address} answered with a web page, not as a model API",
            hint="Check the address: set {base_url_variable} to the API's base URL.",
        )
    async for chunk in stream:
        yield chunk
