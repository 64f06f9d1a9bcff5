"""The key file: keys by provider, in a file that only its owner can read."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from todo_tui.config.printable import shown
from todo_tui.config.settings import ConfigProblem
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.secret import Secret

_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """What the file holds; `problems` are what is wrong with it."""

    keys: Mapping[str, Secret] = field(default_factory=dict)
    problems: tuple[ConfigProblem, ...] = ()
    readable: bool = True
    """Whether it is ours and a list of keys, so that it can be written anew without loss."""


class KeyFile:
    """One JSON object of provider ids and keys; a link to it is followed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> StoredKeys:
        """The keys in the file; what cannot be used is left out and told.

        A file that others can read is closed to them at once. One that belongs to
        somebody else is not used: whoever put it there would see what is asked with it.
        """
        try:
            # Non-blocking, for a pipe would be waited for.
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return StoredKeys()
        except OSError as error:
            return self._unusable(f"cannot be read: {error.strerror}")
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return self._unusable("is not a file")
            if os.name == "posix" and found.st_uid != os.geteuid():
                return self._unusable("belongs to another user")
            told = self._closed_to_others(handle, found.st_mode)
            with os.fdopen(handle, "rb", closefd=False) as file:
                return self._understood(file.read(_LARGEST + 1), told)
        finally:
            os.close(handle)

    def keep(self, provider_id: str, key: Secret) -> None:
        """Keep the key, in place of one that was there before.

        Raises:
            TodoError: the file cannot be written, or is no key file of this user.
        """
        # Only those who write the file need locks and temporary files.
        from todo_tui.config.private_files import changing

        with changing(self.path) as write:
            write(self._text(self._present() | {provider_id: key}))

    def remove(self, provider_id: str) -> bool:
        """Remove the key; whether there was one.

        Raises:
            TodoError: as `keep`.
        """
        if provider_id not in self._present():
            return False
        from todo_tui.config.private_files import changing  # as in `keep`

        with changing(self.path) as write:
            keys = self._present()
            removed = keys.pop(provider_id, None) is not None
            write(self._text(keys))
        return removed

    def _present(self) -> dict[str, Secret]:
        """The keys in the file, which is about to be written anew.

        Raises:
            TodoError: it is no key file of this user.
        """
        stored = self.read()
        if not stored.readable:
            (problem,) = stored.problems
            raise TodoError(problem.message, hint=problem.hint)
        return dict(stored.keys)

    def _text(self, keys: Mapping[str, Secret]) -> str:
        return json.dumps({name: key.reveal() for name, key in keys.items()}, indent=2) + "\n"

    def _closed_to_others(self, handle: int, mode: int) -> tuple[ConfigProblem, ...]:
        """Close the file to everybody else; what is to be said if it was open."""
        if os.name != "posix" or not stat.S_IMODE(mode) & 0o077:
            return ()
        try:
            os.fchmod(handle, 0o600)
        except OSError:
            return (self._problem("can be read by others", f"Run: chmod 600 {self.path}"),)
        cure = "If anybody else uses this machine, get new keys for those in it."
        return (self._problem("could be read by others until now", cure),)

    def _understood(self, data: bytes, told: tuple[ConfigProblem, ...]) -> StoredKeys:
        try:
            table: object = json.loads(data) if len(data) <= _LARGEST else None
        except (ValueError, RecursionError):
            table = None
        if not isinstance(table, dict):
            return self._unusable("is not a list of keys")
        keys: dict[str, Secret] = {}
        problems = list(told)
        for name, text in table.items():
            try:
                keys[name] = Secret(text if isinstance(text, str) else "")
            except ConfigError:
                cure = f"Run: todo-tui keys set {shown(name)}"
                problems.append(self._problem(f"holds no usable key for {shown(name)}", cure))
        return StoredKeys(keys, tuple(problems))

    def _unusable(self, reason: str) -> StoredKeys:
        cure = "Move it away, then set your keys again: todo-tui keys set --help"
        return StoredKeys(problems=(self._problem(reason, cure),), readable=False)

    def _problem(self, reason: str, cure: str) -> ConfigProblem:
        return ConfigProblem(f"The key file {self.path} {reason}.", cure)
