"""Settings of each provider: address, key search, custom providers."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from todo_tui.config.declaration import Setting
from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.key_file import KeyFile
from todo_tui.config.kinds import shorten_for_message
from todo_tui.config.provider_row import ProviderRow, custom_provider, variable_prefix
from todo_tui.config.resolver import SettingResolver, Source, SourceKind
from todo_tui.config.settings import (
    CUSTOM_PROVIDER_SETTINGS,
    PROVIDER_SETTINGS,
    CustomProviderSettings,
    KeyStore,
    ProviderSettings,
)
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret
from todo_tui.domain.text import similar

_ID = r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?"
_INVALID_ADDRESS = "(cannot be read)"
"""Stands in for an address that is lost, so that nothing is sent to the usual one."""
_OLLAMA_PORT = 11434
_FOUND_SEPARATELY = ("api_key", "base_url")
"""Keys of settings with more places than a flag, a variable and the file."""


class FoundKey(NamedTuple):
    """API key with its source."""

    key: Secret
    source: Source
    bearer: bool = False
    """True for a bearer token."""


def read_providers(
    resolver: SettingResolver,
    rows: Sequence[ProviderRow],
    key_path: Path,
    key_store: KeyStore,
    timeout: float,
) -> dict[str, ProviderSettings]:
    """Return the settings of each provider, by its id; `timeout` is for those without their own."""
    stored: Mapping[str, Secret] = {}
    if key_store is not KeyStore.ENVIRONMENT and os.path.lexists(key_path):
        contents = KeyFile(key_path).read()
        resolver.file.problems.extend(contents.problems)
        stored = contents.keys
    lost = resolver.file.addresses_lost([row.id for row in rows])
    reader = _ProviderReader(resolver, stored, key_path, key_store, timeout, lost)
    return {row.id: reader.read(row) for row in rows}


class _ProviderReader(NamedTuple):
    """Reads the settings of one provider after the other; none is given another one's key.

    A key is looked for in the environment first, because it is how a key is lent to one
    run; then in the key file, which is made for keys; then in the configuration file. The
    system keyring comes last and is not asked here, since that is slow: see
    `SystemKeyring`.
    """

    resolver: SettingResolver
    stored_keys: Mapping[str, Secret]
    key_path: Path
    key_store: KeyStore
    timeout: float
    """Seconds, of all providers that have none of their own."""
    addresses_lost: Collection[str]
    """Ids whose address could not be read."""

    def read(self, row: ProviderRow) -> ProviderSettings:
        """Return the settings of one provider."""
        values: dict[str, Any] = {
            setting.attribute: self.resolver.value(setting)
            for setting in _list_provider_settings(row.id)
            if setting.key not in _FOUND_SEPARATELY
        }
        values["model"] = values["model"] or row.default_model
        if f"providers.{row.id}.timeout" not in self.resolver.sources:
            values["timeout"] = self.timeout
        command: tuple[str, ...] = values["token_command"]
        api_key = self._key_in_environment(row) or self._stored_key(row) or self._key_in_file(row)
        if api_key is not None:
            self.resolver.sources[f"providers.{row.id}.api_key"] = api_key.source
            if command and api_key.source.kind is SourceKind.FILE:
                self.resolver.file.note_invalid(
                    ("providers", row.id, "token_command"),
                    "Remove one of the two.",
                    "is ignored because `api_key` is set",
                )
        # The arguments of a command may be private.
        command_name = f"the command {command[0]}" if command else None
        source, address = self._address(row)
        is_variable = source is not None and source.kind is SourceKind.VARIABLE
        address_source = source.name if source and is_variable else f"`base_url` of {row.id}"
        return ProviderSettings(
            **values,
            base_url=address or row.base_url,
            is_address_lost=source is None and address is not None,
            base_url_source="" if address is None else address_source,
            key=api_key.key if api_key else None,
            key_source=api_key.source.name if api_key else command_name,
            bearer=api_key is not None and api_key.bearer,
            # `OLLAMA_HOST` is one of another program: it tells where Ollama runs, and
            # nothing of what may be sent there.
            host_named=source is not None and source.name != "OLLAMA_HOST",
        )

    def _key_in_environment(self, row: ProviderRow) -> FoundKey | None:
        """Return the key in a variable, else a token in one.

        With both set the key wins: it is for this API alone and does not expire, while
        a token is often left over from the login of another program. To send both is
        an error to the API.
        """
        own = f"{variable_prefix(row.id)}_API_KEY"
        names = dict.fromkeys((own, *row.key_variables), False)
        for name, bearer in (names | dict.fromkeys(row.token_variables, True)).items():
            text = self.resolver.variable(name)
            if text is None:
                continue
            try:
                return FoundKey(Secret(text, name=name), Source(SourceKind.VARIABLE, name), bearer)
            except ConfigError as error:
                self.resolver.file.note_outside(name, error.hint or "")
        return None

    def _stored_key(self, row: ProviderRow) -> FoundKey | None:
        source = Source(SourceKind.KEY_FILE, str(self.key_path))
        names = (name for name in row.key_names if name in self.stored_keys)
        return next((FoundKey(self.stored_keys[name], source) for name in names), None)

    def _key_in_file(self, row: ProviderRow) -> FoundKey | None:
        path = ("providers", row.id, "api_key")
        text = self.resolver.file.find(path)
        if text is None:
            return None
        if self.key_store is KeyStore.ENVIRONMENT:
            hint = "Remove the key, or change `store` under [keys]."
            self.resolver.file.note_invalid(path, hint, 'is ignored: `store` is "environment"')
        elif not isinstance(text, str):
            self.resolver.file.note_invalid(path, "Put the key in quotes.")
        else:
            try:
                return FoundKey(Secret(text), self.resolver.in_file(path))
            except ConfigError as error:
                self.resolver.file.note_invalid(path, error.hint or "")
        return None

    def _address(self, row: ProviderRow) -> tuple[Source | None, str | None]:
        """Return source and text of the address that is set, valid or not; None if none is."""
        path = ("providers", row.id, "base_url")
        name = f"{variable_prefix(row.id)}_BASE_URL"
        written = self.resolver.file.find(path)
        host = self.resolver.variable("OLLAMA_HOST") if row.id == "ollama" else None
        if (address := self.resolver.variable(name)) is not None:
            source = Source(SourceKind.VARIABLE, name)
        elif written is not None:
            source, address = self.resolver.in_file(path), _normalize_address(written)
        elif row.id in self.addresses_lost:
            return None, _INVALID_ADDRESS
        elif host is not None:
            source, address = Source(SourceKind.VARIABLE, "OLLAMA_HOST"), _ollama_address(host)
        else:
            return None, None
        self.resolver.sources[".".join(path)] = source
        if not _is_base_url(address):
            usual = row.base_url if _is_base_url(row.base_url) else "https://api.example.com/v1"
            hint = f"Use the form {usual}. Until then {row.id} is unavailable."
            if source.path:
                self.resolver.file.note_invalid(source.path, hint)
            else:
                self.resolver.file.note_outside(f"The address of {row.id} ({source.name})", hint)
        return source, address


def read_custom_providers(
    resolver: SettingResolver, built_in: Sequence[ProviderRow]
) -> Iterator[ProviderRow]:
    """Yield the usable custom providers in file order; problems are noted in the file."""
    known = {row.id for row in built_in}
    taken: dict[str, str] = {}
    for row in built_in:
        own = f"{variable_prefix(row.id)}_API_KEY"
        for variable in (own, *row.key_variables, *row.token_variables):
            taken.setdefault(variable, row.id)
    for name, table in resolver.file.table("providers").items():
        if name not in known and isinstance(table, Mapping):
            mistake = _find_mistake(name, table, known, taken)
            if mistake is None:
                yield _read_custom_provider(resolver, name)
            else:
                resolver.file.note(("providers", name), *mistake)


def _find_mistake(
    name: str, table: Mapping[str, object], known: set[str], taken: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return message and hint if there can be no provider of that name, else None."""
    meant = similar(name, known, most=1)
    if meant and "base_url" not in table:
        return (
            f"Unknown provider `{shorten_for_message(name)}`.",
            f"Did you mean `{meant[0]}`? A custom provider needs a `base_url`.",
        )
    if not re.fullmatch(_ID, name):
        hint = "Use lowercase letters, digits and dashes, starting with a letter."
        return f"Invalid provider name `{shorten_for_message(name)}`.", hint
    if "base_url" not in table:
        known_ids = f"Built-in providers: {', '.join(sorted(known))}."
        message = f"Unknown provider `{name}`: a custom provider needs a `base_url`."
        return message, f'Add base_url = "https://…" below it. {known_ids}'
    prefix = variable_prefix(name)
    owner = taken.get(f"{prefix}_API_KEY")
    if owner or prefix == "TODO_TUI":
        whose = f"used by {owner}" if owner else "reserved"
        variable = f"{prefix}_API_KEY" if owner else f"{prefix}_MODEL"
        return (
            f"Invalid provider name `{name}`: its variable {variable} is {whose}.",
            "Choose another name.",
        )
    return None


def _list_provider_settings(
    provider_id: str, settings: Sequence[Setting] = PROVIDER_SETTINGS
) -> Iterator[Setting]:
    """Yield the settings as those of one provider: `providers.groq.model`, `GROQ_MODEL`."""
    prefix = variable_prefix(provider_id)
    for setting in settings:
        variable = setting.variable.replace("<ID>", prefix)
        yield setting._replace(table=f"providers.{provider_id}", variable=variable)


def _read_custom_provider(resolver: SettingResolver, provider_id: str) -> ProviderRow:
    declared = _list_provider_settings(provider_id, CUSTOM_PROVIDER_SETTINGS)
    own = CustomProviderSettings(
        **{setting.attribute: resolver.value(setting) for setting in declared}
    )
    # Settings that every provider has are read, and noted if invalid, with the others.
    table = resolver.file.table("providers", provider_id)
    model = next(setting for setting in PROVIDER_SETTINGS if setting.key == "model")
    return custom_provider(
        provider_id,
        label=own.label or provider_id,
        wire=own.wire,
        base_url=_normalize_address(table.get("base_url")),
        key_variable=own.key_variable,
        model=model.kind.parse(table.get("model")) or "",
        needs_key=bool(own.key_variable) if own.needs_key is None else own.needs_key,
    )


def _is_base_url(text: str) -> bool:
    try:
        parse_endpoint(text, "base_url")
    except ConfigError:
        return False
    return True


def _normalize_address(value: object) -> str:
    """Return an address as it stands in the file, whatever it is; never empty.

    One that cannot be used is kept, so that opening its provider fails: falling back to
    the usual address would send the key to a server that the person turned away from.
    """
    text = value.strip() if isinstance(value, str) else ""
    return text or _INVALID_ADDRESS


def _ollama_address(host: str) -> str:
    """Return the OpenAI-compatible address at `OLLAMA_HOST`, which may lack scheme and port."""
    scheme, _, rest = host.rpartition("://")
    address = re.fullmatch(r"(\[[^\]]*\]|[^:/]*)(?::(\d+))?(/.*)?", rest)
    if address is None:
        return host
    name, port, path = address.groups()
    default_port = {"http": 80, "https": 443}.get(scheme, _OLLAMA_PORT)
    # Servers are told to listen everywhere by these; a client asks its own machine.
    name = "127.0.0.1" if name in ("", "0.0.0.0", "[::]") else name  # noqa: S104
    folder = (path or "").rstrip("/").removesuffix("/v1")
    return f"{scheme or 'http'}://{name}:{port or default_port}{folder}/v1"
