"""Any server and any response: a turn ends in an answer or in a named error."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest

from tests.providers.wire import http
from tests.turns.conversation import open_conversation, with_stall_seconds
from tests.turns.single_request import HERE, ONCE, asked_once, events, every_wire
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import ONE_A_CLIENT, Remote
from tests.wires.server import fake_server
from todo_tui.domain.errors import ConfigError, ProviderErrorKind
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import Wire

Kind = ProviderErrorKind


@every_wire
@pytest.mark.parametrize("url", ["localhost:8080/v1", "//host/v1", "api.example.com", "http:"])
def test_a_base_url_without_a_scheme_is_named_before_anything_is_sent(
    remote: Remote, url: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        remote.at(url)
    assert remote.row.base_url_variable in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("key", ["sk-abc\ndef", "sk-abc\r\nX-Other: 1", "sk abc", "sk-\u200babc"])
def test_a_key_with_a_line_break_is_refused_unquoted(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Secret(key, name="OPENAI_API_KEY")
    assert "OPENAI_API_KEY" in caught.value.message
    assert "abc" not in caught.value.message + (caught.value.hint or "")


@every_wire
async def test_a_command_that_prints_a_token_of_two_lines_is_named(
    remote: Remote, database: Path
) -> None:
    async with fake_server(remote, lambda _: ModelMessage(HERE)) as server:
        command = ("printf", "sk-abc\\ndef")
        provider = remote.at(server.url, key=None, token_command=command)
        async with open_conversation(provider, database) as talk:
            end = await talk.failed("Hello")
    assert end.error.kind == Kind.AUTH
    assert "printf" in end.error.message
    assert server.received == []


def _complaint(remote: Remote, status: int, words: str, code: str) -> JsonValue:
    """Return an error in the form of that wire format."""
    if remote.wire is Wire.MESSAGES:
        return {"type": "error", "error": {"type": code, "message": words}}
    google: JsonValue = {"error": {"code": status, "message": words, "status": code.upper()}}
    if remote.wire is Wire.GEMINI:
        return google
    if remote.id == "gemini":
        return [google]
    return {"error": {"message": words, "type": "invalid_request_error", "code": code}}


_NO_SUCH_MODEL = {
    "openai": "The model `gpt-6-luna` does not exist or you do not have access to it.",
    "groq": "The model `openai/gpt-oss-120b` does not exist or you do not have access to it.",
    "gemini": "models/gemini-3.5-flash-lite is not found for API version v1main.",
    "gemini-native": "models/gemini-3.5-flash-lite is not found for API version v1beta, or is "
    "not supported for generateContent.",
    "anthropic": "model: claude-haiku-5-5",
    "ollama": 'model "qwen3.5" not found, try pulling it first',
}


@every_wire
async def test_an_unknown_model_is_named(remote: Remote, database: Path) -> None:
    words = _NO_SUCH_MODEL.get(remote.id, "model 'qwen3.5' not found")
    said = http(_complaint(remote, 404, words, "not_found"), status="404 Not Found")
    async with asked_once(remote, database, lambda _: said) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.UNKNOWN_MODEL
    assert remote.model in end.error.message
    assert end.error.hint


_NO_TOOLS = {
    "openai": "This model does not support tools.",
    "groq": "`tool calling` is not supported with this model",
    "gemini": "Function calling is not enabled for models/gemini-3.5-flash-lite",
    "gemini-native": "Function calling is not enabled for models/gemini-3.5-flash-lite",
    "anthropic": "'claude-haiku-5-5' does not support tool types: custom.",
    "ollama": "registry.ollama.ai/library/gemma:2b does not support tools",
    "local": "tools param requires --jinja flag",
}


@every_wire
async def test_a_model_without_tools_is_distinguished(remote: Remote, database: Path) -> None:
    words = _NO_TOOLS.get(remote.id, "qwen3.5 does not support tools")
    said = http(_complaint(remote, 400, words, "invalid_argument"), status="400 Bad Request")
    async with asked_once(remote, database, lambda _: said) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.TOOLS_UNSUPPORTED
    assert remote.model in end.error.message


@every_wire
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("200 OK", Kind.BAD_REQUEST),
        ("404 Not Found", Kind.BAD_REQUEST),
        ("403 Forbidden", Kind.PERMISSION),
        ("502 Bad Gateway", Kind.OVERLOADED),
    ],
)
async def test_a_web_page_is_no_answer(
    remote: Remote, status: str, kind: ProviderErrorKind, database: Path
) -> None:
    page = b"<!doctype html><html><title>Sign in</title><body>data: {}</body></html>"
    said = http(page, status=status, content_type="text/html; charset=utf-8")
    async with asked_once(remote, database, lambda _: said) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == kind
    assert "<" not in end.error.message


@every_wire
@pytest.mark.parametrize("thinks", [False, True])
async def test_words_without_end_are_broken_off(
    remote: Remote, thinks: bool, database: Path
) -> None:
    words = "word" * 2000
    # One that shows no thoughts speaks.
    said = ModelMessage(thinking=words) if thinks and remote.id != "gemini" else ModelMessage(words)
    once = events(remote, said)
    more = next(event for event in once if len(event) > len(words))
    begun = once[: once.index(more)]
    async with asked_once(remote, database, lambda _: iter([*begun, *repeat(more, 200)])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED
    assert "too long and was stopped" in end.error.message


@every_wire
async def test_signs_of_life_without_end_are_silence(remote: Remote, database: Path) -> None:
    async with asked_once(remote, database, lambda _: repeat(b": still here\n\n" * 1000)) as talk:
        talk.limits = with_stall_seconds(ONCE, 0.15)
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.TIMEOUT


@every_wire
async def test_a_line_without_end_is_no_answer(remote: Remote, database: Path) -> None:
    begun, more = b'data: {"text": "', b"x" * 8_000_000
    async with asked_once(remote, database, lambda _: iter([begun, *repeat(more, 20)])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


LARGE = 10_000_000


@pytest.mark.parametrize("remote", ONE_A_CLIENT[:1], ids=lambda remote: remote.id)
async def test_an_answer_in_a_line_of_ten_megabytes_is_more_than_is_kept(
    remote: Remote, database: Path
) -> None:
    async with asked_once(remote, database, lambda _: ModelMessage("x" * LARGE)) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


@every_wire
async def test_ten_megabytes_of_rubbish_in_a_line_are_no_answer(
    remote: Remote, database: Path
) -> None:
    rubbish = b"data: " + b"{" * LARGE + b"\n\n"
    async with asked_once(remote, database, lambda _: iter([rubbish])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


@every_wire
async def test_a_comment_of_ten_megabytes_is_passed_over(remote: Remote, database: Path) -> None:
    sent = [b": " + b"x" * LARGE + b"\n\n", *events(remote, ModelMessage(HERE))]
    async with asked_once(remote, database, lambda _: iter(sent)) as talk:
        end = await talk.finished("Hello")
    assert end.outcome.answer == HERE


@every_wire
async def test_a_message_that_is_complete_counts_whatever_comes_behind_it(
    remote: Remote, database: Path
) -> None:
    said = b"".join(events(remote, ModelMessage(HERE)))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    broken = head + b"%x\r\n%s\r\nrubbish\r\n" % (len(said), said)
    async with asked_once(remote, database, lambda _: broken) as talk:
        end = await talk.say("Hello")
    assert end.outcome.answer == HERE
    # Gemini may say that it is done and say more.
    assert isinstance(end, TurnFinished) is not remote.id.startswith("gemini")
