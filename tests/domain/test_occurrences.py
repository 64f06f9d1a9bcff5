"""Tests of the occurrences of rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.growth import count_calls
from tests.rows import each_row
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    anchor_to_due_day,
    count_missed_occurrences,
    first_occurrences,
    next_occurrence,
    occurrence_after_skip,
    occurrences_after,
    require_occurrence,
    slot_after,
    upcoming_dates,
)
from todo_tui.domain.recurrence.rrule import (
    DAY_CODES,
    Frequency,
    NeverHappens,
    RecurrenceRule,
    RuleDay,
    RuleProblem,
    parse_rule,
)
from todo_tui.domain.task import RepeatFrom, Status, Task
from todo_tui.domain.when import When, effective_zone, is_known_zone

_MAX_CALLS = 10_000_000
"""Of functions, to find an occurrence or that there is none: a few seconds."""
ANCHOR = datetime(2026, 11, 18, 9)
"""A Wednesday."""
DUE, NEXT, COMPLETION = RepeatFrom.DUE, RepeatFrom.NEXT, RepeatFrom.COMPLETION

weekdays = st.lists(st.integers(0, 6), max_size=3, unique=True)
months = st.lists(st.integers(1, 12), max_size=3, unique=True)
month_days = st.lists(st.integers(1, 31) | st.integers(-31, -1), max_size=3, unique=True)


@st.composite
def any_rules(draw: st.DrawFn) -> RecurrenceRule:
    freq = draw(st.sampled_from(list(Frequency)))
    nths = st.integers(1, 5) | st.integers(-5, -1)
    counted = freq in (Frequency.MONTHLY, Frequency.YEARLY) and draw(st.booleans())
    days = draw(weekdays)
    by_day = tuple(sorted(RuleDay(day, draw(nths) if counted else 0) for day in days))
    # dateutil starts the first week at its anchor, and reads positions in it otherwise.
    places = freq in (Frequency.MONTHLY, Frequency.YEARLY) and bool(by_day)
    return RecurrenceRule(
        freq,
        interval=draw(st.integers(1, 12)),
        by_month=tuple(sorted(draw(months))),
        by_month_day=() if freq is Frequency.WEEKLY else tuple(sorted(draw(month_days))),
        by_day=by_day,
        by_set_pos=tuple(sorted(draw(st.lists(nths, max_size=2, unique=True)))) if places else (),
        week_start=draw(st.integers(0, 6)),
    )


anchors = st.datetimes(datetime(1999, 1, 1), datetime(2060, 1, 1)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)


@settings(max_examples=50, deadline=None)
@given(any_rules(), anchors, st.timedeltas(timedelta(days=-3), timedelta(days=900)))
def test_unclamped_occurrences_agree_with_the_standard(
    rule: RecurrenceRule, anchor: datetime, passed: timedelta
) -> None:
    found = slot_after(rule, anchor, anchor + passed, clamp=False)
    # Of a rule that never falls due dateutil looks at every year of the calendar.
    assume(found is not None and found.year < anchor.year + 30)
    assert rrulestr(rule.text(), dtstart=anchor).after(anchor + passed) == found


@settings(max_examples=10, deadline=None)
@given(any_rules(), anchors, st.timedeltas(timedelta(), timedelta(days=400_000)), st.booleans())
def test_next_slot_is_found_fast_or_does_not_exist(
    rule: RecurrenceRule, anchor: datetime, passed: timedelta, clamp: bool
) -> None:
    found: list[datetime | None] = []
    work = count_calls(lambda: found.append(slot_after(rule, anchor, anchor + passed, clamp=clamp)))
    assert work < _MAX_CALLS
    (slot,) = found
    assert slot is None or (slot > anchor + passed and slot >= anchor)


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from((Frequency.MONTHLY, Frequency.YEARLY)), st.integers(1, 31), months, anchors,
    st.integers(0, 900),
)  # fmt: skip
def test_late_day_is_clamped_to_short_months(
    freq: Frequency, late: int, by_month: list[int], anchor: datetime, days: int
) -> None:
    rule = RecurrenceRule(freq, by_month=tuple(sorted(by_month)), by_month_day=(late,))
    found = slot_after(rule, anchor, anchor + timedelta(days=days))
    assert found is not None
    is_last = (found + timedelta(days=1)).month != found.month
    assert found.day == late or (found.day < late and is_last)


@each_row(
    "text",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=53MO",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=5",
        "FREQ=MINUTELY;BYDAY=MO;BYSETPOS=2",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3;BYMONTHDAY=31",
    ],
)
def test_rule_without_occurrences_is_refused_fast(text: str) -> None:
    def refuse() -> None:
        with pytest.raises(NeverHappens) as refusal:
            require_occurrence(Recurrence(text), When.of(ANCHOR))
        reasons.append(str(refusal.value))

    reasons: list[str] = []
    assert count_calls(refuse) < _MAX_CALLS
    assert reasons[0].startswith(("There is no 3", "“FREQ="))


def test_rule_with_occurrences_is_accepted() -> None:
    for text in ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;BYMONTHDAY=31",
                 "FREQ=DAILY;UNTIL=20200101", "FREQ=MONTHLY;COUNT=1;BYDAY=5FR"):  # fmt: skip
        require_occurrence(Recurrence(text), When.of(ANCHOR))
        require_occurrence(Recurrence(text), None)
    require_occurrence(Recurrence("FREQ=DAILY;INTERVAL=7;BYDAY=TU"), None)
    with pytest.raises(RuleProblem):
        require_occurrence(Recurrence("every now and then"), None)


def test_week_start_of_the_rule() -> None:
    rule = parse_rule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU")
    slots = [datetime(2026, 11, 22)]
    while len(slots) < 4:
        following = slot_after(rule, slots[0], slots[-1])
        assert following is not None
        slots.append(following)
    assert [slot.day for slot in slots] == [22, 23, 6, 7]


def test_no_occurrence_after_the_end_of_the_calendar() -> None:
    last = datetime(9999, 12, 31, 23, 59)
    for freq in Frequency:
        assert slot_after(RecurrenceRule(freq), last, last) is None
        assert next_occurrence(Recurrence(f"FREQ={freq}"), When.of(last), last) is None


@pytest.mark.parametrize("clamped", ["FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=31"])
def test_recurrence_returns_to_the_31st(clamped: str) -> None:
    days = [
        when.iso() for when in first_occurrences(Recurrence(clamped), When(date(2027, 1, 31)), 4)
    ]
    assert days == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]


def test_rule_names_its_late_day_if_needed() -> None:
    monthly = Recurrence("FREQ=MONTHLY;COUNT=3")
    assert anchor_to_due_day(monthly, When(date(2027, 1, 28))) is monthly
    kept = anchor_to_due_day(monthly, When(date(2027, 1, 30)))
    assert kept.rule == "FREQ=MONTHLY;BYMONTHDAY=30;COUNT=3"
    after_completion = Recurrence("FREQ=MONTHLY", COMPLETION)
    assert anchor_to_due_day(after_completion, When(date(2027, 1, 31))) is after_completion


def test_first_occurrences_end_with_the_rule() -> None:
    first = When(date(2026, 11, 18))
    assert len(first_occurrences(Recurrence("FREQ=DAILY;COUNT=2"), first, 3)) == 2
    assert len(first_occurrences(Recurrence("FREQ=DAILY;UNTIL=20261119"), first, 3)) == 2
    assert first_occurrences(Recurrence("FREQ=DAILY"), first, 0) == []


def test_occurrences_after_count_from_completion_now() -> None:
    now, due = datetime(2026, 11, 18, 14, 30), When(date(2026, 11, 10))
    for mode, first in ((DUE, "2026-11-11"), (NEXT, "2026-11-19"), (COMPLETION, "2026-11-19")):
        found = occurrences_after(Recurrence("FREQ=DAILY", mode), due, now, 3)
        assert (found[0].iso(), len(found)) == (first, 3)
    assert len(occurrences_after(Recurrence("FREQ=DAILY;COUNT=3"), due, now, 3)) == 2
    assert occurrences_after(Recurrence("FREQ=DAILY;COUNT=1"), due, now, 3) == []
    assert occurrences_after(Recurrence("FREQ=DAILY;UNTIL=20261110"), due, now, 3) == []


UPCOMING = """
FREQ=DAILY   next        Europe/Berlin     2026-11-21 2026-11-22
FREQ=DAILY   next        America/New_York  2026-11-20 2026-11-21
FREQ=DAILY   next        Mars/Base         2026-11-21 2026-11-22
FREQ=DAILY   completion  America/New_York  2026-11-20 2026-11-21
FREQ=WEIRD   next        Europe/Berlin
"""


@pytest.mark.parametrize("line", UPCOMING.strip().splitlines(), ids=str.split)
def test_upcoming_dates_count_from_now_in_the_zone_of_the_task(line: str) -> None:
    rule, mode, zone, *days = line.split()
    added, now = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 20, 2)
    task = Task(1, "u", "Water", added, added, due=When.parse("2026-11-19T01:00"), due_zone=zone)
    task = replace(task, recurrence=rule, repeat_from=RepeatFrom(mode))
    found = upcoming_dates(task, now, "Europe/Berlin", 2)
    assert [each.day.isoformat() for each in found] == days
    assert upcoming_dates(replace(task, status=Status.DONE), now, "Europe/Berlin", 2) == []
    assert upcoming_dates(replace(task, recurrence=None), now, "Europe/Berlin", 2) == []


SKIPS = """
FREQ=DAILY             due         2026-11-18        no   2026-11-19
FREQ=DAILY             due         2026-11-10        no   2026-11-11
FREQ=DAILY             due         2026-11-10        yes  2026-11-18
FREQ=DAILY             due         2026-11-18        yes  2026-11-19
FREQ=DAILY             next        2026-11-10        no   2026-11-18
FREQ=DAILY             next        2026-11-18        no   2026-11-19
FREQ=DAILY             next        2026-11-20        no   2026-11-21
FREQ=DAILY             next        2026-11-10T09:00  no   2026-11-19T09:00
FREQ=DAILY             next        2026-11-10T20:00  no   2026-11-18T20:00
FREQ=DAILY;INTERVAL=3  completion  2026-11-10        no   2026-11-21
FREQ=DAILY;INTERVAL=3  completion  2026-11-20        no   2026-11-23
FREQ=WEEKLY;BYDAY=MO   completion  2026-11-23        no   2026-11-30
FREQ=WEEKLY;BYDAY=MO   due         2026-10-05        yes  2026-11-23
FREQ=HOURLY            next        2026-11-18T09:00  no   2026-11-18T15:00
FREQ=DAILY;UNTIL=20261118  due     2026-11-18        no   None
"""


@each_row("line", SKIPS.strip().splitlines())
def test_skip_moves_past_missed_occurrences(line: str) -> None:
    rule, mode, due, missed, expected = line.split()
    found = occurrence_after_skip(
        Recurrence(rule, RepeatFrom(mode)),
        When.parse(due),
        datetime(2026, 11, 18, 14, 30),
        missed=missed == "yes",
    )
    assert str(found and found.iso()) == expected


@each_row(
    ("rule", "mode", "due", "missed"),
    [
        ("FREQ=DAILY", DUE, "2026-11-10", 8),
        ("FREQ=DAILY", NEXT, "2026-11-18", 0),
        ("FREQ=DAILY", DUE, "2026-11-18T09:00", 1),
        ("FREQ=DAILY", COMPLETION, "2026-11-10", 0),
        ("FREQ=DAILY;UNTIL=20261111", DUE, "2026-11-10", 2),
        ("FREQ=MINUTELY", DUE, "2020-11-10T10:00", 99),
    ],
)
def test_missed_occurrences_are_counted(rule: str, mode: RepeatFrom, due: str, missed: int) -> None:
    now = datetime(2026, 11, 18, 14, 30)
    assert count_missed_occurrences(Recurrence(rule, mode), When.parse(due), now) == missed


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia",
                     "America/Sao_Paulo", "Asia/Kathmandu", "Africa/Casablanca"]),
    st.datetimes(datetime(2009, 1, 1), datetime(2030, 1, 1)),
    st.integers(1, 30), st.timedeltas(timedelta(), timedelta(days=40)),
    st.sampled_from([Frequency.HOURLY, Frequency.MINUTELY]),
)  # fmt: skip
def test_hours_count_real_time_in_any_zone(
    zone: str, start: datetime, interval: int, passed: timedelta, freq: Frequency
) -> None:
    due = When.of(start)
    now = due.local() + passed
    for mode in (DUE, NEXT):
        rhythm = Recurrence(f"FREQ={freq};INTERVAL={interval}", mode)
        found = next_occurrence(rhythm, due, now, zone)
        assert found is not None
        assert found.local() > due.local()
        elapsed = found.instant(zone) - due.instant(zone)
        step = timedelta(minutes=interval * (60 if freq is Frequency.HOURLY else 1))
        # Where a wall time comes twice it is read as the first; half hours are Lord Howe's.
        assert elapsed % step in (timedelta(), step - timedelta(minutes=30) % step,
                                  -timedelta(hours=1) % step)  # fmt: skip
        if mode is NEXT:
            assert found.local() > now


def test_unknown_zone_falls_back_to_home() -> None:
    assert effective_zone("US/Pacific-New", "Europe/Berlin") in ("US/Pacific-New", "Europe/Berlin")
    for gone in ("Mars/Base", "../etc/passwd", "", "Europe", "\ud800", "x" * 5000, None):
        assert effective_zone(gone, "Europe/Berlin") == "Europe/Berlin"
    assert effective_zone("Asia/Tokyo", "Europe/Berlin") == "Asia/Tokyo"
    assert not is_known_zone("Mars/Base")


def test_every_weekday_has_its_code() -> None:
    for number, code in enumerate(DAY_CODES):
        found = slot_after(parse_rule(f"FREQ=WEEKLY;BYDAY={code}"), ANCHOR, ANCHOR)
        assert found is not None
        assert found.weekday() == number
