"""Opening of providers: from a registry row and its settings to a client."""

from collections.abc import Callable

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import Unauthorized
from todo_tui.domain.messages import (
    Provider,
)
from todo_tui.domain.task_index import NoTasks, TaskIndex
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.remote import RemoteProvider
from todo_tui.providers.server import MaySend, anywhere, servers_of
from todo_tui.providers.wire_formats.anthropic_messages import MessagesFormat
from todo_tui.providers.wire_formats.chat_completions import ChatFormat, dialect_of
from todo_tui.providers.wire_formats.gemini import GeminiFormat
from todo_tui.providers.wire_formats.openai_responses import ResponsesFormat
from todo_tui.providers.wire_formats.wire_format import WireFormat

_FORMATS: dict[Wire, Callable[[ProviderSettings], WireFormat]] = {
    Wire.RESPONSES: ResponsesFormat,
    Wire.MESSAGES: MessagesFormat,
    Wire.GEMINI: GeminiFormat,
}
"""Wire formats without dialects."""


def open_provider(
    row: ProviderRow,
    settings: ProviderSettings,
    *,
    may_send: MaySend = anywhere,
    tasks: TaskIndex = NoTasks(),  # noqa: B008  # it has no state
) -> Provider:
    """Build the provider of a row; requests are sent later, and only where `may_send` allows it.

    `tasks` are for the built-in assistant, and go to no other.

    Imports an SDK, which takes up to a second: call it off the event loop.

    Raises:
        Unauthorized: it needs a key and there is none.
        ConfigError: its address cannot be used, or a package is missing.
    """
    if row.wire is Wire.OFFLINE:
        # Its grammar costs more than all wire formats together.
        from todo_tui.providers.offline.assistant import BuiltInAssistant

        return BuiltInAssistant(tasks)
    if row.needs_key and not settings.has_key:
        raise Unauthorized(f"{row.label} needs an API key.", hint=row.setup)
    servers = servers_of(row, settings)
    return RemoteProvider(
        row.id,
        wire_format(row, settings),
        servers,
        model=settings.model or row.default_model,
        local=not row.remote and all(server.endpoint.is_near for server in servers),
        may_send=may_send,
    )


def wire_format(row: ProviderRow, settings: ProviderSettings) -> WireFormat:
    """Return the wire format of a row that has a network.

    Raises:
        ConfigError: its address cannot be used.
    """
    if row.wire in _FORMATS:
        return _FORMATS[row.wire](settings)
    host = servers_of(row, settings)[0].endpoint.host
    return ChatFormat(settings, dialect_of(row.id, host))
