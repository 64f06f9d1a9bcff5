"""The line above the list: which view, how much is in it, how much is late, which filter."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.wishes import ViewWish
from todo_tui.tui.widgets.cell_text import clip, steady, width_of

_SMALLEST_FILTER = 8
_LONGEST_NAME = 24
_BEFORE, _AFTER = "‹ ", " ›"


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the line shows; `filter_name` is empty where nothing is filtered."""

    open: int = 0
    overdue: int = 0
    closed: int = 0
    """Tasks in the list that are done or in the trash; counted where a filter asks for them."""
    filter_name: str = ""
    view: str = "Tasks"
    noun: str = ""
    """What the tasks of the view are, where they do not stand by due day: `for today`."""
    total: int = 0
    """How many those are."""
    is_loading: bool = False
    """The view is being read: there is nothing to count yet."""

    @property
    def counts(self) -> list[Content]:
        """The numbers, in words."""
        if self.is_loading:
            return [Content.styled("…", MUTED)]
        late = [Content.styled(f"{self.overdue:,} overdue", "$text-error")] if self.overdue else []
        if self.noun:
            return [Content.styled(f"{self.total:,} {self.noun}", MUTED), *late]
        counts = late
        if self.open or not self.closed:
            counts = [Content.styled(f"{self.open:,} open", MUTED), *late]
        if self.closed:
            counts.append(Content.styled(f"{self.closed:,} closed", MUTED))
        return counts


class TaskHeader(Widget):
    """One row: `‹ Today ›` on the left, counts and the filter's name on the right.

    A click on a mark beside the name goes to the view before or after it, one on the
    name to all of them.
    """

    ALLOW_SELECT = False

    facts: reactive[HeaderFacts] = reactive(HeaderFacts())

    class ViewClicked(Message):
        """Another view is wanted: the one before or after, or the menu of all."""

        def __init__(self, wish: ViewWish) -> None:
            super().__init__()
            self.wish = wish

    def render(self) -> Content:
        """The counts in words; a long filter is cut so that they stay."""
        facts = self.facts
        width = self.content_size.width
        dot = Content.styled(" · ", MUTED)
        left = Content.assemble((_BEFORE, FAINT), (self._view_name, "bold"), (_AFTER, FAINT))
        right = dot.join(facts.counts)
        room = width - left.cell_length - right.cell_length - 3 - 2
        if facts.filter_name and room >= _SMALLEST_FILTER:
            name = clip(steady(plain_line(facts.filter_name)), room)
            right += dot + Content.styled(name, "bold $text-accent")
        gap = width - left.cell_length - right.cell_length
        if gap < 2:
            return right.truncate(width, ellipsis=True)
        return left + Content(" " * gap) + right

    def on_click(self, event: events.Click) -> None:
        """Tell which part was hit."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        name_begins = len(_BEFORE)
        name_ends = name_begins + width_of(self._view_name)
        if offset.x < name_begins:
            self.post_message(self.ViewClicked(ViewWish.BEFORE))
        elif offset.x < name_ends:
            self.post_message(self.ViewClicked(ViewWish.MENU))
        elif offset.x < name_ends + len(_AFTER):
            self.post_message(self.ViewClicked(ViewWish.AFTER))

    @property
    def _view_name(self) -> str:
        return clip(steady(plain_line(self.facts.view)), _LONGEST_NAME)
