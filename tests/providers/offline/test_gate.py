"""Changes that people seldom mean are offered, whatever words ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blank import blank
from tests.conftest import NOW
from todo_tui.agent.approver import ApproveAll
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

TASKS: tuple[TaskFields, ...] = (
    {"title": "Gym", "due": When.parse("2026-11-21")},
    {"title": "Dentist", "due": When.parse("2026-11-20T15:00")},
    {
        "title": "Pay electricity bill",
        "due": When.parse("2026-11-19"),
        "recurrence": "FREQ=MONTHLY",
    },
    {"title": "Launch website"},
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = blank(tmp_path / "tasks.db")
    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)) as opened:
        opened.tasks.add_many(TASKS, by=opened.new_change_context(Actor.USER))
        yield opened


async def answers(store: Store, *said: str) -> list[str]:
    found: list[str] = []
    conversation: str | None = None
    config = RunConfig(store, BuiltInAssistant(store.index), approver=ApproveAll())
    for text in said:
        *_, end = [each async for each in run_turn(text, config, conversation_id=conversation)]
        assert isinstance(end, TurnFinished)
        found.append(end.outcome.answer)
        conversation = end.conversation_id
    return found


async def test_what_is_seldom_meant_is_offered(store: Store) -> None:
    offers = {
        "push the gym 3 hours later": "3 hours later",
        "add water bill due 5 september 2026 every month": "Sat 5 Sep is in the past.",
        "add water bill every month from 5 september 2026": "Sat 5 Sep is in the past.",
        "rename the dentist to friday !high": "friday !high",
        "rename gym to running @health": "running @health",
    }
    before = [store.tasks.get(number) for number in range(1, len(TASKS) + 1)]
    for message, part in offers.items():
        (answer,) = await answers(store, message)
        assert part in answer, message
        assert answer.endswith("? [yes/no]"), message
    assert [store.tasks.get(number) for number in range(1, len(TASKS) + 1)] == before
    assert store.tasks.counts().open == len(TASKS)


async def test_a_second_occurrence_is_completed_after_a_yes(store: Store) -> None:
    first, second, third = await answers(
        store, "paid the electricity bill", "paid the electricity bill", "yes"
    )
    assert first.startswith("Completed")
    assert second.endswith("? [yes/no]")
    assert third.startswith("Completed")


async def test_both_are_the_tasks_of_the_last_two_turns(store: Store) -> None:
    await answers(store, "add buy bulbs", "add plant tulips", "put both of those on saturday")
    saturday = When.parse("2026-11-21")
    assert [store.tasks.get(number).due for number in (5, 6)] == [saturday, saturday]


async def test_one_task_of_the_last_turn_is_taken_back_or_exchanged(store: Store) -> None:
    await answers(store, "gym and dentist are done", "sorry, not the dentist, the website")
    assert [store.tasks.get(number).is_open for number in (1, 2, 4)] == [False, True, False]
    await answers(store, "mark the dentist as done", "dentist is not done after all")
    assert store.tasks.get(2).is_open
    await answers(store, "move the gym to monday", "my mistake, please put it back")
    assert store.tasks.get(1).due == When.parse("2026-11-21")


async def test_a_deed_closes_no_set_and_what_is_left_alone_stays(store: Store) -> None:
    await answers(store, "they can't see me after all, the dentist has rung about the bill")
    await answers(store, "when is the gym?", "no leave those where they were")
    assert all(task.is_open for task in store.tasks.find())


async def test_values_behind_commas_are_no_title(store: Store) -> None:
    await answers(store, "add order scores, high priority, for the choir project, by monday")
    task = store.tasks.get(5)
    assert (task.title, task.priority, task.project) == ("Order scores", "high", "choir")
    assert task.due == When.parse("2026-11-23")


async def test_values_behind_a_colon_are_no_title(store: Store) -> None:
    await answers(store, "edit gym: friday 7am !high")
    task = store.tasks.get(1)
    assert (task.title, task.priority) == ("Gym", "high")
    assert task.due == When.parse("2026-11-20T07:00")


async def test_the_month_of_a_dotted_date_is_used(store: Store) -> None:
    found = await answers(
        store, "add call the lab on 16.12.", "add ring bank 7.12. at 9.30", "add pay 12 bills 3.12."
    )
    assert [each.endswith("Say “undo” to remove it.") for each in found] == [True] * 3
    due = [store.tasks.get(number).due for number in (5, 6, 7)]
    assert due == [*map(When.parse, ("2026-12-16", "2026-12-07T09:30", "2026-12-03"))]


async def test_words_that_are_not_used_are_quoted_as_typed_and_once(store: Store) -> None:
    quotes = {
        "Anna needs the red Card, Anna said, and the dentist is somewhere": "“Anna, red Card”",
        "My dentist and gym things overlap Somehow on Wednesday evening": "“overlap Somehow”",
    }
    for message, quoted in quotes.items():
        (answer,) = await answers(store, message)
        assert quoted in answer


async def test_lists_behind_a_lead_are_read_whole(store: Store) -> None:
    await answers(store, "break down launch website: write copy, test forms ~30m, publish")
    await answers(store, "create a project for the wedding with book venue, send invites")
    added = [store.tasks.get(number) for number in range(5, 10)]
    assert [task.title for task in added] == [
        *("Write copy", "Test forms", "Publish", "Book venue", "Send invites")
    ]
    assert [task.parent for task in added] == [4, 4, 4, None, None]
    assert [task.project for task in added[3:]] == ["wedding", "wedding"]


async def test_thanks_before_a_request_are_not_answered(store: Store) -> None:
    (answer,) = await answers(store, "great, add milk")
    assert answer.startswith("Added **Milk**")
