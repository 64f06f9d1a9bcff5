"""Registry of the providers: one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from todo_tui.config.resolver import variable_prefix
from todo_tui.config.settings import CustomProvider
from todo_tui.domain.errors import ConfigError, NotFound
from todo_tui.providers.endpoint import parse_endpoint


class Wire(StrEnum):
    """Wire formats; each has one factory in factory.py."""

    OFFLINE = "offline"
    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GEMINI = "gemini"
    SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """Row of one provider; environment variables derive from its id: `GROQ_API_KEY`, `GROQ_MODEL`.

    `base_url` is empty for providers without a network. `other_base_urls` are tried
    as well, unless a setting names an address.
    """

    id: str
    label: str
    wire: Wire
    base_url: str = ""
    other_base_urls: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    """Variables that may hold the key, the first choice first."""
    same_key_as: str = ""
    """Another row of the same service, whose stored key is valid here; empty: none."""
    token_variables: tuple[str, ...] = ()
    """Variables that may hold a bearer token, for services with a key header of their own."""
    model_patterns: tuple[str, ...] = ()
    """Patterns of its model names, to find the provider by a model name alone."""
    extra: str = ""
    """Extra of todo-tui to install; empty: none."""
    default_model: str = ""
    """Default model; empty: the first that the server lists."""
    remote: bool = False
    """True if messages leave the machine, which needs consent."""
    needs_key: bool = False
    hidden: bool = False
    """Excluded from pickers and shortcuts."""
    about: str = ""
    """Short description for pickers and help."""
    setup: str = ""
    """Setup instructions, one sentence."""

    @property
    def key_names(self) -> tuple[str, ...]:
        """Names under which its key may be stored, its own first."""
        return (self.id, self.same_key_as) if self.same_key_as else (self.id,)

    @property
    def key_variable(self) -> str:
        """Variable that setup instructions and errors name for its key."""
        return next(iter(self.key_variables), f"{variable_prefix(self.id)}_API_KEY")

    @property
    def base_url_variable(self) -> str:
        """Variable that overrides the base URL."""
        return f"{variable_prefix(self.id)}_BASE_URL"

    def urls(self, base_url: str) -> tuple[str, ...]:
        """Return the base URLs in the order to try; `base_url` comes from the settings."""
        if self.base_url and base_url in ("", self.base_url):
            return (self.base_url, *self.other_base_urls)
        return (base_url,) if self.base_url else ()


PROVIDERS: tuple[ProviderRow, ...] = (
    ProviderRow(
        id="offline",
        label="Built-in",
        wire=Wire.OFFLINE,
        default_model="rules",
        about="free, offline",
        setup="Always there; it sends nothing anywhere.",
    ),
    ProviderRow(
        id="openai",
        label="OpenAI",
        wire=Wire.RESPONSES,
        base_url="https://api.openai.com/v1",
        key_variables=("OPENAI_API_KEY",),
        model_patterns=(r"gpt-(?!oss)", r"chatgpt-", r"o\d", r"codex-"),
        default_model="gpt-6-luna",
        remote=True,
        needs_key=True,
        about="GPT, hosted",
        setup="Get a key at platform.openai.com/api-keys and set OPENAI_API_KEY to it.",
    ),
    ProviderRow(
        id="groq",
        label="Groq",
        wire=Wire.CHAT,
        base_url="https://api.groq.com",
        key_variables=("GROQ_API_KEY",),
        model_patterns=(r"openai/gpt-oss", r"qwen/", r"meta-llama/", r"moonshotai/", r"groq/"),
        default_model="openai/gpt-oss-120b",
        remote=True,
        needs_key=True,
        about="fast, hosted",
        setup="Get a key at console.groq.com/keys and set GROQ_API_KEY to it.",
    ),
    ProviderRow(
        id="gemini",
        label="Gemini",
        wire=Wire.CHAT,
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        same_key_as="gemini-native",
        model_patterns=(r"(?:models/)?gemini-",),
        default_model="gemini-3.5-flash-lite",
        remote=True,
        needs_key=True,
        about="Google, hosted",
        setup="Get a key at aistudio.google.com/apikey and set GEMINI_API_KEY to it.",
    ),
    ProviderRow(
        id="gemini-native",
        label="Gemini native",
        wire=Wire.GEMINI,
        base_url="https://generativelanguage.googleapis.com",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        same_key_as="gemini",
        extra="gemini",
        default_model="gemini-3.5-flash-lite",
        remote=True,
        needs_key=True,
        about="Google, hosted, through its own API",
        setup="Get a key at aistudio.google.com/apikey and set GEMINI_API_KEY to it.",
    ),
    ProviderRow(
        id="anthropic",
        label="Anthropic",
        wire=Wire.MESSAGES,
        base_url="https://api.anthropic.com",
        key_variables=("ANTHROPIC_API_KEY",),
        token_variables=("ANTHROPIC_AUTH_TOKEN",),
        model_patterns=(r"claude-",),
        default_model="claude-haiku-5-5",
        remote=True,
        needs_key=True,
        about="Claude, hosted",
        setup="Get a key at console.anthropic.com and set ANTHROPIC_API_KEY to it.",
    ),
    ProviderRow(
        id="ollama",
        label="Ollama",
        wire=Wire.CHAT,
        base_url="http://127.0.0.1:11434/v1",
        key_variables=("OLLAMA_API_KEY",),
        about="on this machine",
        setup="Install it from ollama.com, run `ollama pull qwen3.5` and set "
        "OLLAMA_CONTEXT_LENGTH=16384 or more.",
    ),
    ProviderRow(
        id="local",
        label="Local server",
        wire=Wire.CHAT,
        base_url="http://127.0.0.1:8080/v1",
        other_base_urls=("http://127.0.0.1:1234/v1",),
        key_variables=("LOCAL_API_KEY",),
        about="llama.cpp, LM Studio or any OpenAI-compatible server",
        setup="Start `llama-server --jinja` or LM Studio, or set LOCAL_BASE_URL to your server.",
    ),
    ProviderRow(
        id="scripted",
        label="Demo",
        wire=Wire.SCRIPTED,
        default_model="script",
        hidden=True,
        about="a canned conversation",
        setup="Run `todo-tui --demo`.",
    ),
)
"""All rows; the visible ones in the order of their shortcuts."""


def all_rows(own: Sequence[CustomProvider]) -> tuple[ProviderRow, ...]:
    """Return the built-in rows, followed by those of the user's configuration."""
    return (*PROVIDERS, *map(_own_row, own))


def provider_row(provider_id: str, rows: Sequence[ProviderRow] = PROVIDERS) -> ProviderRow:
    """Return the row with that id.

    Raises:
        NotFound: there is none.
    """
    for row in rows:
        if row.id == provider_id:
            return row
    known = ", ".join(row.id for row in rows if not row.hidden)
    raise NotFound(f"There is no provider “{provider_id}”.", hint=f"Known are: {known}.")


def _own_row(own: CustomProvider) -> ProviderRow:
    variable = own.key_variable or f"{variable_prefix(own.id)}_API_KEY"
    return ProviderRow(
        id=own.id,
        label=own.label,
        wire=Wire(own.wire),
        base_url=own.base_url,
        key_variables=(variable,),
        default_model=own.model,
        remote=not _is_local_url(own.base_url),
        needs_key=own.needs_key,
        about="yours",
        setup=f"It is described in your configuration; its key is looked for in {variable}.",
    )


def _is_local_url(url: str) -> bool:
    """Return True for this machine or the local network; an invalid address counts as remote."""
    try:
        return parse_endpoint(url, "base_url").is_near
    except ConfigError:
        return False
