"""The tool list_tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from todo_tui.domain.filters.terms import Grouping, Query, SortField
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import format_count, plain_line
from todo_tui.tools.base import ToolContext, ToolResponse, tool
from todo_tui.tools.targets import parse_filter
from todo_tui.tools.task_data import FOREIGN, tasks_data

_LIMIT = 50
_MAX_GROUPS = 60
_MAX_TITLES = 5


@tool("Looking at your tasks…", reads_only=True, question="Look at the tasks?")
def list_tasks(
    context: ToolContext,
    filter: Annotated[  # the name that models know
        str | None,
        "Conditions or words: today, overdue, this week, due.before:date, no due, #project, "
        "@tag, !priority, ready, blocked, recurring, done, all, trash, #id, under:id; and, "
        "or, not, ( ); sort:urgency, group:project",
    ] = None,
) -> ToolResponse:
    """Find and count tasks; by default the open ones. One alone has its notes."""
    words = (filter or "").strip()
    query = parse_filter(context.store, words)
    tasks, total, groups = _find_tasks(context, query)
    shown = len(tasks)
    with_urgency = any(term.field is SortField.URGENCY for term in query.sort)
    # A list with notes would repeat an instruction hidden in one of them in every answer.
    described = tasks_data(context, tasks, with_texts=shown == 1, with_urgency=with_urgency)
    foreign = FOREIGN if any(each.get(name) for each in described for name in FOREIGN) else ()
    data: dict[str, JsonValue] = {
        "summary": _summary(described, total),
        "tasks": list(described),
        "total": total,
        "shown": shown,
        **groups,
    }
    found = format_count(total, "task")
    if shown < total:
        data["cut"] = f"{shown:,} of {total:,}"
        found = f"{shown:,} of {found}"
    if not total and (suggestions := _name_suggestions(context, words)):
        data["doubts"] = suggestions
    summary = f"Found {found}" if total else "Found no tasks"
    if words:
        summary += f" · {plain_line(words)}"
    return ToolResponse(data, summary, foreign=foreign)


def _summary(described: Sequence[Mapping[str, JsonValue]], total: int) -> str:
    """Return number and first titles in words, which small models repeat but don't make up."""
    titles = [
        f"{task['title']} ({task['due_words']})" if "due_words" in task else f"{task['title']}"
        for task in described[:_MAX_TITLES]
    ]
    if (more := total - len(titles)) > 0 and titles:
        titles.append(f"{more:,} more")
    return f"{format_count(total, 'task')}{': ' if titles else ''}{', '.join(titles)}"


def _find_tasks(
    context: ToolContext, query: Query
) -> tuple[Sequence[Task], int, dict[str, JsonValue]]:
    """Return tasks in order, their total number, and groups if requested."""
    store = context.store.tasks
    if query.group in (None, Grouping.NONE):
        page = store.list(query, limit=_LIMIT)
        return page.tasks, page.total, {}
    members: dict[str, list[int]] = {}
    for heading, ids in store.listing(query).groups:
        members.setdefault(heading.label, []).extend(ids)
    in_order = list(dict.fromkeys(each for ids in members.values() for each in ids))
    shown = set(in_order[:_LIMIT])
    groups: list[JsonValue] = [
        {"group": label, "total": len(ids), "ids": [each for each in ids if each in shown]}
        for label, ids in list(members.items())[:_MAX_GROUPS]
    ]
    data: dict[str, JsonValue] = {"groups": groups}
    if len(members) > len(groups):
        data["groups_cut"] = f"{len(groups)} of {len(members):,}"
    return store.rows(in_order[:_LIMIT]), len(in_order), data


def _name_suggestions(context: ToolContext, words: str) -> list[JsonValue]:
    """Return warnings about unknown projects and tags, with similar names."""
    if not any(mark in words for mark in ("#", "@", "project", "tag")):
        return []
    from todo_tui.domain.filters.parser import FilterParser  # most lists do without

    store = context.store
    reader = FilterParser(words, context.now, store.style, store.filter_names())
    reader.read()
    return [f"{warning.message} {warning.hint or ''}".strip() for warning in reader.warnings]
