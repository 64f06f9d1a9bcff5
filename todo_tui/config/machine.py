"""Facts of the machine that settings start from: time zone, date style of the locale, paths."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from todo_tui.config.paths import Paths, find_paths
from todo_tui.config.settings import ConfigProblem
from todo_tui.config.time_zone import find_local_zone
from todo_tui.domain.when import DateStyle

_MONTH_FIRST = "AS FM GU MH MP PH PR PW UM US VI"
"""Territories that write the month before the day (CLDR's short date patterns)."""
_SUNDAY_FIRST = (
    "AG AS AU BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO "
    "MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW"
)
"""Territories whose week begins on Sunday (CLDR's weekData)."""
_SATURDAY_FIRST = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY"
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Machine:
    """Facts of a machine; `zone` is an IANA name."""

    zone: str
    dates: DateStyle
    paths: Paths
    zone_problem: ConfigProblem | None = field(default=None, kw_only=True)
    """Reason not to use `TZ`; None: it is valid or not set."""

    @property
    def setting_values(self) -> Mapping[str, object]:
        """Defaults of the settings that are declared as `from_machine`, by name."""
        return {
            "config": self.paths.config,
            "db": self.paths.database,
            "zone": self.zone,
            "dates.order": self.dates.day_first,
            "dates.week_start": self.dates.week_start,
        }


def detect_machine(environ: Mapping[str, str]) -> Machine:
    """Return the machine that the program runs on."""
    zone = find_local_zone(environ)
    return Machine(
        zone=zone.name,
        dates=local_date_style(environ),
        paths=find_paths(),
        zone_problem=zone.problem,
    )


def local_date_style(environ: Mapping[str, str]) -> DateStyle:
    """Return the date style of the locale; without a territory month first, weeks from Monday."""
    locale = environ.get("LC_ALL") or environ.get("LC_TIME") or environ.get("LANG") or ""
    territory = re.match(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])", locale)
    if territory is None:
        return DateStyle()
    code = territory[1]
    week_start = _SUNDAY if code in _SUNDAY_FIRST else _SATURDAY if code in _SATURDAY_FIRST else 0
    return DateStyle(day_first=code not in _MONTH_FIRST, week_start=week_start, territory=code)
