"""What every process agrees on about the file: its mark, its version, the scope of its indexes.

Apart from the tables, so that a start that finds the file up to date need not load them.
"""

from __future__ import annotations

APPLICATION_ID = 0x746F646F
"""`todo` in ASCII: marks a SQLite file as ours."""

SCHEMA_VERSION = 6
"""Number of migrations; kept in `PRAGMA user_version`, so that opening reads one integer."""

OPEN_SCOPE = "status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0"
"""The condition of the index over open tasks; a query must spell it the same to use it."""

STARTS_OF_OPS = "(actor <> 'import' OR kind <> 'set' OR field = 'parent')"
"""The condition of the index over operations by task; what an import set follows such a one."""
