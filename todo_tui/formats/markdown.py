"""Markdown: checklists, with headings for projects and nested items for subtasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.task import Task
from todo_tui.formats.drafts import draft_by_uuids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.markdown_item import Item, fields_from, item_of, width_of
from todo_tui.formats.reading import Context, Gathering, Reading, lines_of
from todo_tui.formats.remainder import (
    Fields,
    as_entry,
    fields_of,
    positions_matter,
    put_right,
    remainder_of,
)

_HEADING = re.compile(r"(#{1,6})[ \t]++(.*+)")
_BLANKS = " \t"
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_QUOTE = re.compile(r"[ \t]*> ?(.*)")
_STEP = 2
"""Columns that a subtask is indented."""


def looks_like(text: str) -> bool:
    """Whether there is an item of a checklist near its beginning."""
    return any(Item.parse(line) for line in lines_of(text[:20_000]))


def write(tasks: Sequence[Task], context: Context) -> Iterator[str]:
    """A heading for each project, subtasks under their tasks."""
    with_position = positions_matter(tasks)
    present = {task.id for task in tasks}
    children: dict[int, list[Task]] = {}
    by_project: dict[str | None, list[Task]] = {None: []}
    for task in tasks:
        if task.parent in present and task.parent is not None:
            children.setdefault(task.parent, []).append(task)
        else:
            by_project.setdefault(task.project, []).append(task)
    gap = ""
    for project, roots in by_project.items():
        heading = None if project is None else f"# {project}"
        if heading is not None:
            yield f"{gap}{heading}\n\n"
        waiting = [(task, 0) for task in reversed(roots)]
        while waiting:
            task, depth = waiting.pop()
            waiting += [(each, depth + 1) for each in reversed(children.get(task.id, ()))]
            meant = fields_of(task, context.uuids, with_position=with_position)
            parent = context.uuids.get(task.parent or 0) if depth else None
            yield _written(meant, depth, _project_of(heading), parent)
        gap = "\n" if roots or project is not None else ""


def read(text: str, context: Context) -> Reading:
    """Read all items of checklists; other text is passed over, and counted in a remark."""
    gathering = Gathering()
    outline = _Outline()
    for number, line in enumerate(lines_of(text), start=1):
        outline.take(number, line)
    identities = Identities("markdown")
    uuids: dict[int, str] = {}
    for index, found in enumerate(outline.found):
        place = f"Line {found.number}"
        parent = None if found.parent is None else uuids.get(found.parent)
        said = (found.project or "", parent or "", found.item.words)
        uuids[index] = identities.uuid_of(*said)
        with gathering.entry(place):
            draft = _draft(place, found, parent, uuids[index])
            uuids[index] = draft.uuid or uuids[index]
            gathering.add(draft)
    if outline.passed_over:
        count = outline.passed_over
        lines = "1 line that is" if count == 1 else f"{count:,} lines that are"
        gathering.remarks.append(f"{lines} no item of a checklist: passed over.")
    return gathering.reading()


def _written(meant: Fields, depth: int, project: str | None, parent: str | None) -> str:
    item = item_of(meant, depth * _STEP)
    lines = list(item.lines("{}"))
    said = fields_from(_reread(lines), "", project, parent)
    rest = remainder_of(meant, said).text()
    return "".join(f"{line}\n" for line in item.lines(rest))


def _reread(lines: Sequence[str]) -> Item:
    outline = _Outline()
    for number, line in enumerate(lines, start=1):
        outline.take(number, line)
    return outline.found[0].whole_item


def _draft(place: str, found: _Found, parent: str | None, own: str) -> TaskDraft:
    fields = fields_from(found.whole_item, place, found.project, parent)
    if found.item.rest is not None:
        fields = put_right(fields, found.item.rest, place)
    fields.setdefault("uuid", own)
    return draft_by_uuids(Entry(place, as_entry(fields)))


def _project_of(heading: str | None) -> str | None:
    found = _level_and_text(heading or "")
    return (found[1] or None) if found else None


def _level_and_text(line: str) -> tuple[int, str] | None:
    """Read a heading, also one that is closed with `##`; None where the line is none."""
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    text = found[2].rstrip(_BLANKS)
    opened = text.rstrip("#")
    is_closed = opened != text and opened.endswith((" ", "\t"))
    return len(found[1]), opened.rstrip(_BLANKS) if is_closed else text


@dataclass(frozen=True, slots=True)
class _Found:
    """An item with its place: the number of its line, its heading, the item it is under."""

    number: int
    item: Item
    project: str | None
    parent: int | None
    notes: list[str] = field(default_factory=list)
    """What stands below it so far."""

    @property
    def whole_item(self) -> Item:
        """The item with its notes."""
        return replace(self.item, notes=tuple(self.notes))


@dataclass(slots=True)
class _Outline:
    """Takes lines one by one and keeps the items, each with what it stands under."""

    found: list[_Found] = field(default_factory=list)
    passed_over: int = 0
    _headings: list[tuple[int, str]] = field(default_factory=list)
    _open: list[tuple[int, int]] = field(default_factory=list)
    """Indent and index of the items that the next one can be under."""
    _blanks: int = 0
    _fence: str | None = None

    def take(self, number: int, line: str) -> None:
        """Take the next line."""
        fence = _FENCE.match(line)
        if self._fence is not None:
            if fence and fence[1].startswith(self._fence):
                self._fence = None
            return
        if not line.strip():
            self._blanks += 1
            return
        item = Item.parse(line)
        heading = _level_and_text(line)
        if item is not None and (item.words or item.rest is not None):
            self._add(number, item)
        elif heading is not None:
            self._enter(*heading)
        elif not self._is_note(line):
            self._open.clear()
            self._fence = fence[1] if fence else None
            self.passed_over += 1
        self._blanks = 0

    def _add(self, number: int, item: Item) -> None:
        while self._open and self._open[-1][0] >= item.indent:
            self._open.pop()
        parent = self._open[-1][1] if self._open else None
        self._open.append((item.indent, len(self.found)))
        project = ".".join(text for _, text in self._headings) or None
        self.found.append(_Found(number, item, project, parent))

    def _enter(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        if text:
            self._headings.append((level, text))
        self._open.clear()

    def _is_note(self, line: str) -> bool:
        """Whether a line belongs to the item above it: a quotation or text indented under it."""
        if not self._open:
            return False
        indent, index = self._open[-1]
        if width_of(line[: len(line) - len(line.lstrip())]) <= indent:
            return False
        found = self.found[index]
        quote = _QUOTE.fullmatch(line)
        note = quote[1] if quote else line.strip()
        gap = [""] * self._blanks if found.notes else []
        found.notes.extend([*gap, note])
        return True
