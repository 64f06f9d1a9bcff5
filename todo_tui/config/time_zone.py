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
    """Return the zone of `TZ`, of the system's link or file, of its name file, else of the offset.

    `TZ` may be a name, or the path of a zone's file or of a link to one. `root` is the folder
    under which `etc` lies.
    """
    named = environ.get("TZ", "").strip().removeprefix(":").strip()
    if not named:
        return LocalZone(_zone_of_system(root))
    if name := zone_name(named) or (_zone_of_file(Path(named)) if Path(named).is_file() else None):
        return LocalZone(name)
    name = _zone_of_offset() or "UTC"
    message = f"TZ is {named}, which is not a time zone. {name} is used."
    return LocalZone(name, ConfigProblem(message, _HINT))


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
    files = {name: _content(file) for name, file in _zone_files()}
    same = [name for name in files if files[name] == content]
    # Another edition of the same file has the same rules from now on.
    alike = [name for name in files if _rules(files[name]) == _rules(content)]
    return next(iter(same or alike), None)


def _rules(content: bytes) -> bytes:
    """Return the rules in the last line of a zone's file (RFC 8536)."""
    return content[:-1].rpartition(b"\n")[2]


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
