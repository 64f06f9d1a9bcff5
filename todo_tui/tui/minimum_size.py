"""Replacement of the screen by a notice in terminals below the minimum size."""

from __future__ import annotations

import textwrap

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.geometry import Size
from textual.screen import Screen

MINIMUM = Size(30, 8)
"""Smallest columns and lines in which every screen is usable."""


class TooSmallNotice(CompositorUpdate):
    """Notice that is drawn on a terminal of any size."""

    def __init__(self, size: Size) -> None:
        text = f"Terminal too small: {size.width}×{size.height}, needs {MINIMUM.width}×"
        lines = textwrap.wrap(f"{text}{MINIMUM.height}", max(size.width, 1))
        self._lines = lines[: size.height]
        self._top = (size.height - len(self._lines)) // 2
        self._width = size.width

    def render_segments(self, console: Console) -> str:
        """Clear the terminal and position each line."""
        written = "\x1b[0m\x1b[2J"
        for row, line in enumerate(self._lines, self._top + 1):
            column = (self._width - len(line)) // 2 + 1
            written += f"\x1b[{row};{column}H{line}"
        return written

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines for a recording."""
        for line in self._lines:
            yield Segment(line + "\n")


class MinimumSizeApp(App[None]):
    """Shows a notice instead of the screens below the minimum size.

    Screens keep the minimum size, with their focus and text, and are not drawn. Keys still arrive;
    the mouse has nothing to point at.
    """

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._terminal: Size | None = None
        """Real size, once it is known."""
        self._notified: Size | None = None
        """Size for which the notice was drawn."""

    @property
    def is_too_small(self) -> bool:
        """True if the notice replaces all screens."""
        return self._terminal is not None and self._terminal != _at_least_minimum(self._terminal)

    @property
    def size(self) -> Size:
        """Size in which screens are laid out."""
        return _at_least_minimum(super().size)

    async def on_event(self, event: events.Event) -> None:
        """Pass on a resize with at least the minimum size."""
        if isinstance(event, events.Resize):
            event = self._bounded(event)
        elif isinstance(event, events.MouseEvent) and self.is_too_small:
            return
        await super().on_event(event)

    def _bounded(self, event: events.Resize) -> events.Resize:
        was_too_small, self._terminal = self.is_too_small, event.size
        if was_too_small or self.is_too_small:
            # Redraw everything, although the screens may keep their size.
            self._size = None
            self._notified = None
        size = _at_least_minimum(event.size)
        return event if size == event.size else events.Resize(size, size)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if renderable is not None and self._terminal is not None and self.is_too_small:
            renderable = None if self._notified == self._terminal else self._notice(self._terminal)
        super()._display(screen, renderable)

    def _notice(self, terminal: Size) -> TooSmallNotice | None:
        if self._batch_count:
            # It would not be drawn.
            return None
        self._notified = terminal
        return TooSmallNotice(terminal)


def _at_least_minimum(size: Size) -> Size:
    return Size(max(size.width, MINIMUM.width), max(size.height, MINIMUM.height))
