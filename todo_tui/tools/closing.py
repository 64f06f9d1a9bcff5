"""The tools that complete, reopen and delete tasks, with what hangs on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from todo_tui.domain.changes import Children
from todo_tui.domain.errors import Conflict, OpenSubtasks
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.store.results import Completion
from todo_tui.tools import summaries
from todo_tui.tools.arguments import About
from todo_tui.tools.base import Answer, ToolContext, tool
from todo_tui.tools.choosing import choose
from todo_tui.tools.items import Along, Done, Outcome, answer, brief, listed
from todo_tui.tools.parameters import Guard, Ids, Subtasks, Those
from todo_tui.tools.response import ToolError, ToolErrorType
from todo_tui.tools.task_data import tasks_data, title_of

_NAMED = 20


@tool("Completing tasks…")
def complete_task(
    context: ToolContext,
    task_ids: Ids = None,
    title: Guard = None,
    filter: Those = None,  # the name that models know
    subtasks: Subtasks = None,
    last: Annotated[
        bool | None, About("Whether it then repeats no more", example="true or false")
    ] = None,
) -> Answer:
    """Mark tasks as done. One that repeats makes its next occurrence."""
    chosen = choose(context, task_ids, filter, title)
    outcomes: dict[int, Outcome] = dict(chosen.errors)
    undone = []
    for task in chosen.tasks:
        if task.status is Status.DONE:
            outcomes[task.id] = Conflict(f"#{task.id} “{title_of(task)}” is already done.")
        else:
            undone.append(task.id)
    completed: tuple[Completion, ...] = ()
    if undone:
        try:
            completed = context.store.tasks.complete(
                undone,
                by=context.batch.gesture(),
                children=children_of(subtasks),
                last=bool(last),
            )
        except OpenSubtasks as question:
            return subtasks_question(question)
    outcomes |= _completed(context, completed)
    along = [child for done in completed for child in done.children]
    return answer(chosen, outcomes, listed("Completed"), Along("also_completed", along))


def _completed(context: ToolContext, completed: Sequence[Completion]) -> dict[int, Outcome]:
    """What is told of each task that is done, with what came of it."""
    tasks = [each for done in completed for each in (done.task, done.next) if each]
    told = iter(tasks_data(context, tasks))
    outcomes: dict[int, Outcome] = {}
    for done in completed:
        data: dict[str, JsonValue] = {"task": next(told)}
        if done.next is not None:
            data["next"] = next(told)
        for name, others in (("again", done.renewed), ("unblocked", done.unblocked)):
            if others:
                data[name] = brief(others)
        phrase = summaries.completed(done.task, done.next, context.now)
        outcomes[done.task.id] = Done(data, phrase)
    return outcomes


@tool("Reopening tasks…")
def reopen_task(
    context: ToolContext,
    task_ids: Ids = None,
    title: Guard = None,
    filter: Those = None,  # the name that models know
) -> Answer:
    """Reopen tasks that are done, cancelled or deleted (subtasks come along)."""
    chosen = choose(context, task_ids, filter, title, trash=True)
    outcomes: dict[int, Outcome] = dict(chosen.errors)
    for task in chosen.tasks:
        if task.is_open:
            outcomes[task.id] = Conflict(f"#{task.id} “{title_of(task)}” is open.")
    store = context.store.tasks
    closed = [task for task in chosen.tasks if not task.is_open]
    trashed = [task.id for task in closed if task.deleted_at is not None]
    ended = [task.id for task in closed if not task.status.is_open]
    along: tuple[Task, ...] = ()
    if trashed:
        restored = store.restore(trashed, by=context.batch.gesture())
        along = tuple(task for task in restored if task.id not in set(chosen.ids))
    if ended:
        store.reopen(ended, by=context.batch.gesture())
    reopened = store.rows([task.id for task in closed])
    for task, data in zip(reopened, tasks_data(context, reopened), strict=True):
        outcomes[task.id] = Done({"task": data}, title_of(task))
    return answer(chosen, outcomes, listed("Reopened"), Along("also_restored", along))


@tool("Deleting tasks…")
def delete_task(
    context: ToolContext,
    task_ids: Ids = None,
    title: Guard = None,
    filter: Those = None,  # the name that models know
) -> Answer:
    """Move tasks and what is below them to the trash."""
    chosen = choose(context, task_ids, filter, title)
    outcomes: dict[int, Outcome] = dict(chosen.errors)
    ids = [task.id for task in chosen.tasks]
    along: tuple[Task, ...] = ()
    if ids:
        deleted = context.store.tasks.delete(ids, by=context.batch.gesture())
        along = deleted[len(ids) :]
    for task in chosen.tasks:
        data: dict[str, JsonValue] = {"title": task.title}
        outcomes[task.id] = Done(data, title_of(task))
    return answer(chosen, outcomes, listed("Deleted"), Along("also_deleted", along))


def children_of(subtasks: str | None) -> Children:
    """What the argument `subtasks` asks for."""
    return Children.ASK if subtasks is None else Children(subtasks)


def subtasks_question(question: OpenSubtasks) -> Answer:
    """The answer to a call that left open what becomes of open subtasks: nothing was done."""
    error = ToolError(
        ToolErrorType.CONFLICT,
        f"{question.message} Nothing was done. Ask the user, then pass subtasks: "
        '"close" completes them too, "leave" leaves them open.',
    )
    data: dict[str, JsonValue] = {
        "open_subtasks": [
            {"id": task_id, "title": title} for task_id, title in question.subtasks[:_NAMED]
        ],
        "total": len(question.subtasks),
    }
    return Answer(data, question.message, error)
