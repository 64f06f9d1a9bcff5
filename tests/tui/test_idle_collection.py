"""When garbage is collected: in pauses between keys.

Each test runs in a small process: a full collection there looks through what the test has made,
here through what all tests have left, which takes a second.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from weakref import ReferenceType, ref

import pytest

from todo_tui.tui.background import IdleGarbageCollector

InProcess = Callable[[Callable[[], None]], None]


@pytest.fixture(scope="module")
def in_process() -> Iterator[InProcess]:
    """Run a function of this module in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield lambda check: pool.submit(check).result()


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
        self.collection.begin()

    def waits(self, seconds: float) -> None:
        self.now += seconds
        self.idle += seconds
        self.collection.collect_if_idle()


def thrown_away() -> ReferenceType[Ring]:
    """A ring that nobody has any more, and that was looked at once, as after many others."""
    ring = Ring()
    gc.collect(1)
    return ref(ring)


def _collects_nothing_while_typing() -> None:
    person = Person()
    ring = thrown_away()
    person.waits(0.5)
    assert ring() is not None


def _collects_new_garbage_in_a_pause() -> None:
    person = Person()
    ring = thrown_away()
    person.waits(5.0)
    assert ring() is None


def _collects_old_garbage_seldom() -> None:
    person = Person()
    kept = Ring()
    ring = ref(kept)
    gc.collect(1)
    person.waits(5.0)
    del kept
    person.waits(120.0)
    assert ring() is not None
    person.waits(900.0)
    assert ring() is None


def _collects_unmounted_turns_in_a_pause() -> None:
    person = Person()
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


def _collects_many_unmounted_turns_at_once() -> None:
    person = Person()
    ring = thrown_away()
    person.collection.expect_garbage(40)
    person.waits(0.1)
    assert ring() is None


def _restores_thresholds() -> None:
    before = (700, 10, 10)
    gc.set_threshold(*before)
    collection = IdleGarbageCollector(lambda: 0.0)
    collection.begin()
    assert gc.get_threshold() != before
    collection.end()
    assert gc.get_threshold() == before


def test_nothing_is_collected_while_somebody_types(in_process: InProcess) -> None:
    in_process(_collects_nothing_while_typing)


def test_new_garbage_is_collected_in_a_pause(in_process: InProcess) -> None:
    in_process(_collects_new_garbage_in_a_pause)


def test_old_garbage_is_collected_in_a_long_pause_and_seldom(in_process: InProcess) -> None:
    in_process(_collects_old_garbage_seldom)


def test_unmounted_turns_are_collected_in_a_pause(in_process: InProcess) -> None:
    in_process(_collects_unmounted_turns_in_a_pause)


def test_many_unmounted_turns_are_collected_without_a_pause(in_process: InProcess) -> None:
    in_process(_collects_many_unmounted_turns_at_once)


def test_the_interpreter_takes_over_again_at_the_end(in_process: InProcess) -> None:
    in_process(_restores_thresholds)
