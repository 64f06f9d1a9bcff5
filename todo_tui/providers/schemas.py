"""JSON Schemas of tools, cut down to what a server takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from todo_tui.domain.task import JsonValue
from todo_tui.providers.wire_format import JsonObject


def without_keywords(
    schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]
) -> JsonValue:
    """The schema without the keywords; a union with null as its other half alone."""
    if isinstance(schema, list):
        return [without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Below it, keys are parameters' names: one may well be called `title`.
            kept[key] = {name: without_keywords(each, dropped) for name, each in value.items()}
        elif key == "anyOf" and isinstance(value, list) and len(_not_null(value)) == 1:
            kept |= _object(without_keywords(_not_null(value)[0], dropped))
        elif key not in dropped:
            kept[key] = without_keywords(value, dropped)
    return kept


def _not_null(options: Iterable[JsonValue]) -> list[JsonValue]:
    return [option for option in options if option != {"type": "null"}]


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
