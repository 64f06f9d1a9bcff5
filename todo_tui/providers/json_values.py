"""Access to untrusted JSON values from a server."""

import json
import re
import sys
from collections.abc import Mapping, Sequence

from todo_tui.domain.foreign_json import STRICT, parse_json
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

JsonObject = dict[str, JsonValue]
_MAX_COUNT = 10**12
"""Limit above any real count, low enough for sums in SQLite."""


def get_member(value: object, name: str) -> object:
    """Return the value of a key; None if missing, or if `value` is not an object."""
    return value.get(name) if isinstance(value, Mapping) else None


def get_text(value: object, name: str) -> str:
    """Return the text of that name; empty if missing or of another type."""
    found = get_member(value, name)
    return found if isinstance(found, str) else ""


def get_count(value: object, name: str) -> int:
    """Return the integer from 0 of that name; 0 if missing or implausible."""
    found = get_member(value, name)
    if isinstance(found, bool) or not isinstance(found, int):
        return 0
    return found if 0 <= found <= _MAX_COUNT else 0


def get_items(value: object, name: str) -> Sequence[object]:
    """Return the list of that name; empty if missing or of another type."""
    found = get_member(value, name)
    return found if isinstance(found, list) else ()


def clean_value(value: object) -> JsonValue:
    """Return a JSON value that can be stored and sent back: lone surrogates replaced."""
    written = repair_surrogates(json.dumps(value, ensure_ascii=False))
    kept: JsonValue = json.loads(written)
    return kept


def parse_json_object(text: str) -> JsonObject | None:
    """Parse a JSON object strictly; None if the text is anything else."""
    try:
        value = parse_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def parse_leading_json(text: str, start: int = 0) -> tuple[JsonValue, int] | None:
    """Parse the JSON value that begins at `start`; return it and its end, None if it is broken."""
    try:
        return STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def parse_json_values(text: str, most: int = sys.maxsize) -> list[tuple[JsonValue, str]] | None:
    """Parse JSON values that follow one another; None if any but the first `most` is broken.

    Each comes with its own text.
    """
    values: list[tuple[JsonValue, str]] = []
    position = _after_blanks(text, 0)
    while position < len(text) and len(values) < most:
        if (parsed := parse_leading_json(text, position)) is None:
            return None
        value, end = parsed
        values.append((value, text[position:end]))
        position = _after_blanks(text, end)
    return values


def _after_blanks(text: str, position: int) -> int:
    return _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # matches anywhere


def json_or_text(text: str) -> JsonValue:
    """Return the value of a JSON text; any other text unchanged."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def parse_sendable_object(text: str) -> JsonObject | None:
    """Parse a JSON object; None also if it cannot be sent, since it has lone surrogates."""
    value = parse_json_object(text)
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return None
    return value


def json_text(value: object) -> str:
    """Return text unchanged, null as empty text, and any other value as JSON text.

    Some servers send the arguments of a call as an object in place of its JSON text.
    """
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


_BLANKS = re.compile(r"\s*")
