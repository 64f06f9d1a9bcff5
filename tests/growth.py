"""How the time that something takes grows with its input."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

MOST = 6.0
"""Times the time that four times the input may take."""
_NOISE = 0.002
"""Seconds: what takes less is not weighed."""


def seconds(work: Callable[[str], object], text: str, tries: int = 1) -> float:
    """CPU seconds of this thread, at best."""
    best = float("inf")
    for _ in range(tries):
        began = time.thread_time()
        work(text)
        best = min(best, time.thread_time() - began)
    return best


def too_steep(
    work: Callable[[str], object],
    text_of: Callable[[int], str],
    lengths: tuple[int, ...] = (2_500, 10_000, 40_000, 160_000),
) -> str:
    """Say where more text takes too much more time; empty where it never does."""
    for shorter, longer in pairwise(lengths):
        texts = text_of(shorter), text_of(longer)
        # Only what seems too slow is tried again: that may have been somebody else.
        for tries in (1, 2, 4):
            before, took = (seconds(work, text, tries) for text in texts)
            if took <= max(before, _NOISE) * MOST * longer / shorter / 4:
                break
        else:
            return f"{before * 1000:.1f} ms for {shorter:,}, {took * 1000:.1f} ms for {longer:,}"
    return ""
