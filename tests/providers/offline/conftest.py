"""Conversations with the built-in assistant, over lists that messages have made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.agent.conftest import Harness
from tests.blank import blank
from tests.conftest import NOW
from tests.same_thread import use_no_threads
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

Begin = Callable[..., Awaitable[Harness]]


@pytest.fixture(autouse=True)
async def _no_threads() -> None:
    use_no_threads()


@pytest.fixture(scope="session")
def _begun() -> dict[str, tuple[bytes, str | None]]:
    """Databases and their conversations, by what was stored and said in them."""
    return {}


@pytest.fixture
def begin(tmp_path: Path, _begun: dict[str, tuple[bytes, str | None]]) -> Iterator[Begin]:
    """Opens a list with some tasks after some messages; what they have made is copied.

    Closes the one before. To say the messages takes longer than most of what is tried then.
    """
    opened: list[Store] = []
    numbers = count()

    def close() -> None:
        while opened:
            opened.pop().close()

    def open_harness(path: Path, conversation_id: str | None) -> Harness:
        close()
        store = open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW))
        opened.append(store)
        changes: dict[str, object] = {"provider": BuiltInAssistant(store.index)}
        return Harness(store, conversation_id=conversation_id, changes=changes)

    async def begin(*said: str, tasks: Sequence[TaskFields] = ()) -> Harness:
        key = repr((tasks, said))
        path = blank(tmp_path / f"{next(numbers)}.db")
        if key not in _begun:
            harness = open_harness(path, None)
            if tasks:
                by = harness.store.new_change_context(Actor.USER)
                harness.store.tasks.add_many(tasks, by=by)
            for text in said:
                await harness.finished(text)
            close()
            _begun[key] = path.read_bytes(), harness.conversation_id
        content, conversation_id = _begun[key]
        path.write_bytes(content)
        return open_harness(path, conversation_id)

    yield begin
    close()
