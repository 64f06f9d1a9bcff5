"""Requests and errors of a Messages server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.providers.messages_stream import (
    MODEL,
    Event,
    event,
    messages_provider,
    own_provider,
    read,
    read_play,
    start,
    stop,
    stream,
    text,
)
from tests.providers.wire import KEY, Play, collect, completed, http, request, wire_server
from tests.rows import each_row
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue

Kind = ProviderErrorKind

ANSWER = stream(start(), *text(0, "Hi."), *stop())


def says(kind: str, message: str = "no") -> Event:
    """Return an error in the form of the API."""
    return event("error", error={"type": kind, "message": message}, request_id="req_1")


async def failure_of(play: Play) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await read_play(play)
    return caught.value


STATUSES: list[tuple[str, str, str, ProviderErrorKind]] = [
    ("400 Bad Request", "invalid_request_error", "messages: at least one", Kind.BAD_REQUEST),
    (
        "400 Bad Request",
        "invalid_request_error",
        "prompt is too long: 201000 tokens > 200000 maximum",
        Kind.CONTEXT_TOO_LONG,
    ),
    (
        "400 Bad Request",
        "invalid_request_error",
        "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
        Kind.CONTEXT_TOO_LONG,
    ),
    (
        "400 Bad Request",
        "invalid_request_error",
        "Your credit balance is too low to access the Anthropic API.",
        Kind.QUOTA,
    ),
    ("401 Unauthorized", "authentication_error", "invalid x-api-key", Kind.AUTH),
    ("402 Payment Required", "billing_error", "no", Kind.QUOTA),
    ("403 Forbidden", "permission_error", "no", Kind.PERMISSION),
    ("404 Not Found", "not_found_error", "model: claude-haiku-9", Kind.UNKNOWN_MODEL),
    ("413 Payload Too Large", "request_too_large", "no", Kind.CONTEXT_TOO_LONG),
    ("429 Too Many Requests", "rate_limit_error", "no", Kind.RATE_LIMIT),
    ("500 Internal Server Error", "api_error", "Internal server error", Kind.OVERLOADED),
    ("504 Gateway Timeout", "timeout_error", "no", Kind.TIMEOUT),
    ("529 Overloaded", "overloaded_error", "Overloaded", Kind.OVERLOADED),
]


@each_row(("status", "kind", "message", "expected"), STATUSES)
async def test_each_error_of_the_api_is_of_a_kind(
    status: str, kind: str, message: str, expected: ProviderErrorKind
) -> None:
    error = await failure_of(http(says(kind, message), status=status))
    assert error.kind is expected
    assert error.hint


@each_row(
    ("kind", "expected"),
    [
        ("overloaded_error", Kind.OVERLOADED),
        ("rate_limit_error", Kind.RATE_LIMIT),
        ("api_error", Kind.TRUNCATED),
        ("timeout_error", Kind.TIMEOUT),
        ("billing_error", Kind.QUOTA),
        ("authentication_error", Kind.AUTH),
        ("permission_error", Kind.PERMISSION),
        ("invalid_request_error", Kind.BAD_REQUEST),
    ],
)
async def test_an_error_in_mid_stream_is_of_a_kind_too(
    kind: str, expected: ProviderErrorKind
) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(start(), *text(0, "Milk is"), says(kind))
    assert caught.value.kind is expected


async def test_an_error_with_a_good_status_is_an_error() -> None:
    assert (await failure_of(http(says("overloaded_error")))).kind is Kind.OVERLOADED


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    limited = http(
        says("rate_limit_error"), status="429 Too Many Requests", headers=["Retry-After: 7"]
    )
    assert (await failure_of(limited)).retry_after == 7


async def test_a_connection_lost_in_mid_stream_is_a_network_error() -> None:
    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, _, rest = stream(start(), *text(0, "Milk is")).partition(b"\r\n\r\n")
        head = head.replace(b"Connection: close", b"Content-Length: 100000")
        writer.write(head + b"\r\n\r\n" + rest)
        await writer.drain()

    error = await failure_of(play)
    assert error.kind is Kind.NETWORK
    assert error.retryable


@pytest.mark.parametrize(
    "rubbish", [b"event: x\ndata: {\n\n", b"data: \xff\xfe\n\n", b"event: error\ndata: Oh\n\n"]
)
async def test_rubbish_in_mid_stream_is_malformed(rubbish: bytes) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(start(), rubbish, *stop())
    assert caught.value.kind is Kind.MALFORMED


async def test_a_web_page_is_told_to_be_one() -> None:
    error = await failure_of(http(b"<html>Hi</html>", content_type="text/html"))
    assert error.kind is Kind.BAD_REQUEST
    assert "web page" in error.message


async def test_the_key_goes_into_its_own_header_and_no_other_comes_along() -> None:
    async with wire_server(ANSWER) as server:
        await collect(messages_provider(server.url))
    headers = server.received[0].headers
    assert headers["x-api-key"] == KEY
    assert "authorization" not in headers
    assert headers["anthropic-version"] == "2026-10-21"
    others = [name for name in headers if name.startswith(("x-stainless", "anthropic-b"))]
    assert others == ["x-stainless-raw-response"]


async def test_a_bearer_token_goes_into_its_own() -> None:
    async with wire_server(ANSWER) as server:
        await collect(messages_provider(server.url, bearer=True))
    headers = server.received[0].headers
    assert headers["authorization"] == f"bearer {KEY}"
    assert "x-api-key" not in headers


async def test_a_token_that_was_refused_is_asked_for_anew(tmp_path: Path) -> None:
    script = tmp_path / "token"
    count = tmp_path / "count"
    script.write_text(f"#!/bin/sh\necho x >> {count}\necho token-number-$(wc -l < {count})\n")
    script.chmod(0o700)
    refused = http(says("authentication_error"), status="401 Unauthorized")
    async with wire_server(refused, ANSWER) as server:
        provider = messages_provider(server.url, key=None, token_command=(str(script),))
        events = await collect(provider)
    assert completed(events).message.text == "Hi."
    assert [each.headers["authorization"] for each in server.received] == [
        "bearer token-number-1",
        "bearer token-number-2",
    ]


@each_row("base", ["", "/", "/v1", "/v1/", "/gateway/v1", "/gateway"])
async def test_the_path_is_the_api_s_whatever_the_base_url_ends_with(base: str) -> None:
    async with wire_server(ANSWER) as server:
        await collect(messages_provider(server.url + base))
    prefix = "/gateway" if "gateway" in base else ""
    assert server.received[0].line == f"POST {prefix}/v1/messages HTTP/1.1"


@pytest.fixture
def tempting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set everything that the SDK would read by itself: variables, and a profile in its folder."""
    elsewhere = "http://127.0.0.1:9"
    for name, value in {
        "ANTHROPIC_API_KEY": "sk-ant-stray-0123456789",
        "ANTHROPIC_AUTH_TOKEN": "stray-token-0123456789",
        "ANTHROPIC_BASE_URL": elsewhere,
        "ANTHROPIC_CUSTOM_HEADERS": "X-Stray: stray\nAuthorization: Bearer stray",
        "ANTHROPIC_WEBHOOK_SIGNING_KEY": "whsec_stray",
        "ANTHROPIC_PROFILE": "stray",
        "ANTHROPIC_CONFIG_DIR": str(tmp_path),
        "ANTHROPIC_IDENTITY_TOKEN": "stray",
        "ANTHROPIC_FEDERATION_RULE_ID": "stray",
        "ANTHROPIC_ORGANIZATION_ID": "stray",
        "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE": "content",
    }.items():
        monkeypatch.setenv(name, value)
    profile = {
        "base_url": elsewhere,
        "workspace_id": "wrkspc_stray",
        "authentication": {"type": "user_oauth"},
    }
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "stray.json").write_text(json.dumps(profile), "utf-8")
    (tmp_path / "active_config").write_text("stray", "utf-8")


@pytest.mark.usefixtures("tempting")
@pytest.mark.parametrize("own", [False, True])
async def test_nothing_of_the_environment_is_sent_anywhere(*, own: bool) -> None:
    async with wire_server(ANSWER) as server:
        provider = own_provider(server.url) if own else messages_provider(server.url)
        await collect(provider)
    (received,) = server.received
    assert "stray" not in f"{received.headers} {received.body}"
    assert received.headers["x-api-key"] == KEY


@pytest.mark.usefixtures("tempting")
async def test_a_provider_without_a_key_sends_none() -> None:
    async with wire_server(ANSWER) as server:
        provider = messages_provider(server.url, key=None, token_command=("printf", "own-token"))
        await collect(provider)
    headers = server.received[0].headers
    assert headers["authorization"] == "bearer own-token"
    assert "x-api-key" not in headers


async def test_a_model_near_its_end_of_life_is_asked_without_a_warning() -> None:
    async with wire_server(ANSWER) as server:
        await collect(messages_provider(server.url, model="claude-sonnet-4-5"))
    assert server.received[0].body["model"] == "claude-sonnet-4-5"


async def test_a_redirect_is_not_followed() -> None:
    async with wire_server(ANSWER) as other:
        moved = http({}, status="302 Found", headers=[f"Location: {other.url}/v1/messages"])
        error = await failure_of(moved)
    assert "redirects" in error.message
    assert not other.received


async def test_a_stream_that_failed_leaves_no_task_behind() -> None:
    failed = stream(
        start(), *text(0, "Milk is"), says("overloaded_error"), *text(1, "more"), *stop()
    )
    async with wire_server(failed) as server:
        provider = messages_provider(server.url)
        before = asyncio.all_tasks()
        with pytest.raises(ProviderError):
            assert [each async for each in provider.stream(request())]
        left = {task for task in asyncio.all_tasks() - before if "handle" not in repr(task)}
        await provider.aclose()
    assert not left


async def test_no_key_is_in_an_error() -> None:
    body: JsonValue = says("authentication_error", f"{KEY} is wrong")
    async with wire_server(http(body, status="401 Unauthorized")) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(messages_provider(server.url, key=Secret(KEY), model=MODEL))
    assert KEY not in f"{caught.value} {caught.value.detail} {caught.value.hint}"
