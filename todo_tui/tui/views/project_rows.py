"""The rows of projects in the list: what each says, and which are folded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from todo_tui.domain.urgency import SortKey


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


class Branch(NamedTuple):
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
        self.branches: Mapping[str | None, Branch] = {}
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
