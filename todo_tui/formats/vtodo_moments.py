"""Dates, times and zones of iCalendar (RFC 5545, sections 3.3.4 to 3.3.6 and 3.2.19)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from todo_tui.domain.when import When
from todo_tui.formats.vtodo_lines import Line

_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_LAST_YEAR = 2500
"""Beyond it no rule of today will hold."""
_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>\d{1,5})W)?(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,8})S)?)?"
)


def moment_of(line: Line, zones: Mapping[str, str]) -> tuple[str, str | None]:
    """A DUE or DTSTART, and its zone.

    That is `2026-11-19` without one, `2026-11-19T17:00` with one or (floating) none, or
    a stamp in UTC as it stands.

    Raises:
        ValueError: it is no moment, or its zone is not known.
    """
    found = _MOMENT.fullmatch(line.value.strip())
    if found is None:
        raise ValueError(line.value)
    day = date(*map(int, found.groups()[:3]))
    if found[4] is None:
        return day.isoformat(), None
    # A leap second is the last one of its minute.
    at = time(int(found[4]), int(found[5]), min(int(found[6]), 59))
    if found[7]:
        return found[0], None
    tzid = line.params.get("TZID")
    return When.of(datetime.combine(day, at)).iso(), zone_of(tzid, zones) if tzid else None


def instant_of(value: str) -> str:
    """An instant in UTC, as our own JSON has it; a floating one is taken as UTC.

    Raises:
        ValueError: it is none.
    """
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        raise ValueError(value)
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds")


def duration_of(value: str) -> timedelta:
    """A DURATION.

    Raises:
        ValueError: it is none.
    """
    found = _DURATION.fullmatch(value.strip())
    parts = {} if found is None else {k: v for k, v in found.groupdict().items() if k != "sign"}
    if found is None or not any(parts.values()):
        raise ValueError(value)
    span = timedelta(**{name: int(count or 0) for name, count in parts.items()})
    return -span if found["sign"] == "-" else span


class NoSuchZone(ValueError):
    """The TZID in its argument names no time zone."""


def zone_of(tzid: str, zones: Mapping[str, str]) -> str:
    """The IANA name of a TZID: the same, one that the file gives, its end, or Windows' name.

    Raises:
        NoSuchZone: there is none.
    """
    tzid = tzid.strip('"')
    path = tzid.strip("/").split("/")
    names = [tzid, zones.get(tzid, ""), "/".join(path[-2:]), "/".join(path[-3:]), path[-1]]
    for name in names:
        if is_zone(name):
            return name
    # Only calendars of Windows need it.
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    if tzid in WINDOWS_TO_OLSON:
        return str(WINDOWS_TO_OLSON[tzid])
    raise NoSuchZone(tzid)


def date_time(when: When) -> str:
    """`20261119`, or `20261119T170000` when timed."""
    day = when.day.isoformat().replace("-", "")
    return day if when.at is None else f"{day}T{when.at:%H%M%S}"


def utc_stamp(instant: str) -> str:
    """`20261119T160000Z` of an instant of our own JSON."""
    moment = datetime.fromisoformat(instant).astimezone(UTC)
    return f"{date_time(When.of(moment))[:13]}{moment:%S}Z"


def local_of(stamp: str, zone: str) -> When:
    """The wall time of a UTC stamp in a zone.

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
    """The VTIMEZONE of a zone for these years, unfolded; a line each."""
    # Only timed tasks need one.
    from icalendar import Timezone

    begins, ends = (date(min(max(year, 1), _LAST_YEAR), 1, 1) for year in (first, last + 1))
    component = Timezone.from_tzid(zone, first_date=begins, last_date=ends)
    text = component.to_ical().decode()
    return tuple(line for line in text.replace("\r\n ", "").split("\r\n") if line)


@cache
def is_zone(name: str) -> bool:
    """Whether there is a zone of that IANA name."""
    try:
        return bool(name) and ZoneInfo(name) is not None
    except (KeyError, ValueError, OSError):
        return False
