"""Data types of the views.

Built-in and saved views, list sections, project rows. Light, as the first frame loads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.urgency import SortKey, TaskGroup

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


class ProjectRow(NamedTuple):
    """What the row of a project shows.

    `path` is folded, as in names that are compared; None is for tasks without a project.
    """

    name: str
    path: str | None
    depth: int
    open: int
    done: int
    is_folded: bool

    @property
    def total(self) -> int:
        """All its tasks that count, those in projects below it too."""
        return self.open + self.done


class ProjectBranch(NamedTuple):
    """Where a project stands in the tree: the key of its row, and whether tasks show below it."""

    key: SortKey
    depth: int
    shows_tasks: bool


class ProjectRows:
    """Numbers of rows by the folded path of their project; the same for as long as the app runs.

    Which rows are folded can be carried over to the next time.
    """

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {}
        self._folded: frozenset[str | None] = frozenset()
        self.drawn: Mapping[int, ProjectRow] = {}
        """The rows that were read last."""
        self.branches: Mapping[str | None, ProjectBranch] = {}
        """All projects that were read last, shown or not, by their folded path."""

    def number_of(self, path: str | None) -> int:
        """The number of a row, below nought."""
        return self._numbers.setdefault(path, -len(self._numbers) - 1)

    @property
    def numbers(self) -> frozenset[int]:
        """Those of all rows, also of such as lie in something that is folded."""
        return frozenset(self._numbers.values())

    def is_folded(self, path: str | None) -> bool:
        """Whether what lies in the project is hidden."""
        return path in self._folded

    @property
    def memento(self) -> str:
        """What is folded, as a text to be recalled by; empty where nothing is."""
        paths = sorted(self._folded, key=lambda path: path or "")
        return json.dumps(paths, ensure_ascii=False) if paths else ""

    def recall(self, memento: str) -> None:
        """Fold what was folded then; a text that is no such memento folds nothing."""
        try:
            paths = json.loads(memento or "[]")
        except ValueError:
            return
        if isinstance(paths, list):
            self._folded = frozenset(each for each in paths if each is None or type(each) is str)

    def fold(self, numbers: Iterable[int], *, closed: bool) -> bool:
        """Hide what these rows have below them, or show it; tells whether that is new."""
        wanted = set(numbers)
        paths = {path for path, number in self._numbers.items() if number in wanted}
        before = self._folded
        self._folded = before | paths if closed else before - paths
        return self._folded != before


class ShownInHeading(StrEnum):
    """What the heading has told already, so that the rows below it need not."""

    NOTHING = ""
    DAY = "day"
    PROJECT = "project"


class Section(NamedTuple):
    """One heading of the list; sections with the same `order` are one, and stand in that order.

    `label` is drawn as it is; without one there is no heading. Of a long section only
    `shown_at_most` tasks are drawn, and `rest` says how the others are seen.
    """

    order: SortKey
    label: str = ""
    is_late: bool = False
    is_closed: bool = False
    """There is nothing to do in it."""
    shown_at_most: int | None = None
    rest: str = ""
    shown_in_heading: ShownInHeading = ShownInHeading.NOTHING


SECTIONS = {
    group: Section(
        (rank,),
        _LABELS[group],
        is_late=group is TaskGroup.OVERDUE,
        is_closed=group in (TaskGroup.DONE, TaskGroup.TRASH),
    )
    for rank, group in enumerate(TaskGroup)
}
"""The headings of the list by due day."""

UNNAMED_SECTION = Section(())
"""All tasks in one order, under no heading."""


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

VIEW_NOUNS = {
    ViewKind.TODAY: "for today",
    ViewKind.UPCOMING: "ahead",
    ViewKind.NEXT: "ready",
    ViewKind.PROJECTS: "open",
    ViewKind.DONE: "done",
    ViewKind.TRASH: "deleted",
    ViewKind.SAVED: "shown",
}
"""What stands behind the number of tasks of a view, where that is not sorted by due day."""

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


def restore_view(memento: str, views: Iterable[View]) -> View:
    """The view of which this was remembered; of one that is gone, all tasks."""
    return next((view for view in views if view.memento == memento), ALL)
