"""Requests of one message that take each other back."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.language.words import Quoted, folded
from todo_tui.providers.offline.requests import (
    Add,
    Change,
    FoundTasks,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_CHANGEABLE = (
    *("title", "status", "in_trash", "priority", "project", "due", "tags", "blocked_by"),
    *("parent", "repeat_words"),
)
"""Fields that may not be led back to their first value by a later part of a message."""


def takes_back(
    ready: Sequence[TaskRequest], quoted: Quoted, now: datetime, style: DateStyle
) -> bool:
    """Return True if a request undoes an earlier one, or leads a task back to what it was."""
    wrote = undid = False
    was: dict[int, ShownTask] = {}
    is_now: dict[int, ShownTask] = {}
    added: set[str] = set()
    for each in ready:
        match each.request:
            case Undo(redo):
                if undid if redo else wrote:
                    return True
                undid = True
            case Add(tasks):
                wrote = True
                added |= {folded(task.title) for task in tasks}
            case Change(verb) as change:
                wrote = True
                for task in each.found.tasks if each.found else ():
                    if verb is Verb.DELETE and folded(task.title) in added:
                        return True
                    first = was.setdefault(task.id, task)
                    before = is_now.get(task.id, first)
                    if before.in_trash > first.in_trash and verb is not Verb.REOPEN:
                        return True
                    is_now[task.id] = after = _after(change, before, each.other, quoted, now, style)
                    if any(
                        getattr(after, name) == getattr(first, name) != getattr(before, name)
                        for name in _CHANGEABLE
                    ):
                        return True
    return False


def _after(
    change: Change,
    task: ShownTask,
    other: FoundTasks | None,
    quoted: Quoted,
    now: datetime,
    style: DateStyle,
) -> ShownTask:
    """Return the task as a change leaves it, in the fields of _CHANGEABLE."""
    match change.verb:
        case Verb.COMPLETE:
            return replace(task, status="done")
        case Verb.REOPEN:
            return replace(task, status="todo", in_trash=False)
        case Verb.DELETE:
            return replace(task, in_trash=True)
    words = read_change_words(TaskRequest(change, None, other).details, now, style)
    fields = words.fields
    with suppress(DateNotUnderstood):  # A date that is relative to the task's own.
        fields = words.fields_of()
    tags = {*fields.get("tags", task.tags), *words.add_tags}.difference(words.remove_tags)
    blockers = {*fields.get("blocked_by", task.blocked_by), *words.add_blockers}
    return replace(
        task,
        title=quoted.shown(change.title) or task.title,
        status=fields.get("status", task.status),
        priority=fields.get("priority", task.priority) or "",
        project=fields.get("project", task.project) or "",
        due=fields.get("due", task.due),
        tags=tuple(sorted(tags)),
        blocked_by=tuple(sorted(blockers.difference(words.remove_blockers))),
        parent=fields.get("parent", task.parent) or 0,
        repeat_words=fields.get("recurrence", task.repeat_words) or "",
    )
