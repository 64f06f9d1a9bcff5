"""Messages that were written while a turn ran, in the order in which they will be sent."""

from __future__ import annotations

from collections import deque

from todo_tui.tui.slash_commands import as_typed
from todo_tui.tui.widgets.chat_pane import ChatPane


class Outbox:
    """First in, first out; the last one in can be taken back. The chat pane shows it."""

    def __init__(self, chat: ChatPane) -> None:
        self._chat = chat
        self._texts: deque[str] = deque()

    def put(self, text: str) -> None:
        """Line up behind the others."""
        self._texts.append(text)
        self._show()

    def next(self) -> str | None:
        """Remove and return the one that waited longest."""
        text = self._texts.popleft() if self._texts else None
        self._show()
        return text

    def take_back(self) -> None:
        """Return the one that was written last to the composer."""
        if self._texts:
            self._chat.composer.put_back(as_typed(self._texts.pop()))
            self._show()

    def take_all_back(self) -> None:
        """Return all to the composer as one text, a line break between them.

        What waited for a turn that did not finish is not sent behind the person's back.
        """
        text = "\n".join(self._texts)
        self._texts.clear()
        if text:
            self._chat.composer.put_back(as_typed(text))
        self._show()

    def _show(self) -> None:
        self._chat.activity.queued = tuple(self._texts)
        self._chat.composer.something_queued = bool(self._texts)
