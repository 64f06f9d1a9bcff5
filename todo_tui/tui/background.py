"""Background work that does not delay keys.

Deferred coroutines, imports in threads, garbage collection when idle.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from todo_tui.agent.config import RunConfig

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
0.4 s. Without it 300 turns in a row took 305 MB instead of 145.
"""
_P = ParamSpec("_P")
_T = TypeVar("_T")
_SWITCH_INTERVAL_SECONDS = 0.001
"""Switch interval during a long read; the default of 5 ms delays each drawing step."""
_AGENT_LOOP_MODULE = "todo_tui.agent.loop"
_MAX_WAIT_SECONDS = 0.02
"""Longest wait for the event loop, in seconds."""


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


class _ReaderCount:
    """Counts long reads: the first changes the interpreter's settings, the last restores them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._usual_interval = 0.0
        self._was_collecting = False

    def enter(self) -> None:
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._usual_interval = sys.getswitchinterval()
                self._was_collecting = gc.isenabled()
                sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
                gc.disable()

    def leave(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count:
                return
            sys.setswitchinterval(self._usual_interval)
            if self._was_collecting:
                gc.freeze()
                gc.enable()


_reader_count = _ReaderCount()


@contextmanager
def long_read() -> Iterator[None]:
    """Shorten the thread switch interval and pause garbage collection; thread-safe.

    Reading 100,000 rows triggers several collections, each of which visits all rows and stops every
    thread. The rows are not garbage: being in no cycle, they are freed by reference count.
    """
    _reader_count.enter()
    try:
        yield
    finally:
        _reader_count.leave()


@contextmanager
def yielding_imports(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Import something large in this thread while the event loop has precedence.

    Garbage collection is paused: a collection stops the whole process, and imports leave next to no
    garbage. The loaded objects are frozen.
    """
    finder, collecting = _YieldingFinder(loop), gc.isenabled()
    gc.disable()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if collecting:
            gc.freeze()
            gc.enable()


def preload_agent(loop: asyncio.AbstractEventLoop, sockets: Sequence[Callable[[], None]]) -> None:
    """Import the agent loop, the tools and the transports in `sockets`; blocks.

    Switching to another model then only has to load its SDK.
    """
    with yielding_imports(loop):
        importlib.import_module(_AGENT_LOOP_MODULE)
        for load_sockets in sockets:
            load_sockets()


def preload_turn(config: RunConfig) -> None:
    """Import what the first turn needs and build the tool schemas; blocks."""
    importlib.import_module(_AGENT_LOOP_MODULE)
    for tool in config.tools:
        # Its schema is built once.
        assert tool.spec  # noqa: S101


class _YieldingFinder:
    """Meta path finder that finds nothing, but lets the event loop run before each import.

    Two busy threads alternate every few milliseconds, so a drawing of the screen would take twice
    as long while an SDK is imported.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread = threading.get_ident()
        self._loop_thread = threading.main_thread().ident or 0
        self._caught_up = threading.Event()
        self._caught_up.set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Wait until the event loop is idle, if it was interrupted."""
        if threading.get_ident() != self._thread or self._is_loop_idle():
            return
        if not self._caught_up.is_set():
            # The loop is blocked, perhaps by the lock of a module that is imported here.
            return
        self._caught_up.clear()
        with suppress(RuntimeError):  # the loop is closed: the app has exited
            self._loop.call_soon_threadsafe(self._caught_up.set)
            self._caught_up.wait(_MAX_WAIT_SECONDS)

    def _is_loop_idle(self) -> bool:
        frame = sys._current_frames().get(self._loop_thread)
        return frame is None or frame.f_globals.get("__name__") == "selectors"
