"""Taskwarrior attributes to task fields and back: dates, `recur` words, annotations, status."""

import json
import re
import uuid
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from operator import itemgetter
from zoneinfo import ZoneInfo

from todo_tui.domain.recurrence.rrule import Frequency, RecurrenceRule, parse_rule
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_text, repair_surrogates
from todo_tui.domain.when import When, effective_zone
from todo_tui.formats import remainder
from todo_tui.formats.parsed_file import FormatContext
from todo_tui.formats.remainder import Fields

_EARLIEST = datetime(1980, 1, 2, tzinfo=UTC)
"""Earliest moment that Taskwarrior 2 can read; it crashes on earlier ones."""
_STAMP = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?:\.\d+)?Z")
_LAST_SECOND = timedelta(days=1, seconds=-1)
"""Last second of a day from its midnight: the meaning of `eod` and `eom`."""
_NAMED = {
    "daily": (Frequency.DAILY, 1), "day": (Frequency.DAILY, 1),
    "weekly": (Frequency.WEEKLY, 1), "sennight": (Frequency.WEEKLY, 1),
    "biweekly": (Frequency.WEEKLY, 2), "fortnight": (Frequency.WEEKLY, 2),
    "monthly": (Frequency.MONTHLY, 1), "bimonthly": (Frequency.MONTHLY, 2),
    "quarterly": (Frequency.MONTHLY, 3), "semiannual": (Frequency.MONTHLY, 6),
    "annual": (Frequency.YEARLY, 1), "yearly": (Frequency.YEARLY, 1),
    "biannual": (Frequency.YEARLY, 2), "biyearly": (Frequency.YEARLY, 2),
}  # fmt: skip
_UNITS = {
    word: size
    for words, size in {
        "min mins minute minutes": (Frequency.MINUTELY, 1),
        "h hr hrs hour hours": (Frequency.HOURLY, 1),
        "d day days": (Frequency.DAILY, 1),
        "w wk wks week weeks": (Frequency.WEEKLY, 1),
        "m mo mos mth mths month months": (Frequency.MONTHLY, 1),
        "q qtr qtrs quarter quarters": (Frequency.MONTHLY, 3),
        "y yr yrs year years": (Frequency.YEARLY, 1),
    }.items()
    for word in words.split()
}
_ISO = re.compile(r"p(?:(\d{1,6})([ymwd])|t(\d{1,6})([hm]))")
_ISO_TIMES = {"h": "hours", "m": "minutes"}
_SIMPLE = {Frequency.DAILY: "daily", Frequency.WEEKLY: "weekly", Frequency.MONTHLY: "monthly",
           Frequency.YEARLY: "yearly"}  # fmt: skip
_MONTHS_OF_YEAR = 12
_LARGEST = 999
OURS = "todotui"
"""Attribute for the remainder."""
_KEPT = f"{remainder.EXTRA}taskwarrior"
"""Key in `extra` for attributes without a field of ours."""
_UNTIL = ";UNTIL-STAMP="
"""Placeholder for UNTIL in a rule until the zone is known."""
_PRIORITIES = {"H": "high", "M": "medium", "L": "low"}
"""Our priorities by Taskwarrior's letters; users can define further letters."""
_STATUSES = {
    "pending": "todo", "waiting": "todo", "recurring": "todo",
    "completed": "done", "deleted": "todo",
}  # fmt: skip
_READ = frozenset(
    "uuid description status entry modified end due wait recur mask imask parent project tags"
    " depends annotations id urgency notes start scheduled until priority estimate".split()
) | {OURS}
"""Attributes that become fields, are derived, or are handled separately."""
_LETTERS = {word: letter for letter, word in _PRIORITIES.items()}
_ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_DURATION = re.compile(r"P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?)?")
_NAMES = uuid.UUID("0c0f7b8e-5f44-5d4e-9a51-7d0f6a3f21c4")
"""Namespace for uuids derived for Taskwarrior."""


def stamp_of(instant: datetime) -> str | None:
    """Format an instant as `20261118T230000Z`; None if Taskwarrior cannot read it."""
    there = instant.astimezone(UTC)
    return f"{there:%Y%m%dT%H%M%SZ}" if there >= _EARLIEST else None


def stamp_of_when(when: When, zone: str) -> str | None:
    """Format a due or start moment; a date is its midnight in the zone."""
    try:
        if when.at is None:
            return stamp_of(_midnight(when.day, zone))
        return stamp_of(when.instant(zone))
    except OverflowError:
        return None


def normalize_stamp(text: str) -> str:
    """Convert any form of stamp that Taskwarrior has written to the current one.

    Raises:
        ValueError: it is not a stamp.
    """
    found = _STAMP.fullmatch(text)
    if found is None:
        raise ValueError(text)
    stamp = "{}{}{}T{}{}{}Z".format(*found.groups())
    instant_of(stamp)
    return stamp


def instant_of(stamp: str) -> datetime:
    """Parse a stamp to an aware instant.

    Raises:
        ValueError: there is no such moment.
    """
    return datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def when_of(stamp: str, zone: str) -> When:
    """Convert a stamp to the zone; the first and last second of a day become a date.

    Raises:
        ValueError: there is no such moment.
    """
    instant = instant_of(stamp)
    try:
        local = instant.astimezone(ZoneInfo(zone))
        midnight = _midnight(local.date(), zone)
    except OverflowError as error:
        raise ValueError(stamp) from error
    wall = local.replace(tzinfo=None)
    is_end = wall == datetime.combine(wall.date(), time()) + _LAST_SECOND
    return When(local.date()) if instant == midnight or is_end else When.of(wall)


def _midnight(day: date, zone: str) -> datetime:
    """Return the instant at which a day begins, even if clocks skip midnight."""
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)


def parse_recur(words: str) -> str | None:
    """Convert a `recur` attribute to an RRULE; None if there is no equivalent."""
    words = words.strip().lower()
    if words == "weekdays":
        return remainder.WEEKDAYS.text()
    if words in _NAMED:
        return RecurrenceRule(*_NAMED[words]).text()
    counted = re.fullmatch(r"(\d{0,6})\s*([a-z]+)", words)
    iso = _ISO.fullmatch(words)
    if counted and counted[2] in _UNITS:
        count, unit = counted.groups()
    elif iso:
        count, unit = iso[1] or iso[3], iso[2] or _ISO_TIMES[iso[4]]
    else:
        return None
    freq, size = _UNITS[unit]
    interval = int(count or 1) * size
    if freq is Frequency.MONTHLY and interval and interval % _MONTHS_OF_YEAR == 0:
        freq, interval = Frequency.YEARLY, interval // _MONTHS_OF_YEAR
    return RecurrenceRule(freq, interval).text() if 0 < interval <= _LARGEST else None


def format_recur(recurrence: str, due: When) -> str | None:
    """Convert a rule to a `recur` attribute, given the due moment; None if there is no equivalent.

    UNTIL and COUNT are left out.
    """
    rule = remainder.plain_interval(recurrence, due)
    if rule is None or (rule.freq.is_short and due.at is None):
        return None
    if rule == remainder.WEEKDAYS:
        return "weekdays"
    if rule.interval == 1 and rule.freq in _SIMPLE:
        return _SIMPLE[rule.freq]
    if rule.freq is Frequency.YEARLY:
        # Taskwarrior's years have 365 days, but its months are calendar months.
        return f"P{rule.interval * _MONTHS_OF_YEAR}M"
    return f"P{'T' if rule.freq.is_short else ''}{rule.interval}{rule.freq.value[0]}"


def parse_duration(value: JsonValue) -> int | None:
    """Return the minutes of `PT2H`, the form of durations in a field that users define.

    Numbers have a unit that only the user knows.
    """
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    days, hours, minutes = (int(each or 0) for each in found.groups())
    return (days * 24 + hours) * 60 + minutes or None


def format_duration(minutes: JsonValue) -> str | None:
    """Return `PT2H30M`, as Taskwarrior writes it."""
    if not isinstance(minutes, int):
        return None
    hours, rest = divmod(minutes, 60)
    return f"PT{f'{hours}H' if hours else ''}{f'{rest}M' if rest else ''}"


def fields_from(native: Fields, context: FormatContext, template: Fields | None) -> Fields:
    """Convert an object to fields; due and start are still stamps.

    `template` is that of a recurring object. Values that cannot be read are passed on as they are.
    """
    status = native.get("status") or "pending"
    depends, tags = native.get("depends"), native.get("tags")
    if isinstance(depends, str):
        depends = [each.strip() for each in depends.split(",") if each.strip()]
    ours = _STATUSES.get(status, status) if isinstance(status, str) else status
    is_doing = ours == "todo" and bool(native.get("start"))
    priority = native.get("priority")
    fields: Fields = {
        "uuid": native.get("uuid"),
        "title": native.get("description"),
        "notes": native.get("notes"),
        "status": "doing" if is_doing and status != "deleted" else ours,
        "priority": _PRIORITIES.get(priority) if isinstance(priority, str) else priority,
        "estimate": parse_duration(native.get("estimate")),
        "project": native.get("project"),
        "tags": _sorted(tags),
        "blocked_by": _sorted(depends),
        "due": _stamp(native, "due"),
        "start": _stamp(native, "wait") or _stamp(native, "scheduled"),
        "created_at": _instant(native, "entry"),
        "updated_at": _instant(native, "modified"),
    }
    fields |= _annotations(native, context)
    ended = _instant(native, "end")
    if status == "completed":
        fields["completed_at"] = ended
    elif status == "deleted":
        now = context.now.replace(tzinfo=ZoneInfo(context.zone), microsecond=0).astimezone(UTC)
        fallback = fields["updated_at"] or now.isoformat(timespec="milliseconds")
        fields["deleted_at"] = ended or fallback
    if template is not None:
        fields |= _repeat(native, template)
    fields[_KEPT] = _kept(native, is_doing=is_doing, repeats="recurrence" in fields)
    return remainder.without_empty(fields)


def own_remainder(native: Fields) -> str | None:
    """Return the object's remainder; None if Taskwarrior copied it from another object."""
    text = native.get(OURS)
    if not isinstance(text, str) or not text:
        return None
    try:
        was = json.loads(text).get("was", {}).get("uuid")
    except (ValueError, AttributeError, RecursionError):
        return text
    return text if was == native.get("uuid") else None


def resolve_stamps(fields: Fields, context: FormatContext) -> Fields:
    """Convert stamps to dates and wall times of their zones."""
    fields = dict(fields)
    kept = dict(remainder.kept_in(fields, _KEPT))
    for name in ("due", "start"):
        stamp = fields.get(name)
        if not isinstance(stamp, str) or not re.fullmatch(r"\d{8}T\d{6}Z", stamp):
            continue
        zone = _zone_of(fields, name, context)
        try:
            when = when_of(stamp, zone)
        except ValueError:
            continue
        fields[name] = when.iso()
        fields[f"{name}_zone"] = zone if when.at else None
        attribute = name if name == "due" else "wait"
        if stamp_of_when(when, zone) != stamp and kept.get("scheduled") != stamp:
            kept[attribute] = stamp
    if kept:
        fields[_KEPT] = kept
    rule, _, until = str(fields.get("recurrence") or "").partition(_UNTIL)
    if until:
        # The last date for all-day tasks, else the last moment.
        is_timed = "T" in str(fields.get("due"))
        try:
            last = until if is_timed else f"{when_of(until, context.zone).day:%Y%m%d}"
            fields["recurrence"] = f"{rule};UNTIL={last}"
        except ValueError:
            # The end of the calendar is not an end.
            fields["recurrence"] = rule
    return fields


def _sorted(value: JsonValue) -> JsonValue:
    """Return a list of texts in order; any other value unchanged."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return [*sorted(map(str, value))]
    return value


def _stamp(native: Fields, key: str) -> JsonValue:
    """Return the stamp in its current form; any other value unchanged."""
    value = native.get(key)
    return _stamp_or_none(value) or value


def _instant(native: Fields, key: str) -> JsonValue:
    stamp = _stamp_or_none(native.get(key))
    return native.get(key) if stamp is None else _instant_text(stamp)


def _instant_text(stamp: str) -> str:
    return instant_of(stamp).isoformat(timespec="milliseconds")


def _annotations(native: Fields, context: FormatContext) -> Fields:
    """Return the annotations by time; one without a readable time gets that of the task."""
    listed = native.get("annotations")
    if not isinstance(listed, list):
        return {"annotations": listed}
    now = context.now.replace(tzinfo=ZoneInfo(context.zone), microsecond=0)
    known = _stamp_or_none(native.get("entry")) or _stamp_or_none(native.get("modified"))
    fallback = known or stamp_of(now)
    read: list[tuple[str, JsonValue]] = []
    rest: list[JsonValue] = []
    undated: list[JsonValue] = []
    for each in listed:
        text = each.get("description") if isinstance(each, dict) else None
        if not isinstance(each, dict) or not isinstance(text, str):
            rest.append(each)
            continue
        stamp = _stamp_or_none(each.get("entry"))
        if stamp is None:
            undated.append(each)
        read.append((stamp or fallback or "19800102T000000Z", text))
    # Taskwarrior's own order differs.
    read.sort(key=itemgetter(0))
    fields: Fields = {"annotations": [{"at": _instant_text(at), "text": text} for at, text in read]}
    fields[f"{remainder.UNREAD}annotations"] = rest
    fields[f"{remainder.UNREAD}dates of annotations"] = undated
    return fields


def _repeat(native: Fields, template: Fields) -> Fields:
    words, due = template.get("recur"), _stamp_or_none(native.get("due"))
    rule = parse_recur(words) if isinstance(words, str) else None
    if rule is None or due is None:
        is_open = native.get("status") not in ("completed", "deleted")
        return {"recurrence": words} if is_open else {}
    until = _stamp_or_none(template.get("until"))
    recurrence = rule if until is None else f"{rule}{_UNTIL}{until}"
    series = native.get("parent") or native.get("uuid")
    fields: Fields = {"recurrence": recurrence, "repeat_from": "due", "series": series}
    if until is None:
        fields[f"{remainder.UNREAD}until"] = template.get("until")
    return fields


def _kept(native: Fields, *, is_doing: bool, repeats: bool) -> Fields:
    kept = {name: value for name, value in native.items() if name not in _READ}
    stamps = {"start": is_doing, "scheduled": True, "until": not repeats}
    for name, is_kept in stamps.items():
        if is_kept and native.get(name) is not None:
            kept[name] = _stamp(native, name)
    priority = native.get("priority")
    if isinstance(priority, str) and priority not in _PRIORITIES:
        kept["priority"] = priority
    if native.get("estimate") is not None and parse_duration(native["estimate"]) is None:
        kept["estimate"] = native["estimate"]
    recur = native.get("recur")
    if recur is not None:
        kept["recur"] = recur
        rule, due = parse_recur(str(recur)), _stamp_or_none(native.get("due"))
        # Words that would be written for the rule anyway need not be kept.
        if repeats and rule and due and recur == format_recur(rule, When.of(instant_of(due))):
            del kept["recur"]
    return kept


def _stamp_or_none(value: JsonValue) -> str | None:
    try:
        return normalize_stamp(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _zone_of(fields: Fields, name: str, context: FormatContext) -> str:
    zone = fields.get(f"{name}_zone")
    return effective_zone(zone if isinstance(zone, str) else None, context.zone)


def _moment_of(annotation: Fields) -> datetime:
    return datetime.fromisoformat(str(annotation["at"]))


def to_taskwarrior(original: Fields, taken: Collection[str], context: FormatContext) -> Fields:
    """Build the object that expresses as many of the fields as Taskwarrior can.

    `taken` are the uuids of the other objects, as from `taskwarrior_uuid`.
    """
    kept = remainder.kept_in(original, _KEPT)
    native: Fields = {
        name: value for name, value in kept.items() if name not in _READ and _is_plain(value)
    }
    native |= {
        "uuid": taskwarrior_uuid(str(original["uuid"])),
        "description": original["title"],
        "status": "pending",
        "entry": _stamp_text(original.get("created_at")),
        "modified": _stamp_text(original.get("updated_at")),
        "project": original.get("project"),
        "priority": _LETTERS.get(str(original.get("priority"))) or _word(kept.get("priority")),
        "estimate": format_duration(original.get("estimate")) or kept.get("estimate"),
        "notes": original.get("notes"),
        "tags": [
            *sorted(each for each in remainder.texts_in(original.get("tags")) if "," not in each)
        ],
        "depends": [*sorted(map(taskwarrior_uuid, remainder.texts_in(original.get("blocked_by"))))],
        "annotations": _native_annotations(original.get("annotations")),
        "due": _due_stamp(original, kept, "due", "due", context),
        "until": _stamp_or_none(kept.get("until")),
    }
    native |= _native_start(original, kept, context) | _native_status(original, kept)
    native |= _native_repeat(original, kept, native, taken)
    return remainder.without_empty(native)


def to_template(native: Fields, original: Fields, context: FormatContext) -> Fields | None:
    """Return the template of a recurring object; None for any other."""
    if "parent" not in native:
        return None
    own = ("imask", "start", "end", "annotations", "depends", "parent")
    template = {key: value for key, value in native.items() if key not in own}
    template |= {"uuid": native["parent"], "status": "recurring", "mask": "-", "rtype": "periodic"}
    until = _until_stamp(original, context)
    return template | {"until": until} if until else template


def _is_plain(value: JsonValue) -> bool:
    if isinstance(value, str):
        return bool(value) and plain_text(value) == value
    return isinstance(value, int | float) and not isinstance(value, bool)


def _word(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and _ATTRIBUTE.fullmatch(value) else None


def taskwarrior_uuid(text: str) -> str:
    """Return a uuid in Taskwarrior's form, derived if the text is not a uuid."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return str(uuid.uuid5(_NAMES, repair_surrogates(text)))


def _stamp_text(instant: JsonValue) -> str | None:
    """Return the stamp of an instant that Taskwarrior would replace with now if missing."""
    if not isinstance(instant, str):
        return None
    return stamp_of(max(datetime.fromisoformat(instant), _EARLIEST))


def _due_stamp(
    original: Fields, kept: Fields, name: str, attribute: str, context: FormatContext
) -> str | None:
    """Return the stamp of a due or start moment; the kept one while it means the same."""
    when, zone = remainder.when_in(original, name), _zone_of(original, name, context)
    if when is None:
        return None
    raw = _stamp_or_none(kept.get(attribute))
    with suppress(ValueError):
        if raw is not None and when_of(raw, zone) == when:
            return raw
    return stamp_of_when(when, zone)


def _native_start(original: Fields, kept: Fields, context: FormatContext) -> Fields:
    scheduled = _stamp_or_none(kept.get("scheduled"))
    start = _due_stamp(original, kept, "start", "scheduled", context)
    if scheduled is None or start != scheduled:
        start = _due_stamp(original, kept, "start", "wait", context)
        return {"scheduled": scheduled, "wait": start}
    return {"scheduled": scheduled}


def _native_status(original: Fields, kept: Fields) -> Fields:
    completed = _stamp_text(original.get("completed_at"))
    if "deleted_at" in original:
        return {"status": "deleted", "end": _stamp_text(original["deleted_at"])}
    match original["status"]:
        case "done":
            return {"status": "completed", "end": completed}
        case "cancelled":
            return {"status": "deleted", "end": completed}
        case "doing":
            since = _stamp_or_none(kept.get("start")) or _stamp_text(original.get("updated_at"))
            return {"start": since or _stamp_text(original.get("created_at"))}
        case _:
            return {}


def _native_repeat(
    original: Fields, kept: Fields, native: Fields, taken: Collection[str]
) -> Fields:
    """Return the recurrence attributes; the kept `recur` word while it means the same."""
    recurrence, due = original.get("recurrence"), remainder.when_in(original, "due")
    if not isinstance(recurrence, str) or due is None or not native.get("due"):
        recur = kept.get("recur")
        return {"recur": None if recurrence or not native.get("due") else _word(recur)}
    words = format_recur(recurrence, due)
    if words is None or native["status"] != "pending":
        return {}
    raw, rule = (
        kept.get("recur"),
        parse_rule(recurrence)._replace(until=None, times=None, excluded=()),
    )
    if isinstance(raw, str) and parse_recur(raw) == rule.text():
        words = raw
    series = str(original.get("series") or original["uuid"])
    if series != taskwarrior_uuid(series) or series in taken:
        # A series of ours is the uuid of its first occurrence, which a template must not have.
        series = str(uuid.uuid5(_NAMES, f"template {series}"))
    return {"recur": words, "parent": series, "imask": 0}


def _until_stamp(original: Fields, context: FormatContext) -> str | None:
    until = parse_rule(str(original["recurrence"])).until
    zone = ZoneInfo(_zone_of(original, "due", context))
    match until:
        case datetime():
            return stamp_of(until if until.tzinfo else until.replace(tzinfo=zone))
        case date():
            is_timed = When.parse(str(original["due"])).at is not None
            at = time(23, 59, 59) if is_timed else time()
            return stamp_of(datetime.combine(until, at, zone))
        case None:
            return None


def _native_annotations(value: JsonValue) -> list[JsonValue]:
    """Return annotations by time, at least a second apart, as Taskwarrior requires."""
    annotations: list[JsonValue] = []
    last: datetime | None = None
    listed = value if isinstance(value, list) else []
    for each in sorted((each for each in listed if isinstance(each, dict)), key=_moment_of):
        at = _moment_of(each).replace(microsecond=0)
        if last is not None and at <= last:
            at = last + timedelta(seconds=1)
        stamp, text = stamp_of(at), each["text"]
        if stamp is not None and isinstance(text, str) and text.strip():
            last = at
            annotations.append({"entry": stamp, "description": text})
    return annotations
