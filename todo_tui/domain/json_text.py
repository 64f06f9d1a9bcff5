"""JSON as text that is safe in a terminal."""

import json
import re

from todo_tui.domain.task import JsonValue

_CONTROLS = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""Characters that JSON allows unescaped, but that control a terminal or reorder text."""


def format_json(value: JsonValue, *, indent: int | None = None) -> str:
    """Format JSON; control and bidi characters and lone surrogates are escaped."""
    return _escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def format_compact_json(value: JsonValue) -> str:
    """Format JSON as `format_json` does, without spaces outside of texts."""
    return _escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _escaped(text: str) -> str:
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
