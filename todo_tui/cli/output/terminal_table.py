"""Layout of a table in the width of a terminal: columns that wrap, and some that make room."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat, zip_longest

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.tables import TableCell, TableColumn

_MAIN_SHARE = 0.35
"""Share of a terminal's width that the main column keeps, if its texts need it."""
_GAP, _NARROW_GAP = 2, 1
"""Blanks between columns; the narrow gap where words would break otherwise."""
_READABLE = 20
"""Characters on a line from which on wrapped text is easy to read."""


def print_table(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[TableCell]],
    headings: Mapping[int, str],
) -> None:
    """Print titles and rows in the width of the terminal; headings by the number of their row."""
    console = open_console()
    room = console.width
    visible = [
        at
        for at, column in enumerate(columns)
        if any(row[at].text or row[at].below for row in rows) and room >= column.shown_from
    ]
    texts = []
    for at, column in enumerate(columns):
        cells = [text for row in rows for text in (row[at].text, row[at].below)]
        groups = headings.values() if column.main else ()
        texts.append([column.title, column.below, *cells, *groups])
    below: list[int] = []
    if not _is_roomy([columns[at] for at in visible], [texts[at] for at in visible], room):
        below = [at for at in visible if columns[at].minor]
        visible = [at for at in visible if not columns[at].minor]
    shown = [columns[at] for at in visible]
    gap, widths = _fit(shown, [texts[at] for at in visible], room)

    def print_row(cells: Sequence[Text]) -> None:
        for line in _wrap_row(console, shown, cells, widths, gap):
            console.print(line, no_wrap=True, overflow="crop")

    print_row([_stacked(column.title, "dim", column.below) for column in shown])
    for number, row in enumerate(rows):
        if number in headings:
            if number:
                console.print()
            heading = Text(headings[number], "bold")
            print_row([heading if column.main else Text() for column in shown])
        print_row([_table_cell(row, at, below if columns[at].main else ()) for at in visible])


def _table_cell(row: Sequence[TableCell], at: int, below: Sequence[int]) -> Text:
    """Return a cell, with the texts of the cells `below` on a line of their own."""
    cell = _stacked(row[at].text, row[at].style, row[at].below)
    found = [Text(row[each].text, row[each].style) for each in below if row[each].text]
    return Text("\n").join((cell, Text(" · ", "dim").join(found))) if found else cell


def _stacked(text: str, style: str, below: str) -> Text:
    cell = Text(text, style)
    return Text("\n").join((cell, Text(below, "dim"))) if below else cell


def _wrap_row(
    console: Console,
    columns: Sequence[TableColumn],
    cells: Sequence[Text],
    widths: Sequence[int],
    gap: int,
) -> Iterator[Text]:
    """Yield the lines of a row, without blanks at their ends."""
    wrapped = [
        cell.wrap(console, width, overflow="fold", no_wrap=column.whole)
        for column, cell, width in zip(columns, cells, widths, strict=True)
    ]
    for pieces in zip_longest(*wrapped, fillvalue=Text()):
        line = Text()
        for column, piece, width in zip(columns, pieces, widths, strict=True):
            piece.rstrip()
            blanks = " " * (width - piece.cell_len)
            line.append_text(Text(blanks) + piece if column.number else piece + blanks)
            line.append(" " * gap)
        line.rstrip()
        yield line


def _is_roomy(columns: Sequence[TableColumn], texts: Sequence[Sequence[str]], room: int) -> bool:
    """Return True if all columns fit, each in a width in which it is easy to read."""
    needs = sum(map(_readable_width, columns, texts, repeat(room)))
    return needs + _GAP * (len(columns) - 1) <= room


def _readable_width(column: TableColumn, texts: Sequence[str], room: int) -> int:
    width = _width(texts)
    if column.main:
        return min(width, int(room * _MAIN_SHARE))
    return width if column.whole else max(_word_width(texts), min(width, _READABLE))


def _fit(
    columns: Sequence[TableColumn], texts: Sequence[Sequence[str]], room: int
) -> tuple[int, list[int]]:
    """Return the gap between the columns and their widths; words break where nothing else helps."""
    widths = [*map(_width, texts)]
    readable = [*map(_readable_width, columns, texts, repeat(room))]
    words = [*map(_word_width, texts)]
    rows = [*zip(columns, widths, readable, words, strict=True)]
    wide = [max(least, 0 if column.whole else word) for column, _, least, word in rows]
    unbroken = [
        max(least, word) if column.main else width if column.whole else word
        for column, width, least, word in rows
    ]
    broken_main = [
        least if column.main or column.whole else word for column, _, least, word in rows
    ]
    broken = [least if column.main or column.whole else 1 for column, _, least, _ in rows]
    for lows in (wide, unbroken, broken_main):
        for gap in (_GAP, _NARROW_GAP):
            available = room - gap * (len(columns) - 1)
            if sum(lows) <= available:
                return gap, _share_out(lows, widths, available)
    return _NARROW_GAP, _share_out(broken, widths, room - _NARROW_GAP * (len(columns) - 1))


def _share_out(lows: Sequence[int], highs: Sequence[int], available: int) -> list[int]:
    """Return widths between their limits: as even as possible, and as wide as there is room."""

    def widths(level: int) -> list[int]:
        return [min(high, max(low, level)) for low, high in zip(lows, highs, strict=True)]

    level = 0
    while level < max(highs) and sum(widths(level + 1)) <= available:
        level += 1
    found, wider = widths(level), widths(level + 1)
    for at, width in enumerate(wider):
        if sum(found) < available:
            found[at] = width
    return found


def _width(texts: Iterable[str]) -> int:
    """Return the width of the widest text."""
    return max(map(cell_len, texts), default=0)


def _word_width(texts: Iterable[str]) -> int:
    return _width(word for text in texts for word in text.split())
