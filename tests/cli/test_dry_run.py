"""`--dry-run` and `--quiet` of the commands that write."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.cli.test_proposals import proposed
from todo_tui.cli.base import TodoCommand
from todo_tui.cli.main import COMMANDS, todo_tui

COMMANDS_THAT_WRITE: tuple[tuple[str, ...], ...] = (
    ("add", "New task tomorrow #home"),
    ("done", "1", "--with-children"),
    ("done", "2"),
    ("reopen", "5"),
    ("cancel", "3"),
    ("skip", "2"),
    ("end", "2"),
    ("edit", "3", "friday !high"),
    ("annotate", "3", "called twice"),
    ("move", "3", "--under", "1"),
    ("delete", "1"),
    ("restore", "6"),
    ("purge", "6", "--yes"),
    ("undo",),
    ("redo",),
)
"""For the tasks of the fixture."""
OTHERS: tuple[tuple[str, ...], ...] = (
    ("views", "save", "home", "#home"),
    ("views", "rename", "Work", "Job"),
    ("views", "key", "Work", "2"),
    ("views", "delete", "Work"),
    ("knowledge", "add", "lease.md"),
    ("knowledge", "refresh"),
    ("knowledge", "remove", "rules.md"),
    ("conversations", "rename", "ID", "New"),
    ("conversations", "delete", "ID", "--yes"),
    ("proposals", "accept", "1"),
    ("proposals", "drop", "1"),
)


_FILES: dict[str, bytes] = {}
"""The database of the fixture, made once: it takes longer than what is tried with it."""


@pytest.fixture
def tasks(shell: Shell) -> Shell:
    """A parent (1) with a subtask (4), a recurring task (2), closed and deleted ones (5, 6)."""
    path = shell.folder / "tasks.db"
    if path.name in _FILES:
        path.touch(mode=0o600)
        path.write_bytes(_FILES[path.name])
        return shell
    for line in (
        "Trip",
        "Rent every month on the 1st",
        "Call mom",
        "Flights under #1",
        "Old",
        "Bin",
    ):
        shell.done("add", line)
    shell.done("done", "5")
    shell.done("delete", "6")
    shell.done("views", "save", "Work", "#work")
    shell.done("edit", "3", "!low")
    proposed(shell, "delete_task", task_ids=[3])
    shell.done("edit", "4", "!low")
    _FILES[path.name] = path.read_bytes()
    return shell


def prepared(shell: Shell, command: tuple[str, ...]) -> tuple[str, ...]:
    """Do what a command needs; return it with what it is about."""
    match command[0]:
        case "redo":
            shell.done("undo")
        case "conversations":
            shell.done("ask", "what is due today?")
            (conversation,) = shell.done("conversations", "list", "--json").tasks
            return tuple(str(conversation["id"]) if word == "ID" else word for word in command)
        case "knowledge":
            folder = shell.folder / "documents"
            folder.mkdir()
            (folder / "rules.md").write_text("Quiet after ten.")
            shell.done("knowledge", "add", str(folder))
            (folder / "lease.md").write_text("The rent is 940 euros.")
            return tuple(str(folder / word) if "." in word else word for word in command)
    return command


_TABLES = (
    "tasks task_tags task_blockers ops batches counters meta views proposals conversations "
    "messages documents passages"
).split()


_DONE = re.compile(r"^(?:Permanently )?(?:\w+ed|Done|Set|Reset)\b:? ", re.MULTILINE)


def assert_would(dry: str, done: str) -> None:
    """Check that a dry run says of the same things that they would be done, not that they are."""
    assert not _DONE.search(dry)
    about = _DONE.sub("", done)
    assert re.sub(r"^Would (?:permanently )?\w+ ", "", dry, flags=re.MULTILINE) == about
    assert ("Would " in dry) is (about != done)


def dump(shell: Shell) -> list[object]:
    database = sqlite3.connect(shell.folder / "tasks.db")
    try:
        queries = [f"SELECT * FROM {name}" for name in _TABLES]  # noqa: S608 - our own names
        return [database.execute(query).fetchall() for query in queries]
    finally:
        database.close()


@pytest.mark.parametrize("command", [*COMMANDS_THAT_WRITE, *OTHERS], ids=" ".join)
def test_a_dry_run_prints_what_the_command_does_and_changes_nothing(
    tasks: Shell, command: tuple[str, ...]
) -> None:
    command = prepared(tasks, command)
    before = dump(tasks)
    dry = tasks.done(*command, "--dry-run")
    assert "Dry run: nothing was changed." in dry.err
    assert dump(tasks) == before
    done = tasks.done(*command)
    assert dump(tasks) != before
    assert_would(dry.out, done.out)


@pytest.mark.parametrize("command", COMMANDS_THAT_WRITE, ids=" ".join)
def test_quiet_prints_the_ids_of_the_json(tasks: Shell, command: tuple[str, ...]) -> None:
    command = prepared(tasks, command)
    found = tasks.done(*command, "--json", "--dry-run").tasks
    assert found
    quiet = tasks.done(*command, "--quiet", "--dry-run")
    assert quiet.out.split() == [str(task["id"]) for task in found]
    assert tasks.done(*command, "--quiet").out == quiet.out


@pytest.mark.usefixtures("no_database")
def test_a_dry_run_asks_nothing_and_creates_no_database(shell: Shell) -> None:
    assert shell.done("add", "milk", "--dry-run").out == "Would add #1 milk\n"
    assert not (shell.folder / "tasks.db").exists()
    shell.done("add", "milk")
    shell.done("delete", "1")
    assert shell.done("purge", "--all", "--dry-run").out == "Would permanently delete #1 milk\n"
    shell.done("restore", "1")
    assert shell.done("list", "milk", "--quiet").out == "1\n"
    assert shell.done("view", "next", "--quiet").out == "1\n"
    assert shell.done("list", "bread", "--quiet").out == ""
    assert shell.done("undo", "--actor", "shell", "--dry-run", "--quiet").out.split()
    assert shell.fails("done", "99", "--dry-run").err


FILES: tuple[tuple[str, ...], ...] = (
    ("config", "set", "limits.timeout", "60"),
    ("config", "unset", "theme"),
    ("config", "set", "keys.list.delete", "ctrl+x"),
    ("keys", "set", "groq"),
    ("keys", "remove", "openai"),
)
KEY = b"gsk_0123456789abcdef"


@pytest.mark.parametrize("command", FILES, ids=" ".join)
def test_a_dry_run_of_a_command_that_writes_files_writes_none(
    shell: Shell, command: tuple[str, ...]
) -> None:
    shell.done("config", "set", "theme", "light")
    shell.done("keys", "set", "openai", stdin=KEY)

    def files() -> dict[Path, bytes]:
        paths = (path for path in shell.folder.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in paths if path.suffix in (".toml", ".json")}

    before = files()
    assert before
    dry = shell.done(*command, "--dry-run", stdin=KEY)
    assert "Dry run: nothing was changed." in dry.err
    assert files() == before
    assert_would(dry.out, shell.done(*command, stdin=KEY).out)
    assert files() != before


def test_a_dry_run_of_a_mistake_in_the_settings_fails(shell: Shell) -> None:
    assert shell.fails("config", "set", "limits.timeout", "soon", "--dry-run", status=2).err
    assert shell.fails("keys", "remove", "groq", "--dry-run").err


def test_a_dry_run_of_a_message_changes_a_copy(tasks: Shell) -> None:
    before = dump(tasks)
    dry = tasks.done("ask", "delete call mom", "--dry-run")
    assert "Dry run: nothing was changed." in dry.err
    assert "Call mom" in dry.out
    assert dump(tasks) == before
    assert tasks.done("ask", "delete call mom").out == dry.out
    assert dump(tasks) != before


def test_each_command_that_changes_tasks_has_both_options() -> None:
    import click

    context = click.Context(todo_tui)
    for row in COMMANDS:
        command = todo_tui.get_command(context, row.name)
        assert isinstance(command, TodoCommand)
        names = {name for parameter in command.params for name in parameter.opts}
        changes_tasks = any(row.name == each[0] for each in COMMANDS_THAT_WRITE)
        assert ("--quiet" in names) is (changes_tasks or row.name in ("list", "view", "dump")), (
            row.name
        )
        assert ("--dry-run" in names) is (
            changes_tasks or row.name in ("import", "ask", "plan", "review", "dump")
        ), row.name
