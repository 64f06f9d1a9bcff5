"""Places in the manual order, in words: before or after another task, at an end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filter_query import Query, SortField, SortTerm
from todo_tui.domain.filter_scope import NOT_IN_TRASH
from todo_tui.domain.filter_terms import ChildOf, Has, HasStatus, Not, TaskField, all_of, any_of
from todo_tui.domain.task import Status, Task
from todo_tui.tools.base import ToolContext

_BESIDE = re.compile(r"(before|after|above|below|behind)\s+#?(\d{1,18})", re.IGNORECASE)
_BEFORE = ("before", "above")
_ENDS = {"top": False, "first": False, "bottom": True, "last": True}


class Place(NamedTuple):
    """Before or after another task; neither where there is none to be beside."""

    before: int | None = None
    after: int | None = None


def read_place(context: ToolContext, words: str, moved: Sequence[Task]) -> Place:
    """The place that words mean: `before 3`, `after #3`, `top` or `bottom`.

    The ends are those of the tasks under the same parent.

    Raises:
        ValidationError: they mean none.
        NotFound: there is no task of that id.
    """
    if match := _BESIDE.fullmatch(words.strip()):
        beside = context.store.tasks.get(int(match[2])).id
        if any(task.id == beside for task in moved):
            raise ValidationError(f"Task #{beside} cannot be moved beside itself.")
        return Place(before=beside) if match[1].lower() in _BEFORE else Place(after=beside)
    end = words.strip().lower()
    if end not in _ENDS:
        raise ValidationError(
            f"“{words}” is no place.", hint='Places are "before 3", "after 3", "top", "bottom".'
        )
    beside_end = _outermost(context, moved, last=_ENDS[end])
    return Place(after=beside_end) if _ENDS[end] else Place(before=beside_end)


def _outermost(context: ToolContext, moved: Sequence[Task], *, last: bool) -> int | None:
    """The first or last open task beside those that are moved, if there is another one."""
    parent = moved[0].parent
    level = Not(Has(TaskField.PARENT)) if parent is None else ChildOf(parent)
    still_open = any_of(HasStatus(Status.TODO), HasStatus(Status.DOING))
    query = Query(all_of(NOT_IN_TRASH, still_open, level), (SortTerm(SortField.POSITION, last),))
    ids = {task.id for task in moved}
    for task in context.store.tasks.some(query, limit=len(ids) + 1):
        if task.id not in ids:
            return task.id
    return None
