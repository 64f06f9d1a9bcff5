"""Streamed Markdown on a terminal: finished blocks are printed, the last one is redrawn."""

import re
import time

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment

from todo_tui.domain.text import plain_text

_REDRAW_SECONDS = 0.05
_PAUSE_FACTOR = 5
"""Pause after drawing, in times of what it took: long answers take long."""
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_BLOCK_END = re.compile(r"(?<=[^ \t\n])[ \t]*+\n(?:[ \t]*+\n)++(?=[^\s>|*+\-\d])")
"""Blank lines before something that continues neither a list nor a quotation or table."""


class StreamedMarkdown:
    """Prints finished blocks, and redraws the last one as it grows.

    A long answer scrolls by like printed text, and only its end can change.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pending: list[str] = []
        self._live: Live | None = None
        self._draw_after = 0.0
        self._has_blocks = False

    def feed(self, text: str) -> None:
        """Draw the next piece of the answer."""
        self._pending.append(plain_text(text))
        start = time.monotonic()
        if start < self._draw_after:
            return
        rest = self._print_finished()
        if rest.strip():
            self._redraw(rest)
        self._pending = [rest]
        end = time.monotonic()
        self._draw_after = end + max(_REDRAW_SECONDS, (end - start) * _PAUSE_FACTOR)

    def finish(self) -> None:
        """Print what is left; later text begins a new answer."""
        rest = self._print_finished()
        if rest.strip():
            self._print(rest)
        self._stop()
        self._pending = []

    def _print_finished(self) -> str:
        """Print the finished blocks; return the rest."""
        finished, rest = _split("".join(self._pending))
        for block in finished:
            self._print(block)
        return rest

    def _print(self, block: str) -> None:
        self._stop()
        if self._has_blocks:
            self._console.print()
        self._console.print(_PlainMarkdown(block))
        self._has_blocks = True

    def _redraw(self, text: str) -> None:
        if self._live is None:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(_PlainMarkdown(text, apart=self._has_blocks), refresh=True)

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


class _PlainMarkdown:
    """Markdown without control characters.

    They are removed after parsing, because `&#8238;` stands for one.
    """

    def __init__(self, text: str, *, apart: bool = False) -> None:
        self._markdown = Markdown(text.strip("\n"), hyperlinks=False)
        self._apart = apart

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._apart:
            yield Segment.line()
        for segment in console.render(self._markdown, options):
            yield Segment(plain_text(segment.text), segment.style, segment.control)


def _split(text: str) -> tuple[list[str], str]:
    """Return the blocks that later text cannot change, and the rest."""
    blocks: list[str] = []
    begin = search_from = fences = 0
    while end := _BLOCK_END.search(text, search_from):
        fences += len(_FENCE.findall(text, search_from, end.start()))
        search_from = end.end()
        if fences % 2 == 0:
            blocks.append(text[begin : end.start()])
            begin = end.end()
    return blocks, text[begin:]
