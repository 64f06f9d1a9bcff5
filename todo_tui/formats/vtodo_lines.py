"""iCalendar syntax: content lines, components, date-times, zones (RFC 5545, 3.1 and 3.3)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.when import When, is_known_zone
from todo_tui.formats.reader import split_lines

_FOLD = re.compile(r"\n[ \t]")
_PLAIN = re.compile(r"([A-Za-z0-9-]+):(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED_COMMA = re.compile(r"(?<!\\)((?:\\\\)*),")
_LIMIT = 75
"""Octets of a line without its end."""
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_LAST_YEAR = 2500
"""Last year for which time zone rules are written."""
_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>\d{1,5})W)?(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,8})S)?)?"
)


class ContentLine(NamedTuple):
    """One unfolded line: names in capitals, the value in raw form."""

    name: str
    params: Mapping[str, str]
    value: str
    raw: str


class Component(NamedTuple):
    """A component with all raw lines between its BEGIN and END."""

    name: str
    lines: Sequence[str]
    is_whole: bool


class Calendar(NamedTuple):
    """Contents of a file: tasks, time zones, and the number of other components."""

    todos: Sequence[Component]
    zones: Mapping[str, str]
    """IANA names from VTIMEZONE components, by TZID."""
    others: int


def parse_calendar(text: str) -> Calendar:
    """Parse a file; a component without an end is marked as incomplete."""
    lines = _FOLD.sub("", "\n".join(split_lines(text))).split("\n")
    components = list(_components(line for line in lines if line.strip()))
    todos = [each for each in components if each.name == "VTODO"]
    zones = dict(_zone(each) for each in components if each.name == "VTIMEZONE")
    others = sum(each.name not in ("VTODO", "VTIMEZONE") for each in components)
    return Calendar(todos, zones, others)


def _components(lines: Iterable[str]) -> Iterator[Component]:
    """Yield the top-level components; the BEGIN of a VTODO ends an unfinished one."""
    open_names: list[str] = []
    inside: list[str] = []
    for raw in lines:
        begun, ended = _mark(raw, "BEGIN:"), _mark(raw, "END:")
        if open_names and begun == "VTODO":
            yield Component(open_names[0], inside, is_whole=False)
            open_names, inside = [], []
        if begun not in (None, "VCALENDAR"):
            open_names.append(str(begun))
            if len(open_names) == 1:
                continue
        if ended is not None and open_names[-1:] == [ended]:
            name = open_names.pop()
            if not open_names:
                yield Component(name, inside, is_whole=True)
                inside = []
                continue
        if open_names:
            inside.append(raw)
    if open_names:
        yield Component(open_names[0], inside, is_whole=False)


def _mark(raw: str, mark: str) -> str | None:
    if raw[: len(mark)].upper() != mark:
        return None
    return raw[len(mark) :].strip().upper()


def _zone(component: Component) -> tuple[str, str]:
    names = {line[: line.find(":")].upper(): line[line.find(":") + 1 :] for line in component.lines}
    return names.get("TZID", "").strip(), names.get("X-LIC-LOCATION", "").strip()


def parse_line(raw: str) -> ContentLine:
    """Parse a content line.

    Raises:
        ValueError: it is no content line.
    """
    if plain := _PLAIN.fullmatch(raw):
        return ContentLine(plain[1].upper(), {}, plain[2], raw)
    # Deferred: icalendar takes 0.1 s to import, and only lines with parameters need it.
    from icalendar.parser import Contentline

    line = Contentline(raw)  # type: ignore[no-untyped-call]  # the library's own gap
    name, params, value = line.raw_parts()
    named = {
        str(key).upper(): each if isinstance(each, str) else ",".join(each)
        for key, each in params.items()
    }
    return ContentLine(str(name).upper(), named, str(value), raw)


def fold_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines folded and with line ends."""
    for line in lines:
        if len(line) <= _LIMIT and line.isascii():
            yield f"{line}\r\n"
        else:
            # Deferred as above: most lines are short.
            from icalendar.parser import Contentline

            whole = Contentline(line)  # type: ignore[no-untyped-call]  # the library's own gap
            yield whole.to_ical().decode() + "\r\n"  # type: ignore[no-untyped-call]  # the same


def escape_text(text: str) -> str:
    """Escape a TEXT value (RFC 5545, 3.3.11)."""
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def unescape_text(value: str) -> str:
    """Unescape a TEXT value."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def split_list(value: str) -> list[str]:
    """Split and unescape a list of TEXT values."""
    marked = _UNESCAPED_COMMA.sub(lambda found: f"{found[1]}\x1f", value)
    return [unescape_text(each) for each in marked.split("\x1f")]


def moment_of(line: ContentLine, zones: Mapping[str, str]) -> tuple[str, str | None]:
    """Parse DUE or DTSTART; return the moment and its zone.

    The moment is `2026-11-19` without a zone, `2026-11-19T17:00` with a zone or (floating)
    None, or an unchanged stamp in UTC.

    Raises:
        ValueError: it is invalid, or its zone is unknown.
    """
    found = _MOMENT.fullmatch(line.value.strip())
    if found is None:
        raise ValueError(line.value)
    day = date(*map(int, found.groups()[:3]))
    if found[4] is None:
        return day.isoformat(), None
    # A leap second is read as the last second of its minute.
    at = time(int(found[4]), int(found[5]), min(int(found[6]), 59))
    if found[7]:
        return found[0], None
    tzid = line.params.get("TZID")
    return When.of(datetime.combine(day, at)).iso(), zone_of(tzid, zones) if tzid else None


def instant_of(value: str) -> str:
    """Convert an instant to the form of our JSON; a floating one is taken as UTC.

    Raises:
        ValueError: it is invalid.
    """
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        raise ValueError(value)
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds")


def duration_of(value: str) -> timedelta:
    """Parse a DURATION.

    Raises:
        ValueError: it is invalid.
    """
    found = _DURATION.fullmatch(value.strip())
    parts = {} if found is None else {k: v for k, v in found.groupdict().items() if k != "sign"}
    if found is None or not any(parts.values()):
        raise ValueError(value)
    span = timedelta(**{name: int(count or 0) for name, count in parts.items()})
    return -span if found["sign"] == "-" else span


class NoSuchZone(ValueError):
    """Raised with a TZID that names no time zone."""


def zone_of(tzid: str, zones: Mapping[str, str]) -> str:
    """Resolve a TZID to an IANA name: itself, by the file, by its last part, or by Windows' list.

    Raises:
        NoSuchZone: there is none.
    """
    tzid = tzid.strip('"')
    path = tzid.strip("/").split("/")
    names = [tzid, zones.get(tzid, ""), "/".join(path[-2:]), "/".join(path[-3:]), path[-1]]
    for name in names:
        if is_known_zone(name):
            return name
    # Deferred: only calendars of Windows need it.
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    if tzid in WINDOWS_TO_OLSON:
        return str(WINDOWS_TO_OLSON[tzid])
    raise NoSuchZone(tzid)


def date_time(when: When) -> str:
    """Format a moment as `20261119`, or `20261119T170000` when timed."""
    day = when.day.isoformat().replace("-", "")
    return day if when.at is None else f"{day}T{when.at:%H%M%S}"


def utc_stamp(instant: str) -> str:
    """Format an instant of our JSON as `20261119T160000Z`."""
    moment = datetime.fromisoformat(instant).astimezone(UTC)
    return f"{date_time(When.of(moment))[:13]}{moment:%S}Z"


def local_of(stamp: str, zone: str) -> When:
    """Convert a UTC stamp to wall time in a zone.

    Raises:
        ValueError: there is no such moment.
    """
    moment = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    try:
        return When.of(moment.astimezone(ZoneInfo(zone)))
    except OverflowError as error:
        raise ValueError(stamp) from error


@cache
def zone_lines(zone: str, first: int, last: int) -> tuple[str, ...]:
    """Return the unfolded lines of the VTIMEZONE of a zone for these years."""
    # Deferred: only timed tasks need zones.
    from icalendar import Timezone

    begins, ends = (date(min(max(year, 1), _LAST_YEAR), 1, 1) for year in (first, last + 1))
    component = Timezone.from_tzid(zone, first_date=begins, last_date=ends)
    text = component.to_ical().decode()
    return tuple(line for line in text.replace("\r\n ", "").split("\r\n") if line)
