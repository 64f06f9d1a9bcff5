"""What every format of the registry keeps to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.formats.random_tasks import task_lists
from tests.formats.reading_back import HOME, as_draft, by_uuid, made_up, reading_of, written
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When
from todo_tui.formats.registry import FORMATS, FileFormat, format_to_read, format_to_write

every_format = pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.id)


# To make up tasks takes longer than to write and read them, so each list goes through all formats.
@settings(max_examples=25)
@given(tasks=task_lists())
def test_written_tasks_are_read_back_whole(tasks: list[Task]) -> None:
    for each in FORMATS:
        text = written(each, tasks)
        drafts = by_uuid([as_draft(task, tasks, each) for task in tasks])
        reading = each.module.read(text, HOME)
        assert reading.bad == ()
        assert by_uuid(reading.entries) == drafts
        assert len(reading.entries) == len(tasks)
        abroad = each.module.read(text, replace(HOME, zone="America/New_York"))
        assert by_uuid(abroad.entries) == drafts
        unix = text.replace("\r\n", "\n")
        assert each.module.read(unix.replace("\n", "\r\n"), HOME) == each.module.read(unix, HOME)


@settings(max_examples=15)
@given(tasks=task_lists().filter(bool))
def test_written_text_names_its_format_and_commands_no_terminal(tasks: list[Task]) -> None:
    for each in FORMATS:
        text = written(each, tasks)
        assert plain_text(text) == text.replace("\r\n", "\n")
        assert format_to_read(None, None, text) is each
        assert format_to_read(None, Path("tasks.json"), text) is each


@every_format
@pytest.mark.parametrize("junk", ["", "\x00\x01", "}{", "a,b\n1,2", "\x7fELF\x02", "[[[", "{}"])
def test_junk_makes_no_task_of_nothing(each: FileFormat, junk: str) -> None:
    reading = reading_of(each, junk)
    if isinstance(reading, ValidationError):
        assert str(reading).endswith(".")
        assert reading.hint
        return
    for bad in reading.bad:
        assert bad.message.startswith(bad.place)
    assert all(draft.fields["title"].strip() for draft in reading.entries)


@every_format
@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc"])
def test_a_zone_that_is_no_more_is_kept_and_named(each: FileFormat, zone: str) -> None:
    task = made_up(1, due=When.parse("2026-11-19T17:00"), due_zone=zone)
    (draft,) = each.module.read(written(each, [task]), HOME).entries
    assert draft.fields["due"] == task.due
    assert draft.fields["extra"] == {"unread": {"due_zone": zone}}
    assert zone in draft.remarks[0].what


@every_format
def test_a_word_of_a_hundred_kilobytes_costs_no_more_than_its_length(each: FileFormat) -> None:
    for title in ("a" * 100_000, "a " * 50_000, '"' * 100_000, "a:" * 50_000, "<!-- " * 20_000):
        (draft,) = each.module.read(written(each, [made_up(1, title=title.strip())]), HOME).entries
        assert draft.fields["title"] == title.strip()


def test_the_formats_are_loaded_when_they_are_needed() -> None:
    script = (
        "import sys; from todo_tui.formats.registry import format_to_write as chosen;"
        " chosen('json', None).module.write([], None)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", f"{script}; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    assert "todo_tui.formats.json_array" in loaded
    assert not {"icalendar", "todo_tui.formats.markdown", "csv"} & set(loaded)


@every_format
def test_a_file_name_tells_its_format(each: FileFormat) -> None:
    for suffix in each.suffixes:
        assert format_to_write(None, Path(f"tasks{suffix.upper()}")) is each
        assert format_to_read(None, Path(f"tasks{suffix}"), "") is each
    assert format_to_write(each.id, Path("tasks.unknown")) is each
    assert format_to_read(each.id, Path("tasks.unknown"), "") is each


def test_ids_and_suffixes_of_formats_are_their_own() -> None:
    ids = [each.id for each in FORMATS]
    suffixes = [suffix for each in FORMATS for suffix in each.suffixes]
    assert len(set(ids)) == len(ids)
    assert len(set(suffixes)) == len(suffixes)


def test_an_unknown_format_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValidationError) as caught:
        format_to_write("xls", None)
    assert "xls" in str(caught.value)
    assert "json" in (caught.value.hint or "")


def test_a_text_that_could_be_anything_asks_for_its_format() -> None:
    with pytest.raises(ValidationError) as caught:
        format_to_read(None, None, "Dear diary, nothing happened today.")
    assert "--format" in (caught.value.hint or "")
