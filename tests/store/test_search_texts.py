"""Searches while tasks change: in titles, notes, projects and tags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.opened import add, opened, user_context
from todo_tui.domain.filters.parser import parse_query
from todo_tui.store.store import Store


@pytest.fixture
def staying(path: Path) -> Iterator[Store]:
    with opened(path) as store:
        add(store, "Buy milk", tags=("home",))
        add(store, "Straße fegen", notes="with the new broom", project="Home.Garden")
        yield store


def found(store: Store, text: str) -> list[str]:
    wanted = parse_query(text, store.clock.now(), store.style).filter
    tasks = store.tasks.find(wanted, limit=50)
    assert store.tasks.count(wanted) == len(tasks)
    assert {each for _, ids in store.tasks.listing(wanted).groups for each in ids} == {
        task.id for task in tasks
    }
    return [task.title for task in tasks]


def test_words_are_found_wherever_they_stand(staying: Store) -> None:
    assert found(staying, "MILK") == ["Buy milk"]
    assert found(staying, "strasse broom") == ["Straße fegen"]
    assert found(staying, "garden") == ["Straße fegen"]
    assert found(staying, "milk or broom") == ["Buy milk", "Straße fegen"]
    assert found(staying, "not milk") == ["Straße fegen"]
    assert found(staying, "milk broom") == []
    assert found(staying, '"y milkstr"') == []


def test_what_is_written_since_is_found_and_what_is_gone_is_not(staying: Store, path: Path) -> None:
    add(staying, "More milk")
    with opened(path) as other:
        add(other, "Milk for the cat")
        other.tasks.update([1], {"title": "Buy bread"}, by=user_context(other))
    assert found(staying, "milk") == ["More milk", "Milk for the cat"]
    assert found(staying, "bread") == ["Buy bread"]
    staying.tasks.undo(by=user_context(staying))
    assert found(staying, "milk") == ["Buy milk", "More milk", "Milk for the cat"]
    staying.tasks.undo(by=user_context(staying))
    assert found(staying, "milk") == ["Buy milk", "More milk"]
    staying.tasks.update([2], {}, add_tags=["milky"], by=user_context(staying))
    assert found(staying, "milk") == ["Buy milk", "Straße fegen", "More milk"]
    staying.tasks.purge([1], by=user_context(staying))
    assert found(staying, "milk") == ["Straße fegen", "More milk"]
    assert found(staying, "buy") == []


def test_long_texts_are_searched_too(path: Path) -> None:
    with opened(path) as store:
        add(store, "novel", notes=f"{'x' * 200_000} needle")
        add(store, "needle")
        assert found(store, "needle") == ["novel", "needle"]
        assert found(store, "novel needle") == ["novel"]
        assert found(store, "nothing") == []


def test_the_tasks_of_others_stay_theirs(staying: Store, path: Path) -> None:
    with opened(path, user="bob") as bob:
        add(bob, "Bob's milk")
        assert found(bob, "milk") == ["Bob's milk"]
    assert found(staying, "milk") == ["Buy milk"]
