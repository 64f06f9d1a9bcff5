"""The line above the conversation: what it is called."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED


class ConversationTitle(Widget):
    """Always one row, so that nothing moves when there is a title."""

    title: reactive[str] = reactive("")

    def render(self) -> Content:
        """The title, as much as fits."""
        title = Content.styled(plain_line(self.title), MUTED)
        return title.truncate(self.content_size.width, ellipsis=True)
