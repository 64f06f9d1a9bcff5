"""Values remembered per user: the chosen provider, the theme, agreed hosts."""

from __future__ import annotations

from todo_tui.domain.text import repair_surrogates
from todo_tui.store.database import Repository

_AGREED = "agreed:"


class KeyValueStore(Repository):
    """Text values by key, separate for each user."""

    def get(self, key: str) -> str | None:
        """Return the stored value, or None."""
        query = "SELECT value FROM memory WHERE user = ? AND key = ?"
        rows = self._db.rows(query, self._db.user, key)
        return str(rows[0][0]) if rows else None

    def set(self, key: str, value: str | None) -> None:
        """Store `value`; None deletes the key.

        Raises:
            StoreError: nothing was written.
        """
        with self._db.file.writing() as database:
            if value is None:
                database.execute(
                    "DELETE FROM memory WHERE user = ? AND key = ?", (self._db.user, key)
                )
            else:
                database.execute(
                    "INSERT OR REPLACE INTO memory (user, key, value) VALUES (?, ?, ?)",
                    (self._db.user, key, repair_surrogates(value)),
                )


class HostConsents:
    """Consents per `host:port`; consent to one host or port covers no other."""

    def __init__(self, memory: KeyValueStore) -> None:
        self._memory = memory

    def covers(self, place: str) -> bool:
        """Return True if this user agreed to send data to that `host:port`."""
        return self._memory.get(_AGREED + place) is not None

    def give(self, *places: str) -> None:
        """Store the user's consent to these hosts.

        Raises:
            StoreError: nothing was written.
        """
        for place in places:
            self._memory.set(_AGREED + place, place)
