"""todo-tui providers: how each stands, and never a key."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import keyring
import pytest

from tests.cli.conftest import Outcome, Shell
from tests.cli.model_server import BAD_KEY, CALL, NO_TOOLS, WORDS, ModelServer
from tests.cli.terminal import on_terminals, raw_on_terminal
from tests.config.keyring_backends import LockedKeyring, MemoryKeyring
from todo_tui.domain.extras import install_command
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import PROVIDERS

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def _no_servers(shell: Shell) -> None:
    shell.set(OLLAMA_HOST="127.0.0.1:9", LOCAL_BASE_URL=NOWHERE)


def by_id(outcome: Outcome) -> Mapping[str, dict[str, JsonValue]]:
    value = outcome.json
    assert isinstance(value, list)
    return {str(each["id"]): each for each in value if isinstance(each, dict)}


def standings(shell: Shell, *args: str) -> Mapping[str, dict[str, JsonValue]]:
    return by_id(shell.done("providers", "--json", *args))


def test_every_visible_row_is_listed_in_order(shell: Shell) -> None:
    assert list(standings(shell)) == [row.id for row in PROVIDERS]


def test_naming_some_lists_those_alone_each_once(shell: Shell) -> None:
    assert list(standings(shell, "groq", "ollama", "groq")) == ["groq", "ollama"]


def test_an_unknown_one_is_wrong_usage_and_the_known_are_named(shell: Shell) -> None:
    outcome = shell.fails("providers", "grok", status=2)
    assert "'grok'" in outcome.err
    assert "groq" in outcome.err


def test_each_says_why_it_is_not_ready(shell: Shell) -> None:
    found = standings(shell)
    assert found["offline"]["ready"] is True
    assert found["groq"]["reason"] == "set GROQ_API_KEY"
    assert found["ollama"]["reason"] == "not running at 127.0.0.1:9"
    assert found["local"]["ready"] is False


@pytest.mark.parametrize(
    ("variables", "row_id", "configured", "reachable"),
    [
        ({}, "offline", True, True),
        ({}, "groq", False, None),
        ({"GROQ_API_KEY": "gsk_0123456789"}, "groq", True, None),
        ({"GROQ_API_KEY": "gsk 0123\n456789"}, "groq", False, None),
        ({"GROQ_API_KEY": "gsk_0123456789", "GROQ_BASE_URL": NOWHERE}, "groq", True, None),
        ({"GROQ_API_KEY": "gsk_0123456789", "GROQ_BASE_URL": "groq.com"}, "groq", False, None),
        ({}, "ollama", True, False),
        ({"LOCAL_BASE_URL": "localhost:8080"}, "local", False, None),
    ],
)
def test_what_is_configured_and_reachable_is_distinguished(
    shell: Shell,
    variables: dict[str, str],
    row_id: str,
    configured: bool,
    reachable: bool | None,
) -> None:
    shell.set(**variables)
    found = standings(shell)[row_id]
    assert (found["configured"], found["reachable"]) == (configured, reachable)
    assert found["calls_tools"] is (True if row_id == "offline" else None)


async def test_a_server_on_this_machine_is_asked_for_its_models(shell: Shell) -> None:
    async with ModelServer(models=["first", "second"]).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1")
        found = (await asyncio.to_thread(standings, shell))["local"]
    assert (found["ready"], found["reachable"]) == (True, True)
    assert (found["model"], found["models"]) == ("first", ["first", "second"])
    assert found["endpoint"] == f"{server.url}/v1"


def test_an_endpoint_is_the_base_url_and_of_an_unusable_one_nothing_is_shown(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_secret", OPENAI_BASE_URL="https://me:hunter2@models.example.com/v1")
    found = standings(shell)
    assert found["groq"]["endpoint"] == "https://api.groq.com"
    assert found["offline"]["endpoint"] is None
    assert found["openai"]["endpoint"] is None
    for args in (("providers",), ("providers", "--json"), ("doctor",), ("providers", "--check")):
        outcome = shell.run(*args)
        assert "hunter2" not in outcome.out + outcome.err


def test_an_address_in_a_file_that_is_ignored_is_not_called_invalid(shell: Shell) -> None:
    config = shell.folder / "config/todo-tui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        '[providers.groq]\nbase_url = "http://127.0.0.1:4444/v1"\n'
        "[limits]\nretries = 2\n[limits]\nretries = 3\n"
    )
    shell.set(GROQ_API_KEY="gsk_1")
    told = shell.done("providers", "groq")
    assert "config.toml is ignored, and may set the address of Groq." in told.out
    assert "Invalid TOML" in told.err
    asked = shell.fails("ask", "--provider", "groq", "hi", status=2)
    assert "valid server address" not in asked.err
    assert "todo-tui config check" in asked.err


def test_a_key_is_named_by_its_source_and_never_shown(shell: Shell) -> None:
    shell.set(GOOGLE_API_KEY="AIza-secret", GROQ_API_KEY="gsk_secret")
    found = standings(shell)
    assert found["gemini"]["ready"] is True
    assert found["gemini"]["key_source"] == "GOOGLE_API_KEY"
    for args in (("providers",), ("providers", "--json"), ("doctor",)):
        outcome = shell.run(*args)
        assert "secret" not in outcome.out + outcome.err


def test_a_key_in_the_system_keyring_counts_and_a_locked_one_is_reported_once(shell: Shell) -> None:
    before = keyring.get_keyring()
    try:
        keyring.set_keyring(MemoryKeyring())
        shell.done("keys", "set", "groq", "--keyring", stdin=b"gsk_secret")
        found = standings(shell)["groq"]
        keyring.set_keyring(LockedKeyring())
        locked = shell.done("providers")
    finally:
        keyring.set_keyring(before)
    assert (found["configured"], found["key_source"]) == (True, "the system keyring")
    assert locked.err.count("keyring") == 1
    assert "set GROQ_API_KEY" in locked.out


def test_prices_of_remote_models_are_reported(shell: Shell) -> None:
    found = standings(shell)
    assert found["groq"]["usd_per_million"] == {"input": 0.15, "output": 0.6}
    shell.set(GROQ_MODEL="unheard-of")
    assert standings(shell)["groq"]["usd_per_million"] is None


def test_a_missing_package_is_reported_with_the_extra_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "google.genai", None)
    shell.set(GEMINI_API_KEY="AIza-secret")
    found = standings(shell, "gemini-native")["gemini-native"]
    assert (found["configured"], found["ready"], found["answered"]) == (False, False, None)
    assert found["reason"] == install_command("gemini")
    assert "todo-tui[gemini]" in shell.done("providers").out
    assert "todo-tui[gemini]" in shell.run("doctor").out


def test_in_a_pipe_each_is_one_line(shell: Shell) -> None:
    titles, *lines = shell.done("providers").out.splitlines()
    assert titles.split()[:4] == ["ID", "Provider", "Model", "Address"]
    assert [line.split()[0] for line in lines] == [row.id for row in PROVIDERS]
    groq = next(line for line in lines if line.startswith("groq"))
    assert "0.15 / 0.6" in groq
    assert "set GROQ_API_KEY" in groq


def test_on_a_terminal_it_is_a_table_that_fits(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_secret")
    narrow, *others = on_terminals((30, "providers"), (80, "providers"), (120, "providers"))
    assert max(map(len, narrow)) <= 30
    for columns, lines in zip((80, 120), others, strict=True):
        assert max(map(len, lines)) <= columns
        text = "\n".join(lines)
        for words in (
            "generativelanguage.googleapis.com",
            "set ANTHROPIC_API_KEY",
            "openai/gpt-oss-120b",
            "GROQ_API_KEY",
            "0.15 / 0.6",
            "not running",
        ):
            assert words in text, columns
        assert len(lines) == 2 + 2 * len(PROVIDERS), columns


def test_without_colours_the_table_has_none(shell: Shell) -> None:
    colour = "\x1b[32m"
    assert colour in raw_on_terminal(80, "providers", "offline")
    shell.set(NO_COLOR="1")
    assert colour not in raw_on_terminal(80, "providers", "offline")


def test_check_asks_those_that_are_ready(shell: Shell) -> None:
    found = standings(shell, "--check")
    assert found["offline"]["answered"] is True
    assert found["offline"]["calls_tools"] is True
    assert found["ollama"]["answered"] is None


@pytest.mark.usefixtures("no_database")
def test_check_asks_nobody_remote_without_agreement(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_secret")
    groq = standings(shell, "--check")["groq"]
    assert (groq["answered"], groq["reachable"]) == (None, None)
    assert "--provider groq" in str(groq["remark"])
    assert not (shell.folder / "tasks.db").exists()


def test_checking_one_by_name_that_is_not_ready_fails(shell: Shell) -> None:
    outcome = shell.run("providers", "groq", "--check")
    assert outcome.status == 1
    assert "set GROQ_API_KEY" in outcome.out
    assert shell.run("providers", "--check").status == 0


def test_check_works_whatever_is_wrong_with_the_tasks(shell: Shell) -> None:
    (shell.folder / "tasks.db").write_text("not a database, but notes of somebody")
    shell.set(GROQ_API_KEY="gsk_secret")
    found = standings(shell, "--check")
    assert (found["offline"]["answered"], found["groq"]["answered"]) == (True, None)


@pytest.mark.parametrize("naming", [("groq",), ("--provider", "groq")])
async def test_naming_a_remote_one_agrees_to_its_test_request(
    shell: Shell, naming: tuple[str, ...]
) -> None:
    async with ModelServer().serving() as server:
        # What is far away is reached through a proxy, which is near.
        config = shell.folder / "c.toml"
        config.write_text("[providers.groq]\nallow_http = true\n")
        shell.set(
            TODO_TUI_CONFIG=str(config),
            GROQ_API_KEY="gsk_secret",
            GROQ_BASE_URL="http://models.example.com",
            HTTP_PROXY=server.url,
            http_proxy=server.url,
        )
        found = await asyncio.to_thread(standings, shell, "--check", *naming)
    assert found["groq"]["remote"] is True
    assert found["groq"]["answered"] is True
    (sent,) = server.received
    assert "models.example.com" in sent.line


@pytest.mark.parametrize(
    ("answer", "reachable", "answered", "calls_tools"),
    [
        (CALL, True, True, True),
        (WORDS, True, True, False),
        (NO_TOOLS, True, True, False),
        (BAD_KEY, True, False, None),
        (b"", False, False, None),
    ],
)
async def test_check_tells_who_answers_and_who_can_call_tools(
    shell: Shell, answer: bytes, reachable: bool, answered: bool, calls_tools: bool | None
) -> None:
    async with ModelServer(answer).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1", LOCAL_MODEL="m")
        outcome = await asyncio.to_thread(shell.run, "providers", "--check", "--json", "local")
    found = by_id(outcome)["local"]
    assert found["reachable"] is reachable
    assert found["answered"] is answered
    assert found["calls_tools"] is calls_tools
    assert outcome.status == (0 if answered else 1)


async def test_a_provider_that_answers_is_listed_with_its_time(shell: Shell) -> None:
    async with ModelServer(WORDS).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1", LOCAL_MODEL="m")
        outcome = await asyncio.to_thread(shell.done, "providers", "--check", "local")
    assert "answers, " in outcome.out
    assert "no tools" in outcome.out


async def test_a_failure_is_one_line_and_status_1_and_the_others_are_asked_all_the_same(
    shell: Shell,
) -> None:
    async with ModelServer().serving() as good, ModelServer(BAD_KEY).serving() as bad:
        shell.set(LOCAL_BASE_URL=f"{good.url}/v1", GROQ_BASE_URL=bad.url, GROQ_API_KEY="gsk_secret")
        outcome = await asyncio.to_thread(shell.run, "providers", "--check", "groq", "local")
    assert outcome.status == 1
    _, groq, local, reason = outcome.out.splitlines()
    assert "failed" in groq
    assert "key" in reason.removeprefix("groq: ")
    assert "answers, " in local
    assert "Traceback" not in outcome.err
    assert "gsk_secret" not in outcome.out + outcome.err


async def test_all_are_asked_at_the_same_time(shell: Shell) -> None:
    async with ModelServer(together=3).serving() as server:
        shell.set(
            LOCAL_BASE_URL=f"{server.url}/v1",
            OLLAMA_HOST=server.url,
            GROQ_BASE_URL=server.url,
            GROQ_API_KEY="gsk_secret",
        )
        async with asyncio.timeout(300):
            found = await asyncio.to_thread(standings, shell, "--check", "local", "ollama", "groq")
    assert [each["answered"] for each in found.values()] == [True, True, True]


async def test_the_models_of_one_are_listed_live(shell: Shell) -> None:
    async with ModelServer(models=["openai/gpt-oss-20b", "b"]).serving() as server:
        shell.set(GROQ_BASE_URL=server.url, GROQ_API_KEY="gsk_secret")
        asked = ("providers", "--models", "groq")
        lines = (await asyncio.to_thread(shell.done, *asked)).out.splitlines()
        listed = (await asyncio.to_thread(shell.done, *asked, "--json")).json
    assert [line.split()[0] for line in lines] == ["Model", "openai/gpt-oss-20b", "b"]
    assert isinstance(listed, list)
    assert [each["name"] for each in listed if isinstance(each, dict)] == [
        "openai/gpt-oss-20b",
        "b",
    ]
    assert server.received[0].headers["authorization"] == "bearer gsk_secret"


def test_models_of_a_server_that_does_not_run_are_an_error(shell: Shell) -> None:
    outcome = shell.fails("providers", "--models", "ollama")
    assert "127.0.0.1:9" in outcome.err


def test_models_of_one_without_its_key_are_an_error_that_names_the_variable(shell: Shell) -> None:
    assert "GROQ_API_KEY" in shell.fails("providers", "--models", "groq").err


def test_the_built_in_one_has_one_model(shell: Shell) -> None:
    assert shell.done("providers", "--models", "offline").out.splitlines()[1].split()[0] == "rules"


def test_models_goes_with_no_other_request(shell: Shell) -> None:
    shell.fails("providers", "--models", "groq", "--check", status=2)


def own_provider(folder: Path, url: str) -> str:
    config = folder / "c.toml"
    config.write_text(
        '[providers.mine]\nlabel = "My server"\nwire = "chat"\nmodel = "m"\n'
        f'base_url = "{url}/v1"\n'
    )
    return str(config)


async def test_the_persons_own_are_listed_and_asked_too(shell: Shell) -> None:
    async with ModelServer().serving() as server:
        config = own_provider(shell.folder, server.url)
        asked = ("--check", "mine", "--config", config)
        found = await asyncio.to_thread(standings, shell, *asked)
        told = await asyncio.to_thread(shell.run, "doctor", "--config", config)
    assert found["mine"]["label"] == "My server"
    assert found["mine"]["endpoint"] == f"{server.url}/v1"
    assert found["mine"]["answered"] is True
    assert "My server" in told.out
