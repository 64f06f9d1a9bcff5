"""todo-tui without a command, in a real terminal."""

from __future__ import annotations

import signal
import sys

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell

_CTRL_Q = "\x11"
_MAIN_SCREEN = "\x1b[?1049l"
"""What a terminal is told when it is given back."""


@pytest.fixture(autouse=True)
def _a_terminal(shell: Shell) -> None:
    shell.set(TERM="xterm-256color", OLLAMA_HOST="127.0.0.1:9", LOCAL_BASE_URL="http://127.0.0.1:9")


@pytest.mark.usefixtures("no_database")
def test_the_demo_shows_made_up_tasks_and_leaves_nothing_behind(shell: Shell) -> None:
    app = _opened("--demo")
    for words in ("Call the dentist", "Added Buy milk"):
        app.expect_exact(words)
    app.send("I paid the rent\r")
    app.expect_exact("Completed Pay rent")
    _leave(app)
    assert {path.name for path in shell.folder.iterdir()} <= {"state"}
    assert list(shell.folder.rglob("*.log")) == []


def test_the_app_shows_what_was_added_and_gives_the_terminal_back_when_ended(shell: Shell) -> None:
    shell.done("add", "Milk from the shell")
    app = _opened()
    app.expect_exact("Milk from the shell")
    app.kill(signal.SIGTERM)
    app.expect_exact(_MAIN_SCREEN)
    app.expect(pexpect.EOF)
    app.close()
    assert app.exitstatus == 128 + signal.SIGTERM


def test_a_database_that_cannot_be_used_is_reported_before_the_screen_is_taken(
    shell: Shell,
) -> None:
    (shell.folder / "tasks.db").write_text("not ours")
    app = _opened()
    app.expect_exact("is not a todo-tui database")
    app.expect(pexpect.EOF)
    app.close()
    assert app.exitstatus == 1


def _opened(*args: str) -> pexpect.spawn:
    return pexpect.spawn(
        sys.executable,
        ["-m", "todo_tui", *args],
        dimensions=(36, 120),
        encoding="utf-8",
        timeout=300,
    )


def _leave(app: pexpect.spawn) -> None:
    app.send(_CTRL_Q)
    app.expect(pexpect.EOF)
    app.close()
    assert app.exitstatus == 0


def test_the_app_opens_the_conversation_of_an_id(shell: Shell) -> None:
    asked = shell.done("ask", "--json", "add the first quokka")
    shell.done("ask", "add another wombat")
    given = asked.json
    assert isinstance(given, dict)
    app = _opened("--conversation", str(given["conversation_id"])[:10])
    app.expect_exact("add the first quokka")
    _leave(app)
    refused = _opened("--conversation", "zz")
    refused.expect_exact("No conversation matches “zz”.")
    refused.expect(pexpect.EOF)
    refused.close()
    assert refused.exitstatus == 1
