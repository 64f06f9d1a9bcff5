"""A model's name alone finds its provider, and `provider:model` does anywhere."""

from __future__ import annotations

import pytest

from tests.config.home import Home
from todo_tui.config.load import load_settings
from todo_tui.config.settings import Flags, ModelName
from todo_tui.providers.registry import PROVIDERS

OWN = """
[providers.gateway]
base_url = "https://gateway.example/v1"
model = "claude-haiku-5-5"
"""


@pytest.mark.parametrize(
    ("model", "chosen"),
    [
        ("claude-haiku-5-5", ("anthropic", "claude-haiku-5-5")),
        ("openai/gpt-oss-20b", ("groq", "openai/gpt-oss-20b")),
        ("groq:openai/gpt-oss-20b", ("groq", "openai/gpt-oss-20b")),
        ("Groq: any", ("groq", "any")),
        ("ollama:qwen3.5:4b", ("ollama", "qwen3.5:4b")),
        ("gemini", ("gemini", None)),
        ("gemini:", ("gemini", None)),
        ("qwen3.5:4b", (None, "qwen3.5:4b")),
        ("no-such-model", (None, "no-such-model")),
    ],
)
def test_a_model_alone_finds_its_provider(
    home: Home, model: str, chosen: tuple[str | None, str | None]
) -> None:
    for settings in (
        home.settings(Flags(model=model)),
        home.settings(TODO_TUI_MODEL=model),
        home.settings(None, f'model = "{model}"'),
        home.settings(None, f'[roles]\nchat = "{model}"') if chosen[0] else None,
    ):
        if settings is not None:
            assert (settings.provider, settings.model) == chosen
            assert settings.problems == ()


def test_of_two_that_fit_the_one_with_a_key_is_taken(home: Home) -> None:
    assert home.settings(Flags(model="shared-1")).provider == "groq"
    assert home.settings(Flags(model="shared-1"), GEMINI_API_KEY="k").provider == "gemini"
    both = home.settings(Flags(model="shared-1"), GEMINI_API_KEY="k", GROQ_API_KEY="k")
    assert both.provider == "groq"


def test_ones_own_provider_wins_with_exactly_its_model(home: Home) -> None:
    assert home.settings(Flags(model="claude-haiku-5-5"), OWN).provider == "gateway"
    assert home.settings(Flags(model="claude-haiku-5")).provider == "anthropic"


def test_a_provider_that_is_named_beside_it_keeps_the_model(home: Home) -> None:
    settings = home.settings(Flags(provider="groq", model="claude-haiku-5-5"))
    assert (settings.provider, settings.model) == ("groq", "claude-haiku-5-5")
    settings = home.settings(None, 'provider = "groq"\nmodel = "claude-haiku-5-5"')
    assert settings.provider == "groq"
    settings = home.settings(Flags(provider="ollama", model="gemini:7b"))
    assert (settings.provider, settings.model) == ("ollama", "gemini:7b")
    settings = home.settings(Flags(provider="groq", model="groq:small"))
    assert (settings.provider, settings.model) == ("groq", "small")


def test_a_flag_leaves_the_provider_of_the_file_for_one_whose_models_look_so(home: Home) -> None:
    toml = 'provider = "groq"\n'
    settings = home.settings(Flags(model="claude-haiku-5-5"), toml)
    assert (settings.provider, settings.model) == ("anthropic", "claude-haiku-5-5")
    settings = home.settings(Flags(model="gemini:pro"), toml)
    assert (settings.provider, settings.model) == ("gemini", "pro")
    settings = home.settings(Flags(model="unheard-of"), toml)
    assert (settings.provider, settings.model) == ("groq", "unheard-of")


def test_a_provider_that_may_serve_anything_keeps_the_model_of_a_flag(home: Home) -> None:
    claude = Flags(model="claude-haiku-5-5")
    assert home.settings(claude, 'provider = "ollama"').provider == "ollama"
    assert home.settings(Flags(model="gemini-3"), 'provider = "gemini-native"').provider == (
        "gemini-native"
    )
    moved = 'provider = "groq"\nproviders.groq.base_url = "http://gateway.example/v1"'
    assert home.settings(claude, moved).provider == "groq"
    assert home.settings(claude, moved, ANTHROPIC_API_KEY="k").provider == "anthropic"


def test_who_writes_a_model_with_capitals_means_the_same_provider(home: Home) -> None:
    settings = home.settings(Flags(model="Claude-Haiku-5-5"))
    assert (settings.provider, settings.model) == ("anthropic", "Claude-Haiku-5-5")


def test_a_weaker_model_of_another_provider_is_left_alone(home: Home) -> None:
    settings = home.settings(Flags(provider="groq"), 'model = "claude-haiku-5-5"')
    assert (settings.provider, settings.model) == ("groq", None)
    settings = home.settings(Flags(provider="groq"), 'model = "llama"')
    assert settings.model == "llama"
    settings = home.settings(Flags(provider="groq"), 'model = "gemini:pro"')
    assert settings.model is None


def test_roles_and_fallbacks_are_named_in_each_of_the_ways(home: Home) -> None:
    settings = home.settings(
        None,
        """
        fallback = ["claude-haiku-5-5", "gemini", "groq:openai/gpt-oss-20b", "gemini"]
        [roles]
        chat = "openai/gpt-oss-120b"
        title = "gemini:gemini-3"
        compact = "gemini"
        embed = "ollama:nomic-embed-text:v1.5"
        """,
    )
    assert (settings.provider, settings.model) == ("groq", "openai/gpt-oss-120b")
    assert settings.fallback == (
        ModelName("anthropic", "claude-haiku-5-5"),
        ModelName("gemini"),
        ModelName("groq", "openai/gpt-oss-20b"),
    )
    assert settings.roles.title == ModelName("gemini", "gemini-3")
    assert settings.roles.compact == ModelName("gemini")
    assert settings.roles.embed == ModelName("ollama", "nomic-embed-text:v1.5")
    assert settings.problems == ()


def test_the_role_of_chat_and_the_provider_above_may_agree_but_not_differ(home: Home) -> None:
    settings = home.settings(None, 'provider = "groq"\nroles.chat = "groq:small"')
    assert (settings.provider, settings.model, settings.problems) == ("groq", "small", ())
    settings = home.settings(None, 'provider = "groq"\nmodel = "m"\nroles.chat = "groq"')
    assert (settings.provider, settings.model, settings.problems) == ("groq", "m", ())
    settings = home.settings(None, 'provider = "groq"\nroles.chat = "gemini"')
    assert (settings.provider, settings.model) == ("gemini", None)
    assert "line 1: `provider` and the role `chat` differ" in settings.problems[0].message


def test_flags_and_variables_win_over_the_role_of_chat(home: Home) -> None:
    toml = 'roles.chat = "groq:small"'
    assert home.settings(Flags(provider="gemini"), toml).model is None
    assert home.settings(TODO_TUI_MODEL="claude-1").provider == "anthropic"


@pytest.mark.parametrize(
    ("flags", "toml", "is_named"),
    [
        (Flags(provider="groq"), "", True),
        (Flags(model="groq:x"), "", True),
        (Flags(provider="groq", model="openai/gpt-oss-20b"), "", True),
        (Flags(model="openai/gpt-oss-20b"), 'provider = "groq"', True),
        (Flags(model="openai/gpt-oss-20b"), "", False),
        (Flags(model="openai/gpt-oss-20b"), 'provider = "anthropic"', False),
        (Flags(), 'model = "openai/gpt-oss-20b"', False),
        (Flags(), 'roles.chat = "groq"', True),
        (Flags(), 'roles.chat = "groq:openai/gpt-oss-20b"', True),
        (Flags(), 'roles.chat = "openai/gpt-oss-20b"', False),
    ],
)
def test_a_provider_that_only_follows_from_a_models_name_is_not_named(
    home: Home, flags: Flags, toml: str, is_named: bool
) -> None:
    settings = home.settings(flags, toml)
    assert (settings.provider, settings.provider_named) == ("groq", is_named)


@pytest.mark.parametrize(
    ("provider", "models"),
    [
        (
            "groq",
            "llama-3.3-70b-versatile llama-3.1-8b-instant Llama-Guard-3-8b llama3-70b-8192"
            " gemma2-9b-it gemma-7b-it gemma3-12b-it qwen/qwen3.8-27b openai/gpt-oss-120b"
            " openai/gpt-oss-safeguard-20b moonshotai/kimi-k2-instruct meta-llama/llama-4-scout"
            " groq/compound compound-beta-mini mixtral-8x7b-32768",
        ),
        ("openai", "gpt-6-luna gpt-4o gpt4 GPT-4.1-nano chatgpt-4o-latest o3 o4-mini codex-mini"),
        ("anthropic", "claude-haiku-5-5 claude-sonnet-5-5 Claude"),
        ("gemini", "gemini-3.8-flash models/gemini-3.5-flash-lite Gemini-Pro"),
        (None, "gemma3:4b gemma3 llama3.2 llama3.2:3b qwen3.5:4b gpt-oss:20b gpt-oss-20b mistral"),
    ],
)
def test_the_models_of_the_built_in_providers_are_known_by_name(
    home: Home, provider: str | None, models: str
) -> None:
    for model in models.split():
        settings = load_settings(Flags(model=model), {}, PROVIDERS, home.machine)
        assert (settings.provider, settings.model) == (provider, model)


def test_gemma_is_gemini_s_for_whoever_has_a_key_for_gemini_alone(home: Home) -> None:
    flags = Flags(model="gemma-3-27b-it")
    both = {"GEMINI_API_KEY": "k", "GROQ_API_KEY": "k"}
    for variables, provider in (({}, "groq"), ({"GEMINI_API_KEY": "k"}, "gemini"), (both, "groq")):
        settings = load_settings(flags, variables, PROVIDERS, home.machine)
        assert settings.provider == provider
    home.write('provider = "gemini"')
    assert load_settings(flags, {}, PROVIDERS, home.machine).provider == "gemini"
