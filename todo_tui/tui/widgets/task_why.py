"""A small panel below the list: why the task under the cursor stands where it does."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED
from todo_tui.tui.views.why import Why, signed, unsigned
from todo_tui.tui.widgets.cell_text import clip, fit, steady

_INDENT = "  "
_REASON = 30
_NUMBER = 7
_ASK_OF_TASKS = Content.styled("On a task, this says why it stands where it does.", MUTED)


class TaskWhy(Static):
    """Follows the cursor while it is open."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return self.has_class("-open")

    def show(self, found: Why | None, place: str) -> None:
        """Open it with a task, and where that stands; without one it says what it is for."""
        self.add_class("-open")
        self.update(_ASK_OF_TASKS if found is None else explanation(found, place))

    def close(self) -> None:
        """Put it away."""
        self.remove_class("-open")


def explanation(found: Why, place: str) -> Content:
    """The parts in words with their points, the sum, and where the task stands with it."""
    title = clip(steady(plain_line(found.task.title)), 40)
    lines = [Content.assemble(("Why here?  ", MUTED), (title, "bold"))]
    if not found.is_open:
        return _with_place([*lines, _quiet("It is closed, so nothing of it presses.")], place)
    if not found.parts:
        words = "Nothing presses: no day near, no priority, not begun."
        return _with_place([*lines, _quiet(words)], place)
    for part in found.parts:
        style = "$text-error" if part.points >= 10 else "$text-success" if part.points < 0 else ""
        lines.append(_line(_reason(part.reason, found), signed(part.points), style))
    lines.append(_line("urgency", unsigned(found.score), "bold"))
    return _with_place(lines, place)


def _reason(reason: str, found: Why) -> str:
    if reason != "waits for another task" or not found.blockers:
        return reason
    blocker = found.blockers[0]
    more = f" and {len(found.blockers) - 1} more" if len(found.blockers) > 1 else ""
    return f"waits for #{blocker.id} {steady(plain_line(blocker.title))}{more}"


def _line(reason: str, number: str, style: str) -> Content:
    words = fit(clip(reason, _REASON), _REASON)
    return Content.assemble(_INDENT, words, (f"{number:>{_NUMBER}}", style))


def _quiet(words: str) -> Content:
    return Content.styled(_INDENT + words, MUTED)


def _with_place(lines: list[Content], place: str) -> Content:
    if place:
        lines.append(_quiet(place))
    return Content("\n").join(lines)
