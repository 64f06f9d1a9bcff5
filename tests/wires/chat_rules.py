"""Rules of `POST chat/completions`, and those of single servers.

OpenAI: API reference "Create chat completion". Groq: "Text chat", and its 400 for names
of results and for replayed thinking. Gemini: "OpenAI compatibility" and "Thought
signatures". Ollama and llama.cpp: chat templates of their models.
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
    keywords,
)

Body = dict[str, Any]

_OPTIONS = (
    "tools tool_choice temperature max_tokens max_completion_tokens reasoning_effort stream_options"
)
_GEMINI_REFUSES = {
    "$schema", "additionalProperties", "const", "discriminator", "exclusiveMaximum",
    "exclusiveMinimum", "format", "title",
}  # fmt: skip


def judge_chat(body: Body) -> None:
    """Check the rules of OpenAI's own server, which compatible servers share."""
    check_members(body, needed="model messages stream", allowed=_OPTIONS)
    assert body["model"]
    assert body["stream"] is True
    system, *said = body["messages"]
    assert check_members(system, needed="role content")["role"] == "system"
    check_words(system["content"])
    assert said[0]["role"] == "user", "it opens with a user's message"
    assert said[-1]["role"] in {"user", "tool"}, "it ends with what is to be answered"
    open_calls: list[str] = []
    known: set[str] = set()
    for message in said:
        if message["role"] == "tool":
            check_members(message, needed="role content tool_call_id", allowed="name")
            check_words(message["content"])
            assert message["tool_call_id"] in open_calls, "a result has its call right before it"
            open_calls.remove(message["tool_call_id"])
            continue
        assert not open_calls, "each call has its result right after it"
        if message["role"] == "user":
            check_members(message, needed="role content")
            check_words(message["content"])
            continue
        open_calls = _check_assistant(message)
        assert not known & set(open_calls), "ids of calls are unique"
        known.update(open_calls)
        assert len(set(open_calls)) == len(open_calls)
    assert not open_calls, "each call has its result right after it"
    _check_tools(body)


def judge_groq(body: Body) -> None:
    """Check for Groq: no name beside a result, no thinking, an effort that the model accepts."""
    judge_chat(body)
    assert not any("name" in message for message in body["messages"])
    assert "max_tokens" not in body, "it is deprecated"
    assert body.get("reasoning_effort", "low") in {"none", "default", "low", "medium", "high"}


def judge_gemini_compatible(body: Body) -> None:
    """Check for Gemini: names beside results, nothing empty, reduced schemas."""
    bare = [_unsigned(message) for message in body["messages"]]
    judge_chat({**body, "messages": bare})
    names: dict[str, str] = {}
    for message in body["messages"]:
        assert message.get("content") != "", "empty content is refused"
        calls = message.get("tool_calls") or []
        for call in calls:
            names[call["id"]] = call["function"]["name"]
        if message["role"] == "tool":
            assert message["name"] == names[message["tool_call_id"]]
    for tool in body.get("tools", ()):
        refused = _GEMINI_REFUSES & set(keywords(tool["function"]["parameters"]))
        assert not refused, f"its schemas know no {refused}"


def unsigned_in_chat(body: Body) -> bool:
    """Return True if a message has calls of which the first has no signature."""
    for message in body["messages"]:
        calls = message.get("tool_calls")
        if calls and not calls[0].get("extra_content", {}).get("google", {}).get(
            "thought_signature"
        ):
            return True
    return False


def judge_local(body: Body) -> None:
    """Check for chat templates that require alternating roles and content, even if empty."""
    judge_chat(body)
    before = "system"
    for message in body["messages"][1:]:
        role = message["role"]
        assert "content" in message
        if role != "tool":
            assert (role == "user") == (before in {"system", "assistant"}), f"{role} after {before}"
        before = role


def _check_assistant(message: Body) -> list[str]:
    """Return the ids of the message's calls."""
    check_members(message, needed="role", allowed="content tool_calls")
    assert message["role"] == "assistant"
    calls = message.get("tool_calls")
    if calls is None or message.get("content"):
        check_words(message.get("content"))
    if calls is None:
        return []
    assert calls, "an empty list of calls is refused"
    for call in calls:
        check_members(call, needed="id type function")
        assert call["type"] == "function"
        check_call_id(call["id"])
        function = check_members(call["function"], needed="name arguments")
        check_name(function["name"])
        check_arguments(function["arguments"])
    return [call["id"] for call in calls]


def _check_tools(body: Body) -> None:
    tools = body.get("tools")
    if tools is None:
        assert "tool_choice" not in body, "a choice without tools is refused"
        return
    assert tools
    for tool in tools:
        check_members(tool, needed="type function")
        function = check_members(tool["function"], needed="name description parameters")
        check_name(function["name"])
        check_schema(function["parameters"])
    choice = body.get("tool_choice", "auto")
    if isinstance(choice, dict):
        named = check_members(choice, needed="type function")["function"]["name"]
        assert named in {tool["function"]["name"] for tool in tools}
    else:
        assert choice in {"auto", "none", "required"}


def _unsigned(message: Body) -> Body:
    """Return the message without Gemini's own fields."""
    bare = {key: value for key, value in message.items() if key != "extra_content"}
    if "tool_calls" in bare:
        bare["tool_calls"] = [
            {key: value for key, value in call.items() if key != "extra_content"}
            for call in bare["tool_calls"]
        ]
    return bare
