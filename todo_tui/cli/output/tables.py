"""Tables: rich ones on a terminal, aligned columns in a pipe; the table of tasks."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from todo_tui.cli.output.alignment import align_columns
from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.messages import BLOCKED_SIGN, STATUS_SIGNS
from todo_tui.cli.output.repeats import format_recurrence
from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import Clock

_MAIN_SHARE = 0.35
"""Share of a terminal's width that the main column keeps, if its texts need it."""
_GAP = 2
_READABLE = 20
"""Characters on a line from which on wrapped text is easy to read."""
_PRIORITY_STYLES = {Priority.HIGH: "bold", Priority.MEDIUM: "", Priority.LOW: "dim"}


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table on a terminal."""

    title: str
    whole: bool = False
    """True if its cells are never wrapped."""
    main: bool = False
    """True if it keeps its share of the width."""
    number: bool = False
    """True if its cells are aligned to the right."""
    shown_from: int = 0
    """Width of a terminal from which on it is shown."""
    minor: bool = False
    """True if its cells go below the main one where the columns are too wide for the terminal."""
    style: str = ""
    """Style on a terminal of cells without one of their own."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """Text of any origin, and its style on a terminal."""

    text: str
    style: str = ""


def print_columns(
    columns: Sequence[TableColumn],
    rows: Iterable[Sequence[str | TableCell]],
    *,
    headings: Mapping[int, str] | None = None,
) -> None:
    """Print the rows; titles and styles only on a terminal.

    `headings` are printed above the rows with these numbers, on a terminal in the main column.
    """
    table = [
        [_plain_cell(cell, column) for cell, column in zip(row, columns, strict=True)]
        for row in rows
    ]
    headings = {at: plain_line(text) for at, text in (headings or {}).items()}
    if sys.stdout.isatty():
        _print_table(columns, table, headings)
        return
    plain = [[cell.text for cell in row] for row in table]
    numbers = [at for at, column in enumerate(columns) if column.number]
    for at, line in enumerate(align_columns(zip(*plain, strict=True), numbers=numbers)):
        if at in headings:
            sys.stdout.write(f"\n{headings[at]}\n" if at else f"{headings[at]}\n")
        sys.stdout.write(f"{line}\n")


def _plain_cell(cell: str | TableCell, column: TableColumn) -> TableCell:
    if isinstance(cell, str):
        return TableCell(plain_line(cell), column.style)
    return TableCell(plain_line(cell.text), cell.style)


def _print_table(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[TableCell]],
    headings: Mapping[int, str],
) -> None:
    console = open_console()
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    texts = [[column.title, *(row[at].text for row in rows)] for at, column in enumerate(columns)]
    for at, column in enumerate(columns):
        texts[at] += headings.values() if column.main else ()
    visible = [
        at
        for at, column in enumerate(columns)
        if any(row[at].text for row in rows) and console.width >= column.shown_from
    ]
    below: list[int] = []
    if (
        sum(_readable_width(columns[at], texts[at], console.width) for at in visible)
        > console.width
    ):
        below = [at for at in visible if columns[at].minor]
        visible = [at for at in visible if not columns[at].minor]
    others = sum(_GAP + _width(texts[at]) for at in visible if not columns[at].main)
    for at in visible:
        column = columns[at]
        share = max(int(console.width * _MAIN_SHARE), console.width - others)
        table.add_column(
            column.title,
            overflow="fold",
            no_wrap=column.whole,
            justify="right" if column.number else "left",
            width=share if column.main and _width(texts[at]) > share else None,
        )
    for number, row in enumerate(rows):
        if number in headings:
            if number:
                table.add_row()
            heading = Text(headings[number], "bold")
            table.add_row(*(heading if columns[at].main else Text() for at in visible))
        cells = (_table_cell(row, at, below if columns[at].main else ()) for at in visible)
        table.add_row(*cells)
    console.print(table)


def _table_cell(row: Sequence[TableCell], at: int, below: Sequence[int]) -> Text:
    """Return a cell, with the texts of the cells `below` on a line of their own."""
    cell = Text(row[at].text, row[at].style)
    found = [Text(row[each].text, row[each].style) for each in below if row[each].text]
    return Text("\n").join((cell, Text(" · ", "dim").join(found))) if found else cell


def _readable_width(column: TableColumn, texts: Sequence[str], room: int) -> int:
    """Return the width, with the gap behind it, in which a column is easy to read."""
    width = _width(texts)
    if column.main:
        return _GAP + min(width, int(room * _MAIN_SHARE))
    if column.whole:
        return _GAP + width
    words = [word for text in texts for word in text.split()]
    return _GAP + max(_width(words), min(width, _READABLE))


def _width(texts: Iterable[str]) -> int:
    """Return the width of the widest text."""
    return max(map(cell_len, texts), default=0)


_COLUMNS = (
    TableColumn("ID", whole=True),
    TableColumn("", whole=True),
    TableColumn("Task", main=True),
    TableColumn("Due"),
    TableColumn("Priority", whole=True, shown_from=70, minor=True),
    TableColumn("Project", shown_from=50, minor=True),
    TableColumn("Tags", shown_from=60, minor=True),
)
_ESTIMATE = TableColumn("Estimate", whole=True, number=True, shown_from=70, minor=True)


def print_table(
    groups: Iterable[tuple[str, Sequence[Task]]],
    clock: Clock,
    *,
    blocked: frozenset[int] = frozenset(),
) -> None:
    """Print groups of tasks below their headings; an empty heading is not printed."""
    groups = tuple(groups)
    rows: list[list[TableCell]] = []
    titles = {}
    has_estimates = any(task.estimate for _, tasks in groups for task in tasks)
    for label, tasks in groups:
        if label:
            minutes = sum(task.estimate or 0 for task in tasks)
            time = f" · {format_estimate(minutes)}" if minutes else ""
            titles[len(rows)] = f"{label} · {len(tasks):,}{time}"
        for task in tasks:
            estimate = TableCell(format_estimate(task.estimate) if task.estimate else "", "dim")
            row = _row(task, clock, is_blocked=task.id in blocked)
            rows.append([*row, estimate] if has_estimates else row)
    columns = (*_COLUMNS, _ESTIMATE) if has_estimates else _COLUMNS
    print_columns(columns, rows, headings=titles)


def _row(task: Task, clock: Clock, *, is_blocked: bool) -> list[TableCell]:
    now, zone = clock.now(), clock.zone
    texts = (
        f"#{task.id}",
        BLOCKED_SIGN if is_blocked else STATUS_SIGNS[task.status],
        task.title,
        _due(task, now, zone),
        f"!{task.priority.value}" if task.priority else "",
        f"#{task.project}" if task.project else "",
        " ".join(f"@{tag}" for tag in task.tags),
    )
    styles = _styles(task, task.is_overdue(now, zone))
    return [TableCell(text, style) for text, style in zip(texts, styles, strict=True)]


def _due(task: Task, now: datetime, zone: str) -> str:
    due = task.due_in(zone)
    if due is None:
        return ""
    repeats = f", {format_recurrence(task.recurrence, task.repeat_from)}" if task.recurrence else ""
    late_or_day = format_due if task.is_open else format_when
    return late_or_day(due, now) + repeats


def _styles(task: Task, is_overdue: bool) -> tuple[str, ...]:
    """Return the style of each column: red for overdue, green for done, dim for minor."""
    if not task.is_open:
        sign = "green" if task.status is Status.DONE else "dim"
        return ("dim", sign, "dim", "dim", "dim", "dim", "dim")
    due = "red" if is_overdue else ""
    weight = _PRIORITY_STYLES[task.priority] if task.priority else ""
    return ("dim", "", weight, due, weight, "cyan", "cyan")
