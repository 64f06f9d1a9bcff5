"""Tools that change tasks answer item by item: one wrong id does not spoil the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.tools.base import Answer
from todo_tui.tools.choosing import Chosen
from todo_tui.tools.response import ToolError

_NAMED = 3
_DETAILED = 20
"""Results that are told one by one where a filter chose the tasks."""


@dataclass(frozen=True, slots=True)
class Done:
    """An item that succeeded: more than its task for the model, a phrase for the person."""

    data: dict[str, JsonValue]
    phrase: str


Outcome = Done | TodoError


@dataclass(frozen=True, slots=True)
class Along:
    """Tasks below those that were asked for, which went along; `name` says how."""

    name: str
    tasks: Sequence[Task]


def answer(
    chosen: Chosen,
    outcomes: dict[int, Outcome],
    summarise: Callable[[list[str]], str],
    along: Along | None = None,
) -> Answer:
    """The answer in the order of the ids; an error as a whole only if every item is one."""
    in_order = [outcomes[task_id] for task_id in chosen.ids]
    errors = [each for each in in_order if isinstance(each, TodoError)]
    phrases = [each.phrase for each in in_order if isinstance(each, Done)]
    failure = None
    if not phrases:
        failure = ToolError.of(errors[0])
        if len(errors) > 1 and len(errors) <= _DETAILED:
            messages = " ".join(dict.fromkeys(error.message for error in errors))
            failure = ToolError(failure.type, messages)
    sentences = [summarise(phrases)] if phrases else []
    told = list(dict.fromkeys(error.message for error in errors))
    sentences += told[:_DETAILED]
    data = _data(chosen, outcomes, len(phrases))
    if along is not None and along.tasks:
        data[along.name] = brief(along.tasks)
        count = len(along.tasks)
        data[f"{along.name}_total"] = count
        sentences.insert(1, f"{count:,} {'subtask' if count == 1 else 'subtasks'} along")
    return Answer(data, " · ".join(sentences), failure)


def brief(tasks: Sequence[Task]) -> list[JsonValue]:
    """Ids and titles of tasks that were not asked for by themselves, as many as one reads."""
    return [{"id": task.id, "title": task.title} for task in tasks[:_DETAILED]]


def listed(verb: str) -> Callable[[list[str]], str]:
    """Makes `Deleted Buy milk, Call mom` of titles, `Deleted 12 tasks` of many."""

    def sentence(phrases: list[str]) -> str:
        if len(phrases) > _NAMED:
            return f"{verb} {len(phrases):,} tasks"
        return f"{verb} {', '.join(phrases)}"

    return sentence


def task_word(count: int) -> str:
    """`task` or `tasks`."""
    return "task" if count == 1 else "tasks"


def _data(chosen: Chosen, outcomes: dict[int, Outcome], succeeded: int) -> dict[str, JsonValue]:
    """Each result; where a filter chose, totals and as many results as one reads."""
    ids = chosen.ids[:_DETAILED] if chosen.filter else chosen.ids
    data: dict[str, JsonValue] = {
        "results": [_result(task_id, outcomes[task_id]) for task_id in ids]
    }
    if chosen.filter:
        data |= {"total": len(chosen.ids), "succeeded": succeeded}
        if len(ids) < len(chosen.ids):
            data["cut"] = f"{len(ids):,} of {len(chosen.ids):,}"
        if chosen.left:
            data["left"] = f"{chosen.left:,} more fit by now and were left as they are"
    return data


def _result(task_id: int, outcome: Outcome) -> JsonValue:
    if isinstance(outcome, TodoError):
        error = ToolError.of(outcome).to_json()
        return {"id": task_id, "status": "error", "error": error}
    return {"id": task_id, "status": "success", **outcome.data}
