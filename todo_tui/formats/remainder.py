"""Data that a foreign format cannot hold, stored as a remainder beside each task.

Also plain intervals for the recurrence words of other programs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from todo_tui.domain.json_text import format_compact_json
from todo_tui.domain.recurrence.rrule import Frequency, RecurrenceRule, RuleDay, parse_rule
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.when import When
from todo_tui.formats.parsed_file import FormatContext

WEEKDAYS = RecurrenceRule(Frequency.WEEKLY, by_day=tuple(RuleDay(day) for day in range(5)))
"""Monday to Friday."""
Fields = dict[str, JsonValue]
"""Set fields of a task by JSON name; no `id`, other tasks by uuid, and `extra` as `extra.NAME`."""
UNREAD = "unread."
"""Prefix of the names of raw values that could not be read and are not fields of a task."""
CONTRARY = "contrary."
"""Prefix of the names of raw values that were left out, since another value says otherwise."""
EXTRA = "extra."
"""Prefix of the names of values in `extra`."""
_EMPTY: tuple[JsonValue, ...] = (None, "", [], {})


def plain_interval(recurrence: str, due: When | None) -> RecurrenceRule | None:
    """Return the plain interval of a rule, or `WEEKDAYS`; None for any other rule.

    Weekdays and month days implied by the due date are dropped, and so is the rule's end.
    """
    rule = parse_rule(recurrence)._replace(until=None, times=None, week_start=0, excluded=())
    if rule == WEEKDAYS:
        return rule
    if due is not None:
        month, day = due.day.month, due.day.day
        match rule.freq:
            case Frequency.WEEKLY if rule.by_day == (RuleDay(due.day.weekday()),):
                rule = rule._replace(by_day=())
            case Frequency.MONTHLY if rule.by_month_day == (day,):
                rule = rule._replace(by_month_day=())
            case Frequency.YEARLY if (rule.by_month, rule.by_month_day) == ((month,), (day,)):
                rule = rule._replace(by_month=(), by_month_day=())
    return rule if rule.is_interval else None


def tasks_to_fields(tasks: Sequence[Task], context: FormatContext) -> Iterator[Fields]:
    """Yield for each task the fields that differ from an import's defaults.

    The defaults are the position derived from the id, unless one of the tasks was moved,
    and the series and slot of a first occurrence.
    """
    uuids = context.uuids
    with_position = context.is_apart or any(each.position != f"{each.id:08x}" for each in tasks)
    for task in tasks:
        values = task.to_json()
        del values["id"], values["extra"]
        values["parent"] = None if task.parent is None else uuids.get(task.parent)
        values["blocked_by"] = [uuids[each] for each in task.blocked_by if each in uuids]
        if not with_position:
            del values["position"]
        if task.series == task.uuid:
            del values["series"]
        if task.slot == values["due"]:
            del values["slot"]
        fields = without_empty(values)
        yield fields | {EXTRA + key: value for key, value in task.extra.items()}


def format_remainder(
    original: Fields, parsed: Fields, *, always: Sequence[str] = (), were: Fields | None = None
) -> str:
    """Format the correction that turns the `parsed` fields into the `original` ones.

    JSON on one line without terminal controls, empty if there is none: fields as they
    should be (`is`) and as they were parsed (`was`), and fields to unset (`not`). `always`
    names fields that are part of it though they are equal; `were` completes `was`.
    """
    changed = {
        key: value for key, value in original.items() if key not in parsed or parsed[key] != value
    }
    gone = [key for key in parsed if key not in original]
    are = {key: original[key] for key in always if key in original} | changed
    was = {key: parsed[key] for key in (*changed, *gone) if key in parsed} | (were or {})
    parts: Fields = {"is": are, "was": was, "not": [*gone]}
    parts = {key: value for key, value in parts.items() if value}
    return format_compact_json(parts) if parts else ""


def apply_remainder(parsed: Fields, text: str | None) -> Fields:
    """Apply a remainder in text form, if there is one, to the fields as parsed now.

    A text that is not a valid remainder is passed on as unread.
    """
    if text is None:
        return parsed
    try:
        parts = json.loads(text)
        are, were, gone = parts.get("is", {}), parts.get("was", {}), parts.get("not", [])
        if not (isinstance(are, dict) and isinstance(were, dict) and isinstance(gone, list)):
            raise TypeError(type(parts))
        if not all(isinstance(each, str) for each in gone):
            raise TypeError(gone)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {**parsed, f"{UNREAD}todo-tui": text}
    fields = dict(parsed)
    for key in (*are, *gone):
        # Absent and null differ: values in `extra` may be null.
        if (key in parsed) == (key in were) and parsed.get(key) == were.get(key):
            fields.pop(key, None)
            if key in are:
                fields[key] = are[key]
    return fields


def second_values(given: Iterable[tuple[str, str]]) -> Fields:
    """Return the values of names that had another value before, as contrary ones."""
    values: dict[str, list[str]] = {}
    for name, value in given:
        values.setdefault(name, []).append(value)
    return {
        f"{CONTRARY}{name}": rest[0] if len(rest) == 1 else [*rest]
        for name, (first, *others) in values.items()
        if (rest := [each for each in dict.fromkeys(others) if each != first])
    }


def without_empty(fields: Fields) -> Fields:
    """Return the fields that hold something."""
    return {key: value for key, value in fields.items() if value not in _EMPTY}


def kept_in(fields: Fields, key: str) -> Fields:
    """Return the object kept under a key of `extra`; empty if there is something else."""
    kept = fields.get(key)
    return kept if isinstance(kept, dict) else {}


def when_in(fields: Fields, key: str) -> When | None:
    """Return the moment in a field; None if it is not set."""
    text = fields.get(key)
    return When.parse(text) if isinstance(text, str) else None


def texts_in(value: JsonValue) -> list[str]:
    """Return the texts of a list; empty for any other value."""
    listed = value if isinstance(value, list) else []
    return [each for each in listed if isinstance(each, str) and each]
