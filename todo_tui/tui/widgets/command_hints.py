"""What a command that is being typed could become, in a box above the composer."""

from __future__ import annotations

from pathlib import Path

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.tui.command_hints import Hint
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.cell_text import fit, steady

_WIDEST, _ABOUT = 44, 20


class CommandHints(Widget):
    """Lies over the conversation, so that nothing moves; the first line is what Tab takes."""

    # Mounted with the first slash, so it is not part of the style sheets of the first frame.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False

    hints: reactive[tuple[Hint, ...]] = reactive((), layout=True)

    def __init__(self) -> None:
        super().__init__()
        self.border_subtitle = "Tab complete · Enter do it · // sends a slash"

    def stand_on(self, height: int) -> None:
        """Leave that many lines free below, for the composer."""
        self.styles.margin = (0, 1, height, 1)

    def watch_hints(self, hints: tuple[Hint, ...]) -> None:
        """Without hints there is no box."""
        self.display = bool(hints)

    def render(self) -> Content:
        """What the line would be, and what it does."""
        width = self.content_size.width
        longest = max((len(hint.text) for hint in self.hints), default=0)
        column = min(longest + 2, _WIDEST, max(width - _ABOUT, 12))
        lines = []
        for place, hint in enumerate(self.hints):
            text = fit(steady(hint.text), column)
            line = Content.assemble((text, "bold" if place == 0 else ""), (hint.about, MUTED))
            lines.append(line.truncate(width, ellipsis=True))
        return Content("\n").join(lines)
