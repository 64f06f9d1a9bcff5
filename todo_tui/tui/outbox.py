"""Messages that were written while a turn ran, in the order in which they will be sent."""

from __future__ import annotations

from collections import deque


class Outbox:
    """First in, first out; the last one in can be taken back."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()

    @property
    def texts(self) -> tuple[str, ...]:
        """What waits, the next one first."""
        return tuple(self._texts)

    def put(self, text: str) -> None:
        """Line up behind the others."""
        self._texts.append(text)

    def next(self) -> str | None:
        """Remove and return the one that waited longest."""
        return self._texts.popleft() if self._texts else None

    def take_back(self) -> str | None:
        """Remove and return the one that was written last."""
        return self._texts.pop() if self._texts else None

    def take_all_back(self) -> str:
        """Remove all and return them as one text, a line break between them."""
        text = "\n".join(self._texts)
        self._texts.clear()
        return text
