"""Tables that fit the terminal; in a pipe a line for each row."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.cli.output.alignment import align_columns
from todo_tui.domain.text import plain_line


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table; in a pipe every column is printed, each row on one line."""

    title: str
    below: str = ""
    """Title of the texts below its cells: on a terminal in the same column, in a pipe the next."""
    whole: bool = False
    """True if its cells are never wrapped."""
    main: bool = False
    """True if it keeps its share of the width."""
    number: bool = False
    """True if its cells are aligned to the right."""
    shown_from: int = 0
    """Width of a terminal from which on it is shown."""
    minor: bool = False
    """True if it makes room where the columns are too wide for the terminal.

    Its cells go below those of the main column, and are left out without one.
    """
    style: str = ""
    """Style on a terminal of cells without one of their own."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """Text of any origin, its style on a terminal, and the text below it."""

    text: str
    style: str = ""
    below: str = ""


def print_columns(
    columns: Sequence[TableColumn],
    rows: Iterable[Sequence[str | TableCell]],
    *,
    headings: Mapping[int, str] | None = None,
) -> None:
    """Print the titles and the rows; in a pipe whole, aligned and without styles.

    `headings` are printed above the rows with these numbers, on a terminal in the main column;
    in a pipe they take the place of titles, also if there are none. Without rows nothing is
    printed.
    """
    table = [
        [_plain_cell(cell, column) for cell, column in zip(row, columns, strict=True)]
        for row in rows
    ]
    groups = {at: plain_line(text) for at, text in (headings or {}).items()}
    if not table:
        return
    if sys.stdout.isatty():
        # 60 ms: not for a pipe.
        from todo_tui.cli.output.terminal_table import print_table

        print_table(columns, table, groups)
    else:
        _print_lines(columns, table, groups, with_titles=headings is None)


def _plain_cell(cell: str | TableCell, column: TableColumn) -> TableCell:
    if isinstance(cell, str):
        return TableCell(plain_line(cell), column.style)
    return TableCell(plain_line(cell.text), cell.style, plain_line(cell.below))


def _print_lines(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[TableCell]],
    headings: Mapping[int, str],
    *,
    with_titles: bool,
) -> None:
    texts: list[list[str]] = []
    numbers = []
    for at, column in enumerate(columns):
        cells = [row[at] for row in rows]
        for title, found in (
            (column.title, [cell.text for cell in cells]),
            (column.below, [cell.below for cell in cells]),
        ):
            if any(found):
                numbers += [len(texts)] if column.number else []
                texts.append([title, *found] if with_titles else found)
    for at, line in enumerate(align_columns(texts, numbers=numbers)):
        if at in headings:
            sys.stdout.write(f"\n{headings[at]}\n" if at else f"{headings[at]}\n")
        sys.stdout.write(f"{line}\n")
