"""Registry of the providers: one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from todo_tui.config.settings import CustomProvider
from todo_tui.domain.errors import ConfigError, NotFound
from todo_tui.providers.endpoint import parse_endpoint


class Wire(StrEnum):
    """The formats that models are spoken to in; each has one factory in `opening.py`."""

    OFFLINE = "offline"
    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GEMINI = "gemini"
    SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """One provider; environment variables derive from its id: `GROQ_API_KEY`, `GROQ_MODEL`.

    `base_url` is empty where nothing is reached over a network. A server that
    is not found there is looked for at `other_base_urls` too, unless a setting
    names an address.
    """

    id: str
    label: str
    wire: Wire
    base_url: str = ""
    other_base_urls: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    """Variables that may hold the key, the first choice first."""
    same_key_as: str = ""
    """The row of the same service by another way, whose kept key is as good; empty: none."""
    token_variables: tuple[str, ...] = ()
    """Variables that may hold a bearer token, where a key goes into a header of its own."""
    model_patterns: tuple[str, ...] = ()
    """What the names of its models look like, so that a name alone finds it."""
    extra: str = ""
    """The extra of todo-tui to install for it; empty: it needs none."""
    default_model: str = ""
    """Empty where the server decides: the first that it lists."""
    remote: bool = False
    """Whether messages leave the machine, so that a person must agree first."""
    needs_key: bool = False
    hidden: bool = False
    """Left out of pickers and shortcuts."""
    about: str = ""
    """What it is, in a few words, for pickers and help."""
    setup: str = ""
    """How to make it ready, one sentence."""

    @property
    def variable_prefix(self) -> str:
        """What the names of its variables begin with: `GEMINI_NATIVE` for `gemini-native`."""
        return self.id.upper().replace("-", "_")

    @property
    def key_names(self) -> tuple[str, ...]:
        """Names under which its key may be kept, its own first."""
        return (self.id, self.same_key_as) if self.same_key_as else (self.id,)

    @property
    def key_variable(self) -> str:
        """The variable that a person is told to set."""
        return self.key_variables[0] if self.key_variables else f"{self.variable_prefix}_API_KEY"

    @property
    def base_url_variable(self) -> str:
        """The variable that moves it to another address."""
        return f"{self.variable_prefix}_BASE_URL"

    @property
    def model_variable(self) -> str:
        """The variable that names its model."""
        return f"{self.variable_prefix}_MODEL"

    def urls(self, base_url: str) -> tuple[str, ...]:
        """Where it may be reached, in the order to try; `base_url` is that of the settings."""
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
"""All of them; the visible ones in the order of their shortcuts."""


def all_rows(own: Sequence[CustomProvider]) -> tuple[ProviderRow, ...]:
    """All rows: ours in their order, then the person's own in theirs."""
    return (*PROVIDERS, *map(_own_row, own))


def provider_row(provider_id: str, rows: Sequence[ProviderRow] = PROVIDERS) -> ProviderRow:
    """The row of that id.

    Raises:
        NotFound: there is none.
    """
    for row in rows:
        if row.id == provider_id:
            return row
    known = ", ".join(row.id for row in rows if not row.hidden)
    raise NotFound(f"There is no provider “{provider_id}”.", hint=f"Known are: {known}.")


def _own_row(own: CustomProvider) -> ProviderRow:
    variable = own.key_variable or f"{own.id.upper().replace('-', '_')}_API_KEY"
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
    """Whether it is on this machine or nearby; an address that cannot be used counts as far."""
    try:
        return parse_endpoint(url, "base_url").is_near
    except ConfigError:
        return False
