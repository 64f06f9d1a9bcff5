"""Whatever a server sends, a turn ends in an answer or in an error that has a name."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest

from tests.providers.wire import http
from tests.turns.talk import QUICK, Talk, stalling, talk_with
from tests.wires.rows import REMOTES, Remote, remote
from tests.wires.rules import Body, judge
from tests.wires.said import Called, Said
from tests.wires.server import answered, speaking
from tests.wires.speakers import seal, speaker
from todo_tui.agent.retry import RetryPolicy
from todo_tui.domain.errors import ConfigError, ProviderErrorKind
from todo_tui.domain.events import StepStatus
from todo_tui.domain.request import Usage
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import Wire

Kind = ProviderErrorKind
ONCE = replace(QUICK, retry=RetryPolicy(tries=1))
HERE = "Here it is."

every_remote = pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
every_wire = pytest.mark.parametrize(
    "remote",
    [remote(each) for each in ("openai", "groq", "gemini", "gemini-native", "anthropic", "local")],
    ids=lambda remote: remote.id,
)
"""Each wire format, and each SDK and dialect of the one that has several."""


@asynccontextmanager
async def _talking(
    remote: Remote, database: Path, says: Callable[[Body], Said | Iterator[bytes] | bytes]
) -> AsyncIterator[Talk]:
    """A conversation with such a server, which is asked once; what it is sent is judged."""
    async with speaking(remote, says) as server:
        async with talk_with(remote.at(server.url), database) as talk:
            talk.limits = ONCE
            yield talk
        for body in server.received:
            judge(body, remote, signs=False)


def _events(remote: Remote, said: Said) -> list[bytes]:
    return list(speaker(remote.row)(said, seal(remote.origin)))


def _data(*values: JsonValue) -> list[bytes]:
    return [b"data: " + json.dumps(value).encode() + b"\n\n" for value in values]


@every_remote
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


@every_remote
async def test_a_command_that_prints_a_token_of_two_lines_is_named(
    remote: Remote, database: Path
) -> None:
    async with speaking(remote, lambda _: Said(HERE)) as server:
        command = ("printf", "sk-abc\\ndef")
        provider = remote.at(server.url, key=None, token_command=command)
        async with talk_with(provider, database) as talk:
            end = await talk.failed("Hello")
    assert end.error.kind == Kind.AUTH
    assert "printf" in end.error.message
    assert server.received == []


def _complaint(remote: Remote, status: int, words: str, code: str) -> JsonValue:
    """An error as the servers of that wire format describe it."""
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
    async with _talking(remote, database, lambda _: said) as talk:
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
async def test_a_model_without_tools_is_told_apart(remote: Remote, database: Path) -> None:
    words = _NO_TOOLS.get(remote.id, "qwen3.5 does not support tools")
    said = http(_complaint(remote, 400, words, "invalid_argument"), status="400 Bad Request")
    async with _talking(remote, database, lambda _: said) as talk:
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
    async with _talking(remote, database, lambda _: said) as talk:
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
    said = Said(thinking=words) if thinks and remote.id != "gemini" else Said(words)
    once = _events(remote, said)
    begun, more = once, next(event for event in once if len(event) > len(words))
    begun = once[: once.index(more)]
    async with _talking(remote, database, lambda _: iter([*begun, *repeat(more, 200)])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED
    assert "did not end" in end.error.message


@every_wire
async def test_signs_of_life_without_end_are_silence(remote: Remote, database: Path) -> None:
    async with _talking(remote, database, lambda _: repeat(b": still here\n\n" * 1000)) as talk:
        talk.limits = stalling(ONCE, 0.15)
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.TIMEOUT


@every_wire
async def test_a_line_without_end_is_no_answer(remote: Remote, database: Path) -> None:
    begun, more = b'data: {"text": "', b"x" * 8_000_000
    async with _talking(remote, database, lambda _: iter([begun, *repeat(more, 20)])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


LARGE = 10_000_000


@every_wire
async def test_an_answer_in_a_line_of_ten_megabytes_is_more_than_is_kept(
    remote: Remote, database: Path
) -> None:
    async with _talking(remote, database, lambda _: Said("x" * LARGE)) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


@every_wire
async def test_ten_megabytes_of_rubbish_in_a_line_are_no_answer(
    remote: Remote, database: Path
) -> None:
    rubbish = b"data: " + b"{" * LARGE + b"\n\n"
    async with _talking(remote, database, lambda _: iter([rubbish])) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind == Kind.MALFORMED


@every_wire
async def test_a_comment_of_ten_megabytes_is_passed_over(remote: Remote, database: Path) -> None:
    events = [b": " + b"x" * LARGE + b"\n\n", *_events(remote, Said(HERE))]
    async with _talking(remote, database, lambda _: iter(events)) as talk:
        end = await talk.finished("Hello")
    assert end.outcome.answer == HERE


@every_wire
@pytest.mark.parametrize(
    "ids",
    [("", ""), ("call_1", "call_1"), ("odd id!", "\u00e9"), ("x" * 90, "x" * 90)],
    ids=["missing", "duplicate", "odd", "long"],
)
async def test_calls_run_once_each_whatever_their_ids(
    remote: Remote, ids: Sequence[str], database: Path
) -> None:
    asked = Said(calls=tuple(_add(title, each) for title, each in zip("ab", ids, strict=True)))
    async with _talking(remote, database, _then_answers(asked)) as talk:
        end = await talk.finished("Add a and b")
        assert sorted(talk.titles()) == ["a", "b"]
        assert len({step.call_id for step in end.outcome.trace}) == 2
        # Once more with the same ids, in the same conversation.
        await talk.finished("Add a and b")
        assert sorted(talk.titles()) == ["a", "a", "b", "b"]


@every_wire
async def test_arguments_that_come_as_an_object_are_read(remote: Remote, database: Path) -> None:
    asked = Said(calls=(Called("add_task", {"title": "Milk", "tags": ["home"]}, "call_1"),))
    async with _talking(remote, database, _then_answers(asked)) as talk:
        await talk.finished("Add milk")
        assert talk.titles() == ["Milk"]


@every_wire
async def test_arguments_that_come_as_text_in_one_piece_are_read(
    remote: Remote, database: Path
) -> None:
    asked = Said(calls=(Called("add_task", '{"title":"M"}', "call_1"),))
    async with _talking(remote, database, _then_answers(asked)) as talk:
        await talk.finished("Add milk")
        assert talk.titles() == ["M"]


@every_wire
@pytest.mark.parametrize(
    "arguments",
    ["null", "[]", '"title"', '{"title": "Milk', '{"title": NaN}', "{}{}", 7, ["title"]],
    ids=str,
)
async def test_arguments_that_are_no_object_are_told_to_the_model(
    remote: Remote, arguments: JsonValue, database: Path
) -> None:
    asked = Said(calls=(Called("add_task", arguments, "call_1"),))
    async with _talking(remote, database, _then_answers(asked)) as talk:
        end = await talk.finished("Add milk")
        assert [step.status for step in end.outcome.trace] == [StepStatus.ERROR]
        assert talk.titles() == []
        assert end.outcome.answer == HERE


@every_wire
@pytest.mark.parametrize("arguments", [None, "", {}, "{}", "  "], ids=repr)
async def test_a_call_without_arguments_runs(
    remote: Remote, arguments: JsonValue, database: Path
) -> None:
    asked = Said(calls=(Called("current_time", arguments, "call_1"),))
    async with _talking(remote, database, _then_answers(asked)) as talk:
        end = await talk.finished("What time is it?")
    assert [step.status for step in end.outcome.trace] == [StepStatus.SUCCESS]


@every_wire
async def test_half_characters_are_joined_or_replaced(remote: Remote, database: Path) -> None:
    calls = (
        Called("add_task", '{"title": "whole \\ud83d\\ude00, half \\ud83d"}', "call_1"),
        Called("add_task", '{"title": "raw \ude00"}', "call_2"),
    )
    asked = Said("\ud83d \ude00 \ud83d\ude00", thinking="so \ud83d", calls=calls)
    async with _talking(remote, database, _then_answers(asked)) as talk:
        end = await talk.finished("Add them")
        for title in talk.titles():
            title.encode()
        assert end.outcome.answer == f"\ufffd \ufffd \U0001f600\n\n{HERE}"
        assert (await talk.finished("And now?")).outcome.answer.endswith(HERE)


_NULLS: dict[Wire, list[JsonValue]] = {
    Wire.CHAT: [
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"content": None, "tool_calls": None}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [None]}}]},
        {"choices": [], "usage": None},
    ],
    Wire.RESPONSES: [
        {"type": "response.created", "response": None},
        {"type": "response.in_progress", "response": {"output": None, "usage": None}},
        {"type": "response.output_item.added", "output_index": 0, "item": None},
        {"type": "response.output_text.delta", "item_id": None, "delta": None},
        {"type": "response.output_item.done", "output_index": None, "item": {"type": None}},
        {"type": None},
    ],
    Wire.MESSAGES: [
        {"type": "message_start", "message": None},
        {"type": "message_start", "message": {"content": None, "usage": None}},
        {"type": "content_block_start", "index": None, "content_block": None},
        {"type": "content_block_delta", "index": 9, "delta": None},
        {"type": "content_block_stop", "index": None},
        {"type": "message_delta", "delta": None, "usage": None},
        {"type": None},
    ],
    Wire.GEMINI: [
        {"candidates": None},
        {"candidates": [None]},
        {"candidates": [{"content": None}]},
        {"candidates": [{"content": {"parts": None, "role": None}}]},
        {"candidates": [{"content": {"parts": [None, {}, {"text": None}]}}]},
        {"usageMetadata": None, "promptFeedback": None},
    ],
}
_SCALARS: list[JsonValue] = [None, [], {}, 7, "text", True]


@every_wire
async def test_nulls_among_what_it_says_do_no_harm(remote: Remote, database: Path) -> None:
    nulls = _data(*_NULLS[remote.wire], *_SCALARS)
    asked = _events(remote, Said(calls=(_add("Milk", "call_1"),)))
    said = _events(remote, Said(HERE))

    def says(body: Body) -> Iterator[bytes]:
        return iter([*nulls, *(said if answered(body) else asked)])

    async with _talking(remote, database, says) as talk:
        end = await talk.finished("Add milk")
        assert end.outcome.answer == HERE
        assert talk.titles() == ["Milk"]


@every_wire
async def test_nothing_but_nulls_is_no_answer(remote: Remote, database: Path) -> None:
    nulls = _data(*_NULLS[remote.wire], *_SCALARS)
    async with _talking(remote, database, lambda _: iter(nulls)) as talk:
        end = await talk.failed("Hello")
    assert end.error.kind in {Kind.TRUNCATED, Kind.MALFORMED}


@every_wire
@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"7", b'"text"', b"{", b"{}"], ids=repr)
async def test_a_body_that_says_nothing_is_no_answer(
    remote: Remote, body: bytes, database: Path
) -> None:
    types = iter(["application/json", "text/event-stream", "text/plain"])
    async with _talking(remote, database, lambda _: http(body, content_type=next(types))) as talk:
        for _ in range(3):
            end = await talk.failed("Hello")
            assert end.error.kind in {Kind.TRUNCATED, Kind.MALFORMED}


@every_wire
async def test_an_answer_without_usage_counts_nothing(remote: Remote, database: Path) -> None:
    async with _talking(remote, database, lambda _: Said(HERE, usage=False)) as talk:
        end = await talk.finished("Hello")
    assert end.outcome.answer == HERE
    assert end.outcome.usage == Usage()


def _add(title: str, call_id: str) -> Called:
    return Called.with_arguments("add_task", call_id, title=title)


def _then_answers(asked: Said) -> Callable[[Body], Said]:
    """Asks for tools, and answers when it has their results."""
    return lambda body: Said(HERE) if answered(body) else asked
