"""Backups that still contain what was erased are named by the deletion and by doctor."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.store.opened import of_format_11

CALL_SAM = "2a7d6c1c7899905a09642c33e71391b8"
"""Id of the conversation in the older file."""


@pytest.fixture
def backup(shell: Shell, no_database: None) -> Path:
    """The backup from before a migration; the database has a newer conversation and task."""
    shell.set(TODO_TUI_USER="ann")
    of_format_11(shell.folder / "tasks.db")
    shell.done("ask", "add bread")
    (backup,) = shell.folder.glob("*.bak")
    return backup


def conversation(shell: Shell, title: str) -> str:
    """The id of a conversation, as the list shows it."""
    (line,) = [
        line for line in shell.done("conversations", "list").out.splitlines() if title in line
    ]
    return line.split()[0]


def erased(shell: Shell, what: str) -> str:
    """What is printed to standard error as a conversation or task is erased."""
    command, _, title = what.partition(": ")
    if command == "conversation":
        return shell.done("conversations", "delete", conversation(shell, title), "--yes").err
    shell.done("delete", title)
    return shell.done("purge", title, "--yes").err


@pytest.mark.parametrize(
    ("what", "is_kept"),
    [
        ("conversation: call Sam", True),
        ("conversation: add bread", False),
        ("task: paint the door", True),
        ("task: bread", False),
    ],
)
def test_a_deletion_names_the_backup_that_still_contains_the_text(
    shell: Shell, backup: Path, what: str, is_kept: bool
) -> None:
    remove = f"rm {backup}"
    message = f"A backup still contains the deleted text. To remove the backup: {remove}\n"
    assert erased(shell, what) == (message if is_kept else "")


def test_doctor_names_backups_until_they_are_removed(shell: Shell, backup: Path) -> None:
    log = shell.folder / "tasks.db-wal.20260101-000000.bak"
    log.write_bytes(b"")
    (shell.folder / "other.db.format11-20260101-000000.bak").write_bytes(b"")
    report = shell.done("doctor").out
    assert f"backup: {backup}, still contains what was deleted since" in report
    assert report.count("backup: ") == 2
    for path in (backup, log):
        (line,) = [line for line in report.splitlines() if f"rm {path}" in line]
        subprocess.run(["sh", "-c", line.partition(": ")[2]], check=True)
    assert "backup: " not in shell.done("doctor").out
    assert erased(shell, "conversation: call Sam") == ""


def test_logs_of_an_overwritten_database_count_as_backups(shell: Shell, backup: Path) -> None:
    log = shell.folder / "tasks.db-wal.20260101-000000.bak"
    log.write_bytes(b"\0" * 100 + CALL_SAM.encode() + b"\0" * 100)
    err = erased(shell, "conversation: call Sam")
    assert err.startswith("2 backups still contain the deleted text. To remove the backups: rm ")
    assert str(log) in err
    assert str(backup) in err
