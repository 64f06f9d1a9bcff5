"""Time zones of a calendar: names of a TZID, and rules that the file itself defines."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import cast
from zoneinfo import ZoneInfo

from todo_tui.domain.when import is_known_zone
from todo_tui.formats.vtodo_lines import Component, unescape_text

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?")
_HOUR = timedelta(hours=1)
_WEEK = timedelta(weeks=1)
_WEEKS = 53
_FIRST_YEAR, _LAST_YEAR = 1971, 2100
"""Years in which rules are compared; in later ones that takes seconds."""


class Zones:
    """Zones by TZID, a name within the file.

    Rules that the file defines are compared with those of other zones, `home` first, in a year.
    """

    def __init__(
        self, components: Mapping[str, Component], home: str = "UTC", year: int = 2026
    ) -> None:
        self._components = components
        self._home = home
        self._year = min(max(year, _FIRST_YEAR), _LAST_YEAR)
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
        if (named := _named(names)) is not None:
            return named
        rules = None if component is None else _rules(component)
        if rules is not None:
            return self._same(rules) or rules
        name, _, number = tzid.rpartition(" ")
        return _named([name] if number.isdecimal() else []) or _fixed(tzid)

    def _same(self, rules: tzinfo) -> str | None:
        """Return a zone with the same offsets in the year, None if there is none."""
        # Deferred: only calendars of Windows need it.
        from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

        begins = datetime(self._year, 1, 1, tzinfo=UTC)
        weeks = [begins + number * _WEEK for number in range(_WEEKS)]
        wanted = {week: _wall(week, rules) for week in weeks}
        for week in weeks[1:]:
            if wanted[week] - wanted[week - _WEEK] != _WEEK:
                # The clocks change in this week: at which hour?
                hours = (week - number * _HOUR for number in range(1, 7 * 24))
                wanted |= {hour: _wall(hour, rules) for hour in hours}
        for name in (self._home, *dict.fromkeys(WINDOWS_TO_OLSON.values())):
            if is_known_zone(name):
                zone = ZoneInfo(name)
                if all(_wall(instant, zone) == wall for instant, wall in wanted.items()):
                    return name
        return None


def _wall(instant: datetime, zone: tzinfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)


def _fixed(tzid: str) -> tzinfo | None:
    """Return the zone of a name that is an offset: `GMT+0100`."""
    found = _OFFSET.fullmatch(tzid.strip())
    if found is None or int(found[2]) >= 24:
        return None
    size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-size if found[1] == "-" else size)


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
