"""Reading values that a server sent: SDK objects and mappings alike, of any type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters

_MOST = 10**12
"""More than any model counts, and few enough for the sums that a database keeps."""


def member(value: object, name: str) -> object:
    """The value under that name; None where there is none.

    SDKs build their objects without validation, so that any of them may turn out
    to be a string, a list or null.
    """
    if isinstance(value, Mapping):
        return value.get(name)
    # Looked up by hand: pydantic takes its time to say that it has no such attribute,
    # which would be most of what reading a chunk costs.
    known = getattr(value, "__dict__", None)
    if known is None:
        return None
    if name in known:
        return known[name]
    extra = getattr(value, "model_extra", None)
    return extra.get(name) if extra else None


def text_of(value: object, name: str) -> str:
    """The text under that name; empty where there is none or another type."""
    found = member(value, name)
    return found if isinstance(found, str) else ""


def count_of(value: object, name: str) -> int:
    """The whole number from 0 on under that name; 0 where there is none that can be meant."""
    found = member(value, name)
    if isinstance(found, bool) or not isinstance(found, int):
        return 0
    return found if 0 <= found <= _MOST else 0


def items_of(value: object, name: str) -> Sequence[object]:
    """The list under that name; empty where there is none or another type."""
    found = member(value, name)
    return found if isinstance(found, list) else ()


def whole_value(value: object) -> JsonValue:
    """A JSON value of a server as it can be kept and sent back: halves of characters replaced."""
    written = whole_characters(json.dumps(value, ensure_ascii=False))
    kept: JsonValue = json.loads(written)
    return kept


def json_object(text: str) -> dict[str, JsonValue] | None:
    """The object that the text is in strict JSON; None where it is anything else."""
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_refused)
