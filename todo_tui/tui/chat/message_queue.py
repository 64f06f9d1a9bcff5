"""Queue of messages that wait for the end of the running turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from todo_tui.tui.chat.pane import ChatPane, QueueChange
from todo_tui.tui.chat.slash_commands import escape_message


@dataclass(eq=False)
class MessageQueue:
    """Messages that wait to be sent, the next one first; the pane's activity line shows them.

    `changed` is called after each change.
    """

    pane: ChatPane
    changed: Callable[[], None]
    _texts: deque[str] = field(default_factory=deque)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, text: str) -> None:
        """Add a message at the end."""
        self._texts.append(text)
        self._show()

    def take_next(self) -> str:
        """Remove the next message and return it; IndexError if there is none."""
        text = self._texts.popleft()
        self._show()
        return text

    def edit_last(self) -> None:
        """Move the message added last back to the composer."""
        if self._texts:
            self.change(QueueChange.EDIT, len(self._texts) - 1)

    def change(self, change: QueueChange, place: int) -> None:
        """Change the message at that place."""
        text = self._texts[place]
        del self._texts[place]
        match change:
            case QueueChange.EDIT:
                self.pane.composer.put_back(escape_message(text))
            case QueueChange.SEND_FIRST:
                self._texts.appendleft(text)
        self._show()

    def return_all(self) -> None:
        """Move all messages to the composer: after a failure none is sent without the user."""
        text = "\n".join(self._texts)
        self._texts.clear()
        if text:
            self.pane.composer.put_back(escape_message(text))
        self._show()

    def _show(self) -> None:
        self.pane.activity.queued = tuple(self._texts)
        self.pane.composer.has_queued = bool(self._texts)
        self.changed()
