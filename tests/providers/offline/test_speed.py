"""A reply takes milliseconds, with a thousand tasks and with ten thousand."""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import datetime
from pathlib import Path

import pytest

from tests.blank import blank
from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
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


def _seconds(store: Store) -> list[float]:
    """Return the processor time of the reply to each message."""

    async def say(text: str) -> None:
        async for _ in run_turn(text, RunConfig(store, BuiltInAssistant())):
            pass

    spent: list[float] = []
    for text in _SAID:
        start = time.process_time()
        asyncio.run(say(text))
        spent.append(time.process_time() - start)
    return spent


@pytest.mark.parametrize(("count", "most_ms"), [(1_000, 40), (10_000, 120)])
def test_a_reply_takes_milliseconds(count: int, most_ms: float, tmp_path: Path) -> None:
    with _store_of(10, tmp_path / "few.db") as store:
        # The rules are compiled when they are first tried.
        _seconds(store)
    with _store_of(count, tmp_path / "many.db") as store:
        spent = _seconds(store)

    assert statistics.median(spent) * 1000 <= most_ms, spent
