"""Title line of the conversation on screen, and the commands on the whole of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from textual import work
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.errors import NotFound, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.chat.outbox import Outbox
from todo_tui.tui.chat.session import ChatSession
from todo_tui.tui.chat.slash_commands import CommandRefused
from todo_tui.tui.errors import show_error, shows_errors
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import MUTED

_log = logging.getLogger(__name__)


class ConversationTitle(Widget):
    """Title line, with the commands on the conversation: rename, pin, export.

    Always one row, so that nothing moves when a title appears.
    """

    title: reactive[str] = reactive("")

    class Deleted(Message):
        """Posted when the conversation is not in the store any more."""

    def __init__(self, services: AppServices, session: ChatSession, outbox: Outbox) -> None:
        super().__init__()
        self._services = services
        self._session = session
        self._outbox = outbox

    def render(self) -> Content:
        """Draw the title, clipped."""
        title = Content.styled(plain_line(self.title), MUTED)
        return title.truncate(self.content_size.width, ellipsis=True)

    async def read(self, conversation_id: str) -> str:
        """Return the stored title of a conversation."""
        get = self._services.store.conversations.get
        return (await asyncio.to_thread(get, conversation_id)).title

    @shows_errors
    async def reload(self) -> None:
        """Show the title again after a change of it; Deleted is posted if it was deleted."""
        if self._session.conversation_id is None:
            return
        try:
            self.title = await self.read(self._session.conversation_id)
        except NotFound:
            if not self._session.busy:
                self.post_message(self.Deleted())

    @work(group="title")
    async def load(
        self, load: Callable[[str], Awaitable[str | None]], conversation_id: str
    ) -> None:
        """Show the title of a conversation once it is loaded; on failure the old one stays."""
        try:
            title = await load(conversation_id)
        except TodoError as error:
            _log.warning("the title of a conversation is missing: %s", error.message)
            return
        if title and conversation_id == self._session.conversation_id:
            self.title = title

    def rename(self, title: str = "") -> None:
        """Rename the conversation; without a title, begin the command in the composer."""
        if title:
            self._run_command("rename", title)
        else:
            self._outbox.replace_text(f"/rename {plain_line(self.title)}")

    def toggle_pin(self) -> None:
        """Pin the conversation, or no longer."""
        self._run_command("pin")

    def export(self, target: str = "") -> None:
        """Write the conversation as Markdown to a new file, in the current folder by default."""
        self._run_command("export", target)

    @work(group="conversation command")
    async def _run_command(self, name: str, argument: str = "") -> None:
        conversation_id = self._session.conversation_id
        if conversation_id is None:
            return
        try:
            done = await self._perform(conversation_id, name, argument)
        except TodoError as error:
            if argument:
                self.post_message(CommandRefused(f"/{name} {argument}"))
            show_error(self.app, error)
            return
        if name == "rename":
            await self.reload()
        self.app.notify(done)

    async def _perform(self, conversation_id: str, name: str, argument: str) -> str:
        """Run `rename` with a title, `pin`, or `export` with a path or none.

        Returns what it did, or raises TodoError.
        """
        services = self._services
        conversations, write = services.store.conversations, services.writer.run
        if name == "rename":
            renamed = await write(conversations.rename, conversation_id, argument)
            return f"Renamed to “{plain_line(renamed.title)}”."
        conversation = await asyncio.to_thread(conversations.get, conversation_id)
        if name == "pin":
            await write(conversations.set_pinned, conversation_id, not conversation.pinned)
            return "Conversation unpinned." if conversation.pinned else "Conversation pinned."
        from todo_tui.store.conversations.export import export_to_file  # by a command, few times

        path = await asyncio.to_thread(
            export_to_file, services.store, conversation, services.model_label, argument
        )
        return f"Exported to {path}."
