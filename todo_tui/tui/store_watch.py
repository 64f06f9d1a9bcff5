"""Looks whether the store has changed without this process writing, or a new day has begun."""

from __future__ import annotations

from enum import Enum, auto

from todo_tui.domain.errors import StoreError, StoreReplaced
from todo_tui.tui.workbench import Workbench

POLL_SECONDS = 0.5


class Seen(Enum):
    """What a look at the store has shown."""

    NOTHING = auto()
    WRITTEN = auto()
    """Another process wrote."""
    NEW_DAY = auto()
    """Other words are true of the same dates."""


class StoreWatch:
    """Cheap enough to be asked twice a second."""

    def __init__(self, workbench: Workbench) -> None:
        self._store = workbench.store
        self._clock = workbench.clock
        self._today = workbench.clock.now().date()
        self._trouble = ""

    def look(self) -> Seen:
        """What happened since the last look.

        Raises:
            StoreReplaced: the file is not the one that was opened.
            StoreError: the file cannot be read; the same one is told once.
        """
        try:
            written = self._store.poll()
        except StoreReplaced:
            raise
        except StoreError as error:
            if str(error) == self._trouble:
                return Seen.NOTHING
            self._trouble = str(error)
            raise
        today = self._clock.now().date()
        new_day, self._today = today != self._today, today
        if written:
            return Seen.WRITTEN
        return Seen.NEW_DAY if new_day else Seen.NOTHING
