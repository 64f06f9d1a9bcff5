"""Target tasks of a call, by ids or filter, at most 1,000; answers with one result per task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from todo_tui.domain.errors import Conflict, NotFound, TodoError, ValidationError
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import format_count, plain_line
from todo_tui.store.store import Store
from todo_tui.store.tasks.results import Descendant
from todo_tui.tools.base import ToolContext, ToolPreview, ToolResponse, error_data
from todo_tui.tools.task_data import summary_title

MAX_TASKS = 1_000
"""Most tasks that one call may change."""
_MAX_TITLES = 5
"""Titles in a summary: of as many as change without approval by default."""
_MAX_RESULTS = 20
"""Most results in an answer if a filter chose the tasks."""


@dataclass(frozen=True, slots=True)
class ItemSuccess:
    """Success of one item: data for the model, phrase for the summary."""

    data: dict[str, JsonValue]
    phrase: str


ItemOutcome = ItemSuccess | NotFound | Conflict


@dataclass(frozen=True, slots=True)
class TargetTasks:
    """Tasks of a call, in the order given, and the outcome of each."""

    ids: tuple[int, ...]
    tasks: tuple[Task, ...]
    outcomes: dict[int, ItemOutcome]
    """By id: errors of ids that cannot be used at first, the others when the tool has run."""
    filter: str = ""
    """Filter text; empty if the tasks were given by id."""
    remaining: int = 0
    """Number of matching tasks that were not among those approved."""


def select_tasks(
    context: ToolContext, task_ids: Sequence[int] | None, words: str | None, *, trash: bool = False
) -> TargetTasks:
    """Look up tasks by id or by filter; those in the trash only with `trash`.

    Raises:
        ValidationError: Neither or both were given, or the filter is invalid.
        NotFound: No task matches the filter.
        Conflict: Too many tasks match it.
    """
    found = _find_targets(context.store, task_ids, words)
    if task_ids is None:
        tasks = found.values()
        kept = [each for each in tasks if context.approved is None or each.id in context.approved]
        if not kept:
            raise Conflict("The tasks that match the filter changed after approval.")
        ids = tuple(task.id for task in kept)
        return TargetTasks(ids, tuple(kept), {}, str(words), len(found) - len(kept))
    errors: dict[int, ItemOutcome] = {}
    for task_id in task_ids:
        task = found.get(task_id)
        if task is None:
            errors[task_id] = NotFound(f"There is no task #{task_id}.")
        elif task.deleted_at is not None and not trash:
            errors[task_id] = Conflict(
                f"#{task.id} “{summary_title(task)}” is in the trash.",
                hint="reopen_task takes it out.",
            )
    present = tuple(task for task in found.values() if task.id not in errors)
    return TargetTasks(tuple(task_ids), present, errors)


def _find_targets(
    store: Store, task_ids: Sequence[int] | None, words: str | None
) -> dict[int, Task]:
    """Return the tasks of these ids that exist, or those that match a filter, by id."""
    words = (words or "").strip()
    if bool(words) is (task_ids is not None):
        named = "Tasks were named twice" if words else "No tasks were named"
        raise ValidationError(f"{named}; nothing was done.", hint="Give either task_ids or filter.")
    if task_ids is not None:
        if len(task_ids) > MAX_TASKS:
            raise ValidationError(
                f"One call changes at most {MAX_TASKS:,} tasks, not {len(task_ids):,}; "
                "nothing was done."
            )
        return {task.id: task for task in store.tasks.rows(task_ids)}
    page = store.tasks.list(parse_filter(store, words), limit=MAX_TASKS)
    if not page.total:
        raise NotFound(
            f"No task matches “{plain_line(words)}”; nothing was done.",
            hint="Call again with one word of the title, or call list_tasks.",
        )
    if page.total > MAX_TASKS:
        raise Conflict(
            f"{page.total:,} tasks match “{plain_line(words)}”; "
            f"one call changes at most {MAX_TASKS:,}.",
            hint="Narrow the filter; nothing was done.",
        )
    return {task.id: task for task in page.tasks}


def preview_targets(
    store: Store,
    _turn_id: str,
    arguments: Mapping[str, object],
    _asked_at: datetime | None,
    *,
    changing: Callable[[Sequence[Task]], Sequence[Task]],
    along: Literal["", "subtree", "trashed"] = "",
) -> ToolPreview:
    """Preview a call with the arguments `task_ids` or `filter`.

    `changing` returns those of the tasks that it would change. `along` are the descendants that
    it changes too: all, or those in the trash.

    Raises:
        TodoError: Too many tasks, or a filter that is invalid or matches none.
    """
    named, words = arguments.get("task_ids"), arguments.get("filter")
    task_ids = named if isinstance(named, list) else None
    found = _find_targets(store, task_ids, words if isinstance(words, str) else None)
    ids = tuple(found) if task_ids is None else tuple(task_ids)
    changed = [task.id for task in changing([*found.values()])]
    unchanged = frozenset(ids).difference(changed)
    if not along:
        return ToolPreview(ids, unchanged)
    descendants: dict[int, tuple[Descendant, ...]] = {}
    seen = set(ids)
    for task_id in changed:
        fresh = tuple(
            each
            for each in store.tasks.subtree(task_id, deleted_along=along == "trashed")
            if each.task.id not in seen and (along == "subtree" or each.task.deleted_at is not None)
        )
        seen.update(each.task.id for each in fresh)
        if fresh:
            descendants[task_id] = fresh
    return ToolPreview(ids, unchanged, descendants)


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


def answer_per_task(
    targets: TargetTasks,
    summarize: Callable[[list[str]], str],
    along: Mapping[str, Sequence[Task]] | None = None,
) -> ToolResponse:
    """Build the answer in the order of the ids; a failure only if every item failed.

    `along` are the descendants that were changed too, by their key in the data.
    """
    in_order = [targets.outcomes[task_id] for task_id in targets.ids]
    errors = [each for each in in_order if isinstance(each, TodoError)]
    phrases = [each.phrase for each in in_order if isinstance(each, ItemSuccess)]
    error_texts = list(dict.fromkeys(error.message for error in errors))[:_MAX_RESULTS]
    failure = None
    if not phrases:
        failure = errors[0]
        if len(errors) > 1:
            failure = type(failure)(" ".join(error_texts))
    sentences = [summarize(phrases)] if phrases else []
    ids = targets.ids[:_MAX_RESULTS] if targets.filter else targets.ids
    results: list[JsonValue] = []
    for task_id in ids:
        outcome = targets.outcomes[task_id]
        if isinstance(outcome, ItemSuccess):
            results.append({"id": task_id, "status": "success", **outcome.data})
        else:
            results.append({"id": task_id, "status": "error", "error": error_data(outcome)})
    data: dict[str, JsonValue] = {"results": results}
    if targets.filter:
        data |= {"total": len(targets.ids), "succeeded": len(phrases)}
        if len(ids) < len(targets.ids):
            data["cut"] = f"{len(ids):,} of {len(targets.ids):,}"
        if targets.remaining:
            data["left"] = f"{targets.remaining:,} more match by now and were left unchanged"
    for name, tasks in (along or {}).items():
        if tasks:
            data |= {name: brief_tasks(tasks), f"{name}_total": len(tasks)}
            sentences.append(f"with {format_count(len(tasks), 'subtask')}")
    return ToolResponse(data, " · ".join([*sentences, *error_texts]), failure)


def brief_tasks(tasks: Sequence[Task]) -> list[JsonValue]:
    """Return ids and titles of further affected tasks, up to a limit."""
    return [{"id": task.id, "title": task.title} for task in tasks[:_MAX_RESULTS]]


def summarize_titles(verb: str, titles: list[str]) -> str:
    """Return `Deleted Buy milk, Call mom`, or `Deleted 12 tasks`."""
    if len(titles) > _MAX_TITLES:
        return f"{verb} {len(titles):,} tasks"
    return f"{verb} {', '.join(titles)}"
