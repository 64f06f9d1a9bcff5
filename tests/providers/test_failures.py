"""Errors that users see when a server refuses, breaks off or is not there."""

from __future__ import annotations

import asyncio
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.wire import (
    KEY,
    answered,
    collect,
    completed,
    delta,
    http,
    provider_at,
    request,
    server_of,
    sse,
    wire_server,
)
from tests.rows import each_row
from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import REMOTES, Remote
from tests.wires.server import fake_server
from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import Completed
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.credentials import Credential
from todo_tui.providers.errors import (
    parse_error_body,
    provider_error_from,
    retry_after_from_duration,
    retry_after_from_headers,
    retry_after_from_text,
    to_provider_error,
)
from todo_tui.providers.registry import provider_row
from todo_tui.providers.server import Server, servers_of

Kind = ProviderErrorKind
EVENTS = "text/event-stream"
ROWS = ("groq", "gemini", "ollama", "local")
every_remote = pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
every_row = pytest.mark.parametrize("row_id", ROWS)


async def failure_of(*plays: bytes, row_id: str = "groq") -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await answered(*plays, row_id=row_id)
    return caught.value


def says(message: str = "no", **members: JsonValue) -> JsonValue:
    return {"error": {"message": message, **members}}


STATUSES = {
    "400 Bad Request": Kind.BAD_REQUEST,
    "401 Unauthorized": Kind.AUTH,
    "402 Payment Required": Kind.QUOTA,
    "403 Forbidden": Kind.PERMISSION,
    "404 Not Found": Kind.UNKNOWN_MODEL,
    "408 Request Timeout": Kind.TIMEOUT,
    "409 Conflict": Kind.OVERLOADED,
    "413 Payload Too Large": Kind.CONTEXT_TOO_LONG,
    "422 Unprocessable Entity": Kind.BAD_REQUEST,
    "429 Too Many Requests": Kind.RATE_LIMIT,
    "500 Internal Server Error": Kind.OVERLOADED,
    "502 Bad Gateway": Kind.OVERLOADED,
    "503 Service Unavailable": Kind.OVERLOADED,
    "504 Gateway Timeout": Kind.TIMEOUT,
    "529 Overloaded": Kind.OVERLOADED,
}


@each_row("status", STATUSES)
@every_row
async def test_each_status_has_its_kind_a_sentence_and_a_next_step(
    status: str, row_id: str
) -> None:
    error = await failure_of(http(says(), status=status), row_id=row_id)
    assert error.kind is STATUSES[status]
    assert str(error).endswith(".")
    assert error.hint


WORDS: dict[str, tuple[str, JsonValue, ProviderErrorKind]] = {
    "openai context": (
        "400 Bad Request",
        says("This model's maximum context length is 8192", code="context_length_exceeded"),
        Kind.CONTEXT_TOO_LONG,
    ),
    "groq too large": (
        "413 Request Entity Too Large",
        says("Request too large for model `x`: Limit 8000, Requested 9000", type="tokens"),
        Kind.CONTEXT_TOO_LONG,
    ),
    "gemini context": (
        "400 Bad Request",
        [says("The input token count (1200000) exceeds the maximum", status="INVALID_ARGUMENT")],
        Kind.CONTEXT_TOO_LONG,
    ),
    "ollama model": (
        "404 Not Found",
        says('model "qwen3.5" not found, try pulling it first', type="api_error"),
        Kind.UNKNOWN_MODEL,
    ),
    "groq model": (
        "404 Not Found",
        says("The model `x` does not exist", code="model_not_found"),
        Kind.UNKNOWN_MODEL,
    ),
    "groq decommissioned": (
        "400 Bad Request",
        says("The model `x` has been decommissioned", code="model_decommissioned"),
        Kind.UNKNOWN_MODEL,
    ),
    "gemini model": (
        "404 Not Found",
        [says("models/x is not found for API version v1main", status="NOT_FOUND")],
        Kind.UNKNOWN_MODEL,
    ),
    "gemini key": (
        "400 Bad Request",
        [says("API key not valid. Please pass a valid API key.", status="INVALID_ARGUMENT")],
        Kind.AUTH,
    ),
    "gemini key as reason": (
        "400 Bad Request",
        [says("Bad", details=[{"reason": "API_KEY_INVALID"}])],
        Kind.AUTH,
    ),
    "gemini by the minute": (
        "429 Too Many Requests",
        [says("You exceeded your current quota", details=[{"retryDelay": "34s"}])],
        Kind.RATE_LIMIT,
    ),
    "gemini by the day": (
        "429 Too Many Requests",
        [
            says(
                "You exceeded your current quota",
                details=[
                    {"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]},
                    {"retryDelay": "34s"},
                ],
            )
        ],
        Kind.QUOTA,
    ),
    "openai quota": (
        "429 Too Many Requests",
        says("You exceeded your current quota", code="insufficient_quota"),
        Kind.QUOTA,
    ),
    "ollama tools": (
        "400 Bad Request",
        says("registry.ollama.ai/library/gemma:2b does not support tools"),
        Kind.TOOLS_UNSUPPORTED,
    ),
    "groq tools": (
        "400 Bad Request",
        says("`tool calling` is not supported with this model"),
        Kind.TOOLS_UNSUPPORTED,
    ),
    "llama.cpp tools": (
        "500 Internal Server Error",
        says("tools param requires --jinja flag"),
        Kind.TOOLS_UNSUPPORTED,
    ),
    "llama.cpp parse": (
        "500 Internal Server Error",
        says("Failed to parse input at pos 12: <tool_call>"),
        Kind.MALFORMED,
    ),
    "ollama string": ("500 Internal Server Error", {"error": "loading model"}, Kind.LOADING),
    "groq path": (
        "404 Not Found",
        says("Unknown request URL: POST /openai/v1/v1/chat/completions. Please check the URL."),
        Kind.BAD_REQUEST,
    ),
    "kong path": (
        "404 Not Found",
        {"message": "no Route matched with those values"},
        Kind.BAD_REQUEST,
    ),
    "fastapi path": ("404 Not Found", {"detail": "Not Found"}, Kind.BAD_REQUEST),
    "content policy": (
        "400 Bad Request",
        says("no", code="content_policy_violation"),
        Kind.REFUSED,
    ),
}


RAW = "Provider returned error"
CAUSES: dict[str, tuple[str, JsonValue, ProviderErrorKind, str]] = {
    "JSON in raw": (
        "400 Bad Request",
        says(RAW, metadata={"raw": '{"error": {"message": "no image input"}}'}),
        Kind.BAD_REQUEST,
        "rejected the request: Provider returned error: no image input.",
    ),
    "text in raw": (
        "400 Bad Request",
        says(RAW, metadata={"raw": "the region is not served"}),
        Kind.BAD_REQUEST,
        ": Provider returned error: the region is not served.",
    ),
    "object in raw": (
        "502 Bad Gateway",
        says(RAW, metadata={"raw": {"detail": "upstream is down"}}),
        Kind.OVERLOADED,
        "is overloaded or down: HTTP 502: upstream is down.",
    ),
    "a page in raw": (
        "502 Bad Gateway",
        says(RAW, metadata={"raw": "<html>no</html>"}),
        Kind.OVERLOADED,
        "is overloaded or down: HTTP 502.",
    ),
    "overflow in raw": (
        "400 Bad Request",
        says(RAW, metadata={"raw": '{"message": "maximum context length is 8192"}'}),
        Kind.CONTEXT_TOO_LONG,
        "The conversation is too long for m: Provider returned error: maximum context length",
    ),
    "text in detail": (
        "400 Bad Request",
        {"detail": "extra fields not permitted"},
        Kind.BAD_REQUEST,
        ": extra fields not permitted.",
    ),
    "list in detail": (
        "422 Unprocessable Entity",
        {"detail": [{"loc": ["body", "tools"], "msg": "extra fields not permitted"}]},
        Kind.BAD_REQUEST,
        ": body.tools: extra fields not permitted.",
    ),
    "texts in detail": (
        "422 Unprocessable Entity",
        {"detail": ["too short", "too old"]},
        Kind.BAD_REQUEST,
        ": too short; too old.",
    ),
    "object in detail": (
        "400 Bad Request",
        {"detail": {"error": {"message": "prompt is too long"}}},
        Kind.CONTEXT_TOO_LONG,
        ": prompt is too long.",
    ),
    "detail beside an error": (
        "400 Bad Request",
        {"error": "Bad request", "detail": [{"msg": "no tools"}]},
        Kind.BAD_REQUEST,
        ": Bad request: no tools.",
    ),
    "texts in errors": (
        "400 Bad Request",
        {"errors": ["the context window is exceeded"]},
        Kind.CONTEXT_TOO_LONG,
        ": the context window is exceeded.",
    ),
    "objects in errors": (
        "403 Forbidden",
        {"errors": [{"code": 1, "message": "not in this plan"}]},
        Kind.PERMISSION,
        ": HTTP 403: not in this plan.",
    ),
    "list of messages": (
        "400 Bad Request",
        {"message": ["model must be a string"]},
        Kind.BAD_REQUEST,
        ": model must be a string.",
    ),
    "innererror of Azure": (
        "400 Bad Request",
        says("It failed", innererror={"code": "X", "innererror": {"message": "no image input"}}),
        Kind.BAD_REQUEST,
        ": It failed: no image input.",
    ),
    "details of Azure": (
        "400 Bad Request",
        says("It failed", details=[{"message": "no image input"}, {"message": "no sound"}]),
        Kind.BAD_REQUEST,
        ": It failed: no image input; no sound.",
    ),
    "violations of Google": (
        "400 Bad Request",
        [
            says(
                "Invalid argument.",
                details=[
                    {"fieldViolations": [{"field": "contents[0]", "description": "is empty"}]}
                ],
            )
        ],
        Kind.BAD_REQUEST,
        ": Invalid argument: contents[0]: is empty.",
    ),
    "cause": (
        "400 Bad Request",
        says("Upstream error", cause={"message": "maximum context length is 8192"}),
        Kind.CONTEXT_TOO_LONG,
        ": Upstream error: maximum context length is 8192.",
    ),
    "capital letters": (
        "400 Bad Request",
        {"Response": {"Error": {"Code": "InvalidParameter", "Message": "no image input"}}},
        Kind.BAD_REQUEST,
        ": no image input.",
    ),
    "message in two words": (
        "400 Bad Request",
        {"errorMessage": "no image input", "error_code": 3},
        Kind.BAD_REQUEST,
        ": no image input.",
    ),
    "fault": (
        "400 Bad Request",
        {"fault": {"faultstring": "no image input", "detail": {"errorcode": "x.y"}}},
        Kind.BAD_REQUEST,
        ": no image input.",
    ),
    "moderation": (
        "403 Forbidden",
        says("Your input was flagged", metadata={"reasons": ["violence"], "flagged_input": "x"}),
        Kind.REFUSED,
        ": Your input was flagged: violence.",
    ),
    **{
        f"MiniMax's {code}": (
            "200 OK",
            {"choices": None, "base_resp": {"status_code": code, "status_msg": "no, not so"}},
            kind,
            words,
        )
        for code, kind, words in (
            (2013, Kind.BAD_REQUEST, ": no, not so."),
            (1002, Kind.RATE_LIMIT, ""),
            (1004, Kind.AUTH, ""),
            (1039, Kind.CONTEXT_TOO_LONG, ": no, not so."),
        )
    },
    "quota in raw": (
        "429 Too Many Requests",
        says(RAW, metadata={"raw": "insufficient credits"}),
        Kind.QUOTA,
        "quota exceeded: insufficient credits.",
    ),
}
"""Status, body, kind and end or part of the sentence, by place of the cause."""


@each_row("case", CAUSES)
@every_row
async def test_the_cause_of_an_error_is_shown_and_tells_the_kind(case: str, row_id: str) -> None:
    status, body, kind, sentence = CAUSES[case]
    error = await failure_of(http(body, status=status), row_id=row_id)
    assert error.kind is kind
    assert sentence in error.message


BODIES: dict[str, tuple[str, str]] = {
    "Country not supported\n": ("text/plain", ": HTTP 403: Country not supported."),
    "prompts < 10 kB only": ("text/plain", ": HTTP 403: prompts < 10 kB only."),
    "<html><head><title>Access denied | api.x &amp; co</title></head><h1>No</h1></html>": (
        "text/html",
        ": HTTP 403: Access denied | api.x & co.",
    ),
    "<!DOCTYPE html>\n<html><title>403 Forbidden</title><center>nginx</center>": (
        "text/html",
        ": HTTP 403.",
    ),
    "\n<html><title></title><h1 class='x'>Blocked by\n <b>the firewall</b></h1>": (
        "text/html",
        ": HTTP 403: Blocked by the firewall.",
    ),
    "<?xml version='1.0'?><Error><Code>No</Code><Message>Not in this region</Message></Error>": (
        "application/xml",
        ": HTTP 403: Not in this region.",
    ),
    '"Not from this address"': ("application/json", ": HTTP 403: Not from this address."),
    '{"message": "Not in this plan"}': ("application/json", ": HTTP 403: Not in this plan."),
    '{"success": false, "info": {"hint": "Not in this plan"}}': (
        "application/json",
        ": HTTP 403: Not in this plan.",
    ),
    '{"title": "Forbidden", "status": 403, "detail": "Not in this plan"}': (
        "application/json",
        ": HTTP 403: Not in this plan.",
    ),
    '{"result": "error", "error_code": "GEO_BLOCKED"}': (
        "application/json",
        ": HTTP 403: GEO_BLOCKED.",
    ),
    "": ("text/plain", ": HTTP 403."),
    "{}": ("application/json", ": HTTP 403."),
    "<html>": ("text/html", ": HTTP 403."),
}
"""Type and shown end of the message, by body of a 403."""


@each_row("body", BODIES)
@every_row
async def test_the_cause_in_a_body_of_any_form_is_shown(body: str, row_id: str) -> None:
    kind, end = BODIES[body]
    error = await failure_of(
        http(body.encode(), status="403 Forbidden", content_type=kind), row_id=row_id
    )
    assert error.kind is Kind.PERMISSION
    assert error.message.endswith(end)


@each_row(
    ("status", "end"),
    [
        ("409 Conflict", "HTTP 409: Not now."),
        ("418 Teapot", ": Not now."),
        ("451 No", ": Not now."),
    ],
)
@each_row("body", ["Not now", "<title>Not now</title>", '{"info": "Not now"}'])
async def test_other_client_errors_show_it_too(status: str, end: str, body: str) -> None:
    error = await failure_of(http(body.encode(), status=status, content_type="text/plain"))
    assert error.message.endswith(end)


@pytest.mark.parametrize("body", [f"{KEY} is blocked", f"<title>{KEY} is blocked</title>"])
async def test_a_key_in_the_body_is_not_shown(body: str) -> None:
    error = await failure_of(http(body.encode(), status="403 No", content_type="text/plain"))
    assert error.message.endswith("is blocked.")
    assert KEY not in f"{error.message} {error.detail}"


async def test_the_cause_of_an_error_in_mid_stream_is_shown_too() -> None:
    body = says(RAW, metadata={"raw": '{"error": {"message": "context length exceeded"}}'})
    error = await failure_of(sse(delta(content="Both"), body, done=False))
    assert error.kind is Kind.CONTEXT_TOO_LONG
    assert "context length exceeded" in error.message


@each_row("case", WORDS)
@every_row
async def test_servers_words_tell_the_kind(case: str, row_id: str) -> None:
    status, body, kind = WORDS[case]
    assert (await failure_of(http(body, status=status), row_id=row_id)).kind is kind


SAID: dict[str, tuple[int, ProviderErrorKind]] = {
    "You have reached your specified API usage limits.": (400, Kind.QUOTA),
    "Billing hard limit has been reached": (400, Kind.QUOTA),
    "Your newly created team doesn't have any credits yet.": (403, Kind.QUOTA),
    "Your team has either used all available credits or reached its limit.": (429, Kind.QUOTA),
    "Organization has exceeded its spend limit": (400, Kind.QUOTA),
    "Your API key was reported as leaked.": (403, Kind.AUTH),
    "API key expired. Please renew the API key.": (400, Kind.AUTH),
    "Method doesn't allow unregistered callers.": (403, Kind.AUTH),
    "No endpoints found that support tool use.": (404, Kind.TOOLS_UNSUPPORTED),
    '"auto" tool choice requires --enable-auto-tool-choice': (400, Kind.TOOLS_UNSUPPORTED),
    "Unsupported parameter: 'tools' is not supported.": (400, Kind.TOOLS_UNSUPPORTED),
    "This model doesn't support tools": (400, Kind.TOOLS_UNSUPPORTED),
    "a/b is not a valid model ID": (400, Kind.UNKNOWN_MODEL),
    "Invalid model: mistral-huge": (400, Kind.UNKNOWN_MODEL),
    "No models loaded. Please load a model.": (400, Kind.UNKNOWN_MODEL),
    "Output blocked by content filtering policy": (400, Kind.REFUSED),
    "Your input was flagged by moderation": (403, Kind.REFUSED),
    "the input length exceeds the context length": (400, Kind.CONTEXT_TOO_LONG),
    "Trying to keep the first 5000 tokens; loaded with context length of 4096": (
        400,
        Kind.CONTEXT_TOO_LONG,
    ),
    "Please reduce the length of the messages or completion.": (400, Kind.CONTEXT_TOO_LONG),
    "This model's maximum prompt length is 131072": (400, Kind.CONTEXT_TOO_LONG),
    "Input is too long for requested model.": (400, Kind.CONTEXT_TOO_LONG),
    "`inputs` tokens + `max_new_tokens` must be <= 4096": (422, Kind.CONTEXT_TOO_LONG),
    "`inputs` must have less than 4095 tokens. Given: 5000": (422, Kind.CONTEXT_TOO_LONG),
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.": (
        400,
        Kind.CONTEXT_TOO_LONG,
    ),
    "litellm.ContextWindowExceededError: OpenAIException - no": (400, Kind.CONTEXT_TOO_LONG),
    "Your request exceeded model token limit: 8192": (400, Kind.CONTEXT_TOO_LONG),
    "Prompt exceeds max length": (400, Kind.CONTEXT_TOO_LONG),
    "too many tokens: the total cannot exceed 4081": (400, Kind.CONTEXT_TOO_LONG),
    "Range of input length should be [1, 30720]": (400, Kind.CONTEXT_TOO_LONG),
    "Function tools with reasoning_effort are not supported for x.": (400, Kind.BAD_REQUEST),
    "User location is not supported for the API use.": (400, Kind.BAD_REQUEST),
    "This request would exceed your rate limit of 30,000 tokens": (429, Kind.RATE_LIMIT),
}


@each_row("words", SAID)
def test_each_server_says_the_same_in_words_of_its_own(words: str) -> None:
    status, kind = SAID[words]
    assert parse_error_body(says(words), status=status, headers={}).kind is kind


@each_row(
    ("headers", "seconds"),
    [
        (("Retry-After: 7",), 7.0),
        (("Retry-After: 0.5",), 0.5),
        (("Retry-After: 2", "Retry-After-Ms: 1500"), 1.5),
        (("Retry-After: soon",), None),
        (("Retry-After: -3",), 0.0),
        (("Retry-After: inf",), None),
        ((), None),
    ],
)
@each_row("row_id", ["groq", "local"])
async def test_the_wait_that_a_server_asks_for_is_passed_on(
    headers: tuple[str, ...], seconds: float | None, row_id: str
) -> None:
    error = await failure_of(
        http(says(), status="429 Too Many Requests", headers=headers), row_id=row_id
    )
    assert error.retry_after == seconds


def test_a_wait_until_a_date_is_counted_on_the_servers_clock() -> None:
    there = datetime(2020, 1, 1, tzinfo=UTC)
    dates = {"date": there, "retry-after": there + timedelta(seconds=90)}
    headers = {name: format_datetime(date, usegmt=True) for name, date in dates.items()}
    assert retry_after_from_headers(headers) == 90.0
    del headers["date"]
    assert retry_after_from_headers(headers) == 0.0


@pytest.mark.parametrize(
    "date",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 -0000",
    ],
)
def test_a_date_in_any_form_of_http_is_in_utc(date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        wait = retry_after_from_headers(
            {"date": "Sun, 06 Nov 1994 08:49:07 GMT", "retry-after": date}
        )
    finally:
        monkeypatch.undo()
        time.tzset()
    assert wait == 30.0


@each_row(
    ("text", "seconds"),
    [
        ("Please try again in 5 seconds", 5.0),
        ("retry after 2 minutes", 120.0),
        ("Please try again in 7.66s. Need more?", 7.66),
        ("Please try again in 1m2.5s.", 62.5),
        ("try again in 320ms", 0.32),
        ("Try again in 2h3m", 7380.0),
        ("try again in a while", None),
        ("Please retry in 12s", 12.0),
        ("", None),
    ],
)
def test_a_wait_in_words_is_understood(text: str, seconds: float | None) -> None:
    assert retry_after_from_text(text) == pytest.approx(seconds)


@given(st.text())
def test_any_retry_after_is_a_number_of_seconds_or_nothing(text: str) -> None:
    wait = retry_after_from_headers({"retry-after": text})
    assert wait is None or 0 <= wait < float("inf")


@every_row
async def test_a_server_that_is_down_is_named_with_its_address(row_id: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        provider = provider_at(f"http://127.0.0.1:{port}", row_id)
        with pytest.raises(ProviderError) as caught:
            await collect(provider)
    label = {"groq": "Groq", "gemini": "Gemini", "ollama": "Ollama", "local": "Local server"}
    assert str(caught.value) == (
        f"{label[row_id]} did not answer: connection refused at 127.0.0.1:{port}."
    )
    assert caught.value.kind is Kind.NETWORK


def test_a_proxy_that_does_not_answer_is_told_apart_from_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", "http://me:Secret@127.0.0.1:9")
    (server,) = servers_of(provider_row("groq"), ProviderSettings())
    told = to_provider_error(ConnectionRefusedError(), server)
    assert str(told) == "Groq did not answer: connection refused at the proxy (ALL_PROXY)."
    assert told.hint == "Check ALL_PROXY, or add api.groq.com to NO_PROXY."
    monkeypatch.setenv("NO_PROXY", "groq.com")
    assert "refused at api.groq.com" in str(to_provider_error(ConnectionRefusedError(), server))


async def test_a_name_that_does_not_exist_is_told_apart() -> None:
    with pytest.raises(ProviderError) as caught:
        await collect(provider_at("https://nowhere.invalid"))
    assert caught.value.kind is Kind.NETWORK
    assert "nowhere.invalid" in str(caught.value)


@every_row
async def test_a_connection_lost_in_mid_stream_is_a_network_error(row_id: str) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n"
    body = sse(delta(content="Both"), done=False).partition(b"\r\n\r\n")[2]
    error = await failure_of(head + body, row_id=row_id)
    assert error.kind is Kind.NETWORK
    assert "lost" in str(error)


NUMBER = b'data: {"n": ' + b"9" * 5000 + b"}\n\n"
PACKED = ("Content-Encoding: gzip",)


@each_row(
    "play",
    [http(NUMBER, content_type=EVENTS), http(b"no gzip", content_type=EVENTS, headers=PACKED)],
)
@every_row
async def test_what_cannot_be_read_is_not_taken_for_a_server_that_is_down(
    play: bytes, row_id: str
) -> None:
    assert (await failure_of(play, row_id=row_id)).kind is Kind.MALFORMED


@each_row(
    "error",
    [
        [{"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}}],
        {"object": "error", "message": "no", "type": "x", "code": 503},
    ],
)
@every_row
async def test_an_error_that_comes_as_an_answer_is_an_error_in_any_form(
    error: JsonValue, row_id: str
) -> None:
    assert (await failure_of(sse(error, done=False), row_id=row_id)).kind is Kind.OVERLOADED


async def test_a_mark_of_the_byte_order_is_no_part_of_the_stream() -> None:
    said = sse(delta(content="Hi"), delta("stop")).replace(b"data:", b"\xef\xbb\xbfdata:", 1)
    assert completed(await answered(said)).message.text == "Hi"


@every_row
async def test_a_server_that_hangs_up_at_once_is_a_network_error(row_id: str) -> None:
    assert (await failure_of(b"", row_id=row_id)).kind is Kind.NETWORK


@every_row
async def test_what_is_no_http_at_all_is_a_network_error(row_id: str) -> None:
    error = await failure_of(b"SSH-2.0-OpenSSH_9.6\r\n", row_id=row_id)
    assert error.kind is Kind.NETWORK


@every_row
async def test_a_web_page_in_place_of_an_answer_points_at_the_address(row_id: str) -> None:
    page = http(b"<!doctype html><title>Hello</title>", content_type="text/html; charset=utf-8")
    error = await failure_of(page, row_id=row_id)
    assert error.kind is Kind.BAD_REQUEST
    assert not error.retryable
    assert f"{row_id.upper()}_BASE_URL" in (error.hint or "")


@every_row
async def test_a_page_that_is_not_found_points_at_the_address(row_id: str) -> None:
    page = http(b"404 page not found", status="404 Not Found", content_type="text/plain")
    error = await failure_of(page, row_id=row_id)
    assert error.kind is Kind.BAD_REQUEST
    assert f"{row_id.upper()}_BASE_URL" in (error.hint or "")


@each_row("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
@every_row
async def test_a_redirect_is_named_and_not_followed(status: str, row_id: str) -> None:
    async with wire_server(sse(delta(content="stolen"), delta("stop"))) as other:
        address = f"127.0.0.1:{other.port}/v1/chat/completions"
        location = f"Location: http://me:secret@{address}?token=1"
        error = await failure_of(http({}, status=status, headers=[location]), row_id=row_id)
        assert not other.received
    assert error.kind is Kind.BAD_REQUEST
    assert str(error).endswith(f"redirects to another address: http://{address}.")


@every_row
async def test_the_key_is_in_no_error_even_where_the_server_repeats_it(row_id: str) -> None:
    body = says(f"Incorrect API key provided: {KEY}, also sk-proj-aaaaaaaaaaaa", type="x")
    for status in ("400 Bad Request", "401 Unauthorized", "500 Internal Server Error"):
        error = await failure_of(http(body, status=status), row_id=row_id)
        for text in (str(error), error.hint or "", error.detail, repr(error)):
            assert KEY not in text
            assert "sk-proj" not in text
        assert "••••" in error.detail


async def test_words_of_a_server_reach_a_person_plain_and_short() -> None:
    error = await failure_of(
        http(says("\x1b[31mred\x1b[0m\u202e[bold]\n" + "x" * 999), status="400 B")
    )
    assert "\x1b" not in str(error)
    assert "\u202e" not in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 300


async def test_braces_in_words_and_names_are_only_text() -> None:
    error = await failure_of(http(says("{label} {0} {}"), status="400 Bad Request"))
    assert "{label} {0} {}" in str(error)
    async with wire_server(http(says(), status="404 Not Found")) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(provider_at(server.url, model="{x}"))
    assert "“{x}”" in str(caught.value)


@each_row("kind", Kind)
def test_each_kind_has_a_sentence_and_a_next_step(kind: ProviderErrorKind) -> None:
    error = server_of().error(kind)
    assert error.message.endswith(".")
    assert error.hint
    assert "{" not in f"{error.message}{error.hint}"


names = st.sampled_from(["error", "message", "code", "type", "status", "details", "retryDelay"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)


@given(json_values, st.integers(300, 599))
def test_any_error_body_at_all_becomes_a_sentence(body: JsonValue, status: int) -> None:
    server = Server(
        "Groq",
        parse_endpoint("https://api.groq.com", "X"),
        "GROQ_API_KEY",
        "GROQ_BASE_URL",
        credential=Credential(Secret(KEY)),
    )
    for given_status in (status, 0):
        complaint = parse_error_body(body, status=given_status, headers={})
        error = provider_error_from(complaint, server, detail=str(body))
        assert str(error).endswith(".")
        assert error.hint


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5000])
def test_a_number_that_is_too_long_is_no_time_to_wait(digits: str) -> None:
    for words in (f"try again in {digits}h", f"retry in {digits}s", f"retry in {digits}.5s"):
        assert retry_after_from_text(words) is None
    assert retry_after_from_duration(f"{digits}s") is None
    assert retry_after_from_headers({"retry-after": digits}) is None


@every_remote
async def test_a_redirect_to_no_address_at_all_is_named_too(remote: Remote) -> None:
    play = http(b"", status="302 Found", headers=["Location: http://[evil/?key=1"])
    async with wire_server(play) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(remote.at(server.url))
    assert caught.value.kind is Kind.BAD_REQUEST
    assert "redirects" in caught.value.message
    assert "key" not in str(caught.value)


@every_remote
async def test_an_answer_without_content_may_be_asked_for_again(remote: Remote) -> None:
    async with wire_server(http(b"", status="204 No Content")) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(remote.at(server.url))
    assert caught.value.retryable


@every_remote
@each_row("status", ["400 Bad Request", "500 Internal Server Error"])
async def test_an_error_without_end_is_read_to_where_it_says_something(
    remote: Remote, status: str
) -> None:
    sent = 0

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(http(b"", status=status, content_type="text/plain"))
        while True:
            writer.write(b"no " * 10_000)
            await writer.drain()
            sent += 30_000

    async with wire_server(endless) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(remote.at(server.url))
    assert caught.value.kind in (Kind.BAD_REQUEST, Kind.OVERLOADED)
    assert len(caught.value.detail) <= 2000
    assert sent < 20_000_000


async def test_an_answer_in_json_without_end_is_given_up() -> None:
    sent = 0

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(http(b'{"id": "'))
        while True:
            writer.write(b"x" * 500_000)
            await writer.drain()
            sent += 500_000

    async with wire_server(endless) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(provider_at(server.url))
    assert caught.value.kind is Kind.MALFORMED
    assert sent < 100_000_000


async def test_an_answer_is_complete_though_its_connection_is_kept_open() -> None:
    async def read_of(remote: Remote) -> Completed:
        async def lingering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(
                http(b"".join(encoder_of(remote.row)(ModelMessage("Hi"), "")), content_type=EVENTS)
            )
            await reader.read()

        async with wire_server(lingering) as server:
            return completed(await collect(remote.at(server.url)))

    # All at once, as each waits for the end of the connection.
    async with asyncio.timeout(300):
        answers = await asyncio.gather(*map(read_of, REMOTES))
    for remote, last in zip(REMOTES, answers, strict=True):
        assert last.message.text == "Hi", remote.id
        assert last.usage is not None, remote.id
        assert last.usage.output_tokens > 0, remote.id


@every_remote
async def test_what_comes_behind_the_end_does_no_harm(remote: Remote) -> None:
    said = b"".join(encoder_of(remote.row)(ModelMessage("Hi"), ""))
    said = said.removesuffix(b"data: [DONE]\n\n") + b"data: [DONE]\n\ndata: {bad\n\n<html>\n"
    async with wire_server(http(said, content_type=EVENTS)) as server:
        assert completed(await collect(remote.at(server.url))).message.text == "Hi"


@every_remote
async def test_a_connection_carries_the_next_request_too(remote: Remote) -> None:
    connections: list[object] = []

    def says(body: object) -> ModelMessage:
        connections.append(asyncio.current_task())
        return ModelMessage("Hi")

    async with fake_server(remote, says) as server:
        provider = remote.at(server.url)
        for _ in range(3):
            assert completed([event async for event in provider.stream(request())])
        await provider.aclose()
    assert (len(connections), len(set(connections))) == (3, 1)


async def test_counts_that_no_model_reaches_are_not_believed() -> None:
    counted: JsonValue = {"choices": [], "usage": {"prompt_tokens": 10**30, "completion_tokens": 7}}
    play = sse(delta(content="Hi"), delta("stop"), counted)
    usage = completed(await answered(play)).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (0, 7)


async def test_silence_before_the_answer_can_be_cut_short() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asking.cancel()
        assert await reader.read() == b""
        gone.set()

    gone = asyncio.Event()
    async with wire_server(silent) as server:
        asking = asyncio.create_task(collect(provider_at(server.url)))
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.wait_for(gone.wait(), 60)


async def test_what_is_not_a_number_in_a_chunk_is_nothing_that_is_kept() -> None:
    call: JsonValue = {"id": "c1", "function": {"name": "undo"}, "extra_content": {"n": 0.5}}
    said = sse(delta(tool_calls=[call]), delta("stop")).replace(b"0.5", b"NaN")
    (kept,) = completed(await answered(said)).message.tool_calls
    assert kept.meta == {"extra_content": {"n": None}}
