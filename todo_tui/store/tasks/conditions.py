"""SQL conditions on `tasks t`."""

from datetime import datetime

# An all-day due moment counts from its last second, an all-day start from its first:
# the same as When.local() and When.begins().
DUE_LOCAL = "t.due || CASE length(t.due) WHEN 10 THEN 'T23:59:59' ELSE ':00' END"
START_LOCAL = "t.start || CASE length(t.start) WHEN 10 THEN 'T00:00:00' ELSE ':00' END"
OPEN = "t.status IN ('todo', 'doing')"
NOT_TRASHED = "t.deleted_at IS NULL"
EXISTS = "t.gone = 0"
ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""Default order of lists; with `OPEN`, `NOT_TRASHED` and `EXISTS` it is an index scan."""
STARTED = f"(t.start IS NULL OR {START_LOCAL} <= ?)"
IS_OPEN = "{0}.status IN ('todo', 'doing') AND {0}.deleted_at IS NULL AND {0}.gone = 0"
"""Condition on a table, to be formatted with its name."""
BLOCKED_ROWS = (
    "SELECT k.task FROM task_blockers k JOIN tasks b ON b.row = k.blocker"  # noqa: S608
    f" WHERE k.gone = 0 AND {IS_OPEN.format('b')}"
)
"""Subquery for the rows of tasks that have an open blocker."""


def local_text(moment: datetime) -> str:
    """Format a naive local moment to the second, as the conditions compare it."""
    return moment.isoformat(timespec="seconds")
