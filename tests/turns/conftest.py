"""Fixtures of turns: a database, and LLMock with several forms of Retry-After."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path

import pytest
from llmock.testing import LLMockServer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.turns.conversation import NOW
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store


@dataclass
class RetryAfter:
    """Form in which the server sends the delay."""

    as_date: bool = False
    """Sends an HTTP date some seconds ahead."""
    unsaid: bool = False

    def headers(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the headers with the delay in that form."""
        if not (self.as_date or self.unsaid):
            return headers
        kept = [(name, value) for name, value in headers if not name.startswith(b"retry-after")]
        if self.as_date and len(kept) < len(headers):
            kept.append((b"retry-after", formatdate(time.time() + 3, usegmt=True).encode()))
        return kept


class _Rephrasing:
    """Proxy between LLMock and its clients."""

    def __init__(self, app: ASGIApp, retry_after: RetryAfter) -> None:
        self.app = app
        self.retry_after = retry_after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def rephrased(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                message = {**message, "headers": self.retry_after.headers(headers)}
            await send(message)

        await self.app(scope, receive, rephrased)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a file that stays open: creating and closing it takes longer than a turn."""
    path = tmp_path_factory.mktemp("turns") / "tasks.db"
    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)):
        yield path


@pytest.fixture(scope="session")
def _said_after() -> RetryAfter:
    return RetryAfter()


@pytest.fixture(scope="session")
def llmock_server(_said_after: RetryAfter) -> Iterator[LLMockServer]:
    server = LLMockServer()
    server.app.add_middleware(_Rephrasing, retry_after=_said_after)
    with server:
        yield server


@pytest.fixture
def retry_after(_said_after: RetryAfter) -> Iterator[RetryAfter]:
    yield _said_after
    _said_after.as_date = _said_after.unsaid = False
