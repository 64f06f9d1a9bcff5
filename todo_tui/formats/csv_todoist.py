"""A project as Todoist exports it: tasks, sections and comments in the rows of a table.

https://todoist.com/help/articles/format-a-csv-file-to-import-into-todoist-UVUXTmm6
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.task import JsonValue
from todo_tui.formats.csv_cells import repeat_in, unguarded, value_of
from todo_tui.formats.csv_columns import Row, Table
from todo_tui.formats.drafts import draft_by_uuids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.reading import Context, Gathering

_LABEL = re.compile(r"\s@(\S+)$")
_PRIORITIES = {"1": "high", "2": "medium", "3": "low"}
_UNDERSTOOD = frozenset("type content description priority indent date timezone".split())


@dataclass(slots=True)
class _Place:
    """Where in the project the next row stands."""

    section: str | None = None
    above: list[str] = field(default_factory=list)
    """Uuids of the tasks that it can be under, the outermost first."""
    drafts: list[TaskDraft] = field(default_factory=list)


def read_todoist(table: Table, rows: Sequence[Row], context: Context, gathering: Gathering) -> None:
    """Collect the tasks; sections are projects here, comments go into the notes."""
    identities = Identities("todoist")
    where = _Place()
    for row in rows:
        place = f"Line {row.line}"
        cells = {
            name.strip().lower(): unguarded(cell)
            for name, cell in zip(table.names, row.cells, strict=False)
            if cell
        }
        with gathering.entry(place):
            match cells.get("type"):
                case "section":
                    where.section, where.above = cells.get("content"), []
                case "note" if where.drafts:
                    where.drafts[-1] = _with_note(where.drafts[-1], cells.get("content", ""))
                case "task":
                    own = identities.uuid_of(where.section or "", *row.cells)
                    where.drafts.append(_draft(place, cells, own, where, context))
    for draft in where.drafts:
        with gathering.entry(draft.place):
            gathering.add(draft)


def _draft(
    place: str, cells: dict[str, str], own: str, where: _Place, context: Context
) -> TaskDraft:
    indent = int(cells.get("indent", "1")) if cells.get("indent", "1").isdigit() else 1
    del where.above[max(indent - 1, 0) :]
    title, labels = _labels(cells.get("content", ""))
    values: dict[str, JsonValue] = {
        "uuid": own,
        "title": title,
        "notes": cells.get("description"),
        "priority": _PRIORITIES.get(cells.get("priority", "")),
        "project": where.section,
        "tags": [*labels],
        "parent": where.above[-1] if where.above else None,
        "extra": {"todoist": {k: v for k, v in cells.items() if k not in _UNDERSTOOD}},
    }
    values |= _date(cells, context)
    where.above.append(own)
    return draft_by_uuids(Entry(place, values))


def _date(cells: dict[str, str], context: Context) -> dict[str, JsonValue]:
    text = cells.get("date")
    if text is None:
        return {}
    zone = cells.get("timezone")
    repeat = repeat_in(text, context)
    if repeat is None:
        due = value_of("due", text, context)
        return {"due": due, "due_zone": zone if "T" in str(due) else None}
    return {
        "due": repeat.first.iso(),
        "due_zone": zone if repeat.first.at else None,
        "recurrence": repeat.recurrence.rule,
        "repeat_from": repeat.recurrence.repeat_from.value,
    }


def _labels(content: str) -> tuple[str, list[str]]:
    """The words of a task and the labels that stand after them."""
    labels: list[str] = []
    while (found := _LABEL.search(content)) is not None:
        labels.insert(0, found[1])
        content = content[: found.start()].rstrip()
    return content, labels


def _with_note(draft: TaskDraft, note: str) -> TaskDraft:
    fields = draft.fields.copy()
    fields["notes"] = "\n\n".join(part for part in (fields.get("notes"), note) if part)
    return dataclasses.replace(draft, fields=fields)
