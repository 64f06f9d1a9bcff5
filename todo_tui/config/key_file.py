"""The API key file, readable by its owner only."""

import contextlib
import json
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from todo_tui.config.kinds import shorten_for_message
from todo_tui.config.private_files import unwritable
from todo_tui.config.settings import ConfigProblem
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.private_writing import make_private_folder, replace_file
from todo_tui.domain.secret import Secret

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LARGEST = 1_000_000
_PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.02


class StoredKeys(NamedTuple):
    """Contents of the key file, with the problems found in it."""

    keys: Mapping[str, Secret] = {}
    problems: tuple[ConfigProblem, ...] = ()
    readable: bool = True
    """True if it can be written anew without loss: it is ours and holds keys."""


class KeyFile:
    """One JSON object of provider ids and keys; a link to it is followed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> StoredKeys:
        """Return the keys in the file; invalid ones are left out and noted.

        A file that others can read is closed to them at once. One of another user is not
        used: they would see what is sent with its keys.
        """
        try:
            # Non-blocking: a pipe would never end.
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return StoredKeys()
        except OSError as error:
            return self._unusable(f"cannot be read: {error.strerror}")
        problems: list[ConfigProblem] = []
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                return self._unusable("is not a regular file")
            if os.name == "posix" and status.st_uid != os.geteuid():
                return self._unusable("belongs to another user")
            if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
                problems.append(self._close_to_others(handle))
            data = os.read(handle, _LARGEST + 1)
        finally:
            os.close(handle)
        try:
            table: object = json.loads(data) if len(data) <= _LARGEST else None
        except (ValueError, RecursionError):
            table = None
        if not isinstance(table, dict):
            return self._unusable("has an invalid format")
        keys: dict[str, Secret] = {}
        for name, text in table.items():
            try:
                keys[name] = Secret(text if isinstance(text, str) else "")
            except ConfigError:
                short = shorten_for_message(name)
                hint = f"Run: todo-tui keys set {short}"
                problems.append(self._problem(f"has no valid key for {short}", hint))
        return StoredKeys(keys, tuple(problems))

    def keep(self, provider_id: str, key: Secret) -> None:
        """Store the key, in place of an earlier one.

        Raises:
            TodoError: the file cannot be written, or is not a key file of this user.
        """
        self._rewrite(provider_id, key)

    def remove(self, provider_id: str) -> bool:
        """Remove the key; return True if there was one.

        Raises:
            TodoError: as `keep`.
        """
        return provider_id in self._present() and self._rewrite(provider_id, None)

    def _rewrite(self, provider_id: str, key: Secret | None) -> bool:
        """Set or remove a key; return True if there was one. Other processes wait meanwhile.

        Readers meanwhile see the old text or the new one, whole. A link stays a link. Every
        file made on the way has mode 0600 from the start.
        """
        try:
            target = self.path.resolve()
        except RuntimeError as error:
            raise TodoError(f"{self.path} is a link to itself.", hint="Remove the link.") from error
        try:
            make_private_folder(target.parent)
            with _locked(target):
                keys = self._present()
                changed = {**keys, provider_id: key}
                revealed = {
                    name: secret.reveal() for name, secret in changed.items() if secret is not None
                }
                replace_file(target, json.dumps(revealed, indent=2) + "\n")
        except OSError as error:
            raise unwritable(self.path, error) from error
        return provider_id in keys

    def _present(self) -> Mapping[str, Secret]:
        stored = self.read()
        if not stored.readable:
            (problem,) = stored.problems
            raise TodoError(problem.message, hint=problem.hint)
        return stored.keys

    def _close_to_others(self, handle: int) -> ConfigProblem:
        try:
            os.fchmod(handle, 0o600)
        except OSError:
            return self._problem("is readable by other users", f"Run: chmod 600 {self.path}")
        hint = "If other people use this machine, replace these keys with new ones."
        return self._problem("was readable by other users; its permissions are fixed now", hint)

    def _unusable(self, reason: str) -> StoredKeys:
        hint = "Move the file away, then set your keys again: todo-tui keys set --help"
        return StoredKeys(problems=(self._problem(reason, hint),), readable=False)

    def _problem(self, reason: str, hint: str) -> ConfigProblem:
        return ConfigProblem(f"The key file {self.path} {reason}.", hint)


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[None]:
    # The file itself is replaced, so that a lock on it would be one on the old file.
    handle = os.open(target.with_name(f".{target.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    try:
        while not _lock(handle):
            if time.monotonic() > deadline:
                raise TodoError(
                    f"Another program has locked {target}.",
                    hint="Close the other program, or try again later.",
                )
            time.sleep(_PAUSE_SECONDS)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock the file until it is closed; return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
