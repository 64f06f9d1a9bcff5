"""Time zones of a calendar: names of a TZID, and rules that the file itself defines."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import cast
from zoneinfo import ZoneInfo

from todo_tui.domain.when import is_known_zone
from todo_tui.formats.vtodo_lines import Component, unescape_text

_NUMBERED = re.compile(r"\s+\d+$")
_WEEK = timedelta(weeks=1)
_WEEKS = 53


class Zones:
    """Zones by TZID, a name within the file; `home` is the first one to compare rules with."""

    def __init__(self, components: Mapping[str, Component], home: str) -> None:
        self._components = components
        self._home = home
        self._found: dict[tuple[str, int], str | tzinfo | None] = {}

    def find(self, tzid: str, year: int) -> str | tzinfo | None:
        """Return the IANA zone of a TZID in a year, else the file's own rules, else None."""
        key = (tzid.strip('"'), year)
        if key not in self._found:
            self._found[key] = self._find(*key)
        return self._found[key]

    def _find(self, tzid: str, year: int) -> str | tzinfo | None:
        component = self._components.get(tzid)
        path = tzid.strip("/").split("/")
        location = "" if component is None else _property(component, "X-LIC-LOCATION")
        names = [tzid, location, "/".join(path[-2:]), "/".join(path[-3:]), path[-1]]
        if (named := _named(names)) is not None:
            return named
        rules = None if component is None else _rules(component)
        if rules is not None:
            return self._same(rules, year) or rules
        return _named([_NUMBERED.sub("", tzid)])

    def _same(self, rules: tzinfo, year: int) -> str | None:
        """Return a zone with the same offsets in a year, None if there is none."""
        # Deferred: only calendars of Windows need it.
        from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

        begins = datetime(min(max(year, 2), 9997), 1, 1, tzinfo=UTC)
        weeks = [begins + number * _WEEK for number in range(_WEEKS)]
        try:
            wanted = [_wall(week, rules) for week in weeks]
        except (ValueError, OverflowError):
            return None
        for name in (self._home, *dict.fromkeys(WINDOWS_TO_OLSON.values())):
            if is_known_zone(name):
                zone = ZoneInfo(name)
                if all(_wall(w, zone) == each for w, each in zip(weeks, wanted, strict=True)):
                    return name
        return None


def _wall(instant: datetime, zone: tzinfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)


def _named(names: list[str]) -> str | None:
    """Return the first of the names that is a zone's, or one of Windows."""
    known = next(filter(is_known_zone, names), None)
    if known is not None:
        return known
    # Deferred: only calendars of Windows need it.
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return next((WINDOWS_TO_OLSON[name] for name in names if name in WINDOWS_TO_OLSON), None)


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
