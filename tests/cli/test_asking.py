"""todo-tui ask: the answer, the trace, the conversation, and how a turn ends badly."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Outcome, Shell
from tests.cli.terminal import on_terminal
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_text

FIRST, SECOND = "add buy milk tomorrow 5pm and call mom on friday", "what should I do first?"


def turn(outcome: Outcome) -> dict[str, JsonValue]:
    value = outcome.json
    assert isinstance(value, dict)
    return value


def test_the_answer_is_the_result_and_the_trace_goes_beside_it(shell: Shell) -> None:
    outcome = shell.done("ask", *FIRST.split())
    assert outcome.out.startswith("Added 2 tasks:")
    # What takes less than a second is not told how long it took.
    assert outcome.err.splitlines() == [
        "✓ Added Buy milk · tomorrow 17:00",
        "✓ Added Call mom · Fri 20 Nov",
    ]
    titles = [task["title"] for task in shell.done("list", "--json").tasks]
    assert titles == ["Buy milk", "Call mom"]


def test_the_most_urgent_tasks_are_said_to_be_some_of_all(shell: Shell) -> None:
    for title in ("Rent", "Milk"):
        shell.done("add", title)
    assert shell.done("ask", SECOND).out.startswith("2 tasks, most urgent first:\n")
    for title in ("Bread", "Stamps"):
        shell.done("add", title)
    assert shell.done("ask", SECOND).out.startswith("The 3 most urgent of 4 tasks:\n")


def test_json_is_one_object_with_everything_about_the_turn(shell: Shell) -> None:
    ended = turn(shell.done("ask", FIRST, "--json"))
    assert set(ended) == {
        "answer", "trace", "provider", "model", "usage", "cost_usd", "latency_ms",
        "model_calls", "turn_id", "conversation_id", "status", "error", "quality_score",
    }  # fmt: skip
    assert ended["status"] == "finished"
    assert ended["error"] is None
    assert (ended["provider"], ended["model"]) == ("offline", "rules")
    assert ended["model_calls"] == 2
    trace = ended["trace"]
    assert isinstance(trace, list)
    assert [step["name"] for step in trace if isinstance(step, dict)] == ["add_task", "add_task"]


@pytest.mark.parametrize("as_json", [False, True])
def test_the_limit_of_model_calls_is_said(shell: Shell, llmock: LLMock, as_json: bool) -> None:
    llmock.call_tool("list_tasks", {})
    llmock.reply("Your list is empty.")
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m", TODO_TUI_MAX_ITERATIONS="2")
    arguments = ["ask", "what is there", "--provider", "local", *["--json"] * as_json]
    outcome = shell.done(*arguments)
    answer = str(turn(outcome)["answer"]) if as_json else outcome.out
    assert answer.startswith("Your list is empty.")
    assert "The limit of model calls per message" in answer
    assert "limits.max_iterations" in answer


def test_json_is_printed_whatever_arguments_a_model_wrote(shell: Shell, llmock: LLMock) -> None:
    deep: JsonValue = "x"
    for _ in range(300):
        deep = [deep]
    llmock.call_tool("add_task", {"title": deep})
    llmock.reply("I could not.")
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m")
    ended = turn(shell.done("ask", "add it", "--json", "--provider", "local"))
    trace = ended["trace"]
    assert isinstance(trace, list)
    (step,) = trace
    assert isinstance(step, dict)
    assert isinstance(step["arguments"], str)
    assert "nested too deeply" in str(step["result"])
    usage = ended["usage"]
    assert isinstance(usage, dict)
    numbers = [usage[name] for name in ("input_tokens", "output_tokens")]
    assert usage["total"] == sum(each for each in numbers if isinstance(each, int)) > 0
    assert ended["answer"] == "I could not."


def test_the_built_in_assistant_declines_a_very_long_message(shell: Shell) -> None:
    outcome = shell.done("ask", "add milk" + " and" * 5_000)
    assert "of 2,000 characters" in outcome.out
    assert shell.done("list", "--json").tasks == []


def test_continue_goes_on_with_the_conversation_of_the_newest_message(shell: Shell) -> None:
    first = turn(shell.done("ask", FIRST, "--json"))
    second = turn(shell.done("ask", "--continue", SECOND, "--json"))
    third = turn(shell.done("ask", FIRST, "--json"))
    assert second["conversation_id"] == first["conversation_id"]
    assert "Buy milk" in str(second["answer"])
    assert third["conversation_id"] != first["conversation_id"]
    older = str(first["conversation_id"])
    shell.done("ask", "--conversation", older, SECOND)
    newest = turn(shell.done("ask", "--continue", SECOND, "--json"))
    assert newest["conversation_id"] == older


def test_continue_without_a_conversation_begins_one(shell: Shell) -> None:
    shell.done("ask", "--continue", FIRST)


def test_a_dash_reads_what_to_say_from_standard_input(shell: Shell) -> None:
    outcome = shell.done("ask", "-", stdin=FIRST.encode())
    assert outcome.out.startswith("Added 2 tasks:")


def test_saying_nothing_is_wrong_usage(shell: Shell) -> None:
    shell.fails("ask", "-", status=2, stdin=b" \n")


def test_more_than_a_megabyte_is_refused_with_the_limit_named(shell: Shell) -> None:
    outcome = shell.fails("ask", "-", stdin=b"x" * (1 << 20) + b"x")
    assert "1 MB" in outcome.err


def test_one_undo_takes_back_all_that_a_turn_did(shell: Shell) -> None:
    shell.done("ask", FIRST)
    shell.done("undo")
    assert shell.done("list", "--json").json == []


def test_without_a_choice_the_built_in_assistant_answers(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_never_sent")
    ended = turn(shell.done("ask", "add buy milk tomorrow 5pm", "--json"))
    assert ended["provider"] == "offline"
    assert shell.done("list", "--json").task["title"] == "Buy milk"


def test_a_missing_key_fails_with_the_next_step(shell: Shell) -> None:
    outcome = shell.fails("ask", "hello", "--provider", "groq")
    assert outcome.err.startswith("todo-tui: Groq needs an API key.\n")
    assert "GROQ_API_KEY" in outcome.err


def test_a_turn_that_never_began_is_json_too(shell: Shell) -> None:
    outcome = shell.run("ask", "hello", "--provider", "groq", "--json")
    assert outcome.status == 1
    ended = turn(outcome)
    assert ended["status"] == "failed"
    assert ended["error"] == {"kind": "auth", "message": "Groq needs an API key."}
    assert ended["turn_id"] is None


@pytest.mark.parametrize("chunks", [1, 2])
def test_a_stream_that_stalls_anywhere_is_given_up_after_the_timeout(
    shell: Shell, llmock: LLMock, chunks: int
) -> None:
    llmock.reply("Both are on your list.", times=2).stall(after_chunks=chunks, seconds=20)
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m", TODO_TUI_TIMEOUT="1")
    ended = turn(shell.done("ask", "hello", "--json", "--provider", "local"))
    assert ended["answer"] == "Both are on your list."
    llmock.assert_resilient(strict=True)


def test_a_turn_without_a_database_is_json_too(shell: Shell) -> None:
    (shell.folder / "tasks.db").write_text("not a database, but notes of somebody")
    outcome = shell.run("ask", "hello", "--json")
    assert outcome.status == 1
    ended = turn(outcome)
    assert (ended["status"], ended["provider"], ended["turn_id"]) == ("failed", None, None)
    error = ended["error"]
    assert isinstance(error, dict)
    assert error["kind"] == "store_unreadable"
    assert "tasks.db" in str(error["message"])
    assert "tasks.db" in outcome.err


def test_in_a_pipe_only_the_words_that_count_are_said_and_spoken_of(
    shell: Shell, llmock: LLMock
) -> None:
    llmock.reply("Both are on your list.", times=2).disconnect(after_chunks=3)
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m")
    outcome = shell.done("ask", "hello", "--provider", "local")
    assert outcome.out == "Both are on your list.\n"
    assert outcome.err.count("\n") == 1
    assert "Retrying in" in outcome.err


def test_a_model_whose_provider_is_not_known_is_not_answered_for_by_another(shell: Shell) -> None:
    outcome = shell.fails("ask", "add milk", "--model", "unheard-of:1b")
    assert "“unheard-of:1b”" in outcome.err
    assert "--model ID:unheard-of:1b" in outcome.err
    error = turn(shell.run("ask", "add milk", "--json", "--model", "unheard-of:1b"))["error"]
    assert isinstance(error, dict)
    assert error["kind"] == "unknown_model"
    assert shell.done("list", "--json").tasks == []


def test_an_interrupt_stops_the_turn_and_keeps_it(shell: Shell, llmock: LLMock) -> None:
    llmock.fail(429, times=None, retry_after=20)
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m")
    process = subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "ask", "hello", "--provider", "local"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Whoever runs the tests with `nohup` hands on that the signal is to be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    waiting = process.stderr.readline().decode()
    assert "Retrying in" in waiting, waiting
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == b""
    assert "Stopped.\n" in err.decode()
    listed = turn(shell.done("ask", "--continue", FIRST, "--json"))
    assert listed["status"] == "finished"


def test_no_escape_sequence_of_a_message_is_printed(shell: Shell) -> None:
    for text in ("add \x1b[31mred [bold]milk", "done \x9b31m\u202e", "\x00"):
        outcome = shell.run("ask", "--", text)
        assert plain_text(outcome.out + outcome.err) == outcome.out + outcome.err


def test_an_error_is_printed_once_on_a_terminal(shell: Shell) -> None:
    assert shell.folder
    lines = on_terminal(80, "ask", "redo")
    assert [line for line in lines if "redo" in line] == ["✗ Nothing to redo."]
