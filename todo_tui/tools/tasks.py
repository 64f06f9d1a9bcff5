"""The tools for tasks: add, list, change, complete, reopen, delete."""

from __future__ import annotations

from typing import Annotated, Literal

from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.tools import summaries
from todo_tui.tools.arguments import About, read_ids, read_names, read_word
from todo_tui.tools.base import Answer, ToolContext, tool
from todo_tui.tools.given import GivenFields, read_fields
from todo_tui.tools.items import Done, Outcome, answer, find, listed, task_word
from todo_tui.tools.task_data import task_data, title_of

_LISTED = 50
_MOST_LISTED = 200

Ids = Annotated[list[int], About(read=read_ids, example="a list of ids, such as [3, 4]")]
Guard = Annotated[str | None, About("The present title, as a check", example="text")]
Words = Annotated[str | None, About(example="text")]
Due = Annotated[str | None, About('"next fri 5pm", "every monday"', example="text")]
Repeat = Annotated[str | None, About('"every 2 weeks"; "every!": from completion', example="text")]
Start = Annotated[str | None, About("Hidden until then", example="text")]
Names = Annotated[
    list[str] | None, About(read=read_names, example='a list such as ["home", "work"]')
]
Weight = Annotated[
    Literal["high", "medium", "low", "none"] | None,
    About(read=read_word, example="high, medium, low or none"),
]
State = Annotated[
    Literal["todo", "doing", "cancelled"] | None,
    About(read=read_word, example="todo, doing or cancelled; complete_task is for done"),
]


@tool("Adding a task…")
def add_task(
    context: ToolContext,
    title: Annotated[str, About("Without words for date, tags etc.", example="text")],
    due: Due = None,
    priority: Weight = None,
    project: Words = None,
    tags: Names = None,
    notes: Words = None,
    repeat: Repeat = None,
    start: Start = None,
) -> Answer:
    """Add one task. For several, one call each, all at once."""
    if not title.strip():
        raise ValidationError("A task needs a title.")
    given = GivenFields(context.now, context.style)
    given.fields["title"] = title
    read_fields(
        given,
        due=due,
        start=start,
        repeat=repeat,
        priority=priority,
        project=project,
        notes=notes,
    )
    if tags:
        given.fields["tags"] = tuple(tags)
    task = context.store.tasks.add(given.fields, by=context.batch.gesture())
    data = {"task": task_data(task, context.now), **_understood(given)}
    return Answer(data, summaries.added(task, context.now))


@tool("Looking at your tasks…", reads_only=True)
def list_tasks(
    context: ToolContext,
    filter: Annotated[  # the name that models know
        str | None,
        About(
            "Words that must all hold: today, overdue, this week, due.before:friday, no due, "
            "#project, @tag, !high, waiting, blocked, recurring, doing, done, all, trash, #12, "
            "words of the title; and, or, not, ( )",
            example="text",
        ),
    ] = None,
    limit: Annotated[int | None, About(f"{_LISTED} unless given", example="a number")] = None,
) -> Answer:
    """Find tasks; without filter the open ones."""
    wanted = _LISTED if limit is None else min(limit, _MOST_LISTED)
    if wanted < 1:
        raise ValidationError(f"The argument 'limit' was {limit}; it should be 1 or more.")
    now = context.now
    words = filter or ""
    page = context.store.tasks.list(context.store.read_query(words), limit=wanted)
    shown = len(page.tasks)
    data: dict[str, JsonValue] = {
        "tasks": [task_data(task, now, among_others=shown > 1) for task in page.tasks],
        "total": page.total,
        "shown": shown,
    }
    found = f"{page.total:,} {task_word(page.total)}"
    if shown < page.total:
        data["cut"] = f"{shown:,} of {page.total:,}"
        found = f"{shown:,} of {found}"
    summary = f"Found {found}" if page.total else "Found no tasks"
    return Answer(data, f"{summary} · {plain_line(words)}" if words.strip() else summary)


@tool("Changing tasks…")
def update_task(
    context: ToolContext,
    task_ids: Ids,
    title: Guard = None,
    new_title: Words = None,
    due: Annotated[
        str | None, About('Also relative to the present one: "1 week later"', example="text")
    ] = None,
    start: Words = None,
    priority: Weight = None,
    project: Words = None,
    add_tags: Names = None,
    remove_tags: Names = None,
    notes: Annotated[str | None, About('Replaces; "+ text" adds a line', example="text")] = None,
    repeat: Words = None,
    status: State = None,
) -> Answer:
    """Change tasks. What is not given stays; "none" clears."""
    words = {
        "due": due,
        "start": start,
        "repeat": repeat,
        "priority": priority,
        "project": project,
        "notes": notes,
    }
    tags = (tuple(add_tags or ()), tuple(remove_tags or ()))
    renamed = (new_title or "").strip()
    if not any((renamed, status, *tags, *(word is not None for word in words.values()))):
        raise ValidationError("Nothing to change was given.")
    if renamed and len(task_ids) > 1:
        raise ValidationError("new_title is for one task; call once for each.")
    found = find(context, task_ids, title)
    plans = [(task, GivenFields(context.now, context.style, task)) for task in found.tasks]
    for _, given in plans:
        read_fields(given, **words)
        if renamed:
            given.fields["title"] = renamed
        if status:
            given.fields["status"] = Status(status)
    outcomes: dict[int, Outcome] = dict(found.errors)
    for before, given, after in _updated(context, plans, *tags):
        phrase = summaries.changed(before, after, context.now)
        data = {"task": task_data(after, context.now), **_understood(given)}
        outcomes[after.id] = Done(data, phrase)
    return answer(task_ids, outcomes, summaries.all_changed)


@tool("Completing tasks…")
def complete_task(context: ToolContext, task_ids: Ids, title: Guard = None) -> Answer:
    """Mark tasks as done. One that repeats makes its next occurrence."""
    found = find(context, task_ids, title)
    outcomes: dict[int, Outcome] = dict(found.errors)
    undone = []
    for task in found.tasks:
        if task.status is Status.DONE:
            outcomes[task.id] = Conflict(f"#{task.id} “{title_of(task)}” is already done.")
        else:
            undone.append(task.id)
    if undone:
        for done in context.store.tasks.complete(undone, by=context.batch.gesture()):
            data: dict[str, JsonValue] = {"task": task_data(done.task, context.now)}
            if done.next is not None:
                data["next"] = task_data(done.next, context.now)
            phrase = summaries.completed(done.task, done.next, context.now)
            outcomes[done.task.id] = Done(data, phrase)
    return answer(task_ids, outcomes, listed("Completed"))


@tool("Reopening tasks…")
def reopen_task(context: ToolContext, task_ids: Ids, title: Guard = None) -> Answer:
    """Reopen tasks that are done, cancelled or deleted."""
    found = find(context, task_ids, title, trash=True)
    outcomes: dict[int, Outcome] = dict(found.errors)
    for task in found.tasks:
        if task.is_open:
            outcomes[task.id] = Conflict(f"#{task.id} “{title_of(task)}” is open.")
    store = context.store.tasks
    closed = [task for task in found.tasks if not task.is_open]
    trashed = [task.id for task in closed if task.deleted_at is not None]
    ended = [task.id for task in closed if not task.status.is_open]
    if trashed:
        store.restore(trashed, by=context.batch.gesture())
    if ended:
        store.reopen(ended, by=context.batch.gesture())
    for task in closed:
        reopened = store.get(task.id)
        outcomes[task.id] = Done({"task": task_data(reopened, context.now)}, title_of(reopened))
    return answer(task_ids, outcomes, listed("Reopened"))


@tool("Deleting tasks…")
def delete_task(context: ToolContext, task_ids: Ids, title: Guard = None) -> Answer:
    """Move tasks to the trash."""
    found = find(context, task_ids, title)
    outcomes: dict[int, Outcome] = dict(found.errors)
    if found.tasks:
        ids = [task.id for task in found.tasks]
        context.store.tasks.delete(ids, by=context.batch.gesture())
    for task in found.tasks:
        data: dict[str, JsonValue] = {"title": task.title}
        outcomes[task.id] = Done(data, title_of(task))
    return answer(task_ids, outcomes, listed("Deleted"))


Plan = tuple[Task, GivenFields]


def _updated(
    context: ToolContext, plans: list[Plan], add_tags: tuple[str, ...], remove_tags: tuple[str, ...]
) -> list[tuple[Task, GivenFields, Task]]:
    """Write what is planned, in one transaction where it is the same for all."""
    if not plans:
        return []
    store, by = context.store.tasks, context.batch.gesture()
    alike = all(given.fields == plans[0][1].fields for _, given in plans)
    groups = [plans] if alike else [[plan] for plan in plans]
    written = []
    for group in groups:
        ids = [task.id for task, _ in group]
        after = store.update(
            ids, group[0][1].fields, by=by, add_tags=add_tags, remove_tags=remove_tags
        )
        written += [(task, given, new) for (task, given), new in zip(group, after, strict=True)]
    return written


def _understood(given: GivenFields) -> dict[str, JsonValue]:
    return {"understood": list(given.notes)} if given.notes else {}
