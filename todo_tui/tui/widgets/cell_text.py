"""Text measured and cut by terminal cells, so that columns stay straight."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells, get_character_cell_size, split_graphemes

ELLIPSIS = "…"
_CHARACTERS_A_CELL = 16
"""More combining characters than this on one cell are a prank; nobody measures a novel."""
_JOINER = "\u200d"
_EMOJI_FORM = "\ufe0f"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_UNSTEADY = frozenset({_JOINER, _EMOJI_FORM}) | _SKIN_TONES


def steady(text: str) -> str:
    """The text without what terminals disagree about in cells.

    tmux and many terminals draw a heart with the selector of the emoji form in one cell
    where others take two, and a skin tone as a picture of its own; a joiner makes one
    picture of two wide emoji and nothing of two letters, yet libraries that measure
    count the letter after it as no cell. One such title would shift its row into the
    neighbouring pane. The task itself keeps every character.
    """
    if _UNSTEADY.isdisjoint(text):
        return text
    kept: list[str] = []
    for index, character in enumerate(text):
        if character == _JOINER:
            if kept and _is_wide_emoji(kept[-1]) and _is_emoji(text[index + 1 : index + 2]):
                kept.append(character)
        elif character not in _UNSTEADY:
            kept.append(character)
    return "".join(kept)


def width_of(text: str) -> int:
    """Cells that the text takes in a terminal."""
    return cell_len(text)


def clip(text: str, width: int) -> str:
    """The text in at most `width` cells; what does not fit ends in `…`."""
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


def fit(text: str, width: int) -> str:
    """The text in exactly `width` cells, cut or padded on the right."""
    cut = clip(text, width)
    return cut + " " * (width - cell_len(cut))


def wrap(text: str, width: int) -> list[str]:
    """The words of a text on lines of at most `width` cells, two or more; long words break."""
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


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        0x1F000 <= ord(character) <= 0x1FAFF or 0x2190 <= ord(character) <= 0x2BFF
    )


def _is_wide_emoji(character: str) -> bool:
    return _is_emoji(character) and get_character_cell_size(character) == 2
