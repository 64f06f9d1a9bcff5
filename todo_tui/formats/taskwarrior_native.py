"""The object of Taskwarrior's JSON that says as much of a task as it can."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.rule import parse_rule
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_text, whole_characters
from todo_tui.domain.when import When
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import Fields
from todo_tui.formats.taskwarrior_fields import (
    PRIORITIES,
    READ,
    Native,
    kept_of,
    moment_of,
    stamp_or_none,
    zone_of,
)
from todo_tui.formats.taskwarrior_moments import (
    EARLIEST,
    stamp_of,
    stamp_of_when,
    when_of,
)
from todo_tui.formats.taskwarrior_repeats import rule_of, words_for

_LETTERS = {word: letter for letter, word in PRIORITIES.items()}
_ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_NAMES = uuid.UUID("0c0f7b8e-5f44-5d4e-9a51-7d0f6a3f21c4")
"""Namespace for uuids in the form that Taskwarrior wants."""


def native_of(meant: Fields, taken: Collection[str], context: Context) -> Native:
    """The object that says as much of the fields as Taskwarrior can.

    `taken` are the uuids of the other objects, as `uuid_there` gives them.
    """
    kept = kept_of(meant)
    native: Native = {
        name: value for name, value in kept.items() if name not in READ and _is_plain(value)
    }
    native |= {
        "uuid": uuid_there(str(meant["uuid"])),
        "description": meant["title"],
        "status": "pending",
        "entry": _stamp_text(meant.get("created_at")),
        "modified": _stamp_text(meant.get("updated_at")),
        "project": meant.get("project"),
        "priority": _LETTERS.get(str(meant.get("priority"))) or _word(kept.get("priority")),
        "notes": meant.get("notes"),
        "tags": [*sorted(each for each in _texts(meant.get("tags")) if "," not in each)],
        "depends": [*sorted(map(uuid_there, _texts(meant.get("blocked_by"))))],
        "annotations": _native_annotations(meant.get("annotations")),
        "due": _due_stamp(meant, kept, "due", "due", context),
        "until": stamp_or_none(kept.get("until")),
    }
    native |= _native_start(meant, kept, context) | _native_status(meant, kept)
    native |= _native_repeat(meant, kept, native, taken)
    return {key: value for key, value in native.items() if value not in (None, "", [])}


def template_of(native: Native, meant: Fields, context: Context) -> Native | None:
    """The template of an object that repeats, as Taskwarrior keeps it; None of any other."""
    if "parent" not in native:
        return None
    own = ("imask", "start", "end", "annotations", "depends", "parent")
    template = {key: value for key, value in native.items() if key not in own}
    until = _until_stamp(meant, context)
    return template | {
        "uuid": native["parent"],
        "status": "recurring",
        "mask": "-",
        "rtype": "periodic",
        **({"until": until} if until else {}),
    }


def unwritable_repeats(task: Task) -> bool:
    """Whether it repeats in a way that Taskwarrior has no word for."""
    if task.recurrence is None or not task.is_open:
        return False
    return task.due is None or words_for(task.recurrence, task.due) is None


def _is_plain(value: JsonValue) -> bool:
    """Whether Taskwarrior takes it as the value of an attribute."""
    if isinstance(value, str):
        return bool(value) and plain_text(value) == value
    return isinstance(value, int | float) and not isinstance(value, bool)


def _word(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and _ATTRIBUTE.fullmatch(value) else None


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))


def uuid_there(text: str) -> str:
    """A uuid in the form that Taskwarrior wants; derived from what is none."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return str(uuid.uuid5(_NAMES, whole_characters(text)))


def _stamp_text(instant: JsonValue) -> str | None:
    """The stamp of an instant that Taskwarrior would set to now if it were left out."""
    if not isinstance(instant, str):
        return None
    return stamp_of(max(datetime.fromisoformat(instant), EARLIEST))


def _due_stamp(
    meant: Fields, kept: Native, name: str, attribute: str, context: Context
) -> str | None:
    """The stamp of a due or start moment: the one it came with, while that means the same."""
    text = meant.get(name)
    if not isinstance(text, str):
        return None
    when, zone = When.parse(text), zone_of(meant, name, context)
    raw = stamp_or_none(kept.get(attribute))
    if raw is not None and when_of(raw, zone) == when:
        return raw
    return stamp_of_when(when, zone)


def _native_start(meant: Fields, kept: Native, context: Context) -> Native:
    scheduled = stamp_or_none(kept.get("scheduled"))
    start = _due_stamp(meant, kept, "start", "scheduled", context)
    if scheduled is not None and start == scheduled:
        return {"scheduled": scheduled}
    return {
        "scheduled": scheduled,
        "wait": _due_stamp(meant, kept, "start", "wait", context),
    }


def _native_status(meant: Fields, kept: Native) -> Native:
    completed = _stamp_text(meant.get("completed_at"))
    if "deleted_at" in meant:
        return {"status": "deleted", "end": _stamp_text(meant["deleted_at"])}
    match meant["status"]:
        case "done":
            return {"status": "completed", "end": completed}
        case "cancelled":
            return {"status": "deleted", "end": completed}
        case "doing":
            since = stamp_or_none(kept.get("start")) or _stamp_text(meant.get("updated_at"))
            return {"start": since or _stamp_text(meant.get("created_at"))}
        case _:
            return {}


def _native_repeat(meant: Fields, kept: Native, native: Native, taken: Collection[str]) -> Native:
    """What ties an occurrence to its template; the word it came with, while it means the same."""
    recurrence, due = meant.get("recurrence"), meant.get("due")
    if not isinstance(recurrence, str) or not isinstance(due, str) or not native.get("due"):
        recur = kept.get("recur")
        return {"recur": None if recurrence or not native.get("due") else _word(recur)}
    words = words_for(recurrence, When.parse(due))
    if words is None or native["status"] != "pending":
        return {}
    raw, rule = kept.get("recur"), parse_rule(recurrence)._replace(until=None, times=None)
    if isinstance(raw, str) and rule_of(raw) == rule.text():
        words = raw
    series = str(meant.get("series") or meant["uuid"])
    return {"recur": words, "parent": _template_uuid(series, taken), "imask": 0}


def _template_uuid(series: str, taken: Collection[str]) -> str:
    """The uuid of the template: the series, where that has come from Taskwarrior.

    One of ours is the uuid of its first occurrence, which a template must not have.
    """
    if series == uuid_there(series) and series not in taken:
        return series
    return str(uuid.uuid5(_NAMES, f"template {series}"))


def _until_stamp(meant: Fields, context: Context) -> str | None:
    until = parse_rule(str(meant["recurrence"])).until
    zone = ZoneInfo(zone_of(meant, "due", context))
    match until:
        case datetime():
            return stamp_of(until if until.tzinfo else until.replace(tzinfo=zone))
        case date():
            is_timed = When.parse(str(meant["due"])).at is not None
            at = time(23, 59, 59) if is_timed else time()
            return stamp_of(datetime.combine(until, at, zone))
        case None:
            return None


def _native_annotations(value: JsonValue) -> list[JsonValue]:
    """Remarks by time, a second apart at least, as Taskwarrior keeps them."""
    remarks: list[JsonValue] = []
    last: datetime | None = None
    listed = value if isinstance(value, list) else []
    for each in sorted((each for each in listed if isinstance(each, dict)), key=moment_of):
        at = moment_of(each).replace(microsecond=0)
        if last is not None and at <= last:
            at = last + timedelta(seconds=1)
        stamp, text = stamp_of(at), each["text"]
        if stamp is not None and isinstance(text, str) and text.strip():
            last = at
            remarks.append({"entry": stamp, "description": text})
    return remarks
