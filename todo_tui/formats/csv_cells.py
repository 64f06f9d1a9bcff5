"""What stands in the cells of a table, and the values it means.

Cells that a spreadsheet would take for a formula (CWE-1236) are written with an
apostrophe before them, which shows them as text there and is taken off again here.
"""

from __future__ import annotations

import json
import re
from datetime import datetime

from todo_tui.domain.dates import read_date
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.recurrence import RecurrenceReading, read_recurrence
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import When
from todo_tui.formats.json_text import compact_json
from todo_tui.formats.reading import Context

_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""What begins a formula, with any apostrophes that already stand before it."""

_DATE_OR_RULE = re.compile(r"\d{4}-\d\d-|FREQ=|RRULE:", re.IGNORECASE)

_PRIORITIES = {
    "high": "high", "h": "high", "1": "high", "p1": "high", "a": "high", "urgent": "high",
    "medium": "medium", "med": "medium", "m": "medium", "2": "medium", "p2": "medium",
    "b": "medium", "normal": "medium",
    "low": "low", "l": "low", "3": "low", "p3": "low", "c": "low",
    "4": None, "p4": None, "0": None, "none": None, "-": None,
}  # fmt: skip
_STATUSES = {
    "todo": "todo", "to do": "todo", "open": "todo", "pending": "todo", "not started": "todo",
    "needs-action": "todo", "no": "todo", "false": "todo", "0": "todo",
    "doing": "doing", "in progress": "doing", "started": "doing", "in-process": "doing",
    "done": "done", "completed": "done", "complete": "done", "yes": "done", "true": "done",
    "x": "done", "1": "done", "closed": "done", "finished": "done",
    "cancelled": "cancelled", "canceled": "cancelled", "won't do": "cancelled",
}  # fmt: skip


def guarded(cell: str) -> str:
    """The cell as a spreadsheet shows it and does not run it."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The reverse of `guarded`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def cell_of(value: JsonValue) -> str:
    """A value as text: lists of plain words with commas, other lists and objects as JSON."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list() if value and all(_is_plain_word(each) for each in value):
            return ", ".join(map(str, value))
        case list() | dict():
            return compact_json(value) if value else ""
        case _:
            return str(value)


def value_of(column: str, cell: str, context: Context) -> JsonValue:
    """What a cell of one of our columns means, as our own JSON has it.

    A cell that cannot be understood is handed on as it is; the entry complains of it.
    """
    match column:
        case "id" | "parent":
            return _whole_number(cell)
        case "tags":
            return _listed(cell)
        case "blocked_by":
            listed = _listed(cell)
            words = listed if isinstance(listed, list) else [listed]
            return [_whole_number(str(each)) for each in words]
        case "annotations" | "extra":
            return _json(cell)
        case "priority":
            return _PRIORITIES.get(cell.strip().lower(), cell)
        case "status":
            return _STATUSES.get(cell.strip().lower(), cell)
        case "due" | "start":
            return _moment(cell, context)
        case "recurrence":
            read = repeat_in(cell, context)
            return cell if read is None else read.recurrence.rule
        case "created_at" | "updated_at" | "completed_at" | "deleted_at":
            return _instant(cell)
        case _:
            return cell


def repeat_in(cell: str, context: Context) -> RecurrenceReading | None:
    """The repeat that a cell is, in words or as a rule; None where it is none."""
    text = cell.strip()
    if not text or _DATE_OR_RULE.match(text):
        return None
    try:
        return read_recurrence(text, context.now, context.dates)
    except DateNotUnderstood:
        return None


def _is_plain_word(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return True
    is_text = isinstance(value, str) and value == value.strip() and bool(value)
    return is_text and not re.search(r"[,;\[\]\n]", str(value))


def _listed(cell: str) -> JsonValue:
    if cell.lstrip().startswith("["):
        return _json(cell)
    separator = ";" if ";" in cell and "," not in cell else ","
    return [word.strip() for word in cell.split(separator) if word.strip()]


def _json(cell: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    return value


def _whole_number(cell: str) -> JsonValue:
    digits = cell.strip().removeprefix("#")
    return int(digits) if re.fullmatch(r"[0-9]{1,19}", digits) else cell


def _moment(cell: str, context: Context) -> JsonValue:
    text = cell.strip()
    try:
        return When.parse(text).iso()
    except ValueError:
        pass
    try:
        return read_date(text, context.now, context.dates).when.iso()
    except DateNotUnderstood:
        return cell


def _instant(cell: str) -> JsonValue:
    """An instant; a plain day and other forms of ISO 8601 are left to the entry."""
    text = cell.strip()
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return cell
