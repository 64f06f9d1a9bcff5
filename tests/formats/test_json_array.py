"""The JSON array: what may be left out, and how mistakes are named."""

from __future__ import annotations

import pytest

from tests.formats.reading_back import HOME, reading_of
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


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ('{"title": "x", "due": "tomorrow"}', "due"),
        ('{"title": "x", "due": "2026-02-30"}', "due"),
        ('{"title": "x", "due": "2026-11-19T17:00Z"}', "due"),
        ('{"title": "x", "due": 7}', "due"),
        ('{"title": "x", "tags": "home"}', "tags"),
        ('{"title": "x", "tags": [1]}', "tags"),
        ('{"title": "x", "priority": "urgent"}', "priority"),
        ('{"title": "x", "status": "open"}', "status"),
        ('{"title": "x", "parent": true}', "parent"),
        ('{"title": "x", "parent": 0}', "parent"),
        ('{"title": "x", "blocked_by": [99999999999999999999]}', "blocked_by"),
        ('{"title": "x", "recurrence": "weekly"}', "recurrence"),
        ('{"title": "x", "created_at": "noon"}', "created_at"),
        ('{"title": "x", "annotations": [{"at": "2026-11-19"}]}', "annotations"),
        ('{"title": "x", "extra": []}', "extra"),
        ('{"title": 5}', "title"),
    ],
)
def test_a_bad_field_is_named_with_the_number_of_its_entry(entry: str, field: str) -> None:
    said = complaint(f'[{{"title": "fine"}}, {entry}]')
    assert said.startswith("Entry 2")
    assert f"`{field}`" in said


@pytest.mark.parametrize("entry", ["{}", '{"title": " "}', '{"title": "\\u001b[31m"}', "5", "null"])
def test_an_entry_without_a_title_is_named(entry: str) -> None:
    assert complaint(f"[{entry}]").startswith(("Entry 1: no title.", "Entry 1: not an object."))


def test_a_complaint_shows_no_escape_of_the_title() -> None:
    assert complaint('[{"title": "\\u001b[31mred", "due": "x"}]').isprintable()


@pytest.mark.parametrize(
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
