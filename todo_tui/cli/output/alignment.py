"""Text in columns of the width that a terminal shows; without rich, which takes 60 ms."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from todo_tui.cli.output.messages import BLOCKED_SIGN, STATUS_SIGNS

_NARROW = frozenset((BLOCKED_SIGN, *STATUS_SIGNS.values()))
"""Characters beyond ASCII that are one cell wide."""


def align_columns(
    columns: Iterable[Sequence[str]], *, numbers: Collection[int] = ()
) -> Iterator[str]:
    """Yield the lines of columns two blanks apart, without empty columns.

    `numbers` are the indexes of columns that are aligned to the right.
    """
    padded = [_pad(column, right=at in numbers) for at, column in enumerate(columns) if any(column)]
    for cells in zip(*padded, strict=True):
        yield "  ".join(cells).rstrip()


def cell_width(text: str) -> int:
    """Return the number of cells that a terminal uses for a text."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # 5 ms: the widths of foreign characters are a long table

    return cell_len(text)


def _pad(column: Sequence[str], *, right: bool) -> list[str]:
    letters = "".join(column)
    measure = len if letters.isascii() or _NARROW.issuperset(letters) else cache(cell_width)
    width = max(map(measure, column))
    blanks = [" " * (width - measure(text)) for text in column]
    return [b + text if right else text + b for text, b in zip(column, blanks, strict=True)]
