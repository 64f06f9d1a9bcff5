"""The settings that hold: a table for people, an object for programs."""

from __future__ import annotations

from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.config.key_actions import ACTIONS
from todo_tui.config.loading import Configuration
from todo_tui.config.overview import Shown, ShownSetting, overview
from todo_tui.config.settings import ConfigProblem
from todo_tui.config.sources import SourceKind
from todo_tui.domain.task import JsonValue

_KEY_COLUMNS = (Column("Action", whole=True), Column("Keys", whole=True), Column("What", main=True))
_COLUMNS = (Column("Setting", whole=True), Column("Value", main=True), Column("From", whole=True))


def print_settings(configuration: Configuration) -> None:
    """Print a line a setting: its name, its value, where that comes from."""
    rows = [_row(each) for each in overview(configuration)]
    print_columns(_COLUMNS, rows, no_color=configuration.settings.no_color)


def settings_json(configuration: Configuration) -> JsonValue:
    """The file, every setting by name, and what is wrong."""
    return {
        "path": str(configuration.settings.config),
        "settings": {each.name: _setting_json(each) for each in overview(configuration)},
        "problems": [problem_json(each) for each in configuration.settings.problems],
    }


def print_keys(configuration: Configuration) -> None:
    """Print a line an action: its name, its keys, what it does."""
    changed = configuration.settings.keymap
    rows = [
        [
            Cell(action.name),
            Cell(changed.get(action.name, action.keys), "bold" if action.name in changed else ""),
            Cell(action.about),
        ]
        for action in ACTIONS.values()
    ]
    print_columns(_KEY_COLUMNS, rows, no_color=configuration.settings.no_color)


def keys_json(configuration: Configuration) -> JsonValue:
    """Every action by name, with the keys that hold and the usual ones."""
    changed = configuration.settings.keymap
    return {
        action.name: {
            "keys": [*changed.get(action.name, action.keys).split(",")],
            "usual": [*action.keys.split(",")],
            "about": action.about,
        }
        for action in ACTIONS.values()
    }


def problem_json(problem: ConfigProblem) -> JsonValue:
    """What is wrong, for programs."""
    return {"message": problem.message, "hint": problem.hint, "line": problem.line}


def _row(setting: ShownSetting) -> list[Cell]:
    is_set = setting.source.kind not in (SourceKind.DEFAULT, SourceKind.MACHINE)
    return [
        Cell(setting.name),
        Cell(_words(setting.value), "bold" if is_set else ""),
        Cell(setting.origin, "" if is_set else "dim"),
    ]


def _words(value: Shown) -> str:
    match value:
        case None | []:
            return "–"
        case list():
            return ", ".join(value)
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.12g}"
        case _:
            return str(value)


def _setting_json(setting: ShownSetting) -> JsonValue:
    value: JsonValue = [*setting.value] if isinstance(setting.value, list) else setting.value
    return {
        "value": value,
        "from": setting.source.kind.value,
        "name": setting.source.name or None,
        "line": setting.line,
    }
