"""HTTP: hardened clients for the SDKs, and small requests with the standard library."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.task import JsonValue
from todo_tui.providers.credentials import Credential
from todo_tui.providers.endpoint import Endpoint
from todo_tui.providers.server import Server

if TYPE_CHECKING:
    import httpx
    import httpx2

CONNECT_SECONDS = 10.0
READ_SECONDS = 900.0
"""Last resort: the agent gives up on a silent stream long before."""
WRITE_SECONDS = 60.0
DECODING_ERRORS = (OSError, ValueError, RecursionError)
"""Exceptions that SDKs pass through: broken JSON or UTF-8 in a chunk, a lost connection."""
_FIRST_ERROR_STATUS = 300
"""First HTTP status treated as an error; redirects are."""
_MAX_ERROR_BYTES = 1_000_000
HTTPX2_CORE, HTTPX_CORE = "httpcore2", "httpcore"
"""Packages that open the connections of the two HTTP stacks."""
PLACEHOLDER_KEY = "none"
"""Key given to SDKs; the real one is set on each request when it is sent."""
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
    }
)
_USER_AGENT = "todo-tui"
_NOISY_LOGGERS = (
    "anthropic",
    "google_genai",
    "groq",
    "httpcore",
    "httpcore2",
    "httpx",
    "httpx2",
    "openai",
)
"""Loggers of the SDKs and their HTTP stacks."""
MAX_RESPONSE_BYTES = 4_000_000
"""Bytes that are read of a response."""


class _ResponseBody(Protocol):
    """Body stream of an httpx or httpx2 response."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class _HttpResponse(Protocol):
    """Response of httpx or httpx2 whose body has not been read."""

    status_code: int
    stream: _ResponseBody


class _HttpRequest(Protocol):
    """Request of httpx or httpx2 before it is sent."""

    @property
    def headers(self) -> MutableMapping[str, str]: ...


@contextmanager
def translate_sdk_errors(server: Server, *, extra: str = "") -> Iterator[None]:
    """Convert errors of importing an SDK and building its client to ConfigError."""
    _silence_loggers()
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'todo-tui[{extra}]'"
        raise ConfigError(
            f"The Python package for {server.label} is missing ({error.name}).",
            hint=f"Run {command}." if extra else "Install todo-tui again, with its dependencies.",
        ) from error
    except (ImportError, ValueError) as error:
        hint = "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY."
        if "socksio" in str(error):
            hint = "A SOCKS proxy needs one package more: pip install socksio"
        raise ConfigError(
            f"No client can be made for {server.endpoint.address}.", hint=hint
        ) from error


def _silence_loggers() -> None:
    """Keep libraries from writing to the terminal; errors carry what matters."""
    for name in _NOISY_LOGGERS:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def httpx2_client(server: Server) -> httpx2.AsyncClient:
    """Return a client for the SDKs of OpenAI, Anthropic and Google."""
    import httpx2

    preload_http_stack(HTTPX2_CORE)
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms; plain HTTP needs none.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.is_near,
        event_hooks={
            "request": [header_guard(server.credential)],
            "response": [_limit_error_body(httpx2.AsyncByteStream)],
        },
    )


def preload_http_stack(core: str) -> None:
    """Import an HTTP stack in advance: the first request would block the event loop."""
    with suppress(ImportError):
        import_module("anyio._backends._asyncio")
        import_module(core)


def import_httpx() -> None:
    """Import httpx, with the names of its twin httpx2 in their place until it is loaded.

    The SDKs on httpx2 look into httpx on each response once its import has begun; a half-loaded
    module, in another thread, would break a running turn.
    """
    twin = sys.modules.get("httpx2")
    spec = None if twin is None or "httpx" in sys.modules else find_spec("httpx")
    if twin is None or spec is None or spec.loader is None:
        import_module("httpx")
        return
    loading = module_from_spec(spec)
    vars(loading).update({name: getattr(twin, name) for name in twin.__all__})
    sys.modules["httpx"] = loading
    try:
        spec.loader.exec_module(loading)
    except BaseException:
        del sys.modules["httpx"]
        raise


def httpx_client(server: Server) -> httpx.AsyncClient:
    """Return a client for the SDK of Groq."""
    import httpx

    preload_http_stack(HTTPX_CORE)
    return httpx.AsyncClient(
        timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        follow_redirects=False,
        # As above.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.is_near,
        event_hooks={
            "request": [header_guard(server.credential)],
            "response": [_limit_error_body(httpx.AsyncByteStream)],
        },
    )


def header_guard(credential: Credential) -> Callable[[_HttpRequest], Awaitable[None]]:
    """Return a hook that removes all headers but those of HTTP and sets the key."""

    async def guard(request: _HttpRequest) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = _USER_AGENT
        for name, value in (await credential.headers()).items():
            request.headers[name] = value

    return guard


def _limit_error_body(stream_type: type) -> Callable[[_HttpResponse], Awaitable[None]]:
    """Return a hook that limits the body of errors, which SDKs read to the end."""
    # Each HTTP stack requires its own stream type.
    cut_type = type("Cut", (_LimitedBody, stream_type), {})

    async def cut(response: _HttpResponse) -> None:
        if response.status_code >= _FIRST_ERROR_STATUS:
            response.stream = cut_type(response.stream)

    return cut


class _LimitedBody:
    """Body cut after the maximum of bytes."""

    def __init__(self, body: _ResponseBody) -> None:
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


class ProxyError(OSError):
    """Unusable proxy in the environment."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """Response of a server; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> object:
        """Body parsed as JSON; None if it is not JSON."""
        try:
            value: object = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return value


async def fetch(
    endpoint: Endpoint,
    path: str,
    headers: Mapping[str, str],
    *,
    seconds: float,
    sent: JsonValue = None,
) -> HttpAnswer:
    """Send GET, or POST with a JSON body; `path` counts from the root of the host.

    Raises:
        TimeoutError: the time limit has passed.
        OSError: the server cannot be reached, or the connection broke.
        http.client.HTTPException: the response is not HTTP.
    """
    exchange = _Exchange(endpoint, seconds)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(exchange.run, path, headers, sent)
    finally:
        exchange.abort()


class _Exchange:
    """One request and its response, in a thread that `abort` can wake."""

    def __init__(self, endpoint: Endpoint, seconds: float) -> None:
        self._endpoint = endpoint
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._aborted = False

    def run(self, path: str, headers: Mapping[str, str], sent: JsonValue) -> HttpAnswer:
        """Send the request and wait for the response."""
        connection = self._connection()
        try:
            connection.connect()
            self._socket = connection.sock
            if self._aborted:
                raise TimeoutError
            own = {"Accept": "application/json", "User-Agent": "todo-tui"}
            if sent is None:
                connection.request("GET", path, headers={**own, **headers})
            else:
                own["Content-Type"] = "application/json"
                connection.request("POST", path, json.dumps(sent).encode(), {**own, **headers})
            with connection.getresponse() as response:
                text = response.read(MAX_RESPONSE_BYTES).decode("utf-8", "replace")
                answered = {name.lower(): value for name, value in response.getheaders()}
                return HttpAnswer(response.status, answered, text)
        finally:
            connection.close()

    def abort(self) -> None:
        """Wake the waiting thread."""
        self._aborted = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _connection(self) -> http.client.HTTPConnection:
        endpoint = self._endpoint
        secure = endpoint.scheme == "https"
        make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        proxy = None if endpoint.is_near else _proxy_of(endpoint)
        if proxy is None:
            return make(endpoint.host, endpoint.port, timeout=self._seconds)
        connection = make(proxy.host, proxy.port, timeout=self._seconds)
        connection.set_tunnel(endpoint.host, endpoint.port, dict(proxy.headers))
        return connection


@dataclass(frozen=True, slots=True)
class _Proxy:
    host: str
    port: int
    headers: Mapping[str, str]


def _proxy_of(endpoint: Endpoint) -> _Proxy | None:
    """Return the proxy of the environment for the endpoint, as the SDKs would choose it."""
    # Imports a large part of the standard library (ftp, files).
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    url = proxies.get(endpoint.scheme) or proxies.get("all")
    if not url or proxy_bypass(endpoint.host):
        return None
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, port = parts.hostname, parts.port or 80
    except ValueError as error:
        raise ProxyError("the proxy's address cannot be read") from error
    if parts.scheme != "http" or not host:
        raise ProxyError("only HTTP proxies are known here")
    if parts.username is None:
        return _Proxy(host, port, {})
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    basic = base64.b64encode(login).decode("ascii")
    return _Proxy(host, port, {"Proxy-Authorization": f"Basic {basic}"})
