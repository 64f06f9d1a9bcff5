"""HTTP client for the SDKs and for small requests, hardened."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
)
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from todo_tui.config.network_variables import CERTIFICATE_VARIABLES, find_network_problems
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.extras import install_command
from todo_tui.domain.task import JsonValue
from todo_tui.providers.credentials import Credential
from todo_tui.providers.errors import to_provider_error
from todo_tui.providers.json_values import json_or_text
from todo_tui.providers.server import Server
from todo_tui.providers.wire_formats.wire_format import Connection, WireFormat

if TYPE_CHECKING:
    import httpx2  # stands for httpx too, the other HTTP stack

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 900.0
"""Last resort: the agent gives up on a silent stream long before."""
_WRITE_SECONDS = 60.0
_MAX_ERROR_BYTES = 1_000_000
_MAX_RESPONSE_BYTES = 4_000_000
"""Bytes that are read of a response to a small request."""
_CORES = {"httpx2": "httpcore2", "httpx": "httpcore"}
"""Packages that open the connections of the two HTTP stacks."""
_SENT_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-beta",
        "anthropic-version",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        # The SDKs look for it in the request of a response: they must not read its body.
        "x-stainless-raw-response",
    }
)
_NOISY_LOGGERS = ("anthropic", "google_genai", "groq", "openai", *_CORES, *_CORES.values())


def connect(wire: WireFormat, server: Server) -> Connection:
    """Import the SDK of a wire format and build its client; blocks for up to two seconds.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    # Libraries must not write to the terminal; errors carry what matters.
    for name in _NOISY_LOGGERS:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
    try:
        # SDKs on httpx2 look into httpx on each response once its import has begun, in any
        # thread. Half loaded it would break a running turn: before the first it is loaded whole.
        stacks = {name: import_module(name) for name in _CORES}
        stack = stacks[wire.http_stack]
        client = wire.open_client(server.endpoint.url, _http_client(stack, server))
    except ModuleNotFoundError as error:
        cure = "Reinstall todo-tui with its dependencies."
        if wire.extra:
            cure = f"Run {install_command(wire.extra)}."
        raise ConfigError(
            f"The Python package for {server.label} is missing ({error.name}).",
            hint=cure,
        ) from error
    except (ImportError, ValueError, OSError) as error:
        raise ConfigError(
            f"Cannot create an HTTP client for {server.endpoint.address}.",
            hint=f"Check {_variables_in_use()}.",
        ) from error
    errors = (*client.transport_errors, stack.HTTPError, stack.InvalidURL)
    # SDKs pass these through: broken JSON or UTF-8 in an event, a lost connection.
    return replace(client, transport_errors=(*errors, OSError, ValueError, RecursionError))


def _http_client(stack: ModuleType, server: Server) -> Any:  # noqa: ANN401 - of either HTTP stack
    """Return a client that follows no redirect, sends few headers and sets the key itself."""
    # Imported here, in a thread: the first request would block the event loop with it.
    with suppress(ImportError):
        import_module("anyio._backends._asyncio")
        import_module(_CORES[stack.__name__])
    if not server.endpoint.is_near:
        for problem in find_network_problems(os.environ):
            raise ConfigError(problem.message, hint=problem.hint)
    return stack.AsyncClient(
        timeout=stack.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS, write=_WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms; plain HTTP needs none.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.is_near,
        event_hooks={
            "request": [_header_guard(server.credential)],
            "response": [_response_hook(stack.AsyncByteStream)],
        },
    )


def _variables_in_use() -> str:
    """Return the names of the set variables that an HTTP client reads."""
    names = (*CERTIFICATE_VARIABLES, "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
    return ", ".join(name for name in names if os.environ.get(name)) or "HTTPS_PROXY"


def _header_guard(credential: Credential) -> Callable[[httpx2.Request], Awaitable[None]]:
    """Return a hook that removes all headers but those of HTTP and sets the key."""

    async def guard(request: httpx2.Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = "todo-tui"
        for name, value in (await credential.headers()).items():
            request.headers[name] = value

    return guard


class _LimitedBody:
    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _MAX_ERROR_BYTES
        async for piece in self._body:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    async def aclose(self) -> None:
        """Close the connection."""
        await self._body.aclose()


def _response_hook(stream_type: type) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Return a hook that limits the body of errors, which SDKs read to the end."""
    # Each HTTP stack requires its own stream type.
    limited_type = type("LimitedBody", (_LimitedBody, stream_type), {})

    async def limit(response: httpx2.Response) -> None:
        if response.status_code >= 300:  # redirects are not followed: they are errors too
            response.stream = limited_type(response.stream)

    return limit


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """Response of a server to a small request."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> object:
        """Body parsed as JSON; the body itself if it is not JSON."""
        return json_or_text(self.body)


class ProxyError(OSError):
    """Unusable proxy in the environment."""


async def fetch(server: Server, path: str, *, seconds: float, body: JsonValue = None) -> HttpAnswer:
    """Send GET, or POST with a JSON body; `path` counts from the root of the host.

    Raises:
        ProviderError: the server cannot be reached, takes too long, or does not speak HTTP.
    """
    url = f"{server.endpoint.scheme}://{server.endpoint.address}{path}"
    headers = {"Accept": "application/json", **server.traits.models_headers}
    received = bytearray()
    # Importing the stack costs 80 ms.
    stack = await asyncio.to_thread(import_module, "httpx2")
    try:
        client = await asyncio.to_thread(_http_client, stack, server)
    except ConfigError as error:
        kind = ProviderErrorKind.BAD_REQUEST
        raise ProviderError(kind, error.message, hint=error.hint) from error
    except (ImportError, ValueError, stack.InvalidURL, OSError) as error:
        raise to_provider_error(ProxyError(), server) from error
    try:
        async with asyncio.timeout(seconds), client:
            content = {"json": body} if body is not None else {}
            method = "POST" if content else "GET"
            async with (
                client.stream(method, url, headers=headers, **content) as response,
                aclosing(response.aiter_bytes()) as pieces,
            ):
                async for piece in pieces:
                    received += piece
                    if len(received) > _MAX_RESPONSE_BYTES:
                        break
    except TimeoutError as error:
        raise server.error(ProviderErrorKind.TIMEOUT, detail=str(error)) from error
    except (stack.HTTPError, stack.InvalidURL, OSError, ValueError, Unauthorized) as error:
        raise to_provider_error(error, server) from error
    text = received[:_MAX_RESPONSE_BYTES].decode("utf-8", "replace")
    return HttpAnswer(response.status_code, response.headers, text)
