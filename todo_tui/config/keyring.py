"""API keys in the system keyring (extra `keyring`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from todo_tui.domain.errors import ConfigError, TodoError, Unauthorized
from todo_tui.domain.secret import Secret

_Answer = TypeVar("_Answer")

SERVICE = "todo-tui"
"""What its entries are filed under; the user name of an entry is the id of its provider."""

KEYRING_NAME = "the system keyring"


class SystemKeyring:
    """The keyring, asked once for each provider.

    Asking imports a package, may take seconds and may put a question to the person:
    never before the first frame, never for a provider that is not needed, and off
    the event loop.
    """

    def __init__(self) -> None:
        self._found: dict[str, Secret | None] = {}
        self._asking = threading.Lock()

    def find(self, provider_id: str) -> Secret | None:
        """The key of that provider; None where there is none, or no keyring.

        Raises:
            Unauthorized: the keyring is locked or does not answer.
        """
        with self._asking:
            if provider_id not in self._found:
                self._found[provider_id] = _looked_up(provider_id)
            return self._found[provider_id]

    def keep(self, provider_id: str, key: Secret) -> None:
        """Keep the key there, in place of one that was there before.

        Raises:
            TodoError: there is no keyring, or it does not take the key.
        """
        if not keyring_installed():
            raise TodoError(
                "The package `keyring` is not installed.",
                hint="Run: pip install 'todo-tui[keyring]', or leave out --keyring.",
            )
        import keyring  # a tenth of a second, for the few who use it

        _answer(lambda: keyring.set_password(SERVICE, provider_id, key.reveal()))
        self._found[provider_id] = key

    def remove(self, provider_id: str) -> bool:
        """Remove the key; whether there was one.

        Raises:
            Unauthorized: the keyring is locked or does not answer.
        """
        if self.find(provider_id) is None:
            return False
        import keyring  # as in `keep`

        _answer(lambda: keyring.delete_password(SERVICE, provider_id))
        self._found[provider_id] = None
        return True

    @property
    def known(self) -> tuple[Secret, ...]:
        """The keys that were found so far, for taking them out of a log."""
        return tuple(key for key in self._found.values() if key is not None)


def keyring_installed() -> bool:
    """Return true if the package is installed, without importing it."""
    from importlib.util import find_spec  # few ask

    return find_spec("keyring") is not None


def _looked_up(provider_id: str) -> Secret | None:
    if not keyring_installed():
        return None
    import keyring  # as in `keep`
    from keyring.errors import NoKeyringError

    try:
        text = _answer(lambda: keyring.get_password(SERVICE, provider_id))
    except Unauthorized as error:
        if isinstance(error.__cause__, NoKeyringError):
            return None
        raise
    try:
        return Secret(text) if text else None
    except ConfigError as error:
        raise Unauthorized(
            f"What {KEYRING_NAME} holds for {provider_id} is no key.",
            hint=f"Run: todo-tui keys set {provider_id} --keyring",
        ) from error


def _answer(ask: Callable[[], _Answer]) -> _Answer:
    """Call the keyring.

    Raises:
        Unauthorized: it is locked, or failed otherwise.
    """
    try:
        return ask()
    except Exception as error:
        # Behind the package stand other people's backends, each with errors of its own;
        # their words are left out, since they may quote what they were given.
        raise Unauthorized(
            f"{KEYRING_NAME.capitalize()} cannot be used ({type(error).__name__}).",
            hint="Unlock it, or keep the key in the key file or in a variable.",
        ) from error
