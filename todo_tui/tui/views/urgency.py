"""Urgency explained: the parts of a task's score and the panel that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.task import Task
from todo_tui.domain.urgency import UrgencyPart, explain_urgency
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import clip, display_line, pad_or_clip

_INDENT = "  "
_REASON = 30
_NUMBER = 7
_NO_TASK_TEXT = Content.styled("On a task, this says why it stands where it does.", MUTED)


class UrgencyExplanation(NamedTuple):
    """Parts of a task's urgency, heaviest first.

    `blockers` are the open tasks that it waits for. A closed task has no parts.
    """

    task: Task
    parts: tuple[UrgencyPart, ...]
    blockers: tuple[Task, ...]

    @property
    def score(self) -> float:
        """Return the sum of the parts."""
        return sum(part.points for part in self.parts)

    @property
    def sentence(self) -> str:
        """Return one line: `urgency 10.5: high priority +6.0, due in 2 days +4.5`."""
        parts = ", ".join(f"{part.reason} {format_signed(part.points)}" for part in self.parts)
        return f"urgency {format_points(self.score)}: {parts}" if parts else ""

    @property
    def is_open(self) -> bool:
        """Return True for a task that is neither closed nor in the trash."""
        return self.task.is_open and self.task.deleted_at is None


def format_signed(points: float) -> str:
    """Return `+6.0` or `−15.0`."""
    return f"{points:+.1f}".replace("-", "−")


def format_points(points: float) -> str:
    """Return `10.5`, or `−10.5` for negative points."""
    return f"{points:.1f}".replace("-", "−")


def explain_task_urgency(task: Task, blockers: Iterable[Task], now: datetime) -> UrgencyExplanation:
    """Explain the urgency of a task with these blockers."""
    waiting_for = tuple(each for each in blockers if each.is_open and each.deleted_at is None)
    if not task.is_open or task.deleted_at is not None:
        return UrgencyExplanation(task, (), waiting_for)
    return UrgencyExplanation(
        task, explain_urgency(task, now, blocked=bool(waiting_for)), waiting_for
    )


class UrgencyPanel(Static):
    """Panel that explains the urgency of the task under the cursor."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    @property
    def is_open(self) -> bool:
        """Return True while the panel is shown."""
        return self.has_class("-open")

    def show(self, task: Task | None, blockers: Iterable[Task], now: datetime, place: str) -> None:
        """Show an explanation with the task's rank; without a task a hint."""
        self.add_class("-open")
        if task is None:
            self.update(_NO_TASK_TEXT)
        else:
            self.update(render_explanation(explain_task_urgency(task, blockers, now), place))

    def close(self) -> None:
        """Hide the panel."""
        self.remove_class("-open")


def render_explanation(found: UrgencyExplanation, place: str) -> Content:
    """Render each part with its points, the sum and the task's rank."""
    title = clip(display_line(found.task.title), 40)
    lines = [Content.assemble(("Why here?  ", MUTED), (title, "bold"))]
    if not found.is_open:
        lines.append(_muted("It is closed, so nothing of it presses."))
    elif not found.parts:
        lines.append(_muted("Nothing presses: no day near, no priority, not begun."))
    else:
        for reason, points in found.parts:
            style = "$text-error" if points >= 10 else "$text-success" if points < 0 else ""
            if reason == "waits for another task" and found.blockers:
                blocker, *others = found.blockers
                more = f" and {len(others)} more" if others else ""
                reason = f"waits for #{blocker.id} {display_line(blocker.title)}{more}"
            lines.append(_line(reason, format_signed(points), style))
        lines.append(_line("urgency", format_points(found.score), "bold"))
    return Content("\n").join([*lines, *([_muted(place)] if place else [])])


def _line(reason: str, number: str, style: str) -> Content:
    return Content.assemble(_INDENT, pad_or_clip(reason, _REASON), (f"{number:>{_NUMBER}}", style))


def _muted(words: str) -> Content:
    return Content.styled(_INDENT + words, MUTED)
