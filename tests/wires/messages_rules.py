"""Rules of `POST messages`, API version 2026-10-21.

API reference "Messages"; guides "Tool use", "Extended thinking" and "Preserved thinking":
a thinking block is bound to the conversation before it, and refused after any other.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.wires.common_rules import (
    check_call_id,
    check_members,
    check_name,
    check_schema,
    check_words,
)

Body = dict[str, Any]

_OPTIONS = "system tools tool_choice thinking output_config cache_control temperature"


def judge_messages(body: Body) -> None:
    """Check that results come in the next message, and thinking only in the current turn."""
    check_members(body, needed="model max_tokens messages stream", allowed=_OPTIONS)
    assert body["model"]
    assert body["stream"] is True
    assert body["max_tokens"] > 0
    assert "temperature" not in body or "claude" not in body["model"], "no Claude takes one"
    _check_system(body.get("system", "…"))
    messages = body["messages"]
    assert messages[0]["role"] == "user", "it opens with a user's message"
    assert messages[-1]["role"] == "user", "a last word of the assistant's is a prefill"
    asked: list[str] = []
    known: set[str] = set()
    for number, message in enumerate(messages):
        check_members(message, needed="role content")
        blocks = _blocks(message["content"])
        if message["role"] == "user":
            _check_user(blocks, asked)
            asked = []
            continue
        assert message["role"] == "assistant"
        assert not asked, "the next message answers the calls"
        in_turn = not any(_speaks(later) for later in messages[number + 1 :])
        asked = _check_assistant(blocks, in_turn=in_turn)
        _check_bound(blocks, prefix_digest(body, number))
        assert not known & set(asked), "ids of calls are unique"
        assert len(set(asked)) == len(asked)
        known.update(asked)
    assert not asked, "the next message answers the calls"
    _check_thinking(body)
    _check_tools(body)


def _blocks(content: object) -> list[Body]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    assert isinstance(content, list)
    assert content, "a message without content is refused"
    return content


def _speaks(message: Body) -> bool:
    """Return True for a message with user text, which starts a turn."""
    return message["role"] == "user" and any(
        block["type"] == "text" for block in _blocks(message["content"])
    )


def _check_system(system: object) -> None:
    for block in _blocks(system):
        check_members(block, needed="type text", allowed="cache_control")
        check_words(block["text"])


def _check_user(blocks: list[Body], asked: list[str]) -> None:
    answered = []
    for block in blocks:
        if block["type"] == "tool_result":
            check_members(
                block, needed="type tool_use_id content", allowed="is_error cache_control"
            )
            answered.append(block["tool_use_id"])
            assert block is blocks[len(answered) - 1], "results come first"
            for part in _blocks(block["content"]):
                check_words(part["text"])
        else:
            check_members(block, needed="type text", allowed="cache_control")
            assert block["type"] == "text"
            check_words(block["text"])
    assert sorted(answered) == sorted(asked), "each call has its one result"


def _check_assistant(blocks: list[Body], *, in_turn: bool) -> list[str]:
    """Return the ids of the message's calls."""
    order = {"thinking": 0, "redacted_thinking": 0, "text": 1, "tool_use": 2}
    ranks = [order[block["type"]] for block in blocks]
    assert ranks == sorted(ranks), "thoughts, then words, then calls"
    assert ranks[-1] > 0, "a message is not of thoughts alone"
    calls = []
    for block in blocks:
        match block["type"]:
            case "thinking":
                assert in_turn, "thoughts of earlier turns are left out"
                check_members(block, needed="type thinking signature")
                check_words(block["signature"])
            case "redacted_thinking":
                assert in_turn, "thoughts of earlier turns are left out"
                check_members(block, needed="type data")
            case "text":
                check_members(block, needed="type text", allowed="cache_control")
                check_words(block["text"])
            case _:
                check_members(block, needed="type id name input", allowed="cache_control")
                check_call_id(block["id"])
                check_name(block["name"])
                assert isinstance(block["input"], dict)
                calls.append(block["id"])
    return calls


def prefix_digest(body: Body, count: int) -> str:
    """Return the digest of what thinking is bound to: the fixed part and the first messages."""
    said = [
        [message["role"], [_bare(block) for block in _blocks(message["content"])]]
        for message in body["messages"][:count]
    ]
    told = json.dumps([body.get("system"), body.get("tools"), said])
    return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def _bare(block: Body) -> Body:
    if "thinking" in block["type"]:
        return {}
    return {key: value for key, value in block.items() if key != "cache_control"}


def _check_bound(blocks: list[Body], digest: str) -> None:
    for block in blocks:
        if block["type"] == "thinking" and "." in block["signature"]:
            bound = block["signature"].partition(".")[2]
            assert bound == digest, "thinking is bound to a different conversation"


def _check_thinking(body: Body) -> None:
    thinking = body.get("thinking", {"type": "disabled"})
    assert thinking["type"] in {"disabled", "enabled", "adaptive", "between_tools"}
    if thinking["type"] == "enabled":
        assert 1024 <= thinking["budget_tokens"] < body["max_tokens"]
    if thinking["type"] != "disabled":
        kind = body.get("tool_choice", {"type": "auto"})["type"]
        assert kind in {"auto", "none"}, "who thinks is not forced to call"
    effort = body.get("output_config", {}).get("effort", "low")
    assert effort in {"low", "medium", "high", "xhigh", "max"}


def _check_tools(body: Body) -> None:
    tools = body.get("tools")
    if tools is None:
        assert "tool_choice" not in body, "a choice without tools is refused"
        calls = any(
            block["type"] in {"tool_use", "tool_result"}
            for message in body["messages"]
            for block in _blocks(message["content"])
        )
        assert not calls, "calls in the conversation need the tools to be there"
        return
    assert tools
    for tool in tools:
        check_members(tool, needed="name description input_schema", allowed="cache_control type")
        check_name(tool["name"])
        check_schema(tool["input_schema"])
    choice = body.get("tool_choice", {"type": "auto"})
    assert choice["type"] in {"auto", "none", "any", "tool"}
    if choice["type"] == "tool":
        assert choice["name"] in {tool["name"] for tool in tools}
