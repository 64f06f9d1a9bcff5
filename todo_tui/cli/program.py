"""The program behind `todo-tui`: finds the command, runs it, ends with the right status."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import click

from todo_tui.cli.options import common_options
from todo_tui.cli.output import complain, note
from todo_tui.cli.registry import COMMANDS
from todo_tui.cli.session import Session
from todo_tui.domain.errors import ConfigError, TodoError

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
_COMPLETION = "_TODO_TUI_COMPLETE"


class CommandGroup(click.Group):
    """The commands of the registry; a module is imported when its command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry."""
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None where there is none."""
        for row in COMMANDS:
            if row.name == cmd_name:
                module = importlib.import_module(f"todo_tui.cli.{row.module}")
                command: click.Command = getattr(module, row.attribute)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; whoever speaks to the program learns how to."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            # Only a mistyped command pays for the search of what was meant.
            from difflib import get_close_matches

            meant = get_close_matches(name, self.list_commands(ctx), n=1)
            advice = (
                f"Did you mean `{meant[0]}`?" if meant else "To talk, use `ask`; to add, `add`."
            )
            ctx.fail(f"There is no command {name!r}. {advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from their rows."""
        with formatter.section("Commands"):
            formatter.write_dl([(row.name, row.summary) for row in COMMANDS])


def run(args: Sequence[str] | None = None) -> int:
    """Run one command; without one, the app.

    Returns:
        0 when done, 1 when it failed, 2 on wrong usage, 130 when interrupted.
    """
    _open_closed_streams()
    _show_what_the_terminal_cannot()
    session = Session(os.environ)
    try:
        outcome = _invoke(list(sys.argv[1:] if args is None else args), session)
        sys.stdout.flush()
    except click.UsageError as error:
        _explain_usage(error)
        return WRONG_USAGE
    except TodoError as error:
        complain(error)
        return WRONG_USAGE if isinstance(error, ConfigError) else FAILED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_the_output()
        return DONE
    except OSError as error:
        # Most likely the output: a full disk behind `>`, a terminal that is gone.
        _let_go_of_the_output()
        complain(TodoError(f"That failed: {error.strerror or type(error).__name__}."))
        return FAILED
    except Exception as error:
        # The last edge: nobody should see a traceback, whose values may be private.
        from todo_tui.cli.logbook import report

        complain(report(error, session))
        return FAILED
    finally:
        session.close()
    return outcome


def _invoke(args: list[str], session: Session) -> int:
    if _COMPLETION in os.environ:
        # The shell asks what could be typed next; click answers and leaves.
        todo_tui.main(args, prog_name="todo-tui")
    try:
        # Not click's own `main`: it takes a broken pipe for a failure.
        with todo_tui.make_context("todo-tui", args, obj=session) as context:
            outcome: object = todo_tui.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return outcome if isinstance(outcome, int) else DONE


@click.group(
    name="todo-tui",
    cls=CommandGroup,
    params=common_options(),
    invoke_without_command=True,
    help="Talk to your to-do list. Without a command, the app opens.",
)
@click.option("--demo", is_flag=True, help="Open the app with made-up tasks; nothing is kept.")
@click.pass_context
def todo_tui(context: click.Context, demo: bool) -> int:
    """Open the app, unless a command follows; its exit status."""
    if context.invoked_subcommand is not None:
        if demo:
            raise click.UsageError("--demo opens the app and goes with no command.", context)
        return DONE
    # The app needs Textual; no command does.
    from todo_tui.cli.app import open_app

    return open_app(context.obj, demo=demo)


def _explain_usage(error: click.UsageError) -> None:
    if error.ctx is not None:
        note(error.ctx.get_usage())
    note(f"todo-tui: {error.format_message()}")
    if error.ctx is not None:
        note(f"  `{error.ctx.command_path} --help` says more.")


def _open_closed_streams() -> None:
    """Let a stream that the shell closed (`>&-`) lead nowhere instead of failing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, stream)


def _show_what_the_terminal_cannot() -> None:
    """Let a stream that knows no `·` or emoji print a stand-in instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _let_go_of_the_output() -> None:
    """Nobody can be written to (`| head`): what is still to be flushed goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
