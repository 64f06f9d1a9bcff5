"""The OpenAI chat format as a WireFormat; what differs between servers is in its dialect."""

from __future__ import annotations

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import NewId
from todo_tui.domain.request import Request
from todo_tui.providers.chat.answer import ChatAnswer
from todo_tui.providers.chat.clients import connect_groq, connect_openai
from todo_tui.providers.chat.dialects import Dialect, Sdk
from todo_tui.providers.chat.payload import chat_body
from todo_tui.providers.server import Server
from todo_tui.providers.wire_format import AnswerReader, Connection, JsonObject

_CONNECT = {Sdk.OPENAI: connect_openai, Sdk.GROQ: connect_groq}


class ChatFormat:
    """Implements WireFormat for Groq, Gemini's compatible endpoint and local servers."""

    def __init__(self, dialect: Dialect, settings: ProviderSettings) -> None:
        self._dialect = dialect
        self._settings = settings

    def connect(self, server: Server) -> Connection:
        """Import the dialect's SDK and build its client; blocks for up to a second."""
        return _CONNECT[self._dialect.sdk](server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """The body of `POST chat/completions`."""
        return chat_body(request, self._dialect, origin, server.model, self._settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> AnswerReader:
        """What reads the answer to that request."""
        return ChatAnswer(request, self._dialect, server, origin, new_id)
