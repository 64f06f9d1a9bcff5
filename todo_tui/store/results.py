"""What the store answers with, beside the domain's own values."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.domain.task import Task


@dataclass(frozen=True, slots=True)
class TaskPage:
    """Some of the tasks that a filter holds for, and how many there are in all."""

    tasks: tuple[Task, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Open tasks (those that wait for their start left out), overdue ones, those of today."""

    open: int
    overdue: int
    today: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A task that was completed, and the occurrence that follows if it repeats."""

    task: Task
    next: Task | None
