"""Parts that all encoders share: events, text in pieces, and the tokens that are reported."""

from __future__ import annotations

import json
from base64 import b64encode

from todo_tui.domain.task import JsonValue

JsonObject = dict[str, JsonValue]

TOKENS_IN, TOKENS_CACHED, TOKENS_OUT, TOKENS_THINKING = 1200, 1000, 30, 10
"""Tokens that each server reports; the output includes the thinking."""


def encrypted_content_of(origin: str) -> str:
    """Return encrypted thinking of that origin, which no other may be sent."""
    return b64encode(f"sealed by {origin}".encode()).decode()


def event(data: JsonValue, name: str = "") -> bytes:
    """Encode one server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def typed(kind: str, **fields: JsonValue) -> bytes:
    """Encode an event whose type is in its name and its data."""
    return event({"type": kind, **fields}, kind)


def pieces(text: str) -> list[str]:
    """Split into words; joined they are the text."""
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + [words[-1]] if text else []


def fragments(arguments: JsonValue) -> list[str]:
    """Split JSON text into pieces; other values have none."""
    text = arguments if isinstance(arguments, str) else ""
    return [text[at : at + 12] for at in range(0, len(text), 12)]


def whole(name: str, value: JsonValue) -> JsonObject:
    """Return the member that holds a value that is not streamed; text is left empty."""
    return {name: ""} if isinstance(value, str) else given(name, value)


def given(name: str, value: JsonValue) -> JsonObject:
    """Return the member; nothing for None."""
    return {} if value is None or value == "" else {name: value}
