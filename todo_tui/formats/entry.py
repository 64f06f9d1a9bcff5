"""Validated reading of one entry's fields, and import entries made from it."""

import dataclasses
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NoReturn, TypeVar, cast

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry, name_place
from todo_tui.domain.recurrence.rule import RuleProblem, parse_rule
from todo_tui.domain.task import (
    Annotation,
    JsonValue,
    Priority,
    RepeatFrom,
    Status,
    Task,
    TaskFields,
)
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.formats.lossless import EXTRA, Fields

_T = TypeVar("_T")
_LARGEST_ID = 2**63 - 1
_KNOWN_FIELDS = frozenset(each.name for each in dataclasses.fields(Task))
_NOTHING = TaskFields(
    title="",
    notes="",
    annotations=(),
    status=Status.TODO,
    priority=None,
    due=None,
    start=None,
    project=None,
    tags=(),
    recurrence=None,
    repeat_from=RepeatFrom.DUE,
    extra={},
)
"""Fields of an empty entry."""


class _Wrong(Exception):
    """Raised by a converter with a hint on how to write the value."""


_Converter = Callable[[JsonValue], object]
"""Converts a value that is not null; returns None for one that counts as missing."""


class EntryReader:
    """Validating reader of an object with a task; `place` is its place in the file: `Entry 2`.

    A null field counts as missing. All methods raise ValidationError with the place and the
    title (the field `named`).
    """

    def __init__(self, place: str, value: JsonValue, *, named: str = "title") -> None:
        self.place = place
        self._named = named
        self._fields: Fields = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            self._refuse("not an object.", 'Write tasks as {"title": "Buy milk"}.')
        self._given = {key for key, each in value.items() if each is not None}

    def title(self) -> str:
        """Read the title, which is required."""
        title = self.text(self._named)
        if title is None or not plain_line(title).strip():
            self._refuse("no title.", f'Add a title: "{self._named}": "Buy milk".')
        return title

    def text(self, key: str) -> str | None:
        """Read a text; an empty one counts as missing."""
        return self._read(key, _text) if key in self._given else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts, without duplicates."""
        return self._read(key, _texts) if key in self._given else ()

    def pairs(self, key: str, first: str, second: str, hint: str) -> list[tuple[str, str]]:
        """Read a list of objects that hold two texts each."""
        if key not in self._given:
            return []
        return self._read(key, lambda value: _pairs(value, first, second, hint))

    def read(self, converters: Mapping[str, _Converter]) -> dict[str, Any]:
        """Read the fields that are present, which saves time in a long file."""
        given, values = self._given, {}
        for key, convert in converters.items():
            if key in given and (value := self._read(key, convert)) is not None:
                values[key] = value
        return values

    def others(self) -> Fields:
        """Return all fields that no task has."""
        return {key: value for key, value in self._fields.items() if key not in _KNOWN_FIELDS}

    def wrong(self, key: str, hint: str) -> NoReturn:
        """Raise a ValidationError about a field, with a hint on how to write it."""
        self._refuse(f"`{key}` has an invalid value.", hint)

    def _read(self, key: str, convert: Callable[[JsonValue], _T]) -> _T:
        try:
            return convert(self._fields[key])
        except _Wrong as wrong:
            self.wrong(key, str(wrong))

    def _refuse(self, what: str, hint: str) -> NoReturn:
        title = str(self._fields.get(self._named) or "")
        raise ValidationError(f"{name_place(self.place, title)}: {what}", hint=hint)


def _text(value: JsonValue) -> str | None:
    if not isinstance(value, str):
        raise _Wrong("Write text in quotes.")
    return value or None


def _texts(value: JsonValue) -> tuple[str, ...]:
    words = value if isinstance(value, list) else [None]
    texts = [each for each in words if isinstance(each, str)]
    if len(texts) < len(words):
        raise _Wrong('Use the form ["home", "errands"].')
    return tuple(dict.fromkeys(texts))


def _id(value: JsonValue) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_ID:
        return value
    raise _Wrong("Use a whole number above 0.")


def _ids(value: JsonValue) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(map(_id, value if isinstance(value, list) else [None])))
    except _Wrong as wrong:
        raise _Wrong("Use the form [1, 2].") from wrong


def _pairs(value: JsonValue, first: str, second: str, hint: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for each in value if isinstance(value, list) else [None]:
        texts = (each.get(first), each.get(second)) if isinstance(each, dict) else ()
        found = [text for text in texts if isinstance(text, str)]
        if len(found) < 2:
            raise _Wrong(hint)
        pairs.append((found[0], found[1]))
    return pairs


def _parsed(parse: Callable[[str], object], hint: str) -> _Converter:
    """Return a converter of texts; `parse` raises ValueError or OverflowError for invalid ones."""

    def convert(value: JsonValue) -> object:
        text = _text(value)
        try:
            return text and parse(text)
        except (ValueError, OverflowError) as error:
            raise _Wrong(hint) from error
        except RuleProblem as problem:
            raise _Wrong(f"{problem} {hint}") from problem

    return convert


def _choice(words: type[StrEnum]) -> _Converter:
    return _parsed(words, f"Use one of: {', '.join(words)}.")


def _parse_instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


_instant = _parsed(_parse_instant, "Use the form 2026-11-19T17:00:00+00:00.")
_moment = _parsed(When.parse, "Use the form 2026-11-19 or 2026-11-19T17:00.")


def _annotations(value: JsonValue) -> object:
    hint = 'Use the form [{"at": "2026-11-19T17:00:00+00:00", "text": "called"}].'
    return tuple(
        Annotation(cast("datetime", _instant(at)), text)
        for at, text in _pairs(value, "at", "text", hint)
    )


def _table(value: JsonValue) -> Fields:
    if not isinstance(value, dict):
        raise _Wrong("Use an object.")
    return value


_FIELDS: Mapping[str, _Converter] = {
    "notes": _text,
    "annotations": _annotations,
    "project": _text,
    "tags": _texts,
    "status": _choice(Status),
    "priority": _choice(Priority),
    "recurrence": _parsed(
        lambda text: parse_rule(text).text(), "Use the form FREQ=WEEKLY;BYDAY=MO."
    ),
    "repeat_from": _choice(RepeatFrom),
    "position": _text,
    "due": _moment,
    "start": _moment,
    "due_zone": _text,
    "start_zone": _text,
    "extra": _table,
}
"""Converters of the fields in `TaskFields`."""
_HISTORY: Mapping[str, _Converter] = {
    "uuid": _text,
    "series": _text,
    "slot": _text,
    "created_at": _instant,
    "updated_at": _instant,
    "completed_at": _instant,
    "deleted_at": _instant,
}
"""Converters of further fields in `ImportEntry`."""
_IDS: Mapping[str, _Converter] = {"id": _id, "parent": _id, "blocked_by": _ids}


def entry_by_ids(entry: EntryReader) -> ImportEntry:
    """Convert an entry that refers to other tasks by `id`.

    Unknown fields are kept in `extra`.

    Raises:
        ValidationError: a field is invalid; names the entry.
    """
    return ImportEntry(
        _fields(entry), place=entry.place, **entry.read(_IDS), **entry.read(_HISTORY)
    )


def entry_by_uuids(entry: EntryReader) -> ImportEntry:
    """Convert an entry that refers to other tasks by `uuid`.

    Raises:
        ValidationError: a field is invalid; names the entry.
    """
    return ImportEntry(
        _fields(entry),
        parent_uuid=entry.text("parent"),
        blocker_uuids=entry.texts("blocked_by"),
        place=entry.place,
        **entry.read(_HISTORY),
    )


def entry_from_fields(place: str, fields: Fields) -> ImportEntry:
    """Convert fields whose other tasks are uuids.

    Raises:
        ValidationError: a field is invalid; names the place.
    """
    extra = {key[len(EXTRA) :]: value for key, value in fields.items() if key.startswith(EXTRA)}
    own = {key: value for key, value in fields.items() if not key.startswith(EXTRA)}
    return entry_by_uuids(EntryReader(place, {**own, "extra": extra}))


def _fields(entry: EntryReader) -> TaskFields:
    fields = _NOTHING.copy()
    fields["title"] = entry.title()
    fields |= cast("TaskFields", entry.read(_FIELDS))
    if others := entry.others():
        fields["extra"] = {**others, **fields["extra"]}
    return fields
