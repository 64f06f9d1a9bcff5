"""Message of the user in the transcript."""

from textual.content import Content
from textual.events import Click
from textual.reactive import reactive
from textual.widgets import Static

from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import USER_MESSAGE
from todo_tui.tui.chat.answer import excerpt
from todo_tui.tui.chat.conversation_part import ConversationPart
from todo_tui.tui.theme import MUTED

_LINES = 30
_CHARACTERS = 4000


class UserMessageView(ActionHost, ConversationPart, Static, can_focus=True):
    """Message of the user below the time at which it was sent."""

    FOCUS_ON_CLICK = False
    noun = "message"
    ACTIONS = USER_MESSAGE

    opened: reactive[bool] = reactive(False, layout=True)
    """True if a long message is shown as far as an answer would be."""

    def __init__(self, text: str, heading: str) -> None:
        super().__init__(classes="user-message", markup=False)
        self._text = text
        self._heading = Content.styled(f"{heading}\n", MUTED)
        self._beginning = excerpt(text, characters=_CHARACTERS, lines=_LINES)

    def render(self) -> Content:
        """Draw the message, or its beginning."""
        if self.opened:
            return self._heading + excerpt(self._text).lines
        if not self._beginning.hidden:
            return self._heading + self._beginning.text
        more = f"\n▸ {self._beginning.hidden:,} more characters"
        return Content.assemble(self._heading, self._beginning.text, (more, "$text-accent"))

    @property
    def can_open(self) -> bool:
        """True if only the beginning is shown at first."""
        return bool(self._beginning.hidden)

    def action_open_or_close(self) -> None:
        """Show all of a long message, or its beginning."""
        self.opened = not self.opened and self.can_open

    def on_click(self, event: Click) -> None:
        """Show all of a long message, unless the click ended a text selection."""
        if self._beginning.hidden and not self.screen.get_selected_text():
            event.stop()
            self.action_open_or_close()

    @property
    def copied_text(self) -> str:
        """Full message as it was sent."""
        return self._text
