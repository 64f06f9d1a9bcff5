"""Gemini's generateContent as a WireFormat."""

from __future__ import annotations

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import NewId
from todo_tui.domain.request import Request
from todo_tui.providers.gemini.answer import GeminiAnswer
from todo_tui.providers.gemini.clients import connect_genai
from todo_tui.providers.gemini.payload import gemini_body
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import AnswerReader, Connection, JsonObject


class GeminiFormat:
    """Implements WireFormat for Gemini's own API."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings

    def connect(self, server: Server) -> Connection:
        """Import google-genai and build its client; blocks for up to a second."""
        return connect_genai(server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """The body of `POST models/…:streamGenerateContent`, and `model`, which is in its path."""
        return gemini_body(request, origin, server.model, self._settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> AnswerReader:
        """What reads the answer to that request."""
        return GeminiAnswer(request, server, origin, new_id)
