"""What a model thinks before it speaks: one quiet line that can be opened and read."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer

from todo_tui.domain.text import plain_text
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.excerpt import excerpt
from todo_tui.tui.widgets.opening_row import INDENT, OpeningRow, duration_words
from todo_tui.tui.widgets.spinner import spinner_frame

LIVE_LINES = 8
"""How much of it is in view while it goes on."""
_TAIL_CHARACTERS = 4000
"""More than those lines can hold in any terminal."""
_MOST_LINES = 400
_DRAW_SECONDS = 0.1


class ThinkingRow(OpeningRow):
    """Keeps what arrives and draws it only where somebody looks.

    While it goes on its height is fixed, closed or opened, so that no word lays the
    conversation out anew.
    """

    live: reactive[bool] = reactive(True, layout=True)
    """Whether the model still thinks."""
    tick: reactive[int] = reactive(0)
    seconds: reactive[float] = reactive(0.0)
    """How long it has been thinking; 0 where nobody knows."""

    def __init__(self, text: str = "", *, live: bool = True) -> None:
        super().__init__()
        self._written = [text] if text else []
        self._tail = text[-_TAIL_CHARACTERS:]
        self._pause: Timer | None = None
        self.set_reactive(ThinkingRow.live, live)
        self.set_class(live, "-live", update=False)

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._written)

    @property
    def can_open(self) -> bool:
        """Once there is something to read."""
        return bool(self._tail.strip())

    def write(self, words: str) -> None:
        """More of it; drawn at once where it is open, and then only so often."""
        was_empty = not self.can_open
        self._written.append(words)
        self._tail = (self._tail + words)[-_TAIL_CHARACTERS:]
        if was_empty and self.can_open:
            self.refresh()
        elif self.opened and self._pause is None:
            self._pause = self.set_timer(_DRAW_SECONDS, self._draw)

    def settle(self, seconds: float) -> None:
        """The model has begun to speak: the line closes, its words stay readable."""
        if self.live:
            self.seconds = seconds
            self.live = False
            self.opened = False

    def watch_live(self, live: bool) -> None:
        """What is over may be as high as it is long."""
        self.set_class(live, "-live")

    def watch_opened(self, opened: bool) -> None:
        """While it goes on it has one of two heights."""
        self.set_class(opened, "-opened")

    def render(self) -> Content:
        """The line, and below it the last words, or all of them when it is over."""
        passed = duration_words(self.seconds * 1000) if self.seconds >= 0.1 else ""
        triangle = ("▾" if self.opened else "▸") if self.can_open else ""
        if self.live:
            sentence = Content.assemble((f" {spinner_frame(self.tick)} ", "$accent"), "Thinking…")
            right = f"{passed} {triangle}".strip()
        else:
            words = f"Thought for {passed}" if passed else "Thought"
            sentence = Content.assemble((" ∴ ", FAINT), words)
            right = triangle
        line = self.line(sentence, right)
        if not self.opened:
            return line
        shown = self._last_lines() if self.live else self._all_lines()
        return Content("\n").join([line, *shown])

    def _draw(self) -> None:
        self._pause = None
        self.refresh()

    def _last_lines(self) -> list[Content]:
        return self.folded(Content.styled(plain_text(self._tail).strip(), MUTED))[-LIVE_LINES:]

    def _all_lines(self) -> list[Content]:
        part = excerpt(self.text.strip(), lines=_MOST_LINES)
        lines = self.folded(Content.styled(part.text, MUTED))
        return [*lines, Content.styled(" " * INDENT + part.note, FAINT)] if part.note else lines
