"""iCalendar syntax: content lines, components, date-times, zones (RFC 5545, 3.1 and 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.when import When
from todo_tui.formats.reader import split_lines

if TYPE_CHECKING:
    from todo_tui.formats.vtodo_zones import Zones

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
    zones: Sequence[Component]
    """VTIMEZONE components."""
    others: int


def parse_calendar(text: str) -> Calendar:
    """Parse a file; a component without an end is marked as incomplete."""
    lines = _FOLD.sub("", "\n".join(split_lines(text))).split("\n")
    components = list(_components(line for line in lines if line.strip()))
    todos = [each for each in components if each.name == "VTODO"]
    zones = [each for each in components if each.name == "VTIMEZONE"]
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


def moment_of(line: ContentLine, zones: Zones) -> tuple[str, str | None]:
    """Parse DUE or DTSTART; return the moment and its zone.

    The moment is `2026-11-19` without a zone, `2026-11-19T17:00` with a zone (the TZID itself if
    there is no such zone) or (floating) None, or a stamp in UTC.

    Raises:
        ValueError: it is invalid.
    """
    found, tzid = _parts_of(line)
    moment = _datetime(found)
    if moment.year in (MINYEAR, MAXYEAR):
        raise ValueError(line.value)
    if found[4] is None:
        return moment.date().isoformat(), None
    if found[7]:
        return _stamp(moment), None
    zone = zones.find(tzid) if tzid else None
    if zone is None or isinstance(zone, str):
        return When.of(moment).iso(), zone or tzid or None
    try:
        return _stamp(moment.replace(tzinfo=zone).astimezone(UTC)), None
    except OverflowError as error:
        raise ValueError(line.value) from error


def written_of(line: ContentLine) -> When:
    """Return the moment as the file writes it, on the clock of its own zone.

    Raises:
        ValueError: it is invalid.
    """
    found, _ = _parts_of(line)
    moment = _datetime(found)
    return When(moment.date()) if found[4] is None else When.of(moment)


def _parts_of(line: ContentLine) -> tuple[re.Match[str], str | None]:
    value, tzid = line.value.strip(), line.params.get("TZID")
    _, given, rest = line.raw.partition(";TZID=")
    if given and rest[:1] != '"' and rest.count(":") > 1:
        # A colon within the name needs quotation marks, which some programs leave out.
        tzid, _, value = rest.rpartition(":")
    found = _MOMENT.fullmatch(value)
    if found is None:
        raise ValueError(line.value)
    return found, tzid


def instant_of(value: str) -> str:
    """Convert an instant to the form of our JSON; a floating one is taken as UTC.

    Raises:
        ValueError: it is invalid.
    """
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        raise ValueError(value)
    return _datetime(found).replace(tzinfo=UTC).isoformat(timespec="milliseconds")


def _datetime(found: re.Match[str]) -> datetime:
    """Return the wall time of a match; 24:00:00 begins the next day.

    Raises:
        ValueError: there is no such moment.
    """
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    # A leap second is read as the last second of its minute.
    second = 59 if second == 60 else second
    if (hour, minute, second) != (24, 0, 0):
        return datetime(year, month, day, hour, minute, second)
    try:
        return datetime(year, month, day) + timedelta(days=1)
    except OverflowError as error:
        raise ValueError(found[0]) from error


def _stamp(moment: datetime) -> str:
    return f"{date_time(When.of(moment))[:-2]}{moment:%S}Z"


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


def date_time(when: When) -> str:
    """Format a moment as `20261119`, or `20261119T170000` when timed."""
    day = when.day.isoformat().replace("-", "")
    return day if when.at is None else f"{day}T{when.at:%H%M%S}"


def utc_stamp(instant: str) -> str:
    """Format an instant of our JSON as `20261119T160000Z`."""
    moment = datetime.fromisoformat(instant).astimezone(UTC)
    return _stamp(moment)


def local_of(stamp: str, zone: str) -> When:
    """Convert a UTC stamp to wall time in a zone.

    Raises:
        ValueError: there is no such moment.
    """
    moment = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    try:
        local = When.of(moment.astimezone(ZoneInfo(zone)))
    except OverflowError as error:
        raise ValueError(stamp) from error
    if local.day.year in (MINYEAR, MAXYEAR):
        raise ValueError(stamp)
    return local


@cache
def zone_lines(zone: str, first: int, last: int) -> tuple[str, ...]:
    """Return the unfolded lines of the VTIMEZONE of a zone for these years."""
    # Deferred: only timed tasks need zones.
    from icalendar import Timezone

    begins, ends = (date(min(max(year, 1), _LAST_YEAR), 1, 1) for year in (first, last + 1))
    component = Timezone.from_tzid(zone, first_date=begins, last_date=ends)
    text = component.to_ical().decode()
    return tuple(line for line in text.replace("\r\n ", "").split("\r\n") if line)
