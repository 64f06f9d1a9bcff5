"""How the time that something takes grows with its input."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST = 6.0
"""Times the time that four times the input may take."""
_NOISE = 0.003
"""Seconds: what takes less is not weighed."""
_TRIES = 3


def seconds(work: Callable[[str], object], text: str, tries: int = _TRIES) -> float:
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
    lengths: tuple[int, ...] = (10_000, 40_000, 160_000),
) -> str:
    """Say where four times the input takes too much more time; empty where it never does."""
    before = seconds(work, text_of(lengths[0]))
    for shorter, length in zip(lengths, lengths[1:], strict=False):
        text = text_of(length)
        allowed = max(before, _NOISE) * MOST * (length / shorter / 4)
        # Only what seems too slow is tried again: that may have been somebody else.
        took = seconds(work, text, tries=1)
        if took > allowed:
            took = min(took, seconds(work, text))
        if took > allowed:
            return f"{before * 1000:.1f} ms for {shorter:,}, {took * 1000:.1f} ms for {length:,}"
        before = took
    return ""
