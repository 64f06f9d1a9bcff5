"""HTTP clients under the SDKs, made so that they keep to us.

No SDK reads a variable of its own here: not for keys, organisations or extra
headers (`OPENAI_ORG_ID`, `OPENAI_CUSTOM_HEADERS`, `GROQ_BASE_URL`, …), nor for a log
of what is said, which would end up on the screen (`OPENAI_LOG`). No client retries or
follows a redirect.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING, Protocol

from todo_tui.domain.errors import ConfigError
from todo_tui.providers.credentials import Credential
from todo_tui.providers.server import Server

if TYPE_CHECKING:
    # Each is one of two HTTP stacks, of which an SDK loads one.
    import httpx
    import httpx2

CONNECT_SECONDS = 10.0
READ_SECONDS = 900.0
"""A net under the agent, which gives up on a silent stream long before."""
WRITE_SECONDS = 60.0

DECODING_FAULTS = (OSError, ValueError, RecursionError)
"""What SDKs let through as it is: broken JSON or UTF-8 in a chunk, a lost connection."""
_FIRST_COMPLAINT = 300
"""The first HTTP status that is no answer."""
_LONGEST_COMPLAINT = 1_000_000
"""Bytes."""
HTTPX2_CORE, HTTPX_CORE = "httpcore2", "httpcore"
"""What the two HTTP stacks open connections with."""
PLACEHOLDER = "none"
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
_TALKATIVE = (
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


class _Body(Protocol):
    """The body of an answer of httpx or httpx2, as it comes in."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class _Incoming(Protocol):
    """An answer of httpx or httpx2 whose body has not been read."""

    status_code: int
    stream: _Body


class _Outgoing(Protocol):
    """A request of httpx or httpx2 that is about to leave."""

    @property
    def headers(self) -> MutableMapping[str, str]: ...


@contextmanager
def told_if_missing(server: Server, *, extra: str = "") -> Iterator[None]:
    """Turn what goes wrong while an SDK is imported and its client built into a ConfigError."""
    _hush()
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


def _hush() -> None:
    """Let no library write to the terminal; what is worth a line is in errors."""
    for name in _TALKATIVE:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def httpx2_client(server: Server) -> httpx2.AsyncClient:
    """For the SDKs of OpenAI, Anthropic and Google."""
    import httpx2

    load_sockets(HTTPX2_CORE)
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        follow_redirects=False,
        # Loading certificates costs 20 ms, and plain HTTP has no use for them.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.near,
        event_hooks={
            "request": [header_guard(server.credential)],
            "response": [_complaint_cut(httpx2.AsyncByteStream)],
        },
    )


def load_sockets(core: str) -> None:
    """Load what an HTTP stack connects with: at a first request the event loop would wait."""
    with suppress(ImportError):
        import_module("anyio._backends._asyncio")
        import_module(core)


def load_httpx() -> None:
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

    load_sockets(HTTPX_CORE)
    return httpx.AsyncClient(
        timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        follow_redirects=False,
        # As above.
        verify=server.endpoint.scheme == "https",
        trust_env=not server.endpoint.near,
        event_hooks={
            "request": [header_guard(server.credential)],
            "response": [_complaint_cut(httpx.AsyncByteStream)],
        },
    )


def header_guard(credential: Credential) -> Callable[[_Outgoing], Awaitable[None]]:
    """A hook that lets out the headers of HTTP and the one key, whatever an SDK added."""

    async def guard(request: _Outgoing) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = _USER_AGENT
        for name, value in (await credential.headers()).items():
            request.headers[name] = value

    return guard


def _complaint_cut(stream_type: type) -> Callable[[_Incoming], Awaitable[None]]:
    """A hook that lets in so much of an error as anybody reads; SDKs read it to its end."""
    # Each stack insists on a type of its own for what it reads from.
    cut_type = type("Cut", (_Cut, stream_type), {})

    async def cut(response: _Incoming) -> None:
        if response.status_code >= _FIRST_COMPLAINT:
            response.stream = cut_type(response.stream)

    return cut


class _Cut:
    """The beginning of a body."""

    def __init__(self, body: _Body) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _LONGEST_COMPLAINT
        async for piece in self._body:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    async def aclose(self) -> None:
        """Close the connection, whatever is still to come."""
        await self._body.aclose()
