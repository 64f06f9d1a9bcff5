"""Property tests of the date grammar."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.dates.reader import read_date, read_range
from todo_tui.domain.dates.text import WEEKDAY_NAMES, format_due, format_when
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle, When

DATA = Path(__file__).parent.parent / "data"
AWKWARD_NOWS = (
    datetime(2026, 11, 18, 14, 30),
    datetime(2028, 2, 29, 9, 0),
    datetime(2027, 2, 28, 23, 59),
    datetime(2026, 12, 31, 23, 59),
    datetime(2027, 1, 1, 0, 0),
    datetime(2026, 11, 22, 12, 0),
    datetime(2026, 11, 23, 0, 1),
    datetime(2026, 10, 31, 8, 30),
)
STYLES = tuple(DateStyle(day_first, start) for day_first in (False, True) for start in (0, 6))
WORDS = (
    "next last this friday monday sun may march jan 5 15th 31 feb 30 in at on by a week days "
    "month 3 two half hour past to noon midnight tonight morning evening every until starting "
    "first end of the . , / : - + 17 30 pm am 2027 day after before from now ago w d tomorrow"
).split()

nows = st.sampled_from(AWKWARD_NOWS) | st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))
styles = st.sampled_from(STYLES)
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)


def date_phrases() -> list[str]:
    table = json.loads((DATA / "phrases.json").read_text())["phrases"]
    more = json.loads((DATA / "more_phrases.json").read_text())["dates"]
    return [row["phrase"] for row in table if row["kind"] == "date"] + sorted(more)


PHRASES = date_phrases()


@given(st.text(max_size=60) | phrases, nows, styles)
@settings(max_examples=40, deadline=None)
def test_any_text_is_read_or_raises_the_named_error(
    text: str, now: datetime, style: DateStyle
) -> None:
    for read in (read_date, read_range):
        try:
            read(text, now, style)
        except DateNotUnderstood as problem:
            assert problem.message.endswith(".")  # noqa: PT017


@each_row(
    ("now", "style"),
    [(now, STYLES[number % len(STYLES)]) for number, now in enumerate(AWKWARD_NOWS)],
)
def test_past_reading_has_a_note(now: datetime, style: DateStyle) -> None:
    for phrase in PHRASES:
        try:
            reading = read_date(phrase, now, style)
        except DateNotUnderstood:
            continue
        if reading.when.local() < now.replace(second=0):
            assert "in the past" in (reading.note or ""), phrase


@given(st.sampled_from(PHRASES), st.sampled_from(["upper", "title", "spaced", "ended"]), nows)
@settings(max_examples=40, deadline=None)
def test_case_spacing_and_final_punctuation_do_not_matter(
    phrase: str, change: str, now: datetime
) -> None:
    changed = {
        "upper": phrase.upper(),
        "title": phrase.title().replace("'S", "'s"),
        "spaced": "  " + phrase.replace(" ", "   ") + "\t",
        "ended": f"{phrase}!",
    }[change]
    style = DateStyle()
    try:
        expected = read_date(phrase, now, style)
    except DateNotUnderstood:
        with pytest.raises(DateNotUnderstood):
            read_date(changed, now, style)
        return
    assert read_date(changed, now, style) == expected


moments = st.builds(
    When,
    st.dates(date(2000, 1, 1), date(2099, 12, 31)),
    st.none() | st.builds(time, st.integers(0, 23), st.integers(0, 59)),
)


@given(moments, nows, styles)
@example(When(date(2026, 11, 2)), AWKWARD_NOWS[0], STYLES[0])
@settings(max_examples=40, deadline=None)
def test_iso_and_formatted_dates_round_trip(when: When, now: datetime, style: DateStyle) -> None:
    assert read_date(when.iso(), now, style).when == when
    assert read_date(when.iso().replace("T", " "), now, style).when == when
    assert read_date(format_when(when, now), now, style).when == when


@given(st.integers(-1000, 1000), nows)
@settings(max_examples=50, deadline=None)
def test_formatted_dates_near_today_round_trip(days: int, now: datetime) -> None:
    when = When(now.date() + timedelta(days=days))
    assert read_date(format_when(when, now), now, DateStyle()).when == when
    assert format_due(when, now)


@given(st.integers(0, 6), nows)
@settings(max_examples=40, deadline=None)
def test_weekday_is_the_first_after_today_and_next_that_of_next_week(
    weekday: int, now: datetime
) -> None:
    name = "monday tuesday wednesday thursday friday saturday sunday".split()[weekday]
    coming = read_date(name, now, DateStyle()).when.day
    assert coming.weekday() == weekday
    assert 1 <= (coming - now.date()).days <= 7
    following = read_date(f"next {name}", now, DateStyle()).when.day
    monday = now.date() - timedelta(days=now.weekday())
    # Of next week, but nobody says so of tomorrow.
    assert following.weekday() == weekday
    assert 2 <= (following - now.date()).days <= 13
    assert 7 <= (following - monday).days <= 14


@given(st.integers(1, 800), st.sampled_from(["days", "weeks", "months", "years"]), nows)
@settings(max_examples=50, deadline=None)
def test_amounts_are_read_the_same_in_every_form(count: int, unit: str, now: datetime) -> None:
    style = DateStyle()
    expected = read_date(f"in {count} {unit}", now, style)
    short = {"months": "mo"}.get(unit, unit[0])
    for form in (f"{count} {unit}", f"+{count}{short}", f"{count} {unit} from now"):
        assert read_date(form, now, style).when == expected.when
    later = When(date(2030, 5, 5), time(9))
    moved = read_date(f"{count} {unit} later", now, style, current=later).when
    assert (moved.at, moved.day > later.day) == (time(9), True)


@given(nows, styles)
@settings(max_examples=40, deadline=None)
def test_weeks_and_months_cover_today_and_follow_each_other(
    now: datetime, style: DateStyle
) -> None:
    for unit in ("week", "month", "quarter", "year"):
        this = read_range(f"this {unit}", now, style)
        following = read_range(f"next {unit}", now, style)
        assert this.first <= now.date() <= this.last
        assert following.first == this.last + timedelta(days=1)
    assert read_range("this week", now, style).first.weekday() == style.week_start


@given(nows, st.integers(0, 6), st.sampled_from(WEEKDAY_NAMES))
@example(datetime(2026, 11, 27, 10), 6, "sunday")
@settings(max_examples=40, deadline=None)
def test_next_weekday_is_in_next_week_wherever_weeks_begin(
    now: datetime, week_start: int, weekday: str
) -> None:
    style = DateStyle(week_start=week_start)
    week = read_range("next week", now, style)
    day = read_date(f"{weekday} next week", now, style).when.day
    assert week.first <= day <= week.last
    if day == now.date() + timedelta(days=1):
        day += timedelta(days=7)  # nobody says so of tomorrow
    assert read_date(f"next {weekday}", now, style).when.day == day
