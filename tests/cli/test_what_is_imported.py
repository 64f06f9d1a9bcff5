"""What a command loads: the quick ones nothing that is slow."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Shell
from todo_tui.domain.extras import install_command

_SLOW = (
    "sqlite_utils",
    "pydantic",
    "rich",
    "asyncio",
    "textual",
    "openai",
    "groq",
    "anthropic",
    "genai_prices",
    "mcp",
    "mcp_types",
)
_SDKS_AND_SCREENS = (
    *("textual", "openai", "groq", "anthropic", "genai_prices"),
    *("opentelemetry", "requests", "plotext"),
)
_PROBE = """
import json, sys
from todo_tui.cli.main import main
for args in json.loads(sys.argv[1]):
    sys.argv[1:] = args
    status = main()
    print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded_by(*commands: tuple[str, ...]) -> list[set[str]]:
    """Return what is loaded after each of these commands, in one process."""
    run = subprocess.run(
        [sys.executable, "-c", _PROBE, json.dumps(commands)],
        capture_output=True,
        check=True,
        text=True,
    )
    ends = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("[")]
    assert [status for status, _ in ends] == [0] * len(commands), run.stderr
    return [set(modules) for _, modules in ends]


def test_commands_load_only_what_they_need(shell: Shell) -> None:
    shell.done("add", "first every day")
    quick = (
        ("add", "milk tomorrow"),
        ("done", "1"),
        ("list",),
        ("list", "--json"),
        ("list", "due:today"),
        ("view", "next"),
        ("undo",),
        ("log",),
        ("add", "milk", "--dry-run", "--quiet"),
    )
    # What a command loads stays for those after it.
    rows: list[tuple[tuple[str, ...], set[str]]] = [
        (("--help",), {"sqlite3", *_SLOW}),
        (("--version",), {"sqlite3", *_SLOW}),
        *((command, {*_SLOW}) for command in quick),
        (("ask", "what is due today?"), {*_SDKS_AND_SCREENS}),
    ]
    loaded = loaded_by(*(command for command, _ in rows))
    for (command, slow), modules in zip(rows, loaded, strict=True):
        assert modules & slow == set(), command


def test_the_server_says_how_it_is_installed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    problem = shell.fails("mcp", status=2)
    assert install_command("mcp") in problem.err
