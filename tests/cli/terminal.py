"""Commands on a terminal of any width."""

from __future__ import annotations

import json
import os
import re
import sys

import pexpect  # type: ignore[import-untyped]  # it has no stubs

_IN_TURN = """
import json, sys
from todo_tui.cli.main import main
sys.exit(max([main(command) for command in json.loads(sys.argv[1])]))
"""

_END = "\x1e"
_IN_WIDTHS = f"""
import json, sys, termios
from todo_tui.cli.main import main
for columns, *command in json.loads(sys.argv[1]):
    termios.tcsetwinsize(1, (60, columns))
    main(command)
    print({_END!r}, end="", flush=True)
"""


def raw_on_terminal(columns: int, *args: str) -> str:
    """What a command prints on a terminal of that width, escapes and all."""
    return _printed("-m", "todo_tui", *args, columns=columns)


def at_a_terminal(*args: str, columns: int = 80) -> pexpect.spawn:
    """A command at work on a terminal of that width, to be answered."""
    return _spawn("-m", "todo_tui", *args, columns=columns)


def at_a_terminal_in_turn(*commands: list[str]) -> pexpect.spawn:
    """Commands that one process, which takes long to start, runs one after the other."""
    return _spawn("-c", _IN_TURN, json.dumps(commands), columns=80)


def _spawn(*args: str, columns: int) -> pexpect.spawn:
    return pexpect.spawn(
        sys.executable,
        list(args),
        env={**os.environ, "TERM": "xterm-256color"},
        dimensions=(24, columns),
        timeout=300,
        encoding="utf-8",
    )


def _printed(*args: str, columns: int) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    child = pexpect.spawn(
        sys.executable,
        list(args),
        env={**environment, "TERM": "xterm-256color"},
        dimensions=(60, columns),
        timeout=300,
        encoding="utf-8",
    )
    child.expect(pexpect.EOF)
    child.close()
    return str(child.before)


def on_terminal(columns: int, *args: str) -> list[str]:
    """The lines that a command prints on a terminal of that width, without styles."""
    return _lines(raw_on_terminal(columns, *args))


def on_terminals(*commands: tuple[int | str, ...]) -> list[list[str]]:
    """The lines of several commands, each after its width; one process runs them in turn."""
    printed = _printed("-c", _IN_WIDTHS, json.dumps(commands), columns=80)
    return [_lines(each) for each in printed.split(_END)[:-1]]


def _lines(printed: str) -> list[str]:
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    return [line.rstrip() for line in plain.replace("\r", "").splitlines()]
