"""Telling a key that is held down from one that is pressed again."""

from __future__ import annotations

from enum import Enum, auto

REPEAT_SECONDS = 0.15
"""Keyboards repeat a held key faster than this, people hardly ever press so fast."""
SETTLED_SECONDS = 0.8
"""Longer than any usual delay between the press and the first repeat."""


class Press(Enum):
    """What to do with one press."""

    ACT = auto()
    """A press of its own."""
    WAIT = auto()
    """A second press, or the first repeat: act if nothing follows within REPEAT_SECONDS."""
    IGNORE = auto()
    """A repeat of a held key."""


class HeldKey:
    """Judges the presses of one key whose mistakes are dear.

    Terminals report no release, so that only time tells: repeats come in quick
    succession, after a delay in which a deliberate second press may come too.
    """

    def __init__(self, *, counts_double_press: bool = False) -> None:
        """Judge one key; with `counts_double_press` the second press may follow at once.

        It waits then like any second press: a third one within REPEAT_SECONDS shows that
        the key is held.
        """
        self._counts_double_press = counts_double_press
        self._presses = 0
        """Presses in a row, none SETTLED_SECONDS after the one before."""
        self._last: float | None = None
        self._waiting = False
        self._waits_since = 0.0

    def press(self, at: float) -> Press:
        """Judge a press at a moment of a monotonic clock, in seconds."""
        since = SETTLED_SECONDS if self._last is None else at - self._last
        self._last = at
        self._waiting = False
        if since >= SETTLED_SECONDS:
            self._presses = 1
            return Press.ACT
        self._presses += 1
        is_double_press = self._counts_double_press and self._presses == 2
        if since < REPEAT_SECONDS and not is_double_press:
            return Press.IGNORE
        self._waiting = True
        self._waits_since = at
        return Press.WAIT

    def confirm(self, at: float) -> Press:
        """Judge the press that was to wait, after it has waited.

        Asked much too late, it waits again: who could not ask in time has not had the
        time to read further presses either.
        """
        if not self._waiting:
            return Press.IGNORE
        if at - self._waits_since > 2 * REPEAT_SECONDS:
            self._waits_since = at
            return Press.WAIT
        self._waiting = False
        return Press.ACT
