"""The anthropic SDK as what carries the Messages format."""

from __future__ import annotations

import json

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    told_if_missing,
)
from todo_tui.providers.event_stream import EventStream
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import Chunks, Connection, JsonObject


def connect_anthropic(server: Server) -> Connection:
    """Import anthropic and build its client; blocks for one or two seconds.

    The stream is read here: the SDK's own iterator keeps the pings to itself, which
    are all that is heard of a model that thinks for long.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with told_if_missing(server):
        # Costs over a second of CPU, no part of it can be had alone: paid when first used.
        import httpx2
        from anthropic import AnthropicError, AsyncAnthropic, AsyncStream

        client = AsyncAnthropic(
            # Each of these, given, is one that the SDK does not look for in the environment.
            api_key=PLACEHOLDER,
            webhook_key=PLACEHOLDER,
            base_url=server.endpoint.url,
            open_telemetry=False,
            max_retries=0,
            http_client=httpx2_client(server),
        )

    async def send(body: JsonObject) -> Chunks:
        # By `messages.create` the SDK would copy the body node by node first.
        stream = await client.post(
            "/v1/messages",
            cast_to=object,
            content=json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode(),
            options={"headers": {"Content-Type": "application/json"}},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return EventStream(stream.response)

    return Connection(
        send, client.close, (AnthropicError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_FAULTS)
    )
