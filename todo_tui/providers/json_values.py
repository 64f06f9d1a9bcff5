"""Access to untrusted JSON values from a server.

Includes surrogate pairs that are split between deltas.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

_MAX_COUNT = 10**12
"""Limit above any real count, low enough for sums in SQLite."""


def get_member(value: object, name: str) -> object:
    """Return the value of a key or attribute; None if missing.

    SDKs build their objects without validation, so that any of them may turn out
    to be a string, a list or null.
    """
    if isinstance(value, Mapping):
        return value.get(name)
    # Not getattr: pydantic is slow to report a missing attribute, which would be most of the
    # cost of reading a chunk.
    known = getattr(value, "__dict__", None)
    if known is None:
        return None
    if name in known:
        return known[name]
    extra = getattr(value, "model_extra", None)
    return extra.get(name) if extra else None


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


def parse_json_object(text: str) -> dict[str, JsonValue] | None:
    """Parse a JSON object strictly; None if the text is anything else."""
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_refused)


class SurrogateJoiner:
    """Joins surrogate pairs that are split between deltas."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """Return the text to show now; a high surrogate at its end waits for its other half."""
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return repair_surrogates(text)

    def finish(self) -> str:
        """Return the rest: empty, or U+FFFD."""
        rest, self._half = repair_surrogates(self._half), ""
        return rest
