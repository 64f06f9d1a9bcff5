"""The Messages format as a WireFormat, for Anthropic and for servers that speak like it."""

from __future__ import annotations

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import NewId
from todo_tui.domain.request import Request
from todo_tui.providers.messages.answer import MessagesAnswer
from todo_tui.providers.messages.clients import connect_anthropic
from todo_tui.providers.messages.payload import Rendered, messages_body
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import AnswerReader, Connection, JsonObject


class MessagesFormat:
    """Implements WireFormat; what models take differs by family, not by server."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._rendered = Rendered()

    def connect(self, server: Server) -> Connection:
        """Import anthropic and build its client; blocks for one or two seconds."""
        return connect_anthropic(server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """The body of `POST /v1/messages`."""
        return messages_body(request, origin, server.model, self._settings, self._rendered)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> AnswerReader:
        """What reads the answer to that request."""
        return MessagesAnswer(request, server, origin, new_id)
