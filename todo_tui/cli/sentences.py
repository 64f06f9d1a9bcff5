"""Tasks in words: one line for what a command did, and cells for the list."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.date_text import when_words
from todo_tui.domain.task import Status, Task


def named(task: Task) -> str:
    """`#12 Pay rent`."""
    return f"#{task.id} {task.title}"


def described(task: Task, now: datetime) -> str:
    """`#12 Pay rent · tomorrow 17:00 · every month · high · #home · @bills`."""
    facts = [named(task)]
    if task.due is not None:
        facts.append(when_words(task.due, now))
    if task.recurrence is not None:
        facts.append(repeat_words(task))
    if task.start is not None:
        facts.append(f"hidden until {when_words(task.start, now)}")
    if task.priority is not None:
        facts.append(task.priority.value)
    if task.project is not None:
        facts.append(f"#{task.project}")
    facts.extend(f"@{tag}" for tag in task.tags)
    return " · ".join(facts)


def repeat_words(task: Task) -> str:
    """`every Monday`, of a task that repeats."""
    # `todo-tui done` of a plain task does without the grammar of repeats.
    from todo_tui.domain.recurrence import Recurrence, recurrence_words

    return recurrence_words(Recurrence(task.recurrence or "", task.repeat_from))


def state(task: Task) -> str:
    """The sign of the list: open, doing, done, cancelled."""
    return {Status.TODO: "○", Status.DOING: "◐", Status.DONE: "✓", Status.CANCELLED: "✗"}[
        task.status
    ]


def next_words(following: Task | None, now: datetime) -> str:
    """` · next #14 on Mon 23 Nov` of a task that comes again; empty of one that does not."""
    if following is None or following.due is None:
        return ""
    return f" · next #{following.id} on {when_words(following.due, now)}"
