"""What went wrong in a turn, or keeps it waiting: cause, next step, keys."""

from __future__ import annotations

import math

from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.events import Retrying, TurnError
from todo_tui.domain.text import plain_line
from todo_tui.tui.widgets.excerpt import excerpt
from todo_tui.tui.widgets.key_words import key_words

_CHARACTERS, _LINES = 2_000, 20
"""Of what a server says went wrong."""


class Trouble(Static):
    """A turn that did not finish; `keys` are words such as `Ctrl+R retry`."""

    def __init__(self, error: TurnError, *, keys: tuple[str, ...] = ()) -> None:
        self._error = error
        self._keys = keys
        super().__init__(self._content(), markup=False)

    def offer(self, keys: tuple[str, ...]) -> None:
        """Other keys help now; () when another turn has begun."""
        if keys != self._keys:
            self._keys = keys
            self.update(self._content())

    def _content(self) -> Content:
        lines = [Content.styled(f"✗ {_cut(self._error.message)}", "$text-error")]
        if self._error.hint:
            lines.append(Content(_cut(self._error.hint)))
        if self._keys:
            lines.append(key_words(self._keys))
        return Content("\n").join(lines)


class RetryLine(Static):
    """The same request goes out again soon; counts the seconds down and says why."""

    def __init__(self, event: Retrying, keys: tuple[str, ...]) -> None:
        self._event = event
        self._keys = keys
        super().__init__(self._content(event.seconds), markup=False)

    def count_down(self, seconds_passed: float) -> None:
        """Redraw what is left of the wait, in place."""
        left = max(self._event.seconds - seconds_passed, 0.0)
        self.update(self._content(left), layout=False)

    def _content(self, seconds: float) -> Content:
        event = self._event
        tries = f"({event.attempt} of {event.attempts})"
        reason = plain_line(_cut(event.reason)).rstrip(".")
        return Content.assemble(
            ("◆ ", "$text-warning"),
            f"{reason}. Trying again in {math.ceil(seconds):>2} s {tries}",
            "\n",
            key_words(self._keys),
        )


def _cut(text: str) -> str:
    return excerpt(text, characters=_CHARACTERS, lines=_LINES).lines
