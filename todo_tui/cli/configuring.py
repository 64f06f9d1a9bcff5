"""`todo-tui config`: where the configuration is, what holds, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from todo_tui.cli.options import TodoCommand, json_option
from todo_tui.cli.output import complain, note, print_json, say
from todo_tui.cli.session import Session
from todo_tui.cli.subcommands import TodoGroup
from todo_tui.config.loading import Configuration, config_path, read_configuration
from todo_tui.config.settings import ConfigProblem
from todo_tui.providers.registry import PROVIDERS

_WRONG_USAGE = 2


@click.group(
    "config",
    cls=TodoGroup,
    no_args_is_help=False,
    short_help="Show, edit and check the configuration.",
)
def config() -> None:
    """Show, edit and check the configuration."""


@config.command("path", cls=TodoCommand, short_help="Print where the file is.")
@click.pass_obj
def path(session: Session) -> None:
    """Print where the configuration file is, whether or not there is one."""
    say(str(config_path(session.flags, os.environ, session.machine)))


@config.command("show", cls=TodoCommand, short_help="Show what holds, and why.")
@json_option
@click.pass_obj
def show(session: Session, as_json: bool) -> int:
    """Show every setting that holds, and where it comes from. Keys are dots."""
    # Who only edits or checks does without.
    from todo_tui.cli.config_table import print_settings, settings_json

    configuration = _configuration(session)
    if as_json:
        print_json(settings_json(configuration))
    else:
        print_settings(configuration)
        for problem in configuration.settings.problems:
            note(f"{problem.message} {problem.hint}")
    for refusal in configuration.refusals:
        complain(refusal)
    return _WRONG_USAGE if configuration.refusals else 0


@config.command("check", cls=TodoCommand, short_help="Tell what is wrong, and the cure.")
@json_option
@click.pass_obj
def check(session: Session, as_json: bool) -> int:
    """Tell what is wrong with the configuration, and the cure.

    The exit status is 1 when something is.
    """
    return _report(_configuration(session), as_json=as_json)


@config.command("keys", cls=TodoCommand, short_help="List all actions and their keys.")
@json_option
@click.pass_obj
def keys(session: Session, as_json: bool) -> None:
    """List what has a key in the app: its name, the keys that hold, what it does.

    Others are chosen under [keys] in the file: "list.tick" = "space,x"
    """
    from todo_tui.cli.config_table import keys_json, print_keys  # as above

    configuration = _configuration(session)
    if as_json:
        print_json(keys_json(configuration))
    else:
        print_keys(configuration)


@config.command("edit", cls=TodoCommand, short_help="Open the file in your editor.")
@click.pass_obj
def edit(session: Session) -> int:
    """Open the file in VISUAL or EDITOR, then check it.

    If there is none, it begins with every setting explained.
    """
    from todo_tui.cli import text_editor
    from todo_tui.config.private_files import create_private
    from todo_tui.config.template import template

    file = config_path(session.flags, os.environ, session.machine)
    create_private(file, template())
    status = text_editor.edit(file, os.environ)
    if status:
        note(f"The editor ended with status {status}.")
    return _report(_configuration(session))


def _configuration(session: Session) -> Configuration:
    return read_configuration(session.flags, os.environ, PROVIDERS, session.machine)


def _report(configuration: Configuration, *, as_json: bool = False) -> int:
    """Print every problem; 1 where there are any."""
    problems = list(_problems(configuration))
    if as_json:
        from todo_tui.cli.config_table import problem_json  # as above

        print_json([problem_json(each) for each in problems])
        return int(bool(problems))
    for each in problems:
        say(each.message)
        say(f"  {each.hint}")
    file = configuration.settings.config
    if problems:
        count = len(problems)
        say("1 thing is wrong." if count == 1 else f"{count} things are wrong.")
    elif file.exists():
        say(f"All is well: {file}")
    else:
        say(f"There is no {file}; defaults hold. Make one: todo-tui config edit")
    return int(bool(problems))


def _problems(configuration: Configuration) -> Iterator[ConfigProblem]:
    yield from configuration.settings.problems
    for refusal in configuration.refusals:
        yield ConfigProblem(refusal.message, refusal.hint or "")
    yield from _unknown_tools(configuration)


def _unknown_tools(configuration: Configuration) -> Iterator[ConfigProblem]:
    """Names under [approvals] that no tool has; what reads the settings knows no tools."""
    named = configuration.settings.approvals.tools
    if not named:
        return
    # Slow to import, and few name a tool.
    from todo_tui.tools.registry import TOOLS

    known = [tool.name for tool in TOOLS]
    for at, name in enumerate(named):
        if name not in known:
            line = configuration.file.line_of(("approvals", "tools", at))
            where = f"line {line}: " if line else ""
            yield ConfigProblem(
                f"{configuration.settings.config}: {where}there is no tool “{name}”.",
                f"Known are: {', '.join(known)}.",
                line,
            )
