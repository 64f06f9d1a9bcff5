"""The tools that find tasks and write them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated

from todo_tui.domain.change_words.reader import ChangeWords, require_change_words
from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.dates.text import weekday_name
from todo_tui.domain.errors import Conflict, OpenSubtasks, ValidationError
from todo_tui.domain.filters.terms import Grouping, Query, SortField
from todo_tui.domain.task import JsonValue, Status, Task, TaskFields
from todo_tui.domain.task_text import edit_notes
from todo_tui.domain.text import fold_case, format_count, listed_count, plain_line
from todo_tui.domain.when import When
from todo_tui.store.store import Store
from todo_tui.tools.arguments import TaskIds
from todo_tui.tools.base import (
    ToolContext,
    ToolPreview,
    ToolResponse,
    tool,
)
from todo_tui.tools.targets import (
    ItemSuccess,
    TargetTasks,
    answer_per_task,
    brief_tasks,
    parse_filter,
    preview_targets,
    select_tasks,
    summarize_titles,
)
from todo_tui.tools.task_data import (
    FOREIGN,
    added_summary,
    all_changed_summary,
    changed_summary,
    completed_summary,
    replaced_data,
    summary_title,
    tasks_data,
)

MAX_LISTED_TASKS = 50
"""Tasks in a result of `list_tasks`, at most; it tells how many there are."""
_MAX_GROUPS = 60
_MAX_TITLES = 5
_MAX_NAMED_SUBTASKS = 20
_SPOKEN_PRIORITY = re.compile(
    r"!?\b(?:(high|medium|low)[ -]priority|priority[ :]{1,2}(high|medium|low))\b"
    r"|^(high|medium|low)$",
    re.IGNORECASE,
)


@tool("Looking at your tasks…", reads_only=True, question="List tasks?")
def list_tasks(
    context: ToolContext,
    filter: Annotated[  # the name that models know
        str | None,
        "Conditions or words: today, overdue, due this week, no due, #project, @tag, "
        "!priority, ready, blocked, recurring, done, all, trash, #id, under:id, due.before:date; "
        "and, or, not, ( ); sort:urgency, group:project",
    ] = None,
) -> ToolResponse:
    """Find and count tasks; by default the open ones. One alone has its notes."""
    words = (filter or "").strip()
    query = parse_filter(context.store, words)
    tasks, total, groups, labelled = _find_tasks(context, query)
    shown = len(tasks)
    with_urgency = any(term.field is SortField.URGENCY for term in query.sort)
    # A list with notes would repeat an instruction hidden in one of them in every answer.
    described = tasks_data(context, tasks, with_texts=shown == 1, with_urgency=with_urgency)
    foreign = [name for name in FOREIGN if any(each.get(name) for each in described)]
    data: dict[str, JsonValue] = {
        "summary": _summary(described, total),
        "tasks": list(described),
        "total": total,
        "shown": shown,
        **groups,
    }
    if with_urgency and (usual := context.store.statistics.habits().finished):
        data["usually_finished"] = {weekday_name(day): usual[day] for day in sorted(usual)}
    found = format_count(total, "task")
    if shown < total:
        data["cut"] = f"{shown:,} of {total:,}"
        found = f"{shown:,} of {found}"
    foreign += context.foreign_names(labelled)
    if not total and (suggestions := _name_suggestions(context, words)):
        data["doubts"] = suggestions
        foreign += ["doubts"] if context.store.tasks.have_others_named() else []
    summary = f"Found {found}" if total else "Found no tasks"
    if words:
        summary += f" · {plain_line(words)}"
    return ToolResponse(data, summary, foreign=tuple(foreign))


def _summary(described: Sequence[Mapping[str, JsonValue]], total: int) -> str:
    """Return number and first titles in words, which small models repeat but don't make up."""
    titles = [
        f"{task['title']} ({task['due_words']})" if "due_words" in task else f"{task['title']}"
        for task in described[: listed_count(total, _MAX_TITLES)]
    ]
    if (more := total - len(titles)) > 0 and titles:
        titles.append(f"{more:,} more")
    return f"{format_count(total, 'task')}{': ' if titles else ''}{', '.join(titles)}"


def _find_tasks(
    context: ToolContext, query: Query
) -> tuple[Sequence[Task], int, dict[str, JsonValue], Sequence[int]]:
    """Return tasks in order, their total number, groups if requested, and ids behind labels.

    The ids are those of tasks whose project or tag is the label of a group.
    """
    store = context.store.tasks
    if query.group in (None, Grouping.NONE):
        page = store.list(query, limit=MAX_LISTED_TASKS)
        return page.tasks, page.total, {}, ()
    members: dict[str, list[int]] = {}
    for heading, ids in store.listing(query).groups:
        members.setdefault(heading.label, []).extend(ids)
    in_order = list(dict.fromkeys(each for ids in members.values() for each in ids))
    shown = set(in_order[:MAX_LISTED_TASKS])
    groups: list[JsonValue] = [
        {"group": label, "total": len(ids), "ids": [each for each in ids if each in shown]}
        for label, ids in list(members.items())[:_MAX_GROUPS]
    ]
    data: dict[str, JsonValue] = {"groups": groups}
    if len(members) > len(groups):
        data["groups_cut"] = f"{len(groups)} of {len(members):,}"
    labelled = [ids[0] for ids in list(members.values())[:_MAX_GROUPS]]
    return store.rows(in_order[:MAX_LISTED_TASKS]), len(in_order), data, labelled


def _name_suggestions(context: ToolContext, words: str) -> list[JsonValue]:
    """Return warnings about unknown projects and tags, with similar names."""
    if not any(mark in words for mark in ("#", "@", "project", "tag")):
        return []
    from todo_tui.domain.filters.parser import FilterParser  # most lists do without

    store = context.store
    reader = FilterParser(words, context.now, store.style, store.filter_names())
    reader.read()
    return [f"{warning.message} {warning.hint or ''}".strip() for warning in reader.warnings]


@tool("Adding a task…", verb="Add", preview=lambda *_: ToolPreview(added=1))
def add_task(
    context: ToolContext,
    title: Annotated[str, "Without the words of details"],
    details: Annotated[
        str | None, "Date, repeat, priority, #project, @tag, … the user named"
    ] = None,
    notes: str | None = None,
) -> ToolResponse:
    """Add one task; call once for each."""
    if not title.strip():
        raise ValidationError("A task needs a title.")
    words = _read_details(context.store, context.asked_at, details)
    if words.only_changes:
        raise ValidationError(
            f"A new task cannot have “{words.only_changes}” in details; nothing was added."
        )
    fields, remarks = words.resolve()
    fields["title"] = title
    fields["notes"] = edit_notes("", notes or "")
    fields["tags"] = words.add_tags
    fields["blocked_by"] = words.add_blockers
    task = context.store.tasks.add(fields, by=context.batch.shared())
    data = {"task": tasks_data(context, [task])[0], **_understood(remarks)}
    return ToolResponse(data, added_summary(task, context.now, context.store.clock.zone))


def _preview_update(
    store: Store, turn_id: str, arguments: Mapping[str, object], asked_at: datetime | None
) -> ToolPreview:
    """Preview `update_task`.

    Raises:
        TodoError: As `preview_targets`; or the change words mean nothing.
    """
    words = _read_details(store, asked_at, str(arguments.get("details") or ""))
    title, notes = str(arguments.get("new_title") or "").strip(), arguments.get("notes")

    def changing(tasks: Sequence[Task]) -> Sequence[Task]:
        if words.postpones:
            tasks = [task for task in tasks if task.due is not None] or tasks
        return [task for task in tasks if task.deleted_at is None and changes(task)]

    def changes(task: Task) -> bool:
        try:
            fields = words.fields_of(task)
        except ValidationError:
            return False
        fields |= _written_fields(task, title, notes if isinstance(notes, str) else None)
        return words.skip or _differs(task, words, fields, store.clock.zone)

    return preview_targets(store, turn_id, arguments, asked_at, changing=changing)


def _written_fields(task: Task, title: str, notes: str | None) -> TaskFields:
    fields = TaskFields(title=title) if title else TaskFields()
    if notes is not None:
        fields["notes"] = edit_notes(task.notes, notes)
    return fields


def _differs(task: Task, words: ChangeWords, fields: TaskFields, zone: str) -> bool:
    """Return False if a task has these fields, and the tags and blockers of the words, already."""
    wanted: dict[str, object] = {**fields}
    for name, its_zone in (("due", "due_zone"), ("start", "start_zone")):
        if isinstance(when := wanted.get(name), When):
            wanted[its_zone] = None if when.at is None else wanted.get(its_zone) or zone
    if fields.get("recurrence"):
        # A rule that is set again takes along an occurrence that was moved.
        due = wanted.get("due", task.due)
        wanted["slot"] = due.iso() if isinstance(due, When) else None
    tags, blockers = {fold_case(tag) for tag in task.tags}, set(task.blocked_by)
    return (
        any(getattr(task, name) != value for name, value in wanted.items())
        or not tags.issuperset(map(fold_case, words.add_tags))
        or not tags.isdisjoint(map(fold_case, words.remove_tags))
        or not blockers.issuperset(words.add_blockers)
        or not blockers.isdisjoint(words.remove_blockers)
    )


@tool("Changing tasks…", verb="Change", preview=_preview_update)
def update_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
    details: str | None = None,
    new_title: Annotated[str | None, "For one task"] = None,
    notes: Annotated[str | None, 'Replaces; "+ " in front adds a line'] = None,
) -> ToolResponse:
    """Change tasks."""
    title = (new_title or "").strip()
    words = _read_details(context.store, context.asked_at, details)
    if not (words.changes_something or title or notes is not None):
        raise ValidationError("No changes were given.")
    if words.skip and (title or notes is not None):
        raise ValidationError("“skip” cannot be combined; nothing was changed.")
    targets = select_tasks(context, task_ids, filter)
    if title and len(targets.ids) > 1:
        raise ValidationError("new_title is for one task; nothing was changed.")

    if words.postpones:
        targets = _leave_out_undated(targets)

    try:
        after = context.store.tasks.change(
            [task.id for task in targets.tasks],
            words,
            by=context.batch.shared(),
            more=lambda task: _written_fields(task, title, notes),
        )
    except OpenSubtasks as question:
        return _subtasks_question(context, question, "cancel")
    for before, task, data in zip(targets.tasks, after, tasks_data(context, after), strict=True):
        remarks = () if words.skip else words.resolve(before)[1]
        was = replaced_data(context, before, task)
        item: dict[str, JsonValue] = {"task": data, "before": was, **_understood(remarks)}
        is_cancelled = words.fields.get("status") is Status.CANCELLED
        if skipped := words.skip or (is_cancelled and task.is_open):
            item["skipped"] = True
        now, zone = context.now, context.store.clock.zone
        summary = changed_summary(before, task, now, zone, skipped=skipped)
        targets.outcomes[task.id] = ItemSuccess(item, summary)
    return answer_per_task(targets, all_changed_summary)


def _leave_out_undated(targets: TargetTasks) -> TargetTasks:
    """Leave out tasks without a due date, which only a task alone is postponed without."""
    dated = tuple(task for task in targets.tasks if task.due is not None)
    if not dated:
        return targets
    for task in targets.tasks:
        if task.due is None:
            problem = f"#{task.id} “{summary_title(task)}” has no due date to move."
            targets.outcomes[task.id] = Conflict(problem)
    return replace(targets, tasks=dated)


def _read_details(store: Store, asked_at: datetime | None, details: str | None) -> ChangeWords:
    # Models write `low priority`, as users say it.
    text = _SPOKEN_PRIORITY.sub(lambda found: f"!{found[found.lastindex or 0]}", details or "")
    try:
        return require_change_words(text, asked_at or store.clock.now(), store.style)
    except ValidationError as error:
        if re.search(r"\b(?:done|completed?)\b", text, re.IGNORECASE):
            error.hint = "To complete tasks, call complete_task."
        elif (word := text.strip()).isalpha():
            error.hint = (
                f"Call again with @{word} for a tag, #{word} for a project, or call complete_task."
            )
        raise


def _understood(remarks: Sequence[str]) -> dict[str, JsonValue]:
    """Return how ambiguous words were read; the dates themselves are in the task."""
    return {"understood": "; ".join(remarks)} if remarks else {}


def _not_done(tasks: Sequence[Task]) -> Sequence[Task]:
    return [each for each in tasks if each.deleted_at is None and each.status is not Status.DONE]


def _closed(tasks: Sequence[Task]) -> Sequence[Task]:
    return [task for task in tasks if not task.is_open]


def _outside_trash(tasks: Sequence[Task]) -> Sequence[Task]:
    return [task for task in tasks if task.deleted_at is None]


@tool(
    "Completing tasks…",
    verb="Complete",
    preview=partial(preview_targets, changing=_not_done),
)
def complete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Mark tasks as done."""
    targets = select_tasks(context, task_ids, filter)
    for task in targets.tasks:
        if task.status is Status.DONE:
            targets.outcomes[task.id] = Conflict(
                f"#{task.id} “{summary_title(task)}” is already done."
            )
    open_ids = [task.id for task in targets.tasks if task.id not in targets.outcomes]
    try:
        completed = context.store.tasks.complete(
            open_ids, by=context.batch.shared(), children=SubtaskPolicy.ASK
        )
    except OpenSubtasks as question:
        return _subtasks_question(context, question, "complete")
    tasks = [each for result in completed for each in (result.task, result.next) if each]
    described = iter(tasks_data(context, tasks))
    for result in completed:
        data: dict[str, JsonValue] = {"task": next(described)}
        if result.next is not None:
            data["next"] = next(described)
        for name, others in (
            ("again", result.reopened_subtasks),
            ("unblocked", result.unblocked),
            ("open_blockers", result.open_blockers),
        ):
            if others:
                data[name] = brief_tasks(others)
        phrase = completed_summary(result, context.now, context.store.clock.zone)
        targets.outcomes[result.task.id] = ItemSuccess(data, phrase)
    return answer_per_task(targets, partial(summarize_titles, "Completed"))


@tool(
    "Reopening tasks…",
    verb="Reopen",
    preview=partial(preview_targets, changing=_closed, along="trashed"),
)
def reopen_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Reopen done, cancelled or deleted tasks."""
    targets = select_tasks(context, task_ids, filter, trash=True)
    for task in targets.tasks:
        if task.is_open:
            targets.outcomes[task.id] = Conflict(f"#{task.id} “{summary_title(task)}” is open.")
    store = context.store.tasks
    closed = [task for task in targets.tasks if not task.is_open]
    trashed = [task.id for task in closed if task.deleted_at is not None]
    ended = [task.id for task in closed if not task.status.is_open]
    along: Sequence[Task] = ()
    if trashed:
        restored = store.restore(trashed, by=context.batch.shared())
        along = [task for task in restored if task.id not in targets.ids]
    results = store.reopen(ended, by=context.batch.shared()) if ended else ()
    remarks = {each.task.id: each.remark for each in results if each.remark}
    reopened = store.rows([task.id for task in closed])
    for task, data in zip(reopened, tasks_data(context, reopened), strict=True):
        item: dict[str, JsonValue] = {"task": data}
        phrase = summary_title(task)
        if task.id not in ended:
            item["restored"] = True
        if remark := remarks.get(task.id):
            item["next_occurrence"] = remark
            phrase += f"; {remark}"
        targets.outcomes[task.id] = ItemSuccess(item, phrase)
    verb = "Reopened" if ended else "Restored"
    return answer_per_task(targets, partial(summarize_titles, verb), along={"also_restored": along})


@tool(
    "Deleting tasks…",
    verb="Delete",
    preview=partial(preview_targets, changing=_outside_trash, along="subtree"),
)
def delete_task(
    context: ToolContext,
    task_ids: TaskIds = None,
    filter: str | None = None,  # the name that models know
) -> ToolResponse:
    """Move tasks and their subtasks to the trash."""
    targets = select_tasks(context, task_ids, filter)
    ids = [task.id for task in targets.tasks]
    deleted = context.store.tasks.delete(ids, by=context.batch.shared()) if ids else ()
    for task in targets.tasks:
        targets.outcomes[task.id] = ItemSuccess({"title": task.title}, summary_title(task))
    return answer_per_task(
        targets,
        partial(summarize_titles, "Deleted"),
        along={"also_deleted": deleted[len(ids) :]},
    )


def _subtasks_question(context: ToolContext, question: OpenSubtasks, verb: str) -> ToolResponse:
    """Answer a call for tasks with open subtasks that it does not name; nothing was done."""
    error = Conflict(
        f"{question.message} Nothing was done. Ask the user; to {verb} them too, pass the ids of "
        "all in one call."
    )
    named: list[JsonValue] = [
        {"id": task_id, "title": title}
        for task_id, title in question.subtasks[:_MAX_NAMED_SUBTASKS]
    ]
    data: JsonValue = {"open_subtasks": named, "total": len(question.subtasks)}
    # The message may name a parent.
    foreign = context.foreign_names(question.parents)
    return ToolResponse(data, question.message, error, foreign=tuple(sorted(foreign)))
