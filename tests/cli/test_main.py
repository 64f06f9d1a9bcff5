"""Options, usage, errors and streams: what all commands have in common."""

from __future__ import annotations

import importlib
import os
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Shell
from todo_tui.cli.base import version
from todo_tui.cli.main import COMMANDS, CommandRow
from todo_tui.cli.wiring.session import CliSession, build_clock
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.text import plain_text

every_command = pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)


@every_command
def test_each_command_helps_and_takes_the_common_options(shell: Shell, row: CommandRow) -> None:
    command = getattr(importlib.import_module(f"todo_tui.cli.commands.{row.module}"), row.attribute)
    assert isinstance(command, click.Command)
    assert command.name == row.name
    assert (command.help or "").startswith(row.summary.rstrip("."))
    text = shell.done(row.name, "--help").out
    assert row.summary.rstrip(".") in " ".join(text.split())
    for option in ("--db", "--user", "--provider", "--model", "--config", "--version"):
        assert option in text


def test_help_lists_every_command_and_imports_none(shell: Shell) -> None:
    text = shell.done("--help").out
    for row in COMMANDS:
        assert f"  {row.name} " in text
        assert row.summary in text


def test_version_stands_before_or_after_a_command(shell: Shell) -> None:
    expected = f"todo-tui {version()}\n"
    assert shell.done("--version").out == expected
    assert shell.done("list", "--version").out == expected


def test_common_options_stand_before_or_after_a_command(shell: Shell) -> None:
    other = str(shell.folder / "other.db")
    shell.done("--db", other, "--user", "anna", "add", "before")
    shell.done("add", "after", "--db", other, "--user", "anna")
    both = shell.done("list", "--json", f"--db={other}", "--user", "anna").tasks
    assert [task["title"] for task in both] == ["before", "after"]
    assert shell.done("list", "--json").json == []


def test_the_option_after_the_command_counts_where_both_are_given(shell: Shell) -> None:
    shell.done("--user", "anna", "add", "hers", "--user", "ben")
    assert shell.done("list", "--json", "--user", "anna").json == []
    assert len(shell.done("list", "--json", "--user", "ben").tasks) == 1


@pytest.mark.parametrize(
    "args",
    [
        ("frobnicate",),
        ("--frobnicate",),
        ("list", "--jsn"),
        ("add", "--jsn", "milk"),
        ("add",),
        ("done",),
        ("edit",),
        ("show",),
        ("show", "1", "2"),
        ("import",),
        ("import", "x", "--format", "xls"),
        ("ask",),
        ("ask", ""),
        ("list", "--db", ""),
        ("list", "--user", " "),
        ("list", "--provider", "skynet"),
        ("--demo", "list"),
        (),
    ],
)
def test_wrong_usage_ends_with_2_and_says_how(shell: Shell, args: tuple[str, ...]) -> None:
    outcome = shell.fails(*args, status=2)
    assert "todo-tui" in outcome.err


def test_a_mistyped_command_is_guessed(shell: Shell) -> None:
    assert "`delete`" in shell.fails("delet", "1", status=2).err
    assert "todo-tui --help" in shell.fails("buy", "milk", status=2).err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("lst",), "Unknown command 'lst'. Did you mean `list`?"),
        (("LIST",), "Did you mean `list`?"),
        (("complete",), "Unknown command 'complete'. Did you mean `done`?"),
        (("help", "dnoe"), "Unknown command 'dnoe'. Did you mean `done`?"),
        (("conversations", "lst"), "Unknown command 'lst'. Did you mean `list`?"),
        (("help", "conversations", "lst"), "Unknown command 'lst'. Did you mean `list`?"),
        (("views", "renam"), "Did you mean `rename`?"),
        (("config", "shwo"), "Did you mean `show`?"),
        (("config", "zzz"), "Choose one of: path, show, check, keys, set, unset, edit."),
        (("list", "--jsn"), "Did you mean '--json'?"),
        (("conversations", "list", "--jsn"), "Did you mean '--json'?"),
        (("keys", "set", "--keyrin"), "Unknown option. Did you mean --keyring?"),
    ],
    ids=" ".join,
)
def test_what_was_mistyped_is_guessed_in_each_command(
    shell: Shell, typed: tuple[str, ...], meant: str
) -> None:
    assert meant in shell.fails(*typed, status=2).err


def test_a_mistyped_command_for_keys_is_guessed_and_not_repeated(shell: Shell) -> None:
    err = shell.fails("keys", "lst", status=2).err
    assert "Unknown command. Did you mean `list`?" in err
    assert "lst" not in err


def test_aliases_are_the_commands_that_they_stand_for(shell: Shell) -> None:
    shell.done("add", "milk")
    assert shell.done("ls", "milk").out == shell.done("list", "milk").out
    assert shell.done("rm", "1").out == "Deleted #1 milk\n"
    assert "todo-tui delete" in shell.fails("rm", status=2).err


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ((), ()),
        (("list",), ("list",)),
        (("rm",), ("delete",)),
        (("views", "save"), ("views", "save")),
        (("help",), ()),
        (("add", "milk"), ("add",)),
    ],
    ids=str,
)
def test_help_shows_the_help_of_a_command(
    shell: Shell, words: tuple[str, ...], same: tuple[str, ...]
) -> None:
    assert shell.done("help", *words).out == shell.done(*same, "--help").out


def test_help_mentions_the_aliases_and_lists_none_of_them(shell: Shell) -> None:
    lines = shell.done("--help").out.splitlines()
    assert "Aliases: ls (list) and rm (delete)" in " ".join(lines)
    assert not [line for line in lines if line.startswith(("  ls ", "  rm ", "  help "))]


@pytest.mark.parametrize("word", ["\x1b[31mred", "\x9b31m", "a\x00b", "\u202etxt", "[bold]x"])
def test_complaints_show_no_escape_of_what_was_typed(shell: Shell, word: str) -> None:
    for args in ((word,), ("list", f"--{word}"), ("done", word), ("edit", "1", "--due", word)):
        outcome = shell.run(*args)
        assert plain_text(outcome.err) == outcome.err


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.text(min_size=1, max_size=30))
def test_no_title_reaches_the_terminal_as_anything_but_text(shell: Shell, title: str) -> None:
    for outcome in (shell.run("add", "--words-only", "--", title), shell.run("list")):
        assert outcome.status in (0, 1, 2)
        assert plain_text(outcome.out + outcome.err) == outcome.out + outcome.err


def test_a_mistake_in_the_configuration_is_reported_and_does_not_stop(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('user = "anna"\ntheme = 7\n')
    outcome = shell.done("add", "milk", "--json", "--config", str(config))
    assert outcome.task["title"] == "milk"
    assert f"{config}: line 2: `theme` has an invalid value" in outcome.err


@pytest.mark.parametrize("now", ["yesterday", "0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("args", [("list",), ("add", "milk"), ("ask", "hi"), ("stats",)])
def test_a_variable_that_cannot_be_used_ends_with_2(
    shell: Shell, now: str, args: tuple[str, ...]
) -> None:
    shell.set(TODO_TUI_NOW=now)
    first, second = shell.fails(*args, status=2).err.splitlines()
    assert first == f"todo-tui: Invalid value “{now}” in TODO_TUI_NOW."
    assert second.startswith("  Use a local time in the years 1000 to 8999, for example ")


@pytest.mark.parametrize("year", [1, 999, 9000, 9999])
def test_a_clock_that_is_far_off_is_named(shell: Shell, year: int) -> None:
    far = replace(CliSession(shell.environment()).settings, now=datetime(year, 1, 1))
    with pytest.raises(ConfigError, match=f"The clock of this machine is in the year {year}"):
        build_clock(far)


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"x" * 200])
def test_a_file_that_is_no_database_of_ours_is_left_alone(shell: Shell, content: bytes) -> None:
    path = shell.folder / "tasks.db"
    path.write_bytes(content)
    for args in (("list",), ("add", "milk"), ("export",)):
        assert str(path) in shell.fails(*args).err
    assert path.read_bytes() == content


def test_an_error_nobody_expected_is_logged_without_keys(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.set(GROQ_API_KEY="gsk_very_secret_key", GEMINI_API_KEY="very'secret/key")

    def explode(name: str) -> None:
        raise ZeroDivisionError({"gsk_very_secret_key": quote("very'secret/key", safe="")})

    monkeypatch.setattr(importlib, "import_module", explode)
    outcome = shell.fails("list")
    log = shell.folder / "state/todo-tui/log/todo-tui.log"
    assert str(log) in outcome.err
    assert "ZeroDivisionError" in outcome.err
    assert "Traceback" in log.read_text()
    assert "secret" not in outcome.err + log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_what_the_encoding_lacks_is_printed_as_a_stand_in(shell: Shell) -> None:
    run = shell.process("add", "Brötchen tomorrow 5pm", PYTHONIOENCODING="ascii")
    assert run.returncode == 0
    assert b"Br\\xf6tchen" in run.stdout


def test_a_reader_that_goes_away_is_no_failure(shell: Shell) -> None:
    for number in range(3):
        shell.done("add", f"task {number} " + "x" * 9000)
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [sys.executable, "-m", "todo_tui", "list", "--json"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert run.returncode == 0
    assert run.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("list",), ("list", "--json"), ("export",), ("--help",)])
def test_a_full_disk_behind_the_output_is_a_failure_with_a_sentence(
    shell: Shell, command: tuple[str, ...]
) -> None:
    shell.done("add", "milk")
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "todo_tui", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr == b"todo-tui: Failed: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
@pytest.mark.parametrize(
    ("command", "status"),
    [("add milk", 0), ("list", 0), ("--help", 0), ("doctor", 0), ("ask -", 2)],
)
def test_streams_that_are_closed_are_no_crash(shell: Shell, command: str, status: int) -> None:
    run = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m todo_tui {command} <&- >&-"],
        stderr=subprocess.PIPE,
        check=False,
    )
    assert run.returncode == status
    assert b"Traceback" not in run.stderr


@pytest.mark.usefixtures("no_database")
def test_the_app_needs_a_terminal(shell: Shell) -> None:
    run = shell.process()
    assert run.returncode == 2
    assert b"todo-tui list" in run.stderr
    assert not Path(shell.folder / "tasks.db").exists()
