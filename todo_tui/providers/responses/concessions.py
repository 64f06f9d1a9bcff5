"""What a server will not take of a request, although it may do without it.

OpenAI sums thinking up only for organisations that it has verified, opens sealed
thinking only for the organisation that it sealed it for, and other servers know
less of the format. Such a refusal would be the end of every conversation; so what
was refused is left out, of this request and of all later ones.
"""

from __future__ import annotations

import re

from todo_tui.domain.task import JsonValue
from todo_tui.providers.foreign import text_of
from todo_tui.providers.wire_format import JsonObject

_DISPENSABLE = ("include", "reasoning.summary", "reasoning.effort", "temperature")
"""Fields by the names that an error's `param` has for them."""
_UNSUPPORTED = ("", "unsupported_parameter", "unsupported_value", "unknown_parameter")
_NO_SUMMARY = re.compile(r"reasoning summar", re.IGNORECASE)
_THINKING = re.compile(
    r"invalid_encrypted_content|encrypted content|'reasoning'|reasoning item|\brs_\w+"
    r"|items are not persisted",
    re.IGNORECASE,
)
_REFUSALS = (400, 404, 422)


class Concessions:
    """Remembers, as long as a connection lasts, what its server refused."""

    def __init__(self) -> None:
        self._fields: set[str] = set()
        self._thoughts: list[JsonValue] = []

    def reduced(self, body: JsonObject) -> JsonObject:
        """The body without what was refused before."""
        if self._thoughts:
            body = {**body, "input": [each for each in _input(body) if each not in self._thoughts]}
        for field in self._fields:
            body = _without(body, field)
        return body

    def learned(self, status: int, error: object, sent: JsonObject) -> bool:
        """Whether the error is a refusal of something in `sent` that can be left out."""
        if status not in _REFUSALS:
            return False
        words = f"{text_of(error, 'code')} {text_of(error, 'message')}"
        field = "reasoning.summary" if _NO_SUMMARY.search(words) else text_of(error, "param")
        if field in _DISPENSABLE and _holds(sent, field):
            if text_of(error, "code") not in _UNSUPPORTED:
                return False
            self._fields.add(field)
            return True
        thoughts = [item for item in _input(sent) if text_of(item, "type") == "reasoning"]
        if not thoughts or not _THINKING.search(words):
            return False
        self._thoughts += thoughts
        return True


def _input(body: JsonObject) -> list[JsonValue]:
    items = body.get("input")
    return items if isinstance(items, list) else []


def _holds(body: JsonObject, field: str) -> bool:
    name, _, inner = field.partition(".")
    value = body.get(name)
    return value is not None and (not inner or (isinstance(value, dict) and inner in value))


def _without(body: JsonObject, field: str) -> JsonObject:
    name, _, inner = field.partition(".")
    kept = {key: value for key, value in body.items() if key != name}
    value = body.get(name)
    if inner and isinstance(value, dict):
        rest = {key: each for key, each in value.items() if key != inner}
        if rest:
            kept[name] = rest
    return kept
