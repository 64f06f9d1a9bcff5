"""Commands on the conversation on screen: rename, pin, export."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.store.conversations.export import export_to_folder
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.controller import ChatController


@dataclass(frozen=True, slots=True)
class ConversationCommands:
    """Commands of one conversation; each tells what it did, or why it could not."""

    chat: ChatController

    def rename(self, title: str = "") -> None:
        """Rename the conversation; without a title, begin the command in the message box."""
        if title:
            self._run(self._rename, title)
        else:
            shown = plain_line(self.chat.pane.title.title)
            self.chat.pane.composer.replace_text(f"/rename {shown}")

    def toggle_pin(self) -> None:
        """Pin the conversation, or no longer."""
        self._run(self._toggle_pin)

    def export(self) -> None:
        """Write the conversation as Markdown to a new file in the current folder."""
        self._run(self._export)

    def _run(self, command: Callable[..., Awaitable[None]], *arguments: str) -> None:
        """Run a command on the conversation on screen in a worker, and show its error."""

        async def run() -> None:
            conversation_id = self.chat.conversation_id
            if conversation_id is None:
                return
            try:
                await command(conversation_id, *arguments)
            except TodoError as error:
                self.chat.show_error(error)
            except OSError as error:
                reason = error.strerror or error
                self.chat.show_error(TodoError(f"Cannot write the file: {reason}."))

        self.chat.screen.run_worker(LazyCoroutine(run), group="conversation command")

    async def _rename(self, conversation_id: str, title: str) -> None:
        rename = self.chat.services.store.conversations.rename
        try:
            renamed = await self.chat.services.writer.run(rename, conversation_id, title)
        except TodoError:
            self.chat.pane.composer.put_back(f"/rename {title}")
            raise
        await self.chat.reload_title()
        self._notify(f"Renamed to “{plain_line(renamed.title)}”.")

    async def _toggle_pin(self, conversation_id: str) -> None:
        conversations = self.chat.services.store.conversations
        present = await asyncio.to_thread(conversations.get, conversation_id)
        write = self.chat.services.writer.run
        await write(conversations.set_pinned, conversation_id, not present.pinned)
        self._notify("Conversation unpinned." if present.pinned else "Conversation pinned.")

    async def _export(self, conversation_id: str) -> None:
        store = self.chat.services.store
        conversation = await asyncio.to_thread(store.conversations.get, conversation_id)
        path = await asyncio.to_thread(export_to_folder, store, conversation, self.chat.model_label)
        self._notify(f"Exported to {path}.")

    def _notify(self, text: str) -> None:
        self.chat.screen.app.notify(text, timeout=4)
