"""Task scopes: the tasks among which a command looks for a title."""

from enum import StrEnum


class TaskScope(StrEnum):
    """Tasks that a command applies to, among which it looks for a title."""

    OPEN = "open task"
    RECURRING = "open recurring task"
    CLOSED = "completed, cancelled or deleted task"
    TRASH = "deleted task"
    KEPT = "task outside the trash"
    """Open tasks first."""
    ANY = "task"
    """Open tasks first."""
