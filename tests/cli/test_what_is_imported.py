"""What a command loads: the quick ones nothing that is slow."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Shell

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
)
_PROBE = """
import json, sys
from todo_tui.cli.main import main
status = main()
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded_by(*args: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", _PROBE, *args], capture_output=True, check=True, text=True
    )
    status, modules = json.loads(run.stderr.splitlines()[-1])
    assert status == 0, run.stderr
    return set(modules)


@pytest.mark.parametrize(
    "args",
    [
        ("add", "milk tomorrow"),
        ("done", "1"),
        ("list",),
        ("list", "--json"),
        ("list", "due:today"),
        ("view", "next"),
        ("undo",),
        ("--help",),
    ],
)
def test_the_quick_commands_load_nothing_slow(shell: Shell, args: tuple[str, ...]) -> None:
    shell.done("add", "first every day")
    assert loaded_by(*args) & set(_SLOW) == set()


def test_help_and_version_do_without_a_store(shell: Shell) -> None:
    for args in (("--help",), ("--version",)):
        assert "sqlite3" not in loaded_by(*args)


def test_asking_the_built_in_assistant_loads_no_sdk_and_no_screen(shell: Shell) -> None:
    modules = loaded_by("ask", "what is due today?")
    assert modules & {"textual", "openai", "groq", "anthropic", "genai_prices"} == set()
