"""The providers that a person can choose from, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from todo_tui.domain.errors import NotFound


class Wire(StrEnum):
    """The formats that models are spoken to in; each has one factory in `opening.py`."""

    OFFLINE = "offline"
    OPENAI_CHAT = "openai-chat"
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
        id="groq",
        label="Groq",
        wire=Wire.OPENAI_CHAT,
        base_url="https://api.groq.com",
        key_variables=("GROQ_API_KEY",),
        default_model="openai/gpt-oss-120b",
        remote=True,
        needs_key=True,
        about="fast, hosted",
        setup="Get a key at console.groq.com/keys and set GROQ_API_KEY to it.",
    ),
    ProviderRow(
        id="gemini",
        label="Gemini",
        wire=Wire.OPENAI_CHAT,
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        default_model="gemini-3.5-flash-lite",
        remote=True,
        needs_key=True,
        about="Google, hosted",
        setup="Get a key at aistudio.google.com/apikey and set GEMINI_API_KEY to it.",
    ),
    ProviderRow(
        id="ollama",
        label="Ollama",
        wire=Wire.OPENAI_CHAT,
        base_url="http://127.0.0.1:11434/v1",
        key_variables=("OLLAMA_API_KEY",),
        about="on this machine",
        setup="Install it from ollama.com, run `ollama pull qwen3.5` and set "
        "OLLAMA_CONTEXT_LENGTH=16384 or more.",
    ),
    ProviderRow(
        id="local",
        label="Local server",
        wire=Wire.OPENAI_CHAT,
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


def provider_row(provider_id: str) -> ProviderRow:
    """The row of that id.

    Raises:
        NotFound: there is none.
    """
    for row in PROVIDERS:
        if row.id == provider_id:
            return row
    known = ", ".join(row.id for row in PROVIDERS if not row.hidden)
    raise NotFound(f"There is no provider “{provider_id}”.", hint=f"Known are: {known}.")
