"""Tests of change words."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from todo_tui.domain.change_words.reader import ChangeWords, read_change_words
from todo_tui.domain.task import Priority, RepeatFrom, TaskFields
from todo_tui.domain.when import DateStyle, When

NOW = datetime(2026, 11, 18, 14, 30)


def read(text: str, *, dates_only: bool = False) -> ChangeWords:
    return read_change_words(text, NOW, DateStyle(), dates_only=dates_only)


def test_line_sets_fields_and_removes_tags() -> None:
    words = read("friday 5pm #home -@old @new !high")
    assert words.fields == TaskFields(
        due=When(date(2026, 11, 20), time(17)), project="home", priority=Priority.HIGH
    )
    assert words.add_tags == ("new",)
    assert words.remove_tags == ("old",)
    assert words.summary == ("Fri 20 Nov 17:00", "high priority", "#home", "+@new", "−@old")
    assert words.changes_something


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("no date", TaskFields(due=None, recurrence=None, repeat_from=RepeatFrom.DUE)),
        ("No Project", TaskFields(project=None)),
        ("-#", TaskFields(project=None)),
        ("-!", TaskFields(priority=None)),
        ("no priority no tags", TaskFields(priority=None, tags=())),
        ("no repeats", TaskFields(recurrence=None, repeat_from=RepeatFrom.DUE)),
        ("without start", TaskFields(start=None)),
    ],
)
def test_no_and_a_field_clears_it(text: str, fields: TaskFields) -> None:
    assert read(text).fields == fields
    assert read(text).changes_something


def test_repeats_are_set_with_their_first_date() -> None:
    words = read("every monday")
    assert words.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    assert words.summary == ("every Monday", "first Mon 23 Nov")


@pytest.mark.parametrize("text", ["milk", "no fun", "friday milk", "#home and more"])
def test_unknown_words_prevent_all_changes(text: str) -> None:
    words = read(text)
    assert words.unknown
    assert not words.changes_something


@pytest.mark.parametrize(
    ("text", "unknown", "summary"),
    [
        ("friday milk", "milk", ("Fri 20 Nov",)),
        ("milk friday", "milk", ("Fri 20 Nov",)),
        ("friday milk #home", "milk", ("Fri 20 Nov", "#home")),
        (
            "every monday at 5pm pls !high",
            "pls",
            ("every Monday", "first Mon 23 Nov 17:00", "high priority"),
        ),
        ("really no fun", "really no fun", ()),
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
    assert read("none", dates_only=True).fields["due"] is None
    assert read("no date", dates_only=True).changes_something
    for text in ("tomorrow #home", "!high", "-@old", "no project"):
        assert not read(text, dates_only=True).changes_something, text
