"""iCalendar: the VTODO components of a file, or of a folder with a file for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.formats.drafts import draft_by_uuids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.reading import Context, Gathering, Reading
from todo_tui.formats.remainder import (
    Fields,
    as_entry,
    fields_of,
    positions_matter,
    put_right,
    remainder_of,
)
from todo_tui.formats.vtodo_fields import OURS, Todo, fields_from, settled
from todo_tui.formats.vtodo_lines import (
    Calendar,
    Component,
    calendar_of,
    escaped,
    folded_lines,
    unescaped,
)
from todo_tui.formats.vtodo_moments import zone_lines
from todo_tui.formats.vtodo_properties import lines_of, zones_in

_HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todo-tui//todo-tui//EN")
_NOT_IDENTITY = frozenset({"STATUS", "COMPLETED", "PERCENT-COMPLETE", "LAST-MODIFIED", "DTSTAMP"})


def looks_like(text: str) -> bool:
    """Whether it begins as a calendar does."""
    return text.lstrip("\ufeff \t\r\n")[:15].upper() == "BEGIN:VCALENDAR"


def write(tasks: Sequence[Task], context: Context) -> Iterator[str]:
    """One calendar with all tasks, and the time zones that they are in."""
    with_position = context.is_apart or positions_matter(tasks)
    meant = [fields_of(task, context.uuids, with_position=with_position) for task in tasks]
    yield from folded_lines(_HEAD)
    for zone, (first, last) in sorted(_years_of_zones(meant).items()):
        yield from folded_lines(zone_lines(zone, first, last))
    for each in meant:
        yield "".join(folded_lines(_todo_lines(each)))
    yield "END:VCALENDAR\r\n"


def read(text: str, context: Context) -> Reading:
    """Read every VTODO; events and journals are passed over, and counted in a remark.

    Raises:
        ValidationError: it is no calendar.
    """
    if not looks_like(text):
        raise ValidationError(
            "It is not an iCalendar file.", hint="It begins with BEGIN:VCALENDAR."
        )
    gathering = Gathering()
    calendar = calendar_of(text)
    identities = Identities("icalendar")
    for number, component in enumerate(calendar.todos, start=1):
        place = f"Entry {number}"
        with gathering.entry(place):
            gathering.add(_draft(component, place, calendar, identities, context))
    if calendar.others:
        count = calendar.others
        what = "1 component that is" if count == 1 else f"{count:,} components that are"
        gathering.remarks.append(f"{what} no to-do: passed over.")
    return gathering.reading()


def uuids_in(text: str) -> tuple[str, ...]:
    """The UIDs of the to-dos of a calendar, those that cannot be read left out."""
    if not looks_like(text):
        return ()
    raws = (raw for each in calendar_of(text).todos for raw in each.lines)
    return tuple(dict.fromkeys(unescaped(raw[4:]) for raw in raws if raw[:4].upper() == "UID:"))


def _draft(
    component: Component, place: str, calendar: Calendar, identities: Identities, context: Context
) -> TaskDraft:
    if not component.is_whole:
        raise ValidationError(
            f"{place}: It has no end.",
            hint="The file may have been cut off; get it again, whole.",
        )
    todo = Todo(component.lines, place, calendar.zones)
    fields = fields_from(todo)
    rest = todo.text(OURS)
    if rest is not None:
        fields = put_right(fields, rest, todo.place)
    if "uuid" not in fields:
        lines = (line.raw for line in todo.lines if line.name not in _NOT_IDENTITY)
        fields["uuid"] = identities.uuid_of(*lines)
    return draft_by_uuids(Entry(todo.place, as_entry(settled(fields, context))))


def _years_of_zones(tasks: Iterable[Fields]) -> dict[str, tuple[int, int]]:
    zones: dict[str, tuple[int, int]] = {}
    for each in tasks:
        for zone, (first, last) in zones_in(each).items():
            known = zones.get(zone, (first, last))
            zones[zone] = (min(known[0], first), max(known[1], last))
    return zones


def _todo_lines(meant: Fields) -> Iterable[str]:
    lines = list(lines_of(meant))
    rest = remainder_of(meant, fields_from(Todo(lines, "", {})))
    # Other programs write moments in UTC; the zone is to come back with them.
    zones: Fields = {key: meant[key] for key in ("due_zone", "start_zone") if key in meant}
    text = rest._replace(are=zones | rest.are).text()
    ours = [f"{OURS}:{escaped(text)}"] if text else []
    return ["BEGIN:VTODO", *lines, *ours, "END:VTODO"]
