"""`completions` and `man`: the completion script of a shell, and the manual page."""

import re
import sys
from collections.abc import Iterator

import click
from click.shell_completion import get_completion_class

from todo_tui.cli.base import TodoCommand, read_help_records, version
from todo_tui.cli.shell_completion import SHELLS
from todo_tui.cli.wiring.session import CliSession

_PROGRAM = "todo-tui"
_INDENT = 4
_STATUSES = (
    ("0", "Done."),
    ("1", "Failed."),
    ("2", "Wrong usage."),
    ("130", "Interrupted."),
)
_VARIABLES = (
    ("TODO_TUI_DB", "Database file."),
    ("TODO_TUI_CONFIG", "Configuration file."),
    ("TODO_TUI_USER", "User whose tasks to use."),
    ("TODO_TUI_PROVIDER", "Provider."),
    ("TODO_TUI_MODEL", "Model."),
    ("NO_COLOR", "Print without colors."),
    ("VISUAL, EDITOR", "Editor for `todo-tui config edit`."),
)


@click.command("completions", cls=TodoCommand)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_obj
def completions(session: CliSession, shell: str) -> None:
    """Print a shell completion script.

    It completes commands, options, task ids, projects, tags, views and providers. Install it:

    In bash, add `eval "$(todo-tui completions bash)"` to ~/.bashrc.

    In zsh, add the same line with zsh to ~/.zshrc, below compinit.

    In fish, run once:

    `todo-tui completions fish > ~/.config/fish/completions/todo-tui.fish`
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None  # noqa: S101 - one of SHELLS
    root = click.get_current_context().find_root().command
    sys.stdout.write(completion_class(root, {}, _PROGRAM, "_TODO_TUI_COMPLETE").source())


@click.command("man", cls=TodoCommand)
@click.pass_obj
def man(session: CliSession) -> None:
    """Print the manual page.

    Read it: `todo-tui man | man -l -`

    Install it: `todo-tui man > ~/.local/share/man/man1/todo-tui.1`
    """
    root = click.get_current_context().find_root()
    sys.stdout.writelines(f"{line}\n" for line in write_manual(root))


def write_manual(root: click.Context) -> Iterator[str]:
    """Yield the lines of a manual page in roff, made of the commands and their help."""
    yield f'.TH TODO\\-TUI 1 "" "{_PROGRAM} {version()}" "User Commands"'
    # Text is neither hyphenated nor justified: words are options and commands.
    yield from (".nh", ".ad l", ".SH NAME", r"todo\-tui \- a to\-do list you can talk to")
    yield from (".SH SYNOPSIS", f".B {_roff(_PROGRAM)}", _roff("[OPTIONS] [COMMAND] [ARGS]..."))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(root.command.help or "")
    yield from _paragraphs(str(getattr(root.command, "epilog", None) or ""))
    yield ".SH OPTIONS"
    yield from _options(root)
    yield ".SH COMMANDS"
    yield from _commands(root)
    for title, rows in (("EXIT STATUS", _STATUSES), ("ENVIRONMENT", _VARIABLES)):
        yield f".SH {title}"
        for term, text in rows:
            yield from _definition(term, text)


def _commands(parent: click.Context) -> Iterator[str]:
    """Yield the commands of a group, each followed by its own."""
    if not isinstance(parent.command, click.Group):
        return
    for name in parent.command.list_commands(parent):
        command = parent.command.get_command(parent, name)
        assert command is not None  # noqa: S101 - the group lists it
        context = click.Context(command, parent=parent, info_name=name)
        path = context.command_path.removeprefix(f"{_PROGRAM} ")
        yield f'.SS "{_roff(" ".join((path, *command.collect_usage_pieces(context))))}"'
        yield from _paragraphs(command.help or "")
        yield from _options(context)
        yield from _commands(context)


def _options(context: click.Context) -> Iterator[str]:
    """Yield arguments and options; the common ones only for the program itself."""
    arguments, options, common = read_help_records(context)
    for row in (*arguments, *options, *(common if context.parent is None else ())):
        yield from _definition(*row)


def _definition(term: str, text: str) -> Iterator[str]:
    yield from (f".TP {_INDENT}", f".B {_roff(term)}", _text(text))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in filter(None, re.split(r"\n\s*\n", text.strip())):
        yield from (".PP", _text(paragraph))


def _text(text: str) -> str:
    """Return one line of text; what is in backquotes is bold."""
    pieces = re.split(r"`([^`]*)`", " ".join(text.split()))
    line = "".join(
        rf"\fB{_roff(piece)}\fR" if number % 2 else _roff(piece)
        for number, piece in enumerate(pieces)
    )
    return line or r"\&"


def _roff(text: str) -> str:
    r"""Return text with escapes: no line begins a request, and hyphens can be copied.

    Characters beyond ASCII are written by number, so that any reader shows them.
    """
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    escaped = escaped.replace("'", r"\(aq").replace("`", r"\(ga").replace("^", r"\(ha")
    escaped = escaped.replace("~", r"\(ti")
    escaped = "".join(char if char.isascii() else rf"\[u{ord(char):04X}]" for char in escaped)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped
