"""The views of the list, one shown at a time: what they are called, and say when empty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Saved views are read after the first frame.
    from todo_tui.domain.filter_view import SavedView


class ViewKind(StrEnum):
    """What a view shows; `saved` is a filter of the person's own."""

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
    """One view; `text` is the filter of a saved one, `key` opens it in the menu."""

    kind: ViewKind
    name: str
    about: str = ""
    text: str = ""
    key: str | None = None

    @property
    def memento(self) -> str:
        """What is remembered of it across restarts."""
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
"""In the order of the menu."""

NOUNS = {
    ViewKind.TODAY: "for today",
    ViewKind.UPCOMING: "ahead",
    ViewKind.NEXT: "ready",
    ViewKind.PROJECTS: "open",
    ViewKind.DONE: "done",
    ViewKind.TRASH: "deleted",
    ViewKind.SAVED: "shown",
}
"""What stands behind the number of tasks of a view, where that is not sorted by due day."""

LESSONS = {
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
"""What an empty view says, the first sentence being its head; keys by their actions."""


def all_views(saved: Iterable[SavedView]) -> tuple[View, ...]:
    """The built-in views, then the person's own in their order."""
    return (
        *BUILT_IN,
        *(
            View(ViewKind.SAVED, each.name, each.filter_text, each.filter_text, each.key)
            for each in saved
        ),
    )


def remembered(memento: str, views: Iterable[View]) -> View:
    """The view of which this was remembered; of one that is gone, all tasks."""
    return next((view for view in views if view.memento == memento), ALL)
