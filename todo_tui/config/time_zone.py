"""The local time zone by its IANA name, from `TZ` or the system's own files."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from zoneinfo import TZPATH, ZoneInfo

from todo_tui.config.settings import ConfigProblem

_ABBREVIATION = r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)"
_OFFSET = r"[+-]?\d{1,2}(?::\d{2}){0,2}"
_RULES = rf"{_ABBREVIATION}{_OFFSET}(?:{_ABBREVIATION}(?:{_OFFSET})?(?:,[^,]+,[^,]+)?)?"
"""Rules of a zone in POSIX form, such as CET-1CEST,M3.5.0,M10.5.0/3."""
_FREQUENT = (
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "America/Sao_Paulo", "Europe/London", "Europe/Berlin", "Europe/Helsinki", "Asia/Kolkata",
    "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip
"""Zones that are preferred to others with the same rules."""
_MAGIC = b"TZif"
_HINT = "Set TZ to a time zone such as Europe/Berlin, or unset TZ."


class LocalZone(NamedTuple):
    """IANA name of the local zone, and the problem with `TZ` if it was not usable."""

    name: str
    problem: ConfigProblem | None = None


def find_local_zone(environ: Mapping[str, str], root: Path = Path("/")) -> LocalZone:
    """Return the zone of `TZ`, of the system's link or file, of its name file, else UTC.

    `TZ` may be a name, the path of a zone's file or of a link to one, or rules in POSIX form.
    `root` is the folder under which `etc` lies.
    """
    named = environ.get("TZ", "").strip().removeprefix(":").strip()
    if not named:
        return LocalZone(_zone_of_system(root))
    if name := zone_name(named) or (_zone_of_file(Path(named)) if Path(named).is_file() else None):
        return LocalZone(name)
    if re.fullmatch(_RULES, named):
        if name := _zone_with_rules(named):
            return LocalZone(name)
        name, reason = _zone_of_offset(), "matches no time zone; daylight saving is ignored"
        if "," not in named and re.fullmatch(rf"{_ABBREVIATION}{_OFFSET}", named) and name:
            return LocalZone(name)
    else:
        name, reason = _zone_of_offset(), "is not a time zone"
    name = name or "UTC"
    return LocalZone(name, ConfigProblem(f"TZ is {named}, which {reason}. {name} is used.", _HINT))


def zone_name(text: str) -> str | None:
    """Return the IANA name in a zone's name or path; None where there is no such zone."""
    name = re.sub(r"^(posix|right)/", "", text.strip().rpartition("zoneinfo/")[2])
    try:
        return ZoneInfo(name).key
    except (LookupError, OSError, ValueError):
        return None


def _zone_of_system(root: Path) -> str:
    link, written = root / "etc/localtime", ""
    linked = zone_name(str(link.resolve())) if link.is_symlink() else None
    with suppress(OSError, ValueError):
        written = (root / "etc/timezone").read_text("ascii")
    if name := linked or zone_name(written) or _zone_of_file(link):
        return name
    return "UTC" if link.exists() else _zone_of_offset() or "UTC"


def _zone_of_file(path: Path) -> str | None:
    """Return the zone that a path links to, or the one whose file it is a copy of."""
    if path.is_symlink():
        try:
            target = path.resolve()
        except (OSError, RuntimeError):  # links in a circle
            return None
        if name := zone_name(str(target)):
            return name
    content = _content(path)
    if not content.startswith(_MAGIC):
        return None
    copied = (name for name, file in _zone_files() if _content(file) == content)
    return next(copied, None) or _zone_with_rules(_rules_in(content))


def _zone_with_rules(rules: str) -> str | None:
    """Return a zone with these rules from now on, whatever its abbreviations.

    Rules that leave the days of the changes open are those of the first zone that fits.
    """
    if not rules:
        return None
    wanted = _without_abbreviations(rules)
    for exact in (rules, wanted):
        for name, file in _zone_files():
            present = _rules_in(_content(file))
            present = present if exact is rules else _without_abbreviations(present)
            if present == exact or ("," in present and present.partition(",")[0] == exact):
                return name
    return None


def _without_abbreviations(rules: str) -> str:
    times, *days = rules.split(",")
    return ",".join([re.sub(_ABBREVIATION, "_", times), *days])


def _rules_in(content: bytes) -> str:
    """Return the rules in the last line of a zone's file (RFC 8536); empty if it has none."""
    lines = content.split(b"\n")
    return lines[-2].decode("ascii", "replace") if len(lines) > 2 else ""


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _zone_files() -> Iterator[tuple[str, Path]]:
    """Yield names and files of the zones in use, frequent ones first."""
    folders = [Path(folder) for folder in TZPATH]
    if (package := find_spec("tzdata")) is not None and package.origin:
        folders.append(Path(package.origin).with_name("zoneinfo"))
    folder = next((path for path in folders if (path / "zone1970.tab").is_file()), None)
    if folder is None:
        return
    table = _content(folder / "zone1970.tab").decode("utf-8", "replace").splitlines()
    names = [line.split("\t")[2] for line in table if not line.startswith("#") and "\t" in line]
    for name in dict.fromkeys((*_FREQUENT, *names)):
        yield name, folder / name


def _zone_of_offset() -> str | None:
    """Return the zone of today's offset; None for one with minutes, which has no such zone."""
    hours, rest = divmod(time.localtime().tm_gmtoff, 3600)
    # POSIX counts westward: an hour east of Greenwich is Etc/GMT-1.
    return None if rest else f"Etc/GMT{-hours:+d}" if hours else "UTC"
