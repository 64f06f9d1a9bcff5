"""Loading what is large in a thread, so that the screen goes on meanwhile."""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.agent.desk import Desk

_LOOP = "todo_tui.agent.loop"
_LONGEST_WAIT = 0.02
"""Seconds."""


@contextmanager
def loading(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Import something large in this thread, and let the event loop go first.

    No garbage is collected meanwhile, of which importing makes none: a collection looks
    at every object there is, and the whole process stands still. What was loaded stays
    out of later ones.
    """
    courtesy, collecting = _Courtesy(loop), gc.isenabled()
    gc.disable()
    sys.meta_path.insert(0, courtesy)
    try:
        yield
    finally:
        sys.meta_path.remove(courtesy)
        if collecting:
            gc.freeze()
            gc.enable()


def load_what_all_turns_need(
    loop: asyncio.AbstractEventLoop, sockets: Sequence[Callable[[], None]]
) -> None:
    """Load the loop, the tools and the `sockets` of who has a key; blocks.

    A switch to another model then waits for little but its SDK. Nothing that takes much
    memory comes with the loop: who only looks at the list has no use for it.
    """
    with loading(loop):
        importlib.import_module(_LOOP)
        for load_sockets in sockets:
            load_sockets()


def load_what_turns_need(desk: Desk) -> None:
    """Load now what the first turn would import while the screen waits for it; blocks."""
    importlib.import_module(_LOOP)
    for tool in desk.tools:
        # Its schema is built once.
        assert tool.spec  # noqa: S101


class _Courtesy:
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
            self._caught_up.wait(_LONGEST_WAIT)

    def _loop_rests(self) -> bool:
        """Whether it waits for something to happen."""
        frame = sys._current_frames().get(self._loop_thread)
        return frame is None or frame.f_globals.get("__name__") == "selectors"
