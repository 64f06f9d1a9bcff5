"""How each provider is reached, from its table in the file and its own variables."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from todo_tui.config import catalogue
from todo_tui.config.addresses import UNREADABLE, as_kept, is_address, ollama_address
from todo_tui.config.catalogue import Setting
from todo_tui.config.environment import variable_prefix
from todo_tui.config.key_search import FoundKey, KeySearch
from todo_tui.config.resolving import Resolver
from todo_tui.config.settings import ProviderDefaults, ProviderSettings
from todo_tui.config.sources import Source, SourceKind

_Value = TypeVar("_Value")


class ProviderReading:
    """Reads the settings of one provider after the other."""

    def __init__(
        self,
        resolver: Resolver,
        keys: KeySearch,
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
            self._resolver.file.wrong(
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
            source, address = self._resolver.in_file(path), as_kept(written)
        elif address is None and row.id in self._addresses_lost:
            return UNREADABLE
        elif address is None and host is not None:
            source, address = Source(SourceKind.VARIABLE, "OLLAMA_HOST"), ollama_address(host)
        if address is None:
            return None
        self._resolver.sources[".".join(path)] = source
        if not is_address(address):
            self._complain(row, source)
        return address

    def _names_host(self, row: ProviderDefaults) -> bool:
        """Whether the address comes from a setting of this program.

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
        usual = row.base_url if is_address(row.base_url) else "https://api.example.com/v1"
        hint = f"Write it as {usual}; until then {row.id} cannot be used."
        if source.path:
            self._resolver.file.wrong(source.path, hint)
        else:
            self._resolver.file.unusable(f"The address of {row.id} ({source.name})", hint)


def _command_words(command: tuple[str, ...]) -> str | None:
    """How people are told of a command; its arguments may hold what is private."""
    return f"the command {command[0]}" if command else None
