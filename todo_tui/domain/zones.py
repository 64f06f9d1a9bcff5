"""Time zones by name, also those that this machine does not know, or not any more."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@lru_cache(maxsize=256)
def is_zone(name: str) -> bool:
    """Whether there is a time zone of that name here."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def living_zone(name: str | None, home: str) -> str:
    """The zone of a moment: its own, or the person's where it has none or one that is gone.

    Zones are renamed and dropped, and files of other machines name some that are
    unknown here; what was written at such a time of day still has it.
    """
    return name if name is not None and is_zone(name) else home
