"""Why a task stands where it does: its urgency, part by part, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.task import Task
from todo_tui.domain.urgency import UrgencyPart, explained


class Why(NamedTuple):
    """The parts of the urgency of a task, the weightiest first, and their sum.

    `blockers` are the open tasks that it waits for. A closed task has no urgency.
    """

    task: Task
    parts: tuple[UrgencyPart, ...]
    blockers: tuple[Task, ...]

    @property
    def score(self) -> float:
        """All parts together."""
        return sum(part.points for part in self.parts)

    @property
    def sentence(self) -> str:
        """All of it in one line: `urgency 10.5: high priority +6.0, due in 2 days +4.5`."""
        parts = ", ".join(f"{part.reason} {signed(part.points)}" for part in self.parts)
        return f"urgency {unsigned(self.score)}: {parts}" if parts else ""

    @property
    def is_open(self) -> bool:
        """Whether it is to be done at all."""
        return self.task.is_open and self.task.deleted_at is None


def signed(points: float) -> str:
    """`+6.0` or `−15.0`."""
    return f"{points:+.1f}".replace("-", "−")


def unsigned(points: float) -> str:
    """`10.5`; what is below nought has its sign."""
    return f"{points:.1f}".replace("-", "−")


def why(task: Task, blockers: Iterable[Task], now: datetime) -> Why:
    """What makes a task press, and what holds it back."""
    waiting_for = tuple(each for each in blockers if each.is_open and each.deleted_at is None)
    if not task.is_open or task.deleted_at is not None:
        return Why(task, (), waiting_for)
    return Why(task, explained(task, now, blocked=bool(waiting_for)), waiting_for)
