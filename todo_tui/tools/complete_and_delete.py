"""The tools complete_task, reopen_task and delete_task, with subtasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.errors import Conflict, OpenSubtasks
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.store.tasks.select import CompletionResult
from todo_tui.tools.arguments import FilterText, ParameterInfo, Subtasks, TaskIds, TitleCheck
from todo_tui.tools.base import ToolContext, ToolError, ToolErrorType, ToolResponse, tool
from todo_tui.tools.targets import (
    DescendantTasks,
    ItemOutcome,
    ItemSuccess,
    Subtree,
    answer_per_task,
    brief_tasks,
    preview_targets,
    select_tasks,
    summarize_titles,
)
from todo_tui.tools.task_data import completed_summary, summary_title, tasks_data

_MAX_NAMED_SUBTASKS = 20


@tool(
    "Completing tasks…",
    verb="Complete",
    preview=partial(preview_targets, subtree=Subtree.OPEN_IF_CLOSED),
)
def complete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    title: TitleCheck = None,
    filter: FilterText = None,  # the name that models know
    subtasks: Subtasks = None,
    last: Annotated[
        bool | None, ParameterInfo("Whether it then repeats no more", example="true or false")
    ] = None,
) -> ToolResponse:
    """Mark tasks as done. One that repeats makes its next occurrence."""
    targets = select_tasks(context, task_ids, filter, title)
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
                children=parse_subtasks(subtasks),
                last=bool(last),
            )
        except OpenSubtasks as question:
            return subtasks_question(question)
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
    title: TitleCheck = None,
    filter: FilterText = None,  # the name that models know
) -> ToolResponse:
    """Reopen tasks that are done, cancelled or deleted (subtasks come along)."""
    targets = select_tasks(context, task_ids, filter, title, trash=True)
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
    title: TitleCheck = None,
    filter: FilterText = None,  # the name that models know
) -> ToolResponse:
    """Move tasks and what is below them to the trash."""
    targets = select_tasks(context, task_ids, filter, title)
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


def parse_subtasks(subtasks: str | None) -> SubtaskPolicy:
    """Translate the argument `subtasks`."""
    return SubtaskPolicy.ASK if subtasks is None else SubtaskPolicy(subtasks)


def subtasks_question(question: OpenSubtasks) -> ToolResponse:
    """Answer a call that does not say what to do with open subtasks; nothing was done."""
    error = ToolError(
        ToolErrorType.CONFLICT,
        f"{question.message} Nothing was done. Ask the user, then pass subtasks: "
        '"close" completes them too, "leave" leaves them open.',
    )
    data: dict[str, JsonValue] = {
        "open_subtasks": [
            {"id": task_id, "title": title}
            for task_id, title in question.subtasks[:_MAX_NAMED_SUBTASKS]
        ],
        "total": len(question.subtasks),
    }
    return ToolResponse(data, question.message, error)
