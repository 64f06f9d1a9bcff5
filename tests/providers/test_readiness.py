"""Readiness checks, which contact no remote server."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys

import pytest

from tests.providers.wire import (
    KEY,
    delta,
    fragment,
    http,
    provider_at,
    recorded,
    saying,
    sse,
    wire_server,
)
from tests.rows import each_row
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.readiness import Readiness, ReadyState, check_provider, check_readiness
from todo_tui.providers.registry import PROVIDERS, ProviderRow, Wire, provider_row


@pytest.fixture
def closed_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert isinstance(port, int)
        return port


@pytest.mark.parametrize("row_id", ["groq", "gemini"])
async def test_without_a_key_it_says_which_variable_to_set(row_id: str) -> None:
    row = provider_row(row_id)
    found = await check_readiness(row, ProviderSettings(base_url=row.base_url))
    assert found == Readiness(False, f"set {row.key_variable}", state=ReadyState.NO_KEY)


@each_row("row_id", ["groq", "gemini", "ollama", "local"])
async def test_with_a_key_a_remote_one_is_ready_and_is_not_contacted(row_id: str) -> None:
    # A name that nobody has: to contact it would fail.
    settings = ProviderSettings(base_url="https://models.invalid/v1", key=Secret(KEY))
    assert await check_readiness(provider_row(row_id), settings) == Readiness(True, "ready")


async def test_what_needs_no_network_is_always_ready() -> None:
    assert await check_readiness(provider_row("offline"), ProviderSettings()) == Readiness(
        True, "ready"
    )


@pytest.mark.parametrize("row_id", ["ollama", "local"])
async def test_a_server_that_does_not_run_is_said_to(row_id: str, closed_port: int) -> None:
    settings = ProviderSettings(base_url=f"http://127.0.0.1:{closed_port}/v1")
    assert await check_readiness(provider_row(row_id), settings) == Readiness(
        False, f"not running at 127.0.0.1:{closed_port}", state=ReadyState.NOT_RUNNING
    )


def test_what_does_not_run_is_found_out_without_the_http_client(closed_port: int) -> None:
    script = (
        "import asyncio, sys\n"
        "from todo_tui.config.settings import ProviderSettings\n"
        "from todo_tui.providers.readiness import check_readiness\n"
        "from todo_tui.providers.registry import provider_row\n"
        f"settings = ProviderSettings(base_url='http://127.0.0.1:{closed_port}/v1')\n"
        "asyncio.run(check_readiness(provider_row('ollama'), settings))\n"
        "print({'httpx', 'httpx2', 'anyio'} & {*sys.modules} or '-')\n"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert printed.stdout == "-\n", printed.stderr


async def test_a_running_server_lists_its_models() -> None:
    async with wire_server(recorded("get-v1_models")) as server:
        found = await check_readiness(provider_row("local"), ProviderSettings(base_url=server.url))
    owned = {"owned_by": "llamacpp"}
    assert found == Readiness(True, "ready", (ModelInfo("qwen2.5-coder-0.5b", 4096, owned),))


async def test_models_that_only_embed_are_left_out() -> None:
    listed: list[JsonValue] = [
        {"id": "nomic-embed-text:latest"},
        {"id": "qwen3.5:8b", "max_model_len": 32768},
    ]
    async with wire_server(http({"data": [*listed, {}, None, 17]})) as server:
        found = await check_readiness(provider_row("ollama"), ProviderSettings(base_url=server.url))
    assert found.models == (ModelInfo("qwen3.5:8b", 32768),)


@each_row(
    ("answer", "reason"),
    [
        (recorded("e-50-loading"), "still loading its model"),
        (recorded("e-51-no-api-key-401"), "set LOCAL_API_KEY"),
        (http({"data": []}), "no model installed"),
        (http({"data": None}), "no model API at"),
        (http(b"<html>hello</html>", content_type="text/html"), "no model API at"),
        (http(b"gone", status="404 Not Found"), "no model API at"),
        (http({}, status="302 Found", headers=["Location: http://192.0.2.1/"]), "no model API at"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "not running at"),
        (b"", "not running at"),
    ],
)
async def test_a_server_that_is_no_use_says_why(answer: bytes, reason: str) -> None:
    async with wire_server(answer) as server:
        found = await check_readiness(provider_row("local"), ProviderSettings(base_url=server.url))
    assert not found.ready
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    "answer",
    [
        http({"detail": "Not Found"}, status="404 Not Found"),
        http(b"no", status="405 Method Not Allowed", content_type="text/plain"),
        http({"error": {"message": "not implemented"}}, status="501 Not Implemented"),
    ],
)
async def test_a_server_without_a_list_is_ready_once_a_model_is_named(answer: bytes) -> None:
    async with wire_server(answer) as server:
        settings = ProviderSettings(base_url=server.url, model="m")
        assert await check_readiness(provider_row("local"), settings) == Readiness(True, "ready")
        unnamed = await check_readiness(
            provider_row("local"), ProviderSettings(base_url=server.url)
        )
    assert unnamed.state is ReadyState.NOT_READY


async def test_a_key_that_is_refused_is_told_apart_from_a_missing_one() -> None:
    async with wire_server(recorded("e-51-no-api-key-401")) as server:
        settings = ProviderSettings(base_url=server.url, key=Secret("sk-12345678"))
        found = await check_readiness(provider_row("local"), settings)
    assert (found.reason, found.state) == ("API key rejected", ReadyState.KEY_REFUSED)


async def test_an_address_that_cannot_be_used_is_a_reason_and_no_crash() -> None:
    found = await check_readiness(provider_row("local"), ProviderSettings(base_url="localhost"))
    assert found.reason == "LOCAL_BASE_URL must begin with http:// or https://."


async def test_a_server_that_never_answers_is_given_up_soon() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with wire_server(silent) as server, asyncio.timeout(300):
        found = await check_readiness(provider_row("local"), ProviderSettings(base_url=server.url))
    assert found.state is ReadyState.NOT_RUNNING


@each_row("row", [row for row in PROVIDERS if row.base_url])
async def test_a_check_sends_one_small_request(row: ProviderRow) -> None:
    async with wire_server(saying("ok", row.wire)) as server:
        provider = provider_at(server.url, row.id)
        await check_provider(provider)
        await provider.aclose()
    (sent,) = server.received
    assert len(str(sent.body)) < 700
    assert "tools" in sent.body


CALLED = sse(
    delta(tool_calls=[fragment("answer", '{"word": "ok"}', index=0, id="call_a")]),
    delta("tool_calls"),
)
SAID = sse(delta(content="ok"), delta("stop"))
CUT_OFF = sse(delta(content="o"), delta("length"))


def refused(words: str) -> bytes:
    return http({"error": {"message": words}}, status="400 Bad Request")


@each_row(
    ("answer", "calls_tools"),
    [
        (CALLED, True),
        (SAID, False),
        (CUT_OFF, None),
        (refused("m does not support tools"), False),
    ],
)
@each_row("row_id", ["groq", "local"])
async def test_a_check_tells_whether_the_model_calls_tools(
    row_id: str, answer: bytes, calls_tools: bool | None
) -> None:
    async with wire_server(answer) as server:
        provider = provider_at(server.url, row_id)
        checked = await check_provider(provider)
        await provider.aclose()
    assert checked.calls_tools is calls_tools
    assert 0 <= checked.milliseconds < 10_000
    (sent,) = server.received
    # At home a model is asked in words alone: what forces it may make it write for ever.
    assert sent.body.get("tool_choice") == ("required" if row_id == "groq" else None)


async def test_where_a_call_cannot_be_demanded_it_is_asked_for() -> None:
    async with wire_server(refused("tool_choice: no"), CALLED) as server:
        provider = provider_at(server.url, "groq")
        assert (await check_provider(provider)).calls_tools
        await provider.aclose()
    assert [each.body.get("tool_choice") for each in server.received] == ["required", None]


async def test_a_family_that_takes_no_demand_is_not_sent_one() -> None:
    async with wire_server(saying("ok", Wire.MESSAGES)) as server:
        provider = provider_at(server.url, "anthropic", model="claude-sonnet-5-5")
        assert (await check_provider(provider)).calls_tools is False
        await provider.aclose()
    (sent,) = server.received
    assert sent.body.get("tool_choice", {"type": "auto"}) == {"type": "auto"}


async def test_a_check_that_fails_says_why(closed_port: int) -> None:
    provider = provider_at(f"http://127.0.0.1:{closed_port}")
    with pytest.raises(ProviderError) as caught:
        await check_provider(provider)
    await provider.aclose()
    assert caught.value.kind is ProviderErrorKind.NETWORK


async def test_a_check_does_not_wait_for_ever() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with wire_server(silent) as server:
        provider = provider_at(server.url)
        with pytest.raises(ProviderError) as caught:
            await check_provider(provider, seconds=0.1)
        await provider.aclose()
    assert caught.value.kind is ProviderErrorKind.TIMEOUT
