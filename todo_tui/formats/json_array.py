"""JSON: the array of tasks that `list --json` prints, lossless."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.json_text import format_compact_json, format_json
from todo_tui.domain.task import JsonValue, Task
from todo_tui.formats.entry import EntryReader, entry_by_ids
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile

_NOT_IDENTITY = frozenset({"id", "status", "updated_at", "completed_at", "deleted_at", "urgency"})
_HINT = "Use the array that `todo-tui list --json` prints."


def looks_like(text: str) -> bool:
    """Return True for the start of an array of objects that are not Taskwarrior's."""
    if re.match(r"\s*\[\s*[{\]]", text) is None:
        return False
    first = first_object(text)
    return first is None or "title" in first or "description" not in first


def first_object(text: str) -> dict[str, JsonValue] | None:
    """Parse the first object of an array, or of JSON lines; None if that fails."""
    start = text.find("{")
    if start < 0 or text[:start].strip() not in ("", "["):
        return None
    try:
        first, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return first if isinstance(first, dict) else None


def write(tasks: Iterable[Task], context: FormatContext) -> Iterator[str]:
    """Yield one task per line, so that two exports can be compared line by line."""
    opening = "[\n"
    for task in tasks:
        yield opening + format_json(task.to_json())
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read the array; unknown fields are kept in `extra`.

    Raises:
        ValidationError: it is not an array of objects.
    """
    collector = EntryCollector("json")
    for number, value in enumerate(parse_array(text), start=1):
        place = f"Entry {number}"
        with collector.entry(place):
            if isinstance(value, dict) and value.get("uuid") is None:
                identity: JsonValue = {
                    name: value[name]
                    for name in sorted(value.keys() - _NOT_IDENTITY)
                    if value[name] is not None
                }
                value["uuid"] = collector.derive_uuid(format_compact_json(identity))
            collector.add(entry_by_ids(EntryReader(place, value, context.zone)))
    return collector.result()


def parse_array(text: str, *, hint: str = _HINT) -> list[JsonValue]:
    """Parse a JSON array; `hint` says what it should contain.

    Raises:
        ValidationError: it is not JSON or not an array; names the position.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValidationError(
            f"Invalid JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            hint=hint,
        ) from error
    except (ValueError, RecursionError) as error:
        # Python only reports too many digits or brackets, without a position.
        raise ValidationError(
            "Unreadable JSON: a number or the nesting is too large.", hint=hint
        ) from error
    if not isinstance(value, list):
        raise ValidationError("Not a JSON array of tasks.", hint=hint)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValidationError(f"Invalid JSON: {name} is not a number.", hint="Write null instead.")
