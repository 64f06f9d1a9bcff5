"""The hybrid logical clock of the operation log.

Its ticks are milliseconds and a counter, which runs over into them after a million, as
one number.
"""

from __future__ import annotations

from datetime import datetime

PER_MILLISECOND = 1_000_000
"""Ticks that one millisecond has."""


def tick_after(last: str, now: datetime) -> int:
    """The first tick after the clock `last`, which may be empty.

    Ticks never go back, even where the wall clock does.
    """
    milliseconds, counted = (int(part) for part in last.split("-")) if last else (0, -1)
    passed = milliseconds * PER_MILLISECOND + counted
    return max(int(now.timestamp() * 1000) * PER_MILLISECOND, passed + 1)


def clock_of(tick: int) -> str:
    """A tick as it is stored; clocks sort as text."""
    return f"{tick // PER_MILLISECOND:015d}-{tick % PER_MILLISECOND:06d}"


def with_room(tick: int, count: int) -> int:
    """That tick, or the first one from which so many lie within one millisecond."""
    milliseconds, counted = divmod(tick, PER_MILLISECOND)
    if counted + count <= PER_MILLISECOND:
        return tick
    return (milliseconds + 1) * PER_MILLISECOND


def counted_from(tick: int) -> tuple[str, int]:
    """What the clocks of a millisecond begin with, and a number for SQL to count from.

    `substr(number + 7, 2)` is what the clock seven ticks later ends with.
    """
    milliseconds, counted = divmod(tick, PER_MILLISECOND)
    return f"{milliseconds:015d}-", PER_MILLISECOND + counted
