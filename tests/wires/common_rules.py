"""Rules that several wire formats share: names, ids, schemas, arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_TOOL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")


def check_name(name: object) -> None:
    """Check a tool name against the narrowest documented form."""
    assert isinstance(name, str), f"a tool is named {name!r}"
    assert _TOOL_NAME.fullmatch(name), f"no server takes a tool named {name!r}"


def check_call_id(call_id: object) -> None:
    """Check an id against the limits of all servers: OpenAI's length, Anthropic's characters."""
    assert isinstance(call_id, str), f"a call has the id {call_id!r}"
    assert _CALL_ID.fullmatch(call_id), f"no server takes the call id {call_id!r}"


def check_words(words: object) -> None:
    """Check that the text is not empty."""
    assert isinstance(words, str), f"text is {words!r}"
    assert words.strip(), "text is empty"


def check_arguments(arguments: object) -> None:
    """Check JSON text of an object."""
    assert isinstance(arguments, str), f"arguments are {arguments!r}"
    value = json.loads(arguments, parse_constant=_refuse)
    assert isinstance(value, dict), f"arguments are {arguments!r}"


def check_schema(schema: object) -> None:
    """Check a flat schema of an object, without references."""
    assert isinstance(schema, dict)
    assert schema.get("type") == "object"
    assert isinstance(schema.get("properties", {}), dict)
    assert not {"$ref", "$defs", "definitions"} & set(keywords(schema))


def check_members(value: object, *, needed: str, allowed: str = "") -> dict[str, Any]:
    """Check an object: all needed members, and none that is not allowed."""
    assert isinstance(value, dict), f"{value!r} is not an object"
    names = set(value)
    assert set(needed.split()) <= names, f"{value!r} lacks {set(needed.split()) - names}"
    unknown = names - set(needed.split()) - set(allowed.split())
    assert not unknown, f"{unknown} is not taken in {value!r}"
    return value


def keywords(schema: Any) -> Iterator[str]:  # noqa: ANN401 - JSON of any shape
    """Yield the keywords of a schema, without names of parameters."""
    if isinstance(schema, list):
        for each in schema:
            yield from keywords(each)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        yield key
        nested = value.values() if key == "properties" else [value]
        for each in nested:
            yield from keywords(each)


def _refuse(constant: str) -> float:
    raise AssertionError(f"{constant} is not JSON")
