"""API keys in the system keyring (extra `keyring`)."""

import threading
from importlib.util import find_spec

from todo_tui.domain.errors import ConfigError, TodoError, Unauthorized
from todo_tui.domain.extras import install_command
from todo_tui.domain.secret import Secret

SERVICE = "todo-tui"
"""Service of its entries; the user name of an entry is the id of its provider."""
KEYRING_NAME = "the system keyring"


class SystemKeyring:
    """The keyring, with a cache: it is asked once for each provider, until it is to ask again.

    Asking imports a package, may take seconds and may open a dialog: never before the
    first frame, never for a provider that is not needed, and off the event loop.
    """

    def __init__(self) -> None:
        self._cache: dict[str, Secret | None] = {}
        self._earlier: tuple[Secret, ...] = ()
        self._lock = threading.Lock()

    def find(self, provider_id: str) -> Secret | None:
        """Return the key of a provider; None if there is none, or no keyring.

        Raises:
            Unauthorized: the keyring is locked or does not answer.
        """
        with self._lock:
            if provider_id not in self._cache:
                self._cache[provider_id] = _look_up(provider_id)
            return self._cache[provider_id]

    def ask_again(self, provider_id: str) -> None:
        """Ask for the key of a provider anew when it is needed next."""
        with self._lock:
            key = self._cache.pop(provider_id, None)
            if key is not None and key not in self._earlier:
                self._earlier += (key,)

    def keep(self, provider_id: str, key: Secret) -> None:
        """Store the key, in place of an earlier one.

        Raises:
            TodoError: there is no keyring, or it does not take the key.
        """
        if not keyring_installed():
            raise TodoError(
                "The package `keyring` is not installed.",
                hint=f"Run: {install_command('keyring')}, or leave out --keyring.",
            )
        _ask("set_password", provider_id, key.reveal())
        self._cache[provider_id] = key

    def remove(self, provider_id: str) -> bool:
        """Remove the key; return True if there was one.

        Raises:
            Unauthorized: the keyring is locked or does not answer.
        """
        if self.find(provider_id) is None:
            return False
        _ask("delete_password", provider_id)
        self._cache[provider_id] = None
        return True

    @property
    def known(self) -> tuple[Secret, ...]:
        """Keys that were found so far, to remove them from a log."""
        return *self._earlier, *(key for key in self._cache.values() if key is not None)


def keyring_installed() -> bool:
    """Return True if the package is installed, without importing it."""
    return find_spec("keyring") is not None


def _look_up(provider_id: str) -> Secret | None:
    if not keyring_installed():
        return None
    text = _ask("get_password", provider_id)
    try:
        return Secret(text) if text else None
    except ConfigError as error:
        raise Unauthorized(
            f"The key for {provider_id} in {KEYRING_NAME} is invalid.",
            hint=f"Run: todo-tui keys set {provider_id} --keyring",
        ) from error


def _ask(function: str, *args: str) -> str | None:
    """Call a function of the keyring; return None if there is no keyring to read."""
    import keyring  # 100 ms, for the few who use it

    try:
        answer: str | None = getattr(keyring, function)(SERVICE, *args)
    except Exception as error:
        if function == "get_password" and isinstance(error, keyring.errors.NoKeyringError):
            return None
        # Backends of other authors raise errors of their own, whose messages may quote the
        # key.
        raise Unauthorized(
            f"Cannot access {KEYRING_NAME} ({type(error).__name__}).",
            hint="Unlock it, or set the key in the key file or an environment variable.",
        ) from error
    return answer
