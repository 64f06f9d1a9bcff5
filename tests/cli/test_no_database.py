"""Commands that only read leave no database where there is none."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Shell

EMPTY = (
    "list", "list --json", "list today", "ls", "view today", "export", "export --format csv",
    "views", "views --json", "stats", "stats --json", "usage", "usage --turns", "usage --json",
    "conversations list", "conversations list --json", "knowledge list", "knowledge list --json",
    "knowledge search words",
)  # fmt: skip


@pytest.mark.parametrize("command", EMPTY)
def test_reading_creates_no_database(shell: Shell, command: str) -> None:
    path = shell.folder / "new" / "none.db"
    outcome = shell.done("--db", str(path), *command.split())
    assert f"No database at {path}." in outcome.err
    assert not path.parent.exists()
    if "--json" in command and command != "stats --json" and "usage" not in command:
        assert json.loads(outcome.out) == []


@pytest.mark.parametrize(
    "command", ["show 1", "log 1", "conversations show ab", "conversations export ab"]
)
def test_what_is_not_there_is_not_found_and_creates_none(shell: Shell, command: str) -> None:
    path = shell.folder / "none.db"
    outcome = shell.fails("--db", str(path), *command.split())
    assert f"No database at {path}." in outcome.err
    assert not path.exists()


@pytest.mark.parametrize("command", ["doctor", "config show", "providers", "keys list"])
def test_what_needs_no_database_creates_none(shell: Shell, command: str) -> None:
    path = shell.folder / "none.db"
    shell.run("--db", str(path), *command.split())
    assert not path.exists()


def test_adding_creates_it(shell: Shell) -> None:
    path = shell.folder / "none.db"
    assert shell.done("--db", str(path), "add", "milk").err == ""
    assert "No database" not in shell.done("--db", str(path), "list").err
