"""The two SDKs that carry the OpenAI chat format: openai, and groq on an HTTP stack of its own."""

from __future__ import annotations

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    httpx_client,
    load_httpx,
    told_if_missing,
)
from todo_tui.providers.event_stream import EventStream
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import Chunks, Connection, JsonObject


def connect_openai(server: Server) -> Connection:
    """Import openai and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with told_if_missing(server):
        # Costs 0.4 to 0.7 s of CPU: paid when the provider is first used.
        import httpx2
        from openai import AsyncOpenAI, AsyncStream, OpenAIError

        client = AsyncOpenAI(
            api_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx2_client(server),
        )

    async def send(body: JsonObject) -> Chunks:
        # By `completions.create` the SDK would check the body and build each chunk
        # against its types: most of a call's CPU.
        stream = await client.post(
            "/chat/completions",
            cast_to=object,
            body=body,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return EventStream(stream.response)

    return Connection(
        send, client.close, (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_FAULTS)
    )


def connect_groq(server: Server) -> Connection:
    """Import groq and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with told_if_missing(server):
        # A second HTTP stack and SDK: paid when Groq is first used.
        load_httpx()
        import httpx
        from groq import AsyncGroq, AsyncStream, GroqError

        client = AsyncGroq(
            api_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx_client(server),
        )

    async def send(body: JsonObject) -> Chunks:
        # As above.
        stream = await client.post(
            "/openai/v1/chat/completions",
            cast_to=object,
            body=body,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return EventStream(stream.response)

    return Connection(
        send, client.close, (GroqError, httpx.HTTPError, httpx.InvalidURL, *DECODING_FAULTS)
    )
