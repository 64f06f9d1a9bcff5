"""The fields that a line of todo.txt stands for, both ways.

Beside what the format knows, keys that are in use elsewhere: `due`, `t` (not before)
and `rec` (`3d` from completion, `+1w` from the due day) of Simpletask and topydo, `id`
and `p` (parent) of topydo, `pri` of todo.txt-cli's add-ons. Of our own are `time` and
`zone` beside `due`, `after` (ids of what must be done before), `note`, `uuid`, the exact
moments `created`, `changed` and `ended`, and `tui` for what has no other place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.rule import Freq, Rule
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.formats.intervals import WEEKDAYS, interval_of
from todo_tui.formats.reading import Context
from todo_tui.formats.remainder import EXTRA, Fields
from todo_tui.formats.todotxt_line import Line, as_sign, masked

KEPT = f"{EXTRA}todo.txt"
"""Where priorities, further projects and keys of other programs are kept."""

_PRIORITIES = {"A": "high", "B": "medium", "C": "low"}
_LETTERS = {word: letter for letter, word in _PRIORITIES.items()}
_UNITS = {"d": Freq.DAILY, "w": Freq.WEEKLY, "m": Freq.MONTHLY, "y": Freq.YEARLY}
_UNIT_OF = {freq: unit for unit, freq in _UNITS.items()}
_REC = re.compile(r"(\+?)(\d{0,3})([dwmyb])")
_STAMPS = {"created": "created_at", "changed": "updated_at", "ended": "completed_at"}
_NEAR = timedelta(days=2)
"""Within which an exact moment and the day of the line can be the same in some zone."""


def fields_from(line: Line, place: str, uuids: Mapping[str, str], context: Context) -> Fields:
    """The fields of a line; the days of creation and completion still as days.

    `uuids` are those of the lines that others name, by their `id`.

    Raises:
        ValidationError: a date does not exist; names the place.
    """
    letter = line.priority or line.value("pri")
    others = list(line.others)
    parent = _named(line, "p", uuids, others)
    due, zone = _due(line, place, context)
    fields: Fields = {
        "uuid": line.value("uuid"),
        "title": line.title,
        "notes": line.value("note"),
        "status": "done" if line.is_done else "todo",
        "priority": _PRIORITIES.get(letter or ""),
        "due": due,
        "due_zone": zone,
        "start": _day(line, "t", place),
        "project": line.projects[0] if line.projects else None,
        "tags": list(line.contexts),
        "parent": parent[0] if parent else None,
        "blocked_by": [*_named(line, "after", uuids, others)],
    }
    fields |= _repeat(line, others) | _moments(line, place)
    if line.value("id") is not None and line.value("id") not in uuids:
        others.append(f"id:{line.value('id')}")
    kept: Fields = {"projects": list(line.projects[1:]), "words": [*others]}
    if letter and letter not in _PRIORITIES:
        kept["priority"] = letter
    kept = {key: value for key, value in kept.items() if value}
    if kept:
        fields[KEPT] = kept
    return {key: value for key, value in fields.items() if value not in (None, "", [])}


def line_of(meant: Fields, ids: Mapping[str, str], context: Context) -> Line:
    """The line that says as much of the fields as todo.txt can.

    `ids` are those of the tasks that others name, by uuid.
    """
    kept = _kept(meant)
    is_done = meant["status"] in ("done", "cancelled")
    letter = _LETTERS.get(str(meant.get("priority"))) or _letter(kept.get("priority"))
    project = meant.get("project")
    projects = [project] if isinstance(project, str) else []
    projects += _texts(kept.get("projects")) if projects else []
    return Line(
        title=masked(str(meant["title"])),
        is_done=is_done,
        priority=None if is_done else letter,
        completed=_day_of(meant.get("completed_at"), context) if is_done else None,
        created=_day_of(meant.get("created_at"), context),
        projects=tuple(as_sign(each) for each in projects),
        contexts=tuple(as_sign(each) for each in _texts(meant.get("tags"))),
        keys=tuple(_keys(meant, ids, letter if is_done else None)),
        others=tuple(as_sign(plain_line(each)) for each in _texts(kept.get("words"))),
    )


def settled(fields: Fields, context: Context) -> Fields:
    """The fields with days of creation and completion turned into instants."""
    fields = dict(fields)
    for name in _STAMPS.values():
        day = fields.get(name)
        if isinstance(day, str) and len(day) == len("2026-11-19"):
            midnight = datetime.combine(date.fromisoformat(day), time(), ZoneInfo(context.zone))
            try:
                fields[name] = midnight.astimezone(UTC).isoformat()
            except OverflowError:
                del fields[name]
    return fields


def _keys(meant: Fields, ids: Mapping[str, str], letter: str | None) -> list[tuple[str, str]]:
    keys: list[tuple[str, JsonValue]] = []
    due = meant.get("due")
    when = When.parse(due) if isinstance(due, str) else None
    if when is not None:
        keys.append(("due", when.day.isoformat()))
        if when.at is not None:
            keys += [("time", f"{when.at:%H:%M}"), ("zone", meant.get("due_zone"))]
    start = meant.get("start")
    keys.append(("t", When.parse(start).day.isoformat() if isinstance(start, str) else None))
    keys.append(("rec", _rec(meant, when)))
    keys.append(("pri", letter))
    keys.append(("id", ids.get(str(meant["uuid"]))))
    keys.append(("p", ids.get(str(meant.get("parent")))))
    blockers = _texts(meant.get("blocked_by"))
    if all(each in ids for each in blockers):
        keys.append(("after", ",".join(ids[each] for each in blockers)))
    keys += [("note", meant.get("notes")), ("uuid", meant["uuid"])]
    keys.append(("created", _stamp(meant.get("created_at"))))
    if meant.get("updated_at") != meant.get("created_at"):
        keys.append(("changed", _stamp(meant.get("updated_at"))))
    if meant["status"] in ("done", "cancelled"):
        keys.append(("ended", _stamp(meant.get("completed_at"))))
    return [(name, value) for name, value in keys if isinstance(value, str) and value]


def _rec(meant: Fields, due: When | None) -> str | None:
    recurrence = meant.get("recurrence")
    rule = interval_of(recurrence, due) if isinstance(recurrence, str) else None
    if rule is None or rule.freq.is_short:
        return None
    unit = "b" if rule == WEEKDAYS else _UNIT_OF[rule.freq]
    return f"{'' if meant.get('repeat_from') == 'completion' else '+'}{rule.interval}{unit}"


def _repeat(line: Line, others: list[str]) -> Fields:
    """The rule of `rec`; words that mean something else stay what they are."""
    rec = line.value("rec")
    found = _REC.fullmatch(rec or "")
    if rec is None:
        return {}
    interval = int(found[2] or 1) if found else 0
    if found is None or not interval or (found[3] == "b" and interval != 1):
        others.append(f"rec:{rec}")
        return {}
    rule = WEEKDAYS if found[3] == "b" else Rule(_UNITS[found[3]], interval)
    return {"recurrence": rule.text(), "repeat_from": "due" if found[1] else "completion"}


def _due(line: Line, place: str, context: Context) -> tuple[str | None, str | None]:
    text = line.value("due")
    if text is None:
        return None, None
    at = line.value("time")
    try:
        when = When.parse(text)
        if at is not None:
            when = When(when.day, time.fromisoformat(at).replace(second=0, microsecond=0))
    except ValueError as error:
        raise _unusable(line, place, "due", "Write it as due:2026-11-19.") from error
    return when.iso(), (line.value("zone") or context.zone) if when.at else None


def _day(line: Line, key: str, place: str) -> str | None:
    text = line.value(key)
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise _unusable(line, place, key, f"Write it as {key}:2026-11-19.") from error


def _moments(line: Line, place: str) -> Fields:
    """The days at the head of the line, or the exact moments that lie on them."""
    fields: Fields = {}
    days = {"created": line.created, "ended": line.completed if line.is_done else None}
    for key, name in _STAMPS.items():
        try:
            stamp = _exact_or_day(line.value(key), days.get(key))
        except (ValueError, OverflowError) as error:
            raise _unusable(line, place, key, "Write days as 2026-11-19.") from error
        if stamp is not None:
            fields[name] = stamp
    if "updated_at" not in fields and line.value("created") is not None:
        fields["updated_at"] = fields["created_at"]
    return fields


def _exact_or_day(exact: str | None, day: str | None) -> str | None:
    """The exact moment, unless somebody has since written a day on which it does not lie.

    Raises:
        ValueError: one of them is none.
        OverflowError: the moment is beyond the calendar.
    """
    moment = None if exact is None else datetime.fromisoformat(exact).astimezone(UTC)
    if day is not None:
        midnight = datetime.combine(date.fromisoformat(day), time(), UTC)
        if moment is None or abs(moment - midnight) > _NEAR:
            return day
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _unusable(line: Line, place: str, key: str, hint: str) -> ValidationError:
    title = plain_line(line.title)[:60].strip()
    return ValidationError(f"{place} (“{title}”): `{key}` cannot be used.", hint=hint)


def _named(line: Line, key: str, uuids: Mapping[str, str], others: list[str]) -> list[str]:
    """The uuids of the lines that a key names; a key that names none is kept as a word."""
    text = line.value(key)
    if text is None:
        return []
    ids = text.split(",") if key == "after" else [text]
    if not all(each in uuids for each in ids):
        others.append(f"{key}:{text}")
        return []
    return [uuids[each] for each in ids]


def _day_of(instant: JsonValue, context: Context) -> str | None:
    if not isinstance(instant, str):
        return None
    try:
        local = datetime.fromisoformat(instant).astimezone(ZoneInfo(context.zone))
    except OverflowError:
        return None
    return local.date().isoformat()


def _stamp(instant: JsonValue) -> str | None:
    """The instant as UTC with its `Z`."""
    if not isinstance(instant, str):
        return None
    in_utc = datetime.fromisoformat(instant).astimezone(UTC)
    return in_utc.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _kept(meant: Fields) -> Fields:
    kept = meant.get(KEPT)
    return kept if isinstance(kept, dict) else {}


def _letter(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and re.fullmatch("[D-Z]", value) else None


def _texts(value: JsonValue) -> list[str]:
    listed = value if isinstance(value, list) else []
    return [each for each in listed if isinstance(each, str) and each]
