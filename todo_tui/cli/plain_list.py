"""The list as it goes into a pipe: aligned text, quick for a hundred thousand tasks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from todo_tui.cli.sentences import BLOCKED, SIGNS
from todo_tui.domain.date_text import due_words
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When

if TYPE_CHECKING:
    from todo_tui.store.listing import ListedTask

_GAP = "  "
_SIGNS = frozenset((BLOCKED, *SIGNS.values()))
"""As narrow as letters."""
_WRITTEN_AT_ONCE = 2_000
"""Lines."""


def print_plain(tasks: Sequence[ListedTask], blocked: frozenset[int], now: datetime) -> None:
    """Print a line for each task, without what is for terminals only; `now` is local.

    Most of a long list repeats itself: dates, projects and tags are put into words once.
    """
    signs = {status.value: sign for status, sign in SIGNS.items()}
    due = cache(lambda text: due_words(When.parse(text), now))
    project = cache(lambda name: plain_line(f"#{name}"))
    columns = (
        [f"#{task.id}" for task in tasks],
        [BLOCKED if task.id in blocked else signs[task.status] for task in tasks],
        [plain_line(task.title) for task in tasks],
        [_due(task, due) for task in tasks],
        [f"!{task.priority}" if task.priority else "" for task in tasks],
        [project(task.project) if task.project else "" for task in tasks],
        [plain_line(" ".join(f"@{tag}" for tag in task.tags)) for task in tasks],
    )
    padded = [_padded(column) for column in columns if any(column)]
    lines = [_GAP.join(cells).rstrip() for cells in zip(*padded, strict=True)]
    for first in range(0, len(lines), _WRITTEN_AT_ONCE):
        sys.stdout.write("\n".join(lines[first : first + _WRITTEN_AT_ONCE]) + "\n")


def _due(task: ListedTask, words: Callable[[str], str]) -> str:
    if task.due is None:
        return ""
    return words(task.due) + (_repeats(task) if task.recurrence else "")


def _repeats(task: ListedTask) -> str:
    # Few lists have one.
    from todo_tui.domain.recurrence import Recurrence, recurrence_told

    rhythm = Recurrence(task.recurrence or "", RepeatFrom(task.repeat_from))
    return f", {plain_line(recurrence_told(rhythm))}"


def _padded(column: list[str]) -> list[str]:
    """Texts of one width, as a terminal shows them."""
    letters = "".join(column)
    if letters.isascii() or _SIGNS.issuperset(letters):
        width = max(map(len, column))
        return [text.ljust(width) for text in column]
    # The widths of foreign characters are a table of their own.
    from rich.cells import cell_len

    widths = cache(cell_len)
    width = max(map(widths, column))
    return [text + " " * (width - widths(text)) for text in column]
