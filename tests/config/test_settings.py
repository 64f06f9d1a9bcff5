"""What wins among flags, environment, file and defaults, and what a mistake leads to."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.config.home import Home
from todo_tui.config.settings import Flags
from todo_tui.domain.errors import ConfigError


def test_without_any_setting_the_defaults_hold(home: Home) -> None:
    settings = home.settings()
    assert settings.db == home.folder / "tasks.db"
    assert settings.config == home.folder / "config.toml"
    assert (settings.user, settings.provider, settings.model) == ("me", None, None)
    assert (
        settings.limits.max_iterations,
        settings.limits.context_messages,
        settings.limits.timeout,
    ) == (15, 50, 30)
    assert settings.now is None
    assert settings.problems == ()
    assert settings.zone == "Europe/Berlin"


def test_flags_win_over_environment_and_environment_over_file(home: Home) -> None:
    toml = 'user = "file"\ndb = "file.db"\nprovider = "ollama"'
    assert home.settings(None, toml).user == "file"
    assert home.settings(None, toml).db == home.folder / "file.db"
    assert home.settings(None, toml).provider == "ollama"
    env = {"TODO_TUI_USER": "env", "TODO_TUI_DB": "/env.db", "TODO_TUI_PROVIDER": "gemini"}
    assert home.settings(**env).user == "env"
    assert home.settings(**env).db == Path("/env.db")
    assert home.settings(**env).provider == "gemini"
    flags = Flags(user="flag", db="flag.db", provider="groq")
    assert home.settings(flags, **env).user == "flag"
    assert home.settings(flags, **env).db == Path("flag.db")
    assert home.settings(flags, **env).provider == "groq"


def test_a_model_named_beside_another_provider_stays_with_that_one(home: Home) -> None:
    toml = 'provider = "groq"\nmodel = "of-groq"'
    assert home.settings(None, toml).model == "of-groq"
    assert home.settings(Flags(provider="ollama")).model is None
    assert home.settings(Flags(provider="ollama"), TODO_TUI_MODEL="any").model == "any"
    assert home.settings(Flags(model="flag"), TODO_TUI_PROVIDER="ollama").model == "flag"


def test_numbers_come_from_the_environment_before_the_file(home: Home) -> None:
    toml = "max_iterations = 3\ncontext_messages = 9\ntimeout = 1.5"
    settings = home.settings(None, toml)
    assert (
        settings.limits.max_iterations,
        settings.limits.context_messages,
        settings.limits.timeout,
    ) == (3, 9, 1.5)
    settings = home.settings(
        TODO_TUI_MAX_ITERATIONS="2", TODO_TUI_CONTEXT_MESSAGES="10", TODO_TUI_TIMEOUT="0.25"
    )
    assert (
        settings.limits.max_iterations,
        settings.limits.context_messages,
        settings.limits.timeout,
    ) == (2, 10, 0.25)
    assert settings.providers["groq"].timeout == 0.25


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TODO_TUI_MAX_ITERATIONS", "0"),
        ("TODO_TUI_MAX_ITERATIONS", "many"),
        ("TODO_TUI_CONTEXT_MESSAGES", "-1"),
        ("TODO_TUI_TIMEOUT", "nan"),
        ("TODO_TUI_TIMEOUT", "0"),
        ("TODO_TUI_NOW", "yesterday"),
        ("TODO_TUI_NOW", "2026-11-18T14:30Z"),
        ("TODO_TUI_NOW", "0001-01-01T00:00"),
        ("TODO_TUI_NOW", "0999-12-31T23:59"),
        ("TODO_TUI_NOW", "9000-01-01"),
        ("TODO_TUI_NOW", "9999-12-31T23:59"),
        ("TODO_TUI_PROVIDER", "skynet"),
        ("TODO_TUI_USER", "a\x1b[31m"),
    ],
)
def test_an_environment_variable_that_cannot_be_used_is_named(
    home: Home, name: str, value: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        home.settings(**{name: value})
    assert name in f"{caught.value} {caught.value.hint}"
    assert str(caught.value).isprintable()


def test_now_is_local_wall_time(home: Home) -> None:
    settings = home.settings(TODO_TUI_NOW="2026-11-18T14:30")
    assert settings.now == datetime(2026, 11, 18, 14, 30)


def test_an_empty_variable_counts_as_unset(home: Home) -> None:
    settings = home.settings(TODO_TUI_NOW="", NO_COLOR="", GROQ_API_KEY=" ")
    assert settings.now is None
    assert not settings.no_color
    assert settings.providers["groq"].key is None


def test_each_provider_has_its_own_key_address_and_model(home: Home) -> None:
    settings = home.settings(
        None,
        '[providers.gemini-native]\napi_key = "filekey"\nmodel = "pro"',
        GROQ_API_KEY="gsk",
        GROQ_BASE_URL="http://127.0.0.1:8000",
        GROQ_MODEL="small",
        OPENAI_API_KEY="never",
        GEMINI_NATIVE_BASE_URL="http://native.example",
    )
    groq, native = settings.providers["groq"], settings.providers["gemini-native"]
    assert groq.key is not None
    assert groq.key.reveal() == "gsk"
    assert groq.key_source == "GROQ_API_KEY"
    assert (groq.base_url, groq.model) == ("http://127.0.0.1:8000", "small")
    assert native.key is not None
    assert native.key.reveal() == "filekey"
    assert native.key_source == str(home.folder / "config.toml")
    assert (native.base_url, native.model) == ("http://native.example", "pro")
    assert settings.providers["gemini"].key is None
    assert settings.providers["gemini"].model == "flash"
    assert "gsk" not in repr(settings)


def test_both_gemini_rows_share_their_key_and_take_googles_second(home: Home) -> None:
    google = home.settings(GOOGLE_API_KEY="second")
    both = home.settings(GOOGLE_API_KEY="second", GEMINI_API_KEY="first")
    for row_id in ("gemini", "gemini-native"):
        assert google.providers[row_id].key_source == "GOOGLE_API_KEY"
        assert both.providers[row_id].key_source == "GEMINI_API_KEY"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:9999", "http://127.0.0.1:9999/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),  # noqa: S104 what servers are told
        (":8080", "http://127.0.0.1:8080/v1"),
        ("box.local", "http://box.local:11434/v1"),
        ("https://ollama.example/", "https://ollama.example:443/v1"),
        ("http://[::1]:11434/v1", "http://[::1]:11434/v1"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(home: Home, host: str, address: str) -> None:
    assert home.settings(OLLAMA_HOST=host).providers["ollama"].base_url == address


def test_ollamas_base_url_wins_over_its_host(home: Home) -> None:
    settings = home.settings(OLLAMA_HOST="a", OLLAMA_BASE_URL="http://b/v1")
    assert settings.providers["ollama"].base_url == "http://b/v1"


def test_what_set_an_address_is_known_to_those_who_complain_of_it(home: Home) -> None:
    toml = '[providers.groq]\nbase_url = "ftp://x"\n[providers.gemini]\nbase_url = "ftp://y"'
    found = home.settings(
        None, toml, OLLAMA_HOST="http://u:p@x", GEMINI_BASE_URL="http://z"
    ).providers
    assert {name: each.base_url_source for name, each in found.items() if each.base_url_source} == {
        "groq": "`base_url` of groq",
        "gemini": "GEMINI_BASE_URL",
        "ollama": "OLLAMA_HOST",
    }


def test_a_broken_key_or_address_is_a_problem_and_not_the_end(home: Home) -> None:
    settings = home.settings(GROQ_API_KEY="two\nlines", GEMINI_BASE_URL="localhost:1")
    assert settings.providers["groq"].key is None
    # The usual address would get the key of someone who named another one.
    assert settings.providers["gemini"].base_url == "localhost:1"
    said = " ".join(problem.message for problem in settings.problems)
    assert "GROQ_API_KEY" in said
    assert "gemini" in said
    assert "two" not in repr(settings)


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ('user = "a"\ntimeout = "pink"', "line 2: `timeout`"),
        ('user = "a"\n\n[dates]\norder = "ymd"', "line 4: `order`"),
        ("timeout = true", "line 1: `timeout`"),
        ('max_iterations = "15"', "line 1: `max_iterations`"),
        ("usr = 1", "line 1: `usr` is not a setting"),
        ("[dates]\nfoo = 1", "line 2: `foo` is not a setting"),
        ('[providers.skynet]\nmodel = "x"', "line 1: Unknown provider `skynet`"),
        ("[providers.groq]\nbase-url = 1", "line 2: `base-url` is not a setting"),
        ('provider = "skynet"', "line 1: `provider`"),
        ("a = [", "Invalid TOML"),
        (b"user = '\xff'", "not UTF-8"),
    ],
)
def test_a_mistake_in_the_file_is_named_by_line_and_defaults_hold(
    home: Home, toml: str | bytes, expected: str
) -> None:
    settings = home.settings(None, toml)
    (problem,) = settings.problems
    assert expected in problem.message
    assert str(home.folder / "config.toml") in problem.message
    assert problem.hint
    assert settings.limits.timeout == 30


def test_a_broken_file_says_on_which_line(home: Home) -> None:
    (problem,) = home.settings(None, 'user = "a"\nuser "b"').problems
    assert "line 2" in problem.message


def test_a_folder_in_place_of_the_file_is_a_problem(home: Home) -> None:
    (problem,) = home.settings(TODO_TUI_CONFIG=str(home.folder)).problems
    assert "Cannot read" in problem.message


def test_only_a_file_named_by_a_flag_must_exist(home: Home) -> None:
    missing = str(home.folder / "none.toml")
    assert home.settings(TODO_TUI_CONFIG=missing).problems == ()
    (problem,) = home.settings(Flags(config=missing)).problems
    assert "File not found" in problem.message


def test_dates_can_be_set(home: Home) -> None:
    settings = home.settings(None, '[dates]\norder = "dmy"\nweek_start = "Sunday"')
    dates = settings.dates
    assert (dates.day_first, dates.week_start, dates.zone) == (True, 6, settings.zone)
