"""Factory: from a registry row and its settings to an open provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, Unauthorized
from todo_tui.domain.when import NewId, random_id
from todo_tui.providers.credentials import Credential, KeyHeader
from todo_tui.providers.endpoint import Endpoint, parse_endpoint
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.server import MaySend, Server, anywhere
from todo_tui.providers.traits import server_traits

if TYPE_CHECKING:
    from todo_tui.domain.messages import Provider
    from todo_tui.providers.base import WireFormat


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
    # Each of these modules is imported when its provider is first used: a list of tasks
    # needs none of them.
    if row.wire is Wire.OFFLINE:
        from todo_tui.providers.offline.assistant import BuiltInAssistant

        return BuiltInAssistant(new_id)
    if row.wire is Wire.SCRIPTED:
        from todo_tui.providers.demo import demo_provider

        return demo_provider()
    from todo_tui.providers.remote import RemoteProvider

    if row.needs_key and not settings.has_key:
        raise Unauthorized(f"{row.label} needs a key.", hint=row.setup)
    servers = servers_of(row, settings)
    return RemoteProvider(
        row.id,
        wire_format(row, settings),
        servers,
        model=settings.model or row.default_model,
        local=not row.remote and all(server.endpoint.is_near for server in servers),
        new_id=new_id,
        may_send=may_send,
    )


def wire_format(row: ProviderRow, settings: ProviderSettings) -> WireFormat:
    """Return the wire format of a row that has a network.

    Raises:
        ConfigError: its address cannot be used.
    """
    match row.wire:
        case Wire.RESPONSES:
            from todo_tui.providers.responses import ResponsesFormat

            return ResponsesFormat(settings)
        case Wire.MESSAGES:
            from todo_tui.providers.messages import MessagesFormat

            return MessagesFormat(settings)
        case Wire.GEMINI:
            from todo_tui.providers.gemini import GeminiFormat

            return GeminiFormat(settings)
        case _:
            from todo_tui.providers.chat import ChatFormat, dialect_of

            host = servers_of(row, settings)[0].endpoint.host
            return ChatFormat(settings, dialect_of(row.id, host))


def preload_http_stack_of(row: ProviderRow) -> None:
    """Import the HTTP stack of the row's SDK, but not the SDK; blocks.

    SDKs load it with their first client, where a person waits for it.
    """
    if row.base_url:
        from todo_tui.providers.chat import DIALECTS
        from todo_tui.providers.transport import preload_http_stack

        dialect = DIALECTS.get(row.id)
        preload_http_stack(dialect.http_stack if dialect else "httpx2")


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
            credential=credential,
            traits=traits,
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
