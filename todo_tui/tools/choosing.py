"""Which tasks a tool is asked to change: those of some ids, or all that fit a filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.domain.errors import Conflict, NotFound, TodoError, ValidationError
from todo_tui.domain.filter_problem import FilterProblem
from todo_tui.domain.filter_query import Query
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.store.workspace import Store
from todo_tui.tools.base import ToolContext
from todo_tui.tools.task_data import title_of

MOST = 1_000
"""Tasks that one call changes."""
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tasks that are meant, in order; the rest of the ids are errors."""

    ids: tuple[int, ...]
    tasks: tuple[Task, ...]
    errors: dict[int, TodoError] = field(default_factory=dict)
    filter: str = ""
    """The words that chose them; empty where ids did."""
    left: int = 0
    """How many fit the words, but were not among those that a person said yes to."""


def choose(
    context: ToolContext,
    task_ids: Sequence[int] | None,
    words: str | None,
    title: str | None,
    *,
    trash: bool = False,
) -> Chosen:
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
        return _fitting(context, words)
    if task_ids is not None and len(task_ids) > MOST:
        raise ValidationError(
            f"One call changes at most {MOST:,} tasks, not {len(task_ids):,}; nothing was done."
        )
    tasks: list[Task] = []
    errors: dict[int, TodoError] = {}
    for task_id in task_ids or ():
        try:
            tasks.append(_checked(context.store.tasks.get(task_id), title, trash=trash))
        except (NotFound, Conflict) as error:
            errors[task_id] = error
    return Chosen(tuple(task_ids or ()), tuple(tasks), errors)


def fitting(store: Store, words: str) -> tuple[Task, ...]:
    """The tasks that a change by these words is about.

    Raises:
        ValidationError: the filter cannot be read.
        NotFound: nothing fits it.
        Conflict: too much fits it.
    """
    query = read_filter(store, words)
    page = store.tasks.list(query, limit=MOST)
    if not page.total:
        raise NotFound(f"No task fits “{plain_line(words)}”; nothing was done.")
    if page.total > MOST:
        raise Conflict(
            f"{page.total:,} tasks fit “{plain_line(words)}”; one call changes at most {MOST:,}.",
            hint="Narrow it; nothing was done.",
        )
    return page.tasks


def read_filter(store: Store, words: str) -> Query:
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
    return _normal(one) == _normal(other)


def _fitting(context: ToolContext, words: str) -> Chosen:
    found = fitting(context.store, words)
    tasks = found
    if context.approved is not None:
        tasks = tuple(task for task in found if task.id in context.approved)
        if not tasks:
            raise Conflict("What fits the filter changed since it was agreed to.")
    ids = tuple(task.id for task in tasks)
    return Chosen(ids, tasks, filter=words, left=len(found) - len(tasks))


def _normal(title: str) -> str:
    return " ".join(title.casefold().split()).strip("\"'“”‘’`.,;:!?…*_ ")


def _checked(task: Task, title: str | None, *, trash: bool) -> Task:
    shown = f"#{task.id} is “{title_of(task)}”"
    if title and title.strip() and not same_title(task.title, title):
        raise Conflict(
            f"{shown}, not “{plain_line(title)[:_LONGEST_TITLE]}”; nothing was done to it."
        )
    if task.deleted_at is not None and not trash:
        raise Conflict(f"{shown} and is in the trash; reopen_task takes it out.")
    return task
