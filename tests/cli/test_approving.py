"""todo-tui ask where the configuration wants a yes: on a terminal, and where nobody sits at one."""

from __future__ import annotations

import subprocess
import sys

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal

QUESTION = r"\[y/N\] "
ADDING = ("ask", "add buy milk tomorrow 5pm")


@pytest.fixture(autouse=True)
def _asks_before_it_writes(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[approvals]\nask = "writes"\n')
    shell.set(TODO_TUI_CONFIG=str(config))


def without_a_terminal(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "todo_tui", *args],
        input=stdin,
        capture_output=True,
        timeout=60,
        # A session of its own has no terminal to open.
        start_new_session=True,
        check=False,
    )


def titles(shell: Shell) -> list[object]:
    return [task["title"] for task in shell.done("list", "--json").tasks]


def test_only_a_yes_approves(shell: Shell) -> None:
    typed = {"Apples": "y\n", "Bread": "n\n", "Cheese": "YES\n", "Dates": "\n", "Eggs": "yo\n"}
    typed["Figs"] = "\4"
    child = at_a_terminal("ask", f"add {' and '.join(typed).lower()}")
    for title, answer in typed.items():
        child.expect(f"Add “{title}”")
        child.expect(QUESTION)
        child.send(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert titles(shell) == ["Apples", "Cheese"]


def test_what_was_typed_before_the_question_is_no_answer_to_it(shell: Shell) -> None:
    child = at_a_terminal(*ADDING)
    child.send("y\n")
    child.expect(QUESTION)
    child.send("n\n")
    child.expect(pexpect.EOF)
    assert titles(shell) == []


def test_ctrl_c_at_the_question_stops_the_turn_and_nothing_is_done(shell: Shell) -> None:
    child = at_a_terminal(*ADDING)
    child.expect(QUESTION)
    child.sendintr()
    child.expect("Stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert titles(shell) == []
    shell.done("ask", "--continue", "--yes", "add tea")
    assert titles(shell) == ["Tea"]


def test_a_message_from_a_pipe_is_asked_about_on_the_terminal(shell: Shell) -> None:
    command = f"echo add buy milk | {sys.executable} -m todo_tui ask - >/dev/null"
    child = pexpect.spawn("/bin/sh", ["-c", command], timeout=60, encoding="utf-8")
    child.expect(QUESTION)
    child.send("y\n")
    child.expect(pexpect.EOF)
    assert titles(shell) == ["Buy milk"]


def test_where_nobody_can_be_asked_the_answer_is_no_and_a_line_says_so(shell: Shell) -> None:
    run = without_a_terminal(*ADDING, stdin=b"y\n")
    assert run.returncode == 0
    assert b"Not a terminal: approve with --yes." in run.stderr
    assert b"approvals.ask" in run.stderr
    assert b"Traceback" not in run.stderr
    assert titles(shell) == []


def test_yes_agrees_to_everything(shell: Shell) -> None:
    shell.done(*ADDING, "--yes")
    assert titles(shell) == ["Buy milk"]


def test_what_only_reads_is_not_asked_about(shell: Shell) -> None:
    assert "asked" not in shell.done("ask", "what is due today?").err


def test_json_is_asked_about_too_and_stays_one_object(shell: Shell) -> None:
    outcome = shell.done(*ADDING, "--yes", "--json")
    turn = outcome.json
    assert isinstance(turn, dict)
    assert turn["status"] == "finished"
    refused = without_a_terminal(*ADDING, "--json")
    assert b'"status": "finished"' in refused.stdout
    assert titles(shell) == ["Buy milk"]


def test_undo_in_a_new_conversation_reaches_nothing_unasked(shell: Shell) -> None:
    shell.done("add", "Milk")

    run = without_a_terminal("ask", "undo")

    assert run.returncode == 0
    assert b"todo-tui undo" in run.stdout
    assert titles(shell) == ["Milk"]


def test_undo_goes_back_through_the_conversation_across_processes(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    shell.done("ask", "add milk")
    shell.done("ask", "--continue", "add eggs")

    assert without_a_terminal("ask", "--continue", "undo").returncode == 0

    assert titles(shell) == ["Milk"]
    shell.done("ask", "--continue", "undo")
    assert titles(shell) == []


def test_undo_of_what_the_shell_did_is_asked_about_on_the_terminal(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    shell.done("ask", "add milk")
    shell.done("add", "Eggs")
    child = at_a_terminal("ask", "--continue", "undo")
    child.expect("Undo the last change")
    child.expect("from the shell")
    child.expect("Added #2 Eggs")
    child.expect(QUESTION)
    child.send("y\n")
    child.expect(pexpect.EOF)
    assert titles(shell) == ["Milk"]
