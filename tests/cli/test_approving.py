"""todo-tui ask where the configuration wants a yes: on a terminal, and where nobody sits at one."""

from __future__ import annotations

import sys

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal, at_a_terminal_in_turn
from todo_tui.agent.approver import remember_mode
from todo_tui.config.settings import ApprovalMode
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

QUESTION = r"deny \[N\], or deny and say why: "
ADDING = ("ask", "add buy milk tomorrow 5pm")


@pytest.fixture(autouse=True)
def _asks_before_it_writes(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[approvals]\nask = "writes"\n')
    shell.set(TODO_TUI_CONFIG=str(config))


def titles(shell: Shell) -> list[object]:
    return [task["title"] for task in shell.done("list", "--json").tasks]


def test_one_question_about_all_calls_is_approved_by_a_yes_only(shell: Shell) -> None:
    rows = [
        ("y\n", "Apples", "Pears"),
        ("a\n", "Bread", "Rolls"),
        ("YES\n", "Milk", "Cheese"),
        ("n\n",),
        ("\n",),
        ("yo\n",),
        ("\4",),
        # The second line is typed before the next question, and is not an answer to it.
        ("n\ny\n",),
        ("we have both\n",),
    ]
    messages = [f"add {' and '.join(added or ('salt', 'honey'))}" for _, *added in rows]
    child = at_a_terminal_in_turn(*(["ask", message] for message in messages))
    for typed, *added in rows:
        for words in ("Add 2 tasks", *(f"Add {title}" for title in added or ("Salt", "Honey"))):
            child.expect(words)
        child.expect("Allow once \\[y\\], for this whole message \\[a\\], ")
        child.expect(QUESTION)
        child.send(typed)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    # A denial of several calls is said once.
    assert str(child.before).count("Reason: we have both") == 1
    assert titles(shell) == [title for _, *added in rows for title in added]


def test_other_words_deny_and_reach_the_model_as_the_reason(shell: Shell) -> None:
    child = at_a_terminal("ask", "add bread", "--json")
    child.expect(QUESTION)
    child.send("no, I have some\n")
    child.expect("Reason: no, I have some")
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
    child = pexpect.spawn("/bin/sh", ["-c", command], timeout=300, encoding="utf-8")
    child.expect(QUESTION)
    child.send("y\n")
    child.expect(pexpect.EOF)
    assert titles(shell) == ["Buy milk"]


def test_where_nobody_can_be_asked_the_answer_is_no_and_a_line_says_so(shell: Shell) -> None:
    run = shell.process(*ADDING, stdin=b"y\n")
    assert run.returncode == 1
    assert b"Not a terminal: approve with --yes." in run.stderr
    assert b"approvals.ask" in run.stderr
    assert b"Traceback" not in run.stderr
    assert titles(shell) == []


def opened(shell: Shell) -> Store:
    return open_store(
        shell.folder / "tasks.db",
        user="me",
        clock=Clock("Europe/Berlin"),
        state_folder=shell.folder / "state/todo-tui",
    )


def test_the_mode_chosen_in_the_app_holds_where_none_is_configured(shell: Shell) -> None:
    with opened(shell) as store:
        remember_mode(ApprovalMode.NEVER, store.decisions)
    assert shell.process(*ADDING).returncode == 1
    assert titles(shell) == []

    (shell.folder / "c.toml").write_text("")
    with opened(shell) as store:
        remember_mode(ApprovalMode.ALWAYS, store.decisions)
    assert b"approve with --yes" in shell.process(*ADDING).stderr
    assert titles(shell) == []


def test_a_mode_in_the_file_counts_for_nothing(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    with opened(shell) as store:
        store.app_state.set("approvals.ask", "always")
    shell.done(*ADDING)
    assert titles(shell) == ["Buy milk"]


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
    refused = shell.process(*ADDING, "--json")
    assert b'"status": "finished"' in refused.stdout
    assert titles(shell) == ["Buy milk"]


def test_undo_in_a_new_conversation_is_that_of_the_shell(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    for adding in (("add", "Milk"), ("ask", "add eggs")):
        shell.done(*adding)
        assert shell.process("ask", "undo").returncode == 0
        assert titles(shell) == []

    # What a program did is not undone by a mere word.
    (shell.folder / "t.json").write_text('[{"title": "Rice"}]')
    shell.done("import", str(shell.folder / "t.json"))
    refused = shell.process("ask", "undo")
    assert refused.returncode == 1
    assert b"todo-tui undo" in refused.stdout
    assert titles(shell) == ["Rice"]


def test_yes_answers_what_the_built_in_assistant_asks_about_changes(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    for title in "bcdefgh":
        shell.done("add", f"task {title}")
    shell.done("add", "part under #1")
    messages = [
        ("move all open tasks to friday", "Changed 8 tasks", 1),
        ("complete task b", "Completed task b and part", 1),
        ("dinner with Sam saturday 7pm", "Added Dinner with Sam", 0),
        ("what is due?", "7 tasks", 0),
        ("delete all open tasks", "Deleted 7 tasks", 1),
    ]
    for message, answer, answered in messages:
        outcome = shell.done("ask", "--yes", message)
        assert answer in outcome.out
        assert outcome.err.count("Answered “yes” because of --yes.") == answered
    assert titles(shell) == []

    # Without it the answer says how to go on.
    shell.done("restore", "2-7", "9")
    assert "ask --continue yes" in shell.done("ask", "delete all open tasks").err
    assert len(titles(shell)) == 7
    shell.done("ask", "--continue", "yes")
    assert titles(shell) == []


def test_undo_goes_back_through_the_conversation_across_processes(shell: Shell) -> None:
    (shell.folder / "c.toml").write_text("")
    shell.done("ask", "add milk")
    shell.done("ask", "--continue", "add eggs")

    assert shell.process("ask", "--continue", "undo").returncode == 0

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
