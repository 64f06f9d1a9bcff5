"""What a foreign format cannot say of a task, carried beside what it can.

A writer says in the format's own words what those can say, reads that back as
another program would, and notes the difference. A reader puts it right again, but
only where the words still say the same: what another program changed since counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.formats.json_text import compact_json

Fields = dict[str, JsonValue]
"""A task's fields by their names in JSON, set ones only; no `id`, other tasks by uuid, and
what is in `extra` as `extra.NAME`."""

EXTRA = "extra."
_EMPTY: tuple[JsonValue, ...] = (None, "", [], {})


class Remainder(NamedTuple):
    """What is to be put right: fields as they `are`, as they `were` said, and `gone` ones.

    A field of which nothing was said is in `are` only, one that is not set in `gone`.
    """

    are: Fields
    were: Fields
    gone: Sequence[str]

    def text(self) -> str:
        """JSON on one line, with nothing in it that a terminal obeys; empty for nothing."""
        parts: Fields = {"is": self.are, "was": self.were, "not": list(self.gone)}
        parts = {key: value for key, value in parts.items() if value}
        return compact_json(parts) if parts else ""


def fields_of(task: Task, uuids: Mapping[int, str], *, with_position: bool = True) -> Fields:
    """The fields of a task; what an import would make of nothing is left out.

    That is the position that follows from the id, the series that a first occurrence
    founds, and its slot.
    """
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
    fields = {key: value for key, value in values.items() if value not in _EMPTY}
    return fields | {EXTRA + key: value for key, value in task.extra.items()}


def positions_matter(tasks: Sequence[Task]) -> bool:
    """Whether someone has moved one of the tasks, so that not all follow from the ids."""
    return any(task.position != f"{task.id:08x}" for task in tasks)


def remainder_of(meant: Fields, said: Fields) -> Remainder:
    """What has to be known beside `said` to come to `meant`."""
    are = {key: meant[key] for key in meant if key not in said or said[key] != meant[key]}
    gone = [key for key in said if key not in meant]
    were = {key: said[key] for key in (*are, *gone) if key in said}
    return Remainder(are, were, gone)


def put_right(said: Fields, text: str, place: str) -> Fields:
    """What was meant, from what is said now and the remainder's text.

    Raises:
        ValidationError: the text is no such remainder; names the place.
    """
    are, were, gone = _parsed(text, place)
    fields = dict(said)
    for key in (*are, *gone):
        # Absent and null differ: what is in `extra` may be null.
        if (key in said) == (key in were) and said.get(key) == were.get(key):
            fields.pop(key, None)
            if key in are:
                fields[key] = are[key]
    return fields


def as_entry(fields: Fields) -> JsonValue:
    """The fields as an object of our own JSON, other tasks by uuid."""
    extra = {key[len(EXTRA) :]: value for key, value in fields.items() if key.startswith(EXTRA)}
    own = {key: value for key, value in fields.items() if not key.startswith(EXTRA)}
    return {**own, "extra": extra}


def _parsed(text: str, place: str) -> Remainder:
    try:
        parts = json.loads(text)
        are, were, gone = parts.get("is", {}), parts.get("was", {}), parts.get("not", [])
        if not (isinstance(are, dict) and isinstance(were, dict) and _is_names(gone)):
            raise TypeError(type(parts))
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ValidationError(
            f"{place}: what todo-tui had written beside it was changed and cannot be read.",
            hint="Remove that part; the words themselves are then taken as they are.",
        ) from error
    return Remainder(are, were, gone)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
