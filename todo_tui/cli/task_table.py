"""The list of tasks as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.cli.sentences import repeat_words, state
from todo_tui.domain.date_text import due_words
from todo_tui.domain.task import Priority, Status, Task

_COLUMNS = (
    Column("ID", whole=True),
    Column("", whole=True),
    Column("Task", main=True),
    Column("Due"),
    Column("Priority", whole=True, shown_from=70),
    Column("Project", shown_from=50),
    Column("Tags", shown_from=60),
)
_PRIORITY_STYLES = {Priority.HIGH: "bold", Priority.MEDIUM: "", Priority.LOW: "dim"}


def print_table(tasks: Sequence[Task], now: datetime, *, no_color: bool) -> None:
    """Print the tasks in their order."""
    print_columns(_COLUMNS, [_row(task, now) for task in tasks], no_color=no_color)


def _row(task: Task, now: datetime) -> list[Cell]:
    texts = (
        f"#{task.id}",
        state(task),
        task.title,
        _due(task, now),
        f"!{task.priority.value}" if task.priority else "",
        f"#{task.project}" if task.project else "",
        " ".join(f"@{tag}" for tag in task.tags),
    )
    return [Cell(text, style) for text, style in zip(texts, _styles(task, now), strict=True)]


def _due(task: Task, now: datetime) -> str:
    if task.due is None:
        return ""
    repeats = f", {repeat_words(task)}" if task.recurrence else ""
    return due_words(task.due, now) + repeats


def _styles(task: Task, now: datetime) -> tuple[str, ...]:
    """A style for each column: red is overdue, green is done, dim is out of the way."""
    if not task.is_open:
        sign = "green" if task.status is Status.DONE else "dim"
        return ("dim", sign, "dim", "dim", "dim", "dim", "dim")
    due = "red" if task.is_overdue(now) else ""
    weight = _PRIORITY_STYLES[task.priority] if task.priority else ""
    return ("dim", "", weight, due, weight, "cyan", "cyan")
