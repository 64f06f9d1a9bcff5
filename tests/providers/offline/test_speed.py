"""A reply takes milliseconds, with hundreds of tasks and with thousands."""

from __future__ import annotations

import asyncio
import statistics
from datetime import datetime
from pathlib import Path

from tests.blank import blank
from tests.growth import CallCounter
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

_SAID = (
    "add call the landlord tomorrow 5pm",
    "i need to buy stamps by friday",
    "dentist thursday 10am",
    "move report 20 for Anna to next friday",
    "i sent invoice 21 to Bob",
    "set letter 42 to high priority",
    "tag parcel 98 with @post",
    "what's due today?",
    "how many tasks are overdue?",
    "show the project work.p3",
    "mark call 9 to Bob as done",
    "delete parcel 123",
    "rename letter 77 to postcard 77",
    "thanks!",
    "what should i do next?",
    "the weather is awful today",
)
_VERBS = ("Write report", "Send invoice", "Post letter", "Fetch parcel", "Make call")
_NAMES = ("Anna", "Bob", "Carol", "Dave")


def _store_of(count: int, path: Path) -> Store:
    store = open_store(
        blank(path), user="tester", clock=Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
    )
    fields: list[TaskFields] = [
        {
            "title": f"{_VERBS[n % 5]} {n} to {_NAMES[n % 4]}",
            "project": f"work.p{n % 20}",
            "due": When.parse(f"2026-{1 + n % 12:02}-{1 + n % 28:02}"),
        }
        for n in range(count)
    ]
    store.tasks.add_many(fields, by=store.new_change_context(Actor.USER))
    return store


def _count_calls(store: Store) -> list[int]:
    """Return the number of functions that the reply to each message calls."""

    async def say(text: str) -> None:
        async for _ in run_turn(text, RunConfig(store, BuiltInAssistant(store.index))):
            pass

    counts: list[int] = []
    for text in _SAID:
        with CallCounter() as calls:
            asyncio.run(say(text))
        counts.append(calls.count)
    return counts


def test_the_work_of_a_reply_grows_slower_than_the_list(tmp_path: Path) -> None:
    counts: list[list[int]] = []
    for tasks in (10, 200, 2_000):
        with _store_of(tasks, tmp_path / f"{tasks}.db") as store:
            counts.append(_count_calls(store))
    # The rules are compiled when they are first tried.
    _, many, most = counts
    assert statistics.median(many) < 100_000
    assert statistics.median(most) < 3 * statistics.median(many)
