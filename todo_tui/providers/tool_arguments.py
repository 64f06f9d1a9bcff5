"""Ids, names and arguments of tool calls, made so that every server accepts them back."""

from __future__ import annotations

import json
import re

from todo_tui.domain.clock import NewId
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.foreign import json_object

_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_LONGEST_NAME = 64
_NAME = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{_LONGEST_NAME - 1}}}")


def call_id(given: str, taken: set[str], new_id: NewId) -> str:
    """An id that every provider accepts: the given one, unless malformed or taken.

    The id is added to `taken`.
    """
    chosen = given if _CALL_ID.fullmatch(given) else ""
    while not chosen or chosen in taken:
        chosen = f"call_{new_id()[:24]}"
    taken.add(chosen)
    return chosen


def sendable_name(name: str) -> str:
    """The name of a tool that was called, in characters that every server takes back.

    A model may ask for a tool that nobody has; OpenAI and Anthropic answer 400 to a
    history with a name that no tool could have.
    """
    if _NAME.fullmatch(name):
        return name
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    return (plain if _NAME.match(plain) else f"_{plain}")[:_LONGEST_NAME]


def sendable_arguments(arguments: str) -> str:
    """The arguments if they are a JSON object, else an object that quotes what they were.

    llama.cpp answers 500 to a history with arguments that are no JSON, and Gemini
    400 to any that are no object.
    """
    if arguments.strip() and sendable_object(arguments) is not None:
        return whole_characters(arguments)
    return json.dumps(arguments_object(arguments), ensure_ascii=False)


def arguments_object(arguments: str) -> dict[str, JsonValue]:
    """The same where a format has no text but the object itself."""
    if not arguments.strip():
        return {}
    value = sendable_object(arguments)
    return {"invalid_json": whole_characters(arguments)} if value is None else value


def sendable_object(text: str) -> dict[str, JsonValue] | None:
    """The JSON object that the text is; None where it is none or cannot be written again."""
    value = json_object(text)
    return value if value is not None and _encodes(value) else None


def _encodes(value: JsonValue) -> bool:
    """Whether no escape in it stands for half a character, and no number is beyond all."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except ValueError:
        return False
    return True
