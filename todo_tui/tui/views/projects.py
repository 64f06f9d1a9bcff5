"""Project tree of the view Projects: its rows, their ids and folds."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.text import fold_case
from todo_tui.tui.task_list.outline import UNNAMED_SECTION, OutlineBlock, ShownInHeading

if TYPE_CHECKING:
    from todo_tui.store.statistics import ProjectNode
    from todo_tui.store.tasks.sorting import ListGroup

_TREE = UNNAMED_SECTION._replace(shown_in_heading=ShownInHeading.PROJECT)


class ProjectRow(NamedTuple):
    """Content of a project's row.

    `path` is case-folded; None stands for tasks without a project.
    """

    name: str
    path: str | None
    depth: int
    open: int
    done: int
    is_folded: bool

    @property
    def total(self) -> int:
        """Return the number of open and done tasks, subprojects included."""
        return self.open + self.done


class ProjectFolds:
    """Folded projects, and the ids of their rows, stable while the app runs."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {}
        self.folded: frozenset[str | None] = frozenset()
        """Case-folded paths; None stands for tasks without a project."""

    def number_of(self, path: str | None) -> int:
        """Return the negative id of a row."""
        return self._numbers.setdefault(path, -len(self._numbers) - 1)

    @property
    def numbers(self) -> frozenset[int]:
        """Return the ids of all rows, hidden ones included."""
        return frozenset(self._numbers.values())

    @property
    def memento(self) -> str:
        """Return the folded paths as JSON for `recall`; empty without folds."""
        paths = sorted(self.folded, key=lambda path: path or "")
        return json.dumps(paths, ensure_ascii=False) if paths else ""

    def recall(self, memento: str) -> None:
        """Restore folds from a memento; an invalid one is ignored."""
        try:
            paths = json.loads(memento or "[]")
        except ValueError:
            return
        if isinstance(paths, list):
            self.folded = frozenset(each for each in paths if each is None or type(each) is str)

    def fold(self, numbers: Iterable[int], *, closed: bool) -> bool:
        """Fold or unfold these rows; return True if that changed anything."""
        wanted = set(numbers)
        paths = {path for path, number in self._numbers.items() if number in wanted}
        before = self.folded
        self.folded = before | paths if closed else before - paths
        return self.folded != before


def project_tree(
    groups: Iterable[ListGroup],
    nodes: Sequence[ProjectNode],
    folds: ProjectFolds,
    drawn: dict[int, ProjectRow],
    *,
    is_narrowed: bool,
) -> Iterator[OutlineBlock]:
    """Yield projects with their tasks, then their subprojects; put the projects into `drawn`.

    Open projects come first, then by name. `groups` are the tasks by project; with `is_narrowed`
    only projects with tasks are shown, and their ancestors.
    """
    tasks: dict[str | None, Sequence[int]] = {}
    for heading, ids in groups:
        is_none, path = heading.order
        tasks[None if is_none else str(path)] = ids
    holding = {above for path in tasks if path is not None for above in _ancestor_paths(path)}
    below: defaultdict[str, list[ProjectNode]] = defaultdict(list)
    for node in nodes:
        path = fold_case(node.path)
        if not is_narrowed or path in holding:
            below[path.rpartition(".")[0]].append(node)
    folded = folds.folded
    # Iterative, as a path can have many parts; the next project is at the end.
    ahead = _in_reverse(below[""])
    while ahead:
        node = ahead.pop()
        path = fold_case(node.path)
        is_folded = path in folded
        number = folds.number_of(path)
        drawn[number] = ProjectRow(node.name, path, node.depth, node.open, node.done, is_folded)
        yield OutlineBlock(_TREE, (number,), node.depth)
        if not is_folded:
            yield OutlineBlock(_TREE, tasks.get(path, ()), node.depth + 1)
            ahead += _in_reverse(below[path])
    if None in tasks:
        number, is_folded = folds.number_of(None), None in folded
        drawn[number] = ProjectRow("No project", None, 0, len(tasks[None]), 0, is_folded)
        yield OutlineBlock(_TREE, (number,))
        if not is_folded:
            yield OutlineBlock(_TREE, tasks[None], 1)


def _in_reverse(nodes: Iterable[ProjectNode]) -> list[ProjectNode]:
    def order(node: ProjectNode) -> tuple[bool, str]:
        return not node.open, fold_case(node.path).rpartition(".")[2]

    return sorted(nodes, key=order, reverse=True)


def _ancestor_paths(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition(".")[0]
