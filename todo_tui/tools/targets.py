"""Target tasks of a call (ids or filter), and answers with one result per task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from todo_tui.domain.errors import Conflict, NotFound, TodoError, ValidationError
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import Descendant
from todo_tui.tools.base import ToolContext, ToolError, ToolPreview, ToolResponse
from todo_tui.tools.task_data import summary_title

MAX_TASKS = 1_000
"""Most tasks that one call may change."""
_LONGEST_TITLE = 200
_MAX_TITLES = 3
_MAX_RESULTS = 20
"""Most results in an answer if a filter chose the tasks."""


@dataclass(frozen=True, slots=True)
class TargetTasks:
    """Tasks of a call, in the order given, and the errors of the other ids."""

    ids: tuple[int, ...]
    tasks: tuple[Task, ...]
    errors: dict[int, TodoError] = field(default_factory=dict)
    filter: str = ""
    """Filter text; empty if the tasks were given by id."""
    remaining: int = 0
    """Number of matching tasks that were not among those approved."""


def select_tasks(
    context: ToolContext,
    task_ids: Sequence[int] | None,
    words: str | None,
    *,
    trash: bool = False,
) -> TargetTasks:
    """Look up tasks by id or by filter; exactly one of the two must be given.

    Tasks in the trash are found by id only
    with `trash`.

    Raises:
        ValidationError: Neither or both were given, or a title with a filter, or the
            filter is invalid.
        NotFound: No task matches the filter.
        Conflict: Too many tasks match it.
    """
    words = (words or "").strip()
    if bool(words) is (task_ids is not None):
        raise ValidationError("Give either task_ids or filter; nothing was done.")
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
            tasks.append(_check_target(context.store.tasks.get(task_id), trash=trash))
        except (NotFound, Conflict) as error:
            errors[task_id] = error
    return TargetTasks(tuple(task_ids or ()), tuple(tasks), errors)


def matching_tasks(store: Store, words: str) -> tuple[Task, ...]:
    """Return the tasks that match a filter, for a change.

    Raises:
        ValidationError: The filter is invalid.
        NotFound: No task matches it.
        Conflict: Too many tasks match it.
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


class Subtree(Enum):
    """Descendants that a call changes along with its tasks."""

    ALL = auto()
    TRASHED = auto()
    """Those in the trash."""


def preview_targets(
    store: Store, _turn_id: str, arguments: Mapping[str, object], *, subtree: Subtree | None
) -> ToolPreview:
    """Preview a call with the arguments `task_ids` or `filter`.

    Raises:
        TodoError: Too many tasks, or a filter that is invalid or matches none.
    """
    named, words = arguments.get("task_ids"), arguments.get("filter")
    ids: tuple[int, ...] = ()
    if isinstance(named, list):
        if len(named) > MAX_TASKS:
            raise ValidationError(f"One call changes at most {MAX_TASKS:,} tasks.")
        ids = tuple(named)
    elif isinstance(words, str) and words.strip():
        ids = tuple(task.id for task in matching_tasks(store, words))
    if not ids:
        return ToolPreview(unnamed_changes=1)
    if subtree is None:
        return ToolPreview(ids)
    found: dict[int, tuple[Descendant, ...]] = {}
    seen = set(ids)
    for task_id in ids:
        try:
            below = store.tasks.subtree(task_id, deleted_along=subtree is Subtree.TRASHED)
        except NotFound:
            continue
        fresh = tuple(
            each
            for each in below
            if each.task.id not in seen
            and (subtree is not Subtree.TRASHED or each.task.deleted_at is not None)
        )
        seen.update(each.task.id for each in fresh)
        if fresh:
            found[task_id] = fresh
    return ToolPreview(ids, found)


def parse_filter(store: Store, words: str) -> Query:
    """Parse a filter.

    Raises:
        ValidationError: Names the wrong word, its position and a remedy.
    """
    try:
        return store.read_query(words)
    except FilterProblem as problem:
        place = f"At character {problem.position + 1} of the filter: "
        raise ValidationError(place + problem.message, hint=problem.hint) from problem


def _select_by_filter(context: ToolContext, words: str) -> TargetTasks:
    found = matching_tasks(context.store, words)
    tasks = found
    if context.approved is not None:
        tasks = tuple(task for task in found if task.id in context.approved)
        if not tasks:
            raise Conflict("What fits the filter changed since it was agreed to.")
    ids = tuple(task.id for task in tasks)
    return TargetTasks(ids, tasks, filter=words, remaining=len(found) - len(tasks))


def _check_target(task: Task, *, trash: bool) -> Task:
    if task.deleted_at is not None and not trash:
        shown = f"#{task.id} is “{summary_title(task)}”"
        raise Conflict(f"{shown} and is in the trash; reopen_task takes it out.")
    return task


@dataclass(frozen=True, slots=True)
class ItemSuccess:
    """Success of one item: data for the model, phrase for the summary."""

    data: dict[str, JsonValue]
    phrase: str


ItemOutcome = ItemSuccess | TodoError


@dataclass(frozen=True, slots=True)
class DescendantTasks:
    """Descendants changed along with the targets; `name` is their key in the data."""

    name: str
    tasks: Sequence[Task]


def answer_per_task(
    targets: TargetTasks,
    outcomes: dict[int, ItemOutcome],
    summarize: Callable[[list[str]], str],
    descendants: DescendantTasks | None = None,
) -> ToolResponse:
    """Build the answer in the order of the ids; a failure only if every item failed."""
    in_order = [outcomes[task_id] for task_id in targets.ids]
    errors = [each for each in in_order if isinstance(each, TodoError)]
    phrases = [each.phrase for each in in_order if isinstance(each, ItemSuccess)]
    failure = None
    if not phrases:
        failure = ToolError.of(errors[0])
        if len(errors) > 1 and len(errors) <= _MAX_RESULTS:
            messages = " ".join(dict.fromkeys(error.message for error in errors))
            failure = ToolError(failure.type, messages)
    sentences = [summarize(phrases)] if phrases else []
    error_texts = list(dict.fromkeys(error.message for error in errors))
    sentences += error_texts[:_MAX_RESULTS]
    data = _data(targets, outcomes, len(phrases))
    if descendants is not None and descendants.tasks:
        data[descendants.name] = brief_tasks(descendants.tasks)
        count = len(descendants.tasks)
        data[f"{descendants.name}_total"] = count
        sentences.insert(1, f"{count:,} {'subtask' if count == 1 else 'subtasks'} along")
    return ToolResponse(data, " · ".join(sentences), failure)


def brief_tasks(tasks: Sequence[Task]) -> list[JsonValue]:
    """Return ids and titles of further affected tasks, up to a limit."""
    return [{"id": task.id, "title": task.title} for task in tasks[:_MAX_RESULTS]]


def summarize_titles(verb: str) -> Callable[[list[str]], str]:
    """Return a function that makes `Deleted Buy milk, Call mom`, or `Deleted 12 tasks`."""

    def summarize(phrases: list[str]) -> str:
        if len(phrases) > _MAX_TITLES:
            return f"{verb} {len(phrases):,} tasks"
        return f"{verb} {', '.join(phrases)}"

    return summarize


def plural_task(count: int) -> str:
    """Return `task` or `tasks`."""
    return "task" if count == 1 else "tasks"


def _data(
    targets: TargetTasks, outcomes: dict[int, ItemOutcome], succeeded: int
) -> dict[str, JsonValue]:
    """Return the results; for a filter, totals and a limited number of results."""
    ids = targets.ids[:_MAX_RESULTS] if targets.filter else targets.ids
    data: dict[str, JsonValue] = {
        "results": [_result(task_id, outcomes[task_id]) for task_id in ids]
    }
    if targets.filter:
        data |= {"total": len(targets.ids), "succeeded": succeeded}
        if len(ids) < len(targets.ids):
            data["cut"] = f"{len(ids):,} of {len(targets.ids):,}"
        if targets.remaining:
            data["left"] = f"{targets.remaining:,} more fit by now and were left as they are"
    return data


def _result(task_id: int, outcome: ItemOutcome) -> JsonValue:
    if isinstance(outcome, TodoError):
        error = ToolError.of(outcome).to_json()
        return {"id": task_id, "status": "error", "error": error}
    return {"id": task_id, "status": "success", **outcome.data}
