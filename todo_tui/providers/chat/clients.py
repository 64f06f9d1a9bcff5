"""The two SDKs that carry the OpenAI chat format: openai, and groq on an HTTP stack of its own."""

from __future__ import annotations

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    httpx_client,
    told_if_missing,
)
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
        from openai import AsyncOpenAI, OpenAIError

        client = AsyncOpenAI(
            api_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx2_client(server),
        )
        completions = client.chat.completions

    async def send(body: JsonObject) -> Chunks:
        return await completions.create(
            model=str(body["model"]), messages=(), stream=True, extra_body=body
        )

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
        import httpx
        from groq import AsyncGroq, GroqError

        client = AsyncGroq(
            api_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx_client(server),
        )
        completions = client.chat.completions

    async def send(body: JsonObject) -> Chunks:
        return await completions.create(
            model=str(body["model"]), messages=(), stream=True, extra_body=body
        )

    return Connection(
        send, client.close, (GroqError, httpx.HTTPError, httpx.InvalidURL, *DECODING_FAULTS)
    )
