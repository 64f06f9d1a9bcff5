"""The OpenAI Responses format as a WireFormat; nothing in it depends on whose server it is."""

from __future__ import annotations

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import NewId
from todo_tui.domain.request import Request
from todo_tui.providers.responses.answer import ResponsesAnswer
from todo_tui.providers.responses.clients import connect
from todo_tui.providers.responses.payload import responses_body
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import AnswerReader, Connection, JsonObject


class ResponsesFormat:
    """Implements WireFormat for whatever answers `POST responses`."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings

    def connect(self, server: Server) -> Connection:
        """Import the SDK of OpenAI and build its client; blocks for up to a second."""
        return connect(server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """The body of `POST responses`."""
        return responses_body(request, origin, server.model, self._settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> AnswerReader:
        """What reads the answer to that request."""
        return ResponsesAnswer(request, server, origin, new_id)
