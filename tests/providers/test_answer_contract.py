"""One contract for the answers of every provider, whatever its wire format."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.wire import TOOLS, collect, completed, http, thoughts, wire_server, words
from tests.providers.wire import request as one_message
from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import KEY, ONE_A_CLIENT, REMOTES, Remote
from tests.wires.stream_parts import TOKENS_CACHED, TOKENS_IN, TOKENS_OUT
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Exchange,
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    ToolCall,
    ToolCallStarted,
    ToolResult,
    Usage,
)
from todo_tui.domain.secret import DOTS
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import Wire

Kind = ProviderErrorKind

PATIENCE_SECONDS = 300
"""Time limit of a test; far longer than needed."""
MILK = '{"title": "Milk"}'
ANSWERED = Request(
    "",
    (
        *one_message().messages,
        Message(Role.ASSISTANT, (ToolCall("call_old", "undo", "{}"),)),
        Message(Role.TOOL, (ToolResult("call_old", "undo", "{}"),)),
    ),
    TOOLS,
)
"""Conversation in which a tool has answered."""
every_remote = pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
every_client = pytest.mark.parametrize("remote", ONE_A_CLIENT, ids=lambda remote: remote.id)
"""For what is up to the client, and the same for all rows of it."""


def encoded(remote: Remote, said: ModelMessage) -> list[bytes]:
    return [*encoder_of(remote.row)(said, "c2VhbGVk")]


def streamed(*events: bytes) -> bytes:
    return http(b"".join(events), content_type="text/event-stream")


async def read(
    remote: Remote, said: ModelMessage, asked: Request | None = None
) -> list[StreamEvent]:
    async with wire_server(streamed(*encoded(remote, said))) as server:
        return await collect(remote.at(server.url), asked)


async def calls_of(
    remote: Remote, *calls: ModelCall, asked: Request | None = None
) -> list[ToolCall]:
    last = completed(await read(remote, ModelMessage(calls=calls), asked))
    assert last.stop is StopReason.TOOL_CALLS
    return list(last.message.tool_calls)


def read_now(remote: Remote, events: list[JsonValue]) -> list[StreamEvent]:
    """Return what is read of parsed events, without a socket."""
    reader = remote.wire_format().reader(one_message(), remote.server(), remote.origin)
    found: list[StreamEvent] = []
    for each in events:
        read_of_it = [*reader.read(each)]
        assert read_of_it, "each event is a sign of life"
        found += read_of_it
    return [*found, *reader.finish()]


def parsed(events: list[bytes]) -> list[JsonValue]:
    data = (event.decode().partition("data: ")[2].strip() for event in events)
    return [json.loads(each) for each in data if each != "[DONE]"]


@every_remote
async def test_an_answer_streams_in_words_with_its_thinking_and_its_usage(remote: Remote) -> None:
    events = await read(remote, ModelMessage("Both are on your list.", thinking="Hm, two."))
    last = completed(events)
    assert words(events) == last.message.text == "Both are on your list."
    # Gemini's compatible endpoint has no field for it.
    assert thoughts(events) == ("" if remote.id == "gemini" else "Hm, two.")
    assert (last.stop, last.message.origin) == (StopReason.END, remote.origin)
    used = last.usage or Usage()
    counts = (used.input_tokens, used.cached_tokens, used.output_tokens)
    assert counts == (TOKENS_IN, TOKENS_CACHED, TOKENS_OUT)


@every_remote
async def test_usage_may_be_absent(remote: Remote) -> None:
    assert completed(await read(remote, ModelMessage("Hi", usage=False))).usage is None


@every_remote
async def test_calls_keep_their_order_and_ids_and_are_announced_once(remote: Remote) -> None:
    calls = (ModelCall("add_task", MILK, "call_a"), ModelCall("undo", "{}", "call_b"))
    events = await read(remote, ModelMessage("Let me see.", calls=calls))
    announced = [each.name for each in events if isinstance(each, ToolCallStarted)]
    assert announced == ["add_task", "undo"]
    last = completed(events)
    assert last.stop is StopReason.TOOL_CALLS
    found = [(each.id, each.name, each.arguments) for each in last.message.tool_calls]
    assert found == [("call_a", "add_task", MILK), ("call_b", "undo", "{}")]


@every_remote
async def test_arguments_are_kept_as_the_model_wrote_them(remote: Remote) -> None:
    written: list[JsonValue] = ["", " ", None, {"title": "Milk"}, '{"title": Milk}']
    # Gemini sends an object, which cannot be broken.
    broken = "{}" if remote.wire is Wire.GEMINI else '{"title": Milk}'
    answers = (
        streamed(*encoded(remote, ModelMessage(calls=(ModelCall("undo", each, "call_a"),))))
        for each in written
    )
    async with wire_server(*answers) as server:
        said = [completed(await collect(remote.at(server.url))) for _ in written]
    kept = [call.arguments for each in said for call in each.message.tool_calls]
    assert kept == ["{}", "{}", "{}", MILK, broken]


@every_remote
async def test_a_call_that_never_gets_a_name_does_not_spoil_the_others(remote: Remote) -> None:
    found = await calls_of(
        remote, ModelCall("", MILK, "call_a"), ModelCall("add_task", MILK, "call_b")
    )
    assert [each.name for each in found] == ["", "add_task"]


@every_remote
async def test_length_is_told_apart_from_an_end(remote: Remote) -> None:
    last = completed(await read(remote, ModelMessage("Both are", cut=True)))
    assert (last.stop, last.message.text) == (StopReason.LENGTH, "Both are")


@every_remote
def test_a_stream_that_is_cut_anywhere_is_the_whole_answer_or_broken_off(remote: Remote) -> None:
    events = parsed(encoded(remote, ModelMessage("Both are on your list.", thinking="Hm.")))
    for length in range(len(events)):
        found: ProviderError | str
        try:
            found = completed(read_now(remote, events[:length])).message.text
        except ProviderError as error:
            found = error
        if isinstance(found, ProviderError):
            assert (found.kind, found.retryable) == (Kind.TRUNCATED, True)
        else:
            assert found == "Both are on your list."


@every_remote
async def test_an_empty_answer_is_one_only_after_a_result(remote: Remote) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(remote, ModelMessage())
    assert caught.value.kind is Kind.MALFORMED
    assert caught.value.retryable
    last = completed(await read(remote, ModelMessage(), ANSWERED))
    assert (last.stop, last.message.parts) == (StopReason.END, ())


@every_remote
async def test_data_that_is_no_json_is_no_answer(remote: Remote) -> None:
    rubbish = (b'{"id": "c', b"nonsense", b'{"a": "\xff"}', b"[1, 2", b"[" * 100_000)
    first = encoded(remote, ModelMessage("Both are", thinking="Hm."))[0]
    answers = (streamed(first, b"data: ", each, b"\n\n") for each in rubbish)
    async with wire_server(*answers) as server:
        for _ in rubbish:
            with pytest.raises(ProviderError) as caught:
                await collect(remote.at(server.url))
            assert caught.value.kind is Kind.MALFORMED


@pytest.mark.parametrize("remote", [REMOTES[0], REMOTES[1], REMOTES[4]], ids=lambda each: each.id)
async def test_a_line_of_two_megabytes_is_read(remote: Remote) -> None:
    long = "milk" * 500_000
    assert completed(await read(remote, ModelMessage(long))).message.text == long


@cache
def _json_of(remote: Remote) -> st.SearchStrategy[JsonValue]:
    """Return any JSON that is made of the names and texts of the remote's own events."""
    calls = (ModelCall("add_task", MILK, "call_1"),)
    said = ModelMessage("One two", thinking="Hm.", calls=calls)
    members = {each for event in parsed(encoded(remote, said)) for each in _members(event)}
    names = sorted({name for name, _ in members} | {"error", "message", "code"})
    texts = sorted({text for _, text in members} | {"error", "\ud83d"})
    return st.recursive(
        st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(texts),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names), inner, max_size=5)
        ),
        max_leaves=10,
    )


def _members(value: JsonValue) -> Iterator[tuple[str, str]]:
    for name, each in value.items() if isinstance(value, dict) else ():
        yield name, each if isinstance(each, str) else ""
        yield from _members(each)
    for each in value if isinstance(value, list) else ():
        yield from _members(each)


@given(st.sampled_from(REMOTES), st.data())
@settings(max_examples=50)
def test_any_json_at_all_ends_in_an_answer_or_a_named_error(
    remote: Remote, data: st.DataObject
) -> None:
    try:
        found = read_now(remote, data.draw(st.lists(_json_of(remote), max_size=6)))
    except ProviderError as error:
        str(error).encode()
        return
    assert isinstance(found[-1], Completed)
    assert words(found) == found[-1].message.text
    repr(found).encode()


class Endless:
    """Endless answer; `gone` is set when its client has left."""

    def __init__(self, beginning: bytes) -> None:
        self.beginning = beginning
        self.asked = asyncio.Event()
        self.gone = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.set()
        writer.write(self.beginning)
        await writer.drain()
        # The client sends nothing more: what comes is the end of its side.
        assert await reader.read() == b""
        self.gone.set()

    async def left(self) -> None:
        """Wait until the client has left."""
        await asyncio.wait_for(self.gone.wait(), PATIENCE_SECONDS)


def beginning_of(remote: Remote) -> bytes:
    """Return the beginning of an answer, up to its first words."""
    events = encoded(remote, ModelMessage("Once upon a time"))
    first = next(number for number, event in enumerate(events) if b"Once" in event)
    return streamed(*events[: first + 1]).replace(b"Connection: close\r\n", b"")


def client_tasks(before: set[asyncio.Task[object]]) -> list[object]:
    """Return the running tasks since then, without those of the server."""
    later = asyncio.all_tasks() - before
    return [task.get_coro() for task in later if "WireServer" not in repr(task.get_coro())]


@every_client
async def test_stopping_closes_the_connection_at_once_and_leaves_no_task(remote: Remote) -> None:
    endless = Endless(beginning_of(remote))
    async with wire_server(endless) as server:
        provider = remote.at(server.url)
        heard = asyncio.Event()
        before = asyncio.all_tasks()

        async def listen() -> None:
            async for _ in provider.stream(one_message()):
                heard.set()

        listening = asyncio.create_task(listen())
        await asyncio.wait_for(heard.wait(), PATIENCE_SECONDS)
        listening.cancel()
        await endless.left()
        with pytest.raises(asyncio.CancelledError):
            await listening
        await provider.aclose()
        assert client_tasks(before) == []
    gc.collect()


@every_client
async def test_stopping_before_the_answer_closes_the_connection_too(remote: Remote) -> None:
    endless = Endless(b"")
    async with wire_server(endless) as server:
        listening = asyncio.create_task(collect(remote.at(server.url)))
        await asyncio.wait_for(endless.asked.wait(), PATIENCE_SECONDS)
        listening.cancel()
        await endless.left()
        with pytest.raises(asyncio.CancelledError):
            await listening


@every_client
async def test_leaving_the_stream_closes_the_connection_at_once(remote: Remote) -> None:
    endless = Endless(beginning_of(remote))
    async with wire_server(endless) as server:
        provider = remote.at(server.url)
        before = asyncio.all_tasks()
        stream = aiter(provider.stream(one_message()))
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]  # an async generator, as any stream is
        if remote.id != "groq":  # httpx leaves one of its own generators
            assert client_tasks(before) == []
        await endless.left()
        await provider.aclose()
    gc.collect()


@every_client
async def test_rubbish_in_mid_stream_closes_the_connection_at_once(remote: Remote) -> None:
    endless = Endless(beginning_of(remote) + b"data: rubbish\n\n")
    async with wire_server(endless) as server:
        provider = remote.at(server.url)
        with pytest.raises(ProviderError):
            _ = [event async for event in provider.stream(one_message())]
        await endless.left()
        await provider.aclose()


@every_client
async def test_a_second_request_goes_over_the_same_client_after_a_failure(remote: Remote) -> None:
    failed = http({"error": {"message": "no"}}, status="500 Internal Server Error")
    said = streamed(*encoded(remote, ModelMessage("Hi")))
    async with wire_server(failed, said) as server:
        provider = remote.at(server.url)
        with pytest.raises(ProviderError):
            _ = [event async for event in provider.stream(one_message())]
        assert len(server.received) == 1, "an SDK retried by itself"
        assert words(await collect(provider)) == "Hi"


@every_remote
async def test_what_is_sent_and_received_is_recorded_without_the_key(remote: Remote) -> None:
    answer = streamed(*encoded(remote, ModelMessage(text="Hello")))
    refusal = http(
        json.dumps({"error": {"message": f"no {KEY}"}}).encode(), status="400 Bad Request"
    )
    async with wire_server(answer, refusal) as server:
        exchanges: list[Exchange] = []
        asked = replace(one_message("add eggs"), exchanges=exchanges)
        await collect(remote.at(server.url), asked)
        with pytest.raises(ProviderError):
            await collect(remote.at(server.url), asked)
        received = server.received
    good, bad = exchanges
    assert json.loads(good.request) == received[0].body
    assert (good.status, bad.status) == (200, 400)
    assert "Hello" in good.response
    assert DOTS in bad.response
    assert DOTS in " ".join(good.request_headers.values())
    assert KEY not in repr(exchanges)


@every_client
async def test_a_request_that_reaches_no_server_is_recorded_too(remote: Remote) -> None:
    exchanges: list[Exchange] = []
    with pytest.raises(ProviderError):
        await collect(
            remote.at("http://127.0.0.1:9/v1"),
            replace(one_message("add eggs"), exchanges=exchanges),
        )
    (exchange,) = exchanges
    assert exchange.status is None
    assert "add eggs" in exchange.request
