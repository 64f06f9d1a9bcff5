"""Tests of streaks."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.statistics import Period, Streaks, find_streaks

TODAY = date(2026, 11, 18)


def days_back(*numbers: int) -> list[date]:
    return [TODAY - timedelta(days=number) for number in numbers]


def test_without_a_day_there_is_no_streak() -> None:
    assert find_streaks([], TODAY) == Streaks(None, None)


@each_row(
    ("days", "current"),
    [
        ((0,), 1),
        ((0, 1, 2), 3),
        ((1, 2), 2),
        ((2, 3), 0),
        ((0, 2, 3), 1),
        ((0, 0, 1), 2),
    ],
)
def test_a_streak_reaches_to_today_or_to_yesterday_while_today_still_runs(
    days: tuple[int, ...], current: int
) -> None:
    found = find_streaks(days_back(*days), TODAY).current
    assert (found.days if found else 0) == current


def test_the_longest_streak_is_told_apart_from_the_one_that_goes_on() -> None:
    found = find_streaks(days_back(0, 1, 10, 11, 12, 20), TODAY)
    assert found.current == Period(date(2026, 11, 17), TODAY)
    assert found.longest == Period(date(2026, 11, 6), date(2026, 11, 8))


def test_of_equally_long_streaks_the_latest_is_the_longest() -> None:
    found = find_streaks(days_back(0, 1, 10, 11), TODAY)
    assert found.longest == found.current


def test_a_streak_runs_over_a_leap_day_and_over_the_turn_of_a_year() -> None:
    leap = [date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)]
    assert find_streaks(leap, date(2028, 3, 1)).current == Period(leap[0], leap[-1])
    no_leap = find_streaks([date(2027, 2, 28), date(2027, 3, 1)], date(2027, 3, 1)).current
    assert no_leap is not None
    assert no_leap.days == 2
    turn = find_streaks([date(2026, 12, 31), date(2027, 1, 1)], date(2027, 1, 1)).current
    assert turn == Period(date(2026, 12, 31), date(2027, 1, 1))


def test_days_of_a_clock_that_was_ahead_do_not_count() -> None:
    assert find_streaks([TODAY + timedelta(days=3)], TODAY) == Streaks(None, None)
    ahead = find_streaks([TODAY, TODAY + timedelta(days=1)], TODAY).longest
    assert ahead == Period(TODAY, TODAY)


@settings(max_examples=60)
@given(st.sets(st.integers(0, 60)))
def test_streaks_are_what_walking_day_by_day_finds(back: set[int]) -> None:
    found = find_streaks(days_back(*back), TODAY)
    start = 0 if 0 in back else 1
    current = 0
    while start + current in back:
        current += 1
    longest = run = 0
    for number in range(62):
        run = run + 1 if number in back else 0
        longest = max(longest, run)
    assert (found.current.days if found.current else 0) == current
    assert (found.longest.days if found.longest else 0) == longest
