"""Settings of each provider: address, key search, custom providers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from todo_tui.config import catalogue
from todo_tui.config.catalogue import Setting
from todo_tui.config.file import ConfigFile, closest_name
from todo_tui.config.resolver import (
    Environment,
    SettingResolver,
    Source,
    SourceKind,
    variable_prefix,
)
from todo_tui.config.settings import CustomProvider, ProviderDefaults, ProviderSettings
from todo_tui.config.values import (
    INVALID_ADDRESS,
    is_base_url,
    normalize_address,
    ollama_address,
    shorten_for_message,
)
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret

_ID = r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?"
_OURS = "TODO_TUI"
"""What the variables of the program itself begin with."""
_Value = TypeVar("_Value")


class FoundKey(NamedTuple):
    """A key, where it was found, and whether it is a bearer token."""

    key: Secret
    source: Source
    bearer: bool = False


class KeyFinder:
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
            self._file.note_invalid(path, cure, 'is not used: `store` is "environment"')
            return None
        if not isinstance(text, str):
            self._file.note_invalid(path, "Write the key in quotes.")
            return None
        try:
            key = Secret(text)
        except ConfigError as error:
            self._file.note_invalid(path, error.hint or "")
            return None
        return FoundKey(key, Source(SourceKind.FILE, str(self._file.path), path))


def read_custom_providers(
    file: ConfigFile, rows: Sequence[ProviderDefaults]
) -> tuple[CustomProvider, ...]:
    """Return the usable custom providers in file order; problems are noted in `file`."""
    return tuple(_readable(file, rows))


def _readable(file: ConfigFile, rows: Sequence[ProviderDefaults]) -> Iterator[CustomProvider]:
    known = {row.id for row in rows}
    taken: dict[str, str] = {}
    for row in rows:
        own = f"{variable_prefix(row.id)}_API_KEY"
        for variable in (own, *row.key_variables, *row.token_variables):
            taken.setdefault(variable, row.id)
    for name, table in file.table("providers").items():
        if name not in known and isinstance(table, Mapping):
            mistake = _mistake(name, table, known, taken)
            if mistake is None:
                yield _own(file, name)
            else:
                file.note(("providers", name), *mistake)


def _mistake(
    name: str, table: Mapping[str, object], known: set[str], taken: Mapping[str, str]
) -> tuple[str, str] | None:
    """Why there can be no provider of that name, and the cure; None where there can."""
    meant = closest_name(name.lower(), known)
    if meant and "base_url" not in table:
        return (
            f"There is no provider `{shorten_for_message(name)}`.",
            f"Did you mean `{meant}`? One of your own needs a `base_url`.",
        )
    if not re.fullmatch(_ID, name):
        cure = "Use small letters, digits and dashes, beginning with a letter."
        return f"`{shorten_for_message(name)}` cannot be the name of a provider.", cure
    if "base_url" not in table:
        known_ids = f"Built in are: {', '.join(sorted(known))}."
        message = f"`{name}` is not a provider: one of your own needs a `base_url`."
        return message, f'Add base_url = "https://…" below it. {known_ids}'
    prefix = variable_prefix(name)
    owner = taken.get(f"{prefix}_API_KEY")
    if owner or prefix == _OURS:
        whose = f"that of {owner}" if owner else "one of the program's own"
        variable = f"{prefix}_API_KEY" if owner else f"{prefix}_MODEL"
        return (
            f"`{name}` cannot be the name of a provider: its variable {variable} is {whose}.",
            "Give it another name.",
        )
    return None


def _own(file: ConfigFile, provider_id: str) -> CustomProvider:
    path = ("providers", provider_id)
    variable = file.value((*path, "key_variable"), catalogue.KEY_VARIABLE.kind) or ""
    needs_key = file.value((*path, "needs_key"), catalogue.NEEDS_KEY.kind)
    # What every provider has is read, and complained of, with the others.
    model = catalogue.ROW_MODEL.kind.of_toml(file.find((*path, "model")))
    return CustomProvider(
        id=provider_id,
        label=file.value((*path, "label"), catalogue.LABEL.kind) or provider_id,
        wire=file.value((*path, "wire"), catalogue.WIRE.kind) or "chat",
        base_url=normalize_address(file.find((*path, "base_url"))),
        key_variable=variable,
        model=model or "",
        needs_key=bool(variable) if needs_key is None else needs_key,
    )


class ProviderSettingsReader:
    """Reads the settings of one provider after the other."""

    def __init__(
        self,
        resolver: SettingResolver,
        keys: KeyFinder,
        *,
        timeout: float,
        addresses_lost: Collection[str],
    ) -> None:
        """Start from the timeout of all, and with the ids whose address could not be read."""
        self._resolver = resolver
        self._keys = keys
        self._timeout = timeout
        self._addresses_lost = addresses_lost

    def read(self, row: ProviderDefaults) -> ProviderSettings:
        """The settings of that provider."""
        found = self._keys.find(row)
        command = self._filed(row, catalogue.TOKEN_COMMAND) or ()
        self._note_key(row, found, command)
        address = self._address(row)
        return ProviderSettings(
            base_url=address or row.base_url,
            base_url_source="" if address is None else self._address_words(row),
            key=found.key if found else None,
            key_source=found.source.name if found else _command_words(command),
            bearer=found is not None and found.bearer,
            token_command=command,
            model=self._model(row) or row.default_model or "",
            timeout=self._filed(row, catalogue.ROW_TIMEOUT) or self._timeout,
            temperature=self._filed(row, catalogue.TEMPERATURE),
            max_output_tokens=self._filed(row, catalogue.MAX_OUTPUT_TOKENS),
            effort=self._filed(row, catalogue.EFFORT) or "",
            host_named=address is not None and self._names_host(row),
            allow_http=self._filed(row, catalogue.ALLOW_HTTP) or False,
        )

    def _note_key(
        self, row: ProviderDefaults, found: FoundKey | None, command: tuple[str, ...]
    ) -> None:
        if found is None:
            return
        self._resolver.sources[f"providers.{row.id}.api_key"] = found.source
        if command and found.source.kind is SourceKind.FILE:
            self._resolver.file.note_invalid(
                ("providers", row.id, "token_command"),
                "Take one of the two out.",
                "is not used beside `api_key`",
            )

    def _filed(self, row: ProviderDefaults, setting: Setting[_Value]) -> _Value | None:
        path = ("providers", row.id, setting.name)
        value = self._resolver.file.value(path, setting.kind)
        if value is not None:
            self._resolver.sources[".".join(path)] = self._resolver.in_file(path)
        return value

    def _variable(
        self, row: ProviderDefaults, setting: Setting[_Value]
    ) -> tuple[Source, str | None]:
        name = f"{variable_prefix(row.id)}_{setting.variable}"
        return Source(SourceKind.VARIABLE, name), self._resolver.env.text(name)

    def _model(self, row: ProviderDefaults) -> str | None:
        source, text = self._variable(row, catalogue.ROW_MODEL)
        if text is None:
            return self._filed(row, catalogue.ROW_MODEL)
        if catalogue.ROW_MODEL.kind.of_text(text) is None:
            hint = f"Set it to {catalogue.ROW_MODEL.kind.expected}, or unset it."
            self._resolver.file.unusable(source.name, hint)
            return self._filed(row, catalogue.ROW_MODEL)
        self._resolver.sources[f"providers.{row.id}.model"] = source
        return text

    def _address(self, row: ProviderDefaults) -> str | None:
        """The address that is set, usable or not; None where none is."""
        path = ("providers", row.id, "base_url")
        source, address = self._variable(row, catalogue.BASE_URL)
        written = self._resolver.file.find(path)
        host = self._resolver.env.text("OLLAMA_HOST") if row.id == "ollama" else None
        if address is None and written is not None:
            source, address = self._resolver.in_file(path), normalize_address(written)
        elif address is None and row.id in self._addresses_lost:
            return INVALID_ADDRESS
        elif address is None and host is not None:
            source, address = Source(SourceKind.VARIABLE, "OLLAMA_HOST"), ollama_address(host)
        if address is None:
            return None
        self._resolver.sources[".".join(path)] = source
        if not is_base_url(address):
            self._complain(row, source)
        return address

    def _names_host(self, row: ProviderDefaults) -> bool:
        """Return true if the base URL comes from a setting of this program.

        `OLLAMA_HOST` is one of another program: it tells where Ollama runs, and nothing of
        what may be sent there.
        """
        source = self._resolver.sources.get(f"providers.{row.id}.base_url")
        variable, _ = self._variable(row, catalogue.BASE_URL)
        if source is None:
            return False
        return source.kind is SourceKind.FILE or source.name == variable.name

    def _address_words(self, row: ProviderDefaults) -> str:
        source = self._resolver.sources.get(f"providers.{row.id}.base_url")
        is_variable = source is not None and source.kind is SourceKind.VARIABLE
        return source.name if source and is_variable else f"`base_url` of {row.id}"

    def _complain(self, row: ProviderDefaults, source: Source) -> None:
        usual = row.base_url if is_base_url(row.base_url) else "https://api.example.com/v1"
        hint = f"Write it as {usual}; until then {row.id} cannot be used."
        if source.path:
            self._resolver.file.note_invalid(source.path, hint)
        else:
            self._resolver.file.unusable(f"The address of {row.id} ({source.name})", hint)


def _command_words(command: tuple[str, ...]) -> str | None:
    """Return the name of a command for messages; its arguments may be private."""
    return f"the command {command[0]}" if command else None
