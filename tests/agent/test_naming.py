"""Generated titles of conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.agent.conftest import Harness
from tests.agent.named_providers import NamedProvider, error
from tests.rows import each_row
from tests.scripted import Pause, Round, answer, call, calls
from todo_tui.agent.conversation_titles import TITLE_PROMPT, extract_title, generate_title
from todo_tui.agent.run_config import Limits
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.messages import Provider, TextDelta, Usage
from todo_tui.store.store import Store


async def spoken(harness: Harness, text: str = "add buy milk tomorrow at 5pm") -> str:
    """Create a conversation with one finished turn and return its id."""
    harness.script(answer("Milk is on your list."))
    harness.conversation_id = None
    return (await harness.finished(text)).conversation_id


async def test_a_conversation_gets_a_title_that_says_what_it_is_about(
    harness: Harness,
) -> None:
    conversation_id = await spoken(harness)
    summarizer = NamedProvider("clerk", answer("Milk for tomorrow"))

    title = await generate_title(harness.store, summarizer, conversation_id)

    assert title == "Milk for tomorrow"
    assert harness.store.conversations.get(conversation_id).title == title
    (request,) = summarizer.requests
    assert (request.system, request.tools) == (TITLE_PROMPT, ())
    assert request.messages[0].text == (
        "User: add buy milk tomorrow at 5pm\nAssistant: Milk is on your list."
    )
    assert not summarizer.closed


@each_row(
    ("said", "title"),
    [
        ("Milk for tomorrow", "Milk for tomorrow"),
        ('  "Milk for tomorrow."\n', "Milk for tomorrow"),
        ("**Title: Milk**", "Milk"),
        ("# Milk\n\nIt is about milk.", "Milk"),
        ("\n\n- Milk\n- Bread", "Milk"),
        ("Milk\x1b[31m and\t bread\x00", "Milk and bread"),
        ("Name: «Lait demain»", "Lait demain"),
        ("word " * 40, "word word word word word word word word word word word…"),
        ("x" * 100, f"{'x' * 59}…"),
        ("", ""),
        (' "" \n ** ', ""),
    ],
)
def test_a_title_is_one_plain_line(said: str, title: str) -> None:
    assert extract_title(said) == title
    assert len(title) <= 60


@pytest.mark.parametrize(
    "answered",
    [
        [error(Kind.AUTH)],
        [error(Kind.RATE_LIMIT)],
        [TextDelta("Mi")],
        answer(""),
        answer("“”"),
        calls(call("add_task", title="Never")),
    ],
    ids=["key", "limit", "broken", "empty", "quotes", "call"],
)
async def test_a_failure_disturbs_nothing(harness: Harness, answered: Round) -> None:
    conversation_id = await spoken(harness)
    summarizer = NamedProvider("clerk", answered)

    assert await generate_title(harness.store, summarizer, conversation_id) is None

    title = harness.store.conversations.get(conversation_id).title
    assert title == "add buy milk tomorrow at 5pm"
    assert harness.titles() == []
    assert len(summarizer.requests) == 1


async def test_a_model_that_hangs_or_breaks_down_disturbs_nothing(harness: Harness) -> None:
    conversation_id = await spoken(harness)
    hanging = NamedProvider("clerk", [Pause(60)], sleep=asyncio.sleep)
    limits = Limits(first_token_local_seconds=0.05)

    named = await generate_title(harness.store, hanging, conversation_id, limits=limits)

    assert named is None
    assert await generate_title(harness.store, NamedProvider("broken"), conversation_id) is None


async def test_a_title_that_a_person_chose_stays(harness: Harness) -> None:
    conversation_id = await spoken(harness)
    harness.store.conversations.rename(conversation_id, "Groceries")
    summarizer = NamedProvider("clerk", answer("Milk"))

    assert await generate_title(harness.store, summarizer, conversation_id) is None

    assert summarizer.requests == []
    assert harness.store.conversations.get(conversation_id).title == "Groceries"


async def test_a_title_that_a_person_chose_meanwhile_stays(harness: Harness) -> None:
    conversation_id = await spoken(harness)

    def script(_: object) -> Round:
        harness.store.conversations.rename(conversation_id, "Groceries")
        return answer("Milk")

    summarizer = NamedProvider("clerk", script=script)

    assert await generate_title(harness.store, summarizer, conversation_id) is None
    assert harness.store.conversations.get(conversation_id).title == "Groceries"


async def test_a_conversation_that_is_gone_is_not_named(
    harness: Harness, open_as: Callable[[str], Store]
) -> None:
    conversation_id = await spoken(harness)
    summarizer = NamedProvider("clerk")
    assert await generate_title(open_as("bob"), summarizer, conversation_id) is None
    harness.store.conversations.delete(conversation_id)
    assert await generate_title(harness.store, summarizer, conversation_id) is None
    empty = harness.store.conversations.start()
    assert await generate_title(harness.store, summarizer, empty.id) is None
    assert summarizer.requests == []


async def test_what_a_title_costs_is_booked_to_its_conversation(harness: Harness) -> None:
    async def pricing(provider: Provider, usage: Usage) -> float | None:
        return 0.5

    conversation_id = await spoken(harness)
    summarizer = NamedProvider("clerk", answer("Milk", usage=Usage(40, 0, 3)), local=False)

    await generate_title(harness.store, summarizer, conversation_id, pricing=pricing)

    spent = harness.store.usage.conversation(conversation_id)
    assert (spent.usage, spent.cost_usd, spent.model_calls) == (Usage(40, 0, 3), 0.5, 2)


async def test_no_title_is_worth_more_than_the_budget_of_the_day(harness: Harness) -> None:
    async def pricing(provider: Provider, usage: Usage) -> float | None:
        return 0.5

    one, other = await spoken(harness), await spoken(harness)
    summarizer = NamedProvider("clerk", answer("Milk"), local=False)

    async def name(conversation_id: str) -> str | None:
        return await generate_title(
            harness.store, summarizer, conversation_id, pricing=pricing, daily_budget_usd=0.5
        )

    assert await name(one) == "Milk"
    assert await name(other) is None
    assert len(summarizer.requests) == 1


async def test_a_long_first_message_is_truncated_for_the_title(harness: Harness) -> None:
    conversation_id = await spoken(harness, "buy milk \ud83d " * 10_000)
    summarizer = NamedProvider("clerk", answer("Milk"))

    assert await generate_title(harness.store, summarizer, conversation_id) == "Milk"
    assert len(summarizer.requests[0].messages[0].text) < 4_000
