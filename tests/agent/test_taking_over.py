"""Failover to another provider within a turn."""

from __future__ import annotations

import json

import pytest

from tests.agent.conftest import Harness, answer_text, kinds
from tests.agent.named_providers import NamedProvider, available_fallback, error, missing
from tests.scripted import Round, answer, call, calls
from tests.stored import stored_calls, stored_messages
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits
from todo_tui.domain.errors import RETRYABLE
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import FailedOver, Retrying, StepStatus, TurnFailed, TurnFinished
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    Usage,
)
from todo_tui.store.conversations.records import ModelCall

LIMITED = error(Kind.RATE_LIMIT, "Groq is over its rate limit: retry after 90 s.")
ONCE = Limits(retry=RetryPolicy(tries=1))


def chain(harness: Harness, groq: NamedProvider, *others: NamedProvider) -> None:
    """Use Groq first, with these fallbacks in order."""
    harness.provider = groq
    harness.changes |= {"limits": ONCE, "fallbacks": tuple(map(available_fallback, others))}


@pytest.mark.parametrize("kind", sorted(set(Kind) - {Kind.REFUSED}))
async def test_the_next_provider_takes_over_from_one_that_failed(
    harness: Harness, kind: Kind
) -> None:
    gemini = NamedProvider("gemini", answer("Here I am."))
    chain(harness, NamedProvider("groq", [error(kind)]), gemini)

    end = await harness.finished("hello")

    assert end.outcome.answer == "Here I am."
    assert (end.outcome.provider, end.outcome.model) == ("gemini", "m")
    assert [message.text for message in gemini.requests[0].messages] == ["hello"]
    assert gemini.closed


async def test_a_refusal_is_not_shopped_around(harness: Harness) -> None:
    gemini = NamedProvider("gemini", answer("Here I am."))
    chain(harness, NamedProvider("groq", [error(Kind.REFUSED)]), gemini)

    end = await harness.failed()

    assert end.error.kind == "refused"
    assert gemini.requests == []


async def test_another_model_of_the_same_provider_is_named_itself(harness: Harness) -> None:
    chain(
        harness,
        NamedProvider("groq", [LIMITED]),
        NamedProvider("groq", answer("Hi."), model="small"),
    )
    (taken,) = (event for event in await harness.events() if isinstance(event, FailedOver))
    assert taken.step.summary == "Groq is over its rate limit: switched to small"


async def test_the_trace_says_who_took_over_and_why(harness: Harness) -> None:
    chain(harness, NamedProvider("groq", [LIMITED]), NamedProvider("gemini", answer("Hi.")))

    events = await harness.events()

    (taken,) = (event for event in events if isinstance(event, FailedOver))
    assert (taken.provider, taken.model) == ("gemini", "m")
    step = taken.step
    assert (step.name, step.status) == ("take_over", StepStatus.SUCCESS)
    assert step.summary == "Groq is over its rate limit: switched to Gemini"
    assert json.loads(step.arguments) == {"from": "groq:m", "to": "gemini:m"}
    assert json.loads(step.result)["data"] == {"kind": "rate_limit", "reason": LIMITED.message}
    end = events[-1]
    assert isinstance(end, TurnFinished)
    assert end.outcome.trace == (step,)
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.steps == (step,)
    assert (turn.provider, turn.model) == ("gemini", "m")


async def test_what_may_pass_is_waited_for_before_somebody_takes_over(
    harness: Harness,
) -> None:
    slow = error(Kind.OVERLOADED)
    chain(
        harness,
        NamedProvider("groq", *([[slow]] * 4)),
        NamedProvider("gemini", [slow], answer("Hi.")),
    )
    harness.changes["limits"] = Limits()

    events = await harness.events()

    assert kinds(events) == [
        "TurnStarted",
        "Retrying", "Retrying", "Retrying",
        "FailedOver",
        "Retrying",
        "TextDelta", "UsageReported", "TurnFinished",
    ]  # fmt: skip
    attempts = [event.attempt for event in events if isinstance(event, Retrying)]
    assert attempts == [2, 3, 4, 2]


async def test_all_providers_share_the_waiting_of_a_turn(harness: Harness) -> None:
    slow = error(Kind.RATE_LIMIT, retry_after=25)
    chain(harness, NamedProvider("groq", *([[slow]] * 3)), NamedProvider("gemini", [slow]))
    harness.changes["limits"] = Limits()

    end = await harness.failed()

    assert harness.sleeps.taken == [25, 25]
    assert end.error.kind == "rate_limit"


async def test_what_tools_did_stays_done_and_is_not_run_again(harness: Harness) -> None:
    gemini = NamedProvider(
        "gemini", calls(call("add_task", title="Call mom")), answer("Both are there.")
    )
    milk = calls(call("add_task", title="Buy milk"), text="Adding.")
    broken: Round = [TextDelta("I have"), LIMITED]
    chain(harness, NamedProvider("groq", milk, broken), gemini)

    events = await harness.events("milk and mom")

    end = events[-1]
    assert isinstance(end, TurnFinished)
    assert harness.titles() == ["Buy milk", "Call mom"]
    assert [step.name for step in end.outcome.trace] == ["add_task", "take_over", "add_task"]
    assert len(end.outcome.kept_batches) == 1
    assert end.outcome.answer == "Adding.\n\nBoth are there."
    told = gemini.requests[0].messages
    assert [message.role for message in told] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert '"success"' in told[2].tool_results[0].content


async def test_partial_words_are_replaced_when_the_other_speaks(harness: Harness) -> None:
    broken: Round = [TextDelta("Once up"), LIMITED]
    chain(harness, NamedProvider("groq", broken), NamedProvider("gemini", answer("Hi.")))

    events = await harness.events()

    names = kinds(events)
    assert names[:5] == ["TurnStarted", "TextDelta", "FailedOver", "CallRestarted", "TextDelta"]
    assert answer_text(events[names.index("CallRestarted") :]) == "Hi."
    (turn,) = harness.store.turns.list(events[-1].conversation_id)  # type: ignore[union-attr]  # the last is the end
    assert turn.answer == "Hi."


async def test_partial_words_stay_when_the_other_says_nothing(harness: Harness) -> None:
    broken: Round = [TextDelta("Once up"), LIMITED]
    chain(harness, NamedProvider("groq", broken), NamedProvider("gemini", [error(Kind.AUTH)]))

    end = await harness.failed()

    assert (end.outcome.answer, end.error.kind) == ("Once up", "auth")
    (message,) = stored_messages(harness.store, end.conversation_id)[1:]
    assert (message.text, message.origin) == ("Once up", "groq:m")


async def test_who_takes_over_sees_nothing_that_is_only_for_another(harness: Harness) -> None:
    secret = {"signature": "for groq alone"}
    thought = Message(
        Role.ASSISTANT,
        (Thinking("Hm.", secret), Text("Adding.", secret), call("add_task", title="Milk")),
    )
    gemini = NamedProvider("gemini", answer("Done."))
    first: Round = [Completed(thought, StopReason.TOOL_CALLS)]
    chain(harness, NamedProvider("groq", answer("Hello."), first, [LIMITED]), gemini)
    await harness.finished("hello")

    await harness.finished("add milk")

    for message in gemini.requests[0].messages:
        assert not any(isinstance(part, Thinking) for part in message.parts)
        assert not any(getattr(part, "meta", None) for part in message.parts)
    stored = stored_messages(harness.store, harness.conversation_id or "")
    assert thought.parts[0] in stored[3].parts


async def test_those_that_cannot_be_opened_are_passed_over_and_named(harness: Harness) -> None:
    harness.provider = NamedProvider("groq", [error(Kind.QUOTA, "Groq quota exceeded.")])
    mistral = available_fallback(NamedProvider("mistral", answer("Hi.")))
    harness.changes["fallbacks"] = (missing("Gemini"), missing("OpenAI"), mistral)

    (step,) = (await harness.finished()).outcome.trace

    assert step.summary == (
        "Groq quota exceeded: Gemini unavailable (Gemini needs an API key), "
        "OpenAI unavailable (OpenAI needs an API key), switched to Mistral"
    )
    passed_over = json.loads(step.result)["data"]["passed_over"]
    assert passed_over[0] == {"provider": "Gemini", "reason": "Gemini needs an API key."}


async def test_where_nobody_can_take_over_the_error_names_them(harness: Harness) -> None:
    harness.provider = NamedProvider("groq", [error(Kind.QUOTA, "Groq quota exceeded.")])
    harness.changes["fallbacks"] = (missing("Gemini"),)

    end = await harness.failed()

    assert end.error.message == (
        "Groq quota exceeded. Could not switch to Gemini: Gemini needs an API key."
    )
    assert (end.error.kind, end.error.hint) == ("quota", "Do this.")
    assert end.outcome.provider == "groq"


async def test_each_has_one_try_and_the_one_that_failed_none(harness: Harness) -> None:
    groq = NamedProvider("groq", [LIMITED])
    again = NamedProvider("groq", answer("Never."))
    other_model = NamedProvider("groq", [LIMITED], model="smaller")
    unnamed = NamedProvider("groq", answer("Never."), model="")
    gemini = NamedProvider("gemini", [error(Kind.NETWORK)])
    chain(harness, groq, again, other_model, unnamed, gemini, gemini)

    end = await harness.failed()

    assert [len(player.requests) for player in (groq, again, other_model, unnamed, gemini)] == [
        1, 0, 1, 0, 1,
    ]  # fmt: skip
    assert all(player.closed for player in (again, other_model, unnamed, gemini))
    assert not groq.closed
    assert end.error.kind == "network"
    assert [step.name for step in end.outcome.trace] == ["take_over", "take_over"]


async def test_the_rest_of_the_turn_stays_with_who_took_over_and_the_next_begins_anew(
    harness: Harness,
) -> None:
    groq = NamedProvider("groq", [LIMITED], answer("Back again."))
    gemini = NamedProvider("gemini", calls(call("list_tasks")), answer("Two o'clock."))
    chain(harness, groq, gemini)

    first = await harness.finished("what time is it?")
    second = await harness.finished("and now?")

    assert (first.outcome.provider, second.outcome.provider) == ("gemini", "groq")
    assert [message.text for message in groq.requests[1].messages] == [
        "what time is it?", "", "", "Two o'clock.", "and now?",
    ]  # fmt: skip


async def test_calls_are_booked_to_who_answered(harness: Harness) -> None:
    async def pricing(provider: Provider, usage: Usage) -> float | None:
        return {"groq": 1.0, "gemini": 0.25}[provider.id]

    refused = error(Kind.BAD_REQUEST)
    refused.usage = Usage(7)
    gemini = NamedProvider("gemini", answer("Hi.", usage=Usage(20, 0, 2)))
    first = calls(call("list_tasks"), usage=Usage(10, 0, 1))
    chain(harness, NamedProvider("groq", first, [refused]), gemini)
    harness.changes["pricing"] = pricing

    end = await harness.finished()

    booked = stored_calls(harness.store, end.turn_id)
    assert [(each.provider, each.usage, each.cost_usd, each.status) for each in booked] == [
        ("groq", Usage(10, 0, 1), 1.0, "finished"),
        ("groq", Usage(7), 1.0, "failed"),
        ("gemini", Usage(20, 0, 2), 0.25, "finished"),
    ]
    assert (end.outcome.usage, end.outcome.cost_usd) == (Usage(37, 0, 3), 2.25)
    assert harness.store.usage.today().cost_usd == 2.25


async def test_a_call_that_failed_is_stored_with_its_cause_and_no_price(
    harness: Harness,
) -> None:
    harness.script([error(Kind.OVERLOADED)], answer("Hi."))

    end = await harness.finished()

    failed, finished = stored_calls(harness.store, end.turn_id)
    assert isinstance(failed, ModelCall)
    assert (failed.status, failed.error, failed.cost_usd) == ("failed", "It is overloaded.", None)
    assert finished.status == "finished"
    assert end.outcome.cost_usd == 0.0


async def test_a_model_that_is_known_only_after_its_first_request_is_named_in_the_end(
    harness: Harness,
) -> None:
    class LateNamedProvider(NamedProvider):
        """Provider whose model is known only after the first call."""

        @property
        def model(self) -> str:
            return "found" if self.requests else ""

    harness.provider = LateNamedProvider("local", answer("Hi."), answer("Again."))

    end = await harness.finished()
    await harness.finished()

    assert end.outcome.model == "found"
    first, _ = harness.store.turns.list(end.conversation_id)
    assert (first.provider, first.model) == ("local", "found")
    assert stored_calls(harness.store, end.turn_id)[0].model == "found"
    assert harness.requests[1].messages[1].origin == "local:found"


@pytest.mark.parametrize("kind", sorted(RETRYABLE))
@pytest.mark.parametrize("seconds", [61.0, float("inf"), float("nan")])
async def test_a_server_that_asks_for_too_much_time_is_given_up_at_once(
    harness: Harness, kind: Kind, seconds: float
) -> None:
    harness.script([error(kind, retry_after=seconds)])

    end = await harness.failed()

    assert harness.sleeps.taken == []
    assert end.error.message == (
        f"It is {kind}. Retry after {seconds:,.0f} s. The wait exceeds limits.retry_seconds."
    )


async def test_a_wait_that_is_named_already_is_not_named_twice(harness: Harness) -> None:
    told = "Groq is over its rate limit: retry after 3,600 s."
    harness.script([error(Kind.RATE_LIMIT, told, retry_after=3600)])

    end = await harness.failed()

    assert end.error.message == f"{told} The wait exceeds limits.retry_seconds."


async def test_an_understudy_with_a_bug_in_its_client_spoils_nothing_as_it_is_closed(
    harness: Harness,
) -> None:
    class UnclosableProvider(NamedProvider):
        """Provider that fails to close."""

        async def aclose(self) -> None:
            raise RuntimeError("stuck")

    chain(harness, NamedProvider("groq", [LIMITED]), UnclosableProvider("gemini", answer("Hi.")))

    assert (await harness.finished()).outcome.answer == "Hi."


async def test_without_understudies_a_failure_is_a_failure(harness: Harness) -> None:
    harness.script([LIMITED])
    harness.changes["limits"] = ONCE

    end = (await harness.events())[-1]

    assert isinstance(end, TurnFailed)
    assert end.outcome.trace == ()
