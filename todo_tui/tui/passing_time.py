"""What time alone changes in the list: tasks become late, or their start comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.results import TaskCounts

FIRST_LOOK_SECONDS, LOOK_SECONDS = 3.0, 60.0
_AT_THE_LATEST_SECONDS = 900.0
"""A task can become late in the minute in which another one that was late is done."""


class PassingTime:
    """Has tasks counted each minute: to read a long list for nothing takes half a second."""

    def __init__(
        self, count: Callable[[], TaskCounts], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._monotonic = monotonic
        self._counts: TaskCounts | None = None
        self._told_at = monotonic()

    def has_changed_the_list(self) -> bool:
        """Whether the list is to be read anew since this was last asked; from any thread.

        The first answer is no: what there was to see then is known from then on.

        Raises:
            StoreError: the file cannot be read.
        """
        before, self._counts = self._counts, self._count()
        is_late = self._monotonic() - self._told_at >= _AT_THE_LATEST_SECONDS
        if before is None or (self._counts == before and not is_late):
            return False
        self._told_at = self._monotonic()
        return True
