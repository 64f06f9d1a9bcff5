"""Markdown checklists: headings are projects, nested items subtasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import NamedTuple

from todo_tui.domain.change_words.signs import (
    Sign,
    SpanKind,
    find_literals,
    find_signs,
    sign_priority,
)
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.estimates import estimate_word, parse_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import describe_recurrence, read_recurrence
from todo_tui.domain.task import RepeatFrom, Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import DateStyle, When
from todo_tui.formats import remainder
from todo_tui.formats.entry import entry_from_fields
from todo_tui.formats.obsidian import KEPT as _KEPT
from todo_tui.formats.obsidian import Tasks, read_signs, without_completion, without_tags
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile, split_lines
from todo_tui.formats.remainder import Fields

_BOX = re.compile(
    r"(?P<indent>[ \t]*+)(?:[-*+]|\d{1,9}[.)])[ \t]++\[(?P<mark>.)\](?:[ \t]++(?P<words>.*+))?"
)
_COMMENT, _COMMENT_END = "<!-- todo-tui ", " -->"
_DATE = re.compile(
    r"(?<!\S)(?P<key>due|start):(?P<day>\d{4}-\d\d-\d\d)(?:[ T](?P<at>\d\d:\d\d)(?!\S))?(?!\S)"
)
_NEXT_SIGN = re.compile(r" (?=[!@#]\w|due:\d|start:\d)")
_KEY = re.compile(r"(?<!\S)(?=\\*(?:due|start):\d)")
_MASKED = re.compile(r"(?<!\S)\\(?=\\*(?:due|start):\d)")
_MARKS = {" ": "todo", "/": "doing", "x": "done", "X": "done", "-": "cancelled"}
_BOXES = {status: mark for mark, status in _MARKS.items() if mark != "X"}
_TAB = 4
_HEADING = re.compile(r"(#{1,6})[ \t]++(.*+)")
_BLANKS = " \t"
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_QUOTES = re.compile(r"(?:> ?)+")
_QUOTE = re.compile(r"[ \t]*> ?(.*)")
_STEP = 2
"""Columns of indentation per level."""


@dataclass(slots=True)
class ChecklistItem:
    """An item as written: indentation in columns, box, words, remainder, and quoted lines below."""

    indent: int
    mark: str
    words: str
    rest: str | None = None
    notes: list[str] = field(default_factory=list)

    @classmethod
    def parse(cls, line: str) -> ChecklistItem | None:
        """Parse a line; None if it is not a checklist item."""
        found = _BOX.fullmatch(line)
        if found is None:
            return None
        words, rest = found["words"] or "", None
        ended = words.rstrip(_BLANKS)
        before, mark, comment = ended.removesuffix(_COMMENT_END).rpartition(_COMMENT)
        if mark and ended.endswith(_COMMENT_END):
            words, rest = before, comment
        return cls(len(found["indent"].expandtabs(_TAB)), found["mark"], words.strip(), rest)

    def lines(self, rest: str) -> Iterable[str]:
        """Yield the item and its notes as lines, with a remainder in a comment."""
        space = " " * self.indent
        # Within JSON, where nothing may end the comment.
        safe = rest.replace("<", r"\u003c").replace(">", r"\u003e")
        comment = f" {_COMMENT}{safe}{_COMMENT_END}" if rest else ""
        yield f"{space}- [{self.mark}] {self.words}{comment}"
        for note in self.notes:
            yield f"{space}  > {note}" if note else f"{space}  >"


def _item_to_fields(
    item: ChecklistItem, project: str | None, parent: str | None, tasks: Tasks | None = None
) -> Fields:
    """Parse the fields of an item below a heading and another item, given by its uuid.

    With `tasks`, the fields of Obsidian's plugin are read too.
    """
    words, fields = (item.words, Fields()) if tasks is None else read_signs(item.words, tasks)
    words, dates = _without_dates(words)
    title, found = _without_signs(words, is_plain=tasks is None)
    tags = remainder.texts_in(fields.get("tags"))
    for sign in found:
        if sign.span.kind == SpanKind.PRIORITY:
            fields["priority"] = sign_priority(sign.value).value
        elif sign.span.kind == SpanKind.ESTIMATE:
            fields["estimate"] = parse_estimate(sign.value)
        elif sign.span.kind == SpanKind.PROJECT:
            project = sign.value
        else:
            tags.append(sign.value)
    fields = dates | fields
    kept = remainder.kept_in(fields, _KEPT)
    fields |= {
        "title": _MASKED.sub("", title),
        "notes": "\n".join(item.notes),
        "status": _MARKS.get(item.mark, "todo"),
        "project": project,
        "parent": parent,
        "tags": list(dict.fromkeys(tags)),
    }
    if item.mark not in _MARKS:
        kept = {**kept, "mark": item.mark}
    fields[_KEPT] = kept
    return remainder.without_empty(fields)


def _fields_to_item(original: Fields, indent: int, *, is_plain: bool = False) -> ChecklistItem:
    """Build the item that expresses as many of the fields as words can.

    Plain words are for people alone: nothing is escaped, and no sign has to be read back.
    """
    status, notes = str(original["status"]), str(original.get("notes") or "")
    title = str(original["title"])
    words = [title if is_plain else _KEY.sub(r"\\", title)]
    words += [*_signs(original, is_plain=is_plain), *_dates(original, is_plain=is_plain)]
    mark = _kept_mark(original) if status == "todo" else _BOXES[status]
    return ChecklistItem(indent, mark, " ".join(words), notes=notes.split("\n") if notes else [])


def _without_dates(words: str) -> tuple[str, Fields]:
    """Split off the dates; one that does not exist is passed on as it is."""
    fields: Fields = {}
    while found := next((d for d in _DATE.finditer(words) if d["key"] not in fields), None):
        key, end = found["key"], found.end()
        text = f"{found['day']}T{found['at']}" if found["at"] else found["day"]
        fields[key] = text
        with suppress(ValueError):
            when = When.parse(text)
            fields[key] = when.iso()
            if key == "due":
                end, repeat = _repeat_after(words, end, when.day)
                fields |= repeat
        words = words[: found.start()].rstrip(" ") + words[end:]
    return words.strip(), fields


def _repeat_after(words: str, start: int, day: date) -> tuple[int, Fields]:
    """Parse a recurrence that follows a due date up to the next sign; return its end too."""
    sign = _NEXT_SIGN.search(words, start)
    end = len(words) if sign is None else sign.start()
    phrase = words[start:end].strip()
    if not phrase.lower().startswith("every"):
        return start, {}
    try:
        # Relative to its own date, so that an old file keeps its meaning.
        read = read_recurrence(phrase, datetime.combine(day, time()), DateStyle())
    except DateNotUnderstood:
        return start, {}
    rule, repeat_from = read.recurrence
    return end, {"recurrence": rule, "repeat_from": repeat_from.value}


def _without_signs(words: str, *, is_plain: bool) -> tuple[str, list[Sign]]:
    """Split off all signs, but leave at least one word; `#` is a project if it is `is_plain`.

    Else it is a tag of Obsidian, which is split off at both ends.
    """
    # Ids are those of another list.
    links = {SpanKind.PARENT, SpanKind.BLOCKER} | (set() if is_plain else {SpanKind.PROJECT})
    signs = find_signs(words, find_literals(words))
    found = [sign for sign in signs if sign.span.kind not in links]
    end = len(words)
    for sign in reversed(found):
        after = words[sign.span.end : end].strip()
        if after if is_plain else without_tags(after):
            break
        end = sign.span.start
    title = words[:end].strip()
    if not is_plain:
        title = without_tags(title)
    return title or words, found


def _signs(original: Fields, *, is_plain: bool) -> Iterable[str]:
    if isinstance(original.get("priority"), str):
        yield f"!{original['priority']}"
    if isinstance(original.get("estimate"), int):
        yield estimate_word(int(str(original["estimate"])))
    for tag in remainder.texts_in(original.get("tags")):
        sign = f"@{tag}"
        read = find_signs(sign, find_literals(sign))
        if len(read) == 1 and read[0].span.end == len(sign):
            yield sign
        elif is_plain:
            yield "_".join(sign.split())


def _dates(original: Fields, *, is_plain: bool) -> Iterable[str]:
    if "due" in original:
        yield f"due:{original['due']}".replace("T", " ")
        rule = original.get("recurrence")
        if isinstance(rule, str):
            recurrence = Recurrence(rule, RepeatFrom(str(original["repeat_from"])))
            words = describe_recurrence(recurrence, readable=not is_plain)
            if is_plain or words.startswith("every"):
                yield words
    if "start" in original:
        yield f"start:{original['start']}".replace("T", " ")


def _kept_mark(original: Fields) -> str:
    mark = remainder.kept_in(original, _KEPT).get("mark")
    if isinstance(mark, str) and len(mark) == 1 and mark.isprintable() and mark not in _MARKS:
        return mark
    return " "


def looks_like(text: str) -> bool:
    """Return True if there is a checklist item near the beginning."""
    return any(ChecklistItem.parse(_unquoted(line)) for line in split_lines(text[:20_000]))


def write(tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
    """Yield a heading for each project, and subtasks under their tasks."""
    originals = {
        task.id: fields
        for task, fields in zip(tasks, remainder.tasks_to_fields(tasks, context), strict=True)
    }
    children: dict[int, list[Task]] = {}
    by_project: dict[str | None, list[Task]] = {None: []}
    for task in tasks:
        if task.parent in originals and task.parent is not None:
            children.setdefault(task.parent, []).append(task)
        else:
            by_project.setdefault(task.project, []).append(task)
    gap = ""
    for project, roots in by_project.items():
        heading = None
        if project is not None:
            yield f"{gap}# {project}\n\n"
            found = _level_and_text(f"# {project}")
            heading = found[1] or None if found else None
        waiting = [(task, 0) for task in reversed(roots)]
        while waiting:
            task, depth = waiting.pop()
            waiting += [(each, depth + 1) for each in reversed(children.get(task.id, ()))]
            if context.is_plain:
                item = _fields_to_item(originals[task.id], depth * _STEP, is_plain=True)
                yield "".join(f"{line}\n" for line in item.lines(""))
                continue
            parent = context.uuids.get(task.parent or 0) if depth else None
            yield _written(originals[task.id], depth, heading, parent)
        gap = "\n" if roots or project is not None else ""


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read all checklist items; other text is skipped, and counted in a note."""
    collector = EntryCollector("markdown")
    outline = _ChecklistReader()
    for number, line in enumerate(split_lines(text), start=1):
        outline.take(number, line)
    uuids: list[str] = []
    for found in outline.found:
        parent = None if found.parent is None else uuids[found.parent]
        words = without_completion(found.item.words)
        uuids.append(collector.derive_uuid(found.project or "", parent or "", words))
    foreign = {
        uuids[index]: each.item.words
        for index, each in enumerate(outline.found)
        if each.item.rest is None
    }
    tasks = Tasks.of(foreign)
    for index, found in enumerate(outline.found):
        place = f"Line {found.number}"
        with collector.entry(place):
            parent = None if found.parent is None else uuids[found.parent]
            is_ours = found.item.rest is not None
            fields = _item_to_fields(found.item, found.project, parent, None if is_ours else tasks)
            fields = remainder.apply_remainder(fields, found.item.rest)
            fields.setdefault("uuid", uuids[index])
            entry = entry_from_fields(place, fields, context.zone)
            uuids[index] = entry.uuid or uuids[index]
            collector.add(entry)
    if outline.passed_over:
        one, many = "line that is not a checklist item", "lines that are not checklist items"
        collector.notes.append(f"Skipped {format_count(outline.passed_over, one, many)}.")
    return collector.result()


def _written(original: Fields, depth: int, project: str | None, parent: str | None) -> str:
    item = _fields_to_item(original, depth * _STEP)
    outline = _ChecklistReader()
    for number, line in enumerate(item.lines("{}"), start=1):
        outline.take(number, line)
    parsed = _item_to_fields(outline.found[0].item, project, parent)
    rest = remainder.format_remainder(original, parsed)
    return "".join(f"{line}\n" for line in item.lines(rest))


def _level_and_text(line: str) -> tuple[int, str] | None:
    """Parse a heading, with or without closing `##`; None for other lines."""
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    text = found[2].rstrip(_BLANKS)
    opened = text.rstrip("#")
    is_closed = opened != text and opened.endswith((" ", "\t"))
    return len(found[1]), opened.rstrip(_BLANKS) if is_closed else text


def _unquoted(line: str) -> str:
    """Return a line without the marks of the quotes around it; indented ones are notes."""
    found = _QUOTES.match(line)
    return line[found.end() :] if found else line


class _FoundItem(NamedTuple):
    """An item with its line number, heading, and the index of its parent item."""

    number: int
    item: ChecklistItem
    project: str | None
    parent: int | None


@dataclass(slots=True)
class _ChecklistReader:
    """Collects the items line by line, each with its heading and parent."""

    found: list[_FoundItem] = field(default_factory=list)
    passed_over: int = 0
    _headings: list[tuple[int, str]] = field(default_factory=list)
    _open: list[tuple[int, int]] = field(default_factory=list)
    """Indentation and index of the possible parents of the next item."""
    _blanks: int = 0
    _fence: str | None = None
    _fence_is_quoted: bool = False
    _is_quoted: bool = False

    def take(self, number: int, line: str) -> None:
        """Read the next line; items in quotes and callouts count too."""
        inner = _unquoted(line)
        if (inner != line) != self._is_quoted:
            self._cross_quote()
        line = inner
        fence = _FENCE.match(line)
        if self._fence is not None:
            if fence and fence[1].startswith(self._fence):
                self._fence = None
            return
        if not line.strip():
            self._blanks += 1
            return
        item = ChecklistItem.parse(line)
        heading = None if self._is_quoted else _level_and_text(line)
        if item is not None and (item.words or item.rest is not None):
            self._add(number, item)
        elif heading is not None:
            level, text = heading
            while self._headings and self._headings[-1][0] >= level:
                self._headings.pop()
            if text:
                self._headings.append((level, text))
            self._open.clear()
        elif not self._is_note(line):
            self._open.clear()
            self._fence = fence[1] if fence else None
            self._fence_is_quoted = self._is_quoted
            self.passed_over += 1
        self._blanks = 0

    def _cross_quote(self) -> None:
        """Begin or end a quote, which ends the code and the items in it."""
        self._is_quoted = not self._is_quoted
        self._fence = None if self._fence_is_quoted else self._fence
        if self._fence is None:
            self._open.clear()

    def _add(self, number: int, item: ChecklistItem) -> None:
        while self._open and self._open[-1][0] >= item.indent:
            self._open.pop()
        parent = self._open[-1][1] if self._open else None
        self._open.append((item.indent, len(self.found)))
        project = ".".join(text for _, text in self._headings) or None
        self.found.append(_FoundItem(number, item, project, parent))

    def _is_note(self, line: str) -> bool:
        """Return True if a line belongs to the item above: quoted or indented text."""
        if not self._open:
            return False
        indent, index = self._open[-1]
        blanks = line[: len(line) - len(line.lstrip())]
        if len(blanks.expandtabs(_TAB)) <= indent:
            return False
        notes = self.found[index].item.notes
        quote = _QUOTE.fullmatch(line)
        gap = [""] * self._blanks if notes else []
        notes += [*gap, quote[1] if quote else line.strip()]
        return True
