"""Urgency explained: the parts of a task's score and the panel that shows them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from todo_tui.domain.task import Task
from todo_tui.domain.urgency import UrgencyPart, explain_urgency
from todo_tui.domain.when import Clock
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import clip, display_line, pad_or_clip

_INDENT = "  "
_REASON = 30
_NUMBER = 7
_NO_TASK_TEXT = Content.styled("Select a task to explain its urgency.", MUTED)


def describe_urgency(task: Task, blockers: Iterable[Task], now: datetime, zone: str) -> str:
    """Return `urgency 10.5: high priority +6.0, due in 2 days +4.5`; empty if it is not urgent."""
    parts, _ = _explain(task, blockers, now, zone)
    words = ", ".join(f"{part.reason} {_format_points(part.points, '+')}" for part in parts)
    return f"urgency {_format_points(_score(parts))}: {words}" if parts else ""


def _explain(
    task: Task, blockers: Iterable[Task], now: datetime, zone: str
) -> tuple[Sequence[UrgencyPart], Sequence[Task]]:
    """Return the parts of a task's urgency, heaviest first, and the open tasks it waits for."""
    waits_for = [each for each in blockers if each.is_open]
    parts = explain_urgency(task, now, zone, blocked=bool(waits_for)) if task.is_open else ()
    return parts, waits_for


def _score(parts: Iterable[UrgencyPart]) -> float:
    return sum(part.points for part in parts)


def _format_points(points: float, sign: str = "") -> str:
    """Return `10.5` or `−10.5`; with the sign `+` also `+10.5`."""
    return f"{points:{sign}.1f}".replace("-", "−")


class UrgencyPanel(Static):
    """Panel that explains the urgency of the task under the cursor."""

    is_open: reactive[bool] = reactive(False, toggle_class="-open", repaint=False)

    def show(self, task: Task | None, blockers: Iterable[Task], clock: Clock, place: str) -> None:
        """Show each part with its points, the sum and the task's rank; without a task a hint."""
        self.is_open = True
        if task is None:
            self.update(_NO_TASK_TEXT)
            return
        parts, waits_for = _explain(task, blockers, clock.now(), clock.zone)
        title = clip(display_line(task.title), 40)
        lines = [Content.assemble(("Urgency  ", MUTED), (title, "bold"))]
        if not task.is_open:
            lines.append(_muted("Completed or cancelled: no urgency."))
        elif not parts:
            lines.append(_muted("Not urgent: no due date soon, no priority, not started."))
        for reason, points in parts:
            style = "$text-error" if points >= 10 else "$text-success" if points < 0 else ""
            if reason.endswith(" another task") and waits_for:
                blocker, *others = waits_for
                more = f" and {len(others)} more" if others else ""
                reason = f"blocked by #{blocker.id} {display_line(blocker.title)}{more}"
            lines.append(_line(reason, _format_points(points, "+"), style))
        if parts:
            lines.append(_line("urgency", _format_points(_score(parts)), "bold"))
        self.update(Content("\n").join([*lines, *([_muted(place)] if place else [])]))


def _line(reason: str, number: str, style: str) -> Content:
    return Content.assemble(_INDENT, pad_or_clip(reason, _REASON), (f"{number:>{_NUMBER}}", style))


def _muted(words: str) -> Content:
    return Content.styled(_INDENT + words, MUTED)
