"""The left half: a place for the conversation, what goes on, the composer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from todo_tui.tui.widgets.activity_line import ActivityLine
from todo_tui.tui.widgets.composer import Composer
from todo_tui.tui.widgets.conversation_title import ConversationTitle


class ChatPane(Vertical):
    """Arranges its parts. The conversation is put into its place after the first frame."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.title = ConversationTitle()
        self.place = Vertical(id="conversation")
        self.activity = ActivityLine()
        self.composer = Composer(id="composer")

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield self.title
        yield self.place
        yield self.activity
        yield self.composer
