"""What is read off the machine: zone, date order, first day of the week."""

from __future__ import annotations

from pathlib import Path

import pytest

from todo_tui.config.load import local_date_style, local_zone


def test_tz_names_the_zone_with_colon_or_path(tmp_path: Path) -> None:
    for value in ("Europe/Berlin", ":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin"):
        assert local_zone({"TZ": value}, tmp_path) == "Europe/Berlin"


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


@pytest.mark.parametrize(
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
