"""CSV: a row for each task, columns by their names in the first line, in any order."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_text
from todo_tui.formats.csv_cells import cell_of, guarded, repeat_in, unguarded, value_of
from todo_tui.formats.csv_columns import COLUMNS, Row, Table, rows_of, table_of
from todo_tui.formats.csv_todoist import read_todoist
from todo_tui.formats.drafts import draft_by_ids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.reading import Context, Gathering, Reading

KEPT = "csv"
"""Where columns that are not ours are kept in `extra`."""

_RECOGNISED = 2
_NOT_IDENTITY = frozenset({"status", "completed_at", "updated_at"})


def looks_like(text: str) -> bool:
    """Whether its first line names columns of tasks, titles among them."""
    table = table_of(text[:100_000])
    known = sum(field is not None for field in table.fields)
    return table.is_todoist or (table.knows_titles and known >= _RECOGNISED)


def write(tasks: Sequence[Task], context: Context) -> Iterator[str]:
    """All columns of ours, then those that came with the tasks."""
    columns = _further_columns(tasks)
    yield _line([*COLUMNS, *columns])
    for task in tasks:
        values = task.to_json()
        further = _further(task)
        if further:
            values["extra"] = {key: task.extra[key] for key in task.extra if key != KEPT} or None
        cells = [cell_of(values[name]) for name in COLUMNS]
        yield _line([*cells, *(further.get(name, "") for name in columns)])


def read(text: str, context: Context) -> Reading:
    """Read the rows.

    Raises:
        ValidationError: its first line names no column for titles.
    """
    table = table_of(text)
    rows, problem = rows_of(text, table)
    gathering = Gathering()
    if table.is_todoist:
        read_todoist(table, rows, context, gathering)
    elif not table.knows_titles:
        raise ValidationError(
            "Its first line names no column for the titles of tasks.",
            hint="Name the columns there: title,due,priority,project,tags,notes.",
        )
    else:
        _read_rows(table, rows, context, gathering)
    if problem is not None:
        with gathering.entry(problem.message.partition(":")[0]):
            raise problem
    return gathering.reading()


def _read_rows(table: Table, rows: Sequence[Row], context: Context, gathering: Gathering) -> None:
    identities = Identities("csv")
    for row in rows:
        place = f"Line {row.line}"
        with gathering.entry(place):
            values = _values(table, row, context)
            if values.get("uuid") is None:
                values["uuid"] = identities.uuid_of(*_identity(table, row))
            gathering.add(draft_by_ids(Entry(place, values)))


def _values(table: Table, row: Row, context: Context) -> dict[str, JsonValue]:
    """The cells of a row as an object of our own JSON.

    Raises:
        ValidationError: it has more cells than the first line has names.
    """
    if len(row.cells) > len(table.names):
        raise ValidationError(
            f"Line {row.line}: it has {len(row.cells)} cells, the first line {len(table.names)}.",
            hint="Put cells with a separator in them into quotation marks.",
        )
    values: dict[str, JsonValue] = {}
    further: dict[str, JsonValue] = {}
    for name, field, cell in zip(table.names, table.fields, row.cells, strict=False):
        text = unguarded(cell)
        if not text:
            continue
        value = text if field is None else value_of(field, text, context)
        if field is None or (field in ("id", "parent") and isinstance(value, str)):
            further[name] = text
        else:
            values[field] = value
            if field in ("due", "recurrence"):
                values |= _repeat(text, values, context)
    if further:
        kept = values.get("extra")
        values["extra"] = {**(kept if isinstance(kept, dict) else {}), KEPT: further}
    return values


def _repeat(text: str, values: dict[str, JsonValue], context: Context) -> dict[str, JsonValue]:
    """What words for a repeat say beside the rule, unless other columns do."""
    read = repeat_in(text, context)
    if read is None:
        return {}
    said: dict[str, JsonValue] = {
        "recurrence": read.recurrence.rule,
        "repeat_from": read.recurrence.repeat_from.value,
    }
    if values.get("due") in (None, text):
        said["due"] = read.first.iso()
    return said


def _identity(table: Table, row: Row) -> list[str]:
    cells = zip(table.names, table.fields, row.cells, strict=False)
    return [f"{name}={cell}" for name, field, cell in cells if cell and field not in _NOT_IDENTITY]


def _further_columns(tasks: Sequence[Task]) -> list[str]:
    names = dict.fromkeys(name for task in tasks for name in _further(task))
    return list(names)


def _further(task: Task) -> dict[str, str]:
    """The columns that a task came with; none where they are not what they were."""
    kept = task.extra.get(KEPT)
    if not isinstance(kept, dict):
        return {}
    further = {name: cell for name, cell in kept.items() if isinstance(cell, str) and cell}
    usable = len(further) == len(kept) and all(map(_is_free, kept))
    return further if usable and all(map(_is_text, further.values())) else {}


def _is_free(name: str) -> bool:
    """Whether a column of that name is read as nothing of ours."""
    return bool(name) and _is_text(name) and table_of(_line(["title", name])).fields[1:] == [None]


def _is_text(cell: str) -> bool:
    return plain_text(cell) == cell


def _line(cells: Sequence[str]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerow([guarded(cell) for cell in cells])
    return buffer.getvalue()
