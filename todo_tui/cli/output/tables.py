"""Tables that fit the terminal; in a pipe a line for each row. The table of tasks."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat, zip_longest

from rich.cells import cell_len
from rich.console import Console
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
_GAP, _NARROW_GAP = 2, 1
"""Blanks between columns; the narrow gap where words would break otherwise."""
_READABLE = 20
"""Characters on a line from which on wrapped text is easy to read."""
_PRIORITY_STYLES = {Priority.HIGH: "bold", Priority.MEDIUM: "", Priority.LOW: "dim"}


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table; in a pipe every column is printed, each row on one line."""

    title: str
    below: str = ""
    """Title of the texts below its cells: on a terminal in the same column, in a pipe the next."""
    whole: bool = False
    """True if its cells are never wrapped."""
    main: bool = False
    """True if it keeps its share of the width."""
    number: bool = False
    """True if its cells are aligned to the right."""
    shown_from: int = 0
    """Width of a terminal from which on it is shown."""
    minor: bool = False
    """True if it makes room where the columns are too wide for the terminal.

    Its cells go below those of the main column, and are left out without one.
    """
    style: str = ""
    """Style on a terminal of cells without one of their own."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """Text of any origin, its style on a terminal, and the text below it."""

    text: str
    style: str = ""
    below: str = ""


def print_columns(
    columns: Sequence[TableColumn],
    rows: Iterable[Sequence[str | TableCell]],
    *,
    headings: Mapping[int, str] | None = None,
) -> None:
    """Print the titles and the rows; in a pipe whole, aligned and without styles.

    `headings` are printed above the rows with these numbers, on a terminal in the main column;
    in a pipe they take the place of titles, also if there are none. Without rows nothing is
    printed.
    """
    table = [
        [_plain_cell(cell, column) for cell, column in zip(row, columns, strict=True)]
        for row in rows
    ]
    groups = {at: plain_line(text) for at, text in (headings or {}).items()}
    if not table:
        return
    if sys.stdout.isatty():
        _print_table(columns, table, groups)
    else:
        _print_lines(columns, table, groups, with_titles=headings is None)


def _plain_cell(cell: str | TableCell, column: TableColumn) -> TableCell:
    if isinstance(cell, str):
        return TableCell(plain_line(cell), column.style)
    return TableCell(plain_line(cell.text), cell.style, plain_line(cell.below))


def _print_lines(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[TableCell]],
    headings: Mapping[int, str],
    *,
    with_titles: bool,
) -> None:
    texts: list[list[str]] = []
    numbers = []
    for at, column in enumerate(columns):
        cells = [row[at] for row in rows]
        for title, found in (
            (column.title, [cell.text for cell in cells]),
            (column.below, [cell.below for cell in cells]),
        ):
            if any(found):
                numbers += [len(texts)] if column.number else []
                texts.append([title, *found] if with_titles else found)
    for at, line in enumerate(align_columns(texts, numbers=numbers)):
        if at in headings:
            sys.stdout.write(f"\n{headings[at]}\n" if at else f"{headings[at]}\n")
        sys.stdout.write(f"{line}\n")


def _print_table(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[TableCell]],
    headings: Mapping[int, str],
) -> None:
    console = open_console()
    room = console.width
    visible = [
        at
        for at, column in enumerate(columns)
        if any(row[at].text or row[at].below for row in rows) and room >= column.shown_from
    ]
    texts = []
    for at, column in enumerate(columns):
        cells = [text for row in rows for text in (row[at].text, row[at].below)]
        groups = headings.values() if column.main else ()
        texts.append([column.title, column.below, *cells, *groups])
    below: list[int] = []
    if not _is_roomy([columns[at] for at in visible], [texts[at] for at in visible], room):
        below = [at for at in visible if columns[at].minor]
        visible = [at for at in visible if not columns[at].minor]
    shown = [columns[at] for at in visible]
    gap, widths = _fit(shown, [texts[at] for at in visible], room)

    def print_row(cells: Sequence[Text]) -> None:
        for line in _wrap_row(console, shown, cells, widths, gap):
            console.print(line, no_wrap=True, overflow="crop")

    print_row([_stacked(column.title, "dim", column.below) for column in shown])
    for number, row in enumerate(rows):
        if number in headings:
            if number:
                console.print()
            heading = Text(headings[number], "bold")
            print_row([heading if column.main else Text() for column in shown])
        print_row([_table_cell(row, at, below if columns[at].main else ()) for at in visible])


def _table_cell(row: Sequence[TableCell], at: int, below: Sequence[int]) -> Text:
    """Return a cell, with the texts of the cells `below` on a line of their own."""
    cell = _stacked(row[at].text, row[at].style, row[at].below)
    found = [Text(row[each].text, row[each].style) for each in below if row[each].text]
    return Text("\n").join((cell, Text(" · ", "dim").join(found))) if found else cell


def _stacked(text: str, style: str, below: str) -> Text:
    cell = Text(text, style)
    return Text("\n").join((cell, Text(below, "dim"))) if below else cell


def _wrap_row(
    console: Console,
    columns: Sequence[TableColumn],
    cells: Sequence[Text],
    widths: Sequence[int],
    gap: int,
) -> Iterator[Text]:
    """Yield the lines of a row, without blanks at their ends."""
    wrapped = [
        cell.wrap(console, width, overflow="fold", no_wrap=column.whole)
        for column, cell, width in zip(columns, cells, widths, strict=True)
    ]
    for pieces in zip_longest(*wrapped, fillvalue=Text()):
        line = Text()
        for column, piece, width in zip(columns, pieces, widths, strict=True):
            piece.rstrip()
            blanks = " " * (width - piece.cell_len)
            line.append_text(Text(blanks) + piece if column.number else piece + blanks)
            line.append(" " * gap)
        line.rstrip()
        yield line


def _is_roomy(columns: Sequence[TableColumn], texts: Sequence[Sequence[str]], room: int) -> bool:
    """Return True if all columns fit, each in a width in which it is easy to read."""
    needs = sum(map(_readable_width, columns, texts, repeat(room)))
    return needs + _GAP * (len(columns) - 1) <= room


def _readable_width(column: TableColumn, texts: Sequence[str], room: int) -> int:
    width = _width(texts)
    if column.main:
        return min(width, int(room * _MAIN_SHARE))
    return width if column.whole else max(_word_width(texts), min(width, _READABLE))


def _fit(
    columns: Sequence[TableColumn], texts: Sequence[Sequence[str]], room: int
) -> tuple[int, list[int]]:
    """Return the gap between the columns and their widths; words break where nothing else helps."""
    widths = [*map(_width, texts)]
    readable = [*map(_readable_width, columns, texts, repeat(room))]
    words = [*map(_word_width, texts)]
    rows = [*zip(columns, widths, readable, words, strict=True)]
    wide = [max(least, 0 if column.whole else word) for column, _, least, word in rows]
    unbroken = [
        max(least, word) if column.main else width if column.whole else word
        for column, width, least, word in rows
    ]
    broken_main = [
        least if column.main or column.whole else word for column, _, least, word in rows
    ]
    broken = [least if column.main or column.whole else 1 for column, _, least, _ in rows]
    for lows in (wide, unbroken, broken_main):
        for gap in (_GAP, _NARROW_GAP):
            available = room - gap * (len(columns) - 1)
            if sum(lows) <= available:
                return gap, _share_out(lows, widths, available)
    return _NARROW_GAP, _share_out(broken, widths, room - _NARROW_GAP * (len(columns) - 1))


def _share_out(lows: Sequence[int], highs: Sequence[int], available: int) -> list[int]:
    """Return widths between their limits: as even as possible, and as wide as there is room."""

    def widths(level: int) -> list[int]:
        return [min(high, max(low, level)) for low, high in zip(lows, highs, strict=True)]

    level = 0
    while level < max(highs) and sum(widths(level + 1)) <= available:
        level += 1
    found, wider = widths(level), widths(level + 1)
    for at, width in enumerate(wider):
        if sum(found) < available:
            found[at] = width
    return found


def _width(texts: Iterable[str]) -> int:
    """Return the width of the widest text."""
    return max(map(cell_len, texts), default=0)


def _word_width(texts: Iterable[str]) -> int:
    return _width(word for text in texts for word in text.split())


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
