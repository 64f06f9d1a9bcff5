"""Rules of `models/…:streamGenerateContent`.

API reference "Generating content"; guides "Function calling" and "Thought signatures".
"""

from __future__ import annotations

from typing import Any

from tests.wires.common_rules import check_members, check_name, check_schema, check_words

Body = dict[str, Any]

_OPTIONS = "systemInstruction tools toolConfig generationConfig"


def judge_gemini(body: Body) -> None:
    """Check the order of roles, and that parallel calls are answered together, in their order."""
    check_members(body, needed="contents", allowed=_OPTIONS)
    if "systemInstruction" in body:
        for part in body["systemInstruction"]["parts"]:
            check_words(check_members(part, needed="text")["text"])
    contents = body["contents"]
    assert contents[0]["role"] == "user", "it opens with a user's content"
    assert contents[-1]["role"] == "user", "it ends with what is to be answered"
    asked: list[Body] = []
    before = "model"
    for content in contents:
        check_members(content, needed="role parts")
        assert content["role"] in {"user", "model"}
        assert content["role"] == "user" or before == "user", "a model answers a user"
        before = content["role"]
        parts = content["parts"]
        assert parts, "a content without parts is refused"
        if content["role"] == "user":
            _check_user(parts, asked)
            asked = []
        else:
            asked = _check_model(parts)
    assert not asked, "the next content answers the calls"
    _check_tools(body)


def unsigned_in_contents(body: Body) -> bool:
    """Return True if a content has calls of which the first has no signature."""
    for content in body["contents"]:
        calls = [part for part in content["parts"] if "functionCall" in part]
        if calls and not calls[0].get("thoughtSignature"):
            return True
    return False


def _check_user(parts: list[Body], asked: list[Body]) -> None:
    answers = []
    for part in parts:
        if "functionResponse" in part:
            check_members(part, needed="functionResponse")
            answer = check_members(part["functionResponse"], needed="name response", allowed="id")
            assert isinstance(answer["response"], dict)
            answers.append(answer)
        else:
            check_words(check_members(part, needed="text")["text"])
    assert [answer["name"] for answer in answers] == [call["name"] for call in asked], (
        "as many answers as calls, in their order"
    )
    assert [answer.get("id") for answer in answers] == [call.get("id") for call in asked]
    assert not answers or len(answers) == len(parts), "answers stand alone"


def _check_model(parts: list[Body]) -> list[Body]:
    """Return the calls of a model's parts."""
    calls = []
    for part in parts:
        if "functionCall" in part:
            check_members(part, needed="functionCall", allowed="thoughtSignature")
            call = check_members(part["functionCall"], needed="name", allowed="args id")
            check_name(call["name"])
            assert isinstance(call.get("args", {}), dict)
            calls.append(call)
        else:
            check_members(part, needed="text", allowed="thought thoughtSignature")
            check_words(part["text"])
    return calls


def _check_tools(body: Body) -> None:
    names = set()
    for tool in body.get("tools", ()):
        for declared in check_members(tool, needed="functionDeclarations")["functionDeclarations"]:
            check_members(declared, needed="name description", allowed="parametersJsonSchema")
            check_name(declared["name"])
            if "parametersJsonSchema" in declared:
                check_schema(declared["parametersJsonSchema"])
            names.add(declared["name"])
    if "toolConfig" not in body:
        return
    assert names, "a choice without tools is refused"
    config = body["toolConfig"]["functionCallingConfig"]
    assert config["mode"] in {"AUTO", "ANY", "NONE"}
    if "allowedFunctionNames" in config:
        assert config["mode"] == "ANY"
        assert set(config["allowedFunctionNames"]) <= names
