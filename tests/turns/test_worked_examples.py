"""Worked examples before the conversation, for small models."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.turns.conversation import open_conversation
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import REMOTES, Remote, remote
from tests.wires.rules import Body
from tests.wires.server import answered, fake_server
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import Message, Request, Role, Text
from todo_tui.providers.chat import ChatFormat, Dialect
from todo_tui.providers.traits import billions_of_parameters, traits_of
from todo_tui.tools.registry import TOOLS

SMALL = "qwen2.5-coder:0.5b"
_MOST_BYTES = 900


@pytest.mark.parametrize(
    ("model", "billions"),
    [
        ("qwen2.5-coder:0.5b", 0.5),
        ("qwen2.5-coder-0.5b", 0.5),
        ("Qwen2.5-7B-Instruct-Q4_K_M.gguf", 7),
        ("qwen2.5-7b-instruct-1m", 7),
        ("llama-3.1-8b-instant", 8),
        ("llama3-8b-8192", 8),
        ("meta-llama/Llama-3.2-3B-Instruct", 3),
        ("gemma-2-2b-it", 2),
        ("gemma-3-270m-it", 0.27),
        ("gemma3n:e4b", 4),
        ("phi-3-mini-3.8b", 3.8),
        ("smollm2:135m", 0.135),
        ("bitnet-b1.58-2B-4T", 2),
        ("granite-3.1-1b-a400m-instruct", 1),
        ("olmoe-1b-7b", 7),
        ("qwen3:14b", 14),
        ("mixtral:8x7b", 56),
        ("mixtral-8x22b-instruct", 176),
        ("qwen3:30b-a3b", 30),
        ("qwen3-coder-480b-a35b", 480),
        ("llama-4-scout-17b-16e-instruct", 17),
        ("openai/gpt-oss-20b", 20),
        ("gpt-6-luna", None),
        ("claude-haiku-5-5", None),
        ("claude-sonnet-5-5-1m", None),
        ("gemini-3.8-flash", None),
        ("phi-4-mini", None),
        ("qwen3.5", None),
        ("qwen3.5-a3b", None),
        ("model-4bit", None),
        ("abc8b", None),
        ("", None),
    ],
)
def test_a_size_is_read_from_the_name_of_a_model(model: str, billions: float | None) -> None:
    assert billions_of_parameters(model) == pytest.approx(billions)
    assert bool(traits_of(model).worked_examples) is (billions is not None and billions <= 8)


def test_the_examples_are_short() -> None:
    wire = ChatFormat(ProviderSettings(), Dialect(names_results=False))
    server = remote("openai").server()
    body = wire.body(Request("", traits_of(SMALL).worked_examples), server, "any")
    written = json.dumps(body["messages"], separators=(",", ":"), ensure_ascii=False)

    assert len(written.encode()) <= _MOST_BYTES


def test_the_examples_call_offered_tools_with_their_arguments_and_name_no_id() -> None:
    tools = {tool.name: tool for tool in TOOLS}
    messages = traits_of(SMALL).worked_examples
    calls = [call for message in messages for call in message.tool_calls]

    for call in calls:
        read = tools[call.name].signature.read(json.loads(call.arguments))
        assert read
        assert "task_ids" not in read
    assert not any("id" in result.content for each in messages for result in each.tool_results)


def _says(body: Body) -> ModelMessage:
    if answered(body):
        return ModelMessage("It is on your list.")
    return ModelMessage("", calls=(ModelCall.with_arguments("add_task", "call_1", title="milk"),))


def _messages(body: Body) -> list[Body]:
    messages: list[Body] = body.get("messages") or body.get("input") or body["contents"]
    return messages


@pytest.mark.parametrize("each", REMOTES, ids=lambda each: each.id)
async def test_the_examples_come_first_in_every_request_and_are_not_stored(
    each: Remote, database: Path
) -> None:
    small = replace(each, model=SMALL)
    async with fake_server(small, _says) as server:
        async with open_conversation(small.at(server.url), database) as talk:
            for number in range(2):
                end = await talk.finished(f"Add milk, for the {number}. time")
                assert [step.name for step in end.outcome.trace] == ["add_task"]
            stored = talk.store.turns.model_history(talk.conversation_id or "").messages
        bodies = server.received

    own = Request("", (*traits_of(SMALL).worked_examples, Message(Role.USER, (Text("x"),))))
    alone = _messages(small.wire_format().body(own, small.server(), small.origin))[:-1]
    assert len(bodies) == 4
    for body in bodies:
        sent = (
            [message for message in _messages(body) if message["role"] != "system"]
            if ("messages" in body)
            else _messages(body)
        )
        assert _plain(sent[: len(alone)]) == _plain(alone)
    for before, after in pairwise(bodies):
        assert _plain(_messages(after)[: len(_messages(before))]) == _plain(_messages(before))
        assert after["tools"] == before["tools"]
    assert "yoga" not in str(stored)
    assert len(stored) == 8


def _plain(messages: list[Body]) -> str:
    """Return the messages as JSON, without the marks of what may be cached."""
    return json.dumps(messages).replace(', "cache_control": {"type": "ephemeral"}', "")


@pytest.mark.parametrize("each", REMOTES, ids=lambda each: each.id)
async def test_larger_models_get_no_examples(each: Remote, database: Path) -> None:
    async with fake_server(each, _says) as server:
        async with open_conversation(each.at(server.url), database) as talk:
            await talk.finished("Add milk")
        assert "yoga" not in json.dumps(server.received)


async def test_a_request_without_tools_gets_no_examples(database: Path) -> None:
    small = replace(remote("local"), model=SMALL)
    async with fake_server(small, lambda _: ModelMessage("Shopping")) as server:
        provider = small.at(server.url)
        async for _ in provider.stream(Request("", (Message(Role.USER, (Text("A title?"),)),))):
            pass
        await provider.aclose()
        assert "yoga" not in json.dumps(server.received)


@pytest.mark.parametrize(
    ("model", "wanted", "temperature"),
    [(SMALL, None, 0.2), (SMALL, 0.9, 0.9), ("qwen3:14b", None, None)],
)
async def test_small_models_get_a_low_temperature_unless_the_user_sets_one(
    database: Path, model: str, wanted: float | None, temperature: float | None
) -> None:
    asked = replace(remote("local"), model=model)
    async with fake_server(asked, lambda _: ModelMessage("Hello")) as server:
        async with open_conversation(asked.at(server.url, temperature=wanted), database) as talk:
            await talk.finished("Hello")
        (body,) = server.received

    assert body.get("temperature") == temperature


@pytest.mark.parametrize("each", REMOTES, ids=lambda each: each.id)
async def test_small_models_name_tasks_by_words_alone(each: Remote, database: Path) -> None:
    async def tools(model: str) -> str:
        asked = replace(each, model=model)
        async with fake_server(asked, lambda _: ModelMessage("Hello")) as server:
            async with open_conversation(asked.at(server.url), database) as talk:
                await talk.finished("Hello")
            return json.dumps(server.received[0]["tools"])

    assert "task_ids" not in await tools(SMALL)
    assert "task_ids" in await tools(each.model)
