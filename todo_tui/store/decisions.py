"""Decisions of the user that hold on this machine only: consents, approval mode, budget."""

import hashlib
import json
import os
from pathlib import Path

from todo_tui.domain.errors import StoreUnwritable
from todo_tui.domain.private_writing import make_private_folder, replace_file
from todo_tui.domain.text import repair_surrogates
from todo_tui.store.database import UserDatabase, file_id

_AGREED = "agreed:"


class Decisions:
    """Text values by key, each in a small file of this machine's state folder; blocks.

    They are kept outside of the database, so that a file from elsewhere cannot bring its own, and
    separate for each user and database file. A file is recognised by its path, its inode and its
    random id together: a copy has another path, a file that was moved to the path another inode,
    and one whose bytes were copied into the present file another id. The device number is left
    out, since it may change with a restart of the machine. A moved or restored file is asked
    about once more. Without a folder the values are kept in memory.
    """

    def __init__(self, db: UserDatabase, folder: Path | None) -> None:
        self._db = db
        self._folder = folder
        self._unsaved: dict[str, str | None] = {}

    def get(self, key: str) -> str | None:
        """Return the stored value; None without one, or if it cannot be read."""
        if self._folder is None:
            return self._unsaved.get(key)
        try:
            value = json.loads(self._path(self._folder, key).read_text(encoding="utf-8"))["value"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return value if isinstance(value, str) else None

    def set(self, key: str, value: str) -> None:
        """Store `value`, without the lock of the database.

        Raises:
            StoreUnwritable: the state folder cannot be written.
        """
        if self._folder is None:
            self._unsaved[key] = value
            return
        # A file for each value, replaced as a whole: nothing is read, changed and written back,
        # so that processes need no lock and none revives a value that another one changed.
        target = self._path(self._folder, key)
        written = {"database": str(self._db.file.path), "user": self._db.user, "key": key}
        try:
            make_private_folder(target.parent)
            replace_file(target, repair_surrogates(json.dumps({**written, "value": value})))
        except OSError as error:
            raise StoreUnwritable(
                f"Cannot write {target} ({error.strerror}).",
                hint="Check the permissions of the folder and the space on its disk.",
            ) from error

    def _path(self, folder: Path, key: str) -> Path:
        path = self._db.file.path
        inode = (file_id(path) or (0, 0))[1]
        random_id = self._db.rows("SELECT value FROM meta WHERE key = 'device'")
        identity = [os.path.realpath(path), inode, random_id, self._db.user, key]
        digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]
        return folder / "decisions" / f"{digest}.json"


class HostConsents:
    """Consents per `host:port`; consent to one host or port covers no other."""

    def __init__(self, decisions: Decisions) -> None:
        self._decisions = decisions

    def covers(self, place: str) -> bool:
        """Return True if this user agreed to send data to that `host:port`."""
        return self._decisions.get(_AGREED + place) is not None

    def give(self, *places: str) -> None:
        """Store the user's consent to these hosts."""
        for place in places:
            self._decisions.set(_AGREED + place, place)
