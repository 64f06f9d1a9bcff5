"""JSON: the array of tasks that `list --json` prints, with nothing lost either way."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from typing import NoReturn

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import (
    JsonValue,
    Priority,
    RepeatFrom,
    Status,
    Task,
    TaskFields,
)
from todo_tui.formats.entry import Entry
from todo_tui.formats.json_text import json_text

_KNOWN = frozenset(each.name for each in dataclasses.fields(Task))


def write(tasks: Iterable[Task]) -> Iterator[str]:
    """One task a line, so that two exports can be compared line by line."""
    opening = "[\n"
    for task in tasks:
        yield opening + json_text(task.to_json())
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def read(text: str) -> tuple[TaskDraft, ...]:
    """Read the array; fields that are not ours are kept in `extra`.

    Raises:
        ValidationError: it is no such array; names the line or the entry.
    """
    drafts = tuple(
        _draft(Entry(number, value)) for number, value in enumerate(_array(text), start=1)
    )
    _refuse_doubles(drafts)
    return drafts


def _array(text: str) -> list[JsonValue]:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValidationError(
            f"It is not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            hint="It takes the array that `todo-tui list --json` prints.",
        ) from error
    except (ValueError, RecursionError) as error:
        # Python says no more than that digits or brackets are too many.
        raise ValidationError(
            "It is not JSON that can be read: a number or the nesting is too large.",
            hint="It takes the array that `todo-tui list --json` prints.",
        ) from error
    if not isinstance(value, list):
        raise ValidationError(
            "It is JSON, but not an array of tasks.",
            hint='Write it as [{"title": "Buy milk"}].',
        )
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValidationError(
        f"It is not valid JSON: {name} is no number there.", hint="Write null in its place."
    )


def _draft(entry: Entry) -> TaskDraft:
    return TaskDraft(
        fields=_fields(entry),
        id=entry.number("id"),
        uuid=entry.text("uuid"),
        series=entry.text("series"),
        slot=entry.text("slot"),
        parent=entry.number("parent"),
        blocked_by=entry.numbers("blocked_by"),
        created_at=entry.instant("created_at"),
        updated_at=entry.instant("updated_at"),
        completed_at=entry.instant("completed_at"),
        deleted_at=entry.instant("deleted_at"),
    )


def _fields(entry: Entry) -> TaskFields:
    fields = TaskFields(
        title=entry.title(),
        notes=entry.text("notes") or "",
        annotations=entry.annotations("annotations"),
        status=entry.choice("status", Status) or Status.TODO,
        priority=entry.choice("priority", Priority),
        due=entry.moment("due"),
        start=entry.moment("start"),
        project=entry.text("project"),
        tags=entry.texts("tags"),
        recurrence=entry.rule("recurrence"),
        repeat_from=entry.choice("repeat_from", RepeatFrom) or RepeatFrom.DUE,
        extra={**entry.others(_KNOWN), **entry.table("extra")},
    )
    for zone in ("due_zone", "start_zone"):
        name = entry.text(zone)
        if name is not None:
            fields[zone] = name
    position = entry.text("position")
    if position is not None:
        fields["position"] = position
    return fields


def _refuse_doubles(drafts: tuple[TaskDraft, ...]) -> None:
    seen: dict[str, int] = {}
    for number, draft in enumerate(drafts, start=1):
        if draft.uuid is not None and seen.setdefault(draft.uuid, number) != number:
            raise ValidationError(
                f"Entry {number} has the same uuid as entry {seen[draft.uuid]}.",
                hint="Remove one of them, or its uuid.",
            )
