"""Providers that speak the OpenAI chat format: Groq, Gemini, Ollama and local servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace

from todo_tui.domain.clock import NewId, random_id
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.request import Request, StreamEvent, ToolCallStarted
from todo_tui.providers.chat_answer import AnswerReader
from todo_tui.providers.chat_payload import ChatPayload, chat_payload
from todo_tui.providers.connection import Chunks, Connection, connect
from todo_tui.providers.dialects import Dialect
from todo_tui.providers.failures import complaint_of, failure
from todo_tui.providers.model_list import first_answering
from todo_tui.providers.printed_answer import PrintedAnswer
from todo_tui.providers.printed_calls import CallReader, PrintedCall
from todo_tui.providers.server import Server


class OpenAIChatProvider:
    """A model behind the OpenAI chat format; implements `Provider`.

    Of several servers the first that answers is used. Where no model is named, it
    is the first that the server lists; until the first request it is unknown then.
    Building one imports an SDK and blocks for up to a second.
    """

    def __init__(
        self,
        provider_id: str,
        dialect: Dialect,
        servers: tuple[Server, ...],
        *,
        model: str = "",
        local: bool = False,
        new_id: NewId = random_id,
    ) -> None:
        self._id = provider_id
        self._dialect = dialect
        self._servers = servers
        self._server = replace(servers[0], model=model)
        self._settled = bool(model) and len(servers) == 1
        self._local = local
        self._new_id = new_id
        self._connection = self._connect()

    @property
    def id(self) -> str:
        """The registry's id."""
        return self._id

    @property
    def model(self) -> str:
        """The model's name as its server knows it; empty until known."""
        return self._server.model

    @property
    def local(self) -> bool:
        """Whether it runs on this machine."""
        return self._local

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Send the request once and yield events up to one Completed.

        Cancelling the consuming task closes the connection; so does `aclose()` of
        the iterator.

        Raises:
            ProviderError: anything else than a complete answer.
        """
        await self._settle()
        origin = f"{self._id}:{self.model}"
        payload = chat_payload(request, self._dialect, origin)
        answer = AnswerReader(request, self._dialect, self._server, self._new_id)
        try:
            async with aclosing(self._chunks(payload)) as chunks:
                async for chunk in chunks:
                    for event in answer.feed(chunk):
                        yield event
        except ProviderError as error:
            rescued = _rescued_calls(error, request)
            if not rescued:
                raise
            for call in rescued:
                yield ToolCallStarted(call.name)
            yield answer.rescued(rescued, origin)
            return
        for event in answer.finish(origin):
            yield event

    async def aclose(self) -> None:
        """Close idle connections; the provider is not used afterwards."""
        await self._connection.close()

    def _connect(self) -> Connection:
        return connect(self._dialect.sdk, self._server.endpoint, self._server.key)

    async def _settle(self) -> None:
        """Find out which server answers and which model it has, if that is not known."""
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

    async def _chunks(self, payload: ChatPayload) -> AsyncGenerator[object]:
        """The chunks of one answer, foreign exceptions as ProviderErrors."""
        connection, server = self._connection, self._server
        try:
            stream = await connection.send(payload, server.model)
            try:
                async for chunk in _chunks_of(stream, server):
                    yield chunk
            finally:
                await stream.close()
        except connection.faults as error:
            raise failure(error, server) from error


async def _chunks_of(stream: Chunks, server: Server) -> AsyncIterator[object]:
    """The stream's chunks, or its body as one where the server did not stream."""
    content_type = stream.response.headers.get("content-type", "")
    if "html" in content_type:
        raise server.error(
            # Asked again, it would send the page again.
            ProviderErrorKind.BAD_REQUEST,
            message="{address} answered with a web page, not as a model API",
            hint="Check the address: set {base_url_variable} to the API's base URL.",
        )
    if "application/json" in content_type:
        yield json.loads(await stream.response.aread())
        return
    async for chunk in stream:
        yield chunk


def _rescued_calls(error: ProviderError, request: Request) -> tuple[PrintedCall, ...]:
    """The calls that a model wrote and Groq could not read (`tool_use_failed`)."""
    complaint = complaint_of(error.__cause__) if error.__cause__ else None
    if complaint is None or not complaint.failed_generation:
        return ()
    answer = PrintedAnswer(CallReader(request.tools, any_name=True))
    for _ in (*answer.feed(complaint.failed_generation), *answer.finish()):
        pass
    return tuple(answer.calls)
