"""Registry of the providers: one row each."""

from collections.abc import Sequence

from todo_tui.config.provider_row import ProviderRow, Wire
from todo_tui.domain.errors import NotFound

__all__ = ["DEFAULT_PROVIDER", "PROVIDERS", "ProviderRow", "Wire", "provider_row"]

DEFAULT_PROVIDER = "offline"
"""Id of the provider where none is configured and none was chosen."""
PROVIDERS: tuple[ProviderRow, ...] = (
    ProviderRow(
        id=DEFAULT_PROVIDER,
        label="Built-in",
        wire=Wire.OFFLINE,
        default_model="rules",
        about="free, offline",
        setup="Always available. Works offline.",
    ),
    ProviderRow(
        id="openai",
        label="OpenAI",
        wire=Wire.RESPONSES,
        base_url="https://api.openai.com/v1",
        key_variables=("OPENAI_API_KEY",),
        model_patterns=(r"gpt(?!-oss)", r"chatgpt", r"o\d", r"codex"),
        default_model="gpt-6-luna",
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
        model_patterns=(
            r"(?:openai/gpt-oss|qwen/|meta-llama/|moonshotai/|groq/)",
            # With a colon, or without a size, they are names of Ollama.
            r"(?:llama-|llama\d+-|gemma-|gemma\d+-|mixtral-|allam-|compound)[^:]*$",
        ),
        default_model="openai/gpt-oss-120b",
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
        model_patterns=(r"(?:models/)?(?:gemini|gemma-\d+n?-)",),
        default_model="gemini-3.5-flash-lite",
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
        model_patterns=(r"claude",),
        default_model="claude-haiku-5-5",
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
)
"""All rows, in the order of their shortcuts."""


def provider_row(provider_id: str, rows: Sequence[ProviderRow] = PROVIDERS) -> ProviderRow:
    """Return the row with that id.

    Raises:
        NotFound: there is none.
    """
    for row in rows:
        if row.id == provider_id:
            return row
    known = ", ".join(row.id for row in rows)
    raise NotFound(f"Unknown provider “{provider_id}”.", hint=f"Available: {known}.")
