"""Text on screen: width in cells, clipping, wrapping, a Static that avoids layout, the spinner."""

import time
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, chop_cells, get_character_cell_size, split_graphemes
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.text import plain_line

ELLIPSIS = "…"
_CHARACTERS_A_CELL = 16
"""Limit of combining characters per cell, so that long runs need not be measured."""
_JOINER = "\u200d"
_EMOJI_FORM = "\ufe0f"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_UNSTABLE = frozenset({_JOINER, _EMOJI_FORM}) | _SKIN_TONES
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_SPIN_SECONDS = 0.1


def strip_unstable(text: str) -> str:
    """Remove characters whose width terminals disagree about.

    tmux and many terminals draw the emoji variation selector in one cell where others take two,
    and a skin tone as a separate picture; libraries count the letter after a joiner as no cell.
    One such title would shift its row into the neighbouring pane.
    """
    if _UNSTABLE.isdisjoint(text):
        return text
    kept: list[str] = []
    for index, character in enumerate(text):
        if character == _JOINER:
            is_joined = kept and _is_emoji(kept[-1]) and _is_emoji(text[index + 1 : index + 2])
            if is_joined and get_character_cell_size(kept[-1]) == 2:
                kept.append(character)
        elif character not in _UNSTABLE:
            kept.append(character)
    return "".join(kept)


def display_line(text: str) -> str:
    """Return text from outside as one line that every terminal draws in the same cells."""
    return strip_unstable(plain_line(text))


def clip(text: str, width: int) -> str:
    """Clip the text to `width` cells, ending in `…` where it is cut."""
    if width <= 0:
        return ""
    if len(text) <= width * _CHARACTERS_A_CELL and cell_len(text) <= width:
        return text
    if text.isascii():
        return text[: width - 1] + ELLIPSIS
    spans, _ = split_graphemes(text[: width * _CHARACTERS_A_CELL])
    used = end = 0
    for _start, stop, cells in spans:
        if used + cells > width - 1:
            break
        used += cells
        end = stop
    return text[:end] + ELLIPSIS


def pad_or_clip(text: str, width: int) -> str:
    """Clip or pad the text to exactly `width` cells."""
    cut = clip(text, width)
    return cut + " " * (width - cell_len(cut))


def column_width(texts: Iterable[str], most: int) -> int:
    """Return the cells of a column for these texts, at most `most`."""
    return min(max(map(cell_len, texts), default=0), most)


def wrap(text: str, width: int) -> list[str]:
    """Wrap words into lines of at most `width` cells (2 or more), breaking long words."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        longer = f"{current} {word}" if current else word
        if cell_len(longer) > width:
            if current:
                lines.append(current)
            *broken, longer = chop_cells(word, width) or [""]
            lines += broken
        current = longer
    return [*lines, current] if current else lines


def hang(mark: Content, text: Content, width: int) -> Content:
    """Return a mark and a text whose further lines begin below its first; width 0: not known."""
    indent = mark.cell_length
    lines = text.wrap(width - indent) if width > indent else [text]
    return mark + Content("\n" + " " * indent).join(lines)


def wrap_pieces(pieces: Sequence[Content], separator: Content, width: int) -> Content:
    """Join pieces, such as keys with their labels, in lines that break none of them.

    With a width of 0, which is not known yet, in one line.
    """
    lines: list[Content] = []
    for piece in pieces:
        longer = Content("").join([lines[-1], separator, piece]) if lines else piece
        if lines and (longer.cell_length <= width or not width):
            lines[-1] = longer
        else:
            lines.append(piece)
    return Content("\n").join(lines)


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        0x1F000 <= ord(character) <= 0x1FAFF or 0x2190 <= ord(character) <= 0x2BFF
    )


def spin(widget: Widget, is_running: bool) -> None:
    """Redraw a widget, without layout, for each frame of its spinner; not with animations off."""
    is_animated = is_running and widget.app.animation_level != "none"
    widget.auto_refresh = _SPIN_SECONDS if is_animated else None


def spinner_frame(widget: Widget) -> str:
    """Return the present spinner character, one cell wide."""
    tick = int(time.monotonic() / _SPIN_SECONDS) if widget.auto_refresh else 0
    return _FRAMES[tick % len(_FRAMES)]


class StableStatic(Static):
    """Static for text that changes often; avoids layout, which costs more than drawing."""

    ALLOW_SELECT = False

    # The base class lays out and draws the screen when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, classes: str = "") -> None:
        super().__init__(markup=False, classes=classes)
        self._text = Content("")
        self._laid_out = self._text
        """Text for which the present lines were laid out."""

    def put(self, text: Content, *, keep_lines: bool = False) -> None:
        """Show a text; the same text again costs nothing.

        With `keep_lines`, lines that it does not need stay empty until `fit`.
        """
        if text.is_same(self._text):
            return
        self._text = text
        # Its lines are unknown while it is not displayed.
        surplus = self._surplus if self.content_size.width else None
        fits = surplus == 0 or (keep_lines and surplus is not None and surplus > 0)
        if not fits:
            self._laid_out = text
        self.update(text, layout=not fits)

    def fit(self) -> None:
        """Remove the empty lines that were kept."""
        if self.content_size.width and self._surplus:
            self._laid_out = self._text
            self.refresh(layout=True)

    def on_resize(self) -> None:
        """Note that the lines match the text now."""
        self._laid_out = self._text

    @property
    def _surplus(self) -> int:
        return self._lines(self._laid_out) - self._lines(self._text)

    def _lines(self, text: Content) -> int:
        return text.get_height(self.styles.get_rules(), self.content_size.width)
