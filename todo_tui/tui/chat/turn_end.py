"""End of a turn that failed or was stopped, and the countdown to its retry, with their keys."""

import math
import time

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from todo_tui.domain import events
from todo_tui.domain.text import plain_line
from todo_tui.tui.chat.answer import excerpt
from todo_tui.tui.widgets.key_bar import format_keys
from todo_tui.tui.widgets.text import spin

_CHARACTERS, _LINES = 2_000, 20
"""Limits on the text of a server's error."""


class TurnEndView(Static):
    """End of a turn that did not finish, or the notice that it runs elsewhere."""

    keys: reactive[tuple[str, ...]] = reactive((), layout=True)
    """Hints such as `Ctrl+R retry`; empty once another turn has started."""

    def __init__(self, text: Content, keys: tuple[str, ...], *, is_error: bool = False) -> None:
        super().__init__(classes="-error" if is_error else "", markup=False)
        self._text = text
        self.set_reactive(TurnEndView.keys, keys)

    def render(self) -> Content:
        """Draw the text and the keys."""
        keys = format_keys(self.keys, self.content_size.width)
        return Content("\n").join([self._text, keys] if self.keys else [self._text])

    def on_resize(self) -> None:
        """Break the line of keys for the new width."""
        self.refresh(layout=True)


class RetryCountdown(Static):
    """Countdown to a retry, with its reason."""

    def __init__(self, event: events.Retrying, keys: tuple[str, ...]) -> None:
        self._event = event
        self._keys = keys
        self._started = time.monotonic()
        super().__init__(markup=False)

    def on_mount(self) -> None:
        """Count down, except with animations off."""
        spin(self, True)

    def render(self) -> Content:
        """Draw the reason, the remaining seconds and the keys."""
        event = self._event
        passed = time.monotonic() - self._started if self.auto_refresh else 0.0
        seconds = max(event.seconds - passed, 0.0)
        tries = f"({event.attempt} of {event.attempts})"
        reason = plain_line(cut_error(event.reason)).rstrip(".")
        return Content.assemble(
            ("◆ ", "$text-warning"),
            f"{reason}. Retrying in {math.ceil(seconds):>2} s {tries}",
            "\n",
            format_keys(self._keys, self.content_size.width),
        )

    def on_resize(self) -> None:
        """Break the line of keys for the new width."""
        self.refresh(layout=True)


def cut_error(text: str) -> str:
    """Return the beginning of a server's error."""
    return excerpt(text, characters=_CHARACTERS, lines=_LINES).lines
