"""todo-tui ask when a provider fails, a conversation grows too long, or money runs out."""

from __future__ import annotations

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Outcome, Shell
from tests.cli.terminal import at_a_terminal
from todo_tui.domain.task import JsonValue


@pytest.fixture
def groq(shell: Shell, llmock: LLMock) -> LLMock:
    shell.set(GROQ_BASE_URL=f"{llmock.url}/groq", GROQ_API_KEY="gsk_0123456789")
    return llmock


def configured(shell: Shell, text: str) -> None:
    config = shell.folder / "c.toml"
    config.write_text(text)
    shell.set(TODO_TUI_CONFIG=str(config))


def step_names(outcome: Outcome) -> list[JsonValue]:
    turn = outcome.json
    assert isinstance(turn, dict)
    trace = turn["trace"]
    assert isinstance(trace, list)
    return [step["name"] for step in trace if isinstance(step, dict)]


def test_failover_is_reported_on_standard_error_and_in_the_trace(
    shell: Shell, groq: LLMock
) -> None:
    configured(shell, 'fallback = ["offline"]\n[limits]\nretries = 1\n')
    groq.outage(status=503)
    outcome = shell.done("ask", "add tea", "--provider", "groq")
    assert outcome.out.startswith("Added Tea (#1).")
    takeover, added = outcome.err.splitlines()
    assert "Built-in" in takeover
    assert added.startswith("✓ Added Tea")
    again = shell.done("ask", "add milk", "--provider", "groq", "--json")
    assert step_names(again) == ["take_over", "add_task"]


def test_on_a_terminal_the_wait_is_counted_down_with_its_cause_and_ctrl_c_ends_it(
    shell: Shell,
) -> None:
    shell.set(LOCAL_BASE_URL="http://127.0.0.1:9/v1", LOCAL_MODEL="none")
    configured(shell, "[limits]\nretries = 9\n")
    child = at_a_terminal("ask", "hello", "--provider", "local", columns=120)
    child.expect("connection refused")
    child.expect(r"\(3 of 9\)")
    child.expect(r"Retrying in \d+ s · Ctrl\+C stops")
    child.sendintr()
    child.expect("Stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_shortened_history_is_reported(shell: Shell, groq: LLMock) -> None:
    groq.reply("No problems found.", times=3)
    for text in ("first", "second"):
        shell.done("ask", "--continue", text, "--provider", "groq")
    groq.context_overflow()
    outcome = shell.done("ask", "--continue", "third", "--provider", "groq")
    assert outcome.out == "No problems found.\n"
    assert outcome.err == "Left out 4 older messages\n"


def test_a_budget_that_nears_its_end_is_reported_once_a_day(shell: Shell, groq: LLMock) -> None:
    groq.reply("No problems found.", times=4)
    shell.done("ask", "hello", "--provider", "groq")
    value = shell.done("usage", "--json").json
    assert isinstance(value, dict)
    budget = value["budget"]
    assert isinstance(budget, dict)
    spent = float(str(budget["spent_usd"]))
    configured(shell, f"[limits]\ndaily_budget_usd = {spent * 2.4:.9f}\n")
    warned = shell.done("ask", "hello", "--provider", "groq")
    assert warned.err.startswith("Today's turns have cost $")
    assert shell.done("ask", "hello", "--provider", "groq", "--yes").err.count("have cost") == 0
    assert "udget of $" in shell.done("usage").out


def test_a_budget_that_is_spent_needs_a_yes(shell: Shell, groq: LLMock) -> None:
    groq.reply("No problems found.", times=4)
    configured(shell, "[limits]\ndaily_budget_usd = 0.0000001\n")
    shell.done("ask", "hello", "--provider", "groq")
    refused = shell.process("ask", "hello", "--provider", "groq")
    assert refused.returncode == 1
    assert b"budget" in refused.stderr
    assert b"--yes" in refused.stderr
    agreed = shell.done("ask", "hello", "--provider", "groq", "--yes")
    assert agreed.out == "No problems found.\n"
    assert "Approved by --yes" in agreed.err


def test_a_model_that_is_named_alone_finds_its_provider(shell: Shell, groq: LLMock) -> None:
    groq.reply("No problems found.")
    turn = shell.done("ask", "hello", "--json", "--model", "openai/gpt-oss-20b").json
    assert isinstance(turn, dict)
    assert (turn["provider"], turn["model"]) == ("groq", "openai/gpt-oss-20b")
