"""A daily budget: a warning near its end, a question after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from tests.agent.conftest import NOW, Office, kinds
from tests.agent.players import Player, error, standing_by
from todo_tui.agent.approval import ApprovalQuestion, ApproveNone
from todo_tui.agent.turn import TurnHandle
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import ApprovalAsked, BudgetWarning, TurnCancelled, TurnEvent
from todo_tui.domain.messages import Provider, Usage
from todo_tui.domain.when import Clock
from todo_tui.providers.scripted import Round, answer, call, calls
from todo_tui.store.store import open_store

CENT = Usage(1000, 0, 10)


@dataclass
class Person:
    """Answers as told, and remembers what was asked."""

    answers: list[bool] = field(default_factory=list)
    asked: list[ApprovalQuestion] = field(default_factory=list)

    async def decide(self, question: ApprovalQuestion) -> bool:
        self.asked.append(question)
        return self.answers.pop(0)


async def a_quarter_dollar(provider: Provider, usage: Usage) -> float | None:
    """What every call of a provider that is not on this machine costs."""
    return 0.0 if provider.local else 0.25


def spend(office: Office, budget: float, *rounds: Round, answers: tuple[bool, ...] = ()) -> Person:
    person = Person(list(answers))
    office.provider = Player("groq", *rounds, local=False)
    office.changes |= {
        "daily_budget_usd": budget,
        "pricing": a_quarter_dollar,
        "approver": person,
    }
    return person


def neared(events: list[TurnEvent]) -> list[BudgetWarning]:
    return [event for event in events if isinstance(event, BudgetWarning)]


async def test_a_person_is_warned_once_a_day_as_most_is_spent(office: Office) -> None:
    spend(office, 1.25, *(answer("Hi.") for _ in range(5)))

    first = [neared(await office.events(str(number))) for number in range(5)]

    warnings = [warning for turn in first for warning in turn]
    assert [(each.spent_usd, each.budget_usd) for each in warnings] == [(1.0, 1.25)]
    assert first[3] == warnings


async def test_a_warning_comes_with_the_call_that_crosses_the_line(office: Office) -> None:
    spend(office, 0.3, answer("Hi."))

    names = kinds(await office.events())

    assert names == [
        "TurnStarted", "TextDelta", "UsageReported", "BudgetWarning", "TurnFinished",
    ]  # fmt: skip


async def test_the_next_day_has_a_budget_of_its_own(office: Office) -> None:
    person = spend(office, 0.25, *(answer("Hi.") for _ in range(3)), answers=(True,))
    assert len(neared(await office.events())) == 1
    await office.finished()

    tomorrow = Clock("Europe/Berlin", NOW + timedelta(days=1))
    with open_store(office.store.path, user="ann", clock=tomorrow) as office.store:
        assert len(neared(await office.events())) == 1
    assert len(person.asked) == 1


async def test_a_used_up_budget_is_asked_about_before_the_next_call(office: Office) -> None:
    person = spend(office, 0.5, *(answer("Hi.") for _ in range(3)), answers=(True,))
    await office.finished()
    await office.finished()

    events = await office.events()

    (asked,) = (event for event in events if isinstance(event, ApprovalAsked))
    assert asked.call_id == ""
    assert asked.question == "Today's budget of $0.50 is used up. Spend up to $0.50 more?"
    assert asked.details == ("$0.50 spent today", "m answers next")
    assert [question.words for question in person.asked] == [asked.question]
    assert kinds(events)[-1] == "TurnFinished"


async def test_amounts_below_a_cent_are_not_told_as_nothing(office: Office) -> None:
    spend(office, 0.0005, calls(call("add_task", title="Milk")), answer("Never."), answers=(False,))
    end = await office.failed()
    assert "budget of $0.00050 is used up" in end.error.message


async def test_a_yes_allows_another_budget_and_no_more(office: Office) -> None:
    person = spend(office, 0.5, *(answer("Hi.") for _ in range(9)), answers=(True, True, False))

    for _ in range(6):
        await office.finished()
    assert len(person.asked) == 2
    end = await office.failed()

    assert len(person.asked) == 3
    assert end.error.kind == "budget"
    assert end.error.message == "Today's budget of $0.50 is used up ($1.50 spent)."
    assert end.error.hint is not None
    assert len(office.requests) == 6


async def test_a_no_ends_the_turn_with_what_was_done(office: Office) -> None:
    first = calls(call("add_task", title="Milk"), text="Adding.")
    spend(office, 0.25, first, answer("Never."), answers=(False, True))

    end = await office.failed()

    assert (end.error.kind, end.outcome.answer) == ("budget", "Adding.")
    assert office.titles() == ["Milk"]
    office.provider = Player("groq", answer("Hi."), local=False)
    assert (await office.finished("again")).outcome.answer == "Hi."


async def test_the_calls_of_this_turn_count(office: Office) -> None:
    looks = (calls(call("current_time")) for _ in range(3))
    person = spend(office, 0.5, *looks, answer("Hi."), answers=(True,))

    await office.finished()

    assert len(person.asked) == 1


async def test_what_is_on_this_machine_is_never_asked_about(office: Office) -> None:
    person = spend(office, 0.25, answer("Hi."))
    await office.finished()

    office.provider = Player("ollama", answer("Hi."), local=True)

    assert (await office.finished()).outcome.answer == "Hi."
    assert person.asked == []


async def test_what_is_known_to_be_free_is_never_asked_about(office: Office) -> None:
    async def free(provider: Provider, usage: Usage) -> float | None:
        return 0.0

    person = spend(office, 0.25, answer("Hi."), answer("Hi."))
    await office.finished()
    office.changes["pricing"] = free

    await office.finished()

    assert person.asked == []


async def test_what_has_no_known_price_uses_nothing_up_but_waits_once_it_is_used_up(
    office: Office,
) -> None:
    async def unknown(provider: Provider, usage: Usage) -> float | None:
        return None

    person = spend(office, 0.25, *(answer("Hi.") for _ in range(3)), answers=(False,))
    office.changes["pricing"] = unknown
    await office.finished()
    await office.finished()
    office.changes["pricing"] = a_quarter_dollar
    await office.finished()
    office.changes["pricing"] = unknown

    assert (await office.failed()).error.kind == "budget"
    assert len(person.asked) == 1
    assert office.store.usage.today().unpriced_calls == 2


async def test_where_nobody_can_be_asked_nothing_more_is_spent(office: Office) -> None:
    spend(office, 0.25, answer("Hi."))
    await office.finished()
    office.changes["approver"] = ApproveNone()

    assert (await office.failed()).error.kind == "budget"


async def test_a_stop_while_the_question_waits_ends_the_turn(office: Office) -> None:
    class Leaving(Person):
        """Presses Esc instead of an answer."""

        async def decide(self, question: ApprovalQuestion) -> bool:
            handle.stop()
            return True

    spend(office, 0.25, answer("Hi."), answer("Never."))
    await office.finished()
    handle = TurnHandle()
    office.changes["approver"] = Leaving()

    end = (await office.events("again", handle))[-1]

    assert isinstance(end, TurnCancelled)
    assert len(office.requests) == 1


async def test_who_takes_over_is_asked_about_too(office: Office) -> None:
    person = spend(office, 0.25, answer("Hi."), answers=(False,))
    await office.finished()
    costly = Player("gemini", answer("Never."), local=False)
    office.provider = Player("ollama", [error(Kind.AUTH)], local=True)
    office.changes["fallbacks"] = (standing_by(costly),)

    end = await office.failed()

    assert (end.error.kind, costly.requests) == ("budget", [])
    assert len(person.asked) == 1


async def test_a_summary_is_not_worth_a_question(office: Office) -> None:
    spend(office, 0.5, answer("One."), answer("Two."))
    await office.finished("first")
    await office.finished("second")
    clerk = Player("clerk", answer("Never."), local=False)
    office.provider = Player("ollama", [error(Kind.CONTEXT_TOO_LONG)], answer("Three."))
    office.changes["summarizer"] = standing_by(clerk)

    end = await office.finished("third")

    assert [step.name for step in end.outcome.trace] == ["leave_out"]
    assert clerk.requests == []


@pytest.mark.parametrize("rounds", [1, 3])
async def test_without_a_budget_the_day_is_not_looked_at(office: Office, rounds: int) -> None:
    spend(office, 1.0, *(calls(call("current_time")) for _ in range(rounds)), answer("Hi."))
    office.changes["daily_budget_usd"] = None

    await office.finished()

    assert "spending" not in vars(office.store)
