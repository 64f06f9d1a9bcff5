"""How the work that something takes grows with its input."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import FrameType
from typing import Self

MOST = 6.0
"""Times the calls that four times the input may take."""
_FEW = 100
"""Calls that any text may take."""


class CallCounter:
    """Counts the functions that this thread and those that it starts call.

    The count is the same on a busy machine.
    """

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Self:
        self._before = sys.getprofile()
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)
        threading.setprofile(self._before)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        self.count += event in ("call", "c_call")


def seconds_of_work() -> float:
    """Return the time by a clock that goes on with each call that is counted, a million a second.

    In place of the machine's it lets what pauses by a clock do the same work on a busy one.
    """
    counter = getattr(sys.getprofile(), "__self__", None)
    return counter.count / 1_000_000 if isinstance(counter, CallCounter) else 0.0


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions the work calls."""
    with CallCounter() as calls:
        work()
    return calls.count


def too_steep(
    work: Callable[[str], object],
    text_of: Callable[[int], str],
    lengths: tuple[int, ...] = (500, 2_000, 8_000),
) -> str:
    """Say where more text takes too many more calls; empty where it never does."""
    work(text_of(lengths[0]))  # what is compiled and imported once
    for shorter, longer in pairwise(lengths):
        before, after = (count_calls(partial(work, text_of(each))) for each in (shorter, longer))
        if after > max(before, _FEW) * MOST * longer / shorter / 4:
            return f"{before:,} calls for {shorter:,}, {after:,} for {longer:,}"
    return ""
