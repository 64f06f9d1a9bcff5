"""The configuration file that `config edit` begins with: every setting, as a remark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import wrap

from todo_tui.config.catalogue import (
    BASE_URL,
    KEY_VARIABLE,
    LABEL,
    NEEDS_KEY,
    PROVIDER_SETTINGS,
    ROW_MODEL,
    SETTINGS,
    WIRE,
    Setting,
)
from todo_tui.config.key_actions import ACTIONS, PLACES

_WIDTH = 88
_BEGINNING = """\
# Settings of todo-tui. All of them may be left out; what stands here is the default or
# an example. To set one, take the # before its name away.
# A flag (--model) wins over a variable (TODO_TUI_MODEL), a variable over this file.
# `todo-tui config check` tells what is wrong here, `todo-tui config show` what holds.
"""
_PROVIDERS = """\
# A provider that is built in (`todo-tui providers` lists them), by its id. Variables win
# here too: GROQ_API_KEY, GROQ_BASE_URL, GROQ_MODEL. A key is looked for in the
# environment, then in the key file (`todo-tui keys set groq`), then here, then in the
# system keyring.
"""
_OWN = """\
# A provider of your own, under any other id of small letters, digits and dashes. What
# can be set for one that is built in can be set here too.
"""
_KEYS = """\
# Keys of the app, by the name of what they do; several have commas between, as in
# "list.tick" = "space,x". What stands here are the usual ones.
"""
_OWN_EXAMPLES = {"base_url": '"https://api.mistral.ai/v1"', "model": '"mistral-large-latest"'}


def template() -> str:
    """The text of the file; every line of it is a remark or the header of a table."""
    blocks = [_BEGINNING]
    in_file = [setting for setting in SETTINGS if setting.example]
    for section, settings in groupby(in_file, key=lambda setting: setting.section):
        header = f"[{section}]\n" if section else ""
        blocks.append(header + _lines(settings))
    blocks[-1] += f"\n{_KEYS}\n{key_lines()}"
    own = (WIRE, BASE_URL, LABEL, ROW_MODEL, KEY_VARIABLE, NEEDS_KEY)
    blocks += [
        f"{_PROVIDERS}\n#[providers.groq]\n{_lines(PROVIDER_SETTINGS)}",
        f"{_OWN}\n#[providers.mistral]\n{_lines(own, _OWN_EXAMPLES)}",
    ]
    return "\n".join(blocks)


def key_lines() -> str:
    """A remark for each action: its usual keys, and what it does."""
    blocks: list[str] = []
    for place, actions in groupby(ACTIONS.values(), key=lambda action: action.place):
        lines = [f"# -- {PLACES.get(place, place)}"]
        for action in actions:
            setting = f'#"{action.name}" = "{action.keys}"'
            lines += [f"# {line}" for line in wrap(action.about, _WIDTH - 2)]
            lines.append(setting)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _lines(settings: Iterable[Setting[object]], examples: Mapping[str, str] | None = None) -> str:
    lines: list[str] = []
    for setting in settings:
        lines += (f"# {line}" for line in wrap(setting.about, _WIDTH - 2))
        lines.append(f"#{setting.key} = {(examples or {}).get(setting.key, setting.example)}")
    return "".join(f"{line}\n" for line in lines)
