"""What the machine says of itself: its zone, how dates are written, where files go."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from todo_tui.domain.when import DateStyle

APP_NAME = "todo-tui"

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
    """The facts of a machine that settings start from; `zone` is an IANA name."""

    zone: str
    dates: DateStyle
    data_folder: Path
    config_folder: Path
    log_folder: Path


def this_machine(environ: Mapping[str, str]) -> Machine:
    """The machine that the program runs on; files live where platformdirs says."""
    # A tenth of what `todo-tui add` costs hangs on such imports: only who asks pays.
    from platformdirs import PlatformDirs

    folders = PlatformDirs(APP_NAME, appauthor=False)
    return Machine(
        zone=local_zone(environ),
        dates=local_date_style(environ),
        data_folder=folders.user_data_path,
        config_folder=folders.user_config_path,
        log_folder=folders.user_log_path,
    )


def local_zone(environ: Mapping[str, str], root: Path = Path("/")) -> str:
    """The IANA name of the local zone: `TZ`, the system's link, its name file, else UTC.

    `root` is the folder under which `etc` lies.
    """
    named = environ.get("TZ", "").lstrip(":").strip()
    if named:
        return _zone_name(named) or _zone_of_offset()
    link = root / "etc/localtime"
    try:
        linked = _zone_name(str(link.resolve())) if link.is_symlink() else None
        return linked or _zone_name((root / "etc/timezone").read_text("ascii")) or "UTC"
    except (OSError, ValueError):
        return "UTC" if link.exists() else _zone_of_offset()


def local_date_style(environ: Mapping[str, str]) -> DateStyle:
    """How dates are written here; without a territory (`C`, `POSIX`) month first, from Monday."""
    locale = environ.get("LC_ALL") or environ.get("LC_TIME") or environ.get("LANG") or ""
    territory = re.match(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])", locale)
    if territory is None:
        return DateStyle()
    code = territory[1]
    week_start = _SUNDAY if code in _SUNDAY_FIRST else _SATURDAY if code in _SATURDAY_FIRST else 0
    return DateStyle(day_first=code not in _MONTH_FIRST, week_start=week_start)


def _zone_name(text: str) -> str | None:
    """The IANA name in a zone's name or path; None where there is no such zone."""
    name = re.sub(r"^(posix|right)/", "", text.strip().rpartition("zoneinfo/")[2])
    try:
        return ZoneInfo(name).key
    except (LookupError, OSError, ValueError):
        return None


def _zone_of_offset() -> str:
    """The zone of today's offset, for rules (`TZ=CET-1CEST`) that carry no name."""
    hours, rest = divmod(time.localtime().tm_gmtoff, 3600)
    # POSIX counts westward: an hour east of Greenwich is Etc/GMT-1.
    return f"Etc/GMT{-hours:+d}" if hours and not rest else "UTC"
