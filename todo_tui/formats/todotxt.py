"""todo.txt: one task a line (https://github.com/todotxt/todo.txt)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.task import Task
from todo_tui.formats.drafts import draft_by_uuids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.reading import Context, Gathering, Reading, lines_of
from todo_tui.formats.remainder import (
    as_entry,
    fields_of,
    positions_matter,
    put_right,
    remainder_of,
)
from todo_tui.formats.todotxt_fields import fields_from, line_of, settled
from todo_tui.formats.todotxt_line import Line

_MARKED = re.compile(
    r"""(?x) ^(?:x[ ]\d{4}-\d\d-\d\d[ ] | \([A-Z]\)[ ] | \d{4}-\d\d-\d\d[ ])
        | (?:^|[ ])(?:[+@]\w | (?:due|t|rec):\S)"""
)
"""What a line of todo.txt has and one of prose has not."""


def looks_like(text: str) -> bool:
    """Whether at least half of its first lines have a mark of todo.txt."""
    lines = [line for line in lines_of(text[:20_000]) if line.strip()][:50]
    marked = sum(_MARKED.search(line) is not None for line in lines)
    return bool(lines) and marked * 2 >= len(lines)


def write(tasks: Sequence[Task], context: Context) -> Iterator[str]:
    """A line for each task, in the order given."""
    with_position = positions_matter(tasks)
    named = {each for task in tasks for each in (task.parent, *task.blocked_by)}
    ids = {task.uuid: str(task.id) for task in tasks if task.id in named}
    uuids = {task_id: uuid for uuid, task_id in ids.items()}
    for task in tasks:
        meant = fields_of(task, context.uuids, with_position=with_position)
        line = line_of(meant, ids, context)
        said = fields_from(Line.parse(line.text()), "", uuids, context)
        rest = remainder_of(meant, said).text()
        if rest:
            line = dataclasses.replace(line, keys=(*line.keys, ("tui", rest)))
        yield line.text() + "\n"


def read(text: str, context: Context) -> Reading:
    """Read the lines; empty ones are passed over."""
    gathering = Gathering()
    identities = Identities("todotxt")
    lines: list[tuple[str, Line]] = []
    for number, words in enumerate(lines_of(text), start=1):
        if words.strip():
            line = Line.parse(words.strip(" \t"))
            if line.value("uuid") is None:
                own = identities.uuid_of(line.identity)
                line = dataclasses.replace(line, keys=(*line.keys, ("uuid", own)))
            lines.append((f"Line {number}", line))
    uuids = _named(lines)
    for place, line in lines:
        with gathering.entry(place):
            gathering.add(_draft(place, line, uuids, context))
    return gathering.reading()


def _named(lines: Sequence[tuple[str, Line]]) -> dict[str, str]:
    """The uuids of the lines that others name, by their `id`."""
    named = {line.value("p") for _, line in lines}
    named |= {each for _, line in lines for each in (line.value("after") or "").split(",")}
    return {
        own: line.value("uuid") or ""
        for _, line in lines
        if (own := line.value("id")) is not None and own in named
    }


def _draft(place: str, line: Line, uuids: Mapping[str, str], context: Context) -> TaskDraft:
    fields = fields_from(line, place, uuids, context)
    rest = line.value("tui")
    if rest is not None:
        fields = put_right(fields, rest, place)
    return draft_by_uuids(Entry(place, as_entry(settled(fields, context))))
