"""The tool that adds a task."""

from __future__ import annotations

from typing import Annotated

from todo_tui.domain.errors import ValidationError
from todo_tui.tools import summaries
from todo_tui.tools.arguments import About
from todo_tui.tools.base import Answer, ToolContext, tool
from todo_tui.tools.given import GivenFields, read_fields
from todo_tui.tools.parameters import Blockers, Due, Names, Parent, Repeat, Start, Weight, Words
from todo_tui.tools.task_data import task_data


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
    parent: Parent = None,
    blocked_by: Blockers = None,
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
    if parent:
        given.fields["parent"] = parent
    if blocked_by:
        given.fields["blocked_by"] = tuple(blocked_by)
    task = context.store.tasks.add(given.fields, by=context.batch.gesture())
    data = {"task": task_data(context, task), **given.understood()}
    return Answer(data, summaries.added(task, context.now))
