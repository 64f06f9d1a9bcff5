"""Drafts: the unsent text of each conversation, kept over a quit and a kill."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from todo_tui.domain.errors import StoreBusy, StoreError

if TYPE_CHECKING:
    from todo_tui.store.store import KeyValueStore
    from todo_tui.tui.store_writer import StoreWriter

DRAFT = "draft:"
"""Key of a draft, followed by the id of its conversation, which a new one has not got yet."""
_RETRY_SECONDS = 1.0
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class DraftSaver:
    """Saves the unsent text of the conversation on screen in workers of a widget.

    The database file is private (mode 0600), and drafts are never logged. Nothing is saved before
    the first `follow`, when the saved draft has been read.
    """

    widget: Widget
    app_state: KeyValueStore
    writer: StoreWriter
    unsaved: dict[str, str] = field(default_factory=dict)
    """Texts that are not saved yet, by key, in the order in which they are to be saved."""
    is_followed: bool = False
    _key: str = DRAFT
    _noted: str = ""
    """Text of the conversation on screen that is saved, or unsaved but noted."""
    _has_failed: bool = False
    _saving: Worker[None] | None = None

    def follow(
        self, conversation_id: str | None, read: str, text: str, *, takes_text: bool
    ) -> None:
        """Save for that conversation from now on; the text stays with the former one or moves.

        `read` is what has been read of drafts for it, and is in the text already if that moves.
        """
        if not takes_text:
            self.save(text)
        old, self._key = self._key, DRAFT + (conversation_id or "")
        old_noted, self._noted = self._noted, "" if takes_text else read
        self.is_followed = True
        if takes_text:
            # Saved in both places for a moment rather than in none.
            self.save(text)
            if (old_noted or read) and old != self._key:
                self._put(old, "")

    def save(self, text: str) -> None:
        """Begin to save the text."""
        if self.is_followed and text != self._noted:
            self._noted = text
            self._put(self._key, text)
        elif self.unsaved:
            self._begin()

    async def finish(self) -> str:
        """Wait until all is saved; return the texts that could not be saved."""
        if self._saving is not None and not self._saving.is_finished:
            with suppress(WorkerCancelled, WorkerFailed):
                await self._saving.wait()
        return "\n".join(filter(None, self.unsaved.values()))

    def _put(self, key: str, text: str) -> None:
        self.unsaved.pop(key, None)
        self.unsaved[key] = text
        self._begin()

    def _begin(self) -> None:
        if self._saving is None or self._saving.is_finished:
            self._saving = self.widget.run_worker(self._save_all, group="drafts")

    async def _save_all(self) -> None:
        while self.unsaved:
            key, text = next(iter(self.unsaved.items()))
            try:
                await self.writer.run(self.app_state.set, key, text or None)
            except StoreError as error:
                if not self._has_failed:
                    self._has_failed = True
                    _log.warning("drafts are not saved: %s", error.message)
                if isinstance(error, StoreBusy):
                    self.widget.set_timer(_RETRY_SECONDS, self._begin)
                return
            self._has_failed = False
            if self.unsaved.get(key) == text:
                del self.unsaved[key]


def read_drafts(
    app_state: KeyValueStore,
    *conversation_ids: str | None,
    unsaved: Mapping[str, str] | None = None,
) -> str:
    """Return the drafts of these conversations in one text, `unsaved` ones first; blocks."""
    keys = [DRAFT + (each or "") for each in conversation_ids]
    known = unsaved or {}
    found = (known[key] if key in known else app_state.get(key) for key in keys)
    return "\n".join(filter(None, found))
