"""`log` without a task, and `undo` of chosen changes."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Shell


def test_the_log_names_changes_that_undo_takes(shell: Shell) -> None:
    assert shell.done("log").out == ""
    shell.done("add", "Buy milk")
    shell.done("add", "Call mom")
    shell.done("done", "1")
    lines = shell.done("log").out.splitlines()
    assert [line[8:] for line in lines] == [
        f"   Wed 18 Nov 14:30  shell  {text}"
        for text in ("Completed Buy milk", "Added Call mom", "Added Buy milk")
    ]
    batch = lines[1][:8]
    assert re.fullmatch(r"[0-9a-f]{8}", batch)
    assert shell.done("undo", batch).out == "Removed #2 Call mom\n"
    assert "Added Call mom (undone)" in shell.done("log").out
    assert "Nothing to undo." in shell.fails("undo", batch).err
    assert "There is no change" in shell.fails("undo", "none").err
    entries = shell.done("log", "--json", "--limit", "2").tasks
    assert [each["kind"] for each in entries] == ["undo", "do"]
    assert entries[0]["target"]
    assert entries[1]["tasks"] == [{"id": 1, "title": "Buy milk", "change": "Completed"}]
    assert "Undo: Removed Call mom" in shell.done("log").out
    assert shell.done("redo").out == "Added #2 Call mom\n"
    assert "Added Call mom (undone)" not in shell.done("log").out
    assert shell.done("undo").out == "Removed #2 Call mom\n"
    assert shell.done("log", "--actor", "claude").err == "No changes.\n"
    assert len(shell.done("log", "--since", "today", "--actor", "shell").out.splitlines()) == 6


def test_undo_by_name_previews_and_asks(shell: Shell) -> None:
    for title in ("one", "two", "three"):
        shell.done("add", title)
    refused = shell.fails("undo", "--actor", "shell", "--since", "monday")
    assert "shell: Added three" in refused.err
    assert "Undo 3 changes to 3 tasks?" in refused.err
    assert len(shell.done("list", "--json").tasks) == 3
    removed = shell.done("undo", "--actor", "shell", "--yes", "--json").tasks
    assert [task["id"] for task in removed] == [1, 2, 3]
    assert shell.done("list", "--json").tasks == []
    shell.fails("undo", "--actor", "shell", "--yes")
    shell.fails("undo", "--actor", "claude")


def test_the_history_of_a_task_is_filtered_too(shell: Shell) -> None:
    shell.done("add", "Buy milk")
    shell.done("edit", "1", "!high")
    lines = shell.done("log", "1").out.splitlines()
    assert len(lines) == 3
    # Actors have the names that the log of everything gives them.
    assert all("  shell  " in line for line in lines)
    assert shell.done("log", "1", "--actor", "shell") == shell.done("log", "1")
    assert shell.done("log", "1", "--since", "today") == shell.done("log", "1")
    assert shell.done("log", "1", "--actor", "claude").out == ""
    assert "priority" in shell.done("log", "1", "--limit", "1").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("log", "--limit", "0"),
        ("undo", "12345678", "--actor", "you"),
        ("undo", "a", "b"),
    ],
)
def test_contradictions_are_wrong_usage(shell: Shell, arguments: tuple[str, ...]) -> None:
    shell.done("add", "one")
    shell.fails(*arguments, status=2)


def test_days_that_cannot_be_read_are_refused(shell: Shell) -> None:
    shell.done("add", "one")
    assert "as a date" in shell.fails("log", "--since", "gibberish").err
    assert "future" in shell.fails("undo", "--since", "tomorrow").err
    assert "as a date" in shell.fails("undo", "--since", "", "--yes").err
    assert len(shell.done("list", "--json").tasks) == 1


@pytest.mark.parametrize(
    ("since", "titles"),
    [
        ("04:25", "two three"),
        ("4:27", "three"),
        ("04:27", "three"),
        ("today 04:26", "three"),
        ("today", "one two three"),
        ("2 hours ago", "two three"),
        ("23:00", None),
        ("4:28", None),
    ],
)
def test_a_time_without_a_day_is_one_of_today(shell: Shell, since: str, titles: str | None) -> None:
    for time, title in (("00:10", "one"), ("04:25", "two"), ("04:27", "three")):
        shell.set(TODO_TUI_NOW=f"2026-11-18T{time}")
        shell.done("add", title)
    if titles is None:
        assert f"“{since}” is in the future." in shell.fails("undo", "--since", since).err
        return
    logged = shell.done("log", "--since", since).out.splitlines()
    assert [line.split()[-1] for line in reversed(logged)] == titles.split()
    undone = shell.done("undo", "--since", since, "--yes", "--json").tasks
    assert [task["title"] for task in undone] == titles.split()
