"""Garbage collection while nobody types: no key waits for a look at every object."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

LOOK_SECONDS = 2.0
"""Between two looks whether somebody types."""
_PAUSE_SECONDS = 3.0
_YOUNG, _MIDDLE = 5_000, 20
_NEVER = 1_000_000
"""Collections of the middle generation until all objects are looked at by themselves."""
_THOROUGH_SECONDS = 15 * 60.0
_LONG_PAUSE_SECONDS = 60.0
_PAUSES_AFTER = {40: 0.0, 20: 0.2, 10: _PAUSE_SECONDS}
"""How long a pause to wait for once so many turns were unmounted.

Each leaves 2,500 objects in rings, which only a full collection finds; one takes 0.2 to
0.4 s. Without it 300 turns sent one after the other took 305 MB instead of 145.
"""


class IdleCollection:
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
        gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
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
        if idle < min(due, default=_PAUSE_SECONDS) or not gc.isenabled():
            return
        is_thorough = bool(due) or (
            idle >= _LONG_PAUSE_SECONDS and now - self._thorough_at >= _THOROUGH_SECONDS
        )
        if is_thorough:
            self._thorough_at = now
            self._unmounted = 0
            gc.unfreeze()
        _, middle, old = gc.get_count()
        if is_thorough or middle or old:
            gc.collect()
            gc.freeze()
