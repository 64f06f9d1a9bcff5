"""One item of a Markdown checklist: its box, its words, and the signs after them.

The signs are those of quick add: `!high @bills due:2026-12-01 17:00 every month`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.quick_marks import Sign, SpanKind, literal_runs, priority_of, signs
from todo_tui.domain.recurrence import Recurrence, read_recurrence, recurrence_words
from todo_tui.domain.task import JsonValue, RepeatFrom
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import DateStyle, When
from todo_tui.formats.json_text import escaped_further
from todo_tui.formats.remainder import EXTRA, Fields

KEPT = f"{EXTRA}markdown"
"""Where boxes of other programs are kept: `[>]`."""

_BOX = re.compile(
    r"(?P<indent>[ \t]*+)(?:[-*+]|\d{1,9}[.)])[ \t]++\[(?P<mark>.)\](?:[ \t]++(?P<words>.*+))?"
)
_COMMENT = ("<!-- todo-tui ", " -->")
_DATE = re.compile(
    r"(?<!\S)(?P<key>due|start):(?P<day>\d{4}-\d\d-\d\d)(?:[ T](?P<at>\d\d:\d\d)(?!\S))?(?!\S)"
)
_NEXT_SIGN = re.compile(r" (?=[!@#]\w|due:\d|start:\d)")
_KEY = re.compile(r"(?<!\S)(?=\\*(?:due|start):\d)")
_MASKED = re.compile(r"(?<!\S)\\(?=\\*(?:due|start):\d)")
_MARKS = {" ": "todo", "/": "doing", "x": "done", "X": "done", "-": "cancelled"}
_BOXES = {status: mark for mark, status in _MARKS.items() if mark != "X"}
_TAB = 4


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it stands: indent in columns, box, words, remainder, and quoted lines below."""

    indent: int
    mark: str
    words: str
    rest: str | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Item | None:
        """Take a line apart; None where it is no item of a checklist."""
        found = _BOX.fullmatch(line)
        if found is None:
            return None
        words, rest = _without_comment(found["words"] or "")
        return cls(width_of(found["indent"]), found["mark"], words.strip(), rest)

    def lines(self, rest: str) -> Iterable[str]:
        """The item and its notes as lines, with a remainder in a comment."""
        space = " " * self.indent
        comment = f" <!-- todo-tui {escaped_further(rest, '<>')} -->" if rest else ""
        yield f"{space}- [{self.mark}] {self.words}{comment}"
        for note in self.notes:
            yield f"{space}  > {note}" if note else f"{space}  >"


def width_of(space: str) -> int:
    """Columns that blanks and tabs take."""
    return len(space.expandtabs(_TAB))


def _without_comment(words: str) -> tuple[str, str | None]:
    """Split off the remainder: what the last comment holds, where it ends the words."""
    opening, closing = _COMMENT
    ended = words.rstrip(" \t")
    body = ended.removesuffix(closing)
    before, mark, rest = body.rpartition(opening)
    return (before, rest) if mark and body != ended else (words, None)


def fields_from(item: Item, place: str, project: str | None, parent: str | None) -> Fields:
    """The fields of an item under a heading and under another item, by its uuid.

    Raises:
        ValidationError: a date does not exist; names the place.
    """
    words, fields = _without_dates(item.words, place)
    title, found = _without_signs(words)
    for sign in found:
        match sign.span.kind:
            case SpanKind.PRIORITY:
                fields["priority"] = priority_of(sign.value).value
            case SpanKind.PROJECT:
                project = sign.value
    fields |= {
        "title": _MASKED.sub("", title),
        "notes": "\n".join(item.notes),
        "status": _MARKS.get(item.mark, "todo"),
        "project": project,
        "parent": parent,
        "tags": list(dict.fromkeys(s.value for s in found if s.span.kind == SpanKind.TAG)),
    }
    if item.mark not in _MARKS:
        fields[KEPT] = {"mark": item.mark}
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


def item_of(meant: Fields, indent: int) -> Item:
    """The item that says as much of the fields as words can."""
    status, notes = str(meant["status"]), str(meant.get("notes") or "")
    words = [_KEY.sub(r"\\", str(meant["title"])), *_signs(meant), *_dates(meant)]
    return Item(
        indent=indent,
        mark=_kept_mark(meant) if status == "todo" else _BOXES[status],
        words=" ".join(words),
        notes=tuple(notes.split("\n")) if notes else (),
    )


def _without_dates(words: str, place: str) -> tuple[str, Fields]:
    fields: Fields = {}
    while (found := _next_date(words, fields)) is not None:
        key, end = found["key"], found.end()
        try:
            day = date.fromisoformat(found["day"])
            at = time.fromisoformat(found["at"]) if found["at"] else None
        except ValueError as error:
            title = plain_line(words[: found.start()])[:60].strip()
            raise ValidationError(
                f"{place} (“{title}”): `{key}` cannot be used.",
                hint=f"Write it as {key}:2026-11-19 or {key}:2026-11-19 17:00.",
            ) from error
        fields[key] = When(day, at).iso()
        if key == "due":
            end, repeat = _repeat_after(words, end, day)
            fields |= repeat
        words = words[: found.start()].rstrip(" ") + words[end:]
    return words.strip(), fields


def _next_date(words: str, seen: Fields) -> re.Match[str] | None:
    return next((each for each in _DATE.finditer(words) if each["key"] not in seen), None)


def _repeat_after(words: str, start: int, day: date) -> tuple[int, Fields]:
    """The repeat that follows a due moment up to the next sign, and where it ends."""
    sign = _NEXT_SIGN.search(words, start)
    end = len(words) if sign is None else sign.start()
    phrase = words[start:end].strip()
    if not phrase.lower().startswith("every"):
        return start, {}
    try:
        # From its own day on, so that an old file says what it said then.
        read = read_recurrence(phrase, datetime.combine(day, time()), DateStyle())
    except DateNotUnderstood:
        return start, {}
    rule, repeat_from = read.recurrence
    return end, {"recurrence": rule, "repeat_from": repeat_from.value}


def _without_signs(words: str) -> tuple[str, list[Sign]]:
    """The words without the signs at their end, and all signs; never empty for signs alone."""
    found = signs(words, literal_runs(words))
    end = len(words)
    for sign in reversed(found):
        if words[sign.span.end : end].strip():
            break
        end = sign.span.start
    title = words[:end].strip()
    return title or words, found


def _signs(meant: Fields) -> Iterable[str]:
    if isinstance(meant.get("priority"), str):
        yield f"!{meant['priority']}"
    tags = meant.get("tags")
    for tag in tags if isinstance(tags, list) else ():
        sign = f"@{tag}"
        read = signs(sign, literal_runs(sign))
        if len(read) == 1 and read[0].span.end == len(sign):
            yield sign


def _dates(meant: Fields) -> Iterable[str]:
    due, start = _moment(meant.get("due")), _moment(meant.get("start"))
    if due is not None:
        yield f"due:{due}"
        rule = meant.get("recurrence")
        if isinstance(rule, str):
            words = recurrence_words(Recurrence(rule, RepeatFrom(str(meant["repeat_from"]))))
            if words.startswith("every"):
                yield words
    if start is not None:
        yield f"start:{start}"


def _moment(value: JsonValue) -> str | None:
    return value.replace("T", " ") if isinstance(value, str) else None


def _kept_mark(meant: Fields) -> str:
    kept = meant.get(KEPT)
    mark = kept.get("mark") if isinstance(kept, dict) else None
    usable = isinstance(mark, str) and len(mark) == 1 and mark.isprintable()
    return mark if usable and isinstance(mark, str) and mark not in _MARKS else " "
