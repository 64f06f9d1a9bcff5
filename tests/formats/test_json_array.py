"""The JSON array: what may be left out, and how mistakes are named."""

from __future__ import annotations

import json

import pytest

from tests.formats.reading_back import HOME, reading_of, remarks_of
from tests.rows import each_row
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Status
from todo_tui.domain.when import When
from todo_tui.formats.json_array import read
from todo_tui.formats.registry import format_to_write


def drafts_of(text: str) -> tuple[ImportEntry, ...]:
    reading = read(text, HOME)
    assert reading.bad == ()
    return reading.entries


def complaint(text: str) -> str:
    """Why an array cannot be read, or its only bad entry."""
    reading = reading_of(format_to_write("json", None), text)
    if isinstance(reading, ValidationError):
        return f"{reading} {reading.hint}"
    (bad,) = reading.bad
    return f"{bad.message} {bad.hint}"


def test_everything_but_the_title_may_be_left_out() -> None:
    (draft,) = drafts_of('[{"title": "Buy milk"}]')
    assert draft.fields["title"] == "Buy milk"
    assert draft.fields["status"] is Status.TODO
    assert draft.fields["due"] is None
    assert "position" not in draft.fields


def test_entries_without_a_uuid_get_the_same_ones_each_time() -> None:
    todo = drafts_of('[{"title": "a"}, {"title": "a"}, {"title": "b", "uuid": null}]')
    done = drafts_of('[{"title": "a", "status": "done"}, {"title": "a"}, {"title": "b"}]')
    assert [draft.uuid for draft in todo] == [draft.uuid for draft in done]
    assert len({draft.uuid for draft in todo}) == 3


def test_null_counts_as_left_out() -> None:
    (draft,) = drafts_of('[{"title": "a", "tags": null, "due": null, "status": null, "id": null}]')
    assert draft.fields["tags"] == ()
    assert draft.id is None


def test_unknown_fields_are_kept_as_extra() -> None:
    (draft,) = drafts_of('[{"title": "a", "urgency": 4.2, "extra": {"kept": true}}]')
    assert draft.fields["extra"] == {"urgency": 4.2, "kept": True}


def test_seconds_of_a_moment_are_dropped() -> None:
    (draft,) = drafts_of('[{"title": "a", "due": "2026-11-19T17:00:59"}]')
    due = draft.fields["due"]
    assert due is not None
    assert due == When.parse("2026-11-19T17:00")


@each_row(
    ("entry", "field"),
    [
        ('"due": "tomorrow"', "due"),
        ('"due": "2026-02-30"', "due"),
        ('"due": "9999-12-31"', "due"),
        ('"due": "0001-01-01T00:00:00Z"', "due"),
        ('"due": 7', "due"),
        ('"due": "2026-11-19T17:00", "due_zone": "Mars/Olympus"', "due_zone"),
        ('"tags": "home"', "tags"),
        ('"tags": [1]', "tags"),
        ('"tags": ["@"]', "tags"),
        (f'"project": "{"p" * 501}"', "project"),
        (f'"uuid": "{"u" * 501}"', "uuid"),
        ('"priority": "urgent"', "priority"),
        ('"status": "open"', "status"),
        ('"parent": true', "parent"),
        ('"parent": 0', "parent"),
        ('"blocked_by": [99999999999999999999]', "blocked_by"),
        ('"recurrence": "weekly"', "recurrence"),
        ('"recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"', "recurrence"),
        ('"recurrence": "FREQ=DAILY;BYSETPOS=2;BYDAY=MO"', "recurrence"),
        ('"created_at": "noon"', "created_at"),
        ('"annotations": [{"at": "2026-11-19"}]', "annotations"),
        ('"extra": []', "extra"),
    ],
)
def test_a_field_that_cannot_be_read_is_kept_and_named(entry: str, field: str) -> None:
    reading = read(f'[{{"title": "fine"}}, {{"title": "x", {entry}}}]', HOME)
    assert f"cannot read `{field}`" in remarks_of(reading, "Entry 2")
    unread = reading.entries[1].fields["extra"]["unread"]
    assert unread == {field: json.loads(f"{{{entry}}}")[field]}


def test_of_a_list_only_what_cannot_be_read_is_left_out() -> None:
    (draft,) = drafts_of('[{"title": "x", "tags": ["home", 7, "work"], "blocked_by": [1, "2"]}]')
    assert draft.fields["tags"] == ("home", "work")
    assert draft.blocked_by == (1,)
    assert draft.fields["extra"] == {"unread": {"tags": [7], "blocked_by": ["2"]}}


def test_a_moment_with_an_offset_is_that_of_its_zone() -> None:
    here, there = drafts_of(
        '[{"title": "x", "due": "2026-12-04T17:00:00.000Z"},'
        ' {"title": "y", "due": "2026-12-04T17:00+01:00", "due_zone": "America/New_York"}]'
    )
    assert (here.fields["due"], here.fields["due_zone"]) == (
        When.parse("2026-12-04T18:00"),
        "Europe/Berlin",
    )
    assert (there.fields["due"], there.fields["due_zone"]) == (
        When.parse("2026-12-04T11:00"),
        "America/New_York",
    )


@pytest.mark.parametrize("entry", ["5", "[1]", "null"])
def test_a_title_that_is_no_text_is_named(entry: str) -> None:
    assert complaint(f'[{{"title": {entry}}}]').startswith("Entry 1: ")


@each_row("entry", ["{}", '{"title": " "}', '{"title": "\\u001b[31m"}', "5", "null"])
def test_an_entry_without_a_title_is_named(entry: str) -> None:
    assert complaint(f"[{entry}]").startswith(("Entry 1: no title.", "Entry 1: not an object."))


def test_a_remark_shows_no_escape() -> None:
    reading = read('[{"title": "\\u001b[31mred", "due": "\\u001b[31mx"}]', HOME)
    assert remarks_of(reading, "Entry 1").isprintable()


@each_row(
    ("text", "words"),
    [
        ('[{"title": "a",}]', "line 1, column"),
        ('{"title": "a"}', "Not a JSON array"),
        ('[{"title": NaN}]', "NaN is not a number"),
        ("[" * 100_000, "too large"),
        (f'[{{"title": "a", "x": {"9" * 5000}}}]', "too large"),
    ],
)
def test_what_is_no_array_of_tasks_is_said(text: str, words: str) -> None:
    assert words in complaint(text)


def test_one_uuid_twice_is_a_mistake() -> None:
    said = complaint('[{"title": "a", "uuid": "u"}, {"title": "b", "uuid": "u"}]')
    assert "Entry 2" in said
    assert "entry 1" in said


def test_half_a_character_becomes_a_whole_one() -> None:
    (draft,) = drafts_of('[{"title": "a\\ud800b"}]')
    draft.fields["title"].encode("utf-8", "surrogatepass")
