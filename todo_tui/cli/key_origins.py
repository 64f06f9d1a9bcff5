"""Where the key of each provider comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from todo_tui.cli import wiring
from todo_tui.cli.key_lookup import with_keyring
from todo_tui.cli.session import Session
from todo_tui.config.key_file import KeyFile
from todo_tui.config.loading import key_path, read_configuration
from todo_tui.config.settings import KeyStore, Settings
from todo_tui.config.sources import Source
from todo_tui.config.system_keyring import KEYRING_NAME
from todo_tui.domain.errors import Unauthorized
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import PROVIDERS, ProviderRow

_COMMAND, _KEYRING = "command", "keyring"


@dataclass(frozen=True, slots=True)
class KeyOrigin:
    """Where the key of one provider comes from; `source` is None where there is none."""

    provider_id: str
    label: str
    needs_key: bool
    variable: str
    source: str | None = None
    kind: str | None = None
    """`variable`, `key file`, `file` (the configuration), `command` or `keyring`."""
    remark: str = ""
    """What to do, or what is wrong."""

    def to_json(self) -> JsonValue:
        """It for programs."""
        return {
            "id": self.provider_id,
            "label": self.label,
            "needs_key": self.needs_key,
            "key_variable": self.variable or None,
            "key_source": self.source,
            "kind": self.kind,
            "remark": self.remark or None,
        }


def key_origins(session: Session) -> list[KeyOrigin]:
    """Those of all providers that take a key, then what is kept for nobody.

    The keyring is asked for those that need a key and have none elsewhere.
    """
    rows = [row for row in wiring.rows_in(session.settings) if row.base_url]
    told = read_configuration(session.flags, os.environ, PROVIDERS, session.machine).sources
    origins = [_origin(session.settings, row, told) for row in rows]
    return [*origins, *_of_nobody(session)]


def _origin(settings: Settings, row: ProviderRow, told: Mapping[str, Source]) -> KeyOrigin:
    source, kind, remark = None, None, ""
    try:
        found = with_keyring(settings, row, settings.providers[row.id])
        source = found.key_source
    except Unauthorized as error:
        remark = f"{error.message} {error.hint or ''}"
    if source is not None:
        place = told.get(f"providers.{row.id}.api_key")
        kind = place.kind.value if place else _KEYRING if source == KEYRING_NAME else _COMMAND
    elif not remark:
        kept = settings.key_store is not KeyStore.ENVIRONMENT
        how = f"set {row.key_variable}{f', or: todo-tui keys set {row.id}' if kept else ''}"
        remark = how if row.needs_key else "needs none"
    return KeyOrigin(row.id, row.label, row.needs_key, row.key_variable, source, kind, remark)


def _of_nobody(session: Session) -> Iterator[KeyOrigin]:
    """Keys in the file whose provider is no longer described."""
    known = {row.id for row in wiring.rows_in(session.settings)}
    path = key_path(session.machine)
    for provider_id in KeyFile(path).read().keys:
        if provider_id not in known:
            remark = f"no such provider: todo-tui keys remove {provider_id}"
            yield KeyOrigin(provider_id, "–", False, "", str(path), "key file", remark)
