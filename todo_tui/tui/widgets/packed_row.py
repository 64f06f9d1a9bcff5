"""Rows of the list as bytes that sort as their keys do, at a fifth of what those take.

A hundred thousand tuples of numbers and texts are fifty megabytes, and each look for
garbage walks through them; bytes are looked at by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from todo_tui.domain.urgency import SortKey

_NUMBER, _TEXT = b"\x01", b"\x02"
_END = b"\x00"
"""Of a text and of a key: what is shorter comes first."""
_NUL = b"\x00\xff"
"""In a text, where the end is none."""
_BIAS = 1 << 63
_SIGNED = Struct(">Q")
_TAIL = Struct(">QII")
"""Number of the task, depth, number of the section; only the first decides an order."""
_PAGE = 64


def pack(key: SortKey, task_id: int, depth: int, section: int) -> bytes:
    """A row: it sorts by its key, then by its task."""
    parts = [
        _NUMBER + _SIGNED.pack(part + _BIAS)
        if isinstance(part, int)
        else _TEXT + part.encode("utf-8", "surrogatepass").replace(_END, _NUL) + _END
        for part in key
    ]
    return b"".join((*parts, _END, _TAIL.pack(task_id + _BIAS, depth, section)))


def task_of(row: bytes) -> int:
    """The number of the row's task."""
    return int.from_bytes(row[-16:-8], "big") - _BIAS


def tail_of(row: bytes) -> tuple[int, int, int]:
    """Number of the task, depth, number of the section."""
    task_id, depth, section = _TAIL.unpack_from(row, len(row) - _TAIL.size)
    return task_id - _BIAS, depth, section


def key_of(row: bytes) -> SortKey:
    """The key that was packed."""
    return tuple(_parts(row, len(row) - _TAIL.size - len(_END)))


def _parts(row: bytes, end: int) -> Iterator[int | str]:
    at = 0
    while at < end:
        kind, at = row[at : at + 1], at + 1
        if kind == _NUMBER:
            yield _SIGNED.unpack_from(row, at)[0] - _BIAS
            at += _SIGNED.size
        else:
            stop = row.index(_END, at)
            while row[stop : stop + 2] == _NUL:
                stop = row.index(_END, stop + 2)
            yield row[at:stop].replace(_NUL, _END).decode("utf-8", "surrogatepass")
            at = stop + 1


class RowTable:
    """The row of each task by its number: a list in pages, as most numbers are taken."""

    def __init__(self) -> None:
        self._pages: dict[int, list[bytes | None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, task_id: int) -> bytes | None:
        """The row of a task; None where it has none."""
        page = self._pages.get(task_id // _PAGE)
        return None if page is None else page[task_id % _PAGE]

    def put(self, task_id: int, row: bytes | None) -> None:
        """Give a task its row, or none."""
        page = self._pages.get(task_id // _PAGE)
        if page is None:
            page = self._pages[task_id // _PAGE] = [None] * _PAGE
        at = task_id % _PAGE
        self._count += (row is not None) - (page[at] is not None)
        page[at] = row
