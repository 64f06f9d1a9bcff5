"""One object of Taskwarrior's JSON and the fields it stands for, both ways."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.rule import parse_rule
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When
from todo_tui.formats.entry import Entry
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import EXTRA, Fields
from todo_tui.formats.taskwarrior_moments import (
    EARLIEST,
    canonical,
    instant_of,
    is_stamp,
    stamp_of,
    stamp_of_when,
    when_of,
)
from todo_tui.formats.taskwarrior_repeats import rule_of, words_for

Native = dict[str, JsonValue]

OURS = "todotui"
"""The attribute in which the remainder travels."""
KEPT = f"{EXTRA}taskwarrior"
"""Where attributes that have no field of ours are kept."""

_UNTIL = ";UNTIL-STAMP="
"""Stands in a rule for UNTIL until the zone is settled."""
_STAMP_HINT = "Write it as 20261119T160000Z."
_PRIORITIES = {"H": "high", "M": "medium", "L": "low"}
_LETTERS = {word: letter for letter, word in _PRIORITIES.items()}
_STATUSES = {
    "pending": "todo", "waiting": "todo", "recurring": "todo",
    "completed": "done", "deleted": "todo",
}  # fmt: skip
_READ = frozenset(
    "uuid description status entry modified end due wait recur mask imask parent project tags"
    " depends annotations id urgency notes start scheduled until priority".split()
) | {OURS}
"""Attributes that become fields, are derived, or are treated apart."""
_ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_NAMES = uuid.UUID("0c0f7b8e-5f44-5d4e-9a51-7d0f6a3f21c4")
"""Namespace for uuids in the form that Taskwarrior wants."""


def fields_from(native: Native, place: str, context: Context, template: Native | None) -> Fields:
    """The fields of an object; due and start still as stamps.

    `template` is what a repeating one was made from.

    Raises:
        ValidationError: an attribute cannot be used; names the place.
    """
    entry = Entry(place, native, named="description")
    status = entry.text("status") or "pending"
    if status not in _STATUSES:
        entry.wrong("status", f"Use one of: {', '.join(_STATUSES)}.")
    is_doing = _STATUSES[status] == "todo" and entry.text("start") is not None
    fields: Fields = {
        "uuid": entry.text("uuid"),
        "title": entry.title(),
        "notes": entry.text("notes"),
        "status": "doing" if is_doing and status != "deleted" else _STATUSES[status],
        "priority": _PRIORITIES.get(entry.text("priority") or ""),
        "project": entry.text("project"),
        "tags": [*sorted(entry.texts("tags"))],
        "blocked_by": [*sorted(_depends(native, entry))],
        "due": _stamp(entry, "due"),
        "start": _stamp(entry, "wait") or _stamp(entry, "scheduled"),
        "annotations": _annotations(native, entry),
        "created_at": _instant(entry, "entry"),
        "updated_at": _instant(entry, "modified"),
    }
    fields |= _ending(entry, status, context)
    if template is not None:
        fields |= _repeat(entry, template)
    kept = _kept(native, entry, is_doing=is_doing, repeats="recurrence" in fields)
    if kept:
        fields[KEPT] = kept
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


def native_of(meant: Fields, taken: Collection[str], context: Context) -> Native:
    """The object that says as much of the fields as Taskwarrior can.

    `taken` are the uuids of the other objects, as `uuid_there` gives them.
    """
    kept = _kept_of(meant)
    native: Native = {
        name: value for name, value in kept.items() if name not in _READ and _is_plain(value)
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
        "until": _stamp_or_none(kept.get("until")),
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


def is_of_another(text: str, native: Native) -> bool:
    """Whether a remainder came along from the object that Taskwarrior copied this one from."""
    try:
        was = json.loads(text).get("was", {}).get("uuid")
    except (ValueError, AttributeError, RecursionError):
        return False
    return bool(was != native.get("uuid"))


def settled(fields: Fields, context: Context) -> Fields:
    """The fields with stamps turned into days and wall times of their zones."""
    fields = dict(fields)
    kept = dict(_kept_of(fields))
    for name in ("due", "start"):
        stamp = fields.get(name)
        if not isinstance(stamp, str) or not is_stamp(stamp):
            continue
        zone = _zone_of(fields, name, context)
        when = when_of(stamp, zone)
        fields[name] = when.iso()
        fields[f"{name}_zone"] = zone if when.at else None
        attribute = name if name == "due" else "wait"
        if stamp_of_when(when, zone) != stamp and kept.get("scheduled") != stamp:
            kept[attribute] = stamp
    if kept:
        fields[KEPT] = kept
    rule, _, until = str(fields.get("recurrence") or "").partition(_UNTIL)
    if until:
        # Where it falls due on days, the last of them; else the last moment.
        is_timed = "T" in str(fields.get("due"))
        last = until if is_timed else f"{when_of(until, context.zone).day:%Y%m%d}"
        fields["recurrence"] = f"{rule};UNTIL={last}"
    return fields


def _depends(native: Native, entry: Entry) -> tuple[str, ...]:
    value = native.get("depends")
    if isinstance(value, str):
        return tuple(each.strip() for each in value.split(",") if each.strip())
    return entry.texts("depends")


def _stamp(entry: Entry, key: str) -> str | None:
    text = entry.text(key)
    try:
        return None if text is None else canonical(text)
    except ValueError:
        entry.wrong(key, _STAMP_HINT)


def _instant(entry: Entry, key: str) -> str | None:
    stamp = _stamp(entry, key)
    return None if stamp is None else _iso(stamp)


def _iso(stamp: str) -> str:
    return instant_of(stamp).isoformat(timespec="milliseconds")


def _annotations(native: Native, entry: Entry) -> list[JsonValue]:
    value = native.get("annotations")
    hint = 'Write it as [{"entry": "20261119T160000Z", "description": "called"}].'
    if value is None:
        return []
    if not isinstance(value, list):
        entry.wrong("annotations", hint)
    remarks: list[Native] = []
    for each in value:
        if not isinstance(each, dict):
            entry.wrong("annotations", hint)
        at, text = each.get("entry"), each.get("description")
        if not isinstance(at, str) or not isinstance(text, str):
            entry.wrong("annotations", hint)
        try:
            remarks.append({"at": _iso(canonical(at)), "text": text})
        except ValueError:
            entry.wrong("annotations", hint)
    # Taskwarrior sorts them in ways of its own.
    return [*sorted(remarks, key=_moment_of)]


def _ending(entry: Entry, status: str, context: Context) -> Fields:
    ended = _instant(entry, "end")
    match status:
        case "completed":
            return {"completed_at": ended}
        case "deleted":
            fallback = _instant(entry, "modified") or _iso(_now(context))
            return {"deleted_at": ended or fallback}
        case _:
            return {}


def _now(context: Context) -> str:
    now = context.now.replace(tzinfo=ZoneInfo(context.zone)).astimezone(UTC)
    return f"{now:%Y%m%dT%H%M%SZ}"


def _repeat(entry: Entry, template: Native) -> Fields:
    words, due = template.get("recur"), _stamp(entry, "due")
    if not isinstance(words, str) or due is None:
        return {}
    rule = rule_of(words)
    if rule is None:
        return {}
    until = _stamp_or_none(template.get("until"))
    series = entry.text("parent") or entry.text("uuid")
    return {
        "recurrence": rule if until is None else f"{rule}{_UNTIL}{until}",
        "repeat_from": "due",
        "series": series,
    }


def _kept(native: Native, entry: Entry, *, is_doing: bool, repeats: bool) -> Native:
    kept = {name: value for name, value in native.items() if name not in _READ}
    if is_doing:
        kept["start"] = _stamp(entry, "start")
    for name in ("scheduled", "until"):
        if native.get(name) is not None and not (repeats and name == "until"):
            kept[name] = _stamp(entry, name)
    priority = entry.text("priority")
    if priority is not None and priority not in _PRIORITIES:
        kept["priority"] = priority
    recur = native.get("recur")
    if recur is not None and (not repeats or recur != _plain_words(entry)):
        kept["recur"] = recur
    return kept


def _plain_words(entry: Entry) -> str | None:
    """The words that would be written for its repeat, if nothing else were known."""
    words, due = entry.text("recur") or "", _stamp(entry, "due")
    rule = rule_of(words)
    return None if rule is None or due is None else words_for(rule, when_of(due, "UTC"))


def _kept_of(fields: Fields) -> Native:
    kept = fields.get(KEPT)
    return kept if isinstance(kept, dict) else {}


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
        return str(uuid.uuid5(_NAMES, text))


def _stamp_text(instant: JsonValue) -> str | None:
    """The stamp of an instant that Taskwarrior would set to now if it were left out."""
    if not isinstance(instant, str):
        return None
    return stamp_of(max(datetime.fromisoformat(instant), EARLIEST))


def _stamp_or_none(value: JsonValue) -> str | None:
    try:
        return canonical(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _zone_of(fields: Fields, name: str, context: Context) -> str:
    zone = fields.get(f"{name}_zone")
    try:
        return ZoneInfo(zone).key if isinstance(zone, str) else context.zone
    except (KeyError, ValueError, OSError):
        return context.zone


def _due_stamp(
    meant: Fields, kept: Native, name: str, attribute: str, context: Context
) -> str | None:
    """The stamp of a due or start moment: the one it came with, while that means the same."""
    text = meant.get(name)
    if not isinstance(text, str):
        return None
    when, zone = When.parse(text), _zone_of(meant, name, context)
    raw = _stamp_or_none(kept.get(attribute))
    if raw is not None and when_of(raw, zone) == when:
        return raw
    return stamp_of_when(when, zone)


def _native_start(meant: Fields, kept: Native, context: Context) -> Native:
    scheduled = _stamp_or_none(kept.get("scheduled"))
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
            since = _stamp_or_none(kept.get("start")) or _stamp_text(meant.get("updated_at"))
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
    zone = ZoneInfo(_zone_of(meant, "due", context))
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
    for each in sorted((each for each in listed if isinstance(each, dict)), key=_moment_of):
        at = _moment_of(each).replace(microsecond=0)
        if last is not None and at <= last:
            at = last + timedelta(seconds=1)
        stamp, text = stamp_of(at), each["text"]
        if stamp is not None and isinstance(text, str) and text.strip():
            last = at
            remarks.append({"entry": stamp, "description": text})
    return remarks


def _moment_of(remark: Native) -> datetime:
    return datetime.fromisoformat(str(remark["at"]))
