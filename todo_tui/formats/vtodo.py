"""iCalendar VTODO: components to task fields and back (RFC 5545, 3.6.2; RFC 9253, 9.1)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeGuard

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import format_count, plain_line, plain_text, shorten
from todo_tui.domain.when import When, is_known_zone
from todo_tui.formats import remainder, vtodo_lines, vtodo_moments
from todo_tui.formats import vtodo_series as series
from todo_tui.formats.entry import entry_from_fields
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile
from todo_tui.formats.remainder import Fields
from todo_tui.formats.vtodo_moments import Zones, zones_by_name

_OURS = "X-TODO-TUI"
"""Property for the remainder."""
_KEPT = f"{remainder.EXTRA}icalendar"
"""Key in `extra` for lines without a field of ours."""
_STATUSES = {
    "NEEDS-ACTION": "todo", "IN-PROCESS": "doing", "COMPLETED": "done", "CANCELLED": "cancelled",
}  # fmt: skip
_PRIORITIES = {"high": "1", "medium": "5", "low": "9"}
_PRIORITY_OF = dict.fromkeys("1234", "high") | {"5": "medium"} | dict.fromkeys("6789", "low")
_READ = frozenset(
    "UID SUMMARY DESCRIPTION STATUS DUE DTSTART DURATION COMPLETED CREATED LAST-MODIFIED DTSTAMP"
    " CATEGORIES X-TODO-TUI".split()
)
"""Properties that become fields or are regenerated."""
_NAMES = {
    "UID": "uuid", "SUMMARY": "title", "DESCRIPTION": "notes", "STATUS": "status", "DUE": "due",
    "DTSTART": "start", "DURATION": "duration", "COMPLETED": "completed_at",
    "PRIORITY": "priority", "PERCENT-COMPLETE": "percent-complete",
}  # fmt: skip
"""Fields of properties that a VTODO has once at most."""
_TITLE = 200
"""Characters of a description that become the title."""
_STAMP = re.compile(r"\d{8}T\d{6}Z")
_STATUS_OF = {word: name for name, word in _STATUSES.items()}
_YEARS_AHEAD = 10
"""Years of time zone rules written for recurring tasks."""
_NAME = re.compile(r"[A-Za-z0-9-]+(?=[;:])")
_HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todo-tui//todo-tui//EN")
_NOT_IDENTITY = frozenset({"STATUS", "COMPLETED", "PERCENT-COMPLETE", "LAST-MODIFIED", "DTSTAMP"})


class VtodoComponent:
    """Lines of a VTODO by name; those that are not content lines are unreadable."""

    def __init__(self, lines: Sequence[str], zones: Zones) -> None:
        self.zones = zones
        self.lines: list[vtodo_lines.ContentLine] = []
        self.nested: list[str] = []
        self.unreadable: list[str] = []
        depth = 0
        for raw in lines:
            begins, ends = raw[:6].upper() == "BEGIN:", raw[:4].upper() == "END:"
            depth += begins
            if depth:
                self.nested.append(raw)
            else:
                self._add(raw)
            depth -= ends and depth > 0

    def first(self, name: str) -> vtodo_lines.ContentLine | None:
        """Return the first line of that name."""
        return next((line for line in self.lines if line.name == name), None)

    def text(self, name: str) -> str | None:
        """Return the text of the first line of that name."""
        line = self.first(name)
        return None if line is None else vtodo_lines.unescape_text(line.value)

    def _add(self, raw: str) -> None:
        try:
            self.lines.append(vtodo_lines.parse_line(raw))
        except ValueError:
            self.unreadable.append(raw)


def _vtodo_to_fields(todo: VtodoComponent) -> Fields:
    """Convert a VTODO to fields; UTC moments are still stamps.

    Values that cannot be read are passed on as they are.
    """
    kept: list[str] = []
    completed = _instant(todo, "COMPLETED")
    status = _status(todo, is_completed=completed is not None)
    categories = (line.value for line in todo.lines if line.name == "CATEGORIES")
    tags = (tag for value in categories for tag in vtodo_lines.split_list(value))
    fields: Fields = {
        "uuid": todo.text("UID"),
        "title": todo.text("SUMMARY"),
        "notes": todo.text("DESCRIPTION"),
        "status": status,
        "tags": list(dict.fromkeys(tag for tag in tags if tag.strip())),
        "created_at": _instant(todo, "CREATED"),
        "updated_at": _instant(todo, "LAST-MODIFIED") or _instant(todo, "DTSTAMP"),
        "completed_at": completed,
        f"{remainder.UNREAD}lines": [*todo.unreadable],
    }
    fields |= _moments(todo, kept)
    fields |= remainder.second_values(
        (_NAMES[line.name], line.value) for line in todo.lines if line.name in _NAMES
    )
    fields |= _title(todo, fields)
    for line in todo.lines:
        if line.name not in _READ:
            further = _further(line, fields, todo)
            fields |= further or {}
            if further is None:
                kept.append(line.raw)
    if "recurrence" in fields:
        # They are part of the recurrence.
        kept = [raw for raw in kept if raw[: len("EXDATE")].upper() != "EXDATE"]
    fields[_KEPT] = [*kept, *todo.nested]
    return remainder.without_empty(fields)


def _title(todo: VtodoComponent, fields: Fields) -> Fields:
    """Return a title for a VTODO without one: the first words that it has."""
    if str(fields.get("title") or "").strip():
        return {}
    notes = str(fields.get("notes") or "").strip()
    words = [notes.partition("\n")[0].strip(), *remainder.texts_in(fields.get("tags"))]
    title = next(filter(None, words), "")
    return {"title": shorten(plain_line(title), _TITLE)} if title else {}


def _resolve_utc_moments(fields: Fields, context: FormatContext) -> Fields:
    """Convert UTC moments to wall times of their zones, else of the local zone."""
    fields = dict(fields)
    for name in ("due", "start"):
        stamp, zone = fields.get(name), fields.get(f"{name}_zone")
        if isinstance(stamp, str) and _STAMP.fullmatch(stamp):
            there = zone if isinstance(zone, str) and is_known_zone(zone) else context.zone
            with suppress(ValueError):
                fields[name] = vtodo_moments.local_of(stamp, there).iso()
                fields[f"{name}_zone"] = there
    return fields


def _status(todo: VtodoComponent, *, is_completed: bool) -> str:
    text = (todo.text("STATUS") or "").strip().upper()
    if not text:
        percent = todo.text("PERCENT-COMPLETE")
        return "done" if is_completed or percent == "100" else "todo"
    return _STATUSES.get(text, text)


def _instant(todo: VtodoComponent, name: str) -> str | None:
    line = todo.first(name)
    try:
        return None if line is None else vtodo_moments.instant_of(line.value)
    except ValueError:
        return line and line.value


def _moments(todo: VtodoComponent, kept: list[str]) -> Fields:
    """Return due and start; a start that is not read is added to what is kept."""
    fields: Fields = {}
    for name, key in (("DUE", "due"), ("DTSTART", "start")):
        if (line := todo.first(name)) is not None:
            try:
                fields[key], fields[f"{key}_zone"] = vtodo_moments.moment_of(line, todo.zones)
            except ValueError:
                fields[key] = line.value
    if "start" in fields and "due" not in fields:
        fields |= _implied_due(todo, fields)
    given = todo.first("DTSTART")
    if given is not None and fields["start"] == fields.get("due"):
        # It would hide the task until then; many programs write both.
        del fields["start"]
        fields.pop("start_zone", None)
        if todo.first("RRULE") is None:
            kept.append(given.raw)
    return fields


def _implied_due(todo: VtodoComponent, fields: Fields) -> Fields:
    """Return the due moment by a duration; what repeats is due when it starts."""
    line, zone = todo.first("DURATION"), fields.get("start_zone")
    if line is not None:
        try:
            due = _later(str(fields["start"]), vtodo_moments.duration_of(line.value))
        except (ValueError, OverflowError):
            return {f"{remainder.UNREAD}duration": line.value}
        return {"due": due, "due_zone": zone}
    if todo.first("RRULE") is not None:
        return {"due": fields["start"], "due_zone": zone}
    return {}


def _later(start: str, span: timedelta) -> str:
    if _STAMP.fullmatch(start):
        moment = datetime.strptime(start, "%Y%m%dT%H%M%SZ") + span
        return f"{vtodo_moments.date_time(When.of(moment))}Z"
    when = When.parse(start)
    return (When.of(when.local() + span) if when.at else When(when.day + span)).iso()


def _further(line: vtodo_lines.ContentLine, fields: Fields, todo: VtodoComponent) -> Fields | None:
    """Return the field of a property of which only some values are fields; None for others."""
    match line.name:
        case "PRIORITY":
            number = line.value.strip()
            word = _PRIORITY_OF.get(number, "")
            fields |= {"priority": word} if word else {}
            return {} if _PRIORITIES.get(word, "0") == number else None
        case "PERCENT-COMPLETE":
            implied = "100" if fields["status"] == "done" else "0"
            return {} if line.value.strip() == implied else None
        case "RRULE" if fields.get("recurrence") == line.value:
            return {}
        case "RRULE" if "recurrence" not in fields:
            is_kept = series.rule_problem(line.value, todo.lines) is not None
            return None if is_kept else {"recurrence": line.value, "repeat_from": "due"}
        case "RELATED-TO":
            kind = line.params.get("RELTYPE", "PARENT").upper()
            uid = vtodo_lines.unescape_text(line.value)
            if kind == "PARENT" and "parent" not in fields:
                return {"parent": uid}
            if kind == "DEPENDS-ON":
                return {"blocked_by": [*remainder.texts_in(fields.get("blocked_by")), uid]}
        case "RECURRENCE-ID":
            return {}
    return None


def _property_lines(original: Fields) -> Iterator[str]:
    """Yield lines that express as many of the fields as other programs understand."""
    kept = _kept(original)
    updated = _utc(original.get("updated_at")) or _utc(original.get("created_at"))
    yield f"UID:{vtodo_lines.escape_text(str(original['uuid']))}"
    yield f"DTSTAMP:{updated or '19700101T000000Z'}"
    for name, key in (("CREATED", "created_at"), ("LAST-MODIFIED", "updated_at")):
        if (stamp := _utc(original.get(key))) is not None:
            yield f"{name}:{stamp}"
    yield f"SUMMARY:{vtodo_lines.escape_text(str(original['title']))}"
    if "notes" in original:
        yield f"DESCRIPTION:{vtodo_lines.escape_text(str(original['notes']))}"
    status = str(original["status"])
    yield f"STATUS:{_STATUS_OF[status]}"
    completed = _utc(original.get("completed_at"))
    if completed is not None and status in ("done", "cancelled"):
        yield f"COMPLETED:{completed}"
    if status == "done":
        yield "PERCENT-COMPLETE:100"
    yield from _priority_lines(original, kept)
    rule = original.get("recurrence") if status in ("todo", "doing") else None
    yield from _moment_lines(original, kept)
    if isinstance(rule, str):
        yield from series.rule_lines(rule, original)
    if tags := remainder.texts_in(original.get("tags")):
        yield f"CATEGORIES:{','.join(map(vtodo_lines.escape_text, tags))}"
    if "parent" in original:
        yield f"RELATED-TO:{vtodo_lines.escape_text(str(original['parent']))}"
    for blocker in remainder.texts_in(original.get("blocked_by")):
        yield f"RELATED-TO;RELTYPE=DEPENDS-ON:{vtodo_lines.escape_text(blocker)}"
    yield from (line for line in kept if not line.upper().startswith("PRIORITY:"))


def _priority_lines(original: Fields, kept: Sequence[str]) -> Iterator[str]:
    """Yield the priority; the kept number while it means the same."""
    priority = original.get("priority")
    numbers = [line[9:].strip() for line in kept if line.upper().startswith("PRIORITY:")]
    if numbers and _PRIORITY_OF.get(numbers[0]) == priority:
        yield f"PRIORITY:{numbers[0]}"
    elif isinstance(priority, str):
        yield f"PRIORITY:{_PRIORITIES[priority]}"


def _moment_lines(original: Fields, kept: Sequence[str]) -> Iterator[str]:
    """Yield DUE, and DTSTART if RFC 5545 allows both: the same value type, and earlier.

    What repeats has DTSTART too, from which other programs count.
    """
    due, start = remainder.when_in(original, "due"), remainder.when_in(original, "start")
    if due is not None:
        yield _moment_line("DUE", due, original.get("due_zone"))
    rule = original.get("recurrence") if original["status"] in ("todo", "doing") else None
    allowed = due is None or (
        start is not None and (start.at is None) == (due.at is None) and start.local() < due.local()
    )
    names = {line[: len("DTSTART")].upper() for line in kept}
    if start is not None and allowed and (rule is None or series.counts_from_start(str(rule), due)):
        yield _moment_line("DTSTART", start, original.get("start_zone"))
    elif due is not None and (
        rule is not None
        or "DTSTART" in names
        or "RRULE" in {name[: len("RRULE")] for name in names}
    ):
        yield _moment_line("DTSTART", due, original.get("due_zone"))
    elif rule is not None and isinstance(created := original.get("created_at"), str):
        yield _moment_line("DTSTART", When.parse(created[: len("2026-11-19")]), None)


def _moment_line(name: str, when: When, zone: JsonValue) -> str:
    moment = vtodo_moments.date_time(when)
    if when.at is None:
        return f"{name};VALUE=DATE:{moment}"
    if _is_written(zone):
        return f"{name};TZID={zone}:{moment}"
    return f"{name}:{moment}{'Z' if zone == 'UTC' else ''}"


def _is_written(zone: JsonValue) -> TypeGuard[str]:
    """Return True if the zone is known to this system and can be written with its rules."""
    return isinstance(zone, str) and zone != "UTC" and is_known_zone(zone)


def _utc(instant: JsonValue) -> str | None:
    return vtodo_moments.utc_stamp(instant) if isinstance(instant, str) else None


def _kept(original: Fields) -> list[str]:
    """Return the lines of other programs; none if they were altered."""
    lines = remainder.texts_in(original.get(_KEPT))
    is_closed = original["status"] in ("done", "cancelled")
    kept: list[str] = []
    depth = 0
    for line in lines:
        found = _NAME.match(line)
        name = found[0].upper() if found else ""
        depth += (name == "BEGIN") - (name == "END")
        is_plain = name and plain_text(line) == line and "\n" not in line
        is_todo = name in ("BEGIN", "END") and "VTODO" in line.upper()
        is_read = not depth and name in _READ and name != "DTSTART"
        if not is_plain or is_todo or depth < 0 or is_read:
            return []
        if depth or not (is_closed and name in series.RULES):
            kept.append(line)
    return kept if not depth else []


def looks_like(text: str) -> bool:
    """Return True for the start of a calendar."""
    return text.lstrip("\ufeff \t\r\n")[:15].upper() == "BEGIN:VCALENDAR"


def write(tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
    """Yield one calendar with all tasks and their time zones."""
    original = list(remainder.tasks_to_fields(tasks, context))
    yield from vtodo_lines.fold_lines(_HEAD)
    for zone, (first, last) in sorted(_years_of_zones(original).items()):
        yield from vtodo_lines.fold_lines(vtodo_moments.zone_lines(zone, first, last))
    for each in original:
        yield "".join(vtodo_lines.fold_lines(_todo_lines(each)))
    yield "END:VCALENDAR\r\n"


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read every VTODO; events and journals are skipped, and counted in a note.

    Raises:
        ValidationError: it is not a calendar.
    """
    if not looks_like(text):
        raise ValidationError(
            "Not an iCalendar file.", hint="The file must begin with BEGIN:VCALENDAR."
        )
    collector = EntryCollector("icalendar")
    calendar = vtodo_lines.parse_calendar(text)
    zones = Zones(zones_by_name(calendar.zones))
    todos: list[series.SeriesTodo] = []
    for number, component in enumerate(calendar.todos, start=1):
        place = f"Entry {number}"
        with collector.entry(place):
            if not component.is_whole:
                hint = "The file may be truncated. Get a complete copy."
                raise ValidationError(f"{place}: no end.", hint=hint)
            todo = VtodoComponent(component.lines, zones)
            fields = _vtodo_to_fields(todo)
            fields = remainder.apply_remainder(fields, todo.text(_OURS))
            if "uuid" not in fields:
                lines = (line.raw for line in todo.lines if line.name not in _NOT_IDENTITY)
                fields["uuid"] = collector.derive_uuid(*lines)
            fields = _resolve_utc_moments(fields, context)
            each = series.SeriesTodo(place, todo.lines, fields)
            if not (todo.text("SUMMARY") or "").strip() and "title" in fields:
                each.remark("has no title, so its description or category became the title")
            todos.append(each)
    for each in series.settle(todos, zones, context, collector.notes):
        with collector.entry(each.place):
            collector.add(entry_from_fields(each.place, each.fields, context.zone, each.remarks))
    if calendar.others:
        one, many = "component that is not a to-do", "components that are not to-dos"
        collector.notes.append(f"Skipped {format_count(calendar.others, one, many)}.")
    return collector.result()


def uuids_in(text: str) -> tuple[str, ...]:
    """Return the UIDs of a calendar's to-dos, without those that cannot be read."""
    if not looks_like(text):
        return ()
    raws = (raw for each in vtodo_lines.parse_calendar(text).todos for raw in each.lines)
    uids = (vtodo_lines.unescape_text(raw[4:]) for raw in raws if raw[:4].upper() == "UID:")
    return tuple(dict.fromkeys(uids))


def _years_of_zones(tasks: Iterable[Fields]) -> dict[str, tuple[int, int]]:
    """Return the zones that the lines use, with the first and last year of use."""
    years: dict[str, list[int]] = {}
    for original in tasks:
        for name in ("due", "start"):
            when, zone = remainder.when_in(original, name), original.get(f"{name}_zone")
            if when is not None and when.at and _is_written(zone):
                last = when.day.year + (_YEARS_AHEAD if "recurrence" in original else 0)
                years.setdefault(zone, []).extend((when.day.year, last))
    return {zone: (min(each), max(each)) for zone, each in years.items()}


def _todo_lines(original: Fields) -> Iterable[str]:
    lines = list(_property_lines(original))
    parsed = _vtodo_to_fields(VtodoComponent(lines, Zones({})))
    # Other programs convert moments to UTC; this keeps their zone.
    text = remainder.format_remainder(original, parsed, always=("due_zone", "start_zone"))
    ours = [f"{_OURS}:{vtodo_lines.escape_text(text)}"] if text else []
    return ["BEGIN:VTODO", *lines, *ours, "END:VTODO"]
