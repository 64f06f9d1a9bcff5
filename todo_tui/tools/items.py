"""Tools that take ids answer item by item: one wrong id does not spoil the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from todo_tui.domain.errors import Conflict, NotFound, TodoError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line
from todo_tui.tools.base import Answer, ToolContext
from todo_tui.tools.response import ToolError
from todo_tui.tools.task_data import title_of

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Done:
    """An item that succeeded: more than its task for the model, a phrase for the person."""

    data: dict[str, JsonValue]
    phrase: str


Outcome = Done | TodoError


@dataclass(frozen=True, slots=True)
class Found:
    """The tasks that ids lead to; the rest are errors, by id."""

    tasks: tuple[Task, ...]
    errors: dict[int, TodoError]


def find(
    context: ToolContext, task_ids: Sequence[int], title: str | None, *, trash: bool = False
) -> Found:
    """Look up each id; where `title` is given, the task's must be the same.

    Tasks in the trash count as found only with `trash`.
    """
    tasks: list[Task] = []
    errors: dict[int, TodoError] = {}
    for task_id in task_ids:
        try:
            tasks.append(_checked(context.store.tasks.get(task_id), title, trash=trash))
        except (NotFound, Conflict) as error:
            errors[task_id] = error
    return Found(tuple(tasks), errors)


def answer(
    task_ids: Sequence[int], outcomes: dict[int, Outcome], summarise: Callable[[list[str]], str]
) -> Answer:
    """The answer in the order of the ids; an error as a whole only if every item is one."""
    errors = [each for each in map(outcomes.get, task_ids) if isinstance(each, TodoError)]
    phrases = [each.phrase for each in map(outcomes.get, task_ids) if isinstance(each, Done)]
    results = [_result(task_id, outcomes[task_id]) for task_id in task_ids]
    failure = None
    if not phrases:
        failure = ToolError.of(errors[0])
        if len(errors) > 1:
            messages = " ".join(dict.fromkeys(error.message for error in errors))
            failure = ToolError(failure.type, messages)
    sentences = [summarise(phrases)] if phrases else []
    sentences += dict.fromkeys(error.message for error in errors)
    return Answer({"results": results}, " · ".join(sentences), failure)


def listed(verb: str) -> Callable[[list[str]], str]:
    """Makes `Deleted Buy milk, Call mom` of titles, `Deleted 12 tasks` of many."""

    def sentence(phrases: list[str]) -> str:
        if len(phrases) > _SHOWN:
            return f"{verb} {len(phrases)} tasks"
        return f"{verb} {', '.join(phrases)}"

    return sentence


def task_word(count: int) -> str:
    """`task` or `tasks`."""
    return "task" if count == 1 else "tasks"


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same but for case, spaces and outer punctuation."""
    return _normal(one) == _normal(other)


def _normal(title: str) -> str:
    return " ".join(title.casefold().split()).strip("\"'“”‘’`.,;:!?…*_ ")


def _checked(task: Task, title: str | None, *, trash: bool) -> Task:
    shown = f"#{task.id} is “{title_of(task)}”"
    if title and title.strip() and not same_title(task.title, title):
        raise Conflict(f"{shown}, not “{plain_line(title)}”; nothing was done to it.")
    if task.deleted_at is not None and not trash:
        raise Conflict(f"{shown} and is in the trash; reopen_task takes it out.")
    return task


def _result(task_id: int, outcome: Outcome) -> JsonValue:
    if isinstance(outcome, TodoError):
        error = ToolError.of(outcome).to_json()
        return {"id": task_id, "status": "error", "error": error}
    return {"id": task_id, "status": "success", **outcome.data}
