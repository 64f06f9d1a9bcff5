"""How servers differ whatever they speak: paths, hints, odd statuses; one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.providers.credentials import KeyHeader
from todo_tui.providers.registry import ProviderRow, Wire


@dataclass(frozen=True, slots=True)
class ServerTraits:
    """What a server expects around the requests themselves."""

    default_path: str = "/v1"
    """Added to a base URL that names a bare host."""
    dropped_path: str = ""
    """Cut from the end of a base URL, where the SDK appends it itself."""
    models_path: str = "/models"
    """Where it lists its models, after the path of the base URL."""
    models_headers: Mapping[str, str] = field(default_factory=dict)
    """What it wants to be told beside the key when it is asked for them."""
    key_header: KeyHeader = KeyHeader.BEARER
    long_statuses: frozenset[int] = frozenset()
    """HTTP statuses by which it also says that a request is too long."""
    hints: Mapping[ProviderErrorKind, str] = field(default_factory=dict)
    """What to do next about an error, where this server's users can do more than others."""


_GEMINI_LONG = frozenset({500, 504})

_BY_WIRE = {
    Wire.MESSAGES: ServerTraits(
        default_path="",
        dropped_path="/v1",
        # Without a limit it lists the first twenty.
        models_path="/v1/models?limit=1000",
        models_headers={"anthropic-version": "2023-06-01"},
        key_header=KeyHeader.ANTHROPIC,
    ),
    Wire.GEMINI: ServerTraits(
        default_path="",
        dropped_path="/v1beta",
        models_path="/v1beta/models?pageSize=1000",
        key_header=KeyHeader.GOOGLE,
        long_statuses=_GEMINI_LONG,
    ),
}

_BY_ID = {
    "groq": ServerTraits(
        default_path="", dropped_path="/openai/v1", models_path="/openai/v1/models"
    ),
    "gemini": ServerTraits(default_path="/v1beta/openai", long_statuses=_GEMINI_LONG),
    "ollama": ServerTraits(
        hints={
            ProviderErrorKind.NETWORK: "Start it with `ollama serve`, or set OLLAMA_HOST.",
            ProviderErrorKind.UNKNOWN_MODEL: "Run `ollama pull {model}`, or choose another model.",
            ProviderErrorKind.CONTEXT_TOO_LONG: (
                "Start a new conversation, or start Ollama with a larger OLLAMA_CONTEXT_LENGTH."
            ),
            ProviderErrorKind.TOOLS_UNSUPPORTED: "Choose a model that can, such as qwen3.5.",
        },
    ),
    "local": ServerTraits(
        hints={
            ProviderErrorKind.NETWORK: "Start the server, or set {base_url_variable} to another.",
            ProviderErrorKind.CONTEXT_TOO_LONG: (
                "Start a new conversation, or start the server with a larger context."
            ),
            ProviderErrorKind.TOOLS_UNSUPPORTED: (
                "Choose a model that can; llama-server needs --jinja for it."
            ),
        },
    ),
}


def server_traits(row: ProviderRow) -> ServerTraits:
    """Those of the row itself, else those of its wire format."""
    return _BY_ID.get(row.id) or _BY_WIRE.get(row.wire) or ServerTraits()
