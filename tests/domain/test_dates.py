"""Tests of date phrases and ranges."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.rows import each_row
from todo_tui.domain.dates.reader import read_date, read_range
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.when import DateStyle, When

DATA = Path(__file__).parent.parent / "data"
NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()
TABLE = json.loads((DATA / "phrases.json").read_text())
MORE = json.loads((DATA / "more_phrases.json").read_text())
DATES = [row for row in TABLE["phrases"] if row["kind"] == "date"]


@each_row("row", DATES)
def test_phrase_table(row: dict[str, object]) -> None:
    reading = read_date(str(row["phrase"]), NOW, STYLE)
    assert reading.when.iso() == row["expected"]
    assert reading.note or not row["ambiguous"]


def test_more_date_phrases() -> None:
    readings = {phrase: read_date(phrase, NOW, STYLE).when.iso() for phrase in MORE["dates"]}
    assert readings == MORE["dates"]


def test_unreadable_date_has_an_error_sentence() -> None:
    assert issubclass(DateNotUnderstood, ValidationError)
    failures = []
    for text in (*MORE["not_dates"], "", " ", "x" * 300, "\x1b[31m", "[bold]"):
        try:
            failures.append((text, read_date(text, NOW, STYLE).when.iso()))
        except DateNotUnderstood as refusal:
            if not (str(refusal).endswith(".") and str(refusal).isprintable()):
                failures.append((text, str(refusal)))
    assert failures == []


@each_row(
    ("text", "said"),
    [
        ("feb 30", "There is no 30 February: February has 28 days, 29 in leap years."),
        ("31/4", "There is no 31 April: April has 30 days."),
        ("2026-02-29", "2026 has no 29 February."),
        ("31st of february", "There is no 31 February: February has 28 days, 29 in leap years."),
        ("mon 24 nov", "24 November 2026 is a Tuesday, not a Monday."),
        ("monday 24 nov 2026", "24 November 2026 is a Tuesday, not a Monday."),
        ("fifth friday of february 2026", "February 2026 has no 5th Friday."),
        ("13/13", "Invalid date 13/13: there is no month 13."),
    ],
)
def test_impossible_day_is_named(text: str, said: str) -> None:
    with pytest.raises(DateNotUnderstood) as refusal:
        read_date(text, NOW, STYLE)
    assert str(refusal.value) == said


def test_unreadable_part_is_named() -> None:
    with pytest.raises(DateNotUnderstood, match="Understood “5pm” as a date, but not “EST”"):
        read_date("5pm EST", NOW, STYLE)


@each_row(
    ("text", "day_first", "month_first"),
    [
        ("1/2", "2027-02-01", "2027-01-02"),
        ("1/2/2028", "2028-02-01", "2028-01-02"),
        ("1-2-28", "2028-02-01", "2028-01-02"),
        ("25/12", "2026-12-25", "2026-12-25"),
        ("12/25", "2026-12-25", "2026-12-25"),
        ("24.12.", "2026-12-24", "2026-12-24"),
        ("2026/12/01", "2026-12-01", "2026-12-01"),
    ],
)
def test_day_month_order_follows_style(text: str, day_first: str, month_first: str) -> None:
    assert read_date(text, NOW, DateStyle(day_first=True)).when.iso() == day_first
    assert read_date(text, NOW, DateStyle(day_first=False)).when.iso() == month_first


@each_row(
    ("text", "monday", "sunday"),
    [
        ("next week", "2026-11-23", "2026-11-22"),
        ("sunday this week", "2026-11-22", "2026-11-15"),
        ("end of week", "2026-11-20", "2026-11-20"),
        ("friday next week", "2026-11-27", "2026-11-27"),
    ],
)
def test_week_start_follows_style(text: str, monday: str, sunday: str) -> None:
    assert read_date(text, NOW, DateStyle(week_start=0)).when.iso() == monday
    assert read_date(text, NOW, DateStyle(week_start=6)).when.iso() == sunday


@each_row(
    ("now", "text", "expected"),
    [
        ("2028-02-29T09:00", "in a year", "2029-02-28"),
        ("2028-02-29T09:00", "feb 29", "2028-02-29"),
        ("2028-03-01T09:00", "feb 29", "2032-02-29"),
        ("2027-01-31T09:00", "in a month", "2027-02-28"),
        ("2027-01-31T09:00", "on the 30th", "2027-03-30"),
        ("2026-12-31T23:59", "tomorrow", "2027-01-01"),
        ("2026-12-31T23:59", "eoy", "2026-12-31"),
        ("2026-12-31T23:59", "in 2 minutes", "2027-01-01T00:01"),
        ("2026-12-31T23:59", "dec 31", "2026-12-31"),
        ("2026-12-31T10:00", "next month", "2027-01-01"),
        ("2026-11-22T12:00", "this weekend", "2026-11-22"),
        ("2026-11-21T12:00", "this weekend", "2026-11-21"),
        ("2026-11-21T12:00", "next weekend", "2026-11-28"),
        ("2026-11-22T12:00", "next week", "2026-11-23"),
        ("2026-11-22T12:00", "eow", "2026-11-22"),
        ("2026-11-20T12:00", "eow", "2026-11-20"),
        ("2026-11-20T12:00", "in 2 business days", "2026-11-24"),
        ("2026-11-21T12:00", "in 1 business day", "2026-11-23"),
        ("2026-11-21T12:00", "next business day", "2026-11-23"),
        ("2026-11-18T18:30", "eod", "2026-11-18"),
        ("2026-11-18T21:30", "tonight", "2026-11-18"),
        ("2026-11-18T21:30", "tonight at 11", "2026-11-18T23:00"),
        ("2026-11-18T21:30", "in the evening", "2026-11-19T19:00"),
        ("2026-11-18T00:00", "midnight", "2026-11-19T00:00"),
        ("2026-11-18T00:10", "noon", "2026-11-18T12:00"),
        ("2026-11-18T17:00", "5pm", "2026-11-18T17:00"),
        ("2026-11-18T17:01", "5pm", "2026-11-19T17:00"),
        ("2026-11-30T08:00", "end of month", "2026-11-30"),
        ("2026-11-30T08:00", "last day of the month", "2026-11-30"),
        ("2026-11-30T08:00", "first monday of the month", "2026-12-07"),
    ],
)
def test_edge_cases_of_the_calendar(now: str, text: str, expected: str) -> None:
    assert read_date(text, datetime.fromisoformat(now), STYLE).when.iso() == expected


@each_row(
    ("text", "expected"),
    [
        ("1 week later", "2026-12-04T09:00"),
        ("2 days earlier", "2026-11-25T09:00"),
        ("a day later", "2026-11-28T09:00"),
        ("push by 3 days", "2026-11-30T09:00"),
        ("by a week", "2026-12-04T09:00"),
        ("+1 week later", "2026-12-04T09:00"),
        ("2 hours later", "2026-11-27T11:00"),
        ("30 min earlier", "2026-11-27T08:30"),
        ("a day later at 5pm", "2026-11-28T17:00"),
        ("a month later", "2026-12-27T09:00"),
        ("at 5pm", "2026-11-27T17:00"),
        ("17:30", "2026-11-27T17:30"),
        ("tomorrow", "2026-11-19"),
        ("in 3 days", "2026-11-21"),
    ],
)
def test_shift_counts_from_present_due(text: str, expected: str) -> None:
    current = When(date(2026, 11, 27), time(9))
    assert read_date(text, NOW, STYLE, current).when.iso() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 hours later", None), ("90 minutes later", None), ("2 hours earlier", None),
        ("push by 1 hour", None), ("1 day and 2 hours later", None),
        ("a day later", "2026-11-28"), ("3 hours later at 5pm", "2026-11-27T17:00"),
        ("in 3 hours", "2026-11-18T17:30"), ("5pm", "2026-11-27T17:00"),
    ],
)  # fmt: skip
def test_hours_do_not_shift_an_all_day_date(text: str, expected: str | None) -> None:
    current = When(date(2026, 11, 27))
    if expected is None:
        with pytest.raises(DateNotUnderstood, match="Type a time"):
            read_date(text, NOW, STYLE, current)
    else:
        assert read_date(text, NOW, STYLE, current).when.iso() == expected


def test_bare_time_leaves_a_past_day() -> None:
    overdue = When(date(2026, 11, 10))
    assert read_date("at 5pm", NOW, STYLE, overdue).when.iso() == "2026-11-18T17:00"


def test_a_time_that_has_passed_is_read_as_that_of_tomorrow() -> None:
    late = datetime(2026, 11, 18, 21, 20)
    readings = {text: read_date(text, late, STYLE) for text in ("7:15", "at 6", "9:30")}
    assert {text: (read.when.iso()[-8:], read.note) for text, read in readings.items()} == {
        "7:15": ("19T07:15", "19:15 has passed today: read as tomorrow 07:15"),
        "at 6": ("19T18:00", "read as 18:00; 18:00 has passed today: read as tomorrow"),
        "9:30": ("19T09:30", "09:30 has passed today: read as tomorrow"),
    }


def test_a_day_that_passed_of_late_is_said_to_be_the_next_one() -> None:
    for text, last, coming in (
        ("nov 14", "Sat 14 Nov", "14 Nov 2027"),
        ("14 november 5pm", "Sat 14 Nov", "14 Nov 2027"),
        ("june 1", "Mon 1 Jun", "1 Jun 2027"),
        ("end of october", "Sat 31 Oct", "31 Oct 2027"),
        ("first monday of november", "Mon 2 Nov", "1 Nov 2027"),
        ("the day before nov 14", "Sat 14 Nov", "14 Nov 2027"),
    ):
        note = read_date(text, NOW, STYLE).note
        assert note == f"{last} has passed: read as {coming}"
    slashed = read_date("11/14", NOW, STYLE).note
    assert slashed == "Sat 14 Nov has passed: read as 14 Nov 2027"
    # Those that come sooner than they have passed are meant, and so is what has a year or weekday.
    for text in ("jan 3", "may 1", "nov 18", "nov 14 2027", "sunday 14 nov 2027", "christmas"):
        assert "passed" not in (read_date(text, NOW, STYLE).note or "")
    after = datetime(2026, 12, 27, 9, 0)
    assert read_date("christmas", after, STYLE).note == (
        "Fri 25 Dec has passed: read as 25 Dec 2027"
    )
    new_year = datetime(2027, 1, 3, 9, 0)
    assert read_date("dec 30", new_year, STYLE).note == (
        "30 Dec 2026 has passed: read as Thu 30 Dec"
    )


def test_past_date_is_allowed_with_a_note() -> None:
    for text, named in (("yesterday", "Tue 17 Nov"), ("today 9am", "Wed 18 Nov 09:00")):
        assert read_date(text, NOW, STYLE).note == f"{named} is in the past"


def test_ambiguous_phrase_has_a_note() -> None:
    note = read_date("next fri", NOW, STYLE).note
    assert note == "read as Fri 27 Nov, not the coming Fri 20 Nov"


def test_hours_count_through_daylight_saving_with_zone() -> None:
    before_change = datetime(2026, 10, 25, 1, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert read_date("in 2 hours", before_change, STYLE).when.iso() == "2026-10-25T02:30"
    assert read_date("in 3 hours", before_change, STYLE).when.iso() == "2026-10-25T03:30"


def test_skipped_local_time_is_kept() -> None:
    before_change = datetime(2026, 3, 28, 12, 0)
    when = read_date("tomorrow 2:30 am", before_change, STYLE).when
    assert when.iso() == "2026-03-29T02:30"
    assert when.instant("Europe/Berlin")


@each_row(
    ("text", "first", "last"),
    [
        ("today", "2026-11-18", "2026-11-18"),
        ("this week", "2026-11-16", "2026-11-22"),
        ("next week", "2026-11-23", "2026-11-29"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("this month", "2026-11-01", "2026-11-30"),
        ("next month", "2026-12-01", "2026-12-31"),
        ("weekend", "2026-11-21", "2026-11-22"),
        ("this weekend", "2026-11-21", "2026-11-22"),
        ("next weekend", "2026-11-28", "2026-11-29"),
        ("next 7 days", "2026-11-18", "2026-11-24"),
        ("7 days", "2026-11-18", "2026-11-24"),
        ("next 2 weeks", "2026-11-18", "2026-12-01"),
        ("last 3 days", "2026-11-16", "2026-11-18"),
        ("friday", "2026-11-20", "2026-11-20"),
        ("november", "2026-11-01", "2026-11-30"),
        ("october", "2027-10-01", "2027-10-31"),
        ("feb 2028", "2028-02-01", "2028-02-29"),
        ("q1 2027", "2027-01-01", "2027-03-31"),
        ("q4", "2026-10-01", "2026-12-31"),
        ("this quarter", "2026-10-01", "2026-12-31"),
        ("next year", "2027-01-01", "2027-12-31"),
        ("2027", "2027-01-01", "2027-12-31"),
        ("dec 25", "2026-12-25", "2026-12-25"),
        ("friday to monday", "2026-11-20", "2026-11-23"),
        ("dec 20 - jan 3", "2026-12-20", "2027-01-03"),
        ("in december", "2026-12-01", "2026-12-31"),
        ("tomorrow", "2026-11-19", "2026-11-19"),
        ("past week", "2026-11-12", "2026-11-18"),
        ("the past month", "2026-10-19", "2026-11-18"),
        ("past 7 days", "2026-11-12", "2026-11-18"),
        ("next 3 days", "2026-11-18", "2026-11-20"),
        ("within a week", "2026-11-18", "2026-11-24"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("last weekend", "2026-11-14", "2026-11-15"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("yesterday", "2026-11-17", "2026-11-17"),
        ("tonight", "2026-11-18", "2026-11-18"),
        ("this afternoon", "2026-11-18", "2026-11-18"),
        ("2026", "2026-01-01", "2026-12-31"),
        ("2027-02", "2027-02-01", "2027-02-28"),
        ("q1", "2027-01-01", "2027-03-31"),
    ],
)
def test_range_covers_its_days(text: str, first: str, last: str) -> None:
    days = read_range(text, NOW, STYLE)
    assert (days.first.isoformat(), days.last.isoformat()) == (first, last)


def test_invalid_range_is_refused() -> None:
    with pytest.raises(DateNotUnderstood, match="“blah”"):
        read_range("blah", NOW, STYLE)


@each_row(
    ("text", "territory", "day"),
    [
        ("easter monday", "", "2027-03-29"),
        ("good friday", "", "2027-03-26"),
        ("by easter", "DE", "2027-03-28"),
        ("shrove tuesday", "", "2027-02-09"),
        ("pentecost", "", "2027-05-16"),
        ("thanksgiving", "US", "2026-11-26"),
        ("thanksgiving", "CA", "2027-10-11"),
        ("black friday", "US", "2026-11-27"),
        ("cyber monday", "", "2026-11-30"),
        ("mother's day", "US", "2027-05-09"),
        ("mothers day", "GB", "2027-03-07"),
        ("mother's day", "FR", "2027-05-30"),
        ("father's day", "US", "2027-06-20"),
        ("fathers day", "AU", "2027-09-05"),
        ("memorial day", "US", "2027-05-31"),
        ("labor day", "US", "2027-09-06"),
        ("bonfire night", "GB", "2027-11-05"),
        ("advent sunday", "", "2026-11-29"),
        ("the first advent", "DE", "2026-11-29"),
        ("4th sunday of advent", "", "2026-12-20"),
        ("the day before thanksgiving", "US", "2026-11-25"),
    ],
)
def test_holidays_are_days_of_their_territory(text: str, territory: str, day: str) -> None:
    assert read_date(text, NOW, DateStyle(territory=territory)).when.iso() == day
