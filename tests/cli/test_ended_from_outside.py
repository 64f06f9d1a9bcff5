"""The program ended in the middle of an answer: by a signal, or with its terminal."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import resources

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Shell

_PATIENCE_SECONDS = 300.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


@pytest.fixture
def slow_model(shell: Shell, llmock: LLMock) -> LLMock:
    """A model that is not done with its answer when it is stopped."""
    llmock.reply("many " * 4000, times=None)
    llmock.pace(20)
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m", TERM="xterm-256color")
    return llmock


def rows(shell: Shell, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(f"file:{shell.folder}/tasks.db?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def test_messages_are_kept_when_the_terminal_is_closed(shell: Shell, slow_model: LLMock) -> None:
    # Who runs it with `nohup`, and some others, get no signal: it is seen that the terminal is
    # gone, as it is by who gets one (see the signals below).
    app = answering(signal.SIG_IGN)
    os.close(app.child_fd)
    assert os.waitstatus_to_exitcode(waited_for(app.pid)) == 128 + signal.SIGHUP
    app.closed, app.terminated, app.child_fd = True, True, -1
    is_kept(shell)
    log = shell.folder / "state/todo-tui/log/todo-tui.log"
    assert not log.exists() or "Traceback" not in log.read_text()


def test_the_answer_on_screen_survives_a_kill(shell: Shell, slow_model: LLMock) -> None:
    app = answering()
    until(lambda: bool(rows(shell, "SELECT 1 FROM turns WHERE partial IS NOT NULL")))
    app.kill(signal.SIGKILL)
    app.expect(pexpect.EOF)
    app.close()
    shell.run("conversations", "list")
    is_kept(shell)


def test_ask_keeps_messages_when_a_signal_ends_it(shell: Shell, slow_model: LLMock) -> None:
    stop = signal.SIGTERM
    process = subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "ask", "hello", "--provider", "local"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL),
    )
    until(lambda: is_answering(shell))
    # Nothing but its end is said in a pipe; in the store the first words are seen.
    until(lambda: bool(rows(shell, "SELECT 1 FROM turns WHERE partial IS NOT NULL")))
    process.send_signal(stop)
    _, err = process.communicate(timeout=_PATIENCE_SECONDS)
    assert process.returncode == 130
    assert b"Traceback" not in err
    is_kept(shell)


def test_the_package_is_marked_as_typed() -> None:
    assert resources.files("todo_tui").joinpath("py.typed").is_file()


def answering(on_hang_up: signal.Handlers = signal.SIG_DFL) -> pexpect.spawn:
    """The app, in the middle of an answer."""
    app = pexpect.spawn(
        sys.executable,
        ["-m", "todo_tui", "--provider", "local"],
        dimensions=(36, 120),
        encoding="utf-8",
        timeout=_PATIENCE_SECONDS,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, on_hang_up),
    )
    app.expect_exact("Message the assistant")
    app.send("hello\r")
    app.expect_exact("many")
    return app


def is_answering(shell: Shell) -> bool:
    with suppress(sqlite3.OperationalError):
        return rows(shell, "SELECT status FROM turns") == [("running",)]
    return False


def is_kept(shell: Shell) -> None:
    """Message and partial answer are in the store, and the turn is over."""
    assert [path.name for path in shell.folder.glob("tasks.db*")] == ["tasks.db"], "all is closed"
    assert rows(shell, "SELECT status FROM turns") == [("interrupted",)]
    (_, asked), (_, said) = rows(shell, "SELECT role, parts FROM messages ORDER BY seq")
    assert "hello" in asked
    assert 0 < said.count("many") < 4000


def waited_for(pid: int) -> int:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    raise AssertionError("the program is still there")


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
