"""Factory: from a registry row and its settings to an open provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, Unauthorized
from todo_tui.domain.when import NewId, random_id
from todo_tui.providers.consent import MaySend, anywhere
from todo_tui.providers.credentials import Credential, KeyHeader
from todo_tui.providers.endpoint import Endpoint, parse_endpoint
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.server import Server
from todo_tui.providers.traits import server_traits

if TYPE_CHECKING:
    from todo_tui.domain.messages import Provider
    from todo_tui.providers.base import WireFormat


_WITHOUT_NETWORK = (Wire.OFFLINE, Wire.SCRIPTED)


def open_provider(
    row: ProviderRow,
    settings: ProviderSettings,
    *,
    new_id: NewId = random_id,
    may_send: MaySend = anywhere,
) -> Provider:
    """Build the provider of a row; requests are sent later, and only where `may_send` allows it.

    Imports an SDK, which takes up to a second: call it off the event loop.

    Raises:
        Unauthorized: it needs a key and there is none.
        ConfigError: its address cannot be used, or a package is missing.
    """
    return _FACTORIES[row.wire](row, settings, new_id, may_send)


def preload_http_stack_of(row: ProviderRow) -> None:
    """Import the HTTP stack of the row's SDK, but not the SDK; blocks.

    SDKs load it with their first client, where a person waits for it.
    """
    if row.wire in _WITHOUT_NETWORK:
        return
    from todo_tui.providers.transport import HTTPX2_CORE, HTTPX_CORE, preload_http_stack
    from todo_tui.providers.wire_formats.chat_payload import DIALECTS, Sdk

    dialect = DIALECTS.get(row.id)
    preload_http_stack(HTTPX_CORE if dialect and dialect.sdk is Sdk.GROQ else HTTPX2_CORE)


def servers_of(row: ProviderRow, settings: ProviderSettings) -> tuple[Server, ...]:
    """Return the servers of a row, in the order to try; empty without a network.

    Raises:
        ConfigError: its address cannot be used; the message names the variable. Or it is
            plain http:// beyond this machine, which the settings do not allow.
    """
    traits = server_traits(row)
    header = KeyHeader.BEARER if settings.bearer else traits.key_header
    credential = Credential(settings.key, header=header, command=settings.token_command)
    return tuple(
        Server(
            label=row.label,
            endpoint=_endpoint(row, url, settings),
            key_variable=settings.key_source or row.key_variable,
            base_url_variable=settings.base_url_source or row.base_url_variable,
            model=settings.model or row.default_model,
            models_path=traits.models_path,
            models_headers=traits.models_headers,
            credential=credential,
            hints=traits.hints,
            long_statuses=traits.long_statuses,
        )
        for url in row.urls(settings.base_url)
    )


def _endpoint(row: ProviderRow, url: str, settings: ProviderSettings) -> Endpoint:
    traits = server_traits(row)
    source = settings.base_url_source or row.base_url_variable
    endpoint = parse_endpoint(url, source, default_path=traits.default_path)
    if endpoint.scheme == "http" and not (endpoint.is_loopback or settings.allow_http):
        raise ConfigError(
            f"Plain http:// to {endpoint.address} ({source}) needs `allow_http = true` under "
            f"[providers.{row.id}] in config.toml.",
            hint="Messages and API key can be read on the way: use https:// where you can.",
        )
    path = endpoint.path.removesuffix(traits.dropped_path)
    return Endpoint(endpoint.scheme, endpoint.host, endpoint.port, path)


def _remote(
    row: ProviderRow,
    settings: ProviderSettings,
    new_id: NewId,
    may_send: MaySend,
    wire: WireFormat,
) -> Provider:
    from todo_tui.providers.remote import RemoteProvider

    if row.needs_key and not settings.has_key:
        raise Unauthorized(f"{row.label} needs a key.", hint=row.setup)
    servers = servers_of(row, settings)
    return RemoteProvider(
        row.id,
        wire,
        servers,
        model=settings.model or row.default_model,
        local=not row.remote and all(server.endpoint.is_near for server in servers),
        new_id=new_id,
        may_send=may_send,
    )


def _chat(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.wire_formats.chat import ChatFormat
    from todo_tui.providers.wire_formats.chat_payload import dialect_of

    dialect = dialect_of(row.id, servers_of(row, settings)[0].endpoint.host)
    return _remote(row, settings, new_id, may_send, ChatFormat(dialect, settings))


def _responses(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.wire_formats.responses import ResponsesFormat

    return _remote(row, settings, new_id, may_send, ResponsesFormat(settings))


def _messages(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.wire_formats.messages import MessagesFormat

    return _remote(row, settings, new_id, may_send, MessagesFormat(settings))


def _gemini(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.wire_formats.gemini import GeminiFormat

    return _remote(row, settings, new_id, may_send, GeminiFormat(settings))


def _offline(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.offline.assistant import BuiltInAssistant

    return BuiltInAssistant(new_id)


def _scripted(
    row: ProviderRow, settings: ProviderSettings, new_id: NewId, may_send: MaySend
) -> Provider:
    from todo_tui.providers.demo import demo_provider

    return demo_provider()


# Each factory imports its wire format when called: a list of tasks needs none of them.
_FACTORIES = {
    Wire.OFFLINE: _offline,
    Wire.CHAT: _chat,
    Wire.RESPONSES: _responses,
    Wire.MESSAGES: _messages,
    Wire.GEMINI: _gemini,
    Wire.SCRIPTED: _scripted,
}
