"""What one object of Taskwarrior's JSON means: the fields that it stands for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from todo_tui.domain.task import JsonValue
from todo_tui.formats.entry import Entry
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import EXTRA, Fields
from todo_tui.formats.taskwarrior_moments import (
    canonical,
    instant_of,
    is_stamp,
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
PRIORITIES = {"H": "high", "M": "medium", "L": "low"}
"""Ours by Taskwarrior's letters; a person can have letters of their own there."""
_STATUSES = {
    "pending": "todo", "waiting": "todo", "recurring": "todo",
    "completed": "done", "deleted": "todo",
}  # fmt: skip
READ = frozenset(
    "uuid description status entry modified end due wait recur mask imask parent project tags"
    " depends annotations id urgency notes start scheduled until priority".split()
) | {OURS}
"""Attributes that become fields, are derived, or are treated apart."""


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
        "priority": PRIORITIES.get(entry.text("priority") or ""),
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
    kept = dict(kept_of(fields))
    for name in ("due", "start"):
        stamp = fields.get(name)
        if not isinstance(stamp, str) or not is_stamp(stamp):
            continue
        zone = zone_of(fields, name, context)
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
    return [*sorted(remarks, key=moment_of)]


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
    until = stamp_or_none(template.get("until"))
    series = entry.text("parent") or entry.text("uuid")
    return {
        "recurrence": rule if until is None else f"{rule}{_UNTIL}{until}",
        "repeat_from": "due",
        "series": series,
    }


def _kept(native: Native, entry: Entry, *, is_doing: bool, repeats: bool) -> Native:
    kept = {name: value for name, value in native.items() if name not in READ}
    if is_doing:
        kept["start"] = _stamp(entry, "start")
    for name in ("scheduled", "until"):
        if native.get(name) is not None and not (repeats and name == "until"):
            kept[name] = _stamp(entry, name)
    priority = entry.text("priority")
    if priority is not None and priority not in PRIORITIES:
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


def kept_of(fields: Fields) -> Native:
    """The attributes that were kept; none where something else stands there."""
    kept = fields.get(KEPT)
    return kept if isinstance(kept, dict) else {}


def stamp_or_none(value: JsonValue) -> str | None:
    """The stamp, in the form that is written, of a value that is one."""
    try:
        return canonical(value) if isinstance(value, str) else None
    except ValueError:
        return None


def zone_of(fields: Fields, name: str, context: Context) -> str:
    """The zone of a due or start moment, if there still is such a one; else the zone here."""
    zone = fields.get(f"{name}_zone")
    try:
        return ZoneInfo(zone).key if isinstance(zone, str) else context.zone
    except (KeyError, ValueError, OSError):
        return context.zone


def moment_of(remark: Native) -> datetime:
    """When a remark was made."""
    return datetime.fromisoformat(str(remark["at"]))
