"""What a filter asks about a task that only other tasks can tell."""

from __future__ import annotations

from typing import Protocol

from todo_tui.domain.filter_terms import (
    And,
    Below,
    Filter,
    Has,
    IsBlocked,
    IsBlocking,
    IsReady,
    Not,
    Or,
    TaskField,
)


class Relations(Protocol):
    """How tasks hang together; ids are those of tasks that exist, in the trash too."""

    def is_open(self, task_id: int) -> bool:
        """Whether the task is todo or doing, and not in the trash."""

    def parent_of(self, task_id: int) -> int | None:
        """The task above."""

    def has_children(self, task_id: int) -> bool:
        """Whether a task outside the trash lies right below."""

    def holds_up(self, task_id: int) -> bool:
        """Whether an open task waits for it."""


class NoRelations:
    """Of tasks that stand alone; whatever is waited for is open."""

    def is_open(self, task_id: int) -> bool:
        """Whether it is open."""
        return True

    def parent_of(self, task_id: int) -> int | None:
        """The task above."""
        return None

    def has_children(self, task_id: int) -> bool:
        """Whether a task lies right below."""
        return False

    def holds_up(self, task_id: int) -> bool:
        """Whether an open task waits for it."""
        return False


def asks_of_others(wanted: Filter) -> bool:
    """Whether the change of one task can decide whether a filter holds for another one."""
    match wanted:
        case And(parts) | Or(parts):
            return any(map(asks_of_others, parts))
        case Not(part):
            return asks_of_others(part)
        case Has(field):
            return field is TaskField.CHILDREN
        case _:
            return isinstance(wanted, Below | IsBlocked | IsBlocking | IsReady)
