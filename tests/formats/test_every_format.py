"""What every format of the registry keeps to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.formats.random_tasks import task_lists
from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.formats.reading import Context, Reading
from todo_tui.formats.registry import FORMATS, Format, format_for, format_of

every_format = pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.id)

HOME = Context("Europe/Berlin", datetime(2026, 11, 18, 14, 30))


def context_of(tasks: Sequence[Task]) -> Context:
    return replace(HOME, uuids={task.id: task.uuid for task in tasks})


def as_draft(task: Task, tasks: Sequence[Task], each: Format) -> TaskDraft:
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
        extra=task.extra,
    )
    if task.due_zone is not None:
        fields["due_zone"] = task.due_zone
    if task.start_zone is not None:
        fields["start_zone"] = task.start_zone
    has_ids = "id" not in each.loses
    if has_ids or any(other.position != f"{other.id:08x}" for other in tasks):
        fields["position"] = task.position
    uuids = context_of(tasks).uuids
    return TaskDraft(
        fields=fields,
        id=task.id if has_ids else None,
        uuid=task.uuid,
        series=task.series,
        slot=task.slot,
        parent=task.parent if has_ids else None,
        blocked_by=task.blocked_by if has_ids else (),
        parent_uuid=None if has_ids or task.parent is None else uuids[task.parent],
        blocker_uuids=() if has_ids else tuple(uuids[each] for each in task.blocked_by),
        created_at=task.created_at,
        updated_at=task.updated_at,
        completed_at=task.completed_at,
        deleted_at=task.deleted_at,
    )


def written(each: Format, tasks: Sequence[Task]) -> str:
    return "".join(each.write(tasks, context_of(tasks)))


def by_uuid(drafts: Sequence[TaskDraft]) -> dict[str | None, TaskDraft]:
    return {draft.uuid: draft for draft in drafts}


def reading_of(each: Format, text: str) -> Reading | ValidationError:
    try:
        return each.read(text, HOME)
    except ValidationError as error:
        return error


@every_format
@settings(max_examples=300)
@given(tasks=task_lists())
def test_what_is_written_is_read_back_whole(each: Format, tasks: list[Task]) -> None:
    reading = each.read(written(each, tasks), HOME)
    assert reading.bad == ()
    assert by_uuid(reading.drafts) == by_uuid([as_draft(task, tasks, each) for task in tasks])
    assert len(reading.drafts) == len(tasks)


@every_format
@settings(max_examples=30)
@given(tasks=task_lists())
def test_what_is_written_is_read_back_whole_in_another_zone(
    each: Format, tasks: list[Task]
) -> None:
    reading = each.read(written(each, tasks), replace(HOME, zone="America/New_York"))
    assert by_uuid(reading.drafts) == by_uuid([as_draft(task, tasks, each) for task in tasks])


@every_format
@settings(max_examples=30)
@given(tasks=task_lists())
def test_nothing_that_is_written_is_obeyed_by_a_terminal(each: Format, tasks: list[Task]) -> None:
    text = written(each, tasks)
    assert plain_text(text) == text.replace("\r\n", "\n")


@every_format
@settings(max_examples=30)
@given(tasks=task_lists().filter(bool))
def test_what_is_written_is_known_without_its_name(each: Format, tasks: list[Task]) -> None:
    text = written(each, tasks)
    assert format_of(None, None, text) is each
    assert format_of(None, Path("tasks.json"), text) is each


@every_format
@settings(max_examples=30)
@given(tasks=task_lists())
def test_windows_line_ends_make_no_difference(each: Format, tasks: list[Task]) -> None:
    text = written(each, tasks).replace("\r\n", "\n")
    assert each.read(text.replace("\n", "\r\n"), HOME) == each.read(text, HOME)


@every_format
@pytest.mark.parametrize("junk", ["", "\x00\x01", "}{", "a,b\n1,2", "\x7fELF\x02", "[[[", "{}"])
def test_junk_makes_no_task_of_nothing(each: Format, junk: str) -> None:
    reading = reading_of(each, junk)
    if isinstance(reading, ValidationError):
        assert str(reading).endswith(".")
        assert reading.hint
        return
    for bad in reading.bad:
        assert bad.message.startswith(bad.place)
    assert all(draft.fields["title"].strip() for draft in reading.drafts)


@every_format
def test_a_file_name_tells_its_format(each: Format) -> None:
    for suffix in each.suffixes:
        assert format_for(None, Path(f"tasks{suffix.upper()}")) is each
        assert format_of(None, Path(f"tasks{suffix}"), "") is each
    assert format_for(each.id, Path("tasks.unknown")) is each
    assert format_of(each.id, Path("tasks.unknown"), "") is each


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


def test_a_text_that_could_be_anything_asks_for_its_format() -> None:
    with pytest.raises(ValidationError) as caught:
        format_of(None, None, "Dear diary, nothing happened today.")
    assert "--format" in (caught.value.hint or "")
