"""Entry point of `todo-tui`: command table, dispatch to a command or the app, exit statuses."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from todo_tui.cli.base import COMMON_OPTIONS, fail_unknown_command
from todo_tui.cli.options import continue_option, conversation_option
from todo_tui.cli.output.messages import print_error, print_note
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import ConfigError, TodoError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
_COMPLETION = "_TODO_TUI_COMPLETE"


class CommandRow(NamedTuple):
    """One command: a click command under the name `attribute` in `module`."""

    name: str
    module: str
    attribute: str
    summary: str
    """The line in `todo-tui --help`; the command's own help begins with it."""


COMMANDS = (
    CommandRow("ask", "ask", "ask", "Send one message to the assistant."),
    CommandRow("add", "add", "add", "Add a task in one line, without a model."),
    CommandRow("dump", "dump", "dump", "Add many tasks, with a preview first."),
    CommandRow("list", "list", "list_tasks", "List tasks."),
    CommandRow("today", "list", "today", "List tasks overdue, due today or started."),
    CommandRow("tomorrow", "list", "tomorrow", "List tasks due tomorrow."),
    CommandRow("week", "list", "week", "List tasks overdue or due this week, by day."),
    CommandRow("overdue", "list", "overdue", "List overdue tasks."),
    CommandRow("next", "list", "next_tasks", "List actionable tasks, most urgent first."),
    CommandRow("plan", "plan", "plan", "Plan your day or week."),
    CommandRow("review", "review", "review", "Decide on tasks that slip."),
    CommandRow("view", "list", "view", "List the tasks of a view."),
    CommandRow("views", "views", "views", "Manage saved views."),
    CommandRow("show", "list", "show", "Show a task's details."),
    CommandRow("done", "done", "done", "Complete tasks."),
    CommandRow("reopen", "done", "reopen", "Reopen tasks."),
    CommandRow("cancel", "done", "cancel", "Cancel tasks."),
    CommandRow("skip", "done", "skip", "Skip to the next occurrence."),
    CommandRow("end", "done", "end", "End recurrence."),
    CommandRow("edit", "edit", "edit", "Edit a task."),
    CommandRow("annotate", "edit", "annotate", "Add an annotation to a task."),
    CommandRow("move", "edit", "move", "Move tasks and their subtasks."),
    CommandRow("delete", "trash", "delete", "Delete tasks."),
    CommandRow("restore", "trash", "restore", "Restore deleted tasks."),
    CommandRow("purge", "trash", "purge", "Permanently delete trashed tasks."),
    CommandRow("log", "history", "log", "Show all changes, or a task's history."),
    CommandRow("undo", "history", "undo", "Undo the last change, or chosen ones."),
    CommandRow("redo", "history", "redo", "Redo the last undone change."),
    CommandRow("conversations", "conversations", "conversations", "Manage conversations."),
    CommandRow("knowledge", "knowledge", "knowledge", "Manage documents to search and quote."),
    CommandRow("stats", "stats", "stats", "Show completion statistics."),
    CommandRow("import", "transfer", "import_tasks", "Import tasks from a file."),
    CommandRow("export", "transfer", "export_tasks", "Export tasks."),
    CommandRow("providers", "providers", "providers", "List providers and their status."),
    CommandRow("usage", "usage", "usage", "Show token usage and cost."),
    CommandRow("eval", "eval", "evaluate", "Evaluate providers with test scenarios."),
    CommandRow("keys", "keys", "keys", "Manage API keys."),
    CommandRow("mcp", "mcp", "mcp", "Serve tasks to other agents over MCP."),
    CommandRow(
        "proposals", "proposals", "proposals", "Show and decide changes that agents proposed."
    ),
    CommandRow("skill", "skill", "skill", "Teach agents with a shell to use todo-tui."),
    CommandRow("config", "config", "config", "Show, edit or check settings."),
    CommandRow("doctor", "doctor", "doctor", "Diagnose problems."),
    CommandRow("completions", "shell", "completions", "Print a shell completion script."),
    CommandRow("man", "shell", "man", "Print the manual page."),
)
"""In the order of the help; modules lie under `todo_tui.cli.commands`."""
ALIASES = {"ls": "list", "rm": "delete"}
"""Other names of commands."""
_SYNONYMS = {
    **dict.fromkeys(("complete", "finish", "tick", "check", "close"), "done"),
    **dict.fromkeys(("new", "create", "quick"), "add"),
    **dict.fromkeys(("find", "search", "tasks", "todo"), "list"),
    **dict.fromkeys(("remove", "trash", "del"), "delete"),
    **dict.fromkeys(("update", "modify", "change", "rename", "due"), "edit"),
    **dict.fromkeys(("info", "details"), "show"),
    **dict.fromkeys(("chat", "say", "tell"), "ask"),
    **dict.fromkeys(("note", "comment"), "annotate"),
    **dict.fromkeys(("cost", "tokens"), "usage"),
    **dict.fromkeys(("settings", "configure"), "config"),
}
"""Words that people type for a command, which is suggested."""
_HELP = "help"
_EPILOG = (
    "Aliases: ls (list) and rm (delete). `todo-tui help COMMAND` is `todo-tui COMMAND --help`."
)


class CommandGroup(click.Group):
    """The commands of the table; the module of a command is imported when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name or alias; None if there is none."""
        name = ALIASES.get(cmd_name, cmd_name)
        for row in COMMANDS:
            if row.name == name:
                module = importlib.import_module(f"todo_tui.cli.commands.{row.module}")
                command: click.Command = getattr(module, row.attribute)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of that name or alias; `help NAME…` is `NAME… --help`."""
        if ctx.resilient_parsing:
            # A shell asks for completions; those of `help` are commands again.
            args = args[1:] if args[0] == _HELP else args
            return super().resolve_command(ctx, args) if args else (None, None, [])
        while args[0] == _HELP:
            args = [*args[1:], "--help"]
        if args[0] == "--help":
            click.echo(ctx.get_help())
            ctx.exit()
        names = [*self.list_commands(ctx), *ALIASES, _HELP]
        if not args[0].startswith("-") and args[0] not in names:
            synonym = _SYNONYMS.get(args[0].lower(), "")
            advice = "List commands with `todo-tui --help`."
            fail_unknown_command(ctx, args[0], names, advice, intended=synonym)
        name = ALIASES.get(args[0], args[0])
        return super().resolve_command(ctx, [name, *args[1:]])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete commands from their rows, which imports no module, and options."""
        from click.shell_completion import CompletionItem  # only when a shell asks

        rows = [*((row.name, row.summary) for row in COMMANDS), (_HELP, "Show help.")]
        commands = [
            CompletionItem(name, help=text) for name, text in rows if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from their rows."""
        with formatter.section("Commands"):
            formatter.write_dl([(row.name, row.summary) for row in COMMANDS])


def main(args: Sequence[str] | None = None) -> int:
    """Run one command, or the app if there is none.

    Returns:
        0 when done, 1 when it failed, 2 on wrong usage, 130 when interrupted. A command may
        return another status of its own, as `ask` does for a turn that failed.
    """
    _open_closed_streams()
    _replace_unprintable()
    session = CliSession(os.environ)
    try:
        outcome = _invoke(list(sys.argv[1:] if args is None else args), session)
        sys.stdout.flush()
    except click.UsageError as error:
        _print_usage_error(error)
        return WRONG_USAGE
    except TodoError as error:
        print_error(error)
        return WRONG_USAGE if isinstance(error, ConfigError) else FAILED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return DONE
    except OSError as error:
        # Most likely the output: a full disk behind `>`, a terminal that is gone.
        _discard_output()
        print_error(TodoError(f"Failed: {error.strerror or type(error).__name__}."))
        return FAILED
    except Exception as error:
        # The outermost edge: a traceback may show private values.
        from todo_tui.cli.log_file import log_unexpected_error  # 8 ms: for errors alone

        print_error(log_unexpected_error(error, session))
        return FAILED
    finally:
        session.close()
    return outcome


def _invoke(args: list[str], session: CliSession) -> int:
    if _COMPLETION in os.environ:
        return _complete(args, session)
    try:
        # Not click's own `main`: it takes a broken pipe for a failure.
        with todo_tui.make_context("todo-tui", args, obj=session) as context:
            outcome: object = todo_tui.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    return outcome if isinstance(outcome, int) else DONE


def _complete(args: list[str], session: CliSession) -> int:
    """Print completions for a shell, or nothing if anything fails."""
    from todo_tui.cli import shell_completion  # noqa: F401 - registers its classes

    # Only completions may reach the command line that is being typed.
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        try:
            todo_tui.main(args, prog_name="todo-tui", obj=session)
        except (SystemExit, Exception):
            return DONE


@click.group(
    name="todo-tui",
    cls=CommandGroup,
    params=[*COMMON_OPTIONS],
    invoke_without_command=True,
    help="A to-do list you can talk to. Run without a command to open the app.",
    epilog=_EPILOG,
)
@click.option("--demo", is_flag=True, help="Try the app with sample tasks; nothing is saved.")
@continue_option("Open the newest conversation of shell and app (default).")
@conversation_option("Open this conversation; list ids with `todo-tui conversations list`.")
@click.pass_context
def todo_tui(context: click.Context, demo: bool, continues: bool, conversation: str | None) -> int:
    """Open the app unless a command follows; return its exit status."""
    flags = {"--demo": demo, "--continue": continues, "--conversation": conversation is not None}
    names = [name for name, is_set in flags.items() if is_set]
    if context.invoked_subcommand is not None:
        if names:
            raise click.UsageError(f"{names[0]} cannot be combined with a command.", context)
        return DONE
    if len(names) > 1:
        raise click.UsageError(f"{names[0]} cannot be combined with {names[1]}.", context)
    from todo_tui.cli.run_app import run_app  # 200 ms: the app needs Textual, no command does

    return run_app(context.obj, demo=demo, conversation=conversation)


def _print_usage_error(error: click.UsageError) -> None:
    if error.ctx is not None:
        print_note(error.ctx.get_usage())
    print_note(f"todo-tui: {error.format_message()}")
    if error.ctx is not None:
        print_note(f"  For help, run `{error.ctx.command_path} --help`.")


def _open_closed_streams() -> None:
    """Open the null device for each stream that the shell closed (`>&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, stream)


def _replace_unprintable() -> None:
    """Make streams escape characters that their encoding lacks, such as `·`, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Send what is still to be flushed to the null device: the reader is gone (`| head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
