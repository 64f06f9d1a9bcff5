"""Taskwarrior: the JSON of `task export` and `task import`, versions 2.5 to 3.

A repeating task is a template and its occurrences there, and one live occurrence here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.formats.drafts import draft_by_uuids
from todo_tui.formats.entry import Entry
from todo_tui.formats.identity import Identities
from todo_tui.formats.json_array import array_of, first_object
from todo_tui.formats.json_text import compact_json
from todo_tui.formats.reading import Context, Gathering, Reading, lines_of
from todo_tui.formats.remainder import (
    as_entry,
    fields_of,
    positions_matter,
    put_right,
    remainder_of,
)
from todo_tui.formats.taskwarrior_fields import (
    OURS,
    Native,
    fields_from,
    is_of_another,
    settled,
)
from todo_tui.formats.taskwarrior_native import (
    native_of,
    template_of,
    unwritable_repeats,
    uuid_there,
)
from todo_tui.formats.taskwarrior_series import Series, gathered

_NOT_IDENTITY = frozenset({"id", "status", "end", "modified", "start", "urgency"})
_HINT = "It takes what `task export` prints."


def looks_like(text: str) -> bool:
    """Whether its first object has a `description` and no `title`."""
    first = first_object(text)
    return first is not None and "description" in first and "title" not in first


def write(tasks: Sequence[Task], context: Context) -> Iterator[str]:
    """One task a line; an open one that repeats after a line for its template."""
    with_position = positions_matter(tasks)
    taken = frozenset(uuid_there(task.uuid) for task in tasks)
    templates: set[JsonValue] = set()
    opening = "[\n"
    for task in tasks:
        meant = fields_of(task, context.uuids, with_position=with_position)
        native = native_of(meant, taken, context)
        template = template_of(native, meant, context)
        said = fields_from(native, "", context, template)
        if template is not None and template["uuid"] not in templates:
            templates.add(template["uuid"])
            yield opening + compact_json(template)
            opening = ",\n"
        rest = remainder_of(meant, said)
        # A child that Taskwarrior makes of this one would bring its remainder along.
        rest = rest._replace(were={**rest.were, "uuid": native["uuid"]})
        yield opening + compact_json({**native, OURS: rest.text()})
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def losses(tasks: Sequence[Task], context: Context) -> tuple[str, ...]:
    """What Taskwarrior will not do with these tasks."""
    count = sum(unwritable_repeats(task) for task in tasks)
    if not count:
        return ()
    noun = "repeat is" if count == 1 else "repeats are"
    return (
        f"{count:,} {noun} not among those that Taskwarrior knows; it sees the next occurrence.",
    )


def read(text: str, context: Context) -> Reading:
    """Read an array of objects, or one object a line.

    Raises:
        ValidationError: it is neither.
    """
    gathering = Gathering()
    identities = Identities("taskwarrior")
    natives: list[tuple[str, Native]] = []
    for place, value in _values(text, gathering):
        with gathering.entry(place):
            natives.append((place, _native(place, value, identities)))
    series = gathered(natives, context)
    gathering.remarks.extend(series.remarks)
    for place, native in natives:
        if series.is_left_out(native):
            continue
        with gathering.entry(place):
            gathering.add(_draft(place, native, series, context))
    return gathering.reading()


def _draft(place: str, native: Native, series: Series, context: Context) -> TaskDraft:
    live = series.live(native)
    template = series.template_for(live)
    fields = fields_from(live, place, context, template)
    text = live.get(OURS)
    if isinstance(text, str) and text and not is_of_another(text, live):
        fields = put_right(fields, text, place)
    return draft_by_uuids(Entry(place, as_entry(settled(fields, context))))


def _native(place: str, value: JsonValue, identities: Identities) -> Native:
    """The object with a uuid; one that has none gets the same one each time."""
    if not isinstance(value, dict):
        raise ValidationError(f"{place}: It is not an object.", hint=_HINT)
    if value.get("uuid"):
        return value
    said = {name: value[name] for name in sorted(value) if name not in _NOT_IDENTITY}
    return {**value, "uuid": identities.uuid_of(compact_json(said))}


def _values(text: str, gathering: Gathering) -> Iterator[tuple[str, JsonValue]]:
    if not text.lstrip().startswith("{"):
        for number, value in enumerate(array_of(text, hint=_HINT), start=1):
            yield f"Entry {number}", value
        return
    for number, line in enumerate(lines_of(text), start=1):
        if line.strip():
            place = f"Line {number}"
            found: list[JsonValue] = []
            with gathering.entry(place):
                found = [_line_value(place, line)]
            for value in found:
                yield place, value


def _line_value(place: str, line: str) -> JsonValue:
    try:
        return array_of(f"[{line.strip().removesuffix(',')}]", hint=_HINT)[0]
    except ValidationError as error:
        raise ValidationError(f"{place}: {error.message}", hint=error.hint) from error
