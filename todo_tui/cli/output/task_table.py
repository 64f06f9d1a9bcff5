"""The list of tasks: a table on a terminal, in a pipe a line for each task."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from todo_tui.cli.output.alignment import align_columns
from todo_tui.cli.output.messages import BLOCKED_SIGN, STATUS_SIGNS
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When

if TYPE_CHECKING:
    from todo_tui.store.tasks.results import PlainTaskRow

_COLUMNS = (
    TableColumn("ID", whole=True),
    TableColumn("", whole=True),
    TableColumn("Task", main=True),
    TableColumn("Due"),
    TableColumn("Priority", whole=True, shown_from=70, minor=True),
    TableColumn("Project", shown_from=50, minor=True),
    TableColumn("Tags", shown_from=60, minor=True),
    TableColumn("Estimate", whole=True, number=True, shown_from=70, minor=True),
)
_PRIORITY_STYLES = {Priority.HIGH: "bold", Priority.MEDIUM: "", Priority.LOW: "dim"}


def print_tasks(
    groups: Sequence[tuple[str, Sequence[PlainTaskRow]]], now: datetime, *, blocked: frozenset[int]
) -> None:
    """Print groups of tasks below their headings; an empty heading is not printed.

    `now` is local in the zone of the due moments.
    """
    headings: dict[int, str] = {}
    tasks: list[PlainTaskRow] = []
    for label, group in groups:
        if label:
            minutes = sum(task.estimate or 0 for task in group)
            time = f" · {format_estimate(minutes)}" if minutes else ""
            headings[len(tasks)] = f"{label} · {len(group):,}{time}"
        tasks += group
    texts = _texts(tasks, blocked, now)
    if not headings and not sys.stdout.isatty():
        # Cells with styles would take twice as long: 0.3 s for 10,000 tasks.
        numbers = [at for at, column in enumerate(_COLUMNS) if column.number]
        sys.stdout.writelines(f"{line}\n" for line in align_columns(texts, numbers=numbers))
        return
    rows = (
        list(map(TableCell, line, _styles(task, now)))
        for task, line in zip(tasks, zip(*texts, strict=True), strict=True)
    )
    print_columns(_COLUMNS, rows, headings=headings)


def _texts(
    tasks: Sequence[PlainTaskRow], blocked: frozenset[int], now: datetime
) -> list[list[str]]:
    """Return the columns.

    A long list repeats most dates and projects: each is formatted once.
    """
    signs = {status.value: sign for status, sign in STATUS_SIGNS.items()}
    project = cache(lambda name: plain_line(f"#{name}"))

    @cache
    def due(text: str, is_open: bool) -> str:
        return (format_due if is_open else format_when)(When.parse(text), now)

    def due_and_rule(task: PlainTaskRow) -> str:
        day = "" if task.due is None else due(task.due, Status(task.status).is_open)
        if not day or not task.recurrence:
            return day
        from todo_tui.cli.output.recurrence_text import (
            format_recurrence,  # 9 ms: most do not repeat
        )

        return f"{day}, {plain_line(format_recurrence(task.recurrence, task.repeat_from))}"

    return [
        [f"#{task.id}" for task in tasks],
        [BLOCKED_SIGN if task.id in blocked else signs[task.status] for task in tasks],
        [plain_line(task.title) for task in tasks],
        [due_and_rule(task) for task in tasks],
        [f"!{task.priority}" if task.priority else "" for task in tasks],
        [project(task.project) if task.project else "" for task in tasks],
        [plain_line(" ".join(f"@{tag}" for tag in task.tags)) for task in tasks],
        [format_estimate(task.estimate) if task.estimate else "" for task in tasks],
    ]


def _styles(task: PlainTaskRow, now: datetime) -> tuple[str, ...]:
    """Return the style of each column: red for overdue, green for done, dim for minor."""
    status = Status(task.status)
    if not status.is_open:
        sign = "green" if status is Status.DONE else "dim"
        return ("dim", sign, "dim", "dim", "dim", "dim", "dim", "dim")
    is_overdue = task.due is not None and When.parse(task.due).local() < now
    weight = _PRIORITY_STYLES[Priority(task.priority)] if task.priority else ""
    return ("dim", "", weight, "red" if is_overdue else "", weight, "cyan", "cyan", "dim")
