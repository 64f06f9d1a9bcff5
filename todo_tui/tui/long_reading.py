"""Reading a long list in a thread, with the screen going first."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TURN_SECONDS = 0.001
"""How long a thread may hold up each step of the screen; the interpreter lets it for 5 ms."""


class _Readers:
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
                sys.setswitchinterval(_TURN_SECONDS)
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


_readers = _Readers()


@contextmanager
def long_reading() -> Iterator[None]:
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
