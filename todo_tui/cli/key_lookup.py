"""The last place in which a provider's key is looked for: the system keyring."""

from __future__ import annotations

from dataclasses import replace

from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.config.system_keyring import KEYRING_NAME, keyring_installed
from todo_tui.providers.registry import ProviderRow


def asks_keyring(row: ProviderRow) -> bool:
    """Whether the keyring is asked for a key of that provider at all.

    A server nearby that needs none is not worth the seconds, and the question that
    the keyring may put to the person.
    """
    return row.needs_key or row.remote


def may_be_in_keyring(settings: Settings, row: ProviderRow, found: ProviderSettings) -> bool:
    """Whether the keyring would be asked for the key of a provider; it is not."""
    if found.has_key or settings.keyring is None or not asks_keyring(row):
        return False
    return keyring_installed()


def with_keyring(settings: Settings, row: ProviderRow, found: ProviderSettings) -> ProviderSettings:
    """The settings of a provider, with its key from the keyring if it has none.

    Slow, and may put a question to the person: only when the provider is needed, and
    off the event loop.

    Raises:
        Unauthorized: the keyring is locked or does not answer.
    """
    if found.has_key or settings.keyring is None or not asks_keyring(row):
        return found
    for name in row.key_names:
        key = settings.keyring.find(name)
        if key is not None:
            return replace(found, key=key, key_source=KEYRING_NAME)
    return found
