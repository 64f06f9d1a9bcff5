"""Background work that does not delay keys: deferred coroutines, imports in threads."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager
from typing import Generic, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_SWITCH_INTERVAL_SECONDS = 0.001
"""Switch interval of low-priority blocks; the default of 5 ms delays each drawing step."""


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
