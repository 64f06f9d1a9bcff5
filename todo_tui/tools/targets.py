"""The tasks that a call is about (ids or filter), and answers with one result per task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from todo_tui.domain.errors import Conflict, NotFound, TodoError, ValidationError
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store
from todo_tui.tools.base import ToolAnswer, ToolContext, ToolError
from todo_tui.tools.task_data import summary_title

MAX_TASKS = 1_000
"""Tasks that one call changes."""
_LONGEST_TITLE = 200
_MAX_TITLES = 3
_MAX_RESULTS = 20
"""Results that are told one by one where a filter chose the tasks."""


@dataclass(frozen=True, slots=True)
class TargetTasks:
    """The tasks that are meant, in order; the rest of the ids are errors."""

    ids: tuple[int, ...]
    tasks: tuple[Task, ...]
    errors: dict[int, TodoError] = field(default_factory=dict)
    filter: str = ""
    """The words that chose them; empty where ids did."""
    remaining: int = 0
    """How many fit the words, but were not among those that a person said yes to."""


def select_tasks(
    context: ToolContext,
    task_ids: Sequence[int] | None,
    words: str | None,
    title: str | None,
    *,
    trash: bool = False,
) -> TargetTasks:
    """Look up each id, or what the words of a filter find; one of the two is to be given.

    Where `title` is given, each task's must be the same. Of the ids, tasks in the trash
    count as found only with `trash`.

    Raises:
        ValidationError: neither was given, or both, or a title with a filter; the filter
            cannot be read.
        NotFound: nothing fits the filter.
        Conflict: too much fits it.
    """
    words = (words or "").strip()
    if bool(words) is (task_ids is not None):
        raise ValidationError("Give either task_ids or filter; nothing was done.")
    if words and title and title.strip():
        raise ValidationError("title is a check of task_ids, not of a filter; nothing was done.")
    if words:
        return _select_by_filter(context, words)
    if task_ids is not None and len(task_ids) > MAX_TASKS:
        raise ValidationError(
            f"One call changes at most {MAX_TASKS:,} tasks, not {len(task_ids):,}; "
            "nothing was done."
        )
    tasks: list[Task] = []
    errors: dict[int, TodoError] = {}
    for task_id in task_ids or ():
        try:
            tasks.append(_check_target(context.store.tasks.get(task_id), title, trash=trash))
        except (NotFound, Conflict) as error:
            errors[task_id] = error
    return TargetTasks(tuple(task_ids or ()), tuple(tasks), errors)


def matching_tasks(store: Store, words: str) -> tuple[Task, ...]:
    """The tasks that a change by these words is about.

    Raises:
        ValidationError: the filter cannot be read.
        NotFound: nothing fits it.
        Conflict: too much fits it.
    """
    query = parse_filter(store, words)
    page = store.tasks.list(query, limit=MAX_TASKS)
    if not page.total:
        raise NotFound(f"No task fits “{plain_line(words)}”; nothing was done.")
    if page.total > MAX_TASKS:
        raise Conflict(
            f"{page.total:,} tasks fit “{plain_line(words)}”; "
            f"one call changes at most {MAX_TASKS:,}.",
            hint="Narrow it; nothing was done.",
        )
    return page.tasks


def parse_filter(store: Store, words: str) -> Query:
    """Read the words of a filter.

    Raises:
        ValidationError: says which word is wrong, where it stands and what would fit.
    """
    try:
        return store.read_query(words)
    except FilterProblem as problem:
        place = f"At character {problem.position + 1} of the filter: "
        raise ValidationError(place + problem.message, hint=problem.hint) from problem


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same but for case, spaces and outer punctuation."""
    return _normalize_title(one) == _normalize_title(other)


def _select_by_filter(context: ToolContext, words: str) -> TargetTasks:
    found = matching_tasks(context.store, words)
    tasks = found
    if context.approved is not None:
        tasks = tuple(task for task in found if task.id in context.approved)
        if not tasks:
            raise Conflict("What fits the filter changed since it was agreed to.")
    ids = tuple(task.id for task in tasks)
    return TargetTasks(ids, tasks, filter=words, remaining=len(found) - len(tasks))


def _normalize_title(title: str) -> str:
    return " ".join(title.casefold().split()).strip("\"'“”‘’`.,;:!?…*_ ")


def _check_target(task: Task, title: str | None, *, trash: bool) -> Task:
    shown = f"#{task.id} is “{summary_title(task)}”"
    if title and title.strip() and not same_title(task.title, title):
        raise Conflict(
            f"{shown}, not “{plain_line(title)[:_LONGEST_TITLE]}”; nothing was done to it."
        )
    if task.deleted_at is not None and not trash:
        raise Conflict(f"{shown} and is in the trash; reopen_task takes it out.")
    return task


@dataclass(frozen=True, slots=True)
class ItemSuccess:
    """An item that succeeded: more than its task for the model, a phrase for the person."""

    data: dict[str, JsonValue]
    phrase: str


ItemOutcome = ItemSuccess | TodoError


@dataclass(frozen=True, slots=True)
class DescendantTasks:
    """Tasks below those that were asked for, which went along; `name` says how."""

    name: str
    tasks: Sequence[Task]


def answer_per_task(
    chosen: TargetTasks,
    outcomes: dict[int, ItemOutcome],
    summarise: Callable[[list[str]], str],
    along: DescendantTasks | None = None,
) -> ToolAnswer:
    """The answer in the order of the ids; an error as a whole only if every item is one."""
    in_order = [outcomes[task_id] for task_id in chosen.ids]
    errors = [each for each in in_order if isinstance(each, TodoError)]
    phrases = [each.phrase for each in in_order if isinstance(each, ItemSuccess)]
    failure = None
    if not phrases:
        failure = ToolError.of(errors[0])
        if len(errors) > 1 and len(errors) <= _MAX_RESULTS:
            messages = " ".join(dict.fromkeys(error.message for error in errors))
            failure = ToolError(failure.type, messages)
    sentences = [summarise(phrases)] if phrases else []
    told = list(dict.fromkeys(error.message for error in errors))
    sentences += told[:_MAX_RESULTS]
    data = _data(chosen, outcomes, len(phrases))
    if along is not None and along.tasks:
        data[along.name] = brief_tasks(along.tasks)
        count = len(along.tasks)
        data[f"{along.name}_total"] = count
        sentences.insert(1, f"{count:,} {'subtask' if count == 1 else 'subtasks'} along")
    return ToolAnswer(data, " · ".join(sentences), failure)


def brief_tasks(tasks: Sequence[Task]) -> list[JsonValue]:
    """Ids and titles of tasks that were not asked for by themselves, as many as one reads."""
    return [{"id": task.id, "title": task.title} for task in tasks[:_MAX_RESULTS]]


def summarize_titles(verb: str) -> Callable[[list[str]], str]:
    """Makes `Deleted Buy milk, Call mom` of titles, `Deleted 12 tasks` of many."""

    def sentence(phrases: list[str]) -> str:
        if len(phrases) > _MAX_TITLES:
            return f"{verb} {len(phrases):,} tasks"
        return f"{verb} {', '.join(phrases)}"

    return sentence


def plural_task(count: int) -> str:
    """`task` or `tasks`."""
    return "task" if count == 1 else "tasks"


def _data(
    chosen: TargetTasks, outcomes: dict[int, ItemOutcome], succeeded: int
) -> dict[str, JsonValue]:
    """Each result; where a filter chose, totals and as many results as one reads."""
    ids = chosen.ids[:_MAX_RESULTS] if chosen.filter else chosen.ids
    data: dict[str, JsonValue] = {
        "results": [_result(task_id, outcomes[task_id]) for task_id in ids]
    }
    if chosen.filter:
        data |= {"total": len(chosen.ids), "succeeded": succeeded}
        if len(ids) < len(chosen.ids):
            data["cut"] = f"{len(ids):,} of {len(chosen.ids):,}"
        if chosen.remaining:
            data["left"] = f"{chosen.remaining:,} more fit by now and were left as they are"
    return data


def _result(task_id: int, outcome: ItemOutcome) -> JsonValue:
    if isinstance(outcome, TodoError):
        error = ToolError.of(outcome).to_json()
        return {"id": task_id, "status": "error", "error": error}
    return {"id": task_id, "status": "success", **outcome.data}
