"""How the work that something takes grows with its input."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from types import FrameType
from typing import Self

import pytest

MOST = 6.0
"""Times the time that four times the input may take."""
_NOISE = 0.002
"""Seconds: what takes less is not weighed."""
_BUSY = 1.5
"""Processes that want each processor; the tests themselves are one for each."""


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


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions the work calls."""
    with CallCounter() as calls:
        work()
    return calls.count


def seconds(work: Callable[[str], object], text: str, tries: int = 1) -> float:
    """CPU seconds of this thread, at best."""
    best = float("inf")
    for _ in range(tries):
        began = time.thread_time()
        work(text)
        best = min(best, time.thread_time() - began)
    return best


def skip_if_busy() -> None:
    """Skip the test where other work may be the reason of what seems too slow."""
    if os.getloadavg()[0] > _BUSY * (os.cpu_count() or 1):
        pytest.skip("the machine is too busy to measure")


def too_steep(
    work: Callable[[str], object],
    text_of: Callable[[int], str],
    lengths: tuple[int, ...] = (2_500, 10_000, 40_000, 160_000),
) -> str:
    """Say where more text takes too much more time; empty where it never does.

    What seems too steep on a machine with other work to do proves nothing: the test is skipped.
    """
    for shorter, longer in pairwise(lengths):
        texts = text_of(shorter), text_of(longer)
        # Only what seems too slow is tried again: that may have been somebody else.
        for tries in (1, 2, 4):
            before, took = (seconds(work, text, tries) for text in texts)
            if took <= max(before, _NOISE) * MOST * longer / shorter / 4:
                break
        else:
            skip_if_busy()
            return f"{before * 1000:.1f} ms for {shorter:,}, {took * 1000:.1f} ms for {longer:,}"
    return ""
