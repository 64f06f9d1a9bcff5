"""Tests of change words."""

from __future__ import annotations

import re
from datetime import date, datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.change_words import ROWS
from tests.rows import each_row
from todo_tui.domain.change_words.reader import (
    ChangeWords,
    read_change_words,
    require_change_words,
)
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.task import Priority, RepeatFrom, Task, TaskFields
from todo_tui.domain.when import DateStyle, When

NOW = datetime(2026, 11, 18, 14, 30)


def read(text: str, *, dates_only: bool = False) -> ChangeWords:
    return read_change_words(text, NOW, DateStyle(), dates_only=dates_only)


def test_line_sets_fields_and_removes_tags() -> None:
    words = read("friday 5pm #home -@old @new !high")
    assert words.fields_of() == TaskFields(
        due=When(date(2026, 11, 20), time(17)), project="home", priority=Priority.HIGH
    )
    assert words.add_tags == ("new",)
    assert words.remove_tags == ("old",)
    assert words.summary == ("Fri 20 Nov 17:00", "high priority", "#home", "+@new", "−@old")
    assert words.changes_something


@each_row(
    ("text", "fields"),
    [
        ("no date", TaskFields(due=None, recurrence=None, repeat_from=RepeatFrom.DUE)),
        ("No Project", TaskFields(project=None)),
        ("-#", TaskFields(project=None)),
        ("-!", TaskFields(priority=None)),
        ("no priority no tags", TaskFields(priority=None, tags=())),
        ("no repeats", TaskFields(recurrence=None, repeat_from=RepeatFrom.DUE)),
        ("without start", TaskFields(start=None)),
        ("no parent, no blockers", TaskFields(parent=None, blocked_by=())),
    ],
)
def test_no_and_a_field_clears_it(text: str, fields: TaskFields) -> None:
    assert read(text).fields_of() == fields
    assert read(text).changes_something


def test_repeats_are_set_with_their_first_date() -> None:
    words = read("every monday")
    assert words.fields_of()["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    assert words.summary == ("every Monday", "first Mon 23 Nov")


@each_row("text", ["milk", "no fun", "friday milk", "#home and more"])
def test_unknown_words_prevent_all_changes(text: str) -> None:
    words = read(text)
    assert words.unknown
    assert not words.changes_something


@each_row(
    ("text", "unknown", "summary"),
    [
        ("friday milk", "milk", ("Fri 20 Nov",)),
        ("milk (friday)", "milk", ("Fri 20 Nov",)),
        ("friday milk #home", "milk", ("Fri 20 Nov", "#home")),
        (
            "every monday at 5pm pls !high",
            "pls",
            ("every Monday", "first Mon 23 Nov 17:00", "high priority"),
        ),
        ("really no fun", "really no fun", ()),
        ("~0m", "~0m", ()),
        ("~30 people @home", "~30 people", ("+@home",)),
        ("~30m people", "people", ("~30 min",)),
    ],
)
def test_unknown_word_is_reported(text: str, unknown: str, summary: tuple[str, ...]) -> None:
    words = read(text)
    assert (words.unknown, words.summary) == (unknown, summary)
    assert not words.changes_something


def test_empty_line_changes_nothing() -> None:
    assert not read("").changes_something


def test_only_dates_are_accepted_with_dates_only() -> None:
    assert read("tomorrow", dates_only=True).changes_something
    assert read("none", dates_only=True).fields_of()["due"] is None
    assert read("no date", dates_only=True).changes_something
    for text in ("tomorrow #home", "!high", "-@old", "no project"):
        assert not read(text, dates_only=True).changes_something, text


def task(due: str | None = None, **fields: object) -> Task:
    when = None if due is None else When.parse(due)
    return Task(1, "u", "Task", NOW, NOW, due=when, **fields)  # type: ignore[arg-type]


@each_row(
    ("text", "present", "due"),
    [
        ("monday", "2026-11-20T09:00", "2026-11-23T09:00"),
        ("2026-11-23", "2026-11-20T09:00", "2026-11-23"),
        # A time of today that has passed would be overdue at once.
        ("today", "2026-11-16T09:00", "2026-11-18"),
        ("today", "2026-11-16T14:30", "2026-11-18T14:30"),
        ("yesterday", "2026-11-16T09:00", "2026-11-17T09:00"),
        ("today 9am", "2026-11-16T10:00", "2026-11-18T09:00"),
        ("monday 5pm", "2026-11-20T09:00", "2026-11-23T17:00"),
        ("5pm", "2026-11-20T09:00", "2026-11-20T17:00"),
        ("5pm", None, "2026-11-18T17:00"),
        ("1 week later", "2026-11-20T09:00", "2026-11-27T09:00"),
        ("2 days earlier 8am", "2026-11-20", "2026-11-18T08:00"),
        ("no time", "2026-11-20T09:00", "2026-11-20"),
        ("monday, no time", "2026-11-20T09:00", "2026-11-23"),
        ("the 5th", "2027-02-01T09:00", "2027-02-05T09:00"),
        ("the 25th", "2026-11-20", "2026-11-25"),
        ("the 5th", "2026-11-20", "2026-12-05"),
        ("the 5th", None, "2026-12-05"),
        ("the 3rd of the month", "2027-02-05", "2027-02-03"),
        ("1 week later", None, "2026-11-25"),
        ("every month", "2026-11-30T09:00", "2026-11-30T09:00"),
        ("every friday", "2026-11-13", "2026-11-13"),
        ("every friday 8am", "2026-11-27", "2026-11-27T08:00"),
        ("every monday", "2026-11-20T09:00", "2026-11-23T09:00"),
        ("every friday starting 4 dec", "2026-11-27", "2026-12-04"),
    ],
)
def test_dates_count_from_those_that_the_task_has(text: str, present: str | None, due: str) -> None:
    assert read(text).fields_of(task(present))["due"] == When.parse(due)


@each_row(
    ("text", "present", "summary"),
    [
        ("1 day later", "2026-12-02T09:00", ("Thu 3 Dec 09:00",)),
        ("1 day later, !high", "2026-11-18", ("tomorrow", "high priority")),
        ("5pm", "2026-12-02T09:00", ("Wed 2 Dec 17:00",)),
        ("no time 1 week earlier", "2026-12-02T09:00", ("no time", "Wed 25 Nov")),
        ("1 week later", None, ("Wed 25 Nov",)),
    ],
)
def test_dates_that_count_from_those_of_one_task_are_named(
    text: str, present: str | None, summary: tuple[str, ...]
) -> None:
    assert read_change_words(text, NOW, DateStyle(), task=task(present)).summary == summary
    assert not set(summary) & {*read(text).summary} - {"high priority", "no time"}


def test_a_day_in_the_month_of_the_task_is_said_and_no_date_has_no_time() -> None:
    assert read("the 5th").resolve(task("2027-02-01"))[1] == ("read as 5 Feb 2027",)
    assert read("no time").resolve(task()) == ({}, ())
    assert read("no date no time").fields_of(task("2026-11-20T09:00"))["due"] is None


def test_a_new_rule_stays_in_the_month_or_week_that_is_due() -> None:
    bill = task("2027-02-01", recurrence="FREQ=MONTHLY;BYMONTHDAY=1")
    for words, due in (
        ("every month on the 5th", "2027-02-05"),
        ("every friday", "2027-02-05"),
        ("every 3 days", "2027-02-01"),
    ):
        assert read(words).fields_of(bill)["due"] == When.parse(due), words
    for week_start, due in ((0, "2027-02-07"), (6, "2027-01-31")):
        sundays = read_change_words("every sunday", NOW, DateStyle(week_start=week_start))
        assert sundays.fields_of(bill)["due"] == When.parse(due), week_start
    for base in RepeatFrom:
        kept = task("2026-12-01", recurrence="FREQ=MONTHLY", repeat_from=base)
        missed = RepeatFrom.DUE if base is RepeatFrom.DUE else RepeatFrom.NEXT
        assert read("every month on the 5th").fields_of(kept)["repeat_from"] is missed, base
    late = task("2026-10-01", recurrence="FREQ=MONTHLY")
    assert read("every month on the 5th").fields_of(late)["due"] == When.parse("2026-12-05")


def test_recurrence_is_anchored_at_the_date_that_the_task_keeps() -> None:
    fields, notes = read("every month").resolve(task("2026-11-30"))
    assert (fields["recurrence"], notes) == (
        "FREQ=MONTHLY;BYMONTHDAY=30",
        (),
    )


def test_shift_to_an_earlier_date_needs_a_date() -> None:
    with pytest.raises(DateNotUnderstood, match="no date to move"):
        read("2 days earlier").fields_of(task())


def test_time_that_stays_keeps_its_zone() -> None:
    abroad = task("2026-11-20T09:00", due_zone="America/New_York")
    assert read("monday").fields_of(abroad)["due_zone"] == "America/New_York"
    assert "due_zone" not in read("monday 5pm").fields_of(abroad)


@each_row(
    ("text", "zone", "due"),
    [
        # Due today 17:00 in Berlin.
        ("tomorrow", "Asia/Tokyo", "2026-11-20T01:00"),
        ("2 days later", "Asia/Tokyo", "2026-11-21T01:00"),
        ("friday", "Asia/Tokyo", "2026-11-21T01:00"),
        ("tomorrow 9am", "", "2026-11-19T09:00"),
        ("no time", "", "2026-11-18"),
        ("every day", "Asia/Tokyo", "2026-11-19T01:00"),
    ],
)
def test_a_day_is_that_of_the_user_whatever_the_zone_of_the_time(
    text: str, zone: str, due: str
) -> None:
    abroad = task("2026-11-19T01:00", due_zone="Asia/Tokyo")
    words = read_change_words(text, NOW, DateStyle(zone="Europe/Berlin"))
    fields = words.fields_of(abroad)
    assert (fields["due"], fields.get("due_zone", "")) == (When.parse(due), zone)


@each_row(
    ("text", "unknown"),
    [
        ("under 12", "under 12"),
        ("after lunch", "after lunch"),
        ("under #home", "under"),
        ("friday monday", "monday"),
        ("feb 30", "feb 30"),
        ("#one #two", "#two"),
        ("skip friday", "skip"),
        ('"no date"', '"no date"'),
        ("done", "done"),
    ],
)
def test_words_that_do_not_fit_are_unknown(text: str, unknown: str) -> None:
    assert read(text).unknown == unknown
    with pytest.raises(ValidationError, match="Could not understand"):
        require_change_words(text, NOW, DateStyle())


@each_row(
    ("text", "word"),
    [
        ("friday !high #a @b under #1 after #2 doing every monday starts friday 5pm", ""),
        ("friday 5pm -@old no date", "-@old"),
        ("No Date", "No Date"),
        ("!high 1 week later", "1 week later"),
        ("cancelled", "cancelled"),
        ("-after #3", "-after #3"),
        ("skip", "skip"),
    ],
)
def test_first_word_that_needs_an_existing_task(text: str, word: str) -> None:
    assert read(text).only_changes == word


def test_links_are_numbers_of_tasks() -> None:
    words = read("under #12, after #3 after #4 -after #5")
    assert words.fields_of() == TaskFields(parent=12)
    assert (words.add_blockers, words.remove_blockers) == ((3, 4), (5,))
    assert words.summary == ("under #12", "after #3", "after #4", "−after #5")


pieces = st.sampled_from(
    [row.words for row in ROWS] + 'no skip under after # @ ! - \\ " , #12'.split()
)


@given(st.lists(pieces, max_size=5).map(" ".join) | st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_change_or_names_its_unknown_words(text: str) -> None:
    words = read(text)
    assert bool(words.unknown) or words.changes_something or not re.sub(r"[\s,;.+()\[\]]", "", text)
    if words.changes_something:
        words.fields_of(task("2026-11-20T09:00"))
