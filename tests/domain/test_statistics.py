"""Tests of statistics and their text."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from statistics import quantiles

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.statistics import (
    DayCounts,
    DurationQuartiles,
    Period,
    ProjectCounts,
    Punctuality,
    Statistics,
    duration_quartiles,
)
from todo_tui.domain.statistics_text import (
    format_duration,
    format_headline,
    format_share,
    key_figures,
    statistics_charts,
)

TODAY = date(2026, 11, 18)
"""A Wednesday."""
NOTHING = Statistics(
    today=TODAY,
    period=Period.up_to(TODAY, 10),
    done_by_day={},
    cancelled_by_day={},
    added_by_day={},
    done_by_hour={},
    time_to_done=None,
    projects=(),
    open=0,
    overdue=0,
)


def day(back: int) -> date:
    return TODAY - timedelta(days=back)


def fact(statistics: Statistics, label: str) -> tuple[str, str]:
    (found,) = (each for each in key_figures(statistics) if each.label == label)
    return found.value, found.note


def test_a_period_has_so_many_days_up_to_its_last() -> None:
    period = Period.up_to(TODAY, 3)
    assert (period.first, period.last, period.days) == (day(2), TODAY, 3)
    assert list(period) == [day(2), day(1), TODAY]
    assert day(3) not in period
    assert Period.up_to(date.min, 3).days == 1


def test_sums_are_those_of_the_period_and_streaks_those_of_all_time() -> None:
    found = replace(
        NOTHING,
        done_by_day={day(0): 2, day(9): 1, day(10): 5, day(11): 1, day(12): 1},
        cancelled_by_day={day(1): 1, day(20): 7},
        added_by_day={day(3): 4},
    )
    assert (found.done, found.cancelled, found.added) == (3, 1, 4)
    assert found.busiest_day == DayCounts(TODAY, 2, 0, 0)
    assert found.streaks.longest is not None
    assert found.streaks.longest.days == 4
    assert [each.day for each in found.days()] == list(found.period)
    assert sum(each.done for each in found.days()) == found.done


def test_weeks_hold_the_days_of_the_period_alone() -> None:
    found = replace(NOTHING, done_by_day={day(0): 2, day(9): 1, day(10): 5})
    monday = found.weeks(0)
    assert monday == (
        DayCounts(day(9), 1, 0, 0),
        DayCounts(date(2026, 11, 16), 2, 0, 0),
    )
    assert [week.day for week in found.weeks(2)] == [day(9), date(2026, 11, 11), TODAY]


def test_hours_and_weekdays_are_sums_of_the_same_tasks() -> None:
    found = replace(NOTHING, done_by_hour={(0, 9): 2, (0, 23): 1, (6, 9): 4})
    assert found.by_weekday == (3, 0, 0, 0, 0, 0, 4)
    assert (found.by_hour[9], found.by_hour[23], sum(found.by_hour)) == (6, 1, 7)


def test_punctuality_is_the_sum_over_projects() -> None:
    projects = (
        ProjectCounts("a", 3, 0, Punctuality(2, 1)),
        ProjectCounts(None, 1, 4, Punctuality(1, 1)),
    )
    assert replace(NOTHING, projects=projects).punctuality == Punctuality(3, 2)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=40))
def test_quartiles_agree_with_the_statistics_module(seconds: list[int]) -> None:
    found = duration_quartiles(seconds)
    lower, median, upper = quantiles(seconds, n=4, method="inclusive")
    assert found is not None
    assert (found.lower, found.median, found.upper) == pytest.approx((lower, median, upper))
    assert min(seconds) <= found.lower <= found.median <= found.upper <= max(seconds)


def test_of_one_duration_all_quartiles_are_the_same_and_of_none_there_are_none() -> None:
    assert duration_quartiles([90.0]) == DurationQuartiles(1, 90.0, 90.0, 90.0)
    assert duration_quartiles([]) is None


@each_row(
    ("on_time", "with_due", "words"),
    [
        (0, 0, "–"),
        (0, 9, "0%"),
        (9, 9, "100%"),
        (999, 1000, "99%"),
        (1, 1000, "1%"),
        (2, 3, "67%"),
    ],
)
def test_share_is_never_rounded_to_0_or_100(on_time: int, with_due: int, words: str) -> None:
    assert format_share(Punctuality(with_due, on_time)) == words


@each_row(
    ("seconds", "words"),
    [
        (0, "0 min"),
        (25 * 60, "25 min"),
        (90 * 60, "90 min"),
        (3 * 3600, "3 h"),
        (47 * 3600, "47 h"),
        (2.4 * 86400, "2 days"),
        (1234 * 86400, "1,234 days"),
    ],
)
def test_duration_unit(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


def test_a_streak_says_whether_today_is_still_to_come() -> None:
    assert fact(NOTHING, "Streak") == ("none", "complete a task to start one")
    today = replace(NOTHING, done_by_day={day(0): 1, day(1): 1})
    assert fact(today, "Streak") == ("2 days", "since Tue 17 Nov")
    yesterday = replace(NOTHING, done_by_day={day(1): 1})
    assert fact(yesterday, "Streak") == ("1 day", "since Tue 17 Nov, nothing yet today")
    over = replace(NOTHING, done_by_day={day(5): 1})
    assert fact(over, "Streak") == ("none", "complete a task to start one")
    assert fact(over, "Longest streak") == ("1 day", "Fri 13 Nov")


def test_quartiles_share_a_unit() -> None:
    spread = DurationQuartiles(4, 2 * 86400.0, 3 * 86400.0, 9 * 86400.0)
    assert fact(replace(NOTHING, time_to_done=spread), "Median time to complete") == (
        "3 days",
        "half took 2 to 9 days",
    )
    mixed = replace(spread, lower=3 * 3600.0)
    assert fact(replace(NOTHING, time_to_done=mixed), "Median time to complete")[1] == (
        "half took 3 h to 9 days"
    )


@pytest.mark.parametrize(
    ("came_in", "words"),
    [
        (5, "2 more created than closed"),
        (3, "as many as closed"),
        (1, "2 more closed than created"),
    ],
)
def test_added_is_compared_with_closed(came_in: int, words: str) -> None:
    found = replace(
        NOTHING,
        done_by_day={TODAY: 2},
        cancelled_by_day={TODAY: 1},
        added_by_day={TODAY: came_in},
    )
    assert fact(found, "Created") == (str(came_in), words)
    assert fact(found, "Cancelled") == ("1", "")


def test_rate_ignores_weeks_before_the_first_task() -> None:
    year = replace(NOTHING, period=Period.up_to(TODAY, 365), done_by_day={day(3): 4})
    assert format_headline(year) == "4 tasks completed in 365 days"
    assert format_headline(replace(year, done_by_day={day(27): 4, day(2): 8})) == (
        "12 tasks completed in 365 days, 3 per week"
    )
    assert (
        format_headline(replace(NOTHING, period=Period(TODAY, TODAY))) == "0 tasks completed today"
    )


def test_charts_begin_weeks_with_the_persons_first_day() -> None:
    found = replace(NOTHING, done_by_day={TODAY: 2}, done_by_hour={(2, 9): 2})
    weekdays = statistics_charts(found, 6)[2]
    assert weekdays.values == (0, 0, 0, 2, 0, 0, 0)
    assert weekdays.note == "Sun–Sat, peak Wed"
    assert statistics_charts(found, 0)[3].note == "0–23 h, peak 9–10"
    assert statistics_charts(NOTHING, 0)[3].note == ""
