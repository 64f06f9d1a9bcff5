"""Tests of the heat map and sparklines."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.statistics import Period
from todo_tui.domain.statistics_text import (
    ASCII_BARS,
    ASCII_SHADES,
    BARS,
    LEVELS,
    SHADES,
    build_heat_map,
    format_sparkline,
    heat_level,
    heat_thresholds,
)

TODAY = date(2026, 11, 18)
"""A Wednesday."""

some_days = st.dates(date(2019, 1, 1), date(2033, 12, 31))


@settings(max_examples=60)
@given(last=some_days, days=st.integers(1, 800), first_weekday=st.integers(0, 6))
def test_each_day_is_once_in_its_row(last: date, days: int, first_weekday: int) -> None:
    picture = build_heat_map(
        {}, Period.up_to(last, days), most_weeks=200, first_weekday=first_weekday
    )
    cells = [cell for week in picture.weeks for cell in week if cell is not None]
    assert [cell.day for cell in cells] == list(Period.up_to(last, days))
    for row, (name, line) in enumerate(zip(picture.weekdays(), picture.rows(), strict=True)):
        for cell in line:
            if cell is not None:
                assert cell.day.weekday() == (first_weekday + row) % 7
                assert cell.day.strftime("%a") == name


def test_newest_weeks_are_shown_if_space_is_short() -> None:
    picture = build_heat_map({}, Period.up_to(TODAY, 365), most_weeks=10, first_weekday=0)
    assert len(picture.weeks) == 10
    assert picture.period == Period(date(2026, 9, 14), TODAY)


def test_year_has_53_weeks() -> None:
    for back in range(7):
        period = Period.up_to(TODAY - timedelta(days=back), 365)
        assert len(build_heat_map({}, period, most_weeks=99, first_weekday=0).weeks) == 53


def test_first_row_is_the_first_weekday() -> None:
    sunday = build_heat_map({}, Period.up_to(TODAY, 14), most_weeks=9, first_weekday=6)
    assert sunday.weekdays() == ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    assert [cell.day if cell else None for cell in sunday.weeks[-1]] == [
        date(2026, 11, 15),
        date(2026, 11, 16),
        date(2026, 11, 17),
        TODAY,
        None,
        None,
        None,
    ]


def test_month_is_above_its_first_week() -> None:
    picture = build_heat_map({}, Period.up_to(TODAY, 70), most_weeks=99, first_weekday=0)
    line = picture.month_line(2)
    for month, first in (("Oct", date(2026, 10, 1)), ("Nov", date(2026, 11, 1))):
        week = line.index(month) // 2
        days = [cell.day for cell in picture.weeks[week] if cell is not None]
        assert first in days


@settings(max_examples=60)
@given(last=some_days, days=st.integers(1, 800), width=st.sampled_from((1, 2)))
def test_month_names_never_overlap(last: date, days: int, width: int) -> None:
    picture = build_heat_map({}, Period.up_to(last, days), most_weeks=75, first_weekday=0)
    line = picture.month_line(width)
    assert len(line) <= len(picture.weeks) * width
    assert all(len(name) == 3 for name in line.split())


def test_heat_map_at_both_ends_of_the_calendar() -> None:
    for last in (date.min, date.min + timedelta(days=5), date.max):
        picture = build_heat_map({last: 2}, Period.up_to(last, 30), most_weeks=9, first_weekday=6)
        assert picture.period.last == last


def test_levels_ignore_outliers() -> None:
    counts = [0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 500]
    marks = heat_thresholds(counts)
    assert [heat_level(count, marks) for count in (0, 1, 2, 3, 4, 500)] == [0, 1, 1, 2, 3, 4]


def test_equal_counts_have_equal_levels() -> None:
    marks = heat_thresholds([3, 3, 0, 3])
    assert (heat_level(0, marks), heat_level(3, marks)) == (0, 1)
    assert heat_thresholds([]) == (0.0, 0.0, 0.0)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 1000), min_size=1))
def test_levels_are_monotonic(counts: list[int]) -> None:
    marks = heat_thresholds(counts)
    levels = [heat_level(count, marks) for count in sorted(counts)]
    assert levels == sorted(levels)
    assert all(0 <= level < LEVELS for level in levels)
    assert all(
        (level == 0) == (count == 0) for level, count in zip(levels, sorted(counts), strict=True)
    )


def test_levels_differ_without_colour() -> None:
    for shades, bars in ((SHADES, BARS), (ASCII_SHADES, ASCII_BARS)):
        assert len(set(shades)) == LEVELS
        assert len(set(bars)) == 8
    assert (ASCII_SHADES + ASCII_BARS).isascii()


@each_row(
    ("values", "line"),
    [((), ""), ((0, 0), "▁▁"), ((0, 1, 7), "▁▂█"), ((5,), "█"), ((1, 1000), "▂█")],
)
def test_sparkline_shows_every_positive_value(values: tuple[int, ...], line: str) -> None:
    assert format_sparkline(values, BARS) == line
