"""When garbage is collected: in pauses between keys."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ReferenceType, ref

import pytest

from todo_tui.tui.background import IdleGarbageCollector


class Ring:
    """Garbage as soon as it is let go of, which only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


class Person:
    """Somebody who types, or not."""

    def __init__(self) -> None:
        self.idle = 0.0
        self.now = 0.0
        self.collection = IdleGarbageCollector(lambda: self.idle, lambda: self.now)

    def waits(self, seconds: float) -> None:
        self.now += seconds
        self.idle += seconds
        self.collection.collect_if_idle()


@pytest.fixture
def person() -> Iterator[Person]:
    somebody = Person()
    gc.freeze()  # what other tests have left is not looked through
    somebody.collection.begin()
    yield somebody
    somebody.collection.end()
    gc.unfreeze()


def thrown_away() -> ReferenceType[Ring]:
    """A ring that nobody has any more, and that was looked at once, as after many others."""
    ring = Ring()
    gc.collect(1)
    return ref(ring)


def test_nothing_is_collected_while_somebody_types(person: Person) -> None:
    ring = thrown_away()
    person.waits(0.5)
    assert ring() is not None


def test_in_a_pause_what_is_new_is_collected(person: Person) -> None:
    ring = thrown_away()
    person.waits(5.0)
    assert ring() is None


def test_what_was_kept_for_long_is_collected_in_a_long_pause_and_seldom(person: Person) -> None:
    kept = Ring()
    ring = ref(kept)
    gc.collect(1)
    person.waits(5.0)
    del kept
    person.waits(120.0)
    assert ring() is not None
    person.waits(900.0)
    assert ring() is None


def test_what_unmounted_turns_leave_is_collected_in_a_pause(person: Person) -> None:
    kept = Ring()
    ring = ref(kept)
    gc.collect(1)
    person.waits(5.0)
    del kept
    person.collection.expect_garbage(5)
    person.waits(5.0)
    assert ring() is not None
    person.collection.expect_garbage(5)
    person.waits(5.0)
    assert ring() is None


def test_after_many_unmounted_turns_no_pause_is_waited_for(person: Person) -> None:
    ring = thrown_away()
    person.collection.expect_garbage(40)
    person.waits(0.1)
    assert ring() is None


def test_the_interpreter_takes_over_again_at_the_end() -> None:
    before = gc.get_threshold()
    collection = IdleGarbageCollector(lambda: 0.0)
    collection.begin()
    assert gc.get_threshold() != before
    collection.end()
    assert gc.get_threshold() == before
    gc.unfreeze()
