"""Readiness of a provider: key, running server, models; and the test of a connection."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    ModelInfo,
    Provider,
    Request,
    Role,
    StopReason,
    Text,
    ToolMode,
    ToolSpec,
)
from todo_tui.providers.credentials import Credential
from todo_tui.providers.model_list import (
    LOCAL_SECONDS,
    NoModelList,
    first_answering,
    with_tool_support,
)
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import MaySend, Server, anywhere, servers_of
from todo_tui.providers.traits import traits_of

_CHECK_TOOL = ToolSpec(
    name="answer",
    description="Say that you are there.",
    parameters={"type": "object", "properties": {"word": {"type": "string"}}},
)
_CHECK = Request(
    system="This is a test of the connection. Be brief.",
    messages=(Message(Role.USER, (Text("Call the tool `answer` with the word ok."),)),),
    tools=(_CHECK_TOOL,),
)
_CHECK_SECONDS = {False: 60.0, True: 300.0}
"""Time limits, longer for a local model, which may have to be loaded first."""


class ReadyState(StrEnum):
    """Status of a provider, in two words for a table."""

    READY = "ready"
    NO_KEY = "no key"
    KEY_REFUSED = "key rejected"
    NOT_RUNNING = "not running"
    NO_MODEL = "no model"
    NOT_READY = "not ready"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Result of a readiness check; `reason` is `ready` or a few words on what is missing.

    `models` are listed by a local or nearby server, in its order; empty for a remote one,
    which is not contacted.
    """

    ready: bool
    reason: str
    models: tuple[ModelInfo, ...] = ()
    state: ReadyState = ReadyState.READY

    @property
    def lacks_key(self) -> bool:
        """True if an API key must be set."""
        return self.state is ReadyState.NO_KEY


_READY = Readiness(ready=True, reason=ReadyState.READY.value)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a test request that was answered."""

    calls_tools: bool | None
    """True if the model called the tool as requested; None if its answer was cut off."""
    milliseconds: int
    """Time from the request to the end of the answer."""


async def check_readiness(
    row: ProviderRow, settings: ProviderSettings, *, may_send: MaySend = anywhere
) -> Readiness:
    """Check that a key is set or a local server runs; a remote server is never contacted.

    A server nearby that `may_send` does not name is asked without the key.
    """
    if row.needs_key and not settings.has_key:
        return _not_ready(ReadyState.NO_KEY, f"set {row.key_variable}")
    try:
        servers = servers_of(row, settings)
    except ConfigError as error:
        return _not_ready(ReadyState.NOT_READY, error.message)
    if row.remote or not servers or not all(server.endpoint.is_near for server in servers):
        return _READY
    askable = await asyncio.to_thread(_without_keys, servers, may_send)
    if not any([await _is_listening(server) for server in servers]):
        return _not_running(servers)
    try:
        server, models = await first_answering(askable)
    except NoModelList as error:
        # Self-hosted gateways often have none, and a configured model needs none.
        return _READY if settings.model else _unready(error, servers, settings)
    except ProviderError as error:
        if error.kind is ProviderErrorKind.AUTH and settings.has_key and askable != servers:
            # It runs; the key is checked once it may be sent there.
            return _READY
        return _unready(error, servers, settings)
    if not models and not settings.model:
        return _not_ready(ReadyState.NO_MODEL, "no model installed")
    models = await with_tool_support(server, models)
    return Readiness(ready=True, reason=ReadyState.READY.value, models=models)


async def check_provider(provider: Provider, *, seconds: float | None = None) -> CheckResult:
    """Send one small request with one tool and wait for the whole answer.

    Raises:
        ProviderError: it did not answer, or not within the time.
    """
    allowed = seconds or _CHECK_SECONDS[provider.local]
    began = time.monotonic()
    try:
        async with asyncio.timeout(allowed):
            called = await _probe_tool_call(provider)
    except TimeoutError as error:
        raise ProviderError(
            ProviderErrorKind.TIMEOUT,
            f"No answer within {allowed:.0f} s.",
            hint="Try again, or use another provider.",
        ) from error
    return CheckResult(called, round((time.monotonic() - began) * 1000))


async def _probe_tool_call(provider: Provider) -> bool | None:
    """Request a tool call, forced where the model supports it; None if the answer was cut off."""
    # A small local model that is forced writes until its context is full.
    forced = not provider.local and traits_of(provider.model).forced_choice
    if forced:
        try:
            return await _calls(provider, replace(_CHECK, tool_choice=ToolMode.REQUIRED))
        except ProviderError as error:
            if error.kind is not ProviderErrorKind.BAD_REQUEST:
                raise
    return await _calls(provider, _CHECK)


async def _calls(provider: Provider, request: Request) -> bool | None:
    called: bool | None = None
    try:
        async for event in provider.stream(request):
            if isinstance(event, Completed):
                cut_off = event.stop is StopReason.LENGTH
                called = bool(event.message.tool_calls) or (None if cut_off else False)
    except ProviderError as error:
        if error.kind is not ProviderErrorKind.TOOLS_UNSUPPORTED:
            raise
        called = False
    return called


async def _is_listening(server: Server) -> bool:
    """Connect and close: a request would load the HTTP client, which takes 80 ms and 13 MB."""
    try:
        async with asyncio.timeout(LOCAL_SECONDS):
            _, writer = await asyncio.open_connection(server.endpoint.host, server.endpoint.port)
    except (OSError, UnicodeError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


def _without_keys(servers: tuple[Server, ...], may_send: MaySend) -> tuple[Server, ...]:
    return tuple(
        server
        if not server.credential or may_send(server.endpoint.place)
        else replace(server, credential=Credential())
        for server in servers
    )


def _not_ready(state: ReadyState, reason: str) -> Readiness:
    return Readiness(ready=False, reason=reason, state=state)


def _unready(
    error: ProviderError, servers: tuple[Server, ...], settings: ProviderSettings
) -> Readiness:
    match error.kind:
        case ProviderErrorKind.NETWORK | ProviderErrorKind.TIMEOUT:
            return _not_running(servers)
        case ProviderErrorKind.AUTH if settings.has_key:
            return _not_ready(ReadyState.KEY_REFUSED, "API key rejected")
        case ProviderErrorKind.AUTH:
            return _not_ready(ReadyState.NO_KEY, f"set {servers[0].key_variable}")
        case ProviderErrorKind.LOADING:
            return _not_ready(ReadyState.NOT_READY, "still loading its model")
        case _:
            return _not_ready(ReadyState.NOT_READY, f"no model API at {_addresses(servers)}")


def _not_running(servers: tuple[Server, ...]) -> Readiness:
    return _not_ready(ReadyState.NOT_RUNNING, f"not running at {_addresses(servers)}")


def _addresses(servers: tuple[Server, ...]) -> str:
    return " or ".join(server.endpoint.address for server in servers)
