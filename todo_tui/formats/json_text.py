"""JSON as text that a terminal shows and does not obey."""

from __future__ import annotations

import json
import re

from todo_tui.domain.task import JsonValue

_OBEYED = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""What JSON lets stand as it is, but a terminal or a reader would act on."""


def json_text(value: JsonValue, *, indent: int | None = None) -> str:
    """JSON in whole characters; control and bidi characters and lone surrogates escaped."""
    return _escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def compact_json(value: JsonValue) -> str:
    """As `json_text`, without any space but those in texts."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _escaped(text)


def escaped_further(text: str, characters: str) -> str:
    """JSON with some more characters of its texts escaped."""
    for each in characters:
        text = text.replace(each, f"\\u{ord(each):04x}")
    return text


def _escaped(text: str) -> str:
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
