"""How the list comes on screen: its lines are read, drawn and fitted, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip

from todo_tui.domain.errors import TodoError
from todo_tui.tui.widgets.drawn_rows import DrawnRows
from todo_tui.tui.widgets.list_lines import ListLines
from todo_tui.tui.widgets.painted_lines import PaintedLines
from todo_tui.tui.widgets.part_styles import PartStyles
from todo_tui.tui.widgets.task_outline import TaskOutline


class ListPainting:
    """Keeps what it has painted until that is refreshed.

    Rows are complete as they are drawn: to pass them through the framework's own cache of
    lines would cost more than to look them up. `failed` is told of what could not be read.
    """

    def __init__(
        self,
        view: ScrollView,
        outline: TaskOutline,
        lines: ListLines,
        rows: DrawnRows,
        styles: PartStyles,
        failed: Callable[[TodoError], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._lines = lines
        self._rows = rows
        self._styles = styles
        self._failed = failed
        self._painted = PaintedLines()

    def strips(self, crop: Region) -> list[Strip]:
        """What is seen in a region of the widget."""
        painter = self._rows.painter(self._width)
        state = (self._view.size, self._view.scroll_offset.y, painter)
        missing = self._painted.missing(crop, state)
        is_read = self._paint(missing) if missing else True
        strips = self._painted.of(crop)
        if not is_read:
            # The next frame tries again.
            self._painted.forget(())
        return strips

    def forget(self, regions: Iterable[Region] = ()) -> None:
        """Paint these regions anew; where none are named, all."""
        self._painted.forget(regions)

    def restyle(self) -> None:
        """Theme or focus changed: all looks another way."""
        self._styles.forget()
        self._rows.restyle()
        self._painted.forget(())

    @property
    def _width(self) -> int:
        return self._view.scrollable_content_region.width

    def _paint(self, missing: range) -> bool:
        """Paint lines of the widget; whether all that they show could be read."""
        first = self._view.scroll_offset.y + missing.start
        lines = tuple(self._outline.lines(first, len(missing)))
        is_read = True
        try:
            self._lines.read(lines)
        except TodoError as error:
            is_read = False
            self._failed(error)
        strips = self._lines.strips(lines, len(missing), self._width)
        self._painted.keep(missing.start, list(self._finished(strips)))
        return is_read

    def _finished(self, strips: Iterable[Strip]) -> Iterator[Strip]:
        """Fill what is kept free for the scrollbar, and fit the colours to the terminal."""
        width, style = self._view.size.width, self._styles.plain
        _, background = self._view.background_colors
        filters = self._view.get_line_filters()
        for strip in strips:
            finished = strip.adjust_cell_length(width, style)
            for line_filter in filters:
                finished = finished.apply_filter(line_filter, background)
            yield finished
