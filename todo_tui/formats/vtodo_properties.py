"""The lines of a VTODO that say as much of a task as other programs understand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When
from todo_tui.formats.remainder import Fields
from todo_tui.formats.vtodo_fields import KEPT, PRIORITIES, READ, STATUSES, priority_of
from todo_tui.formats.vtodo_lines import escaped
from todo_tui.formats.vtodo_moments import (
    date_time,
    is_zone,
    utc_stamp,
)

_STATUS_OF = {word: name for name, word in STATUSES.items()}
_YEARS_AHEAD = 10
"""For which other programs can tell when a repeating task falls due."""
_NAME = re.compile(r"[A-Za-z0-9-]+(?=[;:])")


def lines_of(meant: Fields) -> Iterator[str]:
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
    if numbers and priority_of(numbers[0]) == priority:
        yield f"PRIORITY:{numbers[0]}"
    elif isinstance(priority, str):
        yield f"PRIORITY:{PRIORITIES[priority]}"


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
        if depth < 0 or (not depth and name[0].upper() in READ):
            return []
        if name[0].upper() in ("BEGIN", "END") and "VTODO" in line.upper():
            return []
    return lines if not depth else []
