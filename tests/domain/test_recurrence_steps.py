"""Tests of recurrences done on time, late and early, in all modes."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from tests.rows import each_row
from todo_tui.domain.recurrence.next_occurrence import Recurrence, next_occurrence
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When

BERLIN = "Europe/Berlin"
DUE, NEXT, COMPLETION = RepeatFrom.DUE, RepeatFrom.NEXT, RepeatFrom.COMPLETION


def following(
    rule: str, mode: RepeatFrom, due: str, done: str, zone: str | None = None
) -> str | None:
    moment = datetime.fromisoformat(done)
    if zone is not None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    found = next_occurrence(Recurrence(rule, mode), When.parse(due), moment, zone)
    return None if found is None else found.iso()


STEPS = """
FREQ=DAILY                       due         2026-11-18        2026-11-18T10:00  2026-11-19
FREQ=DAILY                       due         2026-11-18        2026-11-16T10:00  2026-11-19
FREQ=DAILY                       due         2026-11-10        2026-11-18T10:00  2026-11-11
FREQ=DAILY                       next        2026-11-10        2026-11-18T10:00  2026-11-19
FREQ=DAILY                       next        2026-11-20        2026-11-18T10:00  2026-11-21
FREQ=DAILY                       completion  2026-11-10        2026-11-18T10:00  2026-11-19
FREQ=DAILY                       completion  2026-11-20        2026-11-18T10:00  2026-11-19
FREQ=DAILY                       next        2026-11-17T20:00  2026-11-18T10:00  2026-11-18T20:00
FREQ=DAILY                       next        2026-11-17T08:00  2026-11-18T10:00  2026-11-19T08:00
FREQ=DAILY;INTERVAL=3            due         2026-11-10        2026-11-18T10:00  2026-11-13
FREQ=DAILY;INTERVAL=3            next        2026-11-10        2026-11-18T10:00  2026-11-19
FREQ=DAILY;INTERVAL=3            completion  2026-11-10        2026-11-18T10:00  2026-11-21
FREQ=WEEKLY;BYDAY=MO,WE,FR       due         2026-11-18        2026-11-18T10:00  2026-11-20
FREQ=WEEKLY;BYDAY=MO,WE,FR       due         2026-11-09        2026-11-18T10:00  2026-11-11
FREQ=WEEKLY;BYDAY=MO,WE,FR       next        2026-11-09        2026-11-18T10:00  2026-11-20
FREQ=WEEKLY;BYDAY=MO,WE,FR       next        2026-11-09        2026-11-17T10:00  2026-11-18
FREQ=WEEKLY;BYDAY=MO,WE,FR       completion  2026-11-09        2026-11-17T10:00  2026-11-18
FREQ=WEEKLY;BYDAY=MO,WE,FR       completion  2026-11-09        2026-11-18T10:00  2026-11-20
FREQ=WEEKLY;BYDAY=MO             due         2026-11-23        2026-11-20T10:00  2026-11-30
FREQ=WEEKLY                      next        2026-11-18        2026-11-26T10:00  2026-12-02
FREQ=WEEKLY                      completion  2026-11-18        2026-11-26T10:00  2026-12-03
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO  due         2026-11-23        2026-12-02T10:00  2026-12-07
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO  next        2026-11-23        2026-11-30T10:00  2026-12-07
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO  next        2026-11-23        2026-12-08T10:00  2026-12-21
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO  next        2026-11-23        2027-01-01T10:00  2027-01-04
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO  completion  2026-11-23        2026-11-23T10:00  2026-12-07
FREQ=MONTHLY                     due         2026-11-18        2026-12-25T10:00  2026-12-18
FREQ=MONTHLY                     completion  2026-11-18        2027-01-31T10:00  2027-02-28
FREQ=MONTHLY;BYMONTHDAY=31       next        2026-10-31        2027-02-10T10:00  2027-02-28
FREQ=MONTHLY;BYMONTHDAY=31       next        2026-10-31        2027-02-28T10:00  2027-03-31
FREQ=MONTHLY;BYMONTHDAY=29,31    due         2027-02-28        2027-02-28T10:00  2027-03-29
FREQ=MONTHLY;BYDAY=5FR           due         2027-01-29        2027-01-29T10:00  2027-04-30
FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25  next   2024-12-25        2026-11-18T10:00  2026-12-25
FREQ=DAILY;UNTIL=20261120        due         2026-11-20        2026-11-20T10:00  None
FREQ=DAILY;UNTIL=20261120        due         2026-11-19        2026-11-22T10:00  2026-11-20
FREQ=DAILY;UNTIL=20261120        next        2026-11-19        2026-11-22T10:00  None
FREQ=HOURLY;INTERVAL=4           due         2026-11-18T12:00  2026-11-18T21:10  2026-11-18T16:00
FREQ=HOURLY;INTERVAL=4           next        2026-11-18T12:00  2026-11-18T21:10  2026-11-19T00:00
FREQ=HOURLY;INTERVAL=4           completion  2026-11-18T12:00  2026-11-18T21:10  2026-11-19T01:10
"""


@each_row("line", STEPS.strip().splitlines())
def test_the_next_one_after_being_done(line: str) -> None:
    rule, mode, due, done, expected = line.split()
    assert str(following(rule, RepeatFrom(mode), due, done)) == expected


@each_row(
    ("rule", "days"),
    [
        (
            "FREQ=MONTHLY;BYMONTHDAY=31",
            "2026-10-31 2026-11-30 2026-12-31 2027-01-31 2027-02-28 2027-03-31 2027-04-30",
        ),
        (
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            "2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29 2033-02-28",
        ),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=MO", "2026-11-24 2026-11-26 2026-12-08"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-10-30 2026-11-30 2026-12-31"),
    ],
)
def test_late_days_clamp_and_come_back_and_weeks_keep_their_turn(rule: str, days: str) -> None:
    for day, after in pairwise(days.split()):
        assert following(rule, DUE, day, f"{day}T10:00") == after


@each_row(
    ("rule", "mode", "due", "done", "expected"),
    [
        ("FREQ=HOURLY;INTERVAL=4", DUE, "2026-10-25T00:00", "2026-10-25T00:10", "2026-10-25T03:00"),
        ("FREQ=HOURLY;INTERVAL=4", DUE, "2027-03-28T00:00", "2027-03-28T00:10", "2027-03-28T05:00"),
        ("FREQ=HOURLY", DUE, "2026-10-25T02:00", "2026-10-25T02:10", "2026-10-25T03:00"),
        ("FREQ=HOURLY", DUE, "2027-03-28T01:00", "2027-03-28T01:10", "2027-03-28T03:00"),
        ("FREQ=HOURLY;INTERVAL=4", COMPLETION, "2026-10-24T12:00", "2026-10-25T00:30",
         "2026-10-25T03:30"),
        ("FREQ=HOURLY;INTERVAL=4", NEXT, "2026-10-24T12:00", "2026-10-25T12:10",
         "2026-10-25T15:00"),
    ],
)  # fmt: skip
def test_hours_are_counted_through_both_clock_changes(
    rule: str, mode: RepeatFrom, due: str, done: str, expected: str
) -> None:
    assert following(rule, mode, due, done, BERLIN) == expected


@each_row("mode", list(RepeatFrom))
@each_row("at", ["09:00", "02:30", "23:30"])
@each_row("day", ["2026-10-24", "2026-10-25", "2027-03-27", "2027-03-28"])
def test_a_time_of_day_stays_what_it_is_through_both_clock_changes(
    day: str, at: str, mode: RepeatFrom
) -> None:
    following_day = f"{day[:-2]}{int(day[-2:]) + 1:02d}T{at}"
    assert following("FREQ=DAILY", mode, f"{day}T{at}", f"{day}T{at}", BERLIN) == following_day
