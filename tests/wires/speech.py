"""What all speakers share: events, words in pieces, and the tokens that are reported."""

from __future__ import annotations

import json
from base64 import b64encode

from todo_tui.domain.task import JsonValue

JsonObject = dict[str, JsonValue]

TOKENS_IN, TOKENS_CACHED, TOKENS_OUT, TOKENS_THOUGHT = 1200, 1000, 30, 10
"""What each server reports; the outgoing ones include the thinking."""


def seal(origin: str) -> str:
    """What a server seals its thoughts with: opaque, and no other may be sent it."""
    return b64encode(f"sealed by {origin}".encode()).decode()


def event(data: JsonValue, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def typed(kind: str, **fields: JsonValue) -> bytes:
    """An event that tells its kind twice."""
    return event({"type": kind, **fields}, kind)


def pieces(text: str) -> list[str]:
    """Word by word; together they are the text."""
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + [words[-1]] if text else []


def fragments(arguments: JsonValue) -> list[str]:
    """The text in pieces; what is no text comes in one, elsewhere."""
    text = arguments if isinstance(arguments, str) else ""
    return [text[at : at + 12] for at in range(0, len(text), 12)]


def whole(name: str, value: JsonValue) -> JsonObject:
    """Text will come in pieces; anything else is here already."""
    return {name: ""} if isinstance(value, str) else given(name, value)


def given(name: str, value: JsonValue) -> JsonObject:
    """The member, if it is given at all."""
    return {} if value is None or value == "" else {name: value}
