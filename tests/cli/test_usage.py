"""todo-tui usage: tokens, calls and cost by day and by model, and today's budget."""

from __future__ import annotations

from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Shell
from tests.cli.terminal import on_terminal, on_terminals
from todo_tui.domain.task import JsonValue

YESTERDAY, TODAY = "2026-11-17T23:59", "2026-11-18T00:01"


@pytest.fixture
def groq(shell: Shell, llmock: LLMock) -> LLMock:
    """A Groq that answers anything, at its list price."""
    shell.set(GROQ_BASE_URL=f"{llmock.url}/groq", GROQ_API_KEY="gsk_0123456789")
    llmock.reply("No problems found.", times=20)
    return llmock


def said(shell: Shell, *args: str, now: str = TODAY) -> dict[str, JsonValue]:
    shell.set(TODO_TUI_NOW=now)
    turn = shell.done("ask", "hello", "--json", *args).json
    assert isinstance(turn, dict)
    return turn


def used(shell: Shell, *args: str) -> tuple[list[dict[str, JsonValue]], dict[str, JsonValue]]:
    value = shell.done("usage", "--json", *args).json
    assert isinstance(value, dict)
    days, budget = value["days"], value["budget"]
    assert isinstance(days, list)
    assert isinstance(budget, dict)
    return [day for day in days if isinstance(day, dict)], budget


def models(day: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    listed = day["models"]
    assert isinstance(listed, list)
    return [model for model in listed if isinstance(model, dict)]


def number(value: JsonValue) -> float:
    assert isinstance(value, float | int)
    return value


def tokens(turn: dict[str, JsonValue]) -> dict[str, float]:
    counted = turn["usage"]
    assert isinstance(counted, dict)
    return {name: number(count) for name, count in counted.items()}


def budget_of(shell: Shell, usd: float) -> None:
    config = shell.folder / "c.toml"
    config.write_text(f"[limits]\ndaily_budget_usd = {usd}\n")
    shell.set(TODO_TUI_CONFIG=str(config))


def test_usage_is_empty_before_the_first_message(shell: Shell) -> None:
    assert used(shell) == ([], {"daily_usd": None, "spent_usd": 0.0, "state": "none"})
    outcome = shell.done("usage")
    assert "No usage in 7 days." in outcome.err


def test_a_day_has_the_tokens_and_the_cost_of_its_turns(shell: Shell, groq: LLMock) -> None:
    first, second = said(shell, "--provider", "groq"), said(shell, "--provider", "groq")
    ((day,), budget) = used(shell)
    assert (day["day"], day["model_calls"]) == ("2026-11-18", 2)
    for name in ("input_tokens", "cached_tokens", "thinking_tokens", "output_tokens"):
        assert day[name] == tokens(first)[name] + tokens(second)[name]
    cost = number(first["cost_usd"]) + number(second["cost_usd"])
    assert cost > 0
    assert day["cost_usd"] == pytest.approx(cost)
    assert budget["spent_usd"] == pytest.approx(cost)


def test_days_are_local_ones_the_newest_first_and_only_as_many_as_asked_for(
    shell: Shell, groq: LLMock
) -> None:
    said(shell, now="2026-10-01T12:00")
    said(shell, now=YESTERDAY)
    said(shell, now=TODAY)
    assert [day["day"] for day in used(shell)[0]] == ["2026-11-18", "2026-11-17"]
    assert [day["day"] for day in used(shell, "--days", "1")[0]] == ["2026-11-18"]
    assert len(used(shell, "--days", "60")[0]) == 3
    assert [day["day"] for day in used(shell, "--since", "1d")[0]] == ["2026-11-18"]
    assert len(used(shell, "--since", "2m")[0]) == 3
    shell.fails("usage", "--days", "0", status=2)


def test_each_model_of_a_day_is_distinguished(shell: Shell, groq: LLMock) -> None:
    said(shell, "--provider", "groq")
    said(shell, "--provider", "groq", "--model", "openai/gpt-oss-20b")
    said(shell, "--provider", "groq", "--model", "openai/gpt-oss-20b")
    said(shell)
    ((day,), _) = used(shell)
    calls = {f"{each['provider']}:{each['model']}": each["model_calls"] for each in models(day)}
    assert calls == {
        "groq:openai/gpt-oss-20b": 2,
        "groq:openai/gpt-oss-120b": 1,
        "offline:rules": 1,
    }
    assert day["model_calls"] == 4


def test_where_no_price_is_known_there_is_a_dash(shell: Shell, groq: LLMock) -> None:
    said(shell, "--provider", "groq", "--model", "unheard-of")
    ((day,), _) = used(shell)
    assert (day["cost_usd"], day["unpriced_calls"]) == (None, 1)
    assert shell.done("usage").out.splitlines()[1].endswith("–")
    said(shell, "--provider", "groq")
    ((day,), _) = used(shell)
    assert isinstance(day["cost_usd"], float)
    assert day["unpriced_calls"] == 1


def test_what_runs_here_costs_nothing(shell: Shell) -> None:
    said(shell)
    ((day,), _) = used(shell)
    assert (day["cost_usd"], day["unpriced_calls"]) == (0.0, 0)


def test_only_the_own_usage_is_shown(shell: Shell) -> None:
    said(shell, "--user", "anna")
    assert used(shell)[0] == []
    assert len(used(shell, "--user", "anna")[0]) == 1


def test_in_a_pipe_each_line_is_a_model_of_a_day(shell: Shell, groq: LLMock) -> None:
    said(shell, "--provider", "groq", now=YESTERDAY)
    said(shell, "--provider", "groq")
    titles, today, yesterday, last = shell.done("usage").out.splitlines()
    assert titles.split()[:3] == ["Day", "Model", "Calls"]
    assert today.split()[:3] == ["2026-11-18", "groq:openai/gpt-oss-120b", "1"]
    assert yesterday.split()[0] == "2026-11-17"
    assert last.startswith("Today: $")


def test_on_a_terminal_it_is_a_table_that_fits(shell: Shell, groq: LLMock) -> None:
    said(shell, "--provider", "groq", now=YESTERDAY)
    said(shell, "--provider", "groq")
    widths = (30, 80, 120)
    tables = on_terminals(*((columns, "usage") for columns in widths))
    for columns, lines in zip(widths, tables, strict=True):
        assert max(map(len, lines[:-1])) <= columns
        assert lines[1].startswith("Today"), columns
        if columns >= 80:
            assert lines[0].split()[:3] == ["Day", "and", "model"], columns
            assert lines[2].startswith("  groq:openai/gpt-oss-120b"), columns
            assert lines[3].startswith("Yesterday"), columns
            assert len(lines) == 6, columns


@pytest.mark.parametrize(("usd", "state"), [(5.0, "within"), (0.00001, "spent")])
def test_the_state_of_todays_budget_is_reported(
    shell: Shell, groq: LLMock, usd: float, state: str
) -> None:
    said(shell, "--provider", "groq")
    budget_of(shell, usd)
    _, budget = used(shell)
    assert (budget["daily_usd"], budget["state"]) == (usd, state)
    assert "udget of $" in shell.done("usage").out


def measured(shell: Shell, *args: str) -> dict[str, JsonValue]:
    value = shell.done("usage", "--json", *args).json
    assert isinstance(value, dict)
    return value


def only(listed: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(listed, list)
    (value,) = listed
    assert isinstance(value, dict)
    return value


SPREAD = {"median", "p90", "p99"}


def test_turns_have_the_documented_fields(shell: Shell, groq: LLMock) -> None:
    turn = said(shell, "--provider", "groq")
    value = measured(shell, "--turns")
    assert list(value) == [
        "period", "turns", "latency_ms", "first_token_ms", "statuses", "model_calls_per_turn",
        "tokens_per_turn", "cost_usd_per_turn", "retries", "failovers", "quality_score", "days",
        "models", "errors",
    ]  # fmt: skip
    assert value["period"] == {"first": "2026-11-12", "last": "2026-11-18", "days": 7}
    assert (value["turns"], value["model_calls_per_turn"]) == (1, 1.0)
    assert value["statuses"] == {"finished": 1, "failed": 0, "cancelled": 0, "interrupted": 0}
    spent = tokens(turn)
    assert value["tokens_per_turn"] == spent["input_tokens"] + spent["output_tokens"]
    assert value["cost_usd_per_turn"] == turn["cost_usd"]
    latency, first = value["latency_ms"], value["first_token_ms"]
    assert isinstance(latency, dict)
    assert isinstance(first, dict)
    assert latency.keys() == first.keys() == SPREAD
    assert latency["median"] == turn["latency_ms"]
    assert 0 < number(first["median"]) <= number(latency["median"])
    assert value["quality_score"] is None
    assert value["errors"] == []
    day, model = only(value["days"]), only(value["models"])
    assert list(day) == [
        "day", "turns", "latency_ms", "first_token_ms", "model_calls", "input_tokens",
        "cached_tokens", "thinking_tokens", "output_tokens", "cost_usd", "unpriced_calls",
    ]  # fmt: skip
    assert list(model) == [
        "provider", "model", "model_calls", "input_tokens", "cached_tokens", "thinking_tokens",
        "output_tokens", "cost_usd", "unpriced_calls", "failed_calls", "latency_ms",
        "first_token_ms",
    ]  # fmt: skip
    documented = Path("docs/metrics.md").read_text(encoding="utf-8")
    for name in (*value, *day, *model, "kind"):
        assert f"`{name}`" in documented, name


def test_failures_and_retries_are_counted(shell: Shell, groq: LLMock) -> None:
    config = shell.folder / "c.toml"
    config.write_text('fallback = ["offline"]\n[limits]\nretries = 1\n')
    shell.set(TODO_TUI_CONFIG=str(config))
    groq.outage(status=503)
    shell.done("ask", "add tea", "--provider", "groq")
    value = measured(shell, "--turns")
    assert (value["turns"], value["failovers"]) == (1, 1)
    assert value["errors"] == [{"kind": "overloaded", "model_calls": 1, "turns": 0}]
    out = shell.done("usage", "--turns").out
    assert "Failovers     1" in out
    assert "overloaded" in out


def test_tools_are_listed_by_outcome(shell: Shell) -> None:
    said(shell)
    shell.done("ask", "add tea")
    shell.done("ask", "add milk")
    value = measured(shell, "--tools")
    assert value["period"] == {"first": "2026-11-12", "last": "2026-11-18", "days": 7}
    tool = only(value["tools"])
    assert list(tool) == [
        "name", "calls", "success", "error", "interrupted", "errors", "latency_ms",
    ]  # fmt: skip
    assert (tool["name"], tool["calls"], tool["success"], tool["errors"]) == ("add_task", 2, 2, {})
    titles, row = shell.done("usage", "--tools").out.splitlines()
    assert titles.split() == ["Tool", "Calls", "OK", "Errors", "Stopped", "Median", "p90", "p99"]
    assert row.split()[:5] == ["add_task", "2", "2", "0", "0"]


def test_metrics_look_back_as_far_as_asked_for(shell: Shell) -> None:
    said(shell, now="2026-10-01T12:00")
    said(shell, now=TODAY)
    assert measured(shell, "--turns")["turns"] == 1
    assert measured(shell, "--turns", "--since", "2m")["turns"] == 2
    assert measured(shell, "--turns", "--days", "60")["turns"] == 2
    assert measured(shell, "--turns", "--since", "2026-11-18")["turns"] == 1


def test_without_turns_or_tool_calls_that_is_said(shell: Shell) -> None:
    assert measured(shell, "--turns")["turns"] == 0
    assert measured(shell, "--tools")["tools"] == []
    assert "No turns in 7 days." in shell.done("usage", "--turns").err
    assert "No tool calls today." in shell.done("usage", "--tools", "--days", "1").err
    shell.fails("usage", "--turns", "--tools", status=2)


def test_metrics_fit_a_terminal(shell: Shell, groq: LLMock) -> None:
    said(shell, "--provider", "groq")
    lines = on_terminal(80, "usage", "--turns")
    assert all(len(line) <= 80 for line in lines)
    assert lines[0].startswith("Turns         1 (1 finished)")
    assert any(line.startswith("groq:openai/gpt-oss-120b") for line in lines)
