"""Commands on the conversation on screen: rename, pin, export."""

from __future__ import annotations

import asyncio

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.store.conversations.export import export_to_folder
from todo_tui.tui.services import AppServices


async def run_conversation_command(
    services: AppServices, conversation_id: str, name: str, argument: str = ""
) -> str:
    """Run `rename` with a title, `pin` or `export`; return what it did, or raise TodoError."""
    conversations, write = services.store.conversations, services.writer.run
    if name == "rename":
        renamed = await write(conversations.rename, conversation_id, argument)
        return f"Renamed to “{plain_line(renamed.title)}”."
    conversation = await asyncio.to_thread(conversations.get, conversation_id)
    if name == "pin":
        await write(conversations.set_pinned, conversation_id, not conversation.pinned)
        return "Conversation unpinned." if conversation.pinned else "Conversation pinned."
    try:
        path = await asyncio.to_thread(
            export_to_folder, services.store, conversation, services.model_label
        )
    except OSError as error:
        raise TodoError(f"Cannot write the file: {error.strerror or error}.") from error
    return f"Exported to {path}."
