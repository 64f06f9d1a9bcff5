"""Small facts that are remembered for a user, such as the last chosen model."""

from __future__ import annotations

from todo_tui.domain.text import whole_characters
from todo_tui.store.database import DatabaseFile


class Memory:
    """Text by key, one set for each user."""

    def __init__(self, file: DatabaseFile, *, user: str) -> None:
        self._file = file
        self._user = user

    def get(self, key: str) -> str | None:
        """What was last set, or None."""
        with self._file.reading() as database:
            row = database.execute(
                "SELECT value FROM memory WHERE user = ? AND key = ?", (self._user, key)
            ).fetchone()
        return None if row is None else str(row[0])

    def set(self, key: str, value: str | None) -> None:
        """Remember `value`; None forgets.

        Raises:
            StoreError: nothing was written.
        """
        with self._file.writing() as database:
            if value is None:
                database.execute("DELETE FROM memory WHERE user = ? AND key = ?", (self._user, key))
            else:
                database.execute(
                    "INSERT OR REPLACE INTO memory (user, key, value) VALUES (?, ?, ?)",
                    (self._user, key, whole_characters(value)),
                )
