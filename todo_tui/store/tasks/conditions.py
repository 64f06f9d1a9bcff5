"""SQL conditions on `tasks t`."""

from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.store.database import SqlValue

DUE_HERE = "CASE length(t.due) WHEN 10 THEN t.due ELSE local_time(t.due_at) END"
"""Due moment in the zone of the clock, as Task.due_in()."""
DUE_DAY = f"substr({DUE_HERE}, 1, 10)"
# A subquery, because the index over open tasks lacks the zone: few tasks start at a time of day.
START_HERE = (
    "CASE WHEN length(t.start) = 10 THEN t.start WHEN t.start IS NOT NULL THEN"
    " (SELECT local_time(s.start, s.start_zone) FROM tasks s WHERE s.row = t.row) END"
)
"""Start in the zone of the clock, as Task.start_in()."""
# An all-day start counts from its first second, the same as When.begins().
START_LOCAL = f"{START_HERE} || CASE length(t.start) WHEN 10 THEN 'T00:00:00' ELSE ':00' END"
OPEN = "t.status IN ('todo', 'doing')"
NOT_TRASHED = "t.deleted_at IS NULL"
EXISTS = "t.gone = 0"
ORDER = "(t.due IS NULL), t.due_at, t.position, t.id"
"""Default order of lists; with `OPEN`, `NOT_TRASHED` and `EXISTS` it is an index scan."""
STARTED = f"(t.start IS NULL OR {START_LOCAL} <= ?)"
IS_OPEN = "{0}.status IN ('todo', 'doing') AND {0}.deleted_at IS NULL AND {0}.gone = 0"
"""Condition on a table, to be formatted with its name."""
OWN_OR_INHERITED = """
CASE WHEN t.{0} IS NOT NULL OR t.parent IS NULL THEN t.{0} ELSE (
    WITH RECURSIVE above ({0}, parent, status) AS (
        SELECT NULL, t.parent, t.status
        UNION
        SELECT p.{0}, p.parent, p.status FROM above JOIN tasks p ON p.uuid = above.parent
        WHERE above.{0} IS NULL AND p.gone = 0 AND p.deleted_at IS t.deleted_at
        AND (p.status IN ('todo', 'doing') OR above.status NOT IN ('todo', 'doing'))
    ) SELECT {0} FROM above WHERE {0} IS NOT NULL
) END
"""
"""Project of a task, to be formatted with `project` or `project_folded`.

A task without one has that of the nearest task above it, unless it is left open below a closed
one or was not deleted along with it.
"""
PROJECT = OWN_OR_INHERITED.format("project_folded")
BLOCKED_ROWS = (
    "SELECT k.task FROM task_blockers k JOIN tasks b ON b.row = k.blocker"  # noqa: S608
    f" WHERE k.gone = 0 AND {IS_OPEN.format('b')}"
)
"""Subquery for the rows of tasks that have an open blocker."""


Operator = Literal["<", "<=", ">", ">="]


class SqlCondition(NamedTuple):
    """A condition or expression on `tasks t` and the values of its placeholders, in order."""

    sql: str
    values: tuple[SqlValue, ...] = ()


def compare_due(operator: Operator, moment: datetime, zone: str) -> SqlCondition:
    """Compare due moments with a naive wall time in a zone.

    A timed one is compared by its instant, whatever its own zone; a date is the same everywhere
    and counts from its last second, as in When.local().
    """
    sql = (
        f"CASE length(t.due) WHEN 10 THEN t.due || 'T23:59:59' {operator} ?"
        f" ELSE t.due_at {operator} ? END"
    )
    instant = int(moment.replace(tzinfo=ZoneInfo(zone)).timestamp())
    return SqlCondition(sql, (local_text(moment), instant))


def local_text(moment: datetime) -> str:
    """Format a naive local moment to the second, as the conditions compare it."""
    return moment.isoformat(timespec="seconds")
