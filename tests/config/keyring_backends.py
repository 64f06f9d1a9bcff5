"""Keyrings that live in this process, for tests: one that works, one that is locked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class MemoryKeyring(KeyringBackend):
    """A keyring that forgets all when the process ends; `asked` counts the questions."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # as the package has it
        self.passwords: dict[tuple[str, str], str] = {}
        self.asked: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append(username)
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.passwords:
            raise PasswordDeleteError
        del self.passwords[service, username]


@contextmanager
def keyring_in_memory() -> Iterator[MemoryKeyring]:
    """In place of the keyring of the system."""
    before = keyring.get_keyring()
    backend = MemoryKeyring()
    keyring.set_keyring(backend)
    try:
        yield backend
    finally:
        keyring.set_keyring(before)


class LockedKeyring(KeyringBackend):
    """A keyring whose owner says no, in words that quote what it was given."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # as the package has it

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"no {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"no {password}")

    def delete_password(self, service: str, username: str) -> None:
        raise OSError("bus is gone")
