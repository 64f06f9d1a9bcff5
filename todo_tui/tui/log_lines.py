"""The end of the log file as lines that a person reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from todo_tui.domain.text import plain_line

_TAIL_BYTES = 200_000
_MOST_LINES = 500
_HEAD = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d) (?P<time>\d\d:\d\d:\d\d),\d+ (?P<level>[A-Z]+) (?P<rest>.*)"
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line; those of a stack have the level of the line that they belong to."""

    level: str
    text: str
    opens: bool = True
    """Whether it begins an entry."""

    @property
    def is_error(self) -> bool:
        """Whether something went wrong."""
        return self.level in ("WARNING", "ERROR", "CRITICAL")


def log_tail(path: Path) -> list[LogLine]:
    """The newest lines, oldest first; blocks.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - _TAIL_BYTES, 0))
        text = file.read().decode("utf-8", "replace")
    lines = text.splitlines()
    if size > _TAIL_BYTES:
        del lines[0]
    level = "INFO"
    read: list[LogLine] = []
    for line in lines[-_MOST_LINES:]:
        head = _HEAD.match(line)
        if head is not None:
            level = head["level"]
        read.append(LogLine(level, plain_line(line), opens=head is not None))
    return read
