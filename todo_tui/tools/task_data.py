"""Tasks as JSON for the model, and one-line summaries for the user."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence, upcoming_dates
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.domain.text import format_count, join_words, plain_line, shorten
from todo_tui.domain.urgency import explain_urgency
from todo_tui.domain.when import When
from todo_tui.store.tasks.results import CompletionResult
from todo_tui.tools.base import ToolContext

_LONGEST_TITLE = 80
FOREIGN = ("notes", "annotations")
"""Fields of a task whose text others may have written: imported, pasted, synced."""
_DERIVED = frozenset({"local_due", "overdue", "next_dates", "done"})
"""Fields that follow from others."""
_NEXT_DATES = 3
_UNCHANGED = " is unchanged"
_MAX_SENTENCES = 4
_ARROW = re.compile(r"^.* → ")
"""What stands before the new due date, which differs from task to task."""
_MAX_BLOCKERS = 2
"""Blockers of a completed task that are named."""


def tasks_data(
    context: ToolContext,
    tasks: Sequence[Task],
    *,
    with_texts: bool = False,
    with_urgency: bool = False,
) -> list[dict[str, JsonValue]]:
    """Return the set fields of tasks, with blockers, subtasks and optionally urgency and moves.

    Notes and annotations are included only `with_texts`, else flags for their presence.
    """
    home, now = context.store.clock.zone, context.now
    moves = context.store.statistics.habits().moves if with_urgency else {}
    statuses = context.store.tasks.dependency_status([task.id for task in tasks])
    described: list[dict[str, JsonValue]] = []
    for task in tasks:
        status = statuses[task.id]
        data = _full_data(task, now, home)
        if with_texts:
            dated = [f"{_local(each.at, home)}: {each.text}" for each in task.annotations]
            data |= {"notes": task.notes, "annotations": list(dated)}
        else:
            data |= {"has_notes": bool(task.notes), "has_annotations": bool(task.annotations)}
        data["blocked"] = status.blocked
        if status.progress:
            data["subtasks"] = f"{status.progress.done} of {status.progress.total} done"
        if with_urgency and task.is_open:
            parts = explain_urgency(task, now, home, blocked=status.blocked)
            reasons = ", ".join(part.reason for part in parts) or "not urgent"
            data["moved"] = moves.get(task.id)
            data["urgency"] = f"{sum(part.points for part in parts):.1f}: {reasons}"
        described.append({name: value for name, value in data.items() if value})
    return described


def replaced_data(context: ToolContext, before: Task, after: Task) -> dict[str, JsonValue]:
    """Return the fields that a change replaced, as they were; texts and derived ones left out."""
    home, now = context.store.clock.zone, context.now
    old, new = (_full_data(task, now, home) for task in (before, after))
    return {name: old[name] for name in old.keys() - _DERIVED if old[name] != new[name]}


def _full_data(task: Task, now: datetime, home: str) -> dict[str, JsonValue]:
    """Return the fields of a task without its texts, empty ones included."""
    due, here, rule = task.due, task.due_in(home), task.recurrence
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "in_trash": task.deleted_at is not None,
        "due": due.iso() if due else None,
        "local_due": here.iso() if here and here != due else None,
        "due_words": format_when(here, now) if here else None,
        "overdue": format_due(here, now) if here and task.is_overdue(now, home) else None,
        "due_zone": task.due_zone if task.due_zone != home else None,
        "start": task.start.iso() if task.start else None,
        "done": _local(task.completed_at, home),
        "priority": task.priority.value if task.priority else None,
        "estimate": format_estimate(task.estimate) if task.estimate else None,
        "project": task.project,
        "tags": list(task.tags),
        "recurrence": rule,
        "repeat_words": recurrence_text(task) if rule is not None else None,
        # Models cannot work them out from a rule.
        "next_dates": [when.iso() for when in upcoming_dates(task, now, home, _NEXT_DATES)],
        "parent": task.parent,
        "blocked_by": list(task.blocked_by),
    }


def _local(instant: datetime | None, zone: str) -> str | None:
    """Return the local day of an instant."""
    return None if instant is None else instant.astimezone(ZoneInfo(zone)).date().isoformat()


def recurrence_text(task: Task) -> str:
    """Return the recurrence as text: `every Monday`."""
    return describe_recurrence(Recurrence.of(task))


def summary_title(task: Task) -> str:
    """Return the title as one plain line, cut if very long."""
    return shorten(plain_line(task.title), _LONGEST_TITLE)


def added_summary(task: Task, now: datetime, zone: str) -> str:
    """Return `Added Buy milk · tomorrow 17:00 · #errands`, with all else that is set."""
    facts = [summary_title(task)]
    if (due := task.due_in(zone)) is not None:
        facts.append(format_when(due, now))
    if task.recurrence is not None:
        facts.append(recurrence_text(task))
    bare = replace(
        task, start=None, priority=None, estimate=None, project=None, tags=(), parent=None,
        blocked_by=(), notes="",
    )  # fmt: skip
    facts += [fact.removeprefix("+") for fact in _changed_facts(bare, task, now, zone)]
    return "Added " + " · ".join(facts)


def completed_summary(result: CompletionResult, now: datetime, zone: str) -> str:
    """Return `Buy milk`, `Buy milk though blocked by #1 Get cash; next on Mon 23 Nov`."""
    summary = summary_title(result.task)
    if result.open_blockers:
        blockers = [f"#{task.id} {summary_title(task)}" for task in result.open_blockers]
        named = [*blockers[:_MAX_BLOCKERS], *(["others"] if blockers[_MAX_BLOCKERS:] else [])]
        summary += f" though blocked by {join_words(named, 'and')}"
    if result.next is not None and (due := result.next.due_in(zone)) is not None:
        words = format_when(due, now)
        summary += f"; next {words if words[0].islower() else f'on {words}'}"
    return summary


def changed_summary(
    before: Task, after: Task, now: datetime, zone: str, *, skipped: bool = False
) -> str:
    """Return `Moved Call mom · 1 day late → Fri 20 Nov 09:00`, or other changes.

    `skipped` is for a recurring task that went on to its next occurrence.
    """
    facts = _changed_facts(before, after, now, zone)
    if before.title != after.title:
        renamed = f"Renamed {summary_title(before)} to {summary_title(after)}"
        return " · ".join([renamed, *facts])
    if not facts:
        return f"{summary_title(after)}{_UNCHANGED}"
    moved = before.due != after.due and after.due is not None and len(facts) == 1
    verb = "Skipped" if skipped else "Moved" if moved else "Changed"
    return " · ".join([f"{verb} {summary_title(after)}", *facts])


def all_changed_summary(sentences: list[str]) -> str:
    """Join sentences of `changed_summary`; if many, return their number and what they share."""
    if len(sentences) <= _MAX_SENTENCES:
        return "; ".join(sentences)
    changed = [each for each in sentences if not each.endswith(_UNCHANGED)]
    if not changed:
        return f"{format_count(len(sentences), 'task')} unchanged"
    facts = [[_ARROW.sub("due → ", fact) for fact in each.split(" · ")[1:]] for each in changed]
    shared = (fact for fact in facts[0] if all(fact in others for others in facts))
    summary = " · ".join([f"Changed {format_count(len(changed), 'task')}", *shared])
    left = len(sentences) - len(changed)
    return f"{summary}; {left} unchanged" if left else summary


def _changed_facts(before: Task, after: Task, now: datetime, zone: str) -> list[str]:
    facts: list[str] = []
    old, new = before.due_in(zone), after.due_in(zone)
    if old != new:
        shown = _when_text(old, now)
        if old is not None and before.is_overdue(now, zone):
            shown = format_due(old, now)
        facts.append(f"{shown} → {_when_text(new, now)}")
    if before.recurrence != after.recurrence:
        facts.append(recurrence_text(after) if after.recurrence else "no longer repeats")
    if before.start != after.start:
        shown = _when_text(after.start_in(zone), now)
        facts.append(f"hidden until {shown}" if after.start else "no longer hidden")
    if before.status is not after.status:
        facts.append({Status.TODO: "open", Status.DOING: "started"}.get(after.status, after.status))
    facts += [
        new or f"no {name}"
        for name, old, new in (
            ("priority", before.priority, after.priority and f"{after.priority} priority"),
            ("estimate", before.estimate, after.estimate and format_estimate(after.estimate)),
            ("project", before.project, after.project and f"#{after.project}"),
        )
        if old != getattr(after, name)
    ]
    facts += [f"+@{tag}" for tag in after.tags if tag not in before.tags]
    facts += [f"−@{tag}" for tag in before.tags if tag not in after.tags]
    if before.parent != after.parent:
        facts.append(f"subtask of #{after.parent}" if after.parent else "top-level")
    facts += [f"blocked by #{each}" for each in after.blocked_by if each not in before.blocked_by]
    facts += [
        f"no longer blocked by #{each}"
        for each in before.blocked_by
        if each not in after.blocked_by
    ]
    if before.notes != after.notes:
        facts.append("new notes" if after.notes else "no notes")
    return facts


def _when_text(when: When | None, now: datetime) -> str:
    return "no date" if when is None else format_when(when, now)
