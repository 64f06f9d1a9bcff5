"""Taskwarrior: the JSON of `task export` and `task import`, versions 2.5 to 3.

Templates and their occurrences are reduced to one live task.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.json_text import format_compact_json
from todo_tui.domain.recurrence.next_occurrence import has_ended, slot_after
from todo_tui.domain.recurrence.rrule import parse_rule
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import When
from todo_tui.formats import taskwarrior_fields as attributes
from todo_tui.formats.entry import entry_from_fields
from todo_tui.formats.json_array import first_object, parse_array
from todo_tui.formats.parsed_file import EntryCollector, FormatContext, ParsedFile, split_lines
from todo_tui.formats.remainder import (
    Fields,
    apply_remainder,
    format_remainder,
    tasks_to_fields,
)

_OPEN = ("pending", "waiting")
_OF_ITS_OWN = frozenset(
    "uuid id due imask mask entry modified urgency wait scheduled until status parent".split()
)
"""Attributes in which every occurrence differs from its template."""
_MAX_STEPS = 10_000
_NOT_IDENTITY = frozenset({"id", "status", "end", "modified", "start", "urgency"})
_HINT = "Use the output of `task export`."


def _live_tasks(
    natives: Sequence[tuple[str, Fields]], context: FormatContext
) -> tuple[list[tuple[str, Fields, Fields | None]], tuple[str, ...]]:
    """Reduce each series to the one occurrence that remains a task; return notes beside them.

    Each object that becomes a task has its place in the file and the template of its series.
    """
    templates: dict[str, Fields] = {}
    series: dict[str, list[Fields]] = {}
    for _, native in natives:
        parent = native.get("parent")
        if native.get("status") == "recurring" and native.get("due") and native.get("recur"):
            templates[_uuid(native)] = native
        elif isinstance(parent, str):
            series.setdefault(parent, []).append(native)
    waiting = {
        parent: sorted(found, key=_due)
        for parent, siblings in series.items()
        if (found := [each for each in siblings if each.get("status") in _OPEN])
    }
    following = {
        uuid: _next_of(template, series.get(uuid, []), context)
        for uuid, template in templates.items()
        if uuid not in waiting
    }
    later: set[str] = set()
    plain: set[str] = set()
    for parent, (first, *others) in waiting.items():
        for each in others:
            is_same = _same(each, templates.get(parent, first))
            (later if is_same else plain).add(_uuid(each))
    left_out = templates.keys() | waiting.keys() | later
    tasks: list[tuple[str, Fields, Fields | None]] = []
    for place, native in natives:
        uuid, parent = _uuid(native), native.get("parent")
        live = following.get(uuid)
        if live is not None:
            tasks.append((place, live, templates[uuid]))
        elif uuid not in left_out:
            is_occurrence = isinstance(parent, str) and uuid not in plain
            tasks.append(
                (place, native, templates.get(str(parent), native) if is_occurrence else None)
            )
    return tasks, _notes(len(later), list(following.values()).count(None))


def _notes(later: int, ended: int) -> tuple[str, ...]:
    notes = []
    if later:
        one, many = "later occurrence of a recurring task", "later occurrences of recurring tasks"
        count = format_count(later, one, many)
        notes.append(f"Skipped {count}: each is added when the previous one is completed.")
    if ended:
        notes.append(f"Skipped {format_count(ended, 'ended recurring task')}.")
    return tuple(notes)


def _next_of(template: Fields, siblings: list[Fields], context: FormatContext) -> Fields | None:
    """Return the occurrence after the existing ones; None after the last.

    A template with unreadable dates or recurrence is its own occurrence.
    """
    plain = {key: value for key, value in template.items() if key != "mask"}
    plain["status"] = "pending"
    until, mask = template.get("until"), template.get("mask")
    try:
        stamp = attributes.normalize_stamp(str(template["due"]))
        first = attributes.when_of(stamp, context.zone)
        words = attributes.parse_recur(str(template["recur"]))
        last = max((_due(each) for each in siblings), default="")
        slot = attributes.when_of(last, context.zone).begins() if last else first.begins()
    except ValueError:
        return plain
    if words is None:
        return plain
    rule, anchor = parse_rule(words), first.begins()
    with suppress(ValueError):
        if isinstance(until, str) and until:
            rule = rule._replace(until=attributes.instant_of(attributes.normalize_stamp(until)))
    steps = len(mask) if isinstance(mask, str) else 0
    if last:
        steps = 1
    for _ in range(min(steps, _MAX_STEPS)):
        following = slot_after(rule, anchor, slot)
        if following is None:
            return None
        slot = following
    if has_ended(rule, slot, context.zone):
        return None
    when = When.of(slot) if first.at else When(slot.date())
    due = attributes.stamp_of_when(when, context.zone)
    shifted: Fields = {"due": due}
    for name in ("wait", "scheduled"):
        value = template.get(name)
        if isinstance(value, str) and due is not None:
            with suppress(ValueError, OverflowError):
                gap = attributes.instant_of(due) - attributes.instant_of(stamp)
                instant = attributes.instant_of(attributes.normalize_stamp(value))
                shifted[name] = attributes.stamp_of(instant + gap)
    return plain | shifted


def _same(one: Fields, other: Fields) -> bool:
    """Return True if two occurrences, or one and its template, differ only in their turn."""
    names = (one.keys() | other.keys()) - _OF_ITS_OWN
    return all(one.get(name) == other.get(name) for name in names)


def _due(native: Fields) -> str:
    try:
        return attributes.normalize_stamp(str(native.get("due") or ""))
    except ValueError:
        return ""


def _uuid(native: Fields) -> str:
    return str(native.get("uuid") or id(native))


def looks_like(text: str) -> bool:
    """Return True if the first object has a `description` and no `title`."""
    first = first_object(text)
    return first is not None and "description" in first and "title" not in first


def write(tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
    """Yield one task per line; an open recurring one follows its template."""
    taken = frozenset(attributes.taskwarrior_uuid(task.uuid) for task in tasks)
    templates: set[JsonValue] = set()
    opening = "[\n"
    for original in tasks_to_fields(tasks, context):
        native = attributes.to_taskwarrior(original, taken, context)
        template = attributes.to_template(native, original, context)
        parsed = attributes.fields_from(native, context, template)
        if template is not None and template["uuid"] not in templates:
            templates.add(template["uuid"])
            yield opening + format_compact_json(template)
            opening = ",\n"
        # Taskwarrior would copy the remainder to the children of this object.
        rest = format_remainder(original, parsed, were={"uuid": native["uuid"]})
        yield opening + format_compact_json({**native, attributes.OURS: rest})
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def read(text: str, context: FormatContext) -> ParsedFile:
    """Read an array of objects, or one object per line.

    Raises:
        ValidationError: it is neither.
    """
    collector = EntryCollector("taskwarrior")
    natives: list[tuple[str, Fields]] = []
    for place, value in _values(text, collector):
        with collector.entry(place):
            natives.append((place, _native(place, value, collector)))
    tasks, notes = _live_tasks(natives, context)
    collector.notes.extend(notes)
    for place, native, template in tasks:
        with collector.entry(place):
            fields = attributes.fields_from(native, context, template)
            fields = apply_remainder(fields, attributes.own_remainder(native))
            fields = attributes.resolve_stamps(fields, context)
            collector.add(entry_from_fields(place, fields, context.zone))
    return collector.result()


def _native(place: str, value: JsonValue, collector: EntryCollector) -> Fields:
    """Return the object with a uuid; a missing one is derived from its contents."""
    if not isinstance(value, dict):
        raise ValidationError(f"{place}: not an object.", hint=_HINT)
    if value.get("uuid"):
        return value
    identity = {name: value[name] for name in sorted(value) if name not in _NOT_IDENTITY}
    return {**value, "uuid": collector.derive_uuid(format_compact_json(identity))}


def _values(text: str, collector: EntryCollector) -> Iterator[tuple[str, JsonValue]]:
    if not text.lstrip().startswith("{"):
        for number, value in enumerate(parse_array(text, hint=_HINT), start=1):
            yield f"Entry {number}", value
        return
    for number, line in enumerate(split_lines(text), start=1):
        place = f"Line {number}"
        with collector.entry(place):
            try:
                values = parse_array(f"[{line.strip().removesuffix(',')}]", hint=_HINT)
            except ValidationError as error:
                raise ValidationError(f"{place}: {error.message}", hint=error.hint) from error
            yield from ((place, value) for value in values[:1])
