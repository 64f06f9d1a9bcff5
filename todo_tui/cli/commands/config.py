"""`todo-tui config`: path, show, check, keys, set, unset, edit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoGroup
from todo_tui.cli.options import TEXT, json_option
from todo_tui.cli.output.messages import print_error, print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.config_file_edit import write_setting
from todo_tui.config.explain import SettingRow, format_template, list_setting_rows
from todo_tui.config.external_editor import SET_EDITOR, find_editor, leave_interrupts_to_editor
from todo_tui.config.load import Configuration, config_path
from todo_tui.config.private_files import replace_private_file
from todo_tui.config.resolver import Source, SourceKind
from todo_tui.config.settings import SETTING, ConfigProblem
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count

if TYPE_CHECKING:
    from todo_tui.tui.actions.keymap import Keymap

_KEY_COLUMNS = (
    TableColumn("Action", whole=True),
    TableColumn("Keys", whole=True),
    TableColumn("What", main=True),
)
_COLUMNS = (
    TableColumn("Setting", whole=True),
    TableColumn("Value", main=True),
    TableColumn("From", whole=True),
)
_WRONG_USAGE = 2


def _row_json(row: SettingRow) -> JsonValue:
    value: JsonValue = [*row.value] if isinstance(row.value, list) else row.value
    source = row.source
    return {"value": value, "from": source.kind, "name": source.name or None, "line": row.line}


@click.group("config", cls=TodoGroup, no_args_is_help=False)
def config() -> None:
    """Show, edit or check settings."""


@config.command("path", short_help="Show the file path.")
@click.pass_obj
def path(session: CliSession) -> None:
    """Show the path of the configuration file."""
    print_result(str(config_path(session.flags, os.environ, session.machine)))


@config.command("show", short_help="Show effective settings and their source.")
@json_option
@click.pass_obj
def show(session: CliSession, as_json: bool) -> int:
    """Show effective settings and their source. API keys are hidden."""
    configuration = session.read_configuration()
    from todo_tui.tui.actions.keymap import read_keymap  # 150 ms: Textual
    from todo_tui.tui.actions.keys import write_keys

    settings, keymap = configuration.settings, read_keymap(configuration.settings)
    rows = list(_usable_settings(configuration, keymap))
    if as_json:
        print_json(
            {
                "path": str(settings.config),
                "settings": {row.name: _row_json(row) for row in rows},
                "problems": [problem._asdict() for problem in keymap.problems],
            }
        )
    else:
        cells = []
        for row in rows:
            is_set = row.source.kind not in (SourceKind.DEFAULT, SourceKind.MACHINE)
            is_shortcut = row.name.startswith("keys.") and row.name not in SETTING
            text = write_keys(row.text) if is_shortcut else row.text
            value = TableCell(text or "–", "bold" if is_set else "")
            cells.append((row.name, value, TableCell(row.origin, "" if is_set else "dim")))
        print_columns(_COLUMNS, cells)
        for problem in keymap.problems:
            print_note(f"{problem.message} {problem.hint}")
    for refusal in configuration.refusals:
        print_error(refusal)
    return _WRONG_USAGE if configuration.refusals else 0


def _usable_settings(configuration: Configuration, keymap: Keymap) -> Iterator[SettingRow]:
    """Yield the settings, with those keys of actions that the app accepts."""
    shortcuts = {f"keys.{each.name}": each.name for each in configuration.settings.shortcuts}
    for row in list_setting_rows(configuration):
        action = shortcuts.get(row.name)
        if action is None:
            yield row
        elif action in keymap.keys:
            yield replace(row, value=keymap.keys[action])


@config.command("check", short_help="Check the configuration for errors.")
@json_option
@click.pass_obj
def check(session: CliSession, as_json: bool) -> int:
    """Check the configuration for errors.

    The exit status is 1 when there are errors.
    """
    return _report(session.read_configuration(), as_json=as_json)


@config.command("keys", short_help="List keyboard shortcuts.")
@json_option
@click.pass_obj
def keys(session: CliSession, as_json: bool) -> None:
    """List all actions and their keyboard shortcuts.

    Change shortcuts under [keys] in the configuration file:

    "list.tick" = "space,x"
    """
    from todo_tui.tui.actions.keymap import read_keymap
    from todo_tui.tui.actions.keys import write_keys
    from todo_tui.tui.actions.registry import ACTIONS

    settings = session.read_configuration().settings
    chosen = read_keymap(settings).keys
    if as_json:
        print_json(
            {
                action.id: {
                    "keys": [*filter(None, chosen.get(action.id, action.keys).split(","))],
                    "usual": [*filter(None, action.keys.split(","))],
                    "about": action.label,
                }
                for action in ACTIONS.values()
            }
        )
        return
    rows = []
    for action in ACTIONS.values():
        style = "bold" if action.id in chosen else ""
        holding = TableCell(write_keys(chosen.get(action.id, action.keys)), style)
        rows.append((action.id, holding, action.label))
    print_columns(_KEY_COLUMNS, rows)


@config.command("set", writes_elsewhere=True, free_words=True, short_help="Change settings.")
@click.argument("words", metavar="NAME VALUE...", nargs=-1, required=True, type=TEXT)
@click.pass_obj
def set_(session: CliSession, words: tuple[str, ...]) -> int:
    """Change lines of the configuration file; its comments stay.

    Examples: config set limits.timeout 60; config set theme light

    Keys: config set keys.list.tick space,x

    Providers: config set providers.groq.model openai/gpt-oss-20b

    Several at once, for keys that change places:

    config set keys.list.move_down shift+down keys.list.mark_down J
    """
    if len(words) % 2:
        raise click.UsageError(f"Value of {words[-1]} missing.")
    return _write(session, dict(zip(words[::2], words[1::2], strict=True)))


@config.command("unset", writes_elsewhere=True, short_help="Reset settings to their defaults.")
@click.argument("names", metavar="NAME...", nargs=-1, required=True, type=TEXT)
@click.pass_obj
def unset(session: CliSession, names: tuple[str, ...]) -> int:
    """Remove lines from the configuration file, so that the defaults apply.

    Several at once, for keys that changed places:

    config unset keys.list.move_down keys.list.mark_down
    """
    return _write(session, dict.fromkeys(names))


def _write(session: CliSession, changes: Mapping[str, str | None]) -> int:
    """Write settings, all or none; None removes one."""
    file = config_path(session.flags, os.environ, session.machine)
    shortcuts = {
        name.removeprefix("keys."): value
        for name, value in changes.items()
        if name.startswith("keys.") and name not in SETTING
    }
    if shortcuts:
        # Only the app knows which actions and keys there are.
        from todo_tui.tui.actions.keymap import check_shortcuts

        check_shortcuts(session.read_configuration().settings, shortcuts)
    if theme := changes.get("theme"):
        from todo_tui.tui.theme import theme_names

        if theme not in (known := theme_names()):
            hint = f"Available: {', '.join(known)}."
            raise ConfigError(f"Unknown theme “{theme}”.", hint=hint)
    for is_dry_run in (True, session.is_dry_run):
        for name, value in changes.items():
            write_setting(file, name, value, dry_run=is_dry_run)
    sources = session.read_configuration().sources
    for name, value in changes.items():
        print_result(f"{'Reset' if value is None else 'Set'} {name} in {file}.")
        source = sources.get(name, Source(SourceKind.DEFAULT))
        if clause := source.override:
            print_note(f"{clause[0].upper()}{clause[1:]}.")
    if not session.is_dry_run:
        print_note(f"An open app takes {'it' if len(changes) == 1 else 'them'} at its next start.")
    return 0


@config.command("edit", short_help="Edit the configuration.")
@click.pass_obj
def edit(session: CliSession) -> int:
    """Edit the configuration in VISUAL or EDITOR, then check it.

    A new file starts with every setting explained.
    """
    from todo_tui.tui.actions.keymap import format_key_lines

    file = config_path(session.flags, os.environ, session.machine)
    if not os.path.lexists(file):
        replace_private_file(file, format_template(format_key_lines()))
    status = _open_in_editor(file)
    if status:
        print_note(f"The editor exited with status {status}.")
    return _report(session.read_configuration())


def _report(configuration: Configuration, *, as_json: bool = False) -> int:
    from todo_tui.tui.actions.keymap import read_keymap

    refusals = (ConfigProblem(error.message, error.hint or "") for error in configuration.refusals)
    noted = read_keymap(configuration.settings).problems
    unknown = (*_unknown_theme(configuration), *_unknown_tools(configuration))
    problems = [*noted, *refusals, *unknown]
    file, count = configuration.settings.config, len(problems)
    if as_json:
        print_json([problem._asdict() for problem in problems])
        return int(count > 0)
    for problem in problems:
        print_result(problem.message)
        print_result(f"  {problem.hint}")
    if problems:
        print_result(f"{format_count(count, 'problem')} found.")
    elif file.exists():
        print_result(f"No problems found: {file}")
    else:
        print_result(
            f"No configuration file; using defaults. Create {file} with: todo-tui config edit"
        )
    return int(count > 0)


def _unknown_theme(configuration: Configuration) -> Iterator[ConfigProblem]:
    """Yield a theme that does not exist; only the app knows the themes."""
    from todo_tui.tui.theme import theme_names

    name, known = configuration.settings.theme, theme_names()
    if name and name not in known:
        line = configuration.file.line_of(("theme",))
        where = f"{configuration.settings.config}:{f' line {line}:' if line else ''}"
        hint = f"Available: {', '.join(known)}."
        yield ConfigProblem(f"{where} unknown theme “{name}”.", hint, line)


def _unknown_tools(configuration: Configuration) -> Iterator[ConfigProblem]:
    """Yield the names under [approvals] that no tool has; `config` does not know the tools."""
    named = configuration.settings.approvals.tools
    if not named:
        return
    from todo_tui.tools.registry import TOOLS  # 60 ms: few name a tool

    known = [tool.name for tool in TOOLS]
    hint = f"Available: {', '.join(known)}."
    for at, name in enumerate(named):
        if name not in known:
            line = configuration.file.line_of(("approvals", "tools", at))
            where = f"{configuration.settings.config}:{f' line {line}:' if line else ''}"
            yield ConfigProblem(f"{where} unknown tool “{name}”.", hint, line)


def _open_in_editor(path: Path) -> int:
    """Open the file in the user's editor; return its exit status."""
    command = find_editor(os.environ)
    try:
        with leave_interrupts_to_editor():
            return subprocess.run([*command, str(path)], check=False).returncode  # noqa: S603 - theirs
    except OSError as error:
        raise TodoError(
            f"Cannot start the editor {command[0]}: {error.strerror}.", hint=SET_EDITOR
        ) from error
