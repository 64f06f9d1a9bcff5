"""What every format of the registry keeps to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.formats.random_tasks import task_lists
from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.formats.registry import FORMATS, Format, format_for

every_format = pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.id)


def as_draft(task: Task) -> TaskDraft:
    """What a format must read back of a task."""
    fields = TaskFields(
        title=task.title,
        notes=task.notes,
        annotations=task.annotations,
        status=task.status,
        priority=task.priority,
        due=task.due,
        start=task.start,
        project=task.project,
        tags=task.tags,
        recurrence=task.recurrence,
        repeat_from=task.repeat_from,
        position=task.position,
        extra=task.extra,
    )
    if task.due_zone is not None:
        fields["due_zone"] = task.due_zone
    if task.start_zone is not None:
        fields["start_zone"] = task.start_zone
    return TaskDraft(
        fields=fields,
        id=task.id,
        uuid=task.uuid,
        series=task.series,
        slot=task.slot,
        parent=task.parent,
        blocked_by=task.blocked_by,
        created_at=task.created_at,
        updated_at=task.updated_at,
        completed_at=task.completed_at,
        deleted_at=task.deleted_at,
    )


@every_format
@settings(max_examples=60)
@given(tasks=task_lists())
def test_what_is_written_is_read_back_whole(each: Format, tasks: list[Task]) -> None:
    text = "".join(each.write(tasks))
    assert each.read(text) == tuple(map(as_draft, tasks))


@every_format
@settings(max_examples=30)
@given(tasks=task_lists())
def test_nothing_that_is_written_is_obeyed_by_a_terminal(each: Format, tasks: list[Task]) -> None:
    text = "".join(each.write(tasks))
    assert plain_text(text) == text


@every_format
def test_windows_line_ends_make_no_difference(each: Format) -> None:
    text = "".join(each.write([]))
    assert each.read(text.replace("\n", "\r\n")) == ()


@every_format
@pytest.mark.parametrize("junk", ["", "\x00\x01", "}{", "a,b\n1,2"])
def test_junk_is_refused_with_a_sentence(each: Format, junk: str) -> None:
    with pytest.raises(ValidationError) as caught:
        each.read(junk)
    assert str(caught.value).endswith(".")
    assert caught.value.hint


@every_format
def test_a_file_name_tells_its_format(each: Format) -> None:
    for suffix in each.suffixes:
        assert format_for(None, Path(f"tasks{suffix.upper()}")) is each
    assert format_for(each.id, Path("tasks.unknown")) is each


def test_ids_and_suffixes_of_formats_are_their_own() -> None:
    ids = [each.id for each in FORMATS]
    suffixes = [suffix for each in FORMATS for suffix in each.suffixes]
    assert len(set(ids)) == len(ids)
    assert len(set(suffixes)) == len(suffixes)


def test_an_unknown_format_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValidationError) as caught:
        format_for("xls", None)
    assert "xls" in str(caught.value)
    assert "json" in (caught.value.hint or "")
