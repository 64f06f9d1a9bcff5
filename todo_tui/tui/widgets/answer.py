"""A stretch of what the assistant says: Markdown that may still be arriving."""

from __future__ import annotations

from markdown_it import MarkdownIt
from textual import on
from textual.timer import Timer
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownStream

from todo_tui.domain.text import plain_text

_DRAW_SECONDS = 0.07
"""Between two drawings of what has arrived; each lays the transcript out anew."""

_SAFE_LINKS = ("http://", "https://", "mailto:")


class Answer(Markdown):
    """Streams fragments and ends with one full update, which heals half-parsed fences.

    HTML is not parsed, so that tags in an answer are read as the text they are.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(plain_text(text), parser_factory=self._make_parser, open_links=False)
        self._parser: MarkdownIt | None = None
        self._stream: MarkdownStream | None = None
        self._undrawn: list[str] = []
        self._pause: Timer | None = None
        self._written: list[str] = [text] if text else []

    def _make_parser(self) -> MarkdownIt:
        """One parser a widget: building one costs more than most fragments do."""
        if self._parser is None:
            self._parser = MarkdownIt("gfm-like", {"html": False})
        return self._parser

    @property
    def text(self) -> str:
        """Everything said in this stretch so far."""
        return "".join(self._written)

    async def write(self, fragment: str) -> None:
        """Append words as they arrive; drawn at once, then no more often than an eye sees."""
        self._written.append(fragment)
        self._undrawn.append(fragment)
        if self._pause is None:
            await self._draw()

    async def _draw(self) -> None:
        self._pause = None
        if not self._undrawn:
            return
        words = plain_text("".join(self._undrawn))
        self._undrawn = []
        self._pause = self.set_timer(_DRAW_SECONDS, self._draw)
        if self._stream is None:
            self._stream = Markdown.get_stream(self)
        await self._stream.write(words)

    async def settle(self, text: str | None = None) -> None:
        """The stretch is complete: draw it once more as a whole, as `text` where given."""
        if text is not None:
            self._written = [text]
        streamed = await self._stop_streaming()
        if streamed or text is not None:
            await self.update(plain_text(self.text))

    async def start_over(self) -> None:
        """Forget what was said: it comes anew."""
        self._written = []
        await self._stop_streaming()
        await self.update("")

    async def _stop_streaming(self) -> bool:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        self._undrawn = []
        stream, self._stream = self._stream, None
        if stream is None:
            return False
        await stream.stop()
        return True

    @on(Markdown.LinkClicked)
    def open_web_links_only(self, event: Markdown.LinkClicked) -> None:
        """A model's words may lead to the web and to mail, and to no other program."""
        event.stop()
        if event.href.lower().startswith(_SAFE_LINKS):
            self.app.open_url(event.href)
