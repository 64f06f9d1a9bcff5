"""Where the key of a provider is looked for: variables, the key file, the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from todo_tui.config.environment import Environment, variable_prefix
from todo_tui.config.file import ConfigFile
from todo_tui.config.settings import ProviderDefaults
from todo_tui.config.sources import Source, SourceKind
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret


class FoundKey(NamedTuple):
    """A key, where it was found, and whether it is a bearer token."""

    key: Secret
    source: Source
    bearer: bool = False


class KeySearch:
    """Looks for one provider's key in its own places; no other provider is given it.

    The environment comes first, because it is how a key is lent to one run; then the key
    file, which is made for keys; then the configuration file. The system keyring comes
    last and is not asked here, since that is slow: see `SystemKeyring`.
    """

    def __init__(
        self,
        env: Environment,
        file: ConfigFile,
        stored: Mapping[str, Secret],
        key_file: Path,
        *,
        variables_only: bool = False,
    ) -> None:
        self._env = env
        self._file = file
        self._stored = stored
        self._key_file = key_file
        self._variables_only = variables_only

    def find(self, row: ProviderDefaults) -> FoundKey | None:
        """The key of that provider, or None; what cannot be used is noted and passed over."""
        return self._in_environment(row) or self._in_key_file(row) or self._in_file(row)

    def _in_environment(self, row: ProviderDefaults) -> FoundKey | None:
        """The key in a variable, else a token in one.

        With both set the key wins: it is for this API alone and does not expire, while
        a token is often left over from the login of another program. To send both is
        an error to the API.
        """
        own = f"{variable_prefix(row.id)}_API_KEY"
        names = dict.fromkeys((own, *row.key_variables), False)
        for name, bearer in (names | dict.fromkeys(row.token_variables, True)).items():
            text = self._env.text(name)
            if text is None:
                continue
            try:
                key = Secret(text, name=name)
            except ConfigError as error:
                self._file.unusable(name, error.hint or "")
                continue
            return FoundKey(key, Source(SourceKind.VARIABLE, name), bearer)
        return None

    def _in_key_file(self, row: ProviderDefaults) -> FoundKey | None:
        keys = (self._stored[name] for name in row.key_names if name in self._stored)
        source = Source(SourceKind.KEY_FILE, str(self._key_file))
        return next((FoundKey(key, source) for key in keys), None)

    def _in_file(self, row: ProviderDefaults) -> FoundKey | None:
        path = ("providers", row.id, "api_key")
        text = self._file.find(path)
        if text is None:
            return None
        if self._variables_only:
            cure = "Take the key out, or change `store` under [keys]."
            self._file.wrong(path, cure, 'is not used: `store` is "environment"')
            return None
        if not isinstance(text, str):
            self._file.wrong(path, "Write the key in quotes.")
            return None
        try:
            key = Secret(text)
        except ConfigError as error:
            self._file.wrong(path, error.hint or "")
            return None
        return FoundKey(key, Source(SourceKind.FILE, str(self._file.path), path))
