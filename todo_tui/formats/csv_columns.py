"""Which column of a table is which field, by its name in the first line."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError

COLUMNS = (
    "id", "uuid", "title", "status", "priority", "due", "due_zone", "start", "start_zone",
    "project", "tags", "notes", "recurrence", "repeat_from", "parent", "blocked_by",
    "annotations", "series", "slot", "position", "created_at", "updated_at", "completed_at",
    "deleted_at", "extra",
)  # fmt: skip
"""All of ours, in the order in which they are written."""

_ALSO = {
    "title": ("task", "task name", "name", "summary", "subject", "content", "todo", "to do"),
    "notes": ("note", "description", "details", "body"),
    "due": ("due date", "due_date", "date", "deadline"),
    "start": ("start date", "start_date", "starts"),
    "project": ("list", "folder", "project name", "list name", "section"),
    "tags": ("tag", "labels", "label", "contexts", "categories"),
    "status": ("state", "done", "completed", "complete"),
    "recurrence": ("rrule", "repeat", "repeats", "recurring"),
    "created_at": ("created", "created at", "created time", "date created", "added"),
    "updated_at": ("updated", "modified", "last modified", "updated at"),
    "completed_at": ("completed at", "completed on", "completion date", "date completed"),
    "priority": ("prio", "importance"),
    "uuid": ("uid", "guid"),
}  # fmt: skip
"""What other programs call them; of two such columns the first one counts."""

_SEPARATORS = ",;\t|"
_LARGEST_CELL = 64 * 1024 * 1024
_TODOIST = {"type", "content", "indent"}


class Row(NamedTuple):
    """The cells of one row; `line` is that of its first one, from 1."""

    line: int
    cells: list[str]


class Table(NamedTuple):
    """A table with its header: for each column the name and the field it means, if any."""

    names: list[str]
    fields: list[str | None]
    separator: str
    header_lines: int

    @property
    def is_todoist(self) -> bool:
        """Whether it is a project as Todoist exports it."""
        return {name.strip().lower() for name in self.names} >= _TODOIST

    @property
    def knows_titles(self) -> bool:
        """Whether one of the columns holds titles."""
        return "title" in self.fields


def table_of(text: str) -> Table:
    """The header of a table, its separator found by trying which one makes sense of it."""
    lines_before = 0
    separators = _SEPARATORS
    first = text.split("\n", 1)[0].strip()
    if first.lower().startswith("sep=") and len(first) == len("sep=;"):
        # A line by which Excel is told.
        separators, lines_before = first[-1], 1
    found = [_header(text, separator, lines_before) for separator in separators]
    return max(found, key=lambda table: sum(field is not None for field in table.fields))


def rows_of(text: str, table: Table) -> tuple[list[Row], ValidationError | None]:
    """The rows under the header but empty ones, and what is wrong with the rest, if anything."""
    rows: list[Row] = []
    line = 0
    limit = csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=table.separator, strict=True)
    try:
        for cells in reader:
            begins, line = line + 1, reader.line_num
            if begins > table.header_lines and any(cell.strip() for cell in cells):
                rows.append(Row(begins, [_unix(cell) for cell in cells]))
    except csv.Error as error:
        problem = ValidationError(
            f"Line {line + 1}: its quotation marks do not fit together ({error}).",
            hint="Nothing from there on can be read. Write a quotation mark in a cell twice.",
        )
        problem.__cause__ = error
        return rows, problem
    finally:
        csv.field_size_limit(limit)
    return rows, None


def field_names(names: Sequence[str]) -> list[str | None]:
    """The field that each column means; None for those of other programs."""
    lowered = [name.strip().lstrip("\ufeff").lower() for name in names]
    fields: list[str | None] = [
        name if name in COLUMNS and lowered.index(name) == index else None
        for index, name in enumerate(lowered)
    ]
    for field, others in _ALSO.items():
        if field in fields:
            continue
        for other in others:
            if other in lowered and fields[lowered.index(other)] is None:
                fields[lowered.index(other)] = field
                break
    return fields


def _header(text: str, separator: str, lines_before: int) -> Table:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    names: list[str] = []
    try:
        for _ in range(lines_before + 1):
            names = next(reader, [])
    except csv.Error:
        names = []
    return Table(names, field_names(names), separator, reader.line_num)


def _unix(cell: str) -> str:
    return cell.replace("\r\n", "\n").replace("\r", "\n")
