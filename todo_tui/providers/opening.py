"""From a registry row and its settings to a provider that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import NewId, random_id
from todo_tui.domain.errors import Unauthorized
from todo_tui.providers.dialects import DIALECTS, Dialect
from todo_tui.providers.endpoint import Endpoint, read_endpoint
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.server import Server

if TYPE_CHECKING:
    # The app asks for addresses before its first frame, and for a provider after it.
    from todo_tui.domain.request import Provider


def open_provider(
    row: ProviderRow, settings: ProviderSettings, *, new_id: NewId = random_id
) -> Provider:
    """Build the provider of a row; nothing is sent yet.

    Imports an SDK, which takes up to a second: call it off the event loop.

    Raises:
        Unauthorized: it needs a key and there is none.
        ConfigError: its address cannot be used, or a package is missing.
    """
    return _FACTORIES[row.wire](row, settings, new_id)


def servers_of(row: ProviderRow, settings: ProviderSettings) -> tuple[Server, ...]:
    """Where the row may be reached, in the order to try; empty if over no network.

    Raises:
        ConfigError: its address cannot be used; the message names the variable.
    """
    if not row.base_url:
        return ()
    named = settings.base_url not in ("", row.base_url)
    urls = (settings.base_url,) if named else (row.base_url, *row.other_base_urls)
    return tuple(
        Server(
            label=row.label,
            endpoint=_endpoint(row, url),
            key_variable=row.key_variable,
            base_url_variable=row.base_url_variable,
            model=settings.model or row.default_model,
            key=settings.key,
            hints=_dialect(row).hints,
        )
        for url in urls
    )


def _endpoint(row: ProviderRow, url: str) -> Endpoint:
    dialect = _dialect(row)
    endpoint = read_endpoint(url, row.base_url_variable, default_path=dialect.default_path)
    path = endpoint.path.removesuffix(dialect.dropped_path)
    return Endpoint(endpoint.scheme, endpoint.host, endpoint.port, path)


def _dialect(row: ProviderRow) -> Dialect:
    return DIALECTS.get(row.id, Dialect())


def _openai_chat(row: ProviderRow, settings: ProviderSettings, new_id: NewId) -> Provider:
    from todo_tui.providers.openai_chat import OpenAIChatProvider

    if row.needs_key and settings.key is None:
        raise Unauthorized(f"{row.label} needs a key.", hint=row.setup)
    return OpenAIChatProvider(
        row.id,
        _dialect(row),
        servers_of(row, settings),
        model=settings.model or row.default_model,
        local=not row.remote,
        new_id=new_id,
    )


def _offline(row: ProviderRow, settings: ProviderSettings, new_id: NewId) -> Provider:
    from todo_tui.providers.offline.assistant import BuiltInAssistant

    return BuiltInAssistant(new_id)


def _scripted(row: ProviderRow, settings: ProviderSettings, new_id: NewId) -> Provider:
    from todo_tui.providers.demo_script import demo_provider

    return demo_provider()


# Each imports its adapter when called: a list of tasks needs none of them.
_FACTORIES = {
    Wire.OFFLINE: _offline,
    Wire.OPENAI_CHAT: _openai_chat,
    Wire.SCRIPTED: _scripted,
}
