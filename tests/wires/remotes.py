"""Providers that are reached over a network: ours, and one of the user's own per wire format."""

from __future__ import annotations

from dataclasses import dataclass, replace

from todo_tui.config.provider_row import custom_provider
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import Provider
from todo_tui.domain.secret import Secret
from todo_tui.providers.factory import open_provider, wire_format
from todo_tui.providers.registry import PROVIDERS, ProviderRow, Wire
from todo_tui.providers.server import Server, servers_of
from todo_tui.providers.wire_formats.wire_format import WireFormat

KEY = "gsk_0123456789abcdef"

OWN = tuple(
    custom_provider(
        f"own-{wire}", f"Own {wire}", wire, "https://api.example.com/v1", needs_key=True
    )
    for wire in ("chat", "responses", "messages")
)


@dataclass(frozen=True, slots=True, repr=False)
class Remote:
    """Row of the registry, with a model."""

    row: ProviderRow
    model: str

    def __repr__(self) -> str:
        return f"<{self.origin}>"

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def wire(self) -> Wire:
        return self.row.wire

    @property
    def origin(self) -> str:
        return f"{self.id}:{self.model}"

    @property
    def llmock_path(self) -> str:
        """Path that this row's base URL has on LLMock."""
        if self.id == "groq":
            return "/groq"
        return {Wire.MESSAGES: "/anthropic", Wire.GEMINI: "/gemini"}.get(self.wire, "/v1")

    def at(self, url: str, **settings: object) -> Provider:
        """Return the provider at that address; `settings` are fields of ProviderSettings."""
        return open_provider(self.row, self.settings(base_url=url, **settings))

    def settings(self, **fields: object) -> ProviderSettings:
        """Return settings with a key, the model and other values."""
        named: dict[str, object] = {"key": Secret(KEY), "model": self.model, **fields}
        return ProviderSettings(**named)  # type: ignore[arg-type]  # its fields by name

    def server(self, **settings: object) -> Server:
        """Return the first server of the row."""
        return servers_of(self.row, self.settings(**settings))[0]

    def wire_format(self, **settings: object) -> WireFormat:
        """Return the row's wire format."""
        return wire_format(self.row, self.settings(**settings))


REMOTES = tuple(
    Remote(row, row.default_model or "qwen3.5") for row in (*PROVIDERS, *OWN) if row.base_url
)
"""All rows, in the order of the registry."""

ONE_A_CLIENT = tuple(
    each
    for each in REMOTES
    if each.id in ("openai", "groq", "gemini", "gemini-native", "anthropic", "local")
)
"""One row for each wire format, and for each SDK and dialect of the one that has several."""

_OTHER_MODELS = {
    "openai": "gpt-6.1-terra",
    "groq": "qwen/qwen3.8-27b",
    "gemini": "gemini-3.8-flash",
    "gemini-native": "gemini-3.8-flash",
    "anthropic": "claude-sonnet-5-5",
    "ollama": "gpt-oss",
}
ORIGINS = (
    *REMOTES,
    *(replace(each, model=_OTHER_MODELS[each.id]) for each in REMOTES if each.id in _OTHER_MODELS),
)
"""The same, plus other models of some rows, whose thinking must not be replayed."""


def remote(row_id: str) -> Remote:
    """Return the row with that id."""
    return next(each for each in REMOTES if each.id == row_id)
