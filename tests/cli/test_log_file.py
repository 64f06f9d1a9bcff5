"""The log file and its folder: for their owner alone."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from todo_tui.cli.log_file import open_log
from todo_tui.cli.wiring.session import CliSession


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def log_folder(shell: Shell) -> Path:
    return shell.folder / "state" / "todo-tui" / "log"


def write_much() -> None:
    """Enough lines that the log is begun anew once."""
    for _ in range(12):
        logging.getLogger("todo_tui").warning("x" * 100_000)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_folder_and_files_are_private_under_any_umask(shell: Shell, umask: int) -> None:
    old = os.umask(umask)
    try:
        open_log(CliSession(os.environ))
        write_much()
    finally:
        os.umask(old)
    files = sorted(log_folder(shell).iterdir())
    assert [each.name for each in files] == ["todo-tui.log", "todo-tui.log.1"]
    assert [mode(each) for each in files] == [0o600, 0o600]
    assert (mode(log_folder(shell)), mode(log_folder(shell).parent)) == (0o700, 0o700)


def test_what_was_open_to_others_is_closed_to_them(shell: Shell) -> None:
    log_folder(shell).mkdir(parents=True)
    log_folder(shell).chmod(0o755)
    old_log = log_folder(shell) / "todo-tui.log"
    old_log.touch()
    old_log.chmod(0o644)
    open_log(CliSession(os.environ))
    write_much()
    assert mode(log_folder(shell)) == 0o700
    assert {mode(each) for each in log_folder(shell).iterdir()} == {0o600}
    assert mode(log_folder(shell).parent) == mode(shell.folder / "state"), "not the log's own"


def test_a_folder_elsewhere_that_a_link_leads_to_is_left_as_it_is(shell: Shell) -> None:
    shared = shell.folder / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    log_folder(shell).parent.mkdir(parents=True)
    log_folder(shell).symlink_to(shared)
    open_log(CliSession(os.environ))
    logging.getLogger("todo_tui").warning("something")
    assert mode(shared) == 0o755
    assert mode(shared / "todo-tui.log") == 0o600
