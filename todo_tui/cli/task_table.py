"""The list of tasks as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.cli.sentences import BLOCKED, repeat_words, state
from todo_tui.domain.date_text import due_words
from todo_tui.domain.filter_query import Grouping
from todo_tui.domain.task import Priority, Status, Task

if TYPE_CHECKING:
    from todo_tui.domain.urgency import SortKey

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


class TableLook(NamedTuple):
    """What a table shows beside the tasks themselves."""

    now: datetime
    zone: str
    blocked: frozenset[int] = frozenset()
    no_color: bool = False


def print_table(tasks: Sequence[Task], group: Grouping, look: TableLook) -> None:
    """Print the tasks in their order, under headings; under each, the order stays."""
    if group is Grouping.NONE:
        rows = [_row(task, look) for task in tasks]
        print_columns(_COLUMNS, rows, no_color=look.no_color)
        return
    # A plain list does without.
    from todo_tui.domain.filter_order import headings

    grouped: dict[SortKey, tuple[str, list[Task]]] = {}
    for task in tasks:
        for heading in headings(task, group, look.now, look.zone):
            grouped.setdefault(heading.order, (heading.label, []))[1].append(task)
    rows = []
    titles = {}
    for _, (label, below) in sorted(grouped.items()):
        titles[len(rows)] = f"{label} · {len(below):,}"
        rows += [_row(task, look) for task in below]
    print_columns(_COLUMNS, rows, no_color=look.no_color, headings=titles)


def _row(task: Task, look: TableLook) -> list[Cell]:
    now = look.now
    texts = (
        f"#{task.id}",
        BLOCKED if task.id in look.blocked else state(task),
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
