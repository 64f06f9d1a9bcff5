"""The SDK that carries Gemini's own protocol, google-genai, and the stream that it opens."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import quote

from todo_tui.providers.clients import (
    DECODING_FAULTS,
    PLACEHOLDER,
    httpx2_client,
    told_if_missing,
)
from todo_tui.providers.event_stream import EventStream
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import Chunks, Connection, JsonObject

if TYPE_CHECKING:
    # Loaded with the SDK, when the provider is first used.
    import httpx2
    from google.genai import Client

_VERSION = "v1beta"


def connect_genai(server: Server) -> Connection:
    """Import google-genai and build its client; blocks for up to a second.

    Requests go through the method that the SDK's own calls use. The stream is read
    here: `generate_content_stream` can neither be closed nor kept from asking again,
    and fails at calls and errors that are not as its models have them.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with told_if_missing(server, extra="gemini"):
        # Costs half a second of CPU: paid when the provider is first used.
        import httpx2
        from google.genai.errors import APIError

        http = httpx2_client(server)
        client = _genai_client(server, http)
    opened: ContextVar[httpx2.Response] = ContextVar("opened")

    async def keep(response: httpx2.Response) -> None:
        opened.set(response)

    async def wait_as_told(request: httpx2.Request) -> None:
        # The SDK knows one time limit for everything, and otherwise asks for none.
        request.extensions["timeout"] = http.timeout.as_dict()

    http.event_hooks["request"].append(wait_as_told)
    http.event_hooks["response"].append(keep)

    async def send(body: JsonObject) -> Chunks:
        fields: dict[str, object] = {**body}
        path = f"{_resource(str(fields.pop('model')))}:streamGenerateContent?alt=sse"
        await client._api_client.async_request_streamed("post", path, fields)
        return EventStream(opened.get())

    async def close() -> None:
        await http.aclose()
        client.close()

    return Connection(
        send, close, (APIError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_FAULTS)
    )


def _genai_client(server: Server, http: httpx2.AsyncClient) -> Client:
    """Everything is said, so that no variable of the environment is heard."""
    import ssl

    from google.genai import Client
    from google.genai.client import DebugConfig
    from google.genai.types import HttpOptions

    # For clients of the SDK that are never used: loading certificates costs 20 ms each.
    trusting_nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return Client(
        api_key=PLACEHOLDER,
        enterprise=False,
        debug_config=DebugConfig(client_mode="", replays_directory="", replay_id=""),
        http_options=HttpOptions(
            base_url=server.endpoint.url,
            api_version=_VERSION,
            httpx_async_client=http,
            client_args={"verify": trusting_nobody, "trust_env": False},
            async_client_args={"ssl": trusting_nobody},
        ),
    )


def _resource(model: str) -> str:
    """Where the model is, after the version: `models/gemini-3.5-flash-lite`."""
    named = model.startswith(("models/", "tunedModels/"))
    return quote(model if named else f"models/{model}")
