"""The fields that a VTODO stands for, both ways (RFC 5545, section 3.6.2; RFC 9253, 9.1).

What has no field of ours is kept line by line, alarms included, and written back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.rule import RuleProblem, parse_rule
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import When
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import EXTRA, Fields
from todo_tui.formats.vtodo_lines import Line, escaped, line_of, listed
from todo_tui.formats.vtodo_moments import (
    date_time,
    duration_of,
    instant_of,
    is_zone,
    local_of,
    moment_of,
    utc_stamp,
)

OURS = "X-TODO-TUI"
"""The property in which the remainder travels."""
KEPT = f"{EXTRA}icalendar"
"""Where lines that have no field of ours are kept."""

_STATUSES = {
    "NEEDS-ACTION": "todo", "IN-PROCESS": "doing", "COMPLETED": "done", "CANCELLED": "cancelled",
}  # fmt: skip
_STATUS_OF = {word: name for name, word in _STATUSES.items()}
_PRIORITIES = {"high": "1", "medium": "5", "low": "9"}
_MIDDLE, _LOWEST = 5, 9
_READ = frozenset(
    "UID SUMMARY DESCRIPTION STATUS DUE DTSTART DURATION COMPLETED CREATED LAST-MODIFIED DTSTAMP"
    " CATEGORIES X-TODO-TUI".split()
)
"""Properties that are fields, or made anew."""
_YEARS_AHEAD = 10
"""For which other programs can tell when a repeating task falls due."""
_STAMP = re.compile(r"\d{8}T\d{6}Z")
_NAME = re.compile(r"[A-Za-z0-9-]+(?=[;:])")


class Todo:
    """The lines of a VTODO by their names; complaints name its place and title."""

    def __init__(self, lines: Sequence[str], place: str, zones: Mapping[str, str]) -> None:
        """Take the lines apart.

        Raises:
            ValidationError: one of them is no content line.
        """
        self.place = place
        self.zones = zones
        self.lines: list[Line] = []
        self.nested: list[str] = []
        depth = 0
        for raw in lines:
            begins, ends = raw[:6].upper() == "BEGIN:", raw[:4].upper() == "END:"
            depth += begins
            if depth:
                self.nested.append(raw)
            else:
                self.lines.append(self._line(raw))
            depth -= ends and depth > 0

    def first(self, name: str) -> Line | None:
        """The first line of that name."""
        return next((line for line in self.lines if line.name == name), None)

    def text(self, name: str) -> str | None:
        """The text of the first line of that name."""
        line = self.first(name)
        return None if line is None else line.text()

    def unusable(self, name: str, hint: str) -> ValidationError:
        """The complaint about a property."""
        title = plain_line(self.text("SUMMARY") or "")[:60].strip()
        named = f" (“{title}”)" if title else ""
        return ValidationError(f"{self.place}{named}: `{name}` cannot be used.", hint=hint)

    def _line(self, raw: str) -> Line:
        try:
            return line_of(raw)
        except ValueError as error:
            raise ValidationError(
                f"{self.place}: “{plain_line(raw)[:40]}” is no line of iCalendar.",
                hint="Lines look like SUMMARY:Buy milk; longer ones go on after a space.",
            ) from error


def fields_from(todo: Todo) -> Fields:
    """The fields of a VTODO; moments in UTC still as stamps.

    Raises:
        ValidationError: a property cannot be used; names the place.
    """
    kept: list[str] = []
    completed = _instant(todo, "COMPLETED")
    status = _status(todo, is_completed=completed is not None)
    fields: Fields = {
        "uuid": todo.text("UID"),
        "title": todo.text("SUMMARY"),
        "notes": todo.text("DESCRIPTION"),
        "status": status,
        "tags": list(dict.fromkeys(_categories(todo))),
        "created_at": _instant(todo, "CREATED"),
        "updated_at": _instant(todo, "LAST-MODIFIED") or _instant(todo, "DTSTAMP"),
        "completed_at": completed if status in ("done", "cancelled") else None,
    }
    fields |= _moments(todo)
    for line in todo.lines:
        if line.name not in _READ:
            said = _further(line, fields)
            if said is None:
                kept.append(line.raw)
            else:
                fields |= said
    if kept or todo.nested:
        fields[KEPT] = [*kept, *todo.nested]
    fields |= _occurrence(todo, fields)
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


def lines_of(meant: Fields, context: Context) -> Iterator[str]:
    """The lines that say as much of the fields as other programs understand."""
    kept = _kept(meant)
    updated = _utc(meant.get("updated_at")) or _utc(meant.get("created_at"))
    yield f"UID:{escaped(str(meant['uuid']))}"
    yield f"DTSTAMP:{updated or '19700101T000000Z'}"
    for name, key in (("CREATED", "created_at"), ("LAST-MODIFIED", "updated_at")):
        if (stamp := _utc(meant.get(key))) is not None:
            yield f"{name}:{stamp}"
    yield f"SUMMARY:{escaped(str(meant['title']))}"
    if "notes" in meant:
        yield f"DESCRIPTION:{escaped(str(meant['notes']))}"
    yield from _status_lines(meant)
    yield from _priority_lines(meant, kept)
    yield from _moment_lines(meant)
    if "recurrence" in meant:
        yield f"RRULE:{meant['recurrence']}"
    tags = meant.get("tags")
    if isinstance(tags, list):
        yield f"CATEGORIES:{','.join(escaped(str(tag)) for tag in tags)}"
    if "parent" in meant:
        yield f"RELATED-TO:{escaped(str(meant['parent']))}"
    blockers = meant.get("blocked_by")
    for blocker in blockers if isinstance(blockers, list) else ():
        yield f"RELATED-TO;RELTYPE=DEPENDS-ON:{escaped(str(blocker))}"
    yield from (line for line in kept if not line.upper().startswith("PRIORITY:"))


def settled(fields: Fields, context: Context) -> Fields:
    """The fields with moments in UTC turned into wall times of their zones, else of here."""
    fields = dict(fields)
    for name in ("due", "start"):
        stamp, zone = fields.get(name), fields.get(f"{name}_zone")
        if isinstance(stamp, str) and _STAMP.fullmatch(stamp):
            there = zone if isinstance(zone, str) and is_zone(zone) else context.zone
            fields[name] = local_of(stamp, there).iso()
            fields[f"{name}_zone"] = there
    return fields


def zones_in(meant: Fields) -> dict[str, tuple[int, int]]:
    """The zones that its lines name, each with the first and the last year it is needed for."""
    zones: dict[str, tuple[int, int]] = {}
    for name in ("due", "start"):
        when, zone = _when(meant, name), meant.get(f"{name}_zone")
        if when is not None and when.at and isinstance(zone, str) and _is_written(zone):
            last = when.day.year + (_YEARS_AHEAD if "recurrence" in meant else 0)
            years = zones.get(zone, (when.day.year, last))
            zones[zone] = (min(years[0], when.day.year), max(years[1], last))
    return zones


def _status(todo: Todo, *, is_completed: bool) -> str:
    text = (todo.text("STATUS") or "").strip().upper()
    if not text:
        percent = todo.text("PERCENT-COMPLETE")
        return "done" if is_completed or percent == "100" else "todo"
    if text not in _STATUSES:
        raise todo.unusable("STATUS", f"Use one of: {', '.join(_STATUSES)}.")
    return _STATUSES[text]


def _categories(todo: Todo) -> Iterator[str]:
    for line in todo.lines:
        if line.name == "CATEGORIES":
            yield from (each for each in listed(line.value) if each.strip())


def _instant(todo: Todo, name: str) -> str | None:
    line = todo.first(name)
    try:
        return None if line is None else instant_of(line.value)
    except ValueError as error:
        raise todo.unusable(name, "Write it as 20261119T160000Z.") from error


def _moments(todo: Todo) -> Fields:
    fields: Fields = {}
    for name, key in (("DUE", "due"), ("DTSTART", "start")):
        line = todo.first(name)
        if line is None:
            continue
        try:
            fields[key], fields[f"{key}_zone"] = moment_of(line, todo.zones)
        except ValueError as error:
            hint = "Write it as 20261119T160000Z, or as TZID=Europe/Berlin:20261119T170000."
            raise todo.unusable(name, hint) from error
    line = todo.first("DURATION")
    if line is not None and "due" not in fields and "start" in fields:
        try:
            fields["due"] = _later(str(fields["start"]), duration_of(line.value))
        except (ValueError, OverflowError) as error:
            raise todo.unusable("DURATION", "Write it as P3D or PT2H.") from error
        fields["due_zone"] = fields["start_zone"]
    return fields


def _later(start: str, span: timedelta) -> str:
    if _STAMP.fullmatch(start):
        moment = datetime.strptime(start, "%Y%m%dT%H%M%SZ") + span
        return f"{date_time(When.of(moment))}Z"
    when = When.parse(start)
    if when.at is None:
        return When(when.day + span).iso()
    return When.of(when.local() + span).iso()


def _further(line: Line, fields: Fields) -> Fields | None:
    """The field of a property of which only some values are fields; None for others."""
    match line.name:
        case "PRIORITY":
            word = _priority(line.value.strip())
            fields |= {"priority": word} if word else {}
            return {} if _PRIORITIES.get(word or "", "0") == line.value.strip() else None
        case "PERCENT-COMPLETE":
            implied = "100" if fields["status"] == "done" else "0"
            return {} if line.value.strip() == implied else None
        case "RRULE" if "recurrence" not in fields:
            try:
                rule = parse_rule(line.value).text()
            except RuleProblem:
                return None
            return {"recurrence": rule, "repeat_from": "due"}
        case "RELATED-TO":
            return _relation(line, fields)
        case "RECURRENCE-ID":
            return {}
        case _:
            return None


def _priority(value: str) -> str | None:
    number = int(value) if re.fullmatch(r"[0-9]", value) else 0
    if not 0 < number <= _LOWEST:
        return None
    if number == _MIDDLE:
        return "medium"
    return "high" if number < _MIDDLE else "low"


def _relation(line: Line, fields: Fields) -> Fields | None:
    kind, uid = line.params.get("RELTYPE", "PARENT").upper(), line.text()
    if kind == "PARENT" and "parent" not in fields:
        return {"parent": uid}
    if kind == "DEPENDS-ON":
        present = fields.get("blocked_by")
        listed_so_far = present if isinstance(present, list) else []
        return {"blocked_by": [*listed_so_far, uid]}
    return None


def _occurrence(todo: Todo, fields: Fields) -> Fields:
    """What makes a single occurrence of a repeating VTODO a task of its own."""
    which = todo.first("RECURRENCE-ID")
    if which is None:
        return {}
    series = todo.text("UID") or ""
    return {
        "uuid": f"{series} {which.value}",
        "series": series,
        "slot": which.value,
        "recurrence": None,
        "repeat_from": None,
    }


def _status_lines(meant: Fields) -> Iterator[str]:
    status = str(meant["status"])
    yield f"STATUS:{_STATUS_OF[status]}"
    completed = _utc(meant.get("completed_at"))
    if completed is not None and status in ("done", "cancelled"):
        yield f"COMPLETED:{completed}"
    if status == "done":
        yield "PERCENT-COMPLETE:100"


def _priority_lines(meant: Fields, kept: Sequence[str]) -> Iterator[str]:
    """The number it came with, while that means the same."""
    priority = meant.get("priority")
    numbers = [line[9:].strip() for line in kept if line.upper().startswith("PRIORITY:")]
    if numbers and _priority(numbers[0]) == priority:
        yield f"PRIORITY:{numbers[0]}"
    elif isinstance(priority, str):
        yield f"PRIORITY:{_PRIORITIES[priority]}"


def _moment_lines(meant: Fields) -> Iterator[str]:
    """DUE, and DTSTART where the standard allows both: of one kind, and earlier."""
    due, start = _when(meant, "due"), _when(meant, "start")
    if due is not None:
        yield _moment_line("DUE", due, meant.get("due_zone"))
    if start is not None and (due is None or _is_before(start, due)):
        yield _moment_line("DTSTART", start, meant.get("start_zone"))


def _moment_line(name: str, when: When, zone: JsonValue) -> str:
    moment = date_time(when)
    if when.at is None:
        return f"{name};VALUE=DATE:{moment}"
    if zone == "UTC":
        return f"{name}:{moment}Z"
    if isinstance(zone, str) and _is_written(zone):
        return f"{name};TZID={zone}:{moment}"
    return f"{name}:{moment}"


def _is_written(zone: str) -> bool:
    """Whether a zone is named with its rules; one that this system does not know cannot be."""
    return zone != "UTC" and is_zone(zone)


def _is_before(start: When, due: When) -> bool:
    return (start.at is None) == (due.at is None) and start.local() < due.local()


def _when(meant: Fields, name: str) -> When | None:
    text = meant.get(name)
    return When.parse(text) if isinstance(text, str) else None


def _utc(instant: JsonValue) -> str | None:
    return utc_stamp(instant) if isinstance(instant, str) else None


def _kept(meant: Fields) -> list[str]:
    """The kept lines, if they are still such as may stand in a VTODO."""
    kept = meant.get(KEPT)
    lines = [each for each in kept if isinstance(each, str)] if isinstance(kept, list) else []
    depth = 0
    for line in lines:
        name = _NAME.match(line)
        if name is None or plain_text(line) != line or "\n" in line:
            return []
        depth += (name[0].upper() == "BEGIN") - (name[0].upper() == "END")
        if depth < 0 or (not depth and name[0].upper() in _READ):
            return []
        if name[0].upper() in ("BEGIN", "END") and "VTODO" in line.upper():
            return []
    return lines if not depth else []
