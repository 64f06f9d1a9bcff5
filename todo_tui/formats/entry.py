"""Validated reading of one entry's fields, and import entries made from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Set
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NoReturn, TypeGuard, TypeVar, cast

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
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

_Word = TypeVar("_Word", bound=StrEnum)
_LARGEST_ID = 2**63 - 1
_SHOWN = 60
"""Characters of a title that identify an entry in a message."""
_WORDS_HINT = 'Write it as ["home", "errands"].'
_MOMENT_HINT = "Write it as 2026-11-19 or 2026-11-19T17:00."
_INSTANT_HINT = "Write it as 2026-11-19T17:00:00+00:00."
KNOWN_FIELDS = frozenset(each.name for each in dataclasses.fields(Task))
"""Names of a task's fields."""
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


def name_place(place: str, title: str) -> str:
    """Return the place of an entry in a file with its title: `Line 12 (“Buy milk”)`."""
    shown = plain_line(title)[:_SHOWN].strip()
    return f"{place} (“{shown}”)" if shown else place


class EntryReader:
    """Validating reader of an object with a task; `place` is its place in the file: `Entry 2`.

    A null field counts as missing. All methods raise ValidationError with the place and the
    title (the field `named`).
    """

    def __init__(self, place: str, value: JsonValue, *, named: str = "title") -> None:
        self.place = place
        self.given: Set[str] = frozenset()
        """Names of the fields that are neither missing nor null."""
        self._named = named
        self._fields: dict[str, JsonValue] = {}
        if not isinstance(value, dict):
            self._refuse("It is not an object.", 'Write it as {"title": "Buy milk"}.')
        self._fields = value
        self.given = {key for key, each in value.items() if each is not None}

    def title(self) -> str:
        """Read the title, which is required."""
        title = self.text(self._named)
        if title is None or not plain_line(title).strip():
            self._refuse("It has no title.", f'Give it one: "{self._named}": "Buy milk".')
        return title

    def text(self, key: str) -> str | None:
        """Read a text; an empty one counts as missing."""
        value = self._fields.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            self.wrong(key, "Write it as words in quotes.")
        return value or None

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts, without duplicates."""
        value = self._fields.get(key)
        if not value and (value is None or value == []):
            return ()
        if not isinstance(value, list):
            self.wrong(key, _WORDS_HINT)
        words = [each for each in value if isinstance(each, str)]
        if len(words) < len(value):
            self.wrong(key, _WORDS_HINT)
        return tuple(dict.fromkeys(words))

    def number(self, key: str) -> int | None:
        """Read a task id."""
        value = self._fields.get(key)
        if value is None:
            return None
        if not _is_id(value):
            self.wrong(key, "Write it as a whole number above 0.")
        return value

    def numbers(self, key: str) -> tuple[int, ...]:
        """Read a list of task ids, without duplicates."""
        value = self._fields.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(_is_id(each) for each in value):
            self.wrong(key, "Write it as [1, 2].")
        return tuple(dict.fromkeys(each for each in value if _is_id(each)))

    def choice(self, key: str, words: type[_Word]) -> _Word | None:
        """Read one of the words."""
        text = self.text(key)
        if text is None:
            return None
        try:
            return words(text)
        except ValueError:
            self.wrong(key, f"Use one of: {', '.join(words)}.")

    def moment(self, key: str) -> When | None:
        """Read a date, or a date with local wall time."""
        text = self.text(key)
        if text is None:
            return None
        try:
            return When.parse(text)
        except ValueError:
            self.wrong(key, _MOMENT_HINT)

    def instant(self, key: str) -> datetime | None:
        """Read an aware instant; without an offset it is UTC."""
        text = self.text(key)
        return None if text is None else self._instant(key, text)

    def rule(self, key: str) -> str | None:
        """Read a recurrence rule of RFC 5545."""
        text = self.text(key)
        if text is None:
            return None
        try:
            return parse_rule(text).text()
        except RuleProblem as problem:
            self.wrong(key, f"{problem} Write it as FREQ=WEEKLY;BYDAY=MO.")

    def annotations(self, key: str) -> tuple[Annotation, ...]:
        """Read dated annotations."""
        hint = 'Write it as [{"at": "2026-11-19T17:00:00+00:00", "text": "called"}].'
        pairs = self.pairs(key, "at", "text", hint)
        return tuple(Annotation(self._instant(key, at), text) for at, text in pairs)

    def pairs(self, key: str, first: str, second: str, hint: str) -> list[tuple[str, str]]:
        """Read a list of objects that hold two texts each."""
        value = self._fields.get(key)
        pairs: list[tuple[str, str]] = []
        if value is not None and not isinstance(value, list):
            self.wrong(key, hint)
        for each in value or ():
            texts = (each.get(first), each.get(second)) if isinstance(each, dict) else ()
            found = [text for text in texts if isinstance(text, str)]
            if len(found) < 2:
                self.wrong(key, hint)
            pairs.append((found[0], found[1]))
        return pairs

    def table(self, key: str) -> dict[str, JsonValue]:
        """Read an object with arbitrary contents."""
        value = self._fields.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(key, "Write it as an object.")
        return value

    def others(self, known: Set[str]) -> dict[str, JsonValue]:
        """Return all fields but the known ones."""
        if self._fields.keys() <= known:
            return {}
        return {key: value for key, value in self._fields.items() if key not in known}

    def _instant(self, key: str, text: str) -> datetime:
        try:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is UTC:
                return moment
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            self.wrong(key, _INSTANT_HINT)

    def wrong(self, key: str, hint: str) -> NoReturn:
        """Raise a ValidationError about a field, with a hint on how to write it."""
        self._refuse(f"`{key}` cannot be used.", hint)

    def _refuse(self, what: str, hint: str) -> NoReturn:
        title = str(self._fields.get(self._named) or "")
        raise ValidationError(f"{name_place(self.place, title)}: {what}", hint=hint)


def _is_id(value: JsonValue) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_ID


_Readers = Iterable[tuple[str, Callable[[EntryReader, str], object]]]
"""Method to read each field, and its name in `TaskFields` or `ImportEntry`."""

_FIELDS: _Readers = (
    ("notes", EntryReader.text),
    ("annotations", EntryReader.annotations),
    ("project", EntryReader.text),
    ("tags", EntryReader.texts),
    ("status", lambda entry, name: entry.choice(name, Status)),
    ("priority", lambda entry, name: entry.choice(name, Priority)),
    ("recurrence", EntryReader.rule),
    ("repeat_from", lambda entry, name: entry.choice(name, RepeatFrom)),
    ("position", EntryReader.text),
    ("due", EntryReader.moment),
    ("start", EntryReader.moment),
    ("due_zone", EntryReader.text),
    ("start_zone", EntryReader.text),
)

_HISTORY: _Readers = (
    ("uuid", EntryReader.text),
    ("series", EntryReader.text),
    ("slot", EntryReader.text),
    ("created_at", EntryReader.instant),
    ("updated_at", EntryReader.instant),
    ("completed_at", EntryReader.instant),
    ("deleted_at", EntryReader.instant),
)


def entry_by_ids(entry: EntryReader) -> ImportEntry:
    """Convert an entry that refers to other tasks by `id`.

    Unknown fields are kept in `extra`.

    Raises:
        ValidationError: a field is invalid; names the entry.
    """
    return ImportEntry(
        _fields(entry),
        id=entry.number("id"),
        parent=entry.number("parent"),
        blocked_by=entry.numbers("blocked_by"),
        place=entry.place,
        **_read(entry, _HISTORY),
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
        **_read(entry, _HISTORY),
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
    fields |= cast("TaskFields", _read(entry, _FIELDS))
    others = entry.others(KNOWN_FIELDS)
    if others or "extra" in entry.given:
        fields["extra"] = {**others, **entry.table("extra")}
    return fields


def _read(entry: EntryReader, readers: _Readers) -> dict[str, Any]:
    """Read the fields that are present, which saves time in a long file."""
    given = entry.given
    values = {name: read(entry, name) for name, read in readers if name in given}
    return {name: value for name, value in values.items() if value is not None}
