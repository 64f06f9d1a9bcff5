"""The list of tasks as people read it: a table on a terminal, aligned text in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from rich.cells import cell_len

from todo_tui.cli.sentences import repeat_words, state
from todo_tui.domain.date_text import due_words
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line

_COLUMNS = ("ID", "", "Task", "Due", "Priority", "Project", "Tags")
_PRIORITY_STYLES = {Priority.HIGH: "bold", Priority.MEDIUM: "", Priority.LOW: "dim"}


def print_table(tasks: Sequence[Task], now: datetime, *, no_color: bool) -> None:
    """Print the tasks in their order."""
    if sys.stdout.isatty():
        _print_for_eyes(tasks, now, no_color=no_color)
        return
    for line in aligned([_cells(task, now) for task in tasks]):
        sys.stdout.write(f"{line}\n")


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of cells as lines, columns two blanks apart by the width that they are shown in."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cell for cell, width in zip(cells, widths, strict=True) if width).rstrip()


def _cells(task: Task, now: datetime) -> list[str]:
    return [
        f"#{task.id}",
        state(task),
        plain_line(task.title),
        _due(task, now),
        f"!{task.priority.value}" if task.priority else "",
        plain_line(f"#{task.project}") if task.project else "",
        plain_line(" ".join(f"@{tag}" for tag in task.tags)),
    ]


def _due(task: Task, now: datetime) -> str:
    if task.due is None:
        return ""
    repeats = f" ({repeat_words(task)})" if task.recurrence else ""
    return due_words(task.due, now) + repeats


def _print_for_eyes(tasks: Iterable[Task], now: datetime, *, no_color: bool) -> None:
    # Drawing is only for terminals: a pipe does without these imports.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim", show_edge=False)
    for name in _COLUMNS:
        table.add_column(name, overflow="fold", no_wrap=name in ("ID", "", "Priority"))
    for task in tasks:
        styles = _styles(task, now)
        table.add_row(
            *(Text(cell, style) for cell, style in zip(_cells(task, now), styles, strict=True))
        )
    Console(no_color=no_color or None, highlight=False, markup=False, emoji=False).print(table)


def _styles(task: Task, now: datetime) -> list[str]:
    """A style for each column: red is overdue, green is done, dim is out of the way."""
    if not task.is_open:
        over = "green" if task.status is Status.DONE else "dim"
        return ["dim", over, "dim", "dim", "dim", "dim", "dim"]
    due = "red" if task.is_overdue(now) else ""
    priority = _PRIORITY_STYLES[task.priority] if task.priority else ""
    return ["dim", "", priority, due, priority, "cyan", "cyan"]
