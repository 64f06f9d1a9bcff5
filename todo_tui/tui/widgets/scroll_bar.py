"""The scrollbar of the list, which changes with every page of it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class ListScrollBar(ScrollBar):
    """Looks and works as any other, without the framework's way from a renderable to lines.

    That way costs more than to draw the whole list beside it.
    """

    # The base class lays the screen out and draws it once more when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the few pieces that it has, each of which most lines share with their neighbours."""
        pieces = _pieces(self.render(), self.size.height)
        strips: dict[int, Strip] = {}
        base = self.visual_style.rich_style
        _, background = self.background_colors
        filters = self.get_line_filters()
        for piece in pieces:
            if id(piece) not in strips:
                strip = Strip(Segment.apply_style([piece], base), self.thickness)
                for line_filter in filters:
                    strip = strip.apply_filter(line_filter, background)
                strips[id(piece)] = strip
        lines = [strips[id(piece)] for piece in pieces[crop.y : crop.bottom]]
        return [strip.crop(*crop.column_span) for strip in lines]


def _pieces(bar: object, height: int) -> Sequence[Segment]:
    """What stands on each line of a bar."""
    assert isinstance(bar, ScrollBarRender)  # noqa: S101  # nobody has replaced the renderer
    assert isinstance(bar.style, Style)  # noqa: S101  # made of two colours
    assert bar.style.bgcolor is not None  # noqa: S101
    assert bar.style.color is not None  # noqa: S101
    return bar.render_bar(
        height,
        bar.virtual_size,
        bar.window_size,
        bar.position,
        bar.thickness,
        back_color=bar.style.bgcolor,
        bar_color=bar.style.color,
    ).segments
