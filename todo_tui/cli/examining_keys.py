"""Doctor's look at where keys are kept; what is wrong there is a mistake of the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from todo_tui.cli.findings import Finding, good, neutral
from todo_tui.config.key_file import KeyFile
from todo_tui.config.settings import KeyStore, Settings
from todo_tui.config.system_keyring import keyring_installed


def key_findings(settings: Settings, path: Path) -> Iterator[Finding]:
    """The key file at `path` and the system keyring; the keyring itself is not asked."""
    if settings.key_store is KeyStore.ENVIRONMENT:
        yield neutral("keys are taken from variables alone, as the configuration says")
        return
    if path.exists():
        yield from _present_file(path)
    else:
        yield neutral(f"no key file; `todo-tui keys set` makes one at {path}")
    if keyring_installed():
        yield good("the package for the system keyring is installed")
    else:
        yield neutral("no system keyring: pip install 'todo-tui[keyring]' lets it keep keys")


def _present_file(path: Path) -> Iterator[Finding]:
    stored = KeyFile(path).read()
    if stored.problems:
        # Told among the mistakes of the settings, which have read the file too.
        return
    keys = "1 key" if len(stored.keys) == 1 else f"{len(stored.keys)} keys"
    yield good(f"key file: {path}, {keys}, readable by you alone")
