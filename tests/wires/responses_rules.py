"""Rules of `POST responses` without storage on the server.

API reference "Create a model response"; guides "Function calling" and "Reasoning models".
"""

from __future__ import annotations

from typing import Any

from tests.wires.common_rules import (
    check_arguments,
    check_call_id,
    check_members,
    check_name,
    check_schema,
    check_words,
)

Body = dict[str, Any]

_OPTIONS = (
    "instructions include tools tool_choice parallel_tool_calls reasoning text"
    " temperature max_output_tokens prompt_cache_key truncation"
)


def judge_responses(body: Body) -> None:
    """Check the order of items: thinking before its results, each call with one output."""
    check_members(body, needed="model input stream store", allowed=_OPTIONS)
    assert body["model"]
    assert body["stream"] is True
    assert body["store"] is False
    assert body.get("max_output_tokens", 16) >= 16
    if "instructions" in body:
        check_words(body["instructions"])
    items = body["input"]
    assert items[0].get("role") == "user", "it opens with a user's message"
    assert items[-1].get("role") == "user" or items[-1]["type"] == "function_call_output"
    open_calls: set[str] = set()
    known: set[str] = set()
    thought: list[str] = []
    for number, item in enumerate(items):
        match item.get("type", "message"):
            case "message":
                assert not open_calls, "each call has its output before anything else is said"
                _check_message(item)
            case "reasoning":
                assert not open_calls or items[number - 1]["type"] == "function_call"
                _check_reasoning(item)
                thought.append(item["id"])
                following = items[number + 1]
                answers = following.get("role") == "assistant"
                assert answers or following.get("type") in {"function_call", "reasoning"}, (
                    "reasoning is followed by what came of it"
                )
            case "function_call":
                _check_call(item)
                assert item["call_id"] not in known, "ids of calls are unique"
                known.add(item["call_id"])
                open_calls.add(item["call_id"])
            case "function_call_output":
                check_members(item, needed="type call_id output")
                assert isinstance(item["output"], str)
                assert item["call_id"] in open_calls, "an output has its call before it"
                open_calls.remove(item["call_id"])
            case other:
                raise AssertionError(f"an item of the type {other!r}")
    assert not open_calls, "each call has its output"
    assert len(set(thought)) == len(thought), "ids of reasoning are unique"
    _check_tools(body)


def judge_openai(body: Body) -> None:
    """Check for OpenAI: encrypted thinking is requested, to be sent back."""
    judge_responses(body)
    assert "reasoning.encrypted_content" in body["include"]
    assert all("content" not in item for item in body["input"] if item["type"] == "reasoning")


def _check_message(item: Body) -> None:
    check_members(item, needed="role content", allowed="type id status phase")
    role, content = item["role"], item["content"]
    assert role in {"user", "assistant"}
    if isinstance(content, str):
        check_words(content)
        return
    assert content
    for part in content:
        check_members(part, needed="type text", allowed="annotations logprobs")
        assert part["type"] == ("input_text" if role == "user" else "output_text")
        check_words(part["text"])
        if role == "assistant":
            assert isinstance(part.get("annotations", []), list)
    assert str(item.get("id", "msg_")).startswith("msg_")


def _check_reasoning(item: Body) -> None:
    check_members(item, needed="type id summary", allowed="encrypted_content content status")
    assert item["id"].startswith("rs_")
    assert item.get("encrypted_content") or item.get("content"), "the server keeps none of it"
    for part in item["summary"]:
        check_members(part, needed="type text")
        assert part["type"] == "summary_text"


def _check_call(item: Body) -> None:
    check_members(item, needed="type call_id name arguments", allowed="id status")
    check_call_id(item["call_id"])
    check_name(item["name"])
    check_arguments(item["arguments"])
    assert item.get("id", "fc_").startswith("fc_")


def _check_tools(body: Body) -> None:
    tools = body.get("tools")
    if tools is None:
        assert "tool_choice" not in body, "a choice without tools is refused"
        return
    assert tools
    for tool in tools:
        check_members(tool, needed="type name parameters strict", allowed="description")
        assert tool["type"] == "function"
        check_name(tool["name"])
        check_schema(tool["parameters"])
        if tool["strict"]:
            assert tool["parameters"]["additionalProperties"] is False
            needed = set(tool["parameters"].get("required", ()))
            assert needed == set(tool["parameters"].get("properties", {}))
    choice = body.get("tool_choice", "auto")
    if isinstance(choice, dict):
        check_members(choice, needed="type name")
        assert choice["type"] == "function"
        assert choice["name"] in {tool["name"] for tool in tools}
    else:
        assert choice in {"auto", "none", "required"}
