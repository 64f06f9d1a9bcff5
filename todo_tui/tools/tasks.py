"""The tools that write tasks: add_task, update_task, complete_task, reopen_task, delete_task."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from todo_tui.domain.change_words.reader import ChangeWords, require_change_words
from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.errors import Conflict, OpenSubtasks, ValidationError
from todo_tui.domain.task import JsonValue, Status, Task, TaskFields
from todo_tui.tools.arguments import TaskIds
from todo_tui.tools.base import (
    ToolContext,
    ToolError,
    ToolErrorType,
    ToolPreview,
    ToolResponse,
    tool,
)
from todo_tui.tools.targets import (
    ItemSuccess,
    answer_per_task,
    brief_tasks,
    preview_targets,
    select_tasks,
    summarize_titles,
)
from todo_tui.tools.task_data import (
    added_summary,
    all_changed_summary,
    changed_summary,
    completed_summary,
    summary_title,
    tasks_data,
)

_MAX_NAMED_SUBTASKS = 20
_SPOKEN_PRIORITY = re.compile(
    r"!?\b(?:(high|medium|low)[ -]priority|priority[ :]{1,2}(high|medium|low))\b", re.IGNORECASE
)


@tool("Adding a task…", verb="Add", preview=lambda *_: ToolPreview(added=1))
def add_task(
    context: ToolContext,
    title: Annotated[str, "Without the words of details"],
    details: Annotated[
        str | None, "Date, repeat, priority, #project, @tag, … the user named"
    ] = None,
    notes: str | None = None,
) -> ToolResponse:
    """Add one task; call once for each."""
    if not title.strip():
        raise ValidationError("A task needs a title.")
    words = _read_details(context, details)
    if words.only_changes:
        raise ValidationError(
            f"A new task cannot have “{words.only_changes}” in details; nothing was added."
        )
    fields, remarks = words.resolve()
    fields["title"] = title
    fields["notes"] = _edited_notes("", notes or "")
    fields["tags"] = words.add_tags
    fields["blocked_by"] = words.add_blockers
    task = context.store.tasks.add(fields, by=context.batch.shared())
    data = {"task": tasks_data(context, [task])[0], **_understood(remarks)}
    return ToolResponse(data, added_summary(task, context.now))


@tool("Changing tasks…", verb="Change", preview=preview_targets)
def update_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
    details: str | None = None,
    new_title: Annotated[str | None, "For one task"] = None,
    notes: Annotated[str | None, 'Replaces; "+ " in front adds a line'] = None,
) -> ToolResponse:
    """Change tasks."""
    title = (new_title or "").strip()
    words = _read_details(context, details)
    if not (words.changes_something or title or notes is not None):
        raise ValidationError("Nothing to change was given.")
    if words.skip and (title or notes is not None):
        raise ValidationError("“skip” stands alone; nothing was changed.")
    targets = select_tasks(context, task_ids, filter)
    if title and len(targets.ids) > 1:
        raise ValidationError("new_title is for one task; nothing was changed.")

    def more(task: Task) -> TaskFields:
        fields = TaskFields(title=title) if title else TaskFields()
        if notes is not None:
            fields["notes"] = _edited_notes(task.notes, notes)
        return fields

    try:
        after = context.store.tasks.change(
            [task.id for task in targets.tasks], words, by=context.batch.shared(), more=more
        )
    except OpenSubtasks as question:
        return _subtasks_question(question, "cancel")
    for before, task, data in zip(targets.tasks, after, tasks_data(context, after), strict=True):
        remarks = () if words.skip else words.resolve(before)[1]
        item: dict[str, JsonValue] = {"task": data, **_understood(remarks)}
        if words.skip or (words.fields.get("status") is Status.CANCELLED and task.is_open):
            item["skipped"] = True
        targets.outcomes[task.id] = ItemSuccess(item, changed_summary(before, task, context.now))
    return answer_per_task(targets, all_changed_summary)


def _read_details(context: ToolContext, details: str | None) -> ChangeWords:
    # Models write `low priority`, as users say it.
    text = _SPOKEN_PRIORITY.sub(lambda found: f"!{found[1] or found[2]}", details or "")
    try:
        return require_change_words(text, context.now, context.store.style)
    except ValidationError as error:
        if re.search(r"\b(?:done|completed?)\b", text, re.IGNORECASE):
            error.hint = "To complete tasks, call complete_task."
        elif (word := text.strip()).isalpha():
            error.hint = (
                f"Call again with @{word} for a tag, #{word} for a project, or call complete_task."
            )
        raise


def _understood(remarks: Sequence[str]) -> dict[str, JsonValue]:
    """Return how ambiguous words were read; the dates themselves are in the task."""
    return {"understood": "; ".join(remarks)} if remarks else {}


def _edited_notes(present: str, given: str) -> str:
    """Return notes that replace the present ones; `+ ` in front adds a line."""
    if not given.startswith("+ "):
        return given.strip()
    return "\n".join(part for part in (present, given[2:].strip()) if part)


@tool("Completing tasks…", verb="Complete", preview=preview_targets)
def complete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Mark tasks as done."""
    targets = select_tasks(context, task_ids, filter)
    for task in targets.tasks:
        if task.status is Status.DONE:
            targets.outcomes[task.id] = Conflict(
                f"#{task.id} “{summary_title(task)}” is already done."
            )
    open_ids = [task.id for task in targets.tasks if task.id not in targets.outcomes]
    try:
        completed = context.store.tasks.complete(
            open_ids, by=context.batch.shared(), children=SubtaskPolicy.ASK
        )
    except OpenSubtasks as question:
        return _subtasks_question(question, "complete")
    tasks = [each for result in completed for each in (result.task, result.next) if each]
    described = iter(tasks_data(context, tasks))
    for result in completed:
        data: dict[str, JsonValue] = {"task": next(described)}
        if result.next is not None:
            data["next"] = next(described)
        for name, others in (("again", result.reopened_subtasks), ("unblocked", result.unblocked)):
            if others:
                data[name] = brief_tasks(others)
        phrase = completed_summary(result.task, result.next, context.now)
        targets.outcomes[result.task.id] = ItemSuccess(data, phrase)
    return answer_per_task(targets, summarize_titles("Completed"))


@tool("Reopening tasks…", verb="Reopen", preview=partial(preview_targets, along="trashed"))
def reopen_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Reopen done, cancelled or deleted tasks."""
    targets = select_tasks(context, task_ids, filter, trash=True)
    for task in targets.tasks:
        if task.is_open:
            targets.outcomes[task.id] = Conflict(f"#{task.id} “{summary_title(task)}” is open.")
    store = context.store.tasks
    closed = [task for task in targets.tasks if not task.is_open]
    trashed = [task.id for task in closed if task.deleted_at is not None]
    ended = [task.id for task in closed if not task.status.is_open]
    along: Sequence[Task] = ()
    if trashed:
        restored = store.restore(trashed, by=context.batch.shared())
        along = [task for task in restored if task.id not in targets.ids]
    if ended:
        store.reopen(ended, by=context.batch.shared())
    reopened = store.rows([task.id for task in closed])
    for task, data in zip(reopened, tasks_data(context, reopened), strict=True):
        targets.outcomes[task.id] = ItemSuccess({"task": data}, summary_title(task))
    return answer_per_task(targets, summarize_titles("Reopened"), along={"also_restored": along})


@tool("Deleting tasks…", verb="Delete", preview=partial(preview_targets, along="subtree"))
def delete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Move tasks and their subtasks to the trash."""
    targets = select_tasks(context, task_ids, filter)
    ids = [task.id for task in targets.tasks]
    deleted = context.store.tasks.delete(ids, by=context.batch.shared()) if ids else ()
    for task in targets.tasks:
        targets.outcomes[task.id] = ItemSuccess({"title": task.title}, summary_title(task))
    return answer_per_task(
        targets,
        summarize_titles("Deleted"),
        along={"also_deleted": deleted[len(ids) :]},
    )


def _subtasks_question(question: OpenSubtasks, verb: str) -> ToolResponse:
    """Answer a call for tasks with open subtasks that it does not name; nothing was done."""
    error = ToolError(
        ToolErrorType.CONFLICT,
        f"{question.message} Nothing was done. Ask the user; to {verb} them too, pass the ids of "
        "all in one call.",
    )
    named: list[JsonValue] = [
        {"id": task_id, "title": title}
        for task_id, title in question.subtasks[:_MAX_NAMED_SUBTASKS]
    ]
    data: JsonValue = {"open_subtasks": named, "total": len(question.subtasks)}
    return ToolResponse(data, question.message, error)
