"""Traits of model families and of servers: one row each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.providers.credentials import KeyHeader
from todo_tui.providers.registry import ProviderRow, Wire

_RANKS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_LOW_TO_HIGH = ("low", "medium", "high")
_LOW_TO_MAX = (*_LOW_TO_HIGH, "xhigh", "max")
_GEMINI_BUDGETS = {"none": 0, "low": 1_024, "medium": 8_192, "high": 24_576}
_MINIMAL_TO_HIGH = ("minimal", *_LOW_TO_HIGH)
_PREFIX = re.compile(r"^(?:openai/|ft:|google/|models/|(?:\w+\.)?anthropic[/.])")
"""Prefixes that gateways and fine-tuned models put before the name of the family."""


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """Request options that a model family accepts, besides messages and tools."""

    temperature: bool = True
    """Accepts a temperature."""
    thinks_at_any_temperature: bool = True
    """Accepts a temperature while thinking too."""
    efforts: tuple[str, ...] = ()
    """Accepted efforts, weakest first; empty: none."""
    forced_choice: bool = True
    """Accepts a `tool_choice` that forces a call."""
    thinking: bool = False
    """Thinks by default."""
    summaries: bool = False
    """Can summarise its thinking when asked (Responses)."""
    encrypted_thinking: bool = True
    """Can return encrypted thinking, to be sent back (Responses)."""
    adaptive: bool = False
    """Can choose the amount of thinking itself (Messages)."""
    disabled_thinking: str = ""
    """Value of `thinking` that disables it; empty: not possible (Messages)."""
    budgets: Mapping[str, int] = field(default_factory=dict)
    """Thinking budget in tokens by effort, for Gemini's own API."""
    completion_limit: bool = False
    """Names its output limit `max_completion_tokens`, on any server (chat)."""
    thinks_beside_tools: bool = True
    """May think with tools; otherwise thinking has to be disabled (chat)."""
    wants_thinking_back: bool = False
    """Refuses a tool call without the thinking before it in the current turn (chat)."""
    output_tokens: int = 8_192
    """Output limit, for APIs that require one."""

    def effort(self, wanted: str) -> str:
        """Return the effort to send; empty if none was wanted or none is accepted.

        An unknown effort becomes the nearest accepted one; `none` only if that was wanted.
        """
        if not wanted or wanted in self.efforts:
            return wanted
        thinking = [name for name in self.efforts if name != "none"]
        return min(thinking, key=lambda name: abs(_rank(name) - _rank(wanted)), default="")

    def thinks(self, effort: str) -> bool:
        """Return True if the model thinks at that effort; empty: its default."""
        return effort != "none" if effort else self.thinking

    def takes_temperature(self, effort: str) -> bool:
        """Return True if a temperature is accepted with that effort; empty: the default."""
        return self.temperature and (self.thinks_at_any_temperature or not self.thinks(effort))


def _rank(effort: str) -> int:
    """Return the position of an effort; unknown ones, such as `default`, count as medium."""
    return _RANKS.index(effort if effort in _RANKS else "medium")


_NO_THINKING = ModelTraits(encrypted_thinking=False)
_OPENAI = ModelTraits(
    efforts=_LOW_TO_HIGH,
    thinking=True,
    thinks_at_any_temperature=False,
    summaries=True,
    completion_limit=True,
)
# API version 2026-10-21 accepts no temperature, for any model.
_CLAUDE = ModelTraits(temperature=False, output_tokens=32_000)
_CLAUDE_5 = replace(_CLAUDE, efforts=_LOW_TO_MAX, thinking=True, adaptive=True)
# Since 3.5 Flash-Lite and 3.6 a temperature is ignored or refused.
_GEMINI = ModelTraits(temperature=False, efforts=_LOW_TO_HIGH, thinking=True)
_GEMINI_2_5 = replace(_GEMINI, temperature=True, budgets=_GEMINI_BUDGETS)
_FAMILIES: tuple[tuple[str, ModelTraits], ...] = (
    (r"gpt-oss", ModelTraits(efforts=_LOW_TO_HIGH, thinking=True)),
    (r"gpt-6\S*-astra|gpt-6\.\d+-sol", replace(_OPENAI, efforts=(*_LOW_TO_HIGH, "xhigh", "max"))),
    (r"gpt-5\.\d+-pro", replace(_OPENAI, efforts=("medium", "high", "xhigh"))),
    (r"gpt-5\.\d+-chat", replace(_OPENAI, efforts=("medium",))),
    (
        r"gpt-[6-9]|gpt-5\.[6-9]",
        replace(
            _OPENAI,
            efforts=("none", *_LOW_TO_HIGH, "xhigh", "max"),
            thinks_beside_tools=False,
        ),
    ),
    (r"gpt-5\.5", replace(_OPENAI, efforts=("none", *_LOW_TO_HIGH, "xhigh"))),
    (r"gpt-5\.1-codex", _OPENAI),
    (r"gpt-5\.1", replace(_OPENAI, efforts=("none", *_LOW_TO_HIGH), thinking=False)),
    (r"gpt-5\.", replace(_OPENAI, efforts=("none", *_LOW_TO_HIGH, "xhigh"), thinking=False)),
    (r"gpt-5-pro", replace(_OPENAI, efforts=("high",))),
    (r"gpt-5-chat|gpt-[34]|chatgpt-", _NO_THINKING),
    (r"gpt-5-codex|codex-|o\d", _OPENAI),
    (r"gpt-5", replace(_OPENAI, efforts=("minimal", *_LOW_TO_HIGH))),
    (r"(?:[\w-]+/)?(?:deepseek-|kimi-k)", ModelTraits(wants_thinking_back=True)),
    (r"qwen/", ModelTraits(efforts=("none", "default"), thinking=True)),
    (
        r"claude-sonnet-5[-.]5",
        replace(
            _CLAUDE_5,
            efforts=("none", *_LOW_TO_MAX),
            disabled_thinking="between_tools",
            forced_choice=False,
        ),
    ),
    (
        r"claude-haiku-5[-.]5|claude-(?:opus|sonnet)-5(?![-.]\d\b)",
        replace(_CLAUDE_5, efforts=("none", *_LOW_TO_MAX), disabled_thinking="disabled"),
    ),
    (r"claude-(?:fable|mythos)-5(?![-.]\d\b)", _CLAUDE_5),
    (
        r"claude-opus-4[-.][78]\b",
        replace(_CLAUDE, efforts=("none", *_LOW_TO_MAX), adaptive=True),
    ),
    (
        r"claude-(?:opus|sonnet)-4[-.]6\b",
        replace(_CLAUDE, efforts=("none", *_LOW_TO_HIGH, "max"), adaptive=True),
    ),
    (r"claude-opus-4[-.]5\b", replace(_CLAUDE, efforts=("none", *_LOW_TO_HIGH))),
    (r"claude-(?:haiku|sonnet)-4[-.]5\b", _CLAUDE),
    (r"claude-(?:\d|instant|opus-4|sonnet-4)", replace(_CLAUDE, output_tokens=4_096)),
    # Opus 5.5, Fable and Mythos from 5.1, and whatever is newer.
    (r"claude-", replace(_CLAUDE_5, forced_choice=False)),
    (r"gemini-2\.5-pro", _GEMINI_2_5),
    (r"gemini-2\.5-flash", replace(_GEMINI_2_5, efforts=("none", *_LOW_TO_HIGH))),
    (r"gemini-[12]\b|gemma-", ModelTraits()),
    (r"gemini-3(?:\.1)?-pro", replace(_GEMINI, temperature=True)),
    (r"gemini-3\.(?:5-flash-lite|6)", replace(_GEMINI, efforts=_MINIMAL_TO_HIGH)),
    (r"gemini-3(?:\.[1-5])?-flash", replace(_GEMINI, efforts=_MINIMAL_TO_HIGH, temperature=True)),
    # Gemini 3.7 and 3.8, and whatever is newer.
    (r"gemini-", _GEMINI),
)


def traits_of(model: str) -> ModelTraits:
    """Return the traits of the first family that matches the name."""
    name = _PREFIX.sub("", model)
    family = (traits for pattern, traits in _FAMILIES if re.match(pattern, name))
    return next(family, ModelTraits())


@dataclass(frozen=True, slots=True)
class ServerTraits:
    """Settings of a server apart from the requests themselves."""

    default_path: str = "/v1"
    """Path added to a base URL that names a bare host."""
    dropped_path: str = ""
    """Path cut from the end of a base URL, as the SDK appends it itself."""
    models_path: str = "/models"
    """Path of the model list, relative to the base URL."""
    models_headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of a model list request, besides the key."""
    key_header: KeyHeader = KeyHeader.BEARER
    hints: Mapping[ProviderErrorKind, str] = field(default_factory=dict)
    """Next steps after an error that are specific to this server."""


_OWN_SERVER = ServerTraits(
    hints={
        ProviderErrorKind.TOOLS_UNSUPPORTED: (
            "Choose a model that supports tools; llama-server needs --jinja."
        ),
    },
)
"""Any server of the user's own that speaks the chat protocol."""
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
    ),
}
_BY_ID = {
    "groq": ServerTraits(
        default_path="", dropped_path="/openai/v1", models_path="/openai/v1/models"
    ),
    "gemini": ServerTraits(default_path="/v1beta/openai"),
    "ollama": ServerTraits(
        hints={
            ProviderErrorKind.NETWORK: "Start it with `ollama serve`, or set OLLAMA_HOST.",
            ProviderErrorKind.UNKNOWN_MODEL: "Run `ollama pull {model}`, or choose another model.",
            ProviderErrorKind.CONTEXT_TOO_LONG: (
                "Start a new conversation, or start Ollama with a larger OLLAMA_CONTEXT_LENGTH."
            ),
            ProviderErrorKind.TOOLS_UNSUPPORTED: (
                "Choose a model that supports tools, such as qwen3.5."
            ),
        },
    ),
    "local": ServerTraits(
        hints={
            ProviderErrorKind.NETWORK: "Start the server, or set {base_url_variable}.",
            ProviderErrorKind.CONTEXT_TOO_LONG: (
                "Start a new conversation, or start the server with a larger context."
            ),
            **_OWN_SERVER.hints,
        },
    ),
}


def server_traits(row: ProviderRow) -> ServerTraits:
    """Return the traits of the row, or those of its wire format."""
    if row.custom and row.wire is Wire.CHAT:
        return _OWN_SERVER
    return _BY_ID.get(row.id) or _BY_WIRE.get(row.wire) or ServerTraits()
