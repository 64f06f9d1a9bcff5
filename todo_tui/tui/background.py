"""Background work that does not delay keys.

Deferred coroutines, imports in threads, garbage collection when idle.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager
from typing import Generic, ParamSpec, TypeVar

GC_CHECK_SECONDS = 2.0
"""Interval between checks whether the user is idle."""
_IDLE_SECONDS = 3.0
_GENERATION_0_THRESHOLD, _GENERATION_1_THRESHOLD = 5_000, 20
_GENERATION_2_THRESHOLD = 1_000_000
"""Threshold that keeps the interpreter from running full collections itself."""
_FULL_COLLECTION_SECONDS = 15 * 60.0
_LONG_IDLE_SECONDS = 60.0
_PAUSES_AFTER = {40: 0.0, 20: 0.2, 10: _IDLE_SECONDS}
"""Idle seconds to wait for before a full collection, by number of unmounted turns.

Each turn leaves 2,500 objects in cycles, which only a full collection finds; one takes 0.2 to
0.4 s. Without it 300 turns in a row took 305 MB instead of 145. Left to the interpreter, 160 turns
took 194 MB, and its one full collection, at a time of its choosing, 0.9 s.
"""
_P = ParamSpec("_P")
_T = TypeVar("_T")
_SWITCH_INTERVAL_SECONDS = 0.001
"""Switch interval of low-priority blocks; the default of 5 ms delays each drawing step."""


class IdleGarbageCollector:
    """Collects garbage while the user is idle: often the new objects, seldom all of them.

    `idle` returns the seconds since the last key. The interpreter would collect by object count,
    which happens while painting, and a full collection takes as long as several frames. Survivors
    are frozen; those that become garbage later are found by the full collection.
    """

    def __init__(
        self, idle: Callable[[], float], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._idle = idle
        self._monotonic = monotonic
        self._full_collection_at = 0.0
        self._unmounted = 0
        self._thresholds: tuple[int, int, int] | None = None

    def begin(self) -> None:
        """Freeze the present objects and replace the interpreter's thresholds."""
        gc.freeze()
        self._full_collection_at = self._monotonic()
        self._thresholds = gc.get_threshold()
        gc.set_threshold(_GENERATION_0_THRESHOLD, _GENERATION_1_THRESHOLD, _GENERATION_2_THRESHOLD)
        # The command line starts with collections off, as they would visit every import.
        gc.enable()

    def end(self) -> None:
        """Restore the interpreter's thresholds."""
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            self._thresholds = None

    def expect_garbage(self, turns: int) -> None:
        """Count unmounted turns, whose objects were frozen by earlier collections."""
        self._unmounted += turns

    def collect_if_idle(self) -> None:
        """Collect if the user is idle and there may be garbage."""
        idle, now = self._idle(), self._monotonic()
        due = [pause for turns, pause in _PAUSES_AFTER.items() if self._unmounted >= turns]
        if idle < min(due, default=_IDLE_SECONDS) or not gc.isenabled():
            return
        is_full = bool(due) or (
            idle >= _LONG_IDLE_SECONDS
            and now - self._full_collection_at >= _FULL_COLLECTION_SECONDS
        )
        if is_full:
            self._full_collection_at = now
            self._unmounted = 0
            gc.unfreeze()
        _, middle, old = gc.get_count()
        if is_full or middle or old:
            gc.collect()
            gc.freeze()


class LazyCoroutine(Generic[_P, _T]):
    """Awaitable that creates its coroutine on first await.

    A worker that is cancelled before its first step, because another of its exclusive group was
    started, then raises no "never awaited" warning.
    """

    def __init__(
        self,
        begin: Callable[_P, Coroutine[object, object, _T]],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> None:
        self._begin = begin
        self._args = args
        self._kwargs = kwargs

    def __await__(self) -> Generator[object, object, _T]:
        """Create the coroutine and await it."""
        coroutine = self._begin(*self._args, **self._kwargs)
        return (yield from coroutine.__await__())


class _LowPriority:
    """Counts running blocks; the first and the last one change the interpreter's settings."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._usual_interval = 0.0
        self._was_collecting = False

    def __enter__(self) -> None:
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._usual_interval = sys.getswitchinterval()
                self._was_collecting = gc.isenabled()
                sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
                gc.disable()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count:
                sys.setswitchinterval(self._usual_interval)
                if self._was_collecting:
                    gc.freeze()
                    gc.enable()


_low_priority = _LowPriority()


def low_priority() -> AbstractContextManager[None]:
    """Shorten the thread switch interval and pause garbage collection; thread-safe.

    For imports and long reads in a thread. Both allocate many objects that stay, and every
    collection that this triggers visits all objects and stops every thread. The objects are frozen
    afterwards.
    """
    return _low_priority
