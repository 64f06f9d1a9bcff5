"""todo.txt (https://github.com/todotxt/todo.txt): one task per line."""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Self, cast
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from todo_tui.domain.estimates import estimate_word, parse_estimate
from todo_tui.domain.recurrence.rrule import Frequency, RecurrenceRule
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.formats import remainder
from todo_tui.formats.entry import entry_from_fields
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile, split_lines
from todo_tui.formats.remainder import Fields

_HEAD = re.compile(
    r"""(?x) (?P<done> x\x20 )? (?: \((?P<priority> [A-Z] )\)\x20 )?
        (?: (?P<first> \d{4}-\d\d-\d\d ) (?:\x20|$)
            (?(done) (?(priority) | (?: \((?P<between> [A-Z] )\)\x20 )? )
                (?: (?P<second> \d{4}-\d\d-\d\d ) (?:\x20|$)
                    (?(priority) | (?(between) | (?: \((?P<behind> [A-Z] )\)\x20 )? ) ) )? ) )?"""
)
"""Completion mark, priority, and dates: of creation, of a done task that of completion first.

Of a done task many programs write the priority between or behind the dates.
"""
_KEY = re.compile(r"([A-Za-z][\w.-]*):(?!//)(\S+)")
_TRAILING = re.compile(rf"[+@]\S+|{_KEY.pattern}")
_KNOWN = frozenset(
    "due time zone t est rec pri id p after note uuid created changed ended tui".split()
)
"""Keys with a meaning anywhere in the line."""
_PLAIN_KEYS = frozenset({"due", "time", "t", "est", "rec", "pri"})
"""Keys that people read too."""
_UNSAFE = re.compile(r"[\s%\x00-\x1f\x7f]")
_KEPT = f"{remainder.EXTRA}todo.txt"
"""Key in `extra` for priorities, further projects and keys of other programs."""
_PRIORITIES = {"A": "high", "B": "medium", "C": "low"}
_LETTERS = {word: letter for letter, word in _PRIORITIES.items()}
_UNITS = {freq.value[0].lower(): freq for freq in Frequency if not freq.is_short}
_REC = re.compile(r"(\+?)(\d{0,3})([dwmyb])")
_STAMPS = {"created": "created_at", "changed": "updated_at", "ended": "completed_at"}
_NEAR = timedelta(days=2)
"""Longest distance between an exact moment and the same date in any zone."""
_MARKED = re.compile(
    r"""(?x) ^(?:x[ ]\d{4}-\d\d-\d\d[ ] | \([A-Z]\)[ ] | \d{4}-\d\d-\d\d[ ])
        | (?:^|[ ])(?:[+@]\w | (?:due|t|rec):\S)"""
)
"""Marks of a todo.txt line that prose does not have."""


@dataclass(frozen=True, slots=True)
class TodoTxtLine:
    """A parsed line.

    `title` excludes known keys and what follows its last word; projects and contexts include
    those within the title.
    """

    title: str
    is_done: bool = False
    priority: str | None = None
    completed: str | None = None
    created: str | None = None
    projects: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """Known keys and values in order; of two equal keys the first one counts, the rest is named."""
    others: tuple[str, ...] = ()
    """Further `key:value` words after the last word of the title."""
    identity: str = field(default="", compare=False)
    """Contents that do not change on completion."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a line; every line is valid."""
        head = cast("re.Match[str]", _HEAD.match(text))
        is_done = head["done"] is not None
        created = head["second"] if is_done else head["first"]
        words = text[head.end() :].split(" ")
        keys = tuple(pair for word in words if (pair := _known(word)))
        kept = [word for word in words if not _known(word)]
        end = len(kept)
        while end and (not kept[end - 1] or _TRAILING.fullmatch(kept[end - 1])):
            end -= 1
        end = end if any(kept[:end]) else len(kept)
        return cls(
            title=" ".join(kept[:end]).strip(),
            is_done=is_done,
            priority=head["priority"] or head["between"] or head["behind"],
            completed=head["first"] if is_done else None,
            created=created,
            projects=_signed("+", kept),
            contexts=_signed("@", kept),
            keys=keys,
            others=tuple(word for word in kept[end:] if word and word[0] not in "+@"),
            identity=f"{created or ''} {' '.join(w for w in words if not w.startswith('pri:'))}",
        )

    def value(self, key: str) -> str | None:
        """Return the value of a known key."""
        return next((value for name, value in self.keys if name == key), None)

    def text(self) -> str:
        """Format the line without its end."""
        head = ["x"] if self.is_done else []
        if self.priority is not None and not self.is_done:
            head.append(f"({self.priority})")
        head += [date for date in (self.completed, self.created) if date]
        present = self.title.split(" ")
        signs = [f"+{each}" for each in self.projects] + [f"@{each}" for each in self.contexts]
        keys = [f"{name}:{_escape_value(value)}" for name, value in self.keys]
        tail = [sign for sign in signs if sign not in present]
        return " ".join((*head, self.title, *tail, *self.others, *keys))


def _escape_value(value: str) -> str:
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), value)


def _format_sign(text: str) -> str:
    return re.sub(r"\s+", "_", text)


def _known(word: str) -> tuple[str, str] | None:
    found = _KEY.fullmatch(word)
    if found is None or found[1] not in _KNOWN:
        return None
    return found[1], unquote(found[2])


def _signed(sign: str, words: Sequence[str]) -> tuple[str, ...]:
    found = (word[1:] for word in words if word.startswith(sign) and len(word) > 1)
    return tuple(dict.fromkeys(found))


def _line_to_fields(line: TodoTxtLine, uuids: Mapping[str, str], context: FormatContext) -> Fields:
    """Convert a line to fields; creation and completion are still dates.

    `uuids` maps the `id` values that other lines refer to.
    """
    letter = line.priority or line.value("pri")
    estimate = line.value("est")
    others = list(line.others)
    parent = _named_uuids(line, "p", uuids, others)
    fields: Fields = {
        "uuid": line.value("uuid"),
        "title": line.title,
        "notes": line.value("note"),
        "status": "done" if line.is_done else "todo",
        "priority": _PRIORITIES.get(letter or ""),
        "start": line.value("t"),
        "estimate": parse_estimate(estimate or "") or estimate,
        "project": line.projects[0] if line.projects else None,
        "tags": list(line.contexts),
        "parent": parent[0] if parent else None,
        "blocked_by": [*_named_uuids(line, "after", uuids, others)],
    }
    fields |= _due(line, context) | _repeat(line) | _moments(line)
    fields |= remainder.second_values(line.keys)
    own_id = line.value("id")
    if own_id is not None and own_id not in uuids:
        others.append(f"id:{own_id}")
    kept: Fields = {"projects": list(line.projects[1:]), "words": [*others]}
    kept["priority"] = None if letter in _PRIORITIES else letter
    fields[_KEPT] = remainder.without_empty(kept)
    return remainder.without_empty(fields)


def _fields_to_line(
    original: Fields, ids: Mapping[str, str], context: FormatContext
) -> TodoTxtLine:
    """Build the line that expresses as many of the fields as todo.txt can.

    `ids` maps the uuids of tasks that others refer to.
    """
    kept = remainder.kept_in(original, _KEPT)
    is_done = original["status"] in ("done", "cancelled")
    letter = _LETTERS.get(str(original.get("priority")))
    if letter is None and re.fullmatch("[D-Z]", str(kept.get("priority"))):
        letter = str(kept["priority"])
    # Words that would be read as known keys are escaped.
    words = (
        word.replace(":", "%3A", 1) if _known(word) else word
        for word in str(original["title"]).split(" ")
    )
    projects = remainder.texts_in([original.get("project")])
    projects += remainder.texts_in(kept.get("projects")) if projects else []
    return TodoTxtLine(
        title=" ".join(words),
        is_done=is_done,
        priority=None if is_done else letter,
        completed=_day_of(original.get("completed_at"), context) if is_done else None,
        created=_day_of(original.get("created_at"), context),
        projects=tuple(_format_sign(each) for each in projects),
        contexts=tuple(_format_sign(each) for each in remainder.texts_in(original.get("tags"))),
        keys=tuple(_keys(original, ids, letter if is_done else None)),
        others=tuple(
            _format_sign(plain_line(each)) for each in remainder.texts_in(kept.get("words"))
        ),
    )


def _keys(original: Fields, ids: Mapping[str, str], letter: str | None) -> list[tuple[str, str]]:
    due, start = remainder.when_in(original, "due"), remainder.when_in(original, "start")
    blockers = remainder.texts_in(original.get("blocked_by"))
    are_named = all(each in ids for each in blockers)
    is_closed = original["status"] in ("done", "cancelled")
    changed = original.get("updated_at")
    keys: Fields = {
        "due": due.day.isoformat() if due else None,
        "time": f"{due.at:%H:%M}" if due and due.at else None,
        "zone": original.get("due_zone") if due and due.at else None,
        "t": start.day.isoformat() if start else None,
        "est": _estimate(original.get("estimate")),
        "rec": _rec(original, due),
        "pri": letter,
        "id": ids.get(str(original["uuid"])),
        "p": ids.get(str(original.get("parent"))),
        "after": ",".join(ids[each] for each in blockers) if are_named else None,
        "note": original.get("notes"),
        "uuid": original["uuid"],
        "created": _stamp(original.get("created_at")),
        "changed": _stamp(changed) if changed != original.get("created_at") else None,
        "ended": _stamp(original.get("completed_at")) if is_closed else None,
    }
    return [(name, value) for name, value in keys.items() if isinstance(value, str) and value]


def _estimate(minutes: JsonValue) -> str | None:
    return estimate_word(minutes).lstrip("~") if isinstance(minutes, int) else None


def _rec(original: Fields, due: When | None) -> str | None:
    recurrence = original.get("recurrence")
    rule = remainder.plain_interval(recurrence, due) if isinstance(recurrence, str) else None
    if rule is None or rule.freq.is_short:
        return None
    unit = "b" if rule == remainder.WEEKDAYS else rule.freq.value[0].lower()
    return f"{'' if original.get('repeat_from') == 'completion' else '+'}{rule.interval}{unit}"


def _repeat(line: TodoTxtLine) -> Fields:
    """Convert `rec` to a rule; another value is passed on as it is."""
    rec = line.value("rec")
    if rec is None:
        return {}
    found = _REC.fullmatch(rec)
    interval = int(found[2] or 1) if found else 0
    if found is None or not interval or (found[3] == "b" and interval != 1):
        return {"recurrence": rec}
    rule = remainder.WEEKDAYS if found[3] == "b" else RecurrenceRule(_UNITS[found[3]], interval)
    return {"recurrence": rule.text(), "repeat_from": "due" if found[1] else "completion"}


def _due(line: TodoTxtLine, context: FormatContext) -> Fields:
    """Return due and its zone; values that cannot be read are passed on as they are."""
    fields: Fields = {"due": line.value("due")}
    at = line.value("time")
    try:
        when = When.parse(line.value("due") or "")
    except ValueError:
        return fields
    if at is not None:
        try:
            when = When(when.day, time.fromisoformat(at).replace(second=0, microsecond=0))
        except ValueError:
            fields[f"{remainder.UNREAD}time"] = at
    zone = (line.value("zone") or context.zone) if when.at else None
    return fields | {"due": when.iso(), "due_zone": zone}


def _moments(line: TodoTxtLine) -> Fields:
    """Return the dates at the head of the line, or the exact moments on these dates."""
    fields: Fields = {}
    days = {"created": line.created, "ended": line.completed if line.is_done else None}
    for key, name in _STAMPS.items():
        exact, day = line.value(key), days.get(key)
        try:
            stamp = _exact_or_day(exact, day)
            if key == "created" and exact is not None:
                fields["updated_at"] = stamp
        except (ValueError, OverflowError):
            stamp = exact or day
        if stamp is not None:
            fields[name] = stamp
    return fields


def _exact_or_day(exact: str | None, day: str | None) -> str | None:
    """Return the exact moment, or the date if it was edited since and differs."""
    moment = None if exact is None else datetime.fromisoformat(exact).astimezone(UTC)
    if day is not None:
        midnight = datetime.combine(date.fromisoformat(day), time(), UTC)
        if moment is None or abs(moment - midnight) > _NEAR:
            return day
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _named_uuids(
    line: TodoTxtLine, key: str, uuids: Mapping[str, str], others: list[str]
) -> list[str]:
    """Return the uuids of the lines that a key refers to; unknown references are kept as words."""
    text = line.value(key)
    if text is None:
        return []
    ids = text.split(",") if key == "after" else [text]
    if not all(each in uuids for each in ids):
        others.append(f"{key}:{text}")
        return []
    return [uuids[each] for each in ids]


def _day_of(instant: JsonValue, context: FormatContext) -> str | None:
    if not isinstance(instant, str):
        return None
    with suppress(OverflowError):
        local = datetime.fromisoformat(instant).astimezone(ZoneInfo(context.zone))
        return local.date().isoformat()
    return None


def _stamp(instant: JsonValue) -> str | None:
    if not isinstance(instant, str):
        return None
    in_utc = datetime.fromisoformat(instant).astimezone(UTC)
    return in_utc.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def looks_like(text: str) -> bool:
    """Return True if at least half of the first lines have a mark of todo.txt."""
    lines = [line for line in split_lines(text[:20_000]) if line.strip()][:50]
    marked = sum(_MARKED.search(line) is not None for line in lines)
    return bool(lines) and marked * 2 >= len(lines)


def write(tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
    """Yield a line for each task, in the given order."""
    named = {each for task in tasks for each in (task.parent, *task.blocked_by)}
    ids = {task.uuid: str(task.id) for task in tasks if task.id in named}
    uuids = {task_id: uuid for uuid, task_id in ids.items()}
    for original in remainder.tasks_to_fields(tasks, context):
        line = _fields_to_line(original, ids, context)
        if context.is_plain:
            keys = tuple(pair for pair in line.keys if pair[0] in _PLAIN_KEYS)
            title = str(original["title"])
            yield dataclasses.replace(line, title=title, keys=keys, others=()).text() + "\n"
            continue
        parsed = _line_to_fields(TodoTxtLine.parse(line.text()), uuids, context)
        rest = remainder.format_remainder(original, parsed)
        if rest:
            line = dataclasses.replace(line, keys=(*line.keys, ("tui", rest)))
        yield line.text() + "\n"


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read the lines; empty ones are skipped."""
    collector = EntryCollector("todotxt")
    lines: list[tuple[str, TodoTxtLine]] = []
    for number, words in enumerate(split_lines(text), start=1):
        if words.strip():
            line = TodoTxtLine.parse(words.strip(" \t"))
            if line.value("uuid") is None:
                own = collector.derive_uuid(line.identity)
                line = dataclasses.replace(line, keys=(*line.keys, ("uuid", own)))
            lines.append((f"Line {number}", line))
    named = {line.value("p") for _, line in lines}
    named |= {each for _, line in lines for each in (line.value("after") or "").split(",")}
    uuids = {
        name: line.value("uuid") or ""
        for _, line in lines
        if (name := line.value("id")) is not None and name in named
    }
    for place, line in lines:
        with collector.entry(place):
            fields = _line_to_fields(line, uuids, context)
            fields = remainder.apply_remainder(fields, line.value("tui"))
            collector.add(entry_from_fields(place, fields, context.zone))
    return collector.result()
