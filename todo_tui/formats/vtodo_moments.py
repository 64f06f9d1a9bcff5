"""Moments of a calendar (RFC 5545, 3.3), and its zones: names of a TZID, rules of the file."""

import re
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import cast
from zoneinfo import ZoneInfo

from todo_tui.domain.when import When
from todo_tui.formats.entry import find_zone
from todo_tui.formats.vtodo_lines import Component, ContentLine, unescape_text

_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>\d{1,5})W)?(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,8})S)?)?"
)
_LAST_YEAR_WRITTEN = 2500
"""Last year for which time zone rules are written."""
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?")


class Zones:
    """Zones by TZID, a name within the file."""

    def __init__(self, components: Mapping[str, Component]) -> None:
        self._components = components
        self._found: dict[str, str | tzinfo | None] = {}

    def find(self, tzid: str) -> str | tzinfo | None:
        """Return the IANA zone of a TZID, else the rules of the file or name, else None."""
        if tzid not in self._found:
            self._found[tzid] = self._find(tzid.strip('"'))
        return self._found[tzid]

    def _find(self, tzid: str) -> str | tzinfo | None:
        component = self._components.get(tzid)
        path = tzid.strip("/").split("/")
        location = "" if component is None else _property(component, "X-LIC-LOCATION")
        names = [tzid, location, "/".join(path[-2:]), "/".join(path[-3:]), path[-1]]
        if (named := find_zone(*names)) is not None:
            return named
        rules = None if component is None else _rules(component)
        if rules is not None:
            return rules
        name, _, number = tzid.rpartition(" ")
        return (find_zone(name) if number.isdecimal() else None) or _fixed(tzid)


def _fixed(tzid: str) -> tzinfo | None:
    """Return the zone of a name that is an offset: `GMT+0100`."""
    found = _OFFSET.fullmatch(tzid.strip())
    if found is None or int(found[2]) >= 24:
        return None
    size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-size if found[1] == "-" else size)


def _property(component: Component, name: str) -> str:
    mark = f"{name}:"
    found = (line[len(mark) :] for line in component.lines if line.upper().startswith(mark))
    return unescape_text(next(found, "")).strip()


def zones_by_name(components: Iterable[Component]) -> dict[str, Component]:
    """Return VTIMEZONE components by their TZID."""
    return {_property(each, "TZID"): each for each in components}


def _rules(component: Component) -> tzinfo | None:
    """Return the zone that a VTIMEZONE defines; None if it cannot be read."""
    # Deferred: few files define zones that have no name elsewhere.
    from icalendar import Timezone

    lines = ["BEGIN:VTIMEZONE", *component.lines, "END:VTIMEZONE", ""]
    try:
        parsed = cast("Timezone", Timezone.from_ical("\r\n".join(lines)))
        rules = cast("tzinfo", parsed.to_tz(lookup_tzid=False))
        rules.utcoffset(datetime(2026, 1, 1))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        # What the library raises for parts that are missing or odd.
        return None
    return rules


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

    begins, ends = (date(min(max(year, 1), _LAST_YEAR_WRITTEN), 1, 1) for year in (first, last + 1))
    component = Timezone.from_tzid(zone, first_date=begins, last_date=ends)
    text = component.to_ical().decode()
    return tuple(line for line in text.replace("\r\n ", "").split("\r\n") if line)
