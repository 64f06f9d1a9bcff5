"""How many tasks the list has, open, late and closed: what its header says."""

from __future__ import annotations

from collections.abc import Collection

from todo_tui.tui.views.view import ViewKind
from todo_tui.tui.widgets.task_contents import TaskContents
from todo_tui.tui.widgets.task_header import HeaderFacts
from todo_tui.tui.widgets.task_tree import TaskTree


class ListCounts:
    """Counts by the sections of the outline, so that no list is too long to count."""

    def __init__(self, outline: TaskTree, contents: TaskContents) -> None:
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

    def facts(self, just_done: Collection[int]) -> HeaderFacts:
        """What the header says; tasks that were `just_done` still stand where they were open."""
        places = map(self._outline.place_of, just_done)
        late_but_done = sum(place is not None and place.section.is_late for place in places)
        return HeaderFacts(
            open=self.open - len(just_done),
            overdue=self._late - late_but_done,
            closed=0 if self._contents.is_plain else self._closed,
            filter_name=self._contents.text,
            view=self._contents.view.name,
            noun=self._contents.noun,
            total=self.total,
        )

    @property
    def facts_to_come(self) -> HeaderFacts:
        """What the header says while there is nothing to count yet."""
        name, text = self._contents.view.name, self._contents.text
        return HeaderFacts(view=name, filter_name=text, is_loading=True)

    @property
    def _late(self) -> int:
        return sum(count for section, count in self._outline.sections if section.is_late)

    @property
    def _closed(self) -> int:
        return sum(count for section, count in self._outline.sections if section.is_closed)
