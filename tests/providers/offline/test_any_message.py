"""Whatever is said, the assistant answers, does not fail and does not go in circles."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.blank import blank
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import TurnEnd, TurnFinished
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

WORDS = (
    "add complete delete rename move undo redo mark done the a my milk rent report dentist plants "
    "it them that all everything first second one two #1 #2 and or then to with as on tomorrow "
    "friday every monday high priority tag project errands list show what how many is due overdue "
    "not don't I called bought paid \" ( ) , . ; : ? ! yes no both * [x] \n - 5pm note"
).split(" ")
_MAX_ROUNDS = 14


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    clock = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
    with (
        TemporaryDirectory() as folder,
        open_store(blank(Path(folder, "tasks.db")), user="tester", clock=clock) as opened,
    ):
        yield opened


def hold_conversation(store: Store, messages: list[str]) -> None:
    for title in ("Buy milk", "Pay rent", "Write monthly report", "Write quarterly report"):
        store.tasks.add({"title": title}, by=store.new_change_context(Actor.USER))

    async def talk() -> None:
        conversation: str | None = None
        for text in messages:
            desk = RunConfig(store, BuiltInAssistant(store.index))
            turn = run_turn(text, desk, conversation_id=conversation)
            end = [event async for event in turn][-1]
            assert isinstance(end, TurnEnd)
            assert isinstance(end, TurnFinished), end
            assert end.outcome.answer.strip()
            assert end.outcome.model_calls <= _MAX_ROUNDS
            conversation = end.conversation_id

    asyncio.run(talk())


def messages(words: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    message = st.lists(words, min_size=1, max_size=12).map(" ".join).filter(str.strip)
    return st.lists(message, min_size=1, max_size=3)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(messages(st.sampled_from(WORDS)))
def test_any_words_of_its_own_get_an_answer(store: Store, said: list[str]) -> None:
    hold_conversation(store, said)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(messages(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)))
def test_any_text_gets_an_answer(store: Store, said: list[str]) -> None:
    hold_conversation(store, said)
