"""What the calls of a turn have done so far, as far as it decides what needs approval."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.domain.changes import ChangeKind, TaskChange


class TurnEffects:
    """Counts the tasks of one turn; a yes to what would be too many starts the count anew."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Ids of tasks that were changed or deleted, those included that went along."""
        self.added: set[int] = set()
        """Ids of tasks that were added; that the turn changes these too is not counted."""
        self.undos = 0
        """Undos and redos together."""
        self.read_foreign_text = False
        """Whether a response carried text that somebody else may have written."""

    def count(self, changes: Sequence[TaskChange]) -> None:
        """Count what one call wrote."""
        for each in changes:
            ids = self.added if each.kind is ChangeKind.ADDED else self.changed
            ids.add(each.task.id)

    def forget_counts(self) -> None:
        """Begin again at none: a person has approved what there was and what comes next."""
        self.changed.clear()
        self.added.clear()
