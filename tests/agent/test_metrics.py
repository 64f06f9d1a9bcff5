"""What a turn measures: time to the first token, error kinds, retries and failovers."""

from __future__ import annotations

from tests.agent.conftest import Harness
from tests.agent.named_providers import NamedProvider, available_fallback, error
from tests.scripted import Pause, answer, call, calls
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.messages import ThinkingDelta


async def test_the_first_token_is_measured_in_turn_and_model_call(harness: Harness) -> None:
    harness.script([Pause(0.05), *answer("Hi.")])
    end = await harness.finished()
    (stored,) = harness.store.usage.calls(end.turn_id)
    assert stored.first_token_ms is not None
    assert end.outcome.first_token_ms is not None
    assert 50 <= stored.first_token_ms <= end.outcome.first_token_ms <= end.outcome.latency_ms
    assert stored.first_token_ms <= stored.milliseconds


async def test_thinking_and_tool_calls_count_as_the_first_token(harness: Harness) -> None:
    harness.script(
        [ThinkingDelta("Hm."), Pause(0.05), *calls(call("list_tasks", filter=""))],
        [Pause(0.05), *answer("None.")],
    )
    end = await harness.finished()
    assert end.outcome.first_token_ms is not None
    assert end.outcome.latency_ms - end.outcome.first_token_ms >= 100


async def test_retries_and_failovers_are_counted_and_errors_have_their_kind(
    harness: Harness,
) -> None:
    busy = error(Kind.OVERLOADED)
    harness.provider = NamedProvider("groq", *([[busy]] * 4))
    gemini = NamedProvider("gemini", [error(Kind.RATE_LIMIT)], answer("Hi."))
    harness.changes["fallbacks"] = (available_fallback(gemini),)
    end = await harness.finished()
    assert (end.outcome.retries, end.outcome.failovers) == (4, 1)
    stored = harness.store.usage.calls(end.turn_id)
    assert [each.error_kind for each in stored] == [*["overloaded"] * 4, "rate_limit", None]
    assert [each.first_token_ms is None for each in stored] == [*[True] * 5, False]
    total = harness.store.metrics.turns(1).total
    assert (total.turns, total.retries, total.failovers) == (1, 4, 1)


async def test_a_turn_without_an_answer_has_no_first_token(harness: Harness) -> None:
    harness.script([error(Kind.AUTH)])
    end = await harness.failed()
    assert (end.outcome.first_token_ms, end.outcome.retries) == (None, 0)
