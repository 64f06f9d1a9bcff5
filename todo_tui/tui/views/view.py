"""Data types of the views: built-in and saved views, sections of the list.

Kept light, as the first frame imports it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.filters.headings import SortKey
from todo_tui.domain.filters.terms import SortField, SortTerm
from todo_tui.domain.urgency import TaskGroup

if TYPE_CHECKING:
    from todo_tui.domain.filters.views import SavedView

_LABELS = {
    TaskGroup.OVERDUE: "OVERDUE",
    TaskGroup.TODAY: "TODAY",
    TaskGroup.NEXT: "NEXT",
    TaskGroup.LATER: "LATER",
    TaskGroup.NONE: "NO DATE",
    TaskGroup.WAITING: "WAITING",
    TaskGroup.DONE: "DONE",
    TaskGroup.TRASH: "TRASH",
}


class ShownInHeading(StrEnum):
    """Fact that a heading shows, so that the rows below it need not."""

    NOTHING = ""
    DAY = "day"
    PROJECT = "project"


class Section(NamedTuple):
    """One section of the list; sections with equal `order` are one, and are sorted by it.

    Without a `label` there is no heading. Only `shown_at_most` tasks are drawn; `rest` tells where
    the others are shown.
    """

    order: SortKey
    label: str = ""
    is_late: bool = False
    is_closed: bool = False
    """True if its tasks are done or deleted."""
    shown_at_most: int | None = None
    rest: str = ""
    shown_in_heading: ShownInHeading = ShownInHeading.NOTHING
    sort: tuple[SortTerm, ...] = ()
    """Order of its tasks; those with equal values are in due and manual order."""


SECTIONS = {
    group: Section(
        (rank,),
        _LABELS[group],
        is_late=group is TaskGroup.OVERDUE,
        is_closed=group in (TaskGroup.DONE, TaskGroup.TRASH),
        sort=(SortTerm(SortField.DONE, descending=True),) if group is TaskGroup.DONE else (),
    )
    for rank, group in enumerate(TaskGroup)
}
"""Sections of the list grouped by due day."""

UNNAMED_SECTION = Section(())
"""Single section without a heading."""


class ViewKind(StrEnum):
    """Kind of a view; `saved` is a filter saved by the user."""

    ALL = "all"
    TODAY = "today"
    UPCOMING = "upcoming"
    NEXT = "next"
    PROJECTS = "projects"
    DONE = "done"
    TRASH = "trash"
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class View:
    """One view; `text` is the filter of a saved one, `key` opens it from the menu."""

    kind: ViewKind
    name: str
    about: str = ""
    text: str = ""
    key: str | None = None

    @property
    def memento(self) -> str:
        """Return the text stored for the next run."""
        return f"{self.kind}:{self.name}" if self.kind is ViewKind.SAVED else self.kind.value


ALL = View(ViewKind.ALL, "Tasks", "everything open, by when it is due")

BUILT_IN = (
    ALL,
    View(ViewKind.TODAY, "Today", "overdue, due today, started, ready"),
    View(ViewKind.UPCOMING, "Upcoming", "what is due, day by day"),
    View(ViewKind.NEXT, "Next", "what can be done now, the most urgent first"),
    View(ViewKind.PROJECTS, "Projects", "a tree, with how far each is"),
    View(ViewKind.DONE, "Done", "what was done, day by day"),
    View(ViewKind.TRASH, "Trash", "what was deleted, the latest first"),
)
"""Built-in views in menu order."""

VIEW_NOUNS = {
    ViewKind.TODAY: "for today",
    ViewKind.UPCOMING: "ahead",
    ViewKind.NEXT: "ready",
    ViewKind.PROJECTS: "open",
    ViewKind.DONE: "done",
    ViewKind.TRASH: "deleted",
    ViewKind.SAVED: "shown",
}
"""Nouns for the task count of views that are not grouped by due day."""

EMPTY_VIEW_TEXTS = {
    ViewKind.TODAY: (
        "Nothing is due today.",
        "Press {list.add} and name a day: call mom today.",
    ),
    ViewKind.UPCOMING: (
        "No days ahead have anything.",
        "Tasks with a due day stand here, day by day.",
        "Press {list.add} and name one: pay rent on the 1st.",
    ),
    ViewKind.NEXT: (
        "Nothing to do now.",
        "What neither waits for its day nor for another task stands here, "
        "the most urgent first; {list.why} says why.",
    ),
    ViewKind.PROJECTS: (
        "No projects yet.",
        "Name one when you add a task, with dots for what is inside another: "
        "paint the fence #home.garden",
    ),
    ViewKind.DONE: (
        "Nothing done yet.",
        "{list.tick} ticks a task; each day's harvest stands here.",
    ),
    ViewKind.TRASH: (
        "The trash is empty.",
        "{list.delete} moves a task here. It can be taken back until it is purged.",
    ),
    ViewKind.SAVED: ("Nothing fits this view now.",),
}
"""Empty-state texts, heading first; keys by their action names."""


def all_views(saved: Iterable[SavedView]) -> tuple[View, ...]:
    """Return the built-in views, then the saved ones in their order."""
    return (
        *BUILT_IN,
        *(
            View(ViewKind.SAVED, each.name, each.filter_text, each.filter_text, each.key)
            for each in saved
        ),
    )


def restore_view(memento: str, views: Iterable[View]) -> View:
    """Return the view of a memento; all tasks if it no longer exists."""
    return next((view for view in views if view.memento == memento), ALL)
