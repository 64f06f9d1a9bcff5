"""JSON written by models, servers and files, parsed with limits on depth."""

import json
import re
from collections.abc import Iterator

from todo_tui.domain.task import JsonValue

MAX_DEPTH = 50
"""Maximum nesting of lists and objects.

Python's json fails above about a thousand levels, our recursive code at half of that;
tool arguments have three.
"""
_MAX_TEXT_DEPTH = 200
"""Maximum nesting kept in a server's message: its own levels and those of a value in it."""
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]++|[\]}]++', re.DOTALL)


def parse_json(text: str) -> JsonValue:
    """Return the value of strict JSON text.

    Raises:
        ValueError: it is not JSON, holds a number that JSON has no text for, or is nested
            more than MAX_DEPTH levels.
    """
    try:
        value: JsonValue = STRICT.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if _is_deep(text) and _levels(value) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return value


def flattened(text: str) -> str:
    """Return JSON text with null in place of what is nested too deeply to be read."""
    if not _is_deep(text, _MAX_TEXT_DEPTH):
        return text
    return "".join(_flat_pieces(text))


def _is_deep(text: str, limit: int = MAX_DEPTH) -> bool:
    """Return True if the text has enough brackets to be nested that deeply."""
    return text.count("[") + text.count("{") > limit


def _levels(value: JsonValue) -> int:
    levels, inside = 0, [value]
    while inside:
        nested = [each for each in inside if isinstance(each, list | dict)]
        levels += bool(nested)
        inside = [
            part for each in nested for part in (each if isinstance(each, list) else each.values())
        ]
    return levels


def _flat_pieces(text: str) -> Iterator[str]:
    depth = written = 0
    for found in _BRACKETS.finditer(text):
        start, end = found.span()
        if text[start] in "[{":
            if depth <= _MAX_TEXT_DEPTH < depth + end - start:
                yield text[written : start + _MAX_TEXT_DEPTH - depth]
                yield "null"
            depth += end - start
        elif text[start] in "]}":
            if depth - (end - start) <= _MAX_TEXT_DEPTH < depth:
                written = start + depth - _MAX_TEXT_DEPTH
            depth -= end - start
    if depth <= _MAX_TEXT_DEPTH:
        yield text[written:]


def _reject_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large")
    return value


STRICT = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_number)
"""Decoder of JSON as the standard has it: no NaN, no infinite numbers."""
