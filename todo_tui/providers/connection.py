"""Clients of the SDKs that speak the OpenAI chat format, made so that they keep to us.

No SDK reads a variable of its own here: not for keys, organisations or extra
headers (`OPENAI_ORG_ID`, `OPENAI_CUSTOM_HEADERS`, `GROQ_BASE_URL`, …). No client
retries or follows a redirect.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret
from todo_tui.providers.chat_payload import ChatPayload
from todo_tui.providers.dialects import Sdk
from todo_tui.providers.endpoint import Endpoint

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 900.0
"""A net under the agent, which gives up on a silent stream long before."""
_WRITE_SECONDS = 60.0

_SENT_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
    }
)
_USER_AGENT = "todo-tui"
_DECODING_FAULTS = (OSError, ValueError, RecursionError)
"""What SDKs let through as it is: broken JSON or UTF-8 in a chunk, a lost connection."""
_PLACEHOLDER = "none"
"""The key that SDKs are given; the real one is put on each request as it leaves."""


class _Outgoing(Protocol):
    """A request of httpx or httpx2 that is about to leave."""

    @property
    def headers(self) -> MutableMapping[str, str]: ...


class _Response(Protocol):
    """An answer of httpx or httpx2 that is being read."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    async def aread(self) -> bytes: ...


class Chunks(Protocol):
    """A stream of either SDK."""

    @property
    def response(self) -> _Response:
        """The HTTP response that carries it."""
        ...

    def __aiter__(self) -> AsyncIterator[object]: ...

    async def close(self) -> None:
        """Close the response and its connection."""
        ...


@dataclass(frozen=True, slots=True)
class Connection:
    """An open client: how to send a payload to a model, and how to close it."""

    send: Callable[[ChatPayload, str], Awaitable[Chunks]]
    close: Callable[[], Awaitable[None]]
    faults: tuple[type[Exception], ...]
    """What sending and reading raise when the server or the way to it fails."""


def connect(sdk: Sdk, endpoint: Endpoint, key: Secret | None) -> Connection:
    """Import the SDK and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    build = {Sdk.OPENAI: _openai, Sdk.GROQ: _groq}[sdk]
    try:
        return build(endpoint, key)
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"The Python package {error.name} is missing.",
            hint="Install todo-tui again, with its dependencies.",
        ) from error
    except (ImportError, ValueError) as error:
        raise ConfigError(
            f"No client can be made for {endpoint.address}.",
            hint="Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.",
        ) from error


def _openai(endpoint: Endpoint, key: Secret | None) -> Connection:
    # Costs 0.4 to 0.7 s of CPU: paid when the provider is first used.
    import httpx2
    from openai import AsyncOpenAI, OpenAIError

    http = httpx2.AsyncClient(
        timeout=httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS, write=_WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms, and plain HTTP has no use for them.
        verify=endpoint.scheme == "https",
        trust_env=not endpoint.near,
        event_hooks={"request": [_header_guard(key)]},
    )
    client = AsyncOpenAI(
        api_key=_PLACEHOLDER, base_url=endpoint.url, max_retries=0, http_client=http
    )
    completions = client.chat.completions

    async def send(payload: ChatPayload, model: str) -> Chunks:
        return await completions.create(
            model=model,
            messages=(),
            stream=True,
            stream_options={"include_usage": True},
            extra_body=_written_out(payload),
        )

    return Connection(
        send, client.close, (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *_DECODING_FAULTS)
    )


def _groq(endpoint: Endpoint, key: Secret | None) -> Connection:
    # A second HTTP stack and SDK: paid when Groq is first used.
    import httpx
    from groq import AsyncGroq, GroqError

    http = httpx.AsyncClient(
        timeout=httpx.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS, write=_WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms, and plain HTTP has no use for them.
        verify=endpoint.scheme == "https",
        trust_env=not endpoint.near,
        event_hooks={"request": [_header_guard(key)]},
    )
    client = AsyncGroq(api_key=_PLACEHOLDER, base_url=endpoint.url, max_retries=0, http_client=http)
    completions = client.chat.completions

    async def send(payload: ChatPayload, model: str) -> Chunks:
        return await completions.create(
            model=model,
            messages=(),
            stream=True,
            # The SDK knows no `stream_options`, the API does.
            extra_body={"stream_options": {"include_usage": True}, **_written_out(payload)},
        )

    return Connection(
        send, client.close, (GroqError, httpx.HTTPError, httpx.InvalidURL, *_DECODING_FAULTS)
    )


def _written_out(payload: ChatPayload) -> dict[str, object]:
    """Messages and tools as parts of the body that go as they are.

    Given as arguments they would pass through an SDK's reading of each field against
    its types, which costs several times what the rest of a call does.
    """
    body: dict[str, object] = {"messages": payload.messages}
    if payload.tools:
        body["tools"] = payload.tools
        if payload.tool_choice is not None:
            body["tool_choice"] = payload.tool_choice
    return body


def _header_guard(key: Secret | None) -> Callable[[_Outgoing], Awaitable[None]]:
    """A hook that lets out the headers of HTTP and the one key, whatever an SDK added."""

    async def guard(request: _Outgoing) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = _USER_AGENT
        if key is not None:
            request.headers["Authorization"] = f"Bearer {key.reveal()}"

    return guard
