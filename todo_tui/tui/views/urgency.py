"""Urgency explained: the parts of a task's score and the panel that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.urgency import UrgencyPart, explain_urgency
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import clip, pad_or_clip, strip_unstable

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

    def show(self, found: UrgencyExplanation | None, place: str) -> None:
        """Show an explanation with the task's rank; None shows a hint."""
        self.add_class("-open")
        self.update(_NO_TASK_TEXT if found is None else render_explanation(found, place))

    def close(self) -> None:
        """Hide the panel."""
        self.remove_class("-open")


def render_explanation(found: UrgencyExplanation, place: str) -> Content:
    """Render each part with its points, the sum and the task's rank."""
    title = clip(strip_unstable(plain_line(found.task.title)), 40)
    lines = [Content.assemble(("Why here?  ", MUTED), (title, "bold"))]
    if not found.is_open:
        return _with_place([*lines, _muted("It is closed, so nothing of it presses.")], place)
    if not found.parts:
        words = "Nothing presses: no day near, no priority, not begun."
        return _with_place([*lines, _muted(words)], place)
    for part in found.parts:
        style = "$text-error" if part.points >= 10 else "$text-success" if part.points < 0 else ""
        lines.append(_line(_reason(part.reason, found), format_signed(part.points), style))
    lines.append(_line("urgency", format_points(found.score), "bold"))
    return _with_place(lines, place)


def _reason(reason: str, found: UrgencyExplanation) -> str:
    if reason != "waits for another task" or not found.blockers:
        return reason
    blocker = found.blockers[0]
    more = f" and {len(found.blockers) - 1} more" if len(found.blockers) > 1 else ""
    return f"waits for #{blocker.id} {strip_unstable(plain_line(blocker.title))}{more}"


def _line(reason: str, number: str, style: str) -> Content:
    words = pad_or_clip(clip(reason, _REASON), _REASON)
    return Content.assemble(_INDENT, words, (f"{number:>{_NUMBER}}", style))


def _muted(words: str) -> Content:
    return Content.styled(_INDENT + words, MUTED)


def _with_place(lines: list[Content], place: str) -> Content:
    if place:
        lines.append(_muted(place))
    return Content("\n").join(lines)
