"""What is read off the machine: zone, date order, first day of the week."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import TZPATH

import pytest

from tests.rows import each_row
from todo_tui.config.machine import local_date_style
from todo_tui.config.time_zone import find_local_zone

ZONES = Path(TZPATH[0]) if TZPATH else Path("/usr/share/zoneinfo")
needs_zone_files = pytest.mark.skipif(
    not (ZONES / "zone1970.tab").is_file(), reason="the system has no files of time zones"
)


def local_zone(environ: dict[str, str], root: Path) -> str:
    found = find_local_zone(environ, root)
    assert found.problem is None
    return found.name


@needs_zone_files
def test_tz_names_the_zone_in_any_form(tmp_path: Path) -> None:
    link, other, copy = tmp_path / "lt", tmp_path / "lt2", tmp_path / "copy"
    link.symlink_to(ZONES / "Europe/Berlin")
    other.symlink_to(link)
    copy.write_bytes((ZONES / "Europe/Berlin").read_bytes())
    for value in ("Europe/Berlin", ZONES / "Europe/Berlin", link, other, copy):
        for prefix in ("", ":"):
            assert local_zone({"TZ": f"{prefix}{value}"}, tmp_path) == "Europe/Berlin"


@pytest.mark.parametrize(
    "value", ["Mars/Base", "Europe/Berln", "/nowhere/Berlin", ":/etc/passwd", "+", "CET-1CEST"]
)
def test_a_broken_tz_is_named(tmp_path: Path, value: str) -> None:
    found = find_local_zone({"TZ": value}, tmp_path)
    assert found.problem is not None
    assert f"TZ is {value.removeprefix(':')}, which is not a time zone" in found.problem.message
    assert "unset TZ" in found.problem.hint


@needs_zone_files
def test_a_copy_of_a_zones_file_names_the_zone(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    content = (ZONES / "Asia/Tokyo").read_bytes()
    for copy in (content, b"TZif of another edition\n" + content.splitlines(keepends=True)[-1]):
        (tmp_path / "etc/localtime").write_bytes(copy)
        assert local_zone({}, tmp_path) == "Asia/Tokyo"


def test_the_systems_link_names_the_zone(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    zones = tmp_path / "usr/share/zoneinfo/Asia"
    zones.mkdir(parents=True)
    (zones / "Tokyo").touch()
    (tmp_path / "etc/localtime").symlink_to(zones / "Tokyo")
    assert local_zone({}, tmp_path) == "Asia/Tokyo"


def test_a_name_file_stands_in_for_the_link(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").touch()
    (tmp_path / "etc/timezone").write_text("America/New_York\n")
    assert local_zone({}, tmp_path) == "America/New_York"


def test_a_machine_that_says_nothing_is_in_utc(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").touch()
    assert local_zone({}, tmp_path) == "UTC"


@each_row(
    ("environ", "day_first", "week_start"),
    [
        ({}, False, 0),
        ({"LANG": "C.UTF-8"}, False, 0),
        ({"LANG": "POSIX"}, False, 0),
        ({"LANG": "en_US.UTF-8"}, False, 6),
        ({"LANG": "en_GB.UTF-8"}, True, 0),
        ({"LANG": "de_DE@euro"}, True, 0),
        ({"LANG": "en_US.UTF-8", "LC_TIME": "en_GB.UTF-8"}, True, 0),
        ({"LANG": "en_GB", "LC_ALL": "C"}, False, 0),
        ({"LANG": "ar_EG.UTF-8"}, True, 5),
    ],
)
def test_the_locale_gives_date_order_and_first_day(
    environ: dict[str, str], day_first: bool, week_start: int
) -> None:
    style = local_date_style(environ)
    assert (style.day_first, style.week_start) == (day_first, week_start)


def test_the_locale_gives_the_territory_whose_holidays_are_meant() -> None:
    assert local_date_style({"LC_TIME": "en_GB.UTF-8", "LANG": "en_US.UTF-8"}).territory == "GB"
    assert local_date_style({"LANG": "C"}).territory == ""
