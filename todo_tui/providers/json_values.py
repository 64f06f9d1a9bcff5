"""Reading of untrusted JSON values from a server.

Including surrogate pairs split between deltas.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

_MAX_COUNT = 10**12
"""More than any model counts, and few enough for the sums that a database keeps."""


def get_member(value: object, name: str) -> object:
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


def get_text(value: object, name: str) -> str:
    """The text under that name; empty where there is none or another type."""
    found = get_member(value, name)
    return found if isinstance(found, str) else ""


def get_count(value: object, name: str) -> int:
    """The whole number from 0 on under that name; 0 where there is none that can be meant."""
    found = get_member(value, name)
    if isinstance(found, bool) or not isinstance(found, int):
        return 0
    return found if 0 <= found <= _MAX_COUNT else 0


def get_items(value: object, name: str) -> Sequence[object]:
    """The list under that name; empty where there is none or another type."""
    found = get_member(value, name)
    return found if isinstance(found, list) else ()


def clean_value(value: object) -> JsonValue:
    """A JSON value of a server as it can be kept and sent back: halves of characters replaced."""
    written = repair_surrogates(json.dumps(value, ensure_ascii=False))
    kept: JsonValue = json.loads(written)
    return kept


def parse_json_object(text: str) -> dict[str, JsonValue] | None:
    """The object that the text is in strict JSON; None where it is anything else."""
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_refused)


class SurrogateJoiner:
    """Joins deltas of which one may end in the first half of a character."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """What can be shown now; a first half at the end waits for its second."""
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return repair_surrogates(text)

    def finish(self) -> str:
        """What still waited: empty, or U+FFFD."""
        rest, self._half = repair_surrogates(self._half), ""
        return rest
