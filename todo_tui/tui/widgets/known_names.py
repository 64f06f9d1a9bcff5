"""The projects, tags and views that there are, for whoever completes or doubts a name."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from todo_tui.domain.errors import StoreError
from todo_tui.domain.filter_names import FilterNames

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.workspace import Store

_log = logging.getLogger(__name__)


class KnownNames:
    """Read when a box opens, in a thread; until then nothing is known or doubted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.names = FilterNames()

    async def refresh(self) -> None:
        """Read them anew; where that fails, what was known stays."""
        try:
            self.names = await asyncio.to_thread(self._store.filter_names)
        except StoreError:
            _log.warning("the names for completion cannot be read", exc_info=True)
