"""CSV: one row per task, columns found by their names; exports of Todoist and TickTick."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.json_text import format_compact_json
from todo_tui.domain.recurrence.reader import RecurrenceReading, read_recurrence
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import DateStyle, When, effective_zone
from todo_tui.formats.date_order import date_styles
from todo_tui.formats.entry import EntryReader, entry_by_ids, entry_by_uuids
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile, split_lines
from todo_tui.formats.remainder import CONTRARY, UNREAD, Fields

if TYPE_CHECKING:
    from _csv import Reader

_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Start of a formula, including apostrophes already before it."""
_DATE_OR_RULE = re.compile(r"\d{4}-\d\d-|FREQ=|RRULE:", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PRIORITY_WORDS = {
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
    "y": "done", "t": "done", "on": "done", "checked": "done", "[x]": "done", "✓": "done",
    "✔": "done", "✅": "done", "☑": "done", "100%": "done", "100": "done", "1.0": "done",
    "n": "todo", "f": "todo", "off": "todo", "unchecked": "todo", "[ ]": "todo", "☐": "todo",
    "0%": "todo", "incomplete": "todo", "not completed": "todo", "not done": "todo",
    "not complete": "todo", "new": "todo", "active": "todo", "wip": "doing",
    "in-progress": "doing", "in_progress": "doing", "not_started": "todo", "dropped": "cancelled",
    "cancelled": "cancelled", "canceled": "cancelled", "won't do": "cancelled",
}  # fmt: skip
COLUMNS = (
    "id", "uuid", "title", "status", "priority", "due", "due_zone", "start", "start_zone",
    "estimate", "project", "tags", "notes", "recurrence", "repeat_from", "parent", "blocked_by",
    "annotations", "series", "slot", "position", "created_at", "updated_at", "completed_at",
    "deleted_at", "extra",
)  # fmt: skip
"""Our columns in the order written."""
_ALSO = {
    "title": (
        "task", "task name", "card name", "name", "summary", "subject", "content", "todo", "to do",
    ),
    "notes": ("note", "description", "details", "body", "card description"),
    "due": ("due date", "due_date", "date", "deadline"),
    "start": ("start date", "start_date", "starts"),
    "project": ("list", "folder", "project name", "list name", "projects", "section"),
    "tags": ("tag", "labels", "label", "contexts", "categories"),
    "status": ("state",),
    "completion": (
        "done", "completed", "complete", "finished", "is done", "is completed", "due complete",
        "progress", "% complete", "% completed", "percent complete", "checked",
    ),
    "parent": ("parent task", "parent"),
    "recurrence": ("rrule", "repeat", "repeats", "recurring"),
    "created_at": ("created", "created at", "created time", "date created", "added"),
    "updated_at": ("updated", "modified", "last modified", "updated at", "last activity date"),
    "completed_at": (
        "completed at", "completed on", "completed date", "completed time", "completion date",
        "completion time", "completion", "date completed", "date of completion", "done date",
        "done at", "finished at", "finished on", "finish date", "date finished",
    ),
    "priority": ("prio", "importance"),
    "estimate": ("estimated time", "duration"),
    "uuid": ("uid", "guid"),
    "due_zone": ("timezone", "time zone"),
}  # fmt: skip
"""Column names of other programs; of two columns for one field the first one counts."""
_SEPARATORS = ",;\t|"
_LARGEST_CELL = 64 * 1024 * 1024
_TODOIST = {"type", "content", "indent"}
_LABEL = re.compile(r"\s@(\S+)$")
_TODOIST_PRIORITIES = {"1": "high", "2": "medium", "3": "low"}
_UNDERSTOOD = frozenset("type content description priority indent date timezone".split())
_TICKTICK = {"list name", "is check list", "taskid"}
_TICKTICK_FIELDS = {
    "content": "notes", "completed time": "completed_at", "taskid": "id", "parentid": "parent",
}  # fmt: skip
_TICKTICK_WORDS: Mapping[str, Mapping[str, str | None]] = {
    "priority": {"5": "high", "3": "medium", "1": "low", "0": None},
    "status": {"0": "todo", "1": "done", "2": "done", "-1": "cancelled"},
}
_LONGEST_PREAMBLE = 10
"""Records above the header in which a program describes itself."""
_KNOWN_BELOW = 3
"""Known columns by which a header below such records is recognized."""
KEPT = "csv"
"""Key in `extra` for the columns of other programs."""
_DATED = frozenset(
    {"due", "start", "created_at", "updated_at", "completed_at", "completion", "date"}
)
"""Fields with dates; `date` is Todoist's column, and `completion` may be a day or a word."""
_RECOGNISED = 2
_NOT_IDENTITY = frozenset({"status", "completion", "completed_at", "updated_at"})
_TOLD_BY_SEVERAL = frozenset({"completion", "completed_at"})
"""Fields for which every column counts, since they may contradict each other."""
_PERCENT = re.compile(r"(\d{1,3})(?:[.,]\d+)? ?%")
_IS_OPEN = {"todo": True, "doing": True, "done": False}


def escape_formula(cell: str) -> str:
    """Escape a cell that a spreadsheet would evaluate as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """Reverse `escape_formula`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def _format_cell(value: JsonValue) -> str:
    """Format a value: lists of plain words with commas, other lists and objects as JSON."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list() if value and all(_is_plain_word(each) for each in value):
            return ", ".join(map(str, value))
        case list() | dict():
            return format_compact_json(value) if value else ""
        case _:
            return str(value)


def _parse_cell(column: str, cell: str, context: FormatContext) -> JsonValue:
    """Parse a cell of one of our columns into the value of our JSON format.

    Returns a cell that cannot be parsed unchanged, for the entry reader to report.
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
            return _PRIORITY_WORDS.get(cell.strip().lower(), cell)
        case "status":
            return _status(cell)
        case "due" | "start":
            return _moment(cell, context)
        case "recurrence":
            read = _parse_recurrence(cell, context)
            return cell if read is None else read.recurrence.rule
        case "created_at" | "updated_at" | "completed_at" | "deleted_at":
            return _instant(cell, context)
        case _:
            return cell


def _status(cell: str) -> str:
    """Return what a word or a share says of a task; other text unchanged."""
    found = _PERCENT.fullmatch(cell.strip())
    if found:
        return "done" if int(found[1]) >= 100 else "doing" if int(found[1]) else "todo"
    return _STATUSES.get(cell.strip().lower(), cell)


def _parse_recurrence(cell: str, context: FormatContext) -> RecurrenceReading | None:
    """Parse a recurrence in words; None for other text."""
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
    value: JsonValue = cell
    with suppress(ValueError, RecursionError):
        value = json.loads(cell)
    return value


def _whole_number(cell: str) -> JsonValue:
    digits = cell.strip().removeprefix("#")
    return int(digits) if re.fullmatch(r"[0-9]{1,19}", digits) else cell


def _moment(cell: str, context: FormatContext) -> str:
    """Return a day, a time, or an instant with its offset; other text unchanged."""
    text = cell.strip()
    with suppress(ValueError):
        return When.parse(text).iso()
    with suppress(ValueError):
        return datetime.fromisoformat(text).isoformat()
    with suppress(DateNotUnderstood):
        return read_date(text, context.now, context.dates).when.iso()
    return cell


def _instant(cell: str, context: FormatContext) -> str:
    """Return an instant, or a day; other text unchanged."""
    text = cell.strip()
    with suppress(ValueError):
        return text if _DAY.fullmatch(text) else datetime.fromisoformat(text).isoformat()
    with suppress(DateNotUnderstood, OverflowError):
        when = read_date(text, context.now, context.dates).when
        return when.iso() if when.at is None else when.instant(context.zone).isoformat()
    return cell


class CsvRow(NamedTuple):
    """The cells of one row; `line` is the number of its first line, from 1."""

    line: int
    cells: list[str]


class CsvTable(NamedTuple):
    """The header of a table: for each column its name, and its field if it is one of ours."""

    names: list[str]
    fields: list[str | None]
    separator: str
    header_lines: int

    @property
    def is_todoist(self) -> bool:
        """True for a project exported by Todoist."""
        return {name.strip().lower() for name in self.names} >= _TODOIST

    @property
    def is_ticktick(self) -> bool:
        """True for a backup of TickTick."""
        return _is_ticktick(self.names)

    @property
    def is_ours(self) -> bool:
        """True for a table of this program."""
        return set(self.names) >= set(COLUMNS)

    @property
    def known(self) -> int:
        """Number of known columns."""
        return sum(field is not None for field in self.fields)


def _is_ticktick(names: Iterable[str]) -> bool:
    return {name.strip().lower() for name in names} >= _TICKTICK


def _read_header(text: str) -> CsvTable:
    """Read the header of a table, and find its separator by the number of known columns.

    It may stand below records of one cell, in which a program describes itself.
    """
    lines_before = 0
    separators = _SEPARATORS
    first = text.split("\n", 1)[0].strip()
    if first.lower().startswith("sep=") and len(first) == len("sep=;"):
        # A line that tells Excel the separator.
        separators, lines_before = first[-1], 1
    found = []
    for separator in separators:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        names: list[str] = []
        with suppress(csv.Error):
            names = [next(reader, []) for _ in range(lines_before + 1)][-1]
        found.append(CsvTable(names, _field_names(names), separator, reader.line_num))
        if separator != "|" and len(names) == 1:
            found += _header_below(reader, separator)
    return max(found, key=lambda table: table.known)


def _header_below(reader: Reader, separator: str) -> Iterator[CsvTable]:
    with suppress(csv.Error):
        for names in islice(reader, _LONGEST_PREAMBLE):
            if len(names) > 1:
                table = CsvTable(names, _field_names(names), separator, reader.line_num)
                if "title" in table.fields and table.known >= _KNOWN_BELOW:
                    yield table
                return


def _read_rows(text: str, table: CsvTable, collector: EntryCollector) -> list[CsvRow]:
    """Read the rows without empty ones, up to the first that cannot be read."""
    rows: list[CsvRow] = []
    line = 0
    limit = csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=table.separator, strict=True)
    try:
        for cells in reader:
            begins, line = line + 1, reader.line_num
            if begins > table.header_lines and any(cell.strip() for cell in cells):
                rows.append(CsvRow(begins, ["\n".join(split_lines(cell)) for cell in cells]))
    except csv.Error as error:
        place = f"Line {line + 1}"
        with collector.entry(place):
            raise ValidationError(
                f"{place}: unbalanced quotation marks ({error}).",
                hint="The rest of the file is unreadable. Double quotation marks inside cells.",
            ) from error
    finally:
        csv.field_size_limit(limit)
    return rows


def _field_names(names: Sequence[str]) -> list[str | None]:
    """Return the field of each column; None for columns of other programs."""
    lowered = [name.strip().lstrip("\ufeff").lower() for name in names]
    ticktick = _TICKTICK_FIELDS if _is_ticktick(names) else {}
    fields: list[str | None] = [
        ticktick.get(name, name if name in COLUMNS and lowered.index(name) == index else None)
        for index, name in enumerate(lowered)
    ]
    for name, others in _ALSO.items():
        if name in fields:
            continue
        for other in others:
            if other in lowered and fields[lowered.index(other)] is None:
                fields[lowered.index(other)] = name
                if name not in _TOLD_BY_SEVERAL:
                    break
    return fields


def _read_todoist(
    table: CsvTable, rows: Sequence[CsvRow], context: FormatContext, collector: EntryCollector
) -> None:
    """Collect the tasks; sections become projects, comments notes."""
    section: str | None = None
    parents: list[str] = []
    entries: list[ImportEntry] = []
    for row in rows:
        place = f"Line {row.line}"
        cells = {
            name.strip().lower(): unescape_formula(cell)
            for name, cell in zip(table.names, row.cells, strict=False)
            if cell
        }
        with collector.entry(place):
            match cells.get("type"):
                case "section":
                    section, parents = cells.get("content"), []
                case "note" if entries:
                    fields = entries[-1].fields
                    notes = (fields.get("notes"), cells.get("content"))
                    fields["notes"] = "\n\n".join(filter(None, notes))
                case "task":
                    indent = cells.get("indent", "1")
                    del parents[max(int(indent) - 1 if indent.isdigit() else 0, 0) :]
                    parent = parents[-1] if parents else None
                    own = collector.derive_uuid(section or "", *row.cells)
                    parents.append(own)
                    values: Fields = {"uuid": own, "project": section, "parent": parent}
                    values |= _todoist_fields(cells, context)
                    entries.append(entry_by_uuids(EntryReader(place, values, context.zone)))
    for entry in entries:
        with collector.entry(entry.place):
            collector.add(entry)


def _todoist_fields(cells: Mapping[str, str], context: FormatContext) -> Fields:
    title, labels = cells.get("content", ""), list[JsonValue]()
    while (found := _LABEL.search(title)) is not None:
        labels.insert(0, found[1])
        title = title[: found.start()].rstrip()
    fields: Fields = {
        "title": title,
        "notes": cells.get("description"),
        "priority": _TODOIST_PRIORITIES.get(cells.get("priority", "")),
        "tags": labels,
        "extra": {"todoist": {k: v for k, v in cells.items() if k not in _UNDERSTOOD}},
    }
    text, zone = cells.get("date"), cells.get("timezone")
    repeat = None if text is None else _parse_recurrence(text, context)
    if repeat is not None:
        fields["due"], fields["due_zone"] = repeat.first.iso(), zone if repeat.first.at else None
        fields["recurrence"] = repeat.recurrence.rule
        fields["repeat_from"] = repeat.recurrence.repeat_from.value
    elif text is not None:
        due = _moment(text, context)
        fields["due"], fields["due_zone"] = due, zone if "T" in str(due) else None
    return fields


def looks_like(text: str) -> bool:
    """Return True if the first line names columns of tasks, including titles."""
    table = _read_header(text[:100_000])
    return table.is_todoist or ("title" in table.fields and table.known >= _RECOGNISED)


def write(tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
    """Yield our columns, then the columns that came with the tasks."""
    columns = list(dict.fromkeys(name for task in tasks for name in _further(task)))
    yield _line([*COLUMNS, *columns])
    for task in tasks:
        values = task.to_json()
        further = _further(task)
        if further:
            values["extra"] = {key: task.extra[key] for key in task.extra if key != KEPT} or None
        cells = [_format_cell(values[name]) for name in COLUMNS]
        yield _line([*cells, *(further.get(name, "") for name in columns)])


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read the rows.

    Raises:
        AmbiguousDates: nothing tells the order of day and month.
        ValidationError: the first line names no title column.
    """
    table = _read_header(text)
    collector = EntryCollector("todoist" if table.is_todoist else "csv")
    rows = _read_rows(text, table, collector)
    dated = [
        (index, name)
        for index, name in enumerate(table.names)
        if (name.strip().lower() if table.is_todoist else table.fields[index]) in _DATED
    ]
    cells = {
        name: [row.cells[index] for row in rows if index < len(row.cells)] for index, name in dated
    }
    styles = date_styles(cells, context, collector.notes)
    collector.notes += _remarks_on_years(cells, styles, context)
    if table.is_todoist:
        todoist = replace(context, dates=next(iter(styles.values()), context.dates))
        _read_todoist(table, rows, todoist, collector)
        return collector.result()
    contexts = {name: replace(context, dates=style) for name, style in styles.items()}
    if "title" not in table.fields:
        raise ValidationError(
            "The first line has no title column.",
            hint="Name the columns, for example: title,due,priority,project,tags,notes.",
        )
    readings: list[tuple[CsvRow, Fields]] = []
    for row in rows:
        with collector.entry(f"Line {row.line}"):
            values = _values(table, row, context, contexts)
            if values.get("uuid") is None:
                named = zip(table.names, table.fields, row.cells, strict=False)
                identity = (f"{n}={c}" for n, f, c in named if c and f not in _NOT_IDENTITY)
                values["uuid"] = collector.derive_uuid(*identity)
            readings.append((row, values))
    parents = _named_parents(table, readings)
    for row, values in readings:
        place, parent = f"Line {row.line}", parents.get(row.line)
        with collector.entry(place):
            entry = entry_by_ids(EntryReader(place, values, context.zone))
            collector.add(replace(entry, parent_uuid=parent) if parent else entry)
    return collector.result()


def _remarks_on_years(
    columns: Mapping[str, Iterable[str]], styles: Mapping[str, DateStyle], context: FormatContext
) -> Iterator[str]:
    """Yield a sentence for each column with a date without a year that is read as next year's."""
    for name, cells in columns.items():
        for cell in cells:
            if _YEAR.search(cell):
                continue
            with suppress(DateNotUnderstood):
                note = read_date(cell.strip(), context.now, styles[name]).note or ""
                if "has passed: read as" in note:
                    yield f"Dates in `{name}` such as {cell.strip()}: {note}."
                    break


def _named_parents(table: CsvTable, readings: Sequence[tuple[CsvRow, Fields]]) -> Mapping[int, str]:
    """Return the uuids of parents that rows name by title, by line.

    A title that no other row has, or several have, stays among the unread values.
    """
    if "parent" not in table.fields:
        return {}
    column = f"{UNREAD}{table.names[table.fields.index('parent')]}"
    rows_of: dict[str, list[Fields]] = defaultdict(list)
    for _, values in readings:
        rows_of[str(values.get("title")).strip()].append(values)
    found: dict[int, str] = {}
    for row, values in readings:
        named = rows_of.get(str(values.get(column, "")).strip(), ())
        if len(named) == 1 and named[0] is not values:
            del values[column]
            found[row.line] = str(named[0]["uuid"])
    return found


def _values(
    table: CsvTable, row: CsvRow, context: FormatContext, contexts: Mapping[str, FormatContext]
) -> Fields:
    """Return the values of a row; `contexts` are those of columns with dates, by their names."""
    if any(cell.strip() for cell in row.cells[len(table.names) :]):
        raise ValidationError(
            f"Line {row.line}: {len(row.cells)} cells, but the first line has {len(table.names)}.",
            hint="Put cells that contain a separator in quotation marks.",
        )
    values: Fields = {}
    further: Fields = {}
    completions: dict[str, str] = {}
    for name, column, cell in zip(table.names, table.fields, row.cells, strict=False):
        text, own = unescape_formula(cell), contexts.get(name, context)
        if not text:
            continue
        if column is None or (column == "id" and isinstance(_whole_number(text), str)):
            further[name] = text
        elif column == "completion" or (column == "completed_at" and not table.is_ours):
            completions[name] = text
        else:
            values |= _column_values(table, name, column, text, own)
            values |= _repeat(text, values, own) if column in ("due", "recurrence") else {}
    for name, text in completions.items():
        values |= _completion_values(values, name, text, contexts.get(name, context))
    if not table.is_ours:
        values |= _foreign_values(table, values, further, context)
    if further:
        kept = values.get("extra")
        values["extra"] = {**(kept if isinstance(kept, dict) else {}), KEPT: further}
    return values


def _column_values(
    table: CsvTable, name: str, column: str, text: str, context: FormatContext
) -> Fields:
    """Return the field of a cell."""
    if table.is_ticktick and column in _TICKTICK_WORDS:
        return {column: _TICKTICK_WORDS[column].get(text.strip(), text)}
    value = _parse_cell(column, text, context)
    # Other programs write the title of a parent, or an id that is not a number.
    is_foreign = column == "parent" and isinstance(value, str)
    return {f"{UNREAD}{name}" if is_foreign else column: value}


def _completion_values(values: Fields, name: str, text: str, context: FormatContext) -> Fields:
    """Return what a cell says of the completion: a day or moment, a word, or a share."""
    instant, status = _instant(text, context), _status(text)
    if status not in _IS_OPEN:
        if not _DAY.match(instant):
            return {f"{UNREAD}{name}": text}
        key = "completed_at" if "completed_at" not in values else f"{CONTRARY}{name}"
        return {} if values.get(key) == instant else {key: instant}
    if values.get("status") is None:
        return {"status": status}
    before = _IS_OPEN.get(str(values["status"]))
    is_contrary = before is not None and before != _IS_OPEN[status]
    return {f"{CONTRARY}{name}": text} if is_contrary else {}


def _foreign_values(
    table: CsvTable, values: Fields, further: Fields, context: FormatContext
) -> Fields:
    """Return what other programs mean by their moments: one zone for both."""
    fields: Fields = {}
    if "start" in values:
        fields["start_zone"] = values.get("start_zone") or values.get("due_zone")
    if table.is_ticktick:
        fields |= _ticktick_values(values, further, context)
    both = values | fields
    if both.get("start") == both.get("due"):
        # It would hide the task until then.
        fields["start"] = None
    return fields


def _ticktick_values(values: Fields, further: Fields, context: FormatContext) -> Fields:
    """Return project and moments; a day is written there as the instant at which it begins."""
    folder = further.pop("Folder Name", None)
    names = (folder, values.get("project"))
    fields: Fields = {"project": ".".join(str(name) for name in names if name)}
    if further.get("Is All Day") == "true":
        zone = ZoneInfo(effective_zone(str(values.get("due_zone")), context.zone))
        for name in ("due", "start"):
            with suppress(ValueError, OverflowError):
                moment = datetime.fromisoformat(str(values.get(name))).astimezone(zone)
                fields[name] = moment.date().isoformat()
        fields["due_zone"] = None
    return fields


def _repeat(text: str, values: Fields, context: FormatContext) -> Fields:
    """Return the fields that recurrence words imply, unless other columns set them."""
    read = _parse_recurrence(text, context)
    if read is None:
        return {}
    implied: Fields = {
        "recurrence": read.recurrence.rule,
        "repeat_from": read.recurrence.repeat_from.value,
    }
    if values.get("due") in (None, text):
        implied["due"] = read.first.iso()
    return implied


def _further(task: Task) -> dict[str, str]:
    """Return the columns of other programs that came with a task; empty if they were altered."""
    kept = task.extra.get(KEPT)
    if not isinstance(kept, dict):
        return {}
    further = {name: cell for name, cell in kept.items() if isinstance(cell, str) and cell}
    usable = len(further) == len(kept) and all(map(_is_free, kept))
    return further if usable and all(map(_is_text, further.values())) else {}


def _is_free(name: str) -> bool:
    """Return True if a column of that name is not read as a field of ours."""
    return (
        bool(name) and _is_text(name) and _read_header(_line(["title", name])).fields[1:] == [None]
    )


def _is_text(cell: str) -> bool:
    return plain_text(cell) == cell


def _line(cells: Sequence[str]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerow([escape_formula(cell) for cell in cells])
    return buffer.getvalue()
