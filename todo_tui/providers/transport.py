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
"""A net under the agent, which gives up on a silent stream long before."""
WRITE_SECONDS = 60.0
DECODING_ERRORS = (OSError, ValueError, RecursionError)
"""What SDKs let through as it is: broken JSON or UTF-8 in a chunk, a lost connection."""
_FIRST_ERROR_STATUS = 300
"""The first HTTP status that is no answer."""
_MAX_ERROR_BYTES = 1_000_000
"""Bytes."""
HTTPX2_CORE, HTTPX_CORE = "httpcore2", "httpcore"
"""What the two HTTP stacks open connections with."""
PLACEHOLDER_KEY = "none"
"""The key that SDKs are given; the real one is put on each request as it leaves."""
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
"""Loggers of SDKs and of what they stand on."""
MAX_RESPONSE_BYTES = 4_000_000
"""Bytes; what comes after them is not read."""


class _ResponseBody(Protocol):
    """The body of an answer of httpx or httpx2, as it comes in."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class _HttpResponse(Protocol):
    """An answer of httpx or httpx2 whose body has not been read."""

    status_code: int
    stream: _ResponseBody


class _HttpRequest(Protocol):
    """A request of httpx or httpx2 that is about to leave."""

    @property
    def headers(self) -> MutableMapping[str, str]: ...


@contextmanager
def translate_sdk_errors(server: Server, *, extra: str = "") -> Iterator[None]:
    """Turn what goes wrong while an SDK is imported and its client built into a ConfigError."""
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
    """Let no library write to the terminal; what is worth a line is in errors."""
    for name in _NOISY_LOGGERS:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def httpx2_client(server: Server) -> httpx2.AsyncClient:
    """For the SDKs of OpenAI, Anthropic and Google."""
    import httpx2

    preload_http_stack(HTTPX2_CORE)
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms, and plain HTTP has no use for them.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.is_near,
        event_hooks={
            "request": [header_guard(server.credential)],
            "response": [_limit_error_body(httpx2.AsyncByteStream)],
        },
    )


def preload_http_stack(core: str) -> None:
    """Load what an HTTP stack connects with: at a first request the event loop would wait."""
    with suppress(ImportError):
        import_module("anyio._backends._asyncio")
        import_module(core)


def import_httpx() -> None:
    """Import httpx, with the names of its twin httpx2 in their place until it has its own.

    The SDKs on httpx2 look into httpx as soon as its import has begun, on each answer;
    one that is half loaded, in another thread, would break a turn that is running.
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
    """For the SDK of Groq."""
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
    """A hook that lets out the headers of HTTP and the one key, whatever an SDK added."""

    async def guard(request: _HttpRequest) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = _USER_AGENT
        for name, value in (await credential.headers()).items():
            request.headers[name] = value

    return guard


def _limit_error_body(stream_type: type) -> Callable[[_HttpResponse], Awaitable[None]]:
    """A hook that lets in so much of an error as anybody reads; SDKs read it to its end."""
    # Each stack insists on a type of its own for what it reads from.
    cut_type = type("Cut", (_LimitedBody, stream_type), {})

    async def cut(response: _HttpResponse) -> None:
        if response.status_code >= _FIRST_ERROR_STATUS:
            response.stream = cut_type(response.stream)

    return cut


class _LimitedBody:
    """The beginning of a body."""

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
        """Close the connection, whatever is still to come."""
        await self._body.aclose()


class ProxyError(OSError):
    """The proxy of the environment cannot be used."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a server answered; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> object:
        """The body as JSON; None where it is none."""
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
    """GET the path, which counts from the root of the host, or POST what is to be sent.

    Raises:
        TimeoutError: it took longer than that.
        OSError: there is no way to the server, or none back.
        http.client.HTTPException: what answers speaks no HTTP.
    """
    exchange = _Exchange(endpoint, seconds)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(exchange.run, path, headers, sent)
    finally:
        exchange.abort()


class _Exchange:
    """One request and its answer, in a thread that another can wake from waiting."""

    def __init__(self, endpoint: Endpoint, seconds: float) -> None:
        self._endpoint = endpoint
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._given_up = False

    def run(self, path: str, headers: Mapping[str, str], sent: JsonValue) -> HttpAnswer:
        """Blocks until the answer is there."""
        connection = self._connection()
        try:
            connection.connect()
            self._socket = connection.sock
            if self._given_up:
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
        """Wake the thread if it still waits for the server."""
        self._given_up = True
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
    """The proxy that the environment names for that address, as the SDKs would take it."""
    # Loads the parts of the standard library that open files and ftp, for this alone.
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
