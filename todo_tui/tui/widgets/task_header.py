"""The line above the list: how much is open, how much is late, which filter is on."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.cell_text import clip, steady

_SMALLEST_FILTER = 8


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the line shows; `filter_name` is empty where nothing is filtered."""

    open: int = 0
    overdue: int = 0
    closed: int = 0
    """Tasks in the list that are done or in the trash; counted where a filter asks for them."""
    filter_name: str = ""


class TaskHeader(Widget):
    """One row: `Tasks` on the left, counts and the filter's name on the right."""

    ALLOW_SELECT = False

    facts: reactive[HeaderFacts] = reactive(HeaderFacts())

    def render(self) -> Content:
        """The counts in words; a long filter is cut so that they stay."""
        facts = self.facts
        width = self.content_size.width
        counts: list[Content] = []
        if facts.open or not facts.closed:
            counts.append(Content.styled(f"{facts.open:,} open", MUTED))
        if facts.overdue:
            counts.append(Content.styled(f"{facts.overdue:,} overdue", "$text-error"))
        if facts.closed:
            counts.append(Content.styled(f"{facts.closed:,} closed", MUTED))
        dot = Content.styled(" · ", MUTED)
        left = Content.styled("Tasks", "bold")
        right = dot.join(counts)
        room = width - left.cell_length - right.cell_length - 3 - 2
        if facts.filter_name and room >= _SMALLEST_FILTER:
            name = clip(steady(plain_line(facts.filter_name)), room)
            right += dot + Content.styled(name, "bold $text-accent")
        gap = width - left.cell_length - right.cell_length
        if gap < 2:
            return right.truncate(width, ellipsis=True)
        return left + Content(" " * gap) + right
