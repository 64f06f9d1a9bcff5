"""Where time and ids come from; injected everywhere, so that tests can fix them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day here and in UTC.

    `fixed` is a naive local wall time at which the clock stands still
    (`TODO_TUI_NOW`); `zone` is the IANA name of the person's zone.
    """

    zone: str
    fixed: datetime | None = None

    def now(self) -> datetime:
        """Naive local wall time."""
        if self.fixed is not None:
            return self.fixed
        return datetime.now(ZoneInfo(self.zone)).replace(tzinfo=None)

    def utc(self) -> datetime:
        """The aware instant in UTC."""
        if self.fixed is not None:
            return self.fixed.replace(tzinfo=ZoneInfo(self.zone)).astimezone(UTC)
        return datetime.now(UTC)


NewId = Callable[[], str]
"""Makes an id that is unique everywhere: 32 hexadecimal digits."""


def random_id() -> str:
    """An id from the operating system's randomness."""
    return os.urandom(16).hex()
