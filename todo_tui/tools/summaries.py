"""What tools say to the person: one plain sentence on what happened to a task."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.task import Status, Task
from todo_tui.domain.when import When
from todo_tui.tools.task_data import repeat_words, title_of

_SHOWN = 3


def added(task: Task, now: datetime) -> str:
    """`Added Buy milk · tomorrow 17:00`."""
    facts = [title_of(task)]
    if task.due is not None:
        facts.append(when_words(task.due, now))
    if task.recurrence is not None:
        facts.append(repeat_words(task))
    return "Added " + " · ".join(facts)


def completed(task: Task, following: Task | None, now: datetime) -> str:
    """`Buy milk`, or `Buy milk; next on Mon 23 Nov` of one that repeats."""
    if following is None or following.due is None:
        return title_of(task)
    words = when_words(following.due, now)
    return f"{title_of(task)}; next {words if words[0].islower() else f'on {words}'}"


def changed(before: Task, after: Task, now: datetime) -> str:
    """`Moved Call mom · 1 day late → Fri 20 Nov 09:00`, or whatever else has changed."""
    facts = _facts(before, after, now)
    if before.title != after.title:
        renamed = f"Renamed {title_of(before)} to {title_of(after)}"
        return " · ".join([renamed, *facts])
    if not facts:
        return f"{title_of(after)} is already so"
    moved = before.due != after.due and after.due is not None and len(facts) == 1
    return " · ".join([f"{'Moved' if moved else 'Changed'} {title_of(after)}", *facts])


def all_changed(sentences: list[str]) -> str:
    """The sentences of `changed`, or their number where they are many."""
    if len(sentences) > _SHOWN:
        return f"Changed {len(sentences)} tasks"
    return "; ".join(sentences)


def _facts(before: Task, after: Task, now: datetime) -> list[str]:
    facts: list[str] = []
    if before.due != after.due:
        facts.append(f"{_due(before, now)} → {_moment(after.due, now)}")
    if before.recurrence != after.recurrence:
        facts.append(repeat_words(after) if after.recurrence else "repeats no more")
    if before.start != after.start:
        shown = _moment(after.start, now)
        facts.append(f"hidden until {shown}" if after.start else "hidden no more")
    if before.status is not after.status:
        facts.append({Status.TODO: "open", Status.DOING: "started"}.get(after.status, after.status))
    if before.priority is not after.priority:
        facts.append(f"{after.priority or 'no'} priority")
    if before.project != after.project:
        facts.append(f"#{after.project}" if after.project else "no project")
    facts += [f"+@{tag}" for tag in after.tags if tag not in before.tags]
    facts += [f"−@{tag}" for tag in before.tags if tag not in after.tags]
    facts += _ties(before, after)
    if before.annotations != after.annotations:
        facts.append("new remark")
    if before.notes != after.notes:
        facts.append("new notes" if after.notes else "no notes")
    return facts


def _ties(before: Task, after: Task) -> list[str]:
    """What became different in how it stands to other tasks."""
    facts: list[str] = []
    if before.parent != after.parent:
        facts.append(f"part of #{after.parent}" if after.parent else "part of nothing else")
    facts += [f"waits for #{each}" for each in after.blocked_by if each not in before.blocked_by]
    facts += [
        f"waits for #{each} no more" for each in before.blocked_by if each not in after.blocked_by
    ]
    if before.position != after.position:
        facts.append("moved in the manual order")
    return facts


def _due(task: Task, now: datetime) -> str:
    if task.due is not None and task.is_overdue(now):
        return due_words(task.due, now)
    return _moment(task.due, now)


def _moment(when: When | None, now: datetime) -> str:
    return "no date" if when is None else when_words(when, now)
