"""JSON Schemas of tools, without what a server refuses."""

from collections.abc import Mapping

from todo_tui.domain.task import JsonValue
from todo_tui.providers.json_values import JsonObject

REFUSED_BY_GEMINI = frozenset(
    {
        "$schema",
        "const",
        "discriminator",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "title",
    }
)
"""JSON Schema keywords that both APIs of Gemini refuse in the parameters of a tool."""


def without_keywords(
    schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]
) -> JsonValue:
    """Return the schema without the keywords, and optional types without null."""
    if isinstance(schema, list):
        return [without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Keys below are names of parameters, one of which may be called `title`.
            kept[key] = {name: without_keywords(each, dropped) for name, each in value.items()}
            continue
        options = value if key == "anyOf" and isinstance(value, list) else []
        types = [option for option in options if option != {"type": "null"}]
        only = without_keywords(types[0], dropped) if len(types) == 1 else None
        if isinstance(only, dict):
            kept |= only
        elif key not in dropped:
            kept[key] = without_keywords(value, dropped)
    return kept
