"""Lenient reading of one entry's fields, and import entries made from it.

A field that cannot be read does not cost the task: its raw value is kept in `extra` under UNREAD,
and a remark names it. Formats pass on in raw form what they cannot read themselves.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any, NoReturn, TypeVar, cast
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.estimates import parse_estimate
from todo_tui.domain.import_entry import ImportEntry, Remark
from todo_tui.domain.json_text import format_compact_json
from todo_tui.domain.recurrence.next_occurrence import Recurrence, require_occurrence
from todo_tui.domain.recurrence.rrule import RuleProblem, parse_foreign_rule
from todo_tui.domain.task import (
    MAX_ID,
    Annotation,
    JsonValue,
    Priority,
    RepeatFrom,
    Status,
    Task,
    TaskFields,
)
from todo_tui.domain.task_text import NOTES_LIMIT, clean_label, clean_project, clean_tag
from todo_tui.domain.text import join_words, plain_line, shorten
from todo_tui.domain.when import When, effective_zone, is_known_zone
from todo_tui.formats import remainder
from todo_tui.formats.remainder import EXTRA, Fields

_T = TypeVar("_T")
UNREAD = "unread"
"""Key in `extra` for an object with the raw values of fields that could not be read."""
_RAW = (remainder.UNREAD, remainder.CONTRARY)
_SHOWN = 40
_FIRST_YEAR, _LAST_YEAR = 2, 9998
"""Years of moments that can be converted to UTC from any zone."""
_KNOWN_FIELDS = frozenset(each.name for each in dataclasses.fields(Task))
_NOTHING = TaskFields(
    title="",
    notes="",
    annotations=(),
    status=Status.TODO,
    priority=None,
    due=None,
    start=None,
    estimate=None,
    project=None,
    tags=(),
    recurrence=None,
    repeat_from=RepeatFrom.DUE,
    extra={},
)
"""Fields of an empty entry."""


class _InvalidValue(Exception):
    """Raised by a converter with a hint on how to write the value."""


class _PartlyInvalid(_InvalidValue):
    """Raised with what could be read of a list, and the rest in raw form."""

    def __init__(self, hint: str, value: object, rest: JsonValue) -> None:
        super().__init__(hint)
        self.value = value
        self.rest = rest


_Converter = Callable[[JsonValue], object]
"""Converts a value that is not null; returns None for one that counts as missing."""


class EntryReader:
    """Reader of an object with a task; `place` is its place in the file: `Entry 2`.

    A null field counts as missing, and so does one that cannot be read, beside the remark.
    Moments with a UTC offset are converted to wall times of their zone, else of `home`.
    """

    def __init__(
        self, place: str, value: JsonValue, home: str, remarks: Sequence[Remark] = ()
    ) -> None:
        """Raise a ValidationError if the value is not an object."""
        self.place = place
        self.remarks = list(remarks)
        self.unread: Fields = {}
        self._home = home
        self._fields: Fields = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            self._refuse("not an object.", 'Write tasks as {"title": "Buy milk"}.')
        for key in [each for each in value if each.startswith(_RAW)]:
            self._fields = {name: each for name, each in self._fields.items() if name != key}
            prefix, _, name = key.partition(".")
            if f"{prefix}." == remainder.CONTRARY:
                self.keep_contrary(name, value[key])
            else:
                self.keep_unread(name, value[key])
        self._given = {key for key, each in self._fields.items() if each is not None}

    def title(self) -> str:
        """Read the title.

        Raises:
            ValidationError: there is none; names the place.
        """
        title = self._fields.get("title")
        if title is not None and not isinstance(title, str):
            self._refuse("`title` has an invalid value.", "Write it as text.")
        if title is None or not plain_line(title).strip():
            self._refuse("no title.", "Give it a title.")
        return title

    def text(self, key: str) -> str | None:
        """Read a text; an empty one counts as missing."""
        return self._read(key, _text) if key in self._given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts, without duplicates."""
        return cast("tuple[str, ...]", self._read(key, _texts) or ()) if key in self._given else ()

    def read(self, converters: Mapping[str, _Converter]) -> dict[str, Any]:
        """Read the fields that are present, which saves time in a long file."""
        given, values = self._given, {}
        for key, convert in converters.items():
            if key in given and (value := self._read(key, convert)) is not None:
                values[key] = value
        return values

    def moments(self) -> dict[str, Any]:
        """Read due and start with their zones."""
        values: dict[str, Any] = {}
        for key, its_zone in (("due", "due_zone"), ("start", "start_zone")):
            if its_zone in self._given and (zone := self._read(its_zone, _zone)) is not None:
                values[its_zone] = zone
            if key not in self._given:
                continue
            there = effective_zone(values.get(its_zone), self._home)
            when = self._read(key, partial(_moment, zone=there))
            if when is None:
                values.pop(its_zone, None)
                continue
            values[key], is_instant = when
            if is_instant:
                values[its_zone] = there
        return values

    def instants(self) -> dict[str, Any]:
        """Read the moments of the task's history."""
        return {
            key: self._read(key, partial(_instant, zone=self._home))
            for key in _INSTANTS
            if key in self._given
        }

    def recurrence(self, due: When | None) -> str | None:
        """Read a rule; parts that can be left out are named."""
        if "recurrence" not in self._given:
            return None
        read = self._read("recurrence", partial(_rule, due=due))
        if read is None:
            return None
        rule, left_out = read
        if left_out:
            self.unread["recurrence"] = self._fields["recurrence"]
            self._remark("left out a part of `recurrence`", f": {join_words(left_out, 'and')}")
        return rule

    def keep_unread(self, name: str, raw: JsonValue, hint: str = "") -> None:
        """Keep a raw value in `extra`, with a remark."""
        self._remark(f"cannot read `{name}`", self._kept(name, raw), hint)

    def keep_contrary(self, name: str, raw: JsonValue) -> None:
        """Keep a raw value in `extra`, with the remark that another value says otherwise."""
        shown = self._kept(name, raw)
        self._remark(f"left out `{name}`", f"{shown}, since another value says otherwise")

    def leave_out(self, key: str) -> None:
        """Keep the raw value of a field that another field contradicts."""
        self.keep_contrary(key, self._fields[key])

    def _kept(self, name: str, raw: JsonValue) -> str:
        text = raw if isinstance(raw, str) else format_compact_json(raw)
        self.unread[name] = [self.unread[name], raw] if name in self.unread else raw
        return f" “{shorten(plain_line(text), _SHOWN)}”"

    def _remark(self, kind: str, details: str, hint: str = "") -> None:
        what = f"{kind}{details}; kept in `extra`. {hint}".rstrip()
        self.remarks.append(Remark(what, f"{kind}; kept in `extra`"))

    def others(self) -> Fields:
        """Return all fields that no task has."""
        return {key: value for key, value in self._fields.items() if key not in _KNOWN_FIELDS}

    def _read(self, key: str, convert: Callable[[JsonValue], _T]) -> _T | None:
        raw = self._fields[key]
        try:
            return convert(raw)
        except _PartlyInvalid as partly:
            self.keep_unread(key, partly.rest, str(partly))
            return cast("_T", partly.value)
        except _InvalidValue as wrong:
            self.keep_unread(key, raw, str(wrong))
            return None

    def _refuse(self, what: str, hint: str) -> NoReturn:
        raise ValidationError(f"{self.place}: {what}", hint=hint)


def _text(value: JsonValue) -> str | None:
    if not isinstance(value, str):
        raise _InvalidValue("Write text in quotes.")
    return value or None


def _checked(clean: Callable[[str], object]) -> _Converter:
    """Return a converter of texts that `clean` does not refuse with a ValidationError."""

    def convert(value: JsonValue) -> object:
        text = _text(value)
        try:
            if text is not None:
                clean(text)
        except ValidationError as error:
            raise _InvalidValue(f"{error.message} {error.hint or ''}".rstrip()) from error
        return text

    return convert


def _label(name: str) -> _Converter:
    return _checked(lambda text: clean_label(text, name))


def _notes(value: JsonValue) -> str | None:
    text = _text(value)
    if text is not None and len(text) > NOTES_LIMIT:
        raise _InvalidValue(f"Notes have at most {NOTES_LIMIT:,} characters.")
    return text


def _listed(convert: _Converter, hint: str, *, is_distinct: bool = True) -> _Converter:
    """Return a converter of lists; values that count as missing are left out."""

    def convert_all(value: JsonValue) -> tuple[object, ...]:
        read: list[object] = []
        rest: list[JsonValue] = []
        if not isinstance(value, list):
            raise _InvalidValue(hint)
        for each in value:
            try:
                read.append(convert(each))
            except _InvalidValue:
                rest.append(each)
        found = [each for each in read if each is not None]
        values = tuple(dict.fromkeys(found) if is_distinct else found)
        if rest:
            raise _PartlyInvalid(hint, values, rest)
        return values

    return convert_all


def _id(value: JsonValue) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_ID:
        return value
    raise _InvalidValue("Use a whole number above 0.")


def _minutes(value: JsonValue) -> int | None:
    if value is None or value == "":
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    minutes = parse_estimate(str(value)) if is_whole or isinstance(value, str) else None
    if minutes is None:
        raise _InvalidValue("Use minutes, or the form 1h30.")
    return minutes


def _parsed(parse: Callable[[str], object], hint: str) -> _Converter:
    """Return a converter of texts; `parse` raises ValueError or OverflowError for invalid ones."""

    def convert(value: JsonValue) -> object:
        text = _text(value)
        try:
            return text and parse(text)
        except (ValueError, OverflowError) as error:
            raise _InvalidValue(hint) from error

    return convert


def _choice(words: type[StrEnum]) -> _Converter:
    return _parsed(words, f"Use one of: {', '.join(words)}.")


def _instant(value: JsonValue, zone: str = "UTC") -> datetime | None:
    """Convert an instant; a day begins in the zone, another moment without offset is in UTC."""
    text = _text(value)
    if text is None:
        return None
    there = ZoneInfo(zone) if len(text) == len("2026-11-19") else UTC
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=there)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _InvalidValue("Use the form 2026-11-19T17:00:00+00:00.") from error


def _moment(value: JsonValue, zone: str) -> tuple[When, bool] | None:
    """Convert a day or time; the second value is true for an instant, converted to the zone."""
    text = _text(value)
    if text is None:
        return None
    hint = "Use the form 2026-11-19 or 2026-11-19T17:00."
    try:
        moment = datetime.fromisoformat(text) if "T" in text or " " in text else None
        is_instant = moment is not None and moment.tzinfo is not None
        if moment is not None and is_instant:
            moment = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        when = When.parse(text) if moment is None else When.of(moment)
    except (ValueError, OverflowError) as error:
        raise _InvalidValue(hint) from error
    if not _FIRST_YEAR <= when.day.year <= _LAST_YEAR:
        raise _InvalidValue(f"Use a day between the years {_FIRST_YEAR} and {_LAST_YEAR}.")
    return when, is_instant


def _zone(value: JsonValue) -> str | None:
    text = _text(value)
    if text is not None and (text := find_zone(text)) is None:
        raise _InvalidValue("The time is that of your zone. Write zones as Europe/Berlin.")
    return text


def find_zone(*names: str) -> str | None:
    """Return the first of the names that is a zone's, else the zone of a Windows name."""
    known = next(filter(is_known_zone, names), None)
    if known is not None:
        return known
    # Deferred: only files of Windows programs need it.
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return next((WINDOWS_TO_OLSON[name] for name in names if name in WINDOWS_TO_OLSON), None)


def _rule(value: JsonValue, due: When | None) -> tuple[str, tuple[str, ...]] | None:
    text = _text(value)
    if text is None:
        return None
    try:
        rule, left_out = parse_foreign_rule(text, due)
        cleaned = rule.text()
        require_occurrence(Recurrence(cleaned), due)
    except RuleProblem as problem:
        hint = "Use the form FREQ=WEEKLY;BYDAY=MO."
        raise _InvalidValue(f"The task does not repeat. {problem.message} {hint}") from problem
    return cleaned, left_out


def _annotation(value: JsonValue) -> Annotation:
    at, text = (value.get("at"), value.get("text")) if isinstance(value, dict) else (None, None)
    if not isinstance(at, str) or not isinstance(text, str):
        raise _InvalidValue("")
    return Annotation(cast("datetime", _instant(at)), text)


def _table(value: JsonValue) -> Fields:
    if not isinstance(value, dict):
        raise _InvalidValue("Use an object.")
    return value


_WORDS = 'Use the form ["home", "errands"].'
_NOTES = 'Use the form [{"at": "2026-11-19T17:00:00+00:00", "text": "called"}].'
_texts = _listed(_text, _WORDS)
_FIELDS: Mapping[str, _Converter] = {
    "notes": _notes,
    "annotations": _listed(_annotation, _NOTES, is_distinct=False),
    "project": _checked(clean_project),
    "tags": _listed(_checked(clean_tag), _WORDS),
    "status": _choice(Status),
    "priority": _choice(Priority),
    "estimate": _minutes,
    "repeat_from": _choice(RepeatFrom),
    "position": _label("position"),
    "extra": _table,
}
"""Converters of the fields in `TaskFields`, but moments and recurrence."""
_HISTORY: Mapping[str, _Converter] = {
    "uuid": _label("uuid"),
    "series": _label("series"),
    "slot": _label("slot"),
}
"""Converters of further fields in `ImportEntry`, but instants."""
_INSTANTS = ("created_at", "updated_at", "completed_at", "deleted_at")
_IDS: Mapping[str, _Converter] = {
    "id": _id,
    "parent": _id,
    "blocked_by": _listed(_id, "Use the form [1, 2]."),
}


def entry_by_ids(entry: EntryReader) -> ImportEntry:
    """Convert an entry that refers to other tasks by `id`.

    Unknown fields are kept in `extra`.

    Raises:
        ValidationError: it has no title; names the entry.
    """
    return _converted(entry, entry.read(_IDS))


def entry_by_uuids(entry: EntryReader) -> ImportEntry:
    """Convert an entry that refers to other tasks by `uuid`.

    Raises:
        ValidationError: it has no title; names the entry.
    """
    return _converted(
        entry, {"parent_uuid": entry.text("parent"), "blocker_uuids": entry.texts("blocked_by")}
    )


def entry_from_fields(
    place: str, fields: Fields, home: str, remarks: Sequence[Remark] = ()
) -> ImportEntry:
    """Convert fields whose other tasks are uuids.

    Raises:
        ValidationError: there is no title; names the place.
    """
    own: Fields = {}
    extra: Fields = {}
    for key, value in fields.items():
        if key.startswith(EXTRA):
            extra[key[len(EXTRA) :]] = value
        else:
            own[key] = value
    return entry_by_uuids(EntryReader(place, {**own, "extra": extra}, home, remarks))


def _converted(entry: EntryReader, links: dict[str, Any]) -> ImportEntry:
    """Return the entry with its fields and history; its links to other tasks are given."""
    fields = _NOTHING.copy()
    fields["title"] = entry.title()
    read = entry.read(_FIELDS) | entry.moments()
    fields |= cast("TaskFields", read)
    fields["recurrence"] = entry.recurrence(fields["due"])
    history = entry.read(_HISTORY) | entry.instants()
    if history.get("completed_at") is not None:
        if "status" not in read:
            fields["status"] = Status.DONE
        elif fields["status"] in (Status.TODO, Status.DOING):
            history["completed_at"] = None
            entry.leave_out("completed_at")
    if others := entry.others():
        fields["extra"] = {**others, **fields["extra"]}
    if entry.unread:
        before = fields["extra"].get(UNREAD)
        known = before if isinstance(before, dict) else {}
        fields["extra"] = {**fields["extra"], UNREAD: {**known, **entry.unread}}
    return ImportEntry(fields, place=entry.place, remarks=entry.remarks, **links, **history)
