"""Header of the list: view name, counts and filter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import ViewAction
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.view import ViewKind
from todo_tui.tui.widgets.text import cell_width, clip, strip_unstable

_SMALLEST_FILTER = 8
_LONGEST_NAME = 24
_BEFORE, _AFTER = "‹ ", " ›"


@dataclass(frozen=True, slots=True)
class HeaderState:
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

    facts: reactive[HeaderState] = reactive(HeaderState())

    class ViewClicked(Message):
        """Another view is wanted: the one before or after, or the menu of all."""

        def __init__(self, wish: ViewAction) -> None:
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
            name = clip(strip_unstable(plain_line(facts.filter_name)), room)
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
        name_ends = name_begins + cell_width(self._view_name)
        if offset.x < name_begins:
            self.post_message(self.ViewClicked(ViewAction.BEFORE))
        elif offset.x < name_ends:
            self.post_message(self.ViewClicked(ViewAction.MENU))
        elif offset.x < name_ends + len(_AFTER):
            self.post_message(self.ViewClicked(ViewAction.AFTER))

    @property
    def _view_name(self) -> str:
        return clip(strip_unstable(plain_line(self.facts.view)), _LONGEST_NAME)


class ListCounts:
    """Counts by the sections of the outline, so that no list is too long to count."""

    def __init__(self, outline: TaskTree, contents: ListQuery) -> None:
        self._outline = outline
        self._contents = contents

    @property
    def tasks(self) -> int:
        """How many tasks the list has, each counted once."""
        drawn = self._contents.projects.drawn
        is_tree = self._contents.view.kind is ViewKind.PROJECTS
        return self.lines - (len(drawn) if is_tree else 0)

    @property
    def lines(self) -> int:
        """The tasks, and the projects where those have lines of their own."""
        return len(self._outline)

    @property
    def open(self) -> int:
        """Those that stand under headings of what is to be done."""
        return self.lines - self._closed

    @property
    def total(self) -> int:
        """How many tasks the view is about: not those that it shows the first of."""
        if self._contents.view.kind is ViewKind.PROJECTS:
            rows = self._contents.projects.drawn.values()
            return sum(row.open for row in rows if row.depth == 0)
        sections = self._outline.sections
        return sum(count for section, count in sections if section.shown_at_most is None)

    def header_state(self, just_done: Collection[int]) -> HeaderState:
        """What the header says; tasks that were `just_done` still stand where they were open."""
        places = map(self._outline.place_of, just_done)
        late_but_done = sum(place is not None and place.section.is_late for place in places)
        return HeaderState(
            open=self.open - len(just_done),
            overdue=self._late - late_but_done,
            closed=0 if self._contents.is_plain else self._closed,
            filter_name=self._contents.text,
            view=self._contents.view.name,
            noun=self._contents.noun,
            total=self.total,
        )

    @property
    def loading_state(self) -> HeaderState:
        """What the header says while there is nothing to count yet."""
        name, text = self._contents.view.name, self._contents.text
        return HeaderState(view=name, filter_name=text, is_loading=True)

    @property
    def _late(self) -> int:
        return sum(count for section, count in self._outline.sections if section.is_late)

    @property
    def _closed(self) -> int:
        return sum(count for section, count in self._outline.sections if section.is_closed)
