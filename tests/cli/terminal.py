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


def raw_on_terminal(columns: int, *args: str) -> str:
    """What a command prints on a terminal of that width, escapes and all."""
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    printed = pexpect.run(
        " ".join((sys.executable, "-m", "todo_tui", *args)),
        env={**environment, "TERM": "xterm-256color"},
        dimensions=(60, columns),
        timeout=300,
    )
    assert isinstance(printed, bytes)
    return printed.decode()


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


def on_terminal(columns: int, *args: str) -> list[str]:
    """The lines that a command prints on a terminal of that width, without styles."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw_on_terminal(columns, *args))
    return [line.rstrip() for line in plain.replace("\r", "").splitlines()]
