"""The tools add_task and update_task, with manual order and skipping of occurrences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.errors import Conflict, OpenSubtasks, ValidationError
from todo_tui.domain.filters.terms import (
    NOT_IN_TRASH,
    ChildOf,
    HasField,
    HasStatus,
    Not,
    Query,
    SortField,
    SortTerm,
    TaskField,
    all_of,
    any_of,
)
from todo_tui.domain.recurrence.next_occurrence import Recurrence, occurrence_after_skip
from todo_tui.domain.task import Annotation, JsonValue, Status, Task, TaskFields
from todo_tui.domain.when import When, effective_zone
from todo_tui.tools.arguments import (
    AnnotationText,
    Blockers,
    Due,
    FilterText,
    MoreIds,
    NewDue,
    NewParent,
    NewRepeat,
    Notes,
    ParameterInfo,
    Parent,
    Position,
    PriorityName,
    Repeat,
    Start,
    StatusName,
    Subtasks,
    TagNames,
    TaskIds,
    TextValue,
    TitleCheck,
)
from todo_tui.tools.base import ToolContext, ToolPreview, ToolResponse, tool
from todo_tui.tools.complete_and_delete import parse_subtasks, subtasks_question
from todo_tui.tools.fields import FieldReader
from todo_tui.tools.targets import (
    ItemOutcome,
    ItemSuccess,
    Subtree,
    TargetTasks,
    answer_per_task,
    preview_targets,
    select_tasks,
)
from todo_tui.tools.task_data import (
    added_summary,
    all_changed_summary,
    changed_summary,
    summary_title,
    task_data,
    tasks_data,
)

_BESIDE = re.compile(r"(before|after|above|below|behind)\s+#?(\d{1,18})", re.IGNORECASE)
_BEFORE = ("before", "above")
_ENDS = {"top": False, "first": False, "bottom": True, "last": True}
_SKIP = re.compile(
    r"skip(?: (?P<missed>missed)| (?P<times>\d{1,4})(?: times)?| until (?P<until>.+))?",
    re.IGNORECASE,
)
_MOST_TIMES = 400


@tool("Adding a task…", verb="Add", preview=lambda *_: ToolPreview(added=1))
def add_task(
    context: ToolContext,
    title: Annotated[str, ParameterInfo("Without words for date, tags etc.", example="text")],
    due: Due = None,
    priority: PriorityName = None,
    project: TextValue = None,
    tags: TagNames = None,
    notes: TextValue = None,
    repeat: Repeat = None,
    start: Start = None,
    parent: Parent = None,
    blocked_by: Blockers = None,
) -> ToolResponse:
    """Add one task. For several, one call each, all at once."""
    if not title.strip():
        raise ValidationError("A task needs a title.")
    given = FieldReader(context.now, context.style)
    given.fields["title"] = title
    given.read(
        _given(due=due, start=start, repeat=repeat, priority=priority, project=project, notes=notes)
    )
    if tags:
        given.fields["tags"] = tuple(tags)
    if parent:
        given.fields["parent"] = parent
    if blocked_by:
        given.fields["blocked_by"] = tuple(blocked_by)
    task = context.store.tasks.add(given.fields, by=context.batch.shared())
    data = {"task": task_data(context, task), **given.understood()}
    return ToolResponse(data, added_summary(task, context.now))


class ManualPosition(NamedTuple):
    """Position before or after another task; neither if there is no other task."""

    before: int | None = None
    after: int | None = None


def parse_position(context: ToolContext, words: str, moved: Sequence[Task]) -> ManualPosition:
    """Parse a position: `before 3`, `after #3`, `top` or `bottom`.

    `top` and `bottom` are relative to the tasks with the same parent.

    Raises:
        ValidationError: The words are not a position.
        NotFound: No task has that id.
    """
    if match := _BESIDE.fullmatch(words.strip()):
        beside = context.store.tasks.get(int(match[2])).id
        if any(task.id == beside for task in moved):
            raise ValidationError(f"Task #{beside} cannot be moved beside itself.")
        return (
            ManualPosition(before=beside)
            if match[1].lower() in _BEFORE
            else ManualPosition(after=beside)
        )
    end = words.strip().lower()
    if end not in _ENDS:
        raise ValidationError(
            f"“{words}” is no place.", hint='Places are "before 3", "after 3", "top", "bottom".'
        )
    beside_end = _outermost(context, moved, last=_ENDS[end])
    return ManualPosition(after=beside_end) if _ENDS[end] else ManualPosition(before=beside_end)


def _outermost(context: ToolContext, moved: Sequence[Task], *, last: bool) -> int | None:
    """Return the first or last open sibling of the moved tasks, if any."""
    parent = moved[0].parent
    level = Not(HasField(TaskField.PARENT)) if parent is None else ChildOf(parent)
    still_open = any_of(HasStatus(Status.TODO), HasStatus(Status.DOING))
    query = Query(all_of(NOT_IN_TRASH, still_open, level), (SortTerm(SortField.POSITION, last),))
    ids = {task.id for task in moved}
    for task in context.store.tasks.find(query, limit=len(ids) + 1):
        if task.id not in ids:
            return task.id
    return None


class _SkipRange(NamedTuple):
    """Extent of a skip: missed dates, a number of dates, or all before a day."""

    missed: bool = False
    times: int = 1
    until: When | None = None


def is_skip(words: str) -> bool:
    """Return True for `skip`, `skip 2`, `skip until friday`."""
    return _SKIP.fullmatch(words.strip()) is not None


def skip_occurrences(context: ToolContext, targets: TargetTasks, words: str) -> ToolResponse:
    """Skip occurrences of recurring tasks, as far as the words say.

    Raises:
        ValidationError: The words have no date, or too many occurrences.
        Conflict: A task does not recur or ends before that; nothing was skipped.
    """
    skip_range = _parse_skip(context, words)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    for times, tasks in _by_times(context, targets.tasks, skip_range).items():
        if not times:
            for task in tasks:
                outcomes[task.id] = _too_soon(task, words)
        else:
            outcomes |= _skip_outcomes(context, tasks, times, missed=skip_range.missed)
    return answer_per_task(targets, outcomes, all_changed_summary)


def _skip_outcomes(
    context: ToolContext, tasks: Sequence[Task], times: int, *, missed: bool
) -> dict[int, ItemOutcome]:
    """Skip the same number of occurrences of each task; return the outcomes."""
    ids = [task.id for task in tasks]
    by_context = context.batch.shared()
    skips = context.store.tasks.skip(ids, by=by_context, missed=missed, times=times)
    after = [skip.task for skip in skips]
    outcomes: dict[int, ItemOutcome] = {}
    for before, task, data in zip(tasks, after, tasks_data(context, after), strict=True):
        item: dict[str, JsonValue] = {"task": data, "skipped": True}
        if times > 1:
            item["times"] = times
        outcomes[task.id] = ItemSuccess(item, changed_summary(before, task, context.now))
    return outcomes


def _parse_skip(context: ToolContext, words: str) -> _SkipRange:
    match = _SKIP.fullmatch(words.strip())
    if match is None or match["missed"]:
        return _SkipRange(missed=True)
    if match["until"]:
        return _SkipRange(until=read_date(match["until"], context.now, context.style).when)
    times = int(match["times"] or 1)
    if not 1 <= times <= _MOST_TIMES:
        raise ValidationError(f"I can skip 1 to {_MOST_TIMES} dates; nothing was done.")
    return _SkipRange(times=times)


def _by_times(
    context: ToolContext, tasks: Sequence[Task], skip_range: _SkipRange
) -> dict[int, list[Task]]:
    """Group tasks by the number of occurrences to skip."""
    found: dict[int, list[Task]] = {}
    for task in tasks:
        times = skip_range.times
        if skip_range.until is not None:
            times = _dates_before(context, task, skip_range.until)
        found.setdefault(times, []).append(task)
    return found


def _dates_before(context: ToolContext, task: Task, until: When) -> int:
    """Count the dates of a task before a day, including its present one.

    Raises:
        Conflict: The series ends before that day.
        ValidationError: Too many dates.
    """
    if task.recurrence is None or task.due is None:
        raise Conflict(f"Task #{task.id} does not repeat.")
    recurrence = Recurrence(task.recurrence, task.repeat_from)
    home = context.store.clock.zone
    here = context.now.replace(tzinfo=ZoneInfo(home))
    due, count = task.due, 0
    while _is_before(due, until):
        zone = effective_zone(task.due_zone, home)
        following = occurrence_after_skip(recurrence, due, here, zone, missed=False)
        if following is None:
            raise Conflict(
                f"#{task.id} “{summary_title(task)}” ends before that: nothing was skipped."
            )
        due, count = following, count + 1
        if count > _MOST_TIMES:
            raise ValidationError(
                f"#{task.id} “{summary_title(task)}” has more than {_MOST_TIMES} dates until then; "
                "nothing was done."
            )
    return count


def _is_before(due: When, until: When) -> bool:
    if until.at is None or due.at is None:
        return due.day < until.day
    return datetime.combine(due.day, due.at) < datetime.combine(until.day, until.at)


def _too_soon(task: Task, words: str) -> Conflict:
    due = task.due.iso() if task.due else "no day"
    return Conflict(
        f"#{task.id} “{summary_title(task)}” is due {due} only: "
        f"there was nothing to {words.strip()}."
    )


@tool(
    "Changing tasks…",
    verb="Change",
    preview=partial(preview_targets, subtree=Subtree.OPEN_IF_CLOSED),
)
def update_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    title: TitleCheck = None,
    filter: FilterText = None,  # the name that models know
    new_title: TextValue = None,
    due: NewDue = None,
    start: TextValue = None,
    priority: PriorityName = None,
    project: TextValue = None,
    add_tags: TagNames = None,
    remove_tags: TagNames = None,
    notes: Notes = None,
    annotation: AnnotationText = None,
    repeat: NewRepeat = None,
    status: StatusName = None,
    subtasks: Subtasks = None,
    parent: NewParent = None,
    add_blockers: Blockers = None,
    remove_blockers: MoreIds = None,
    position: Position = None,
) -> ToolResponse:
    """Change tasks. What is not given stays; "none" clears."""
    words = _given(
        due=due, start=start, repeat=repeat, priority=priority, project=project, notes=notes
    )
    patch = TaskPatch(
        words,
        TaskLinks(
            tuple(add_tags or ()),
            tuple(remove_tags or ()),
            tuple(add_blockers or ()),
            tuple(remove_blockers or ()),
        ),
        (new_title or "").strip(),
        status,
        parent,
        (annotation or "").strip(),
        (position or "").strip(),
    )
    if patch == TaskPatch():
        raise ValidationError("Nothing to change was given.")
    targets = select_tasks(context, task_ids, filter, title)
    if patch.new_title and len(targets.ids) > 1:
        raise ValidationError("new_title is for one task; call once for each.")
    if is_skip(words.get("repeat", "")):
        if patch != TaskPatch({"repeat": words["repeat"]}):
            raise ValidationError("Skip in a call of its own; nothing was done.")
        return skip_occurrences(context, targets, words["repeat"])
    try:
        return _change_tasks(context, targets, patch, parse_subtasks(subtasks))
    except OpenSubtasks as question:
        return subtasks_question(question)


def _given(**words: str | None) -> dict[str, str]:
    return {name: said for name, said in words.items() if said is not None}


class TaskLinks(NamedTuple):
    """Tags and blockers to add to tasks and to remove from them."""

    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    add_blockers: tuple[int, ...] = ()
    remove_blockers: tuple[int, ...] = ()


class TaskPatch(NamedTuple):
    """Changes to tasks; `words` are the fields given in the user's words."""

    words: Mapping[str, str] = MappingProxyType({})
    links: TaskLinks = TaskLinks()
    new_title: str = ""
    status: str | None = None
    parent: int | None = None
    annotation: str = ""
    position: str = ""

    def fields_of(self, context: ToolContext, task: Task) -> FieldReader:
        """Return the fields to set on one task.

        Raises:
            ValidationError: Names the words that were not understood.
        """
        given = FieldReader(context.now, context.style, task)
        given.read(self.words)
        if self.new_title:
            given.fields["title"] = self.new_title
        if self.status:
            given.fields["status"] = Status(self.status)
        if self.parent is not None:
            given.fields["parent"] = self.parent or None
        if self.annotation:
            annotation = Annotation(context.store.clock.utc(), self.annotation)
            given.fields["annotations"] = (*task.annotations, annotation)
        return given


def _change_tasks(
    context: ToolContext, targets: TargetTasks, patch: TaskPatch, children: SubtaskPolicy
) -> ToolResponse:
    """Write the changes, in one transaction for tasks that get the same fields."""
    store, by = context.store.tasks, context.batch.shared
    plans = [(task, patch.fields_of(context, task)) for task in targets.tasks]
    position = ManualPosition()
    if patch.position and targets.tasks:
        position = parse_position(context, patch.position, targets.tasks)
    alike: list[tuple[TaskFields, list[int]]] = []
    for task, given in plans:
        ids = next((ids for fields, ids in alike if fields == given.fields), None)
        if ids is None:
            alike.append((given.fields, [task.id]))
        else:
            ids.append(task.id)
    for fields, ids in alike:
        if fields or any(patch.links):
            store.update(ids, fields, by=by(), children=children, **patch.links._asdict())
    ids = [task.id for task in targets.tasks]
    if any(position):
        store.move(ids, by=by(), before=position.before, after=position.after)
    outcomes: dict[int, ItemOutcome] = dict(targets.errors)
    after = store.rows(ids)
    for (before, given), task, data in zip(plans, after, tasks_data(context, after), strict=True):
        phrase = changed_summary(before, task, context.now)
        outcomes[task.id] = ItemSuccess({"task": data, **given.understood()}, phrase)
    return answer_per_task(targets, outcomes, all_changed_summary)
