"""Client of Gemini's own API: addresses, keys, environment variables, and closing."""

from __future__ import annotations

import asyncio
import sys
from inspect import signature

import pytest

from tests.providers.wire import (
    KEY,
    candidate,
    collect,
    completed,
    http,
    provider_at,
    request,
    sse,
    wire_server,
    words,
)
from tests.rows import each_row
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind
from todo_tui.domain.extras import install_command
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row

Kind = ProviderErrorKind

ROW = "gemini-native"
PATIENCE_SECONDS = 300
"""Time limit of a test; far longer than needed."""
HI = sse(candidate({"text": "Hi"}, finish="STOP"), done=False)

LIES = {
    "GOOGLE_API_KEY": "leaked",
    "GEMINI_API_KEY": "leaked",
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_GENAI_USE_ENTERPRISE": "true",
    "GOOGLE_CLOUD_PROJECT": "leaked",
    "GOOGLE_CLOUD_LOCATION": "leaked",
    "GOOGLE_GENAI_API_VERSION": "leaked",
    "GOOGLE_GENAI_HTTP_CLIENT": "httpx",
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_REPLAYS_DIRECTORY": "/leaked",
    "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9/leaked",
    "GOOGLE_VERTEX_BASE_URL": "http://127.0.0.1:9/leaked",
    "GOOGLE_APPLICATION_CREDENTIALS": "/leaked",
    "HTTP_PROXY": "http://127.0.0.1:9/leaked",
    "ALL_PROXY": "socks5://127.0.0.1:9",
}
"""Variables that the SDK, google-auth and the HTTP client read from the environment."""


@each_row("suffix", ["", "/", "/v1beta", "/v1beta/"])
@each_row("model", ["gemini-x", "models/gemini-x"])
async def test_the_address_may_be_given_with_or_without_the_version(
    suffix: str, model: str
) -> None:
    async with wire_server(HI) as server:
        await collect(provider_at(f"{server.url}/gemini{suffix}", ROW, model=model))
    (sent,) = server.received
    assert sent.line == "POST /gemini/v1beta/models/gemini-x:streamGenerateContent?alt=sse HTTP/1.1"
    assert set(sent.body) == {"contents", "systemInstruction", "tools", "generationConfig"}


async def test_a_model_of_ones_own_tuning_is_found_where_it_is() -> None:
    async with wire_server(HI) as server:
        await collect(provider_at(server.url, ROW, model="tunedModels/mine"))
        await collect(provider_at(server.url, ROW, model="a b?c#d"))
    assert [each.line.split()[1] for each in server.received] == [
        "/v1beta/tunedModels/mine:streamGenerateContent?alt=sse",
        "/v1beta/models/a%20b%3Fc%23d:streamGenerateContent?alt=sse",
    ]


async def test_only_headers_of_http_and_the_one_key_leave_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in LIES.items():
        monkeypatch.setenv(name, value)
    async with wire_server(HI) as server:
        last = completed(await collect(provider_at(server.url, ROW)))
    assert last.message.text == "Hi"
    (sent,) = server.received
    assert sent.line.startswith("POST /v1beta/models/m:streamGenerateContent")
    assert sent.headers.pop("x-goog-api-key") == KEY.lower()
    assert sent.headers.pop("user-agent") == "todo-tui"
    assert set(sent.headers) <= {
        "host", "accept", "accept-encoding", "connection", "content-type", "content-length",
    }  # fmt: skip
    assert "leaked" not in f"{sent}{capfd.readouterr()}"


def test_without_the_package_it_says_which_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("google.genai", "google.genai.errors"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError) as caught:
        open_provider(provider_row(ROW), ProviderSettings(key=Secret(KEY)))
    assert "Gemini native" in str(caught.value)
    assert caught.value.hint == f"Run {install_command('gemini')}."


async def test_a_token_of_a_command_is_a_bearer_and_is_had_anew_when_refused() -> None:
    refused = http({"error": {"code": 401, "message": "no"}}, status="401 Unauthorized")
    command = (sys.executable, "-c", "print('ya29.token')")
    async with wire_server(refused, HI) as server:
        settings = ProviderSettings(base_url=server.url, token_command=command, model="m")
        provider = open_provider(provider_row(ROW), settings)
        assert words(await collect(provider)) == "Hi"
    assert [each.headers["authorization"] for each in server.received] == ["bearer ya29.token"] * 2
    assert "x-goog-api-key" not in server.received[0].headers


@each_row(
    ("status", "message", "kind"),
    [
        ("400 Bad Request", "API key not valid. Please pass a valid API key.", Kind.AUTH),
        ("400 Bad Request", "The input token count (9) exceeds the maximum", Kind.CONTEXT_TOO_LONG),
        ("400 Bad Request", "Function call is missing a thought_signature", Kind.BAD_REQUEST),
        ("403 Forbidden", "no", Kind.PERMISSION),
        ("404 Not Found", "models/m is not found for API version v1beta", Kind.UNKNOWN_MODEL),
        ("429 Too Many Requests", "no", Kind.RATE_LIMIT),
        ("503 Service Unavailable", "The model is overloaded.", Kind.OVERLOADED),
    ],
)
async def test_each_failure_has_its_kind_and_is_not_asked_again(
    status: str, message: str, kind: Kind
) -> None:
    code = int(status[:3])
    error: JsonValue = {"error": {"code": code, "message": message, "status": "NO"}}
    bodies: tuple[JsonValue, ...] = (error, [error])
    for body in bodies:
        async with wire_server(http(body, status=status), HI) as server:
            with pytest.raises(ProviderError) as caught:
                await collect(provider_at(server.url, ROW))
            assert len(server.received) == 1, "the SDK asked again by itself"
        assert caught.value.kind is kind
        assert message in caught.value.detail


@pytest.mark.parametrize("body", [b"<html>not here</html>", b""])
async def test_an_answer_that_is_no_api_at_all_points_at_the_address(body: bytes) -> None:
    page = http(body, status="404 Not Found", content_type="text/html")
    async with wire_server(page) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(provider_at(server.url, ROW))
    assert caught.value.kind is Kind.BAD_REQUEST
    assert "GEMINI_NATIVE_BASE_URL" in (caught.value.hint or "")


async def test_a_redirect_is_named_and_not_followed() -> None:
    elsewhere = ["Location: http://192.0.2.1/v1beta"]
    async with wire_server(http({}, status="307 Moved", headers=elsewhere)) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(provider_at(server.url, ROW))
    assert caught.value.kind is Kind.BAD_REQUEST
    assert "redirects" in str(caught.value)


@pytest.mark.parametrize("after", [0, 1])
async def test_a_connection_that_breaks_off_is_a_network_error(after: int) -> None:
    async def breaks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = sse(*[candidate({"text": "Once"})] * after, done=False)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n"
        writer.write(head + body.partition(b"\r\n\r\n")[2] if after else b"")
        await writer.drain()

    async with wire_server(breaks) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(provider_at(server.url, ROW))
    assert caught.value.kind is Kind.NETWORK


async def test_two_answers_at_once_are_not_mixed_up() -> None:
    both = asyncio.Barrier(2)

    async def says(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = f"{len(server.received)}"
        await both.wait()
        writer.write(sse(candidate({"text": mine}, finish="STOP"), done=False))
        await writer.drain()

    async with wire_server(says) as server:
        provider = provider_at(server.url, ROW)

        async def ask() -> str:
            return words([event async for event in provider.stream(request())])

        assert sorted(await asyncio.gather(ask(), ask())) == ["1", "2"]
        await provider.aclose()


async def test_an_endless_line_is_given_up() -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ")
        while True:
            writer.write(b"x" * 1_000_000)
            await writer.drain()

    async with wire_server(endless) as server:
        provider = provider_at(server.url, ROW)
        with pytest.raises(ProviderError) as caught:
            await collect(provider)
        assert caught.value.kind is Kind.MALFORMED
        await asyncio.wait_for(server.gone.wait(), PATIENCE_SECONDS)


def test_the_one_private_call_of_the_sdk_is_still_there() -> None:
    from google.genai import Client  # 0.4 s in each process that collects the tests

    client = Client(api_key="none")
    called = signature(client._api_client.async_request_streamed)
    assert list(called.parameters)[:3] == ["http_method", "path", "request_dict"]
    client.close()
