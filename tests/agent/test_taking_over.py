"""Turns that another provider goes on with, since the one before could not."""

from __future__ import annotations

import json

import pytest

from tests.agent.conftest import Office, kinds, words_of
from tests.agent.players import Player, error, missing, standing_by
from todo_tui.agent.config import Limits
from todo_tui.agent.retry import RetryPolicy
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
from todo_tui.providers.scripted import Round, answer, call, calls
from todo_tui.store.conversations.records import ModelCall

LIMITED = error(Kind.RATE_LIMIT, "Groq is over its rate limit: it asks to wait 90 s.")
ONCE = Limits(retry=RetryPolicy(tries=1))


def cast(office: Office, groq: Player, *others: Player) -> None:
    """Groq speaks first; the others stand by, in this order."""
    office.provider = groq
    office.changes |= {"limits": ONCE, "fallbacks": tuple(map(standing_by, others))}


@pytest.mark.parametrize("kind", sorted(set(Kind) - {Kind.REFUSED}))
async def test_the_next_provider_takes_over_from_one_that_failed(
    office: Office, kind: Kind
) -> None:
    gemini = Player("gemini", answer("Here I am."))
    cast(office, Player("groq", [error(kind)]), gemini)

    end = await office.finished("hello")

    assert end.outcome.answer == "Here I am."
    assert (end.outcome.provider, end.outcome.model) == ("gemini", "m")
    assert [message.text for message in gemini.requests[0].messages] == ["hello"]
    assert gemini.closed


async def test_a_refusal_is_not_shopped_around(office: Office) -> None:
    gemini = Player("gemini", answer("Here I am."))
    cast(office, Player("groq", [error(Kind.REFUSED)]), gemini)

    end = await office.failed()

    assert end.error.kind == "refused"
    assert gemini.requests == []


async def test_another_model_of_the_same_provider_is_named_itself(office: Office) -> None:
    cast(office, Player("groq", [LIMITED]), Player("groq", answer("Hi."), model="small"))
    (taken,) = (event for event in await office.events() if isinstance(event, FailedOver))
    assert taken.step.summary == "Groq is over its rate limit: small goes on"


async def test_the_trace_says_who_took_over_and_why(office: Office) -> None:
    cast(office, Player("groq", [LIMITED]), Player("gemini", answer("Hi.")))

    events = await office.events()

    (taken,) = (event for event in events if isinstance(event, FailedOver))
    assert (taken.provider, taken.model) == ("gemini", "m")
    step = taken.step
    assert (step.name, step.status) == ("take_over", StepStatus.SUCCESS)
    assert step.summary == "Groq is over its rate limit: Gemini goes on"
    assert json.loads(step.arguments) == {"from": "groq:m", "to": "gemini:m"}
    assert json.loads(step.result)["data"] == {"kind": "rate_limit", "reason": LIMITED.message}
    end = events[-1]
    assert isinstance(end, TurnFinished)
    assert end.outcome.trace == (step,)
    (turn,) = office.store.conversations.turns(end.conversation_id)
    assert turn.steps == (step,)
    assert (turn.provider, turn.model) == ("gemini", "m")


async def test_what_may_pass_is_waited_for_before_somebody_takes_over(office: Office) -> None:
    slow = error(Kind.OVERLOADED)
    cast(office, Player("groq", *([[slow]] * 4)), Player("gemini", [slow], answer("Hi.")))
    office.changes["limits"] = Limits()

    events = await office.events()

    assert kinds(events) == [
        "TurnStarted",
        "Retrying", "Retrying", "Retrying",
        "FailedOver",
        "Retrying",
        "TextDelta", "UsageReported", "TurnFinished",
    ]  # fmt: skip
    attempts = [event.attempt for event in events if isinstance(event, Retrying)]
    assert attempts == [2, 3, 4, 2]


async def test_all_providers_share_the_waiting_of_a_turn(office: Office) -> None:
    slow = error(Kind.RATE_LIMIT, retry_after=25)
    cast(office, Player("groq", *([[slow]] * 3)), Player("gemini", [slow]))
    office.changes["limits"] = Limits()

    end = await office.failed()

    assert office.naps.taken == [25, 25]
    assert end.error.kind == "rate_limit"


async def test_what_tools_did_stays_done_and_is_not_run_again(office: Office) -> None:
    gemini = Player("gemini", calls(call("add_task", title="Call mom")), answer("Both are there."))
    milk = calls(call("add_task", title="Buy milk"), text="Adding.")
    broken: Round = [TextDelta("I have"), LIMITED]
    cast(office, Player("groq", milk, broken), gemini)

    events = await office.events("milk and mom")

    end = events[-1]
    assert isinstance(end, TurnFinished)
    assert office.titles() == ["Buy milk", "Call mom"]
    assert [step.name for step in end.outcome.trace] == ["add_task", "take_over", "add_task"]
    assert len(end.outcome.kept_batches) == 1
    assert end.outcome.answer == "Adding.\n\nBoth are there."
    told = gemini.requests[0].messages
    assert [message.role for message in told] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert '"success"' in told[2].tool_results[0].content


async def test_partial_words_are_replaced_when_the_other_speaks(office: Office) -> None:
    broken: Round = [TextDelta("Once up"), LIMITED]
    cast(office, Player("groq", broken), Player("gemini", answer("Hi.")))

    events = await office.events()

    names = kinds(events)
    assert names[:5] == ["TurnStarted", "TextDelta", "FailedOver", "CallRestarted", "TextDelta"]
    assert words_of(events[names.index("CallRestarted") :]) == "Hi."
    (turn,) = office.store.conversations.turns(events[-1].conversation_id)  # type: ignore[union-attr]  # the last is the end
    assert turn.answer == "Hi."


async def test_partial_words_stay_when_the_other_says_nothing(office: Office) -> None:
    broken: Round = [TextDelta("Once up"), LIMITED]
    cast(office, Player("groq", broken), Player("gemini", [error(Kind.AUTH)]))

    end = await office.failed()

    assert (end.outcome.answer, end.error.kind) == ("Once up", "auth")
    (message,) = office.store.conversations.history(end.conversation_id)[1:]
    assert (message.text, message.origin) == ("Once up", "groq:m")


async def test_who_takes_over_sees_nothing_that_is_only_for_another(office: Office) -> None:
    secret = {"signature": "for groq alone"}
    thought = Message(
        Role.ASSISTANT,
        (Thinking("Hm.", secret), Text("Adding.", secret), call("add_task", title="Milk")),
    )
    gemini = Player("gemini", answer("Done."))
    first: Round = [Completed(thought, StopReason.TOOL_CALLS)]
    cast(office, Player("groq", answer("Hello."), first, [LIMITED]), gemini)
    await office.finished("hello")

    await office.finished("add milk")

    for message in gemini.requests[0].messages:
        assert not any(isinstance(part, Thinking) for part in message.parts)
        assert not any(getattr(part, "meta", None) for part in message.parts)
    stored = office.store.conversations.history(office.conversation_id or "")
    assert thought.parts[0] in stored[3].parts


async def test_those_that_cannot_be_opened_are_passed_over_and_named(office: Office) -> None:
    office.provider = Player("groq", [error(Kind.QUOTA, "The quota at Groq is used up.")])
    mistral = standing_by(Player("mistral", answer("Hi.")))
    office.changes["fallbacks"] = (missing("Gemini"), missing("OpenAI"), mistral)

    (step,) = (await office.finished()).outcome.trace

    assert step.summary == (
        "The quota at Groq is used up: Gemini cannot (Gemini needs a key), "
        "OpenAI cannot (OpenAI needs a key), Mistral goes on"
    )
    passed_over = json.loads(step.result)["data"]["passed_over"]
    assert passed_over[0] == {"provider": "Gemini", "reason": "Gemini needs a key."}


async def test_where_nobody_can_take_over_the_error_names_them(office: Office) -> None:
    office.provider = Player("groq", [error(Kind.QUOTA, "The quota at Groq is used up.")])
    office.changes["fallbacks"] = (missing("Gemini"),)

    end = await office.failed()

    assert end.error.message == (
        "The quota at Groq is used up. Gemini could not take over: Gemini needs a key."
    )
    assert (end.error.kind, end.error.hint) == ("quota", "Do this.")
    assert end.outcome.provider == "groq"


async def test_each_has_one_try_and_the_one_that_failed_none(office: Office) -> None:
    groq = Player("groq", [LIMITED])
    again = Player("groq", answer("Never."))
    other_model = Player("groq", [LIMITED], model="smaller")
    unnamed = Player("groq", answer("Never."), model="")
    gemini = Player("gemini", [error(Kind.NETWORK)])
    cast(office, groq, again, other_model, unnamed, gemini, gemini)

    end = await office.failed()

    assert [len(player.requests) for player in (groq, again, other_model, unnamed, gemini)] == [
        1, 0, 1, 0, 1,
    ]  # fmt: skip
    assert all(player.closed for player in (again, other_model, unnamed, gemini))
    assert not groq.closed
    assert end.error.kind == "network"
    assert [step.name for step in end.outcome.trace] == ["take_over", "take_over"]


async def test_the_rest_of_the_turn_stays_with_who_took_over_and_the_next_begins_anew(
    office: Office,
) -> None:
    groq = Player("groq", [LIMITED], answer("Back again."))
    gemini = Player("gemini", calls(call("current_time")), answer("Two o'clock."))
    cast(office, groq, gemini)

    first = await office.finished("what time is it?")
    second = await office.finished("and now?")

    assert (first.outcome.provider, second.outcome.provider) == ("gemini", "groq")
    assert [message.text for message in groq.requests[1].messages] == [
        "what time is it?", "", "", "Two o'clock.", "and now?",
    ]  # fmt: skip


async def test_calls_are_booked_to_who_answered(office: Office) -> None:
    async def pricing(provider: Provider, usage: Usage) -> float | None:
        return {"groq": 1.0, "gemini": 0.25}[provider.id]

    refused = error(Kind.BAD_REQUEST)
    refused.usage = Usage(7)
    gemini = Player("gemini", answer("Hi.", usage=Usage(20, 0, 2)))
    first = calls(call("current_time"), usage=Usage(10, 0, 1))
    cast(office, Player("groq", first, [refused]), gemini)
    office.changes["pricing"] = pricing

    end = await office.finished()

    booked = office.store.conversations.calls(end.turn_id)
    assert [(each.provider, each.usage, each.cost_usd, each.status) for each in booked] == [
        ("groq", Usage(10, 0, 1), 1.0, "finished"),
        ("groq", Usage(7), 1.0, "failed"),
        ("gemini", Usage(20, 0, 2), 0.25, "finished"),
    ]
    assert (end.outcome.usage, end.outcome.cost_usd) == (Usage(37, 0, 3), 2.25)
    assert office.store.usage.today().cost_usd == 2.25


async def test_a_call_that_failed_is_stored_with_its_cause_and_no_price(office: Office) -> None:
    office.script([error(Kind.OVERLOADED)], answer("Hi."))

    end = await office.finished()

    failed, finished = office.store.conversations.calls(end.turn_id)
    assert isinstance(failed, ModelCall)
    assert (failed.status, failed.error, failed.cost_usd) == ("failed", "It is overloaded.", None)
    assert finished.status == "finished"
    assert end.outcome.cost_usd == 0.0


async def test_a_model_that_is_known_only_after_its_first_request_is_named_in_the_end(
    office: Office,
) -> None:
    class Settling(Player):
        """Finds out its model as it is asked."""

        @property
        def model(self) -> str:
            return "found" if self.requests else ""

    office.provider = Settling("local", answer("Hi."), answer("Again."))

    end = await office.finished()
    await office.finished()

    assert end.outcome.model == "found"
    first, _ = office.store.conversations.turns(end.conversation_id)
    assert (first.provider, first.model) == ("local", "found")
    assert office.store.conversations.calls(end.turn_id)[0].model == "found"
    assert office.requests[1].messages[1].origin == "local:found"


@pytest.mark.parametrize("kind", sorted(RETRYABLE))
@pytest.mark.parametrize("seconds", [61.0, float("inf"), float("nan")])
async def test_a_server_that_asks_for_too_much_time_is_given_up_at_once(
    office: Office, kind: Kind, seconds: float
) -> None:
    office.script([error(kind, retry_after=seconds)])

    end = await office.failed()

    assert office.naps.taken == []
    assert end.error.message == (
        f"It is {kind}. It asks to wait {seconds:,.0f} s. That is longer than this turn will wait."
    )


async def test_a_wait_that_is_named_already_is_not_named_twice(office: Office) -> None:
    told = "Groq is over its rate limit: it asks to wait 3,600 s."
    office.script([error(Kind.RATE_LIMIT, told, retry_after=3600)])

    end = await office.failed()

    assert end.error.message == f"{told} That is longer than this turn will wait."


async def test_an_understudy_with_a_bug_in_its_client_spoils_nothing_as_it_is_closed(
    office: Office,
) -> None:
    class Sticky(Player):
        """Cannot be closed."""

        async def aclose(self) -> None:
            raise RuntimeError("stuck")

    cast(office, Player("groq", [LIMITED]), Sticky("gemini", answer("Hi.")))

    assert (await office.finished()).outcome.answer == "Hi."


async def test_without_understudies_a_failure_is_a_failure(office: Office) -> None:
    office.script([LIMITED])
    office.changes["limits"] = ONCE

    end = (await office.events())[-1]

    assert isinstance(end, TurnFailed)
    assert end.outcome.trace == ()
