"""Where `ask` and `providers` may send: to hosts that are named or agreed to, and to no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Shell
from tests.cli.model_server import WORDS, ModelServer
from tests.cli.terminal import at_a_terminal
from tests.providers.wire import WireServer
from todo_tui.config.machine import detect_machine
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

PLAN = "my secret plan"
QUESTION = r"\[y/N\] "


def opened(shell: Shell) -> Store:
    zone = detect_machine({"TZ": "Europe/Berlin"}).zone
    return open_store(
        shell.folder / "tasks.db",
        user="me",
        clock=Clock(zone),
        state_folder=shell.folder / "state/todo-tui",
    )


@pytest.fixture
def chosen(shell: Shell) -> Shell:
    """A shell in which Ollama was chosen in the app, before its host was agreed to."""
    with opened(shell) as store:
        store.app_state.set("provider", "ollama")
    return shell


@asynccontextmanager
async def ollama(shell: Shell) -> AsyncIterator[WireServer]:
    """A server on this machine that nothing but `OLLAMA_HOST` names."""
    async with ModelServer(WORDS).serving() as server:
        shell.set(OLLAMA_HOST=server.url)
        yield server


def configured(shell: Shell, text: str) -> None:
    config = shell.folder / "c.toml"
    config.write_text(text)
    shell.set(TODO_TUI_CONFIG=str(config))


async def test_without_a_terminal_nothing_is_sent_to_a_host_nobody_agreed_to(
    chosen: Shell,
) -> None:
    async with ollama(chosen) as server:
        run = await asyncio.to_thread(chosen.process, "ask", PLAN, "--json", "--yes")
    assert server.received == []
    assert run.returncode == 1
    ended = json.loads(run.stdout)
    assert (ended["status"], ended["error"]["kind"]) == ("failed", "consent_needed")
    assert f"Ollama at 127.0.0.1:{server.port}" in ended["error"]["message"]
    assert b"--provider ollama" in run.stderr
    with opened(chosen) as store:
        (kept,) = store.turns.list(ended["conversation_id"])
    assert kept.user_text == PLAN


def test_on_a_terminal_the_person_is_asked_once(chosen: Shell, llmock: LLMock) -> None:
    def talk(typed: str) -> int:
        child = at_a_terminal("ask", PLAN, "--yes")
        child.expect("Send messages to Ollama at 127.0.0.1:")
        child.expect(QUESTION)
        child.send(typed)
        child.expect(pexpect.EOF)
        child.close()
        return int(child.exitstatus or 0)

    llmock.reply("ok", times=2)
    chosen.set(OLLAMA_HOST=llmock.url, OLLAMA_MODEL="m")
    assert talk("n\n") == 1
    assert llmock.requests == []
    assert talk("y\n") == 0
    assert chosen.done("ask", PLAN).out == "ok\n"
    assert len(llmock.requests) == 2
    chosen.set(OLLAMA_HOST="127.0.0.1:9")
    elsewhere = chosen.run("ask", PLAN)
    assert "Nothing was sent" in elsewhere.err, "another port is another host"


@pytest.mark.parametrize(
    ("args", "variables", "toml"),
    [
        (("--provider", "ollama"), {}, ""),
        (("--model", "ollama:m"), {}, ""),
        ((), {"TODO_TUI_PROVIDER": "ollama"}, ""),
        ((), {"OLLAMA_BASE_URL": "{url}/v1"}, ""),
        ((), {}, 'provider = "ollama"'),
        ((), {}, '[roles]\nchat = "ollama:m"'),
        ((), {}, '[providers.ollama]\nbase_url = "{url}/v1"'),
    ],
)
def test_naming_a_provider_or_its_host_is_consent(
    chosen: Shell,
    llmock: LLMock,
    args: tuple[str, ...],
    variables: dict[str, str],
    toml: str,
) -> None:
    llmock.reply("ok")
    chosen.set(OLLAMA_HOST=llmock.url, OLLAMA_MODEL="m")
    chosen.set(**{name: text.replace("{url}", llmock.url) for name, text in variables.items()})
    configured(chosen, toml.replace("{url}", llmock.url))
    assert chosen.done("ask", PLAN, *args).out == "ok\n"


def test_a_models_name_alone_is_no_consent_to_the_host_it_leads_to(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_never_sent")
    run = shell.process("ask", PLAN, "--model", "openai/gpt-oss-20b")
    assert run.returncode == 1
    assert b"Nothing was sent" in run.stderr
    assert b"Groq at api.groq.com." in run.stderr


def test_a_fallback_that_is_listed_gets_the_conversation(shell: Shell, llmock: LLMock) -> None:
    llmock.reply("ok")
    configured(shell, 'fallback = ["ollama"]\n[limits]\nretries = 1\n')
    shell.set(LOCAL_BASE_URL="http://127.0.0.1:9/v1", LOCAL_MODEL="m")
    shell.set(OLLAMA_HOST=llmock.url, OLLAMA_MODEL="m")
    assert shell.done("ask", PLAN, "--provider", "local").out == "ok\n"


async def test_check_asks_no_server_here_that_nobody_agreed_to_nor_shows_it_a_key(
    shell: Shell,
) -> None:
    shell.set(LOCAL_BASE_URL="http://127.0.0.1:9/v1", OLLAMA_API_KEY="never-sent")
    async with ollama(shell) as server:
        outcome = await asyncio.to_thread(shell.done, "providers", "--check", "--json")
        await asyncio.to_thread(shell.run, "doctor")
        unasked = list(server.received)
        named = await asyncio.to_thread(shell.run, "providers", "ollama", "--check")
    found = {each["id"]: each for each in json.loads(outcome.out)}
    assert found["ollama"]["answered"] is None
    assert "--provider ollama" in found["ollama"]["remark"]
    assert {each.line.split()[0] for each in unasked} == {"GET"}
    assert "never-sent" not in str(unasked)
    assert "answers, " in named.out
    assert server.received[-1].headers["authorization"] == "bearer never-sent"


@pytest.mark.parametrize("host", ["192.0.2.7", "http://box.lan:8080", "http://0x7f.1:1"])
def test_plain_http_beyond_this_machine_is_refused_with_the_line_that_allows_it(
    shell: Shell, host: str
) -> None:
    shell.set(OLLAMA_HOST=host, LOCAL_BASE_URL="http://127.0.0.1:9/v1")
    line = "`allow_http = true` under [providers.ollama]"
    asked = shell.run("ask", PLAN, "--provider", "ollama")
    assert asked.status != 0
    assert line in asked.err
    assert line in shell.run("doctor", "--provider", "ollama").out
    assert line in shell.run("providers", "ollama").out
    configured(shell, "[providers.ollama]\nallow_http = true\n")
    shown = shell.done("config", "show", "--json").json
    assert isinstance(shown, dict)
    assert "providers.ollama.allow_http" in str(shown)
