"""The openai SDK as the carrier of Responses requests, its events left as JSON."""

from __future__ import annotations

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    told_if_missing,
)
from todo_tui.providers.event_stream import EventStream
from todo_tui.providers.responses.concessions import Concessions
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import Chunks, Connection, JsonObject


def connect(server: Server) -> Connection:
    """Import openai and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with told_if_missing(server):
        # Costs 0.4 to 0.7 s of CPU: paid when the provider is first used.
        import httpx2
        from openai import APIStatusError, AsyncOpenAI, AsyncStream, OpenAIError

        client = AsyncOpenAI(
            api_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx2_client(server),
        )
    concessions = Concessions()

    async def post(body: JsonObject) -> Chunks:
        # By `responses.create` the SDK would import 150 ms of types, check the body
        # against them, and build each event of 60 possible ones: most of a call's CPU.
        stream = await client.post(
            "/responses", cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
        )
        return EventStream(stream.response)

    async def send(body: JsonObject) -> Chunks:
        while True:
            reduced = concessions.reduced(body)
            try:
                return await post(reduced)
            except APIStatusError as error:
                if not concessions.learned(error.status_code, error.body, reduced):
                    raise

    return Connection(
        send, client.close, (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_FAULTS)
    )
