"""How the servers that speak the OpenAI chat format differ: one row a provider.

Every quirk that depends on the provider is a field here, so that believing a
live answer over this table means changing one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from todo_tui.domain.errors import ProviderErrorKind


class Sdk(StrEnum):
    """Which package carries the requests."""

    OPENAI = "openai"
    GROQ = "groq"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server expects and does beyond the format that all share."""

    sdk: Sdk = Sdk.OPENAI
    default_path: str = "/v1"
    """Added to a base URL that names a bare host."""
    dropped_path: str = ""
    """Cut from the end of a base URL, where the SDK appends it itself."""
    names_results: bool = True
    """Whether a tool message carries the tool's `name`: Gemini demands it, Groq refuses it."""
    empty_content: bool = False
    """Whether an assistant message with calls alone carries `content: ""`; else no content."""
    signatures: bool = False
    """Whether calls carry `extra_content` with a thought signature to be echoed (Gemini 3)."""
    dropped_schema_keys: frozenset[str] = frozenset()
    """JSON Schema keywords that it refuses in tool parameters."""
    refuses_calls: bool = True
    """Whether `tool_choice: none` is honoured; where not, the tools are left out instead."""
    prints_calls: bool = False
    """Whether models print calls and thoughts as text, for want of a chat template."""
    hints: Mapping[ProviderErrorKind, str] = field(default_factory=dict)
    """What to do next about an error, where this server's users can do more than others."""


_GEMINI_SCHEMA = frozenset(
    {
        "$schema",
        "additionalProperties",
        "const",
        "discriminator",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "title",
    }
)

DIALECTS: dict[str, Dialect] = {
    "groq": Dialect(
        sdk=Sdk.GROQ,
        default_path="",
        dropped_path="/openai/v1",
        names_results=False,
    ),
    "gemini": Dialect(
        default_path="/v1beta/openai",
        signatures=True,
        dropped_schema_keys=_GEMINI_SCHEMA,
    ),
    "ollama": Dialect(
        empty_content=True,
        refuses_calls=False,
        prints_calls=True,
        hints={
            ProviderErrorKind.NETWORK: "Start it with `ollama serve`, or set OLLAMA_HOST.",
            ProviderErrorKind.UNKNOWN_MODEL: "Run `ollama pull {model}`, or choose another model.",
            ProviderErrorKind.CONTEXT_TOO_LONG: (
                "Start a new conversation, or start Ollama with a larger OLLAMA_CONTEXT_LENGTH."
            ),
            ProviderErrorKind.TOOLS_UNSUPPORTED: "Choose a model that can, such as qwen3.5.",
        },
    ),
    "local": Dialect(
        empty_content=True,
        prints_calls=True,
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
"""By row id."""
