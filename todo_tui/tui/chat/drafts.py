"""Drafts: the unsent text of each conversation, kept over a quit and a kill."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.domain.errors import StoreError

if TYPE_CHECKING:
    from todo_tui.store.store import KeyValueStore

DRAFT = "draft:"
"""Key of a draft, followed by the id of its conversation, which a new one has not got yet."""
_SECONDS_BETWEEN_SAVES = 1.0
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class DraftSaver:
    """Saves the unsent text of the conversation on screen, at most once a second.

    `unsent` returns that text. The database file is private (mode 0600), and drafts are never
    logged. Nothing is saved before the first `follow`, when the saved draft has been read.
    """

    screen: Screen[None]
    memory: KeyValueStore
    unsent: Callable[[], str]
    _key: str = DRAFT
    _saved: str = ""
    _is_followed: bool = False
    _is_due: bool = False
    _has_failed: bool = False
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def follow(self, conversation_id: str | None, read: str, *, takes_text: bool) -> None:
        """Save for that conversation from now on; the text stays with the former one or moves.

        `read` is what has been read of drafts for it, and is in the text already if that moves.
        """
        async with self._lock:
            if not takes_text:
                await self._write(self.unsent())
            old, self._key = self._key, DRAFT + (conversation_id or "")
            old_saved, self._saved = self._saved, "" if takes_text else read
            self._is_followed = True
            if takes_text:
                # Saved in both places for a moment rather than in none.
                await self._write(self.unsent())
                if (old_saved or read) and old != self._key:
                    await self._set(old, "")

    def changed(self) -> None:
        """Save the text soon."""
        if self._is_followed and not self._is_due:
            self._is_due = True
            self.screen.set_timer(_SECONDS_BETWEEN_SAVES, self.save)

    async def save(self) -> None:
        """Save the text now."""
        self._is_due = False
        async with self._lock:
            await self._write(self.unsent())

    async def _write(self, text: str) -> None:
        if self._is_followed and text != self._saved and await self._set(self._key, text):
            self._saved = text

    async def _set(self, key: str, text: str) -> bool:
        try:
            await asyncio.to_thread(self.memory.set, key, text or None)
        except StoreError as error:
            if not self._has_failed:
                self._has_failed = True
                _log.warning("drafts are not saved: %s", error.message)
            return False
        self._has_failed = False
        return True


def read_drafts(memory: KeyValueStore, *conversation_ids: str | None) -> str:
    """Return the saved drafts of these conversations in one text; blocks."""
    found = (memory.get(DRAFT + (each or "")) for each in conversation_ids)
    return "\n".join(filter(None, found))
