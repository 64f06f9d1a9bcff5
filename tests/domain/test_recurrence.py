"""Tests of recurrence phrases and next occurrences."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import count_calls
from tests.rows import each_row
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    first_occurrences,
    next_occurrence,
)
from todo_tui.domain.recurrence.reader import (
    describe_recurrence,
    format_recurrence,
    read_recurrence,
)
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import DateStyle, When

DATA = Path(__file__).parent.parent / "data"
NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()
EXCLUDING = "FREQ=WEEKLY;EXDATE=20261130,20261207"
TABLE = [
    row
    for row in json.loads((DATA / "phrases.json").read_text())["phrases"]
    if row["kind"] == "recurrence"
]
MORE = json.loads((DATA / "more_phrases.json").read_text())


@each_row("row", TABLE)
def test_phrase_table(row: dict[str, object]) -> None:
    reading = read_recurrence(str(row["phrase"]), NOW, STYLE)
    after_completion = reading.recurrence.repeat_from is RepeatFrom.COMPLETION
    assert {
        "rrule": reading.recurrence.rule,
        "first": reading.first.iso(),
        "after_completion": after_completion,
    } == row["expected"]


def test_more_recurrence_phrases() -> None:
    readings = {phrase: read_recurrence(phrase, NOW, STYLE) for phrase in MORE["recurrences"]}
    assert {
        phrase: [r.recurrence.rule, r.recurrence.repeat_from.value, r.first.iso()]
        for phrase, r in readings.items()
    } == MORE["recurrences"]


def test_unreadable_recurrence_has_an_error_sentence() -> None:
    failures = []
    for text in (*MORE["not_recurrences"], "", "tomorrow", "friday 5pm", "x" * 300):
        try:
            failures.append((text, read_recurrence(text, NOW, STYLE).recurrence.rule))
        except DateNotUnderstood as refusal:
            if not str(refusal).endswith("."):
                failures.append((text, str(refusal)))
    assert failures == []


def test_day_that_never_comes_is_named() -> None:
    with pytest.raises(DateNotUnderstood, match="There is no 30 February"):
        read_recurrence("every 30 feb", NOW, STYLE)


def test_recurrence_text_round_trips() -> None:
    phrases = [row["phrase"] for row in TABLE] + list(MORE["recurrences"])
    assert len(phrases) > 300
    failures = []
    for phrase in phrases:
        recurrence = read_recurrence(phrase, NOW, STYLE).recurrence
        words = format_recurrence(recurrence)
        if read_recurrence(words, NOW, STYLE).recurrence != recurrence:
            failures.append((phrase, words))
    assert failures == []


@each_row(
    ("rule", "repeat_from", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", RepeatFrom.NEXT, "every Monday"),
        ("FREQ=DAILY;INTERVAL=3", RepeatFrom.COMPLETION, "every 3 days after completion"),
        (
            "FREQ=DAILY;INTERVAL=3;UNTIL=20261224",
            RepeatFrom.COMPLETION,
            "every 3 days after completion, until 24 Dec 2026",
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=1;UNTIL=20261224",
            RepeatFrom.DUE,
            "every month on the 1st until 24 Dec 2026, missed ones too",
        ),
        ("FREQ=DAILY;COUNT=5", RepeatFrom.COMPLETION, "FREQ=DAILY;COUNT=5 after completion"),
        ("FREQ=MONTHLY;BYMONTHDAY=1", RepeatFrom.NEXT, "every month on the 1st"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", RepeatFrom.NEXT, "every month on the last day"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=-1,1,15",
            RepeatFrom.NEXT,
            "every month on the 1st, 15th and the last day",
        ),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", RepeatFrom.DUE, "every weekday, missed ones too"),
        ("FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5", RepeatFrom.NEXT, "every 5 January"),
        ("FREQ=DAILY;UNTIL=20261231", RepeatFrom.NEXT, "every day until 31 Dec 2026"),
        ("FREQ=YEARLY;BYYEARDAY=100", RepeatFrom.DUE, "FREQ=YEARLY;BYYEARDAY=100"),
        ("anything", RepeatFrom.DUE, "anything"),
    ],
)
def test_recurrence_is_formatted(rule: str, repeat_from: RepeatFrom, words: str) -> None:
    assert format_recurrence(Recurrence(rule, repeat_from)) == words


@given(
    base=st.sampled_from(
        ("DAILY", "DAILY;INTERVAL=3", "WEEKLY;BYDAY=MO,FR", "MONTHLY;BYMONTHDAY=1", "YEARLY")
    ),
    end=st.sampled_from(("", ";UNTIL=20261224")),
    repeat_from=st.sampled_from(RepeatFrom),
)
def test_rule_with_an_end_and_a_mode_round_trips(
    base: str, end: str, repeat_from: RepeatFrom
) -> None:
    recurrence = Recurrence(f"FREQ={base}{end}", repeat_from)
    reading = read_recurrence(format_recurrence(recurrence), NOW, STYLE).recurrence
    # Other rules gain the day of their first occurrence.
    assert reading == recurrence or repeat_from is not RepeatFrom.COMPLETION
    assert reading.repeat_from is repeat_from
    assert ("UNTIL=20261224" in reading.rule) is bool(end)


@pytest.mark.parametrize("days", ["15th and last day", "1st, 15th and the last day"])
def test_last_day_among_others_round_trips(days: str) -> None:
    recurrence = read_recurrence(f"every month on the {days}", NOW, STYLE).recurrence
    assert read_recurrence(format_recurrence(recurrence), NOW, STYLE).recurrence == recurrence
    assert "last day" in format_recurrence(recurrence)


@each_row(
    ("rule", "words"),
    [
        ("FREQ=DAILY;COUNT=5", "every day, 5 times in all"),
        ("FREQ=MONTHLY;BYMONTHDAY=1;COUNT=1", "every month on the 1st, 1 time in all"),
        (
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270501T000000Z",
            "every 2 weeks until 1 May 2027 00:00 UTC",
        ),
        ("FREQ=DAILY;UNTIL=20270501T090000", "every day until 1 May 2027 09:00"),
        ("FREQ=DAILY;UNTIL=20261231", "every day until 31 Dec 2026"),
        (
            "FREQ=DAILY;UNTIL=20261231;EXDATE=20261224",
            "every day until 31 Dec 2026 except 24 Dec 2026",
        ),
        ("FREQ=YEARLY;BYYEARDAY=100;COUNT=2", "FREQ=YEARLY;BYYEARDAY=100;COUNT=2"),
    ],
)
def test_end_set_by_another_program_is_described(rule: str, words: str) -> None:
    assert describe_recurrence(Recurrence(rule, RepeatFrom.NEXT)) == words


@each_row(
    ("end", "words"),
    [
        ("", ""),
        (";COUNT=5", ", 5 times in all"),
        (";UNTIL=20261224", ", until 24 Dec 2026"),
        (";UNTIL=20261224T090000", ", until 24 Dec 2026 09:00"),
        (";EXDATE=20261224", ", except 24 Dec 2026"),
        (";UNTIL=20261231;EXDATE=20261224", ", until 31 Dec 2026, except 24 Dec 2026"),
    ],
)
def test_end_stands_behind_the_completion(end: str, words: str) -> None:
    for rule, text in (("DAILY;INTERVAL=3", "every 3 days"), ("WEEKLY;BYDAY=MO", "every Monday")):
        recurrence = Recurrence(f"FREQ={rule}{end}", RepeatFrom.COMPLETION)
        assert describe_recurrence(recurrence) == f"{text} after completion{words}"


@each_row(
    ("rule", "repeat_from", "due", "done", "following"),
    [
        ("FREQ=DAILY", "due", "2026-11-10", "2026-11-18T14:30", "2026-11-11"),
        ("FREQ=DAILY", "next", "2026-11-10", "2026-11-18T14:30", "2026-11-19"),
        ("FREQ=DAILY", "next", "2026-11-20", "2026-11-18T14:30", "2026-11-21"),
        ("FREQ=DAILY;INTERVAL=3", "completion", "2026-11-10", "2026-11-18T14:30", "2026-11-21"),
        ("FREQ=DAILY;INTERVAL=3", "next", "2026-11-10", "2026-11-18T14:30", "2026-11-19"),
        ("FREQ=DAILY", "next", "2026-11-10T17:00", "2026-11-18T14:30", "2026-11-18T17:00"),
        ("FREQ=DAILY", "next", "2026-11-10T09:00", "2026-11-18T14:30", "2026-11-19T09:00"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "due", "2026-11-09", "2026-11-18T14:30", "2026-11-23"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "next", "2026-10-05", "2026-11-18T14:30", "2026-11-30"),
        ("FREQ=WEEKLY;BYDAY=MO", "completion", "2026-11-16", "2026-11-18T14:30", "2026-11-23"),
        ("FREQ=WEEKLY;BYDAY=MO,TH", "due", "2026-11-16", "2026-11-16T14:30", "2026-11-19"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "due", "2027-01-31", "2027-01-31T10:00", "2027-02-28"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "due", "2027-02-28", "2027-03-01T10:00", "2027-03-31"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,31", "due", "2027-02-15", "2027-02-15T10:00", "2027-02-28"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "due", "2027-01-31", "2027-01-31T10:00", "2027-02-28"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "due", "2026-11-27", "2026-11-27T10:00", "2026-12-25"),
        ("FREQ=MONTHLY", "completion", "2027-01-20", "2027-01-31T10:00", "2027-02-28"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "due", "2028-02-29", "2028-03-01T10:00",
         "2029-02-28"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "due", "2031-02-28", "2031-03-01T10:00",
         "2032-02-29"),
        ("FREQ=HOURLY;INTERVAL=4", "due", "2026-11-18T14:30", "2026-11-18T15:00",
         "2026-11-18T18:30"),
        ("FREQ=HOURLY;INTERVAL=4", "next", "2026-11-17T14:30", "2026-11-18T15:00",
         "2026-11-18T18:30"),
        ("FREQ=HOURLY;INTERVAL=4", "completion", "2026-11-17T14:30", "2026-11-18T15:10",
         "2026-11-18T19:10"),
        ("FREQ=DAILY;UNTIL=20261119", "due", "2026-11-18", "2026-11-18T15:00", "2026-11-19"),
        ("FREQ=DAILY;UNTIL=20261119", "due", "2026-11-18T09:00", "2026-11-18T15:00",
         "2026-11-19T09:00"),
        ("FREQ=DAILY;UNTIL=20261119", "due", "2026-11-19", "2026-11-19T15:00", None),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=2", "due", "2026-11-18",
         "2026-11-18T15:00", None),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "due", "2026-11-18", "2026-11-18T15:00", None),
    ],
)  # fmt: skip
def test_next_occurrence_follows_the_mode(
    rule: str, repeat_from: str, due: str, done: str, following: str | None
) -> None:
    recurrence = Recurrence(rule, RepeatFrom(repeat_from))
    moment = next_occurrence(recurrence, When.parse(due), datetime.fromisoformat(done))
    assert (moment and moment.iso()) == following


def test_a_monthly_repeat_comes_back_to_the_late_day_it_began_on() -> None:
    reading = read_recurrence("every month starting jan 31", NOW, STYLE)
    days = [moment.iso() for moment in first_occurrences(reading.recurrence, reading.first, 5)]
    assert days == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]


def test_every_other_monday_does_not_skip_the_first() -> None:
    reading = read_recurrence("every other monday", datetime(2026, 11, 25, 9), STYLE)
    days = [moment.iso() for moment in first_occurrences(reading.recurrence, reading.first, 3)]
    assert days == ["2026-11-30", "2026-12-14", "2026-12-28"]


def test_every_other_week_keeps_to_the_week_of_the_person() -> None:
    sunday_first = DateStyle(week_start=6)
    reading = read_recurrence("every other monday and sunday", NOW, sunday_first)
    assert reading.recurrence.rule.endswith("WKST=SU")
    days = [moment.iso() for moment in first_occurrences(reading.recurrence, reading.first, 3)]
    assert days == ["2026-11-22", "2026-11-23", "2026-12-06"]


def test_a_daily_time_stays_across_daylight_saving() -> None:
    recurrence = Recurrence("FREQ=DAILY")
    due = When.parse("2026-10-24T09:00")
    for day in (25, 26):
        following = next_occurrence(recurrence, due, due.local(), "Europe/Berlin")
        assert following is not None
        due = following
        assert due.iso() == f"2026-10-{day}T09:00"


def test_hours_are_real_hours_across_daylight_saving() -> None:
    recurrence = Recurrence("FREQ=HOURLY;INTERVAL=2")
    spring = When.parse("2026-03-29T01:30")
    following = next_occurrence(recurrence, spring, spring.local(), "Europe/Berlin")
    assert following == When.parse("2026-03-29T04:30")
    hourly = Recurrence("FREQ=HOURLY")
    autumn = When.parse("2026-10-25T02:30")
    following = next_occurrence(hourly, autumn, autumn.local(), "Europe/Berlin")
    assert following == When.parse("2026-10-25T03:30")


def test_old_start_is_fast() -> None:
    recurrence = Recurrence("FREQ=MINUTELY;INTERVAL=5", RepeatFrom.NEXT)
    for rule in ("FREQ=MINUTELY;INTERVAL=5", "FREQ=HOURLY;BYDAY=MO", "FREQ=DAILY;INTERVAL=3"):
        recurrence = Recurrence(rule, RepeatFrom.NEXT)
        old = When.parse("1990-01-01T09:00")
        assert count_calls(lambda: next_occurrence(recurrence, old, NOW)) < 1_000  # noqa: B023
        assert next_occurrence(recurrence, old, NOW)


def test_hours_of_an_all_day_task_count_from_when_it_was_done() -> None:
    following = next_occurrence(Recurrence("FREQ=HOURLY"), When.parse("2026-11-18"), NOW)
    assert following == When.parse("2026-11-18T15:00")


def test_a_rule_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValidationError):
        next_occurrence(Recurrence("FREQ=SOMETIMES"), When.parse("2026-11-18"), NOW)


# --- properties ---------------------------------------------------------------------

lists_of_days = st.lists(st.sampled_from("MO TU WE TH FR SA SU".split()), min_size=1, unique=True)
intervals = st.integers(1, 13)
rules = st.one_of(
    st.builds("FREQ=DAILY;INTERVAL={}".format, intervals),
    st.builds(
        lambda n, days: f"FREQ=WEEKLY;INTERVAL={n};BYDAY={','.join(days)}", intervals, lists_of_days
    ),
    st.builds("FREQ=WEEKLY;INTERVAL={}".format, intervals),
    st.builds("FREQ=MONTHLY;INTERVAL={};BYMONTHDAY={}".format, intervals, st.integers(1, 31)),
    st.builds("FREQ=MONTHLY;INTERVAL={}".format, intervals),
    st.builds(
        "FREQ=MONTHLY;INTERVAL={};BYDAY={}{}".format,
        intervals,
        st.sampled_from((1, 2, 3, 4, -1)),
        st.sampled_from("MO TU WE TH FR SA SU".split()),
    ),
    st.builds(
        "FREQ=YEARLY;BYMONTH={};BYMONTHDAY={}".format, st.integers(1, 12), st.integers(1, 28)
    ),
    st.builds("FREQ={};INTERVAL={}".format, st.sampled_from(("HOURLY", "MINUTELY")), intervals),
)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1)).map(When.of)


@given(rules, moments, st.timedeltas(timedelta(days=-40), timedelta(days=400)), st.booleans())
@settings(max_examples=80, deadline=None)
def test_the_next_one_is_later_than_the_due_and_in_next_mode_than_now(
    rule: str, due: When, passed: timedelta, all_day: bool
) -> None:
    if all_day and not rule.startswith(("FREQ=HOURLY", "FREQ=MINUTELY")):
        due = When(due.day)
    done = due.local() + passed
    for repeat_from in (RepeatFrom.DUE, RepeatFrom.NEXT):
        following = next_occurrence(Recurrence(rule, repeat_from), due, done)
        assert following is not None
        assert following.local() > due.local()
        if repeat_from is RepeatFrom.NEXT:
            assert following.local() > done.replace(second=0, microsecond=0)
    after_done = next_occurrence(Recurrence(rule, RepeatFrom.COMPLETION), due, done)
    assert after_done is not None
    assert after_done.local() > done.replace(second=0, microsecond=0)


@given(rules.filter(lambda rule: "LY;BYMONTHDAY=3" not in rule), moments)
@settings(max_examples=60, deadline=None)
def test_where_no_day_is_clamped_the_slots_are_those_of_dateutil(rule: str, now: When) -> None:
    reading = read_recurrence(rule, now.local(), STYLE)
    if any(f"BYMONTHDAY={day}" in reading.recurrence.rule for day in (29, 30, 31)):
        return
    start = reading.first.local().replace(hour=0, minute=0, second=0)
    if reading.first.at is not None:
        start = reading.first.local()
    slots = rrulestr(reading.recurrence.rule, dtstart=start)
    expected = [When.of(slot) for slot in islice(slots, 4)]
    if reading.first.at is None:
        expected = [When(moment.day) for moment in expected]
    assert first_occurrences(reading.recurrence, reading.first, 4) == expected


@given(rules, st.sampled_from(list(RepeatFrom)), moments)
@settings(max_examples=60, deadline=None)
def test_text_of_any_rule_round_trips(rule: str, repeat_from: RepeatFrom, now: When) -> None:
    plain = read_recurrence(rule, datetime(2026, 11, 18), STYLE).recurrence
    recurrence = Recurrence(plain.rule, repeat_from)
    words = format_recurrence(recurrence)
    assert read_recurrence(words, datetime(2026, 11, 18), STYLE).recurrence == recurrence
    assert "FREQ" not in words


@given(st.text(max_size=50) | st.from_regex(r"FREQ=[A-Z;=,0-9]{1,40}", fullmatch=True), moments)
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_or_raises_the_named_error(text: str, now: When) -> None:
    try:
        reading = read_recurrence(text, now.local(), STYLE)
    except DateNotUnderstood:
        return
    assert reading.first.local() >= now.local().replace(second=0)
    assert format_recurrence(reading.recurrence)


def test_excluded_days_are_no_occurrences() -> None:
    for mode in (RepeatFrom.DUE, RepeatFrom.NEXT):
        recurrence = Recurrence(EXCLUDING, mode)
        due = When.parse("2026-11-23")
        assert next_occurrence(recurrence, due, due.local()) == When.parse("2026-12-14")
    assert describe_recurrence(Recurrence(EXCLUDING)) == (
        "every week except 30 Nov 2026 and 7 Dec 2026, missed ones too"
    )
    words = format_recurrence(Recurrence(EXCLUDING))
    assert read_recurrence(words, NOW, STYLE).recurrence.rule.endswith("EXDATE=20261130,20261207")


def test_a_rule_to_the_end_of_the_calendar_goes_on() -> None:
    rule = "FREQ=WEEKLY;UNTIL=99991231T235959Z"
    due = When.parse("2026-11-23T17:00")
    following = next_occurrence(Recurrence(rule), due, due.local(), "Europe/Berlin")
    assert following == When.parse("2026-11-30T17:00")
