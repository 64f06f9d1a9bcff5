"""How the servers that speak the OpenAI chat format differ: one row a provider.

Every quirk that depends on the provider is a field here, so that believing a
live answer over this table means changing one line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Sdk(StrEnum):
    """Which package carries the requests."""

    OPENAI = "openai"
    GROQ = "groq"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server expects and does beyond the format that all share."""

    sdk: Sdk = Sdk.OPENAI
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
    takes_thinking: bool = False
    """Whether a model that wants its thinking back may be sent it: Groq answers 400 to that."""
    limit_field: str = "max_tokens"
    """The name under which it takes a limit of its answer's tokens."""


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
        names_results=False,
        limit_field="max_completion_tokens",
    ),
    "gemini": Dialect(signatures=True, dropped_schema_keys=_GEMINI_SCHEMA),
    "ollama": Dialect(empty_content=True, refuses_calls=False, prints_calls=True),
    "local": Dialect(empty_content=True, prints_calls=True, takes_thinking=True),
}
"""By row id."""
_BY_HOST = {
    # The SDK of Groq would add to the path what a person has written there.
    "api.groq.com": replace(DIALECTS["groq"], sdk=Sdk.OPENAI),
    "generativelanguage.googleapis.com": DIALECTS["gemini"],
}


def dialect_of(row_id: str, host: str) -> Dialect:
    """That of a row of ours; of the person's own, that of its server, else what `local` has."""
    return DIALECTS.get(row_id) or _BY_HOST.get(host) or DIALECTS["local"]
