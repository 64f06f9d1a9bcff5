"""Columns as people read them: a table on a terminal, aligned text in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from todo_tui.domain.text import plain_line

_MAIN_SHARE = 0.35
"""What the main column keeps of a terminal's width, if its texts need as much."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table on a terminal."""

    title: str
    whole: bool = False
    """Whether its cells are never broken into lines."""
    main: bool = False
    """Whether the others give way to it."""
    number: bool = False
    """Whether its cells end below each other."""
    shown_from: int = 0
    """Width of a terminal from which on there is room for it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Text of any origin, and the style that it has on a terminal."""

    text: str
    style: str = ""


def print_columns(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    *,
    no_color: bool,
    headings: Mapping[int, str] | None = None,
) -> None:
    """Print the rows; titles and styles are for terminals only.

    `headings` stand above the rows of these places, in the main column on a terminal.
    """
    plain = [[plain_line(cell.text) for cell in row] for row in rows]
    above = {at: plain_line(text) for at, text in (headings or {}).items()}
    if sys.stdout.isatty():
        _print_table(columns, rows, plain, above, no_color=no_color)
        return
    numbers = [at for at, column in enumerate(columns) if column.number]
    for at, line in enumerate(aligned(plain, numbers=numbers)):
        if at in above:
            sys.stdout.write(f"\n{above[at]}\n" if at else f"{above[at]}\n")
        sys.stdout.write(f"{line}\n")


def _print_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    plain: Sequence[Sequence[str]],
    above: Mapping[int, str],
    *,
    no_color: bool,
) -> None:
    # Drawing is for terminals: a pipe does without these imports.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=no_color or None, highlight=False, markup=False, emoji=False)
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    shown = [
        at
        for at, column in enumerate(columns)
        if any(row[at] for row in plain) and console.width >= column.shown_from
    ]
    for at in shown:
        column = columns[at]
        table.add_column(
            column.title,
            overflow="fold",
            no_wrap=column.whole,
            justify="right" if column.number else "left",
            width=_main_width(plain, at, console.width) if column.main else None,
        )
    for number, (texts, row) in enumerate(zip(plain, rows, strict=True)):
        if number in above:
            if number:
                table.add_row()
            heading = Text(above[number], "bold")
            table.add_row(*(heading if columns[at].main else Text() for at in shown))
        table.add_row(*(Text(texts[at], row[at].style) for at in shown))
    console.print(table)


def _main_width(rows: Sequence[Sequence[str]], at: int, room: int) -> int | None:
    """The width that the main column keeps; None where it needs less than its share."""
    share = int(room * _MAIN_SHARE)
    return share if max((cell_len(row[at]) for row in rows), default=0) > share else None


def aligned(rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines, columns two blanks apart by the width in which they are shown.

    `numbers` are the places of columns whose texts end below each other.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = []
        for at, (text, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - cell_len(text))
            if width:
                padded.append(blanks + text if at in numbers else text + blanks)
        yield "  ".join(padded).rstrip()
