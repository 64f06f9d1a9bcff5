"""Clients of the server: in this process, and of a server process over its standard streams."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.conftest import NOW
from todo_tui.config.settings import ApprovalSettings
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

if TYPE_CHECKING:
    from mcp import Client

    from todo_tui.mcp_server.roles import AgentRole

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
"""The one with a handshake, and the one without."""
Answer = Any
"""Answers the questions of a server; the SDK has its type."""


class Agent:
    """A connected client; calls return the JSON form of the tool response."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, name: str, **arguments: object) -> dict[str, Any]:
        result = await self.client.call_tool(name, arguments)
        found = result.structured_content
        assert isinstance(found, dict)
        assert result.is_error is (found["status"] == "error")
        return found

    async def data(self, name: str, **arguments: object) -> dict[str, Any]:
        """Return the data of a successful call."""
        answer = await self(name, **arguments)
        assert answer["status"] == "success", answer
        data: dict[str, Any] = answer["data"]
        return data

    async def problem(self, name: str, **arguments: object) -> str:
        """Return the type of the error of a failing call."""
        answer = await self(name, **arguments)
        assert answer["status"] == "error", answer
        return str(answer["error"]["type"])

    async def add(self, *titles: str, **arguments: object) -> list[int]:
        """Add tasks and return their ids."""
        added = [await self.data("add_task", title=title, **arguments) for title in titles]
        return [each["task"]["id"] for each in added]

    async def read(self, uri: str) -> list[str]:
        """Return the texts of a resource: Markdown, then JSON."""
        contents = (await self.client.read_resource(uri)).contents
        return [getattr(each, "text", "") for each in contents]


Connect = Callable[..., AbstractAsyncContextManager[Agent]]


@pytest.fixture
def connect(open_as: Callable[[str], Store]) -> Connect:
    """Connect a client to a server in this process, on the store of ann."""
    from mcp import Client
    from mcp.types import Implementation

    from todo_tui.mcp_server.roles import AgentRole
    from todo_tui.mcp_server.server import build_server
    from todo_tui.mcp_server.session import AgentSession

    @asynccontextmanager
    async def connecting(
        store: Store | None = None,
        *,
        role: AgentRole = AgentRole.ALL,
        era: Era = "auto",
        name: str = "claude-code",
        answer: Answer | None = None,
        approvals: ApprovalSettings | None = None,
    ) -> AsyncIterator[Agent]:
        session = AgentSession(store or open_as("ann"), role, approvals or ApprovalSettings())
        async with Client(
            build_server(session, "1"),
            mode=era,
            client_info=Implementation(name=name, version="1"),
            elicitation_callback=answer,
        ) as client:
            yield Agent(client)

    return connecting


@pytest.fixture
def open_later(open_as: Callable[[str], Store]) -> Iterator[Callable[[], Store]]:
    """Opens the file of ann two days later."""
    opened: list[Store] = []

    def opening() -> Store:
        clock = Clock("Europe/Berlin", NOW + timedelta(days=2))
        opened.append(open_store(open_as("ann").path, user="ann", clock=clock))
        return opened[-1]

    yield opening
    for store in opened:
        store.close()
