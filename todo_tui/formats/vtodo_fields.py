"""What a VTODO means: the fields that it stands for (RFC 5545, 3.6.2; RFC 9253, 9.1).

What has no field of ours is kept line by line, alarms included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.rule import RuleProblem, parse_rule
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import EXTRA, Fields
from todo_tui.formats.vtodo_lines import Line, line_of, listed
from todo_tui.formats.vtodo_moments import (
    NoSuchZone,
    date_time,
    duration_of,
    instant_of,
    is_zone,
    local_of,
    moment_of,
)

OURS = "X-TODO-TUI"
"""The property in which the remainder travels."""
KEPT = f"{EXTRA}icalendar"
"""Where lines that have no field of ours are kept."""
STATUSES = {
    "NEEDS-ACTION": "todo", "IN-PROCESS": "doing", "COMPLETED": "done", "CANCELLED": "cancelled",
}  # fmt: skip
PRIORITIES = {"high": "1", "medium": "5", "low": "9"}
_MIDDLE, _LOWEST = 5, 9
READ = frozenset(
    "UID SUMMARY DESCRIPTION STATUS DUE DTSTART DURATION COMPLETED CREATED LAST-MODIFIED DTSTAMP"
    " CATEGORIES X-TODO-TUI".split()
)
"""Properties that are fields, or made anew."""
_STAMP = re.compile(r"\d{8}T\d{6}Z")


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
        if line.name not in READ:
            said = _further(line, fields)
            if said is None:
                kept.append(line.raw)
            else:
                fields |= said
    if kept or todo.nested:
        fields[KEPT] = [*kept, *todo.nested]
    fields |= _occurrence(todo, fields)
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


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


def _status(todo: Todo, *, is_completed: bool) -> str:
    text = (todo.text("STATUS") or "").strip().upper()
    if not text:
        percent = todo.text("PERCENT-COMPLETE")
        return "done" if is_completed or percent == "100" else "todo"
    if text not in STATUSES:
        raise todo.unusable("STATUS", f"Use one of: {', '.join(STATUSES)}.")
    return STATUSES[text]


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
        except NoSuchZone as error:
            hint = f"There is no time zone “{plain_line(str(error))[:40]}”; write Europe/Berlin."
            raise todo.unusable(name, hint) from error
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
            word = priority_of(line.value.strip())
            fields |= {"priority": word} if word else {}
            return {} if PRIORITIES.get(word or "", "0") == line.value.strip() else None
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


def priority_of(value: str) -> str | None:
    """Ours for a PRIORITY: 1 to 4 are high, 5 is medium, 6 to 9 are low, 0 is none."""
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
