"""The names that a person's filters may mention."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from todo_tui.domain.text import folded


class FilterNames(NamedTuple):
    """What there is: projects, tags, and the filter text of each saved view by its name.

    Where projects or tags are None, any may be mentioned without a doubt.
    """

    projects: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    views: Mapping[str, str] = MappingProxyType({})

    def has_project(self, name: str) -> bool:
        """Whether a task is in the project or below it, for all that is known."""
        if self.projects is None:
            return True
        wanted = folded(name)
        return any(f"{folded(each)}.".startswith(f"{wanted}.") for each in self.projects)

    def has_tag(self, name: str) -> bool:
        """Whether a task has the tag, for all that is known."""
        return self.tags is None or folded(name) in map(folded, self.tags)

    @property
    def projects_and_above(self) -> tuple[str, ...]:
        """The projects and those that they lie in, each once, in whatever case it is written."""
        known: dict[str, str] = {}
        for project in self.projects or ():
            parts = project.split(".")
            for count in range(1, len(parts) + 1):
                path = ".".join(parts[:count])
                known.setdefault(folded(path), path)
        return tuple(known.values())

    def view(self, name: str) -> str | None:
        """The filter text of a view; None where there is none of that name."""
        wanted = folded(name)
        return next((text for each, text in self.views.items() if folded(each) == wanted), None)
