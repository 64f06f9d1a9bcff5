"""The tools that write tasks: add_task, update_task, complete_task, reopen_task, delete_task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from todo_tui.domain.change_words.reader import ChangeWords, read_change_words
from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.errors import Conflict, OpenSubtasks, ValidationError
from todo_tui.domain.task import JsonValue, Status, Task, TaskFields
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import CompletionResult
from todo_tui.tools.arguments import Details, FilterText, NewTitle, Notes, TaskIds, Title
from todo_tui.tools.base import (
    ToolContext,
    ToolError,
    ToolErrorType,
    ToolPreview,
    ToolResponse,
    tool,
)
from todo_tui.tools.targets import (
    DescendantTasks,
    ItemOutcome,
    ItemSuccess,
    Subtree,
    TargetTasks,
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
    task_data,
    tasks_data,
)

_MAX_NAMED_SUBTASKS = 20


def _preview_add(_store: Store, _turn_id: str, _arguments: Mapping[str, object]) -> ToolPreview:
    return ToolPreview(added=1)


@tool("Adding a task…", verb="Add", preview=_preview_add)
def add_task(
    context: ToolContext, title: Title, details: Details = None, notes: Notes = None
) -> ToolResponse:
    """Add one task; for several call it several times at once."""
    if not title.strip():
        raise ValidationError("A task needs a title.")
    words = _read_details(context, details)
    if words.only_changes:
        raise ValidationError(
            f"A new task has nothing to change: “{words.only_changes}”; nothing was done."
        )
    fields = words.fields.copy()
    if words.relative_date:
        fields |= read_change_words(
            f"today {words.relative_date}", context.now, context.style
        ).fields
    fields["title"] = title
    if notes and notes.strip():
        fields["notes"] = notes.removeprefix("+ ").strip()
    if words.add_tags:
        fields["tags"] = words.add_tags
    if words.add_blockers:
        fields["blocked_by"] = words.add_blockers
    task = context.store.tasks.add(fields, by=context.batch.shared())
    data = {"task": task_data(context, task), **_understood(words)}
    return ToolResponse(data, added_summary(task, context.now))


@tool(
    "Changing tasks…",
    verb="Change",
    preview=partial(preview_targets, subtree=None),
)
def update_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: FilterText = None,  # the name that models know
    details: Details = None,
    new_title: NewTitle = None,
    notes: Notes = None,
) -> ToolResponse:
    """Change tasks."""
    new_title = (new_title or "").strip()
    words = _read_details(context, details)
    if not (words.changes_something or new_title or notes is not None):
        raise ValidationError("Nothing to change was given.")
    targets = select_tasks(context, task_ids, filter)
    if new_title and len(targets.ids) > 1:
        raise ValidationError("new_title is for one task; call once for each.")
    if words.skip:
        if new_title or notes is not None:
            raise ValidationError("Skip in a call of its own; nothing was done.")
        return _skip(context, targets)
    plans = [(task, _fields_of(context, task, words, new_title, notes)) for task in targets.tasks]
    _write(context, plans, words)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    after = context.store.tasks.rows([task.id for task in targets.tasks])
    for (before, _), task, data in zip(plans, after, tasks_data(context, after), strict=True):
        phrase = changed_summary(before, task, context.now)
        outcomes[task.id] = ItemSuccess({"task": data, **_understood(words)}, phrase)
    return answer_per_task(targets, outcomes, all_changed_summary)


def _read_details(context: ToolContext, details: str | None) -> ChangeWords:
    """Read the change words of a call.

    Raises:
        ValidationError: names the words that are no change.
    """
    words = read_change_words((details or "").strip(), context.now, context.style)
    if words.unknown:
        raise ValidationError(
            f"“{words.unknown}” in details was not understood; nothing was done.",
            hint="Details are words such as: friday 5pm, every monday, !high, #project, @tag, "
            "-@tag, under #3, after #3, doing, no date.",
        )
    return words


def _understood(words: ChangeWords) -> dict[str, JsonValue]:
    """Return how the details were read, and what was ambiguous in them."""
    said = [*words.summary, *words.notes]
    return {"understood": "; ".join(said)} if said else {}


def _fields_of(
    context: ToolContext, task: Task, words: ChangeWords, new_title: str, notes: str | None
) -> TaskFields:
    fields = words.fields_of(task, context.now, context.style)
    if new_title:
        fields["title"] = new_title
    if notes is not None:
        added = notes.removeprefix("+ ").strip()
        is_added = notes.startswith("+ ") and task.notes
        fields["notes"] = f"{task.notes}\n{added}" if is_added else added
    return fields


def _write(
    context: ToolContext, plans: Sequence[tuple[Task, TaskFields]], words: ChangeWords
) -> None:
    """Write the changes, in one transaction for tasks that get the same fields."""
    alike: list[tuple[TaskFields, tuple[int, ...], list[int]]] = []
    for task, fields in plans:
        blockers = task.blocked_by if words.clears_blockers else words.remove_blockers
        for other_fields, other_blockers, ids in alike:
            if (fields, blockers) == (other_fields, other_blockers):
                ids.append(task.id)
                break
        else:
            alike.append((fields, blockers, [task.id]))
    for fields, blockers, ids in alike:
        context.store.tasks.update(
            ids,
            fields,
            by=context.batch.shared(),
            children=SubtaskPolicy.LEAVE,
            add_tags=words.add_tags,
            remove_tags=words.remove_tags,
            add_blockers=words.add_blockers,
            remove_blockers=blockers,
        )


def _skip(context: ToolContext, targets: TargetTasks) -> ToolResponse:
    """Advance recurring tasks to their next date.

    Raises:
        Conflict: a task does not recur or its series ends; nothing was skipped.
    """
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    ids = [task.id for task in targets.tasks]
    skips = context.store.tasks.skip(ids, by=context.batch.shared()) if ids else ()
    after = [skip.task for skip in skips]
    for before, task, data in zip(targets.tasks, after, tasks_data(context, after), strict=True):
        phrase = changed_summary(before, task, context.now)
        outcomes[task.id] = ItemSuccess({"task": data, "skipped": True}, phrase)
    return answer_per_task(targets, outcomes, all_changed_summary)


@tool(
    "Completing tasks…",
    verb="Complete",
    preview=partial(preview_targets, subtree=None),
)
def complete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: FilterText = None,  # the name that models know
) -> ToolResponse:
    """Mark tasks as done. One that repeats makes its next occurrence."""
    targets = select_tasks(context, task_ids, filter)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    open_ids = []
    for task in targets.tasks:
        if task.status is Status.DONE:
            outcomes[task.id] = Conflict(f"#{task.id} “{summary_title(task)}” is already done.")
        else:
            open_ids.append(task.id)
    completed: tuple[CompletionResult, ...] = ()
    if open_ids:
        try:
            completed = context.store.tasks.complete(
                open_ids,
                by=context.batch.shared(),
                children=SubtaskPolicy.ASK,
            )
        except OpenSubtasks as question:
            return _subtasks_question(question)
    outcomes |= _completion_outcomes(context, completed)
    descendants = [child for result in completed for child in result.children]
    return answer_per_task(
        targets,
        outcomes,
        summarize_titles("Completed"),
        DescendantTasks("also_completed", descendants),
    )


def _completion_outcomes(
    context: ToolContext, completed: Sequence[CompletionResult]
) -> dict[int, ItemOutcome]:
    """Return the outcome of each completed task, with its next occurrence."""
    tasks = [each for result in completed for each in (result.task, result.next) if each]
    task_dicts = iter(tasks_data(context, tasks))
    outcomes: dict[int, ItemOutcome] = {}
    for result in completed:
        data: dict[str, JsonValue] = {"task": next(task_dicts)}
        if result.next is not None:
            data["next"] = next(task_dicts)
        for name, others in (("again", result.reopened_subtasks), ("unblocked", result.unblocked)):
            if others:
                data[name] = brief_tasks(others)
        phrase = completed_summary(result.task, result.next, context.now)
        outcomes[result.task.id] = ItemSuccess(data, phrase)
    return outcomes


@tool(
    "Reopening tasks…",
    verb="Reopen",
    preview=partial(preview_targets, subtree=Subtree.TRASHED),
)
def reopen_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: FilterText = None,  # the name that models know
) -> ToolResponse:
    """Reopen tasks that are done, cancelled or deleted (subtasks come along)."""
    targets = select_tasks(context, task_ids, filter, trash=True)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    for task in targets.tasks:
        if task.is_open:
            outcomes[task.id] = Conflict(f"#{task.id} “{summary_title(task)}” is open.")
    store = context.store.tasks
    closed = [task for task in targets.tasks if not task.is_open]
    trashed = [task.id for task in closed if task.deleted_at is not None]
    ended = [task.id for task in closed if not task.status.is_open]
    descendants: tuple[Task, ...] = ()
    if trashed:
        restored = store.restore(trashed, by=context.batch.shared())
        descendants = tuple(task for task in restored if task.id not in set(targets.ids))
    if ended:
        store.reopen(ended, by=context.batch.shared())
    reopened = store.rows([task.id for task in closed])
    for task, data in zip(reopened, tasks_data(context, reopened), strict=True):
        outcomes[task.id] = ItemSuccess({"task": data}, summary_title(task))
    return answer_per_task(
        targets,
        outcomes,
        summarize_titles("Reopened"),
        DescendantTasks("also_restored", descendants),
    )


@tool(
    "Deleting tasks…",
    verb="Delete",
    preview=partial(preview_targets, subtree=Subtree.ALL),
)
def delete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: FilterText = None,  # the name that models know
) -> ToolResponse:
    """Move tasks and what is below them to the trash."""
    targets = select_tasks(context, task_ids, filter)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    ids = [task.id for task in targets.tasks]
    descendants: tuple[Task, ...] = ()
    if ids:
        deleted = context.store.tasks.delete(ids, by=context.batch.shared())
        descendants = deleted[len(ids) :]
    for task in targets.tasks:
        data: dict[str, JsonValue] = {"title": task.title}
        outcomes[task.id] = ItemSuccess(data, summary_title(task))
    return answer_per_task(
        targets, outcomes, summarize_titles("Deleted"), DescendantTasks("also_deleted", descendants)
    )


def _subtasks_question(question: OpenSubtasks) -> ToolResponse:
    """Answer a call that does not say what to do with open subtasks; nothing was done."""
    error = ToolError(
        ToolErrorType.CONFLICT,
        f"{question.message} Nothing was done. Ask the user; to complete them too, pass their ids "
        "in the same call.",
    )
    data: dict[str, JsonValue] = {
        "open_subtasks": [
            {"id": task_id, "title": title}
            for task_id, title in question.subtasks[:_MAX_NAMED_SUBTASKS]
        ],
        "total": len(question.subtasks),
    }
    return ToolResponse(data, question.message, error)
