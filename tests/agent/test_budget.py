"""A daily budget: a warning near its end, a question after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from tests.agent.conftest import Harness, kinds
from tests.agent.named_providers import NamedProvider, available_fallback, error
from tests.conftest import NOW
from tests.scripted import Round, answer, call, calls
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion, ApproveNone
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import ApprovalAsked, BudgetWarning, TurnCancelled, TurnEvent
from todo_tui.domain.messages import Provider, Usage
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store


@dataclass
class ScriptedApprover:
    """Gives scripted answers and records the questions."""

    answers: list[bool] = field(default_factory=list)
    asked: list[ApprovalQuestion] = field(default_factory=list)

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        self.asked.append(question)
        return ApprovalAnswer(self.answers.pop(0))


async def quarter_dollar_price(provider: Provider, usage: Usage) -> float | None:
    """Price of every call of a remote provider."""
    return 0.0 if provider.local else 0.25


def spend(
    harness: Harness, budget: float, *rounds: Round, answers: tuple[bool, ...] = ()
) -> ScriptedApprover:
    approver = ScriptedApprover(list(answers))
    harness.provider = NamedProvider("groq", *rounds, local=False)
    harness.changes |= {
        "daily_budget_usd": budget,
        "pricing": quarter_dollar_price,
        "approver": approver,
    }
    return approver


def neared(events: list[TurnEvent]) -> list[BudgetWarning]:
    return [event for event in events if isinstance(event, BudgetWarning)]


async def test_a_person_is_warned_once_a_day_as_most_is_spent(harness: Harness) -> None:
    spend(harness, 1.25, *(answer("Hi.") for _ in range(5)))

    first = [neared(await harness.events(str(number))) for number in range(5)]

    warnings = [warning for turn in first for warning in turn]
    assert [(each.spent_usd, each.budget_usd) for each in warnings] == [(1.0, 1.25)]
    assert first[3] == warnings


async def test_a_warning_comes_with_the_call_that_crosses_the_line(harness: Harness) -> None:
    spend(harness, 0.3, answer("Hi."))

    names = kinds(await harness.events())

    assert names == [
        "TurnStarted", "TextDelta", "UsageReported", "BudgetWarning", "TurnFinished",
    ]  # fmt: skip


async def test_the_next_day_has_a_budget_of_its_own(harness: Harness) -> None:
    approver = spend(harness, 0.25, *(answer("Hi.") for _ in range(3)), answers=(True,))
    assert len(neared(await harness.events())) == 1
    await harness.finished()

    tomorrow = Clock("Europe/Berlin", NOW + timedelta(days=1))
    with open_store(harness.store.path, user="ann", clock=tomorrow) as harness.store:
        assert len(neared(await harness.events())) == 1
    assert len(approver.asked) == 1


async def test_a_used_up_budget_is_asked_about_before_the_next_call(harness: Harness) -> None:
    approver = spend(harness, 0.5, *(answer("Hi.") for _ in range(3)), answers=(True,))
    await harness.finished()
    await harness.finished()

    events = await harness.events()

    (asked,) = (event for event in events if isinstance(event, ApprovalAsked))
    assert asked.call_id == ""
    assert asked.question == "Today's budget of $0.50 is used up. Spend up to $0.50 more?"
    assert asked.details == ("$0.50 spent today", "m answers next")
    assert [question.words for question in approver.asked] == [asked.question]
    assert kinds(events)[-1] == "TurnFinished"


async def test_amounts_below_a_cent_are_not_shown_as_zero(harness: Harness) -> None:
    spend(
        harness, 0.0005, calls(call("add_task", title="Milk")), answer("Never."), answers=(False,)
    )
    end = await harness.failed()
    assert "budget of $0.00050 is used up" in end.error.message


async def test_a_yes_allows_another_budget_and_no_more(harness: Harness) -> None:
    approver = spend(harness, 0.5, *(answer("Hi.") for _ in range(9)), answers=(True, True, False))

    for _ in range(6):
        await harness.finished()
    assert len(approver.asked) == 2
    end = await harness.failed()

    assert len(approver.asked) == 3
    assert end.error.kind == "budget"
    assert end.error.message == "Today's budget of $0.50 is used up ($1.50 spent)."
    assert end.error.hint is not None
    assert len(harness.requests) == 6


async def test_a_no_ends_the_turn_with_what_was_done(harness: Harness) -> None:
    first = calls(call("add_task", title="Milk"), text="Adding.")
    spend(harness, 0.25, first, answer("Never."), answers=(False, True))

    end = await harness.failed()

    assert (end.error.kind, end.outcome.answer) == ("budget", "Adding.")
    assert harness.titles() == ["Milk"]
    harness.provider = NamedProvider("groq", answer("Hi."), local=False)
    assert (await harness.finished("again")).outcome.answer == "Hi."


async def test_the_calls_of_this_turn_count(harness: Harness) -> None:
    looks = (calls(call("list_tasks")) for _ in range(3))
    approver = spend(harness, 0.5, *looks, answer("Hi."), answers=(True,))

    await harness.finished()

    assert len(approver.asked) == 1


async def test_what_is_on_this_machine_is_never_asked_about(harness: Harness) -> None:
    approver = spend(harness, 0.25, answer("Hi."))
    await harness.finished()

    harness.provider = NamedProvider("ollama", answer("Hi."), local=True)

    assert (await harness.finished()).outcome.answer == "Hi."
    assert approver.asked == []


async def test_what_is_known_to_be_free_is_never_asked_about(harness: Harness) -> None:
    async def free(provider: Provider, usage: Usage) -> float | None:
        return 0.0

    approver = spend(harness, 0.25, answer("Hi."), answer("Hi."))
    await harness.finished()
    harness.changes["pricing"] = free

    await harness.finished()

    assert approver.asked == []


async def test_what_has_no_known_price_uses_nothing_up_but_waits_once_it_is_used_up(
    harness: Harness,
) -> None:
    async def unknown(provider: Provider, usage: Usage) -> float | None:
        return None

    approver = spend(harness, 0.25, *(answer("Hi.") for _ in range(3)), answers=(False,))
    harness.changes["pricing"] = unknown
    await harness.finished()
    await harness.finished()
    harness.changes["pricing"] = quarter_dollar_price
    await harness.finished()
    harness.changes["pricing"] = unknown

    assert (await harness.failed()).error.kind == "budget"
    assert len(approver.asked) == 1
    assert harness.store.usage.today().unpriced_calls == 2


async def test_where_nobody_can_be_asked_nothing_more_is_spent(harness: Harness) -> None:
    spend(harness, 0.25, answer("Hi."))
    await harness.finished()
    harness.changes["approver"] = ApproveNone()

    assert (await harness.failed()).error.kind == "budget"


async def test_a_stop_while_the_question_waits_ends_the_turn(harness: Harness) -> None:
    class StoppingApprover(ScriptedApprover):
        """Presses Esc instead of an answer."""

        async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
            handle.stop()
            return ApprovalAnswer(True)

    spend(harness, 0.25, answer("Hi."), answer("Never."))
    await harness.finished()
    handle = TurnHandle()
    harness.changes["approver"] = StoppingApprover()

    end = (await harness.events("again", handle))[-1]

    assert isinstance(end, TurnCancelled)
    assert len(harness.requests) == 1


async def test_who_takes_over_is_asked_about_too(harness: Harness) -> None:
    approver = spend(harness, 0.25, answer("Hi."), answers=(False,))
    await harness.finished()
    costly = NamedProvider("gemini", answer("Never."), local=False)
    harness.provider = NamedProvider("ollama", [error(Kind.AUTH)], local=True)
    harness.changes["fallbacks"] = (available_fallback(costly),)

    end = await harness.failed()

    assert (end.error.kind, costly.requests) == ("budget", [])
    assert len(approver.asked) == 1


async def test_a_summary_is_not_worth_a_question(harness: Harness) -> None:
    spend(harness, 0.5, answer("One."), answer("Two."))
    await harness.finished("first")
    await harness.finished("second")
    summarizer = NamedProvider("clerk", answer("Never."), local=False)
    harness.provider = NamedProvider("ollama", [error(Kind.CONTEXT_TOO_LONG)], answer("Three."))
    harness.changes["summarizer"] = available_fallback(summarizer)

    end = await harness.finished("third")

    assert [step.name for step in end.outcome.trace] == ["leave_out"]
    assert summarizer.requests == []


@pytest.mark.parametrize("rounds", [1, 3])
async def test_without_a_budget_the_day_is_not_looked_at(harness: Harness, rounds: int) -> None:
    spend(harness, 1.0, *(calls(call("list_tasks")) for _ in range(rounds)), answer("Hi."))
    harness.changes["daily_budget_usd"] = None

    await harness.finished()

    assert "spending" not in vars(harness.store)
