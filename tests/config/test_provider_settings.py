"""How each provider is reached: its own table, its own variables, nobody else's key."""

from __future__ import annotations

import pytest

from tests.config.home import Home
from todo_tui.config.explain import list_setting_rows
from todo_tui.config.provider_row import custom_provider

TOKEN = {"ANTHROPIC_AUTH_TOKEN": "tok"}
MISTRAL = """
[providers.mistral]
wire = "chat"
base_url = "https://api.mistral.ai/v1"
label = "Mistral"
model = "mistral-large"
key_variable = "MISTRAL_KEY"
"""


def test_a_provider_takes_what_its_table_says(home: Home) -> None:
    groq = home.settings(
        None,
        """
        timeout = 40
        [providers.groq]
        temperature = 0
        max_output_tokens = 1000
        effort = "Low"
        timeout = 5.5
        token_command = ["gcloud", "auth", "print access"]
        """,
    ).providers["groq"]
    assert (groq.temperature, groq.max_output_tokens, groq.effort) == (0.0, 1000, "low")
    assert groq.timeout == 5.5
    assert groq.token_command == ("gcloud", "auth", "print access")
    assert groq.has_key
    assert groq.key_source == "the command gcloud"
    assert home.settings().providers["gemini"].timeout == 40


def test_a_command_may_be_one_text(home: Home) -> None:
    toml = """providers.groq.token_command = "pass show 'my keys/groq'" """
    assert home.settings(None, toml).providers["groq"].token_command == (
        "pass",
        "show",
        "my keys/groq",
    )


def test_a_key_counts_before_a_command_and_beside_it_in_the_file_is_a_mistake(home: Home) -> None:
    toml = '[providers.groq]\napi_key = "gsk_file"\ntoken_command = "echo x"'
    assert "line 3: `token_command` is ignored because `api_key` is set" in home.problem_texts(toml)
    groq = home.settings(GROQ_API_KEY="gsk_env").providers["groq"]
    assert groq.key_source == "GROQ_API_KEY"


def test_a_token_in_a_variable_is_a_bearer_token(home: Home) -> None:
    anthropic = home.settings(**TOKEN).providers["anthropic"]
    assert anthropic.key is not None
    assert anthropic.key.reveal() == "tok"
    assert anthropic.bearer
    assert anthropic.key_source == "ANTHROPIC_AUTH_TOKEN"


def test_a_key_wins_over_a_token_unless_it_cannot_be_used(home: Home) -> None:
    both = home.settings(**TOKEN, ANTHROPIC_API_KEY="sk-ant")
    assert both.providers["anthropic"].key_source == "ANTHROPIC_API_KEY"
    assert not both.providers["anthropic"].bearer
    broken = home.settings(**TOKEN, ANTHROPIC_API_KEY="two\nlines")
    assert broken.providers["anthropic"].bearer


def test_a_provider_of_ones_own_stands_beside_the_others(home: Home) -> None:
    settings = home.settings(None, MISTRAL, MISTRAL_KEY="key")
    assert settings.custom_providers == (
        custom_provider(
            "mistral",
            "Mistral",
            "chat",
            "https://api.mistral.ai/v1",
            "MISTRAL_KEY",
            "mistral-large",
            needs_key=True,
        ),
    )
    mistral = settings.providers["mistral"]
    assert mistral.key is not None
    assert (mistral.base_url, mistral.model) == ("https://api.mistral.ai/v1", "mistral-large")
    assert mistral.key_source == "MISTRAL_KEY"
    assert settings.problems == ()
    assert list(settings.providers)[-1] == "mistral"


def test_a_provider_of_ones_own_needs_only_an_address(home: Home) -> None:
    (own,) = home.settings(
        None, 'providers.box = {base_url = "http://box:8000/v1"}'
    ).custom_providers
    assert (own.label, own.wire, own.default_model, own.needs_key) == ("box", "chat", "", False)


def test_variables_named_after_it_win_over_its_table(home: Home) -> None:
    mistral = home.settings(
        None,
        MISTRAL,
        MISTRAL_API_KEY="own",
        MISTRAL_KEY="named",
        MISTRAL_BASE_URL="http://127.0.0.1:1/v1",
        MISTRAL_MODEL="small",
    ).providers["mistral"]
    assert mistral.key_source == "MISTRAL_API_KEY"
    assert (mistral.base_url, mistral.model) == ("http://127.0.0.1:1/v1", "small")


def test_a_provider_of_ones_own_can_be_named_anywhere(home: Home) -> None:
    toml = 'provider = "mistral"\nfallback = ["mistral:small"]\n[roles]\ntitle = "mistral"\n'
    settings = home.settings(None, toml + MISTRAL)
    assert settings.provider == "mistral"
    assert settings.problems == ()
    assert home.settings(TODO_TUI_PROVIDER="mistral").provider == "mistral"


def test_no_key_is_given_to_another_provider(home: Home) -> None:
    toml = MISTRAL + '[providers.gemini]\napi_key = "of-gemini"\n'
    settings = home.settings(None, toml, GROQ_API_KEY="of-groq", OPENAI_API_KEY="of-openai")
    with_keys = {row_id for row_id, each in settings.providers.items() if each.key is not None}
    assert with_keys == {"groq", "gemini"}


@pytest.mark.parametrize("name", ["google", "todo-tui"])
def test_a_name_whose_variables_are_taken_is_refused(home: Home, name: str) -> None:
    settings = home.settings(
        None, f'[providers.{name}]\nbase_url = "http://x"', GOOGLE_API_KEY="of-gemini"
    )
    assert settings.custom_providers == ()
    assert "line 1: " in settings.problems[0].message
    assert "variable" in settings.problems[0].message


@pytest.mark.parametrize("name", ["Mine", "my_llm", "my llm", "1st", "-x", "x-", "ü", "", "a" * 41])
def test_a_name_of_other_characters_is_refused(home: Home, name: str) -> None:
    settings = home.settings(None, f'[providers."{name}"]\nbase_url = "http://x"')
    assert settings.custom_providers == ()
    (problem,) = settings.problems
    assert "Invalid provider name" in problem.message
    assert problem.line == 1


@pytest.mark.parametrize(
    "written",
    [
        '"localhost:1"',
        '"ftp://x"',
        "5",
        "true",
        '""',
        '"  "',
        '["http://x"]',
        '"http://"',
        '"http://h:99999"',
        '"http://[::1/v1"',
    ],
)
@pytest.mark.parametrize("provider", ["groq", "own"])
def test_an_address_that_cannot_be_used_is_never_replaced_by_the_usual_one(
    home: Home, provider: str, written: str
) -> None:
    settings = home.settings(
        None, f"[providers.{provider}]\nbase_url = {written}", GROQ_API_KEY="key", OWN_API_KEY="key"
    )
    address = settings.providers[provider].base_url
    assert address
    assert "api.groq.com" not in address
    assert not address.startswith(("http://x", "https://"))
    (problem,) = settings.problems
    assert problem.line == 2
    assert "`base_url` has an invalid value" in problem.message


@pytest.mark.parametrize(
    "toml",
    [
        '[providers.groq]\nbase_url = "http://proxy',
        "[providers.groq]\nbase_url = http://proxy",
        '[providers.groq\nbase_url = "http://proxy"',
        'providers.groq]\nbase_url = "http://proxy"',
        'providers.groq = {base_url = "http://proxy"',
        '[providers.groq]\nmodel = "x"\n[providers.groq]\nbase_url = "http://proxy"',
        b'[providers.groq]\nbase_url = "http://pr\xffxy"',
        'x = [\nbase_url = "http://proxy"]',
    ],
)
def test_an_address_that_is_lost_to_a_typing_error_is_not_replaced_either(
    home: Home, toml: str | bytes
) -> None:
    settings = home.settings(None, toml, GROQ_API_KEY="key")
    assert settings.problems
    assert "://" not in settings.providers["groq"].base_url


def test_a_variable_gives_a_lost_address_back(home: Home) -> None:
    toml = "[providers.groq]\nbase_url = http://proxy"
    settings = home.settings(None, toml, GROQ_BASE_URL="http://127.0.0.1:1")
    assert settings.providers["groq"].base_url == "http://127.0.0.1:1"


def test_below_a_header_with_a_typing_error_no_key_joins_the_table_above(home: Home) -> None:
    for header in ("[providers.box", "providers.box]", "[providers.box]]", "[[providers.box]", "]"):
        settings = home.settings(
            None,
            f'[providers.groq]\nmodel = "m"\n{header}\napi_key = "of-box"\n[limits]\nretries=2',
        )
        assert settings.providers["groq"].key is None, header


@pytest.mark.parametrize(
    ("toml", "environ", "named"),
    [
        ("", {}, set()),
        ("", {"OLLAMA_HOST": "127.0.0.1:9"}, set()),
        ("", {"OLLAMA_HOST": "127.0.0.1:9", "OLLAMA_BASE_URL": "http://127.0.0.1:9"}, {"ollama"}),
        ('providers.groq.base_url = "https://api.groq.com"', {}, {"groq"}),
        (MISTRAL, {}, {"mistral"}),
        ("providers.groq.base_url = [", {}, set()),
    ],
)
def test_a_host_that_a_setting_of_ours_names_is_known_to_be_named(
    home: Home, toml: str, environ: dict[str, str], named: set[str]
) -> None:
    providers = home.settings(None, toml, **environ).providers
    assert {row_id for row_id, each in providers.items() if each.host_named} == named


def test_plain_http_is_allowed_for_one_provider_and_for_nothing_but_true(home: Home) -> None:
    allowed = home.settings(None, "providers.ollama.allow_http = true").providers
    assert {row_id for row_id, each in allowed.items() if each.allow_http} == {"ollama"}
    assert "line 1: `allow_http` has an invalid value" in home.problem_texts(
        'providers.ollama.allow_http = "true"'
    )
    assert not home.settings().providers["ollama"].allow_http


NUMBERS = """
[providers.groq]
temperature = 1
max_output_tokens = 50
[providers.my-gateway]
base_url = "https://gateway.example/v1"
"""


@pytest.mark.parametrize("row_id", ["groq", "gemini-native", "anthropic", "ollama", "my-gateway"])
def test_variables_set_temperature_and_tokens_of_every_provider(home: Home, row_id: str) -> None:
    prefix = row_id.upper().replace("-", "_")
    variables = {f"{prefix}_TEMPERATURE": "0.3", f"{prefix}_MAX_TOKENS": "700"}
    configuration = home.configuration(None, NUMBERS, **variables)
    provider = configuration.settings.providers[row_id]

    assert (provider.temperature, provider.max_output_tokens) == (0.3, 700)
    assert configuration.settings.problems == ()
    shown = {row.name: (row.value, row.source.name) for row in list_setting_rows(configuration)}
    assert shown[f"providers.{row_id}.temperature"] == (0.3, f"{prefix}_TEMPERATURE")
    assert shown[f"providers.{row_id}.max_output_tokens"] == (700, f"{prefix}_MAX_TOKENS")
    others = configuration.settings.providers.keys() - {row_id, "groq"}
    assert all(configuration.settings.providers[each].temperature is None for each in others)


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("GROQ_TEMPERATURE", "warm", "a number from 0 to 2"),
        ("GROQ_TEMPERATURE", "2.1", "a number from 0 to 2"),
        ("GROQ_TEMPERATURE", "-1", "a number from 0 to 2"),
        ("GROQ_TEMPERATURE", "nan", "a number from 0 to 2"),
        ("GROQ_MAX_TOKENS", "0", "a whole number from 1"),
        ("GROQ_MAX_TOKENS", "1e3", "a whole number from 1"),
        ("GROQ_MAX_TOKENS", "many", "a whole number from 1"),
        ("MY_GATEWAY_TEMPERATURE", "hot", "a number from 0 to 2"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named_and_the_file_counts(
    home: Home, variable: str, text: str, expected: str
) -> None:
    settings = home.settings(None, NUMBERS, **{variable: text})

    (problem,) = settings.problems
    assert problem.message == f"{variable} has an invalid value."
    assert expected in problem.hint
    groq = settings.providers["groq"]
    assert (groq.temperature, groq.max_output_tokens) == (1, 50)
