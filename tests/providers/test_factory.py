"""Opening of providers: addresses, keys, and environment variables of the SDKs."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.wire import (
    KEY,
    collect,
    completed,
    delta,
    http,
    provider_at,
    recorded,
    request,
    saying,
    sse,
    wire_server,
    words,
)
from tests.rows import each_row
from todo_tui.config.endpoint import Endpoint, parse_endpoint
from todo_tui.config.provider_row import variable_prefix
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import (
    ConfigError,
    NotFound,
    ProviderError,
    ProviderErrorKind,
    Unauthorized,
)
from todo_tui.domain.messages import Role
from todo_tui.domain.secret import Secret
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import PROVIDERS, ProviderRow, Wire, provider_row
from todo_tui.providers.server import servers_of

HI = sse(delta(content="Hi"), delta("stop"))
CHAT_ROWS = [row for row in PROVIDERS if row.wire is Wire.CHAT]
every_chat_row = pytest.mark.parametrize("row", CHAT_ROWS, ids=lambda row: row.id)


@each_row(
    ("text", "url", "address", "near"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "127.0.0.1:8080", True),
        ("http://localhost", "http://localhost/v1", "localhost", True),
        ("http://localhost:1234/", "http://localhost:1234/v1", "localhost:1234", True),
        ("http://h/v1/chat/completions/", "http://h/v1", "h", True),
        ("http://h/api//v1/messages", "http://h/api//v1", "h", True),
        ("http://h/responses", "http://h/v1", "h", True),
        ("  http://box.lan:1234/api/ ", "http://box.lan:1234/api", "box.lan:1234", True),
        ("http://0.0.0.0:11434", "http://127.0.0.1:11434/v1", "127.0.0.1:11434", True),
        ("http://[::1]:9/v1", "http://[::1]:9/v1", "[::1]:9", True),
        ("http://[::]:9", "http://[::1]:9/v1", "[::1]:9", True),
        ("http://192.168.1.7:80/v1", "http://192.168.1.7/v1", "192.168.1.7", True),
        ("http://100.64.0.3/v1", "http://100.64.0.3/v1", "100.64.0.3", True),
        ("https://api.example.com/v1", "https://api.example.com/v1", "api.example.com", False),
        ("https://EXAMPLE.com:443/v1/", "https://example.com/v1", "example.com", False),
        ("http://8.8.8.8/v1", "http://8.8.8.8/v1", "8.8.8.8", False),
    ],
)
def test_an_address_is_read_and_made_whole(text: str, url: str, address: str, near: bool) -> None:
    endpoint = parse_endpoint(text, "LOCAL_BASE_URL", default_path="/v1")
    assert (endpoint.url, endpoint.address, endpoint.is_near) == (url, address, near)


@each_row(
    "text",
    ["localhost:8080", "127.0.0.1:8080/v1", "ftp://host", "http://", "http://:80", "http://h:99999",
     "http://h:port", "http://h/v1?x=1", "http://h/#x", "http://a b", "http://[::1", "", "x\n",
     "http://me:pass@host/v1"],
)  # fmt: skip
def test_an_address_that_cannot_be_used_names_its_variable(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_endpoint(text, "LOCAL_BASE_URL")
    assert "LOCAL_BASE_URL" in str(caught.value)
    assert "pass" not in str(caught.value).replace("password", "")
    assert caught.value.hint


LOOPBACK = ("127.0.0.1", "127.255.3.4:8080", "[::1]:9", "localhost", "LOCALHOST:1234",
            "[0:0:0:0:0:0:0:1]", "0.0.0.0:9", "[::]:9")  # fmt: skip
"""Loopback addresses; the last two are what servers listen on, sent to 127.0.0.1 and ::1."""
BEYOND = (
    "192.168.1.5:11434", "10.0.0.1", "169.254.169.254", "box", "box.lan", "api.example.com",
    "localhost.evil.com", "127.0.0.1.evil.com", "localhost.", "127.0.0.1.", "foo.localhost",
    "localhost.localdomain", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[fe80::1%25lo]",
    "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "１２７.0.0.1",
)  # fmt: skip


@each_row("host", LOOPBACK)
def test_plain_http_stays_allowed_on_this_machine(host: str) -> None:
    settings = ProviderSettings(base_url=f"http://{host}/v1")
    (server,) = servers_of(provider_row("local"), settings)
    assert server.endpoint.is_loopback


@each_row("host", BEYOND)
def test_plain_http_beyond_this_machine_needs_a_setting(host: str) -> None:
    row, url = provider_row("ollama"), f"http://{host}/v1"
    for refuse in (servers_of, open_provider):
        with pytest.raises(ConfigError) as caught:
            refuse(row, ProviderSettings(base_url=url, base_url_source="OLLAMA_HOST"))
        assert "`allow_http = true` under [providers.ollama]" in caught.value.message
        assert "OLLAMA_HOST" in caught.value.message
    (allowed,) = servers_of(row, ProviderSettings(base_url=url, allow_http=True))
    assert not allowed.endpoint.is_loopback
    assert servers_of(row, ProviderSettings(base_url=url.replace("http:", "https:")))


@each_row(
    "host",
    ["127.0.0.1@evil.com", "127.0.0.1:80@evil.com", "127.0.0.1\\@evil.com", "evil.com\\.localhost",
     "evil%2ecom", "evil。com", "ⓛocalhost", "127.0.0.1%00.evil.com", "localhost#@evil.com"],
)  # fmt: skip
def test_a_host_that_clients_read_differently_is_no_address(host: str) -> None:
    with pytest.raises(ConfigError):
        parse_endpoint(f"http://{host}/v1", "LOCAL_BASE_URL")


@each_row("host", ["134744072", "0x8080808", "8.8.2056", "８.８.８.８", "[::ffff:8.8.8.8]"])
def test_an_address_far_away_is_not_near_however_it_is_spelled(host: str) -> None:
    assert not parse_endpoint(f"https://{host}/v1", "LOCAL_BASE_URL").is_near


@given(st.text(max_size=40), st.sampled_from(["", "http://", "https://"]))
def test_any_text_is_an_address_or_a_config_error(text: str, scheme: str) -> None:
    try:
        endpoint = parse_endpoint(scheme + text, "X")
    except ConfigError:
        return
    assert isinstance(endpoint.is_near, bool)
    assert parse_endpoint(endpoint.url, "X") == endpoint


@each_row("suffix", ["", "/", "/openai/v1", "/openai/v1/"])
async def test_groqs_address_may_be_given_with_or_without_its_path(suffix: str) -> None:
    async with wire_server(HI) as server:
        await collect(provider_at(server.url + "/groq" + suffix, "groq"))
    assert server.received[0].line == "POST /groq/openai/v1/chat/completions HTTP/1.1"


@every_chat_row
async def test_only_headers_of_http_and_the_one_key_leave(
    row: ProviderRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "leaked")
    for name in ("OPENAI_CUSTOM_HEADERS", "GROQ_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "Authorization: Bearer leaked\nX-Extra: leaked")
    for name in ("OPENAI_BASE_URL", "GROQ_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/leaked")
    monkeypatch.setenv("GROQ_API_KEY", "leaked")
    async with wire_server(HI) as server:
        await collect(provider_at(server.url, row.id))
    headers = server.received[0].headers
    assert headers.pop("authorization") == f"bearer {KEY}".lower()
    assert headers.pop("user-agent") == "todo-tui"
    assert set(headers) <= {
        "host", "accept", "accept-encoding", "connection", "content-type", "content-length",
        "x-stainless-raw-response",
    }  # fmt: skip
    assert "leaked" not in str(headers)


def test_no_library_writes_to_the_terminal_whatever_the_environment_says() -> None:
    row_ids = ["openai", "groq", "gemini-native", "anthropic"]
    script = (
        "import asyncio, tests.wires.remotes as rows\n"
        "from tests.providers.wire import collect, saying, wire_server\n"
        "async def ask(row_id):\n"
        "    remote = rows.remote(row_id)\n"
        "    async with wire_server(saying('Hi', remote.wire)) as server:\n"
        "        return await collect(remote.at(server.url))\n"
        f"for row_id in {row_ids}:\n"
        "    print(row_id, len(asyncio.run(ask(row_id))) > 1)"
    )
    loud = {f"{sdk}_LOG": "debug" for sdk in ("OPENAI", "GROQ", "ANTHROPIC")}
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **loud, "GOOGLE_API_KEY": "leaked", "GEMINI_API_KEY": "leaked"},
    )
    assert ran.stdout.splitlines() == [f"{row_id} True" for row_id in row_ids]
    assert ran.stderr == ""


@pytest.mark.parametrize("row_id", ["ollama", "local"])
async def test_without_a_key_none_is_sent_though_the_environment_has_some(
    row_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "leaked")
    async with wire_server(recorded("get-v1_models"), HI) as server:
        await collect(provider_at(server.url, row_id, key=None, model=""))
    assert [each.headers.get("authorization") for each in server.received] == [None, None]


@each_row("row", [row for row in PROVIDERS if row.needs_key])
def test_a_key_that_is_needed_and_missing_is_named(row: ProviderRow) -> None:
    with pytest.raises(Unauthorized) as caught:
        open_provider(row, ProviderSettings())
    assert row.key_variable in (caught.value.hint or "")


@every_chat_row
async def test_an_address_without_a_scheme_names_the_variable(row: ProviderRow) -> None:
    with pytest.raises(ConfigError) as caught:
        open_provider(row, ProviderSettings(base_url="localhost:8080", key=Secret(KEY)))
    assert str(caught.value) == f"{row.base_url_variable} must begin with http:// or https://."


def test_what_a_person_set_is_named_where_it_is_wrong() -> None:
    row = provider_row("groq")
    settings = ProviderSettings(
        base_url="localhost:8080", base_url_source="`base_url` of groq", key=Secret(KEY)
    )
    with pytest.raises(ConfigError, match=r"^`base_url` of groq must begin with http"):
        open_provider(row, settings)
    (server,) = servers_of(row, ProviderSettings(key=Secret(KEY), key_source="the command op"))
    assert "Check the API key in the command op" in (
        server.error(ProviderErrorKind.AUTH).hint or ""
    )


def test_a_rejected_key_names_the_command_that_saves_another() -> None:
    row, key = provider_row("groq"), Secret(KEY)
    for settings, hint in (
        (ProviderSettings(key=key, key_source="GROQ_API_KEY"),
         "Check the API key in GROQ_API_KEY, or unset it and run: todo-tui keys set groq."),
        (ProviderSettings(key=key, key_source="the key file"),
         "Check the API key in the key file, or run: todo-tui keys set groq."),
        (ProviderSettings(token_command=("op", "read")),
         "Check the API key in GROQ_API_KEY."),
    ):  # fmt: skip
        (server,) = servers_of(row, settings)
        assert server.error(ProviderErrorKind.AUTH).hint == hint


def test_a_proxy_that_cannot_be_used_is_a_config_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    for row in CHAT_ROWS:
        if row.remote:
            with pytest.raises(ConfigError) as caught:
                open_provider(row, ProviderSettings(key=Secret(KEY)))
            assert "HTTPS_PROXY" in (caught.value.hint or "")


@pytest.mark.skipif(find_spec("socksio") is not None, reason="then such a proxy can be used")
def test_a_socks_proxy_names_the_package_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://me:Secret@127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "")
    with pytest.raises(ConfigError) as caught:
        open_provider(provider_row("groq"), ProviderSettings(key=Secret(KEY)))
    assert "pip install socksio" in (caught.value.hint or "")
    assert "Secret" not in f"{caught.value} {caught.value.hint}"


async def test_other_addresses_are_tried_unless_one_is_named() -> None:
    async with wire_server(b"") as silent, wire_server(recorded("get-v1_models"), HI) as server:
        row = ProviderRow(
            "local", "Local server", Wire.CHAT, f"{silent.url}/v1", (f"{server.url}/v1",)
        )
        provider = open_provider(row, ProviderSettings(base_url=f"{silent.url}/v1"))
        assert completed(await collect(provider)).message.text == "Hi"
        assert provider.model == "qwen2.5-coder-0.5b"
        named = ProviderSettings(base_url="http://127.0.0.1:9/v1")
        assert [each.endpoint for each in servers_of(row, named)] == [
            Endpoint("http", "127.0.0.1", 9, "/v1")
        ]


async def test_a_named_model_is_asked_for_whatever_the_server_lists() -> None:
    async with wire_server(HI) as server:
        last = completed(await collect(provider_at(server.url, "ollama", model="qwen3.5")))
    assert server.received[0].body["model"] == "qwen3.5"
    assert last.message.origin == "ollama:qwen3.5"


async def test_a_server_without_a_model_says_so() -> None:
    with pytest.raises(ProviderError) as caught:
        async with wire_server(http({"object": "list", "data": []})) as server:
            await collect(provider_at(server.url, model=""))
    assert caught.value.kind is ProviderErrorKind.UNKNOWN_MODEL


async def test_a_failure_to_find_the_model_can_be_asked_again() -> None:
    loading = recorded("e-50-loading")
    async with wire_server(loading, recorded("get-v1_models"), HI) as server:
        provider = provider_at(server.url, model="")
        with pytest.raises(ProviderError) as caught:
            _ = [event async for event in provider.stream(request())]
        assert caught.value.kind is ProviderErrorKind.LOADING
        assert completed(await collect(provider)).message.text == "Hi"


def test_an_unknown_provider_is_not_found() -> None:
    with pytest.raises(NotFound) as caught:
        provider_row("skynet")
    assert "groq" in (caught.value.hint or "")


def test_new_rows_leave_the_others_their_shortcuts() -> None:
    known = "offline openai groq gemini gemini-native anthropic ollama local".split()
    assert [row.id for row in PROVIDERS][: len(known)] == known


@each_row("row", PROVIDERS)
def test_every_row_names_its_variables_and_how_to_set_it_up(row: ProviderRow) -> None:
    assert row.label
    assert row.about
    assert row.setup
    assert row.base_url_variable == f"{variable_prefix(row.id)}_BASE_URL"
    assert not row.needs_key or row.key_variable in row.setup
    assert not row.remote or row.needs_key
    for url in (row.base_url, *row.other_base_urls):
        assert not url or parse_endpoint(url, "X").is_near is not row.remote


def test_neither_registry_nor_readiness_loads_an_sdk() -> None:
    script = (
        "import sys, todo_tui.providers.registry, todo_tui.providers.readiness,"
        " todo_tui.providers.factory\n"
        "print({'openai', 'groq', 'httpx', 'httpx2', 'pydantic', 'textual'} & {*sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


@each_row("row", PROVIDERS)
async def test_every_row_opens_a_provider_that_keeps_the_contract(row: ProviderRow) -> None:
    async with wire_server(saying("Hi", row.wire)) as server:
        settings = ProviderSettings(
            base_url=server.url if row.base_url else "",
            key=Secret(KEY) if row.needs_key else None,
            model=row.default_model or "m",
        )
        provider = open_provider(row, settings)
        events = await collect(provider, request("what is due today?", tools=()))
    last = completed(events)
    assert provider.id == row.id
    assert provider.model == settings.model
    assert provider.local is not row.remote
    assert last.message.role is Role.ASSISTANT
    assert last.message.origin == f"{row.id}:{provider.model}"
    assert last.message.text == words(events)
    assert last.message.parts
