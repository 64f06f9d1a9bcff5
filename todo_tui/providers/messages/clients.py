"""The anthropic SDK as what carries the Messages format."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    told_if_missing,
)
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import Chunks, Connection, JsonObject, Response

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncStream

_NO_JSON = "[DONE]"
"""What servers that also speak another format may end a stream with."""


def connect_anthropic(server: Server) -> Connection:
    """Import anthropic and build its client; blocks for one or two seconds.

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
        messages = client.messages

    async def send(body: JsonObject) -> Chunks:
        # The body holds all of these; by their names the SDK would only find cause to warn.
        stream = await messages.create(
            model="", max_tokens=0, messages=(), stream=True, extra_body=body
        )
        return _Events(stream, AsyncStream.raw_events)

    return Connection(
        send, client.close, (AnthropicError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_FAULTS)
    )


class _Events:
    """The events of a stream as JSON; the SDK's own iterator keeps the pings to itself."""

    def __init__(
        self,
        stream: AsyncStream[Any],
        raw_events: Callable[[httpx2.Response], AsyncIterator[Any]],
    ) -> None:
        self._stream = stream
        self._raw_events = raw_events

    @property
    def response(self) -> Response:
        """The HTTP response that carries them."""
        return self._stream.response

    async def __aiter__(self) -> AsyncIterator[object]:
        async for event in self._raw_events(self._stream.response):
            if event.data and event.data != _NO_JSON:
                yield event.json()

    async def close(self) -> None:
        """Close the response and its connection."""
        await self._stream.close()
