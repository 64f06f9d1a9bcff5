"""`mcp`."""

from __future__ import annotations

from importlib.util import find_spec

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.extras import install_command

_ROLES = ("read", "annotate", "add", "all")


@click.command("mcp", cls=TodoCommand)
@click.option(
    "--role",
    type=click.Choice(_ROLES),
    default="all",
    help="What the client may do: only read, also add lines to notes, also add tasks, or all "
    "(default).",
)
@click.pass_obj
def mcp(session: CliSession, role: str) -> None:
    """Serve tasks to other agents over MCP, on standard input and output.

    Claude Code: claude mcp add todo -- todo-tui mcp
    """
    if find_spec("mcp") is None:
        raise ConfigError("The MCP server is not installed.", hint=f"Run: {install_command('mcp')}")
    from todo_tui.agent.approver import with_last_mode  # 1.2 s together: the SDK
    from todo_tui.cli.base import version
    from todo_tui.cli.log_file import open_log
    from todo_tui.mcp_server.roles import AgentRole
    from todo_tui.mcp_server.server import serve
    from todo_tui.mcp_server.session import AgentSession

    open_log(session)
    settings, store = session.settings, session.store
    vectors = None
    if settings.roles.embed is not None:
        from todo_tui.cli.wiring.clients import (
            open_vector_index,  # 25 ms: few have an embedding model
        )

        vectors = open_vector_index(settings, store)
    approvals = with_last_mode(settings.approvals, store.decisions)
    serve(AgentSession(store, AgentRole(role), approvals, vectors), version())
