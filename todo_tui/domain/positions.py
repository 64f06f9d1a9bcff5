"""Places in the manual order: texts that sort, with room between any two of them.

A place is a hexadecimal fraction whose digits are written as they are compared:
between `0000002a` and `0000002b` lies `0000002a8`. A new task has its id for a place,
eight digits long, so that it comes last.
"""

from __future__ import annotations

from itertools import count

_DIGITS = frozenset("0123456789abcdef")
_WIDTH = 8
"""Digits of the place of a new task."""

LONGEST = 24
"""Digits at which places have come too close: then those around are spread out again."""


def place_of_id(task_id: int) -> str:
    """The place of a new task; it comes after those of all earlier ones."""
    return f"{task_id:0{_WIDTH}x}"


def places_between(before: str, after: str | None, wanted: int) -> tuple[str, ...] | None:
    """So many places between two, evenly spread, in order.

    `before` is "" for the very beginning, `after` None for the very end. None where
    there is no room: they are equal, or too close together.
    """
    if _DIGITS.issuperset(before) and _DIGITS.issuperset(after or ""):
        return _fractions_between(before, after, wanted)
    # A place of another program: any text that continues it comes right after it.
    if after is not None and (after <= before or after.startswith(before)):
        return None
    width = len(f"{wanted:x}")
    places = tuple(f"{before}{number:0{width}x}8" for number in range(1, wanted + 1))
    return places if len(before) + width < LONGEST else None


def _fractions_between(before: str, after: str | None, wanted: int) -> tuple[str, ...] | None:
    for width in count(max(len(before), len(after or ""), _WIDTH)):
        if width > LONGEST:
            return None
        low = int(before.ljust(width, "0"), 16)
        high = 16**width if after is None else int(after.ljust(width, "0"), 16)
        if high - low > wanted:
            step = (high - low) // (wanted + 1)
            numbers = (low + step * each for each in range(1, wanted + 1))
            return tuple(_shortened(f"{number:0{width}x}") for number in numbers)
        if high <= low:
            return None
    return None


def _shortened(place: str) -> str:
    """Without zeros at its end that say nothing; never shorter than the place of a new task."""
    return place[:_WIDTH] + place[_WIDTH:].rstrip("0")
