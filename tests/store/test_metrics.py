"""Metrics of turns, models and tools in a period."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from tests.rows import each_row
from tests.store.opened import opened
from todo_tui.domain.events import AgentStep, StepStatus, TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage
from todo_tui.domain.metrics import ErrorCount, Spread
from todo_tui.domain.metrics_text import format_milliseconds, format_number
from todo_tui.store.conversations.metrics import UNKNOWN_ERROR
from todo_tui.store.conversations.records import ModelCall
from todo_tui.store.store import Store

USAGE = Usage(100, 40, 20, 5)


def model_call(
    ms: float = 10.0, *, model: str = "oss", error: str | None = None, first: float | None = 4.0
) -> ModelCall:
    return ModelCall(
        "groq",
        model,
        USAGE,
        0.25,
        ms,
        "failed" if error else "finished",
        f"It is {error}." if error else None,
        error_kind=error,
        first_token_ms=first,
    )


def step(name: str, status: StepStatus, result: str = "{}", ms: float = 3.0) -> TraceStep:
    return TraceStep("c", name, name, "{}", result, status, ms)


def have_turn(
    store: Store,
    ms: float = 1000.0,
    *,
    status: TurnStatus = TurnStatus.FINISHED,
    error: str | None = None,
    calls: Sequence[ModelCall] = (),
    steps: Sequence[TraceStep] = (),
    cost: float | None = 0.5,
    retries: int = 0,
) -> str:
    said = Message(Role.USER, (Text("hello"),))
    turn = store.turns.open(None, said, provider="groq", model="oss")
    outcome = TurnOutcome(
        "", (), "groq", "oss", USAGE, cost, 2, ms, first_token_ms=ms / 10, retries=retries
    )
    store.turns.close(
        turn.id,
        status,
        calls=calls,
        steps=steps,
        error=TurnError(error, "No.") if error else None,
        outcome=outcome,
    )
    return turn.conversation_id


def test_percentiles_are_values_that_occurred() -> None:
    assert Spread.of([]) is None
    assert Spread.of([None, 7.0]) == Spread(7.0, 7.0, 7.0)
    assert Spread.of([4.0, 1.0]) == Spread(1.0, 4.0, 4.0)
    assert Spread.of(map(float, range(1, 201))) == Spread(100.0, 180.0, 198.0)


@each_row(
    ("milliseconds", "text"),
    [
        (None, "–"),
        (0.2, "0 ms"),
        (99.4, "99 ms"),
        (99.6, "0.10 s"),
        (420, "0.42 s"),
        (12_345, "12.3 s"),
        (125_000, "2 min 5 s"),
        (59_960, "1 min 0 s"),
        (119_999, "2 min 0 s"),
    ],
)
def test_durations_have_two_or_three_digits(milliseconds: float | None, text: str) -> None:
    assert format_milliseconds(milliseconds) == text


def test_large_counts_are_shown_in_thousands_and_millions() -> None:
    assert [format_number(each) for each in (99_999, 123_456, 12_345_678)] == [
        "99,999",
        "123k",
        "12M",
    ]


def test_an_empty_period_has_no_turns(store: Store) -> None:
    metrics = store.metrics.turns(7)
    assert (metrics.total.turns, metrics.days, metrics.models, metrics.errors) == (0, (), (), ())
    assert metrics.total.latency is None
    assert store.metrics.tools(7) == ()


def test_turns_are_summed_by_outcome(store: Store) -> None:
    for ms in (1000.0, 3000.0, 2000.0):
        have_turn(store, ms, retries=1)
    have_turn(store, 90_000, status=TurnStatus.FAILED, error="timeout", cost=None)
    total = store.metrics.turns(1).total
    assert total.by_status == {TurnStatus.FINISHED: 3, TurnStatus.FAILED: 1}
    assert total.latency == Spread(2000.0, 3000.0, 3000.0), "of finished turns"
    assert total.first_token == Spread(200.0, 9000.0, 9000.0)
    assert (total.turns, total.model_calls, total.tokens) == (4, 8, 480)
    assert (total.cost_usd, total.unpriced, total.mean_cost_usd) == (1.5, 1, 0.5)
    assert (total.retries, total.failovers, total.quality) == (3, 0, None)


def test_a_running_turn_is_left_out(store: Store) -> None:
    said = Message(Role.USER, (Text("hello"),))
    store.turns.open(None, said, provider="groq", model="oss")
    assert store.metrics.turns(1).total.turns == 0


def test_models_have_their_own_latency_and_failures(store: Store) -> None:
    calls = [model_call(10), model_call(30), model_call(900, error="rate_limit", first=None)]
    have_turn(store, calls=[*calls, model_call(7, model="small")])
    oss, small = store.metrics.turns(1).models
    assert (oss.provider, oss.model, oss.model_calls, oss.failed) == ("groq", "oss", 3, 1)
    assert oss.usage.input_tokens == 300
    assert oss.latency == Spread(10.0, 30.0, 30.0), "of finished calls"
    assert oss.first_token == Spread(4.0, 4.0, 4.0)
    assert (small.model, small.model_calls, small.failed) == ("small", 1, 0)


def test_errors_are_counted_by_kind_in_calls_and_turns(store: Store) -> None:
    limited = model_call(error="rate_limit")
    have_turn(store, calls=[limited, limited, model_call()])
    have_turn(store, status=TurnStatus.FAILED, error="rate_limit", calls=[limited])
    have_turn(store, status=TurnStatus.FAILED, error="budget")
    assert store.metrics.turns(1).errors == (
        ErrorCount("rate_limit", 3, 1),
        ErrorCount("budget", 0, 1),
    )


def test_days_are_local_ones_newest_first(path: Path) -> None:
    for now in ("2026-11-16T12:00", "2026-11-17T00:10", "2026-11-17T23:50"):
        with opened(path, now=datetime.fromisoformat(now)) as store:
            have_turn(store, calls=[model_call()])
    with opened(path) as store:
        days = store.metrics.turns(3).days
        assert [(each.day, each.turns.turns, each.usage.model_calls) for each in days] == [
            (date(2026, 11, 17), 2, 2),
            (date(2026, 11, 16), 1, 1),
        ]
        assert store.metrics.turns(2).total.turns == 2
        assert store.metrics.turns(1).total.turns == 0


def test_model_calls_outlive_the_turns_of_an_erased_conversation(store: Store) -> None:
    conversation = have_turn(store, calls=[model_call(error="timeout")])
    store.conversations.erase(conversation)
    metrics = store.metrics.turns(1)
    (day,) = metrics.days
    assert (day.turns.turns, day.usage.model_calls) == (0, 1)
    assert metrics.errors == (ErrorCount("timeout", 1, 0),)


def test_tools_are_counted_by_name_and_outcome(store: Store) -> None:
    refused = '{"status": "error", "error": {"type": "not_found", "message": "No."}}'
    have_turn(
        store,
        steps=[
            step("add_task", StepStatus.SUCCESS, ms=2.0),
            step("add_task", StepStatus.ERROR, refused, ms=6.0),
            step("add_task", StepStatus.INTERRUPTED, "not JSON", ms=0.0),
            step("list_tasks", StepStatus.ERROR, "not JSON"),
            *(step(name, StepStatus.SUCCESS) for name in AgentStep),
        ],
    )
    add, listing = store.metrics.tools(1)
    assert (add.name, add.calls, add.errors) == ("add_task", 3, {"not_found": 1})
    assert add.by_status == {
        StepStatus.SUCCESS: 1,
        StepStatus.ERROR: 1,
        StepStatus.INTERRUPTED: 1,
    }
    assert add.latency == Spread(2.0, 6.0, 6.0), "of calls that ran"
    assert (listing.name, listing.errors) == ("list_tasks", {UNKNOWN_ERROR: 1})


def test_other_users_are_not_counted(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        have_turn(ann, calls=[model_call(error="quota")], steps=[step("undo", StepStatus.SUCCESS)])
        metrics = bob.metrics.turns(7)
        assert (metrics.total.turns, metrics.days, metrics.models, metrics.errors) == (
            0,
            (),
            (),
            (),
        )
        assert bob.metrics.tools(7) == ()
