"""What the list is to have: the filter, and the places of the tasks that fit it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_relations import asks_of_others
from todo_tui.domain.filter_terms import (
    And,
    DayField,
    Filter,
    HasStatus,
    InTrash,
    IsOpen,
    Not,
    Or,
    Says,
    Within,
    all_of,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.urgency import TaskGroup, group_of, order_in_group
from todo_tui.domain.when import DateStyle
from todo_tui.tui.views.section import SECTIONS, Section
from todo_tui.tui.widgets.task_outline import Place

if TYPE_CHECKING:
    # The store is opened by others; loading it here would pull SQLite into every import.
    from todo_tui.store.tasks import TaskStore

DONE_DAYS = 7
"""The unfiltered list ends with what was done on so many days, today being the last."""

_DONE_SHOWN = 5
_WITH_DONE_OF_LATE = {
    **SECTIONS,
    TaskGroup.DONE: SECTIONS[TaskGroup.DONE]._replace(shown_at_most=_DONE_SHOWN, rest="/ done"),
}

Places = tuple[tuple[int, Place], ...]
"""Ids of tasks with the place of each, in no order that matters."""


class TaskContents:
    """The filter that is on, and what it lets in.

    Without a filter these are the open tasks, and what was done of late.
    """

    def __init__(self, tasks: TaskStore, clock: Clock, style: DateStyle) -> None:
        self._tasks = tasks
        self._clock = clock
        self._style = style
        self._filter: Filter | None = None
        self.text = ""
        """The filter as it was typed; empty where none is on."""

    def set_filter(self, text: str) -> None:
        """Filter by a text; an empty one ends it.

        Raises:
            ValidationError: the text is no filter; the one before stays on.
        """
        text = text.strip()
        self._filter = self._read(text) if text else None
        self.text = text

    def set_filter_as_far_as_read(self, text: str) -> None:
        """Filter by the longest beginning of a text that is a filter, none at the worst."""
        words = text.split()
        while words:
            words.pop()
            try:
                self.set_filter(" ".join(words))
            except ValidationError:
                continue
            return
        self.set_filter("")

    @property
    def meaning(self) -> str:
        """What the filter was understood as; empty where none is on."""
        if self._filter is None:
            return ""
        from todo_tui.domain.filter_description import describe

        return describe(self._filter)

    @property
    def searched(self) -> tuple[str, ...]:
        """The words that the filter searches for."""
        if self._filter is None:
            return ()
        from todo_tui.domain.filter_spans import searched_words

        return searched_words(self._filter)

    @property
    def suggestion(self) -> str:
        """Another filter that was perhaps meant: `due:friday` for a search for `friday`."""
        if self._filter is None or not _has_term(self._filter, Says):
            return ""
        from todo_tui.domain.dates import DateNotUnderstood, read_range

        try:
            read_range(self.text, self._clock.now(), self._style)
        except DateNotUnderstood:
            return ""
        quoted = f'"{self.text}"' if " " in self.text else self.text
        return f"due:{quoted}"

    @property
    def asks_of_others(self) -> bool:
        """Whether the change of one task can let in another, such as one that it blocks."""
        return self._filter is not None and asks_of_others(self._filter)

    def read(self) -> Places:
        """The places of all tasks of the list; takes a while, from any thread.

        Raises:
            StoreError: the file cannot be read.
        """
        sections = self._sections
        return tuple(
            (row.id, Place(sections[row.group], row.key))
            for wanted in self._wanted()
            for row in self._tasks.outline(wanted)
        )

    def places(self, task: Task) -> tuple[Place, ...]:
        """Where a task belongs; nowhere where the filter leaves it out."""
        now, zone = self._clock.now(), self._clock.zone
        for wanted in self._wanted():
            if matches(wanted, task, now, zone=zone, relations=self._tasks.relations):
                section = self._sections[group_of(task, now)]
                return (Place(section, order_in_group(task, zone)),)
        return ()

    @property
    def _sections(self) -> Mapping[TaskGroup, Section]:
        return SECTIONS if self.text else _WITH_DONE_OF_LATE

    def _wanted(self) -> tuple[Filter, ...]:
        """Filters of which one must hold; apart, each can use its index."""
        if self.text:
            # Read anew: "today" is another day after midnight.
            return (self._read(self.text),)
        since = self._clock.now().date() - timedelta(days=DONE_DAYS - 1)
        done_of_late = all_of(HasStatus(Status.DONE), Within(DayField.COMPLETED, since, None))
        return all_of(IsOpen(), Not(InTrash())), all_of(done_of_late, Not(InTrash()))

    def _read(self, text: str) -> Filter:
        # The grammar is large, and the first frame has no filter to read.
        from todo_tui.domain.filters import parse_filter

        return parse_filter(text, self._clock.now(), self._style)


def _has_term(wanted: Filter, kind: type[Filter]) -> bool:
    match wanted:
        case And(parts) | Or(parts):
            return any(_has_term(part, kind) for part in parts)
        case Not(part):
            return _has_term(part, kind)
        case _:
            return isinstance(wanted, kind)
