"""Start of the app, on the user's list or with sample tasks."""

import sys

import click

from todo_tui.cli.log_file import open_log
from todo_tui.cli.wiring.session import CliSession
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.tui.actions.keymap import read_keymap
from todo_tui.tui.app import TodoApp


def run_app(session: CliSession, *, demo: bool, conversation: str | None = None) -> int:
    """Run the app until it is left; return its exit status.

    It opens the conversation whose id begins with `conversation`, or the latest.

    Raises:
        UsageError: input or output is not a terminal.
        TodoError: no conversation has this id.
    """
    require_terminal()
    log_path = open_log(session)
    if demo:
        from todo_tui.cli.demo import run_demo  # 80 ms: the agent

        return run_demo(session)
    conversation_id = None
    if conversation is not None:
        conversation_id = session.store.conversations.find(conversation).id
    app = TodoApp(
        build_tui_services(
            session.settings,
            session.store,
            session.clock,
            log_path=log_path,
            conversation_id=conversation_id,
            open_telemetry=lambda: session.telemetry,
            own_paths=session.own_paths,
            keymap=read_keymap(session.settings),
            read_configuration=session.read_configuration,
        )
    )
    app.run()
    return app.return_code or 0


def require_terminal() -> None:
    """Check that the app can be shown.

    Raises:
        UsageError: input or output is not a terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "The app needs a terminal. In a pipe use a command, such as: todo-tui list"
        )
