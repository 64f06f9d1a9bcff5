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
"""Between two looks whether somebody types."""
_IDLE_SECONDS = 3.0
_GENERATION_0_THRESHOLD, _GENERATION_1_THRESHOLD = 5_000, 20
_NEVER = 1_000_000
"""Collections of the middle generation until all objects are looked at by themselves."""
_FULL_COLLECTION_SECONDS = 15 * 60.0
_LONG_IDLE_SECONDS = 60.0
_PAUSES_AFTER = {40: 0.0, 20: 0.2, 10: _IDLE_SECONDS}
"""How long a pause to wait for once so many turns were unmounted.

Each leaves 2,500 objects in rings, which only a full collection finds; one takes 0.2 to
0.4 s. Without it 300 turns sent one after the other took 305 MB instead of 145.
"""
_P = ParamSpec("_P")
_T = TypeVar("_T")
_SWITCH_INTERVAL_SECONDS = 0.001
"""How long a thread may hold up each step of the screen; the interpreter lets it for 5 ms."""
_AGENT_LOOP_MODULE = "todo_tui.agent.loop"
_MAX_WAIT_SECONDS = 0.02
"""Seconds."""


class IdleGarbageCollector:
    """Looks at what is new in a pause between keys, and seldom, in a long one, at all there is.

    `idle` tells for how many seconds no key was pressed. Interpreters collect when a number
    of objects was made, which is in the middle of painting, and the full collection takes
    as long as several frames. What survives a look is left out of the next one; what of it
    becomes garbage later is found by the thorough look.
    """

    def __init__(
        self, idle: Callable[[], float], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._idle = idle
        self._monotonic = monotonic
        self._thorough_at = 0.0
        self._unmounted = 0
        self._thresholds: tuple[int, int, int] | None = None

    def begin(self) -> None:
        """Take over from the interpreter: what lives now lives long."""
        gc.freeze()
        self._thorough_at = self._monotonic()
        self._thresholds = gc.get_threshold()
        gc.set_threshold(_GENERATION_0_THRESHOLD, _GENERATION_1_THRESHOLD, _NEVER)
        # The command line starts with collections off, which would look at every import.
        gc.enable()

    def end(self) -> None:
        """Leave it to the interpreter again."""
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            self._thresholds = None

    def expect_garbage(self, turns: int) -> None:
        """Take note that so many turns were unmounted, which were left out of looks so far."""
        self._unmounted += turns

    def look(self) -> None:
        """Collect if nobody types and there may be garbage."""
        idle, now = self._idle(), self._monotonic()
        due = [pause for turns, pause in _PAUSES_AFTER.items() if self._unmounted >= turns]
        if idle < min(due, default=_IDLE_SECONDS) or not gc.isenabled():
            return
        is_thorough = bool(due) or (
            idle >= _LONG_IDLE_SECONDS and now - self._thorough_at >= _FULL_COLLECTION_SECONDS
        )
        if is_thorough:
            self._thorough_at = now
            self._unmounted = 0
            gc.unfreeze()
        _, middle, old = gc.get_count()
        if is_thorough or middle or old:
            gc.collect()
            gc.freeze()


class LazyCoroutine(Generic[_P, _T]):
    """Makes its coroutine when it is awaited.

    A coroutine that is made at once and never awaited, since another worker of its
    group took its place in the same moment, would complain when it is thrown away.
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
        """Begin, and wait for the end."""
        coroutine = self._begin(*self._args, **self._kwargs)
        return (yield from coroutine.__await__())


class _ReaderCount:
    """Counts who reads: what is changed for all threads changes with the first, until the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._usual_turn = 0.0
        self._was_collecting = False

    def come(self) -> None:
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._usual_turn = sys.getswitchinterval()
                self._was_collecting = gc.isenabled()
                sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
                gc.disable()

    def go(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count:
                return
            sys.setswitchinterval(self._usual_turn)
            if self._was_collecting:
                gc.freeze()
                gc.enable()


_readers = _ReaderCount()


@contextmanager
def long_read() -> Iterator[None]:
    """Take short turns beside other threads, and let no garbage be collected; from any thread.

    A list of a hundred thousand rows sets off several collections, each of which looks at
    all rows and holds up every thread; and the rows are no garbage, neither now nor later:
    as they are in no circle, they go when the list lets go of them.
    """
    _readers.come()
    try:
        yield
    finally:
        _readers.go()


@contextmanager
def yielding_imports(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Import something large in this thread, and let the event loop go first.

    No garbage is collected meanwhile, of which importing makes none: a collection looks
    at every object there is, and the whole process stands still. What was loaded stays
    out of later ones.
    """
    courtesy, collecting = _YieldingFinder(loop), gc.isenabled()
    gc.disable()
    sys.meta_path.insert(0, courtesy)
    try:
        yield
    finally:
        sys.meta_path.remove(courtesy)
        if collecting:
            gc.freeze()
            gc.enable()


def preload_agent(loop: asyncio.AbstractEventLoop, sockets: Sequence[Callable[[], None]]) -> None:
    """Load the loop, the tools and the `sockets` of who has a key; blocks.

    A switch to another model then waits for little but its SDK. Nothing that takes much
    memory comes with the loop: who only looks at the list has no use for it.
    """
    with yielding_imports(loop):
        importlib.import_module(_AGENT_LOOP_MODULE)
        for load_sockets in sockets:
            load_sockets()


def preload_turn(desk: RunConfig) -> None:
    """Load now what the first turn would import while the screen waits for it; blocks."""
    importlib.import_module(_AGENT_LOOP_MODULE)
    for tool in desk.tools:
        # Its schema is built once.
        assert tool.spec  # noqa: S101


class _YieldingFinder:
    """Finds no module, but before each import of its thread lets the event loop finish its step.

    Two threads that both have work take turns of milliseconds, so that a drawing of the
    screen would take twice as long while an SDK is imported.
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
        """Wait, if the loop was interrupted, until it has nothing to do."""
        if threading.get_ident() != self._thread or self._loop_rests():
            return
        if not self._caught_up.is_set():
            # It stands still, perhaps until a module is there that is being imported here.
            return
        self._caught_up.clear()
        with suppress(RuntimeError):  # the loop is closed: the app was left
            self._loop.call_soon_threadsafe(self._caught_up.set)
            self._caught_up.wait(_MAX_WAIT_SECONDS)

    def _loop_rests(self) -> bool:
        """Whether it waits for something to happen."""
        frame = sys._current_frames().get(self._loop_thread)
        return frame is None or frame.f_globals.get("__name__") == "selectors"
