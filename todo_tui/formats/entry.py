"""Validated reading of one entry's fields, and import entries made from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Set
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NoReturn, TypedDict, TypeGuard, TypeVar, cast

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
            return cast("_Word", _word_of(words, text))
        except ValueError:
            self.wrong(key, f"Use one of: {', '.join(words)}.")

    def moment(self, key: str) -> When | None:
        """Read a date, or a date with local wall time."""
        text = self.text(key)
        if text is None:
            return None
        try:
            return _moment_of(text)
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
        value = self._fields.get(key)
        if value is None:
            return ()
        hint = 'Write it as [{"at": "2026-11-19T17:00:00+00:00", "text": "called"}].'
        if not isinstance(value, list):
            self.wrong(key, hint)
        annotations: list[Annotation] = []
        for annotation in value:
            if not isinstance(annotation, dict):
                self.wrong(key, hint)
            at, text = annotation.get("at"), annotation.get("text")
            if not isinstance(at, str) or not isinstance(text, str):
                self.wrong(key, hint)
            annotations.append(Annotation(self._instant(key, at), text))
        return tuple(annotations)

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
        title = plain_line(str(self._fields.get(self._named) or ""))[:_SHOWN].strip()
        name = f" (“{title}”)" if title else ""
        raise ValidationError(f"{self.place}{name}: {what}", hint=hint)


# A long file repeats the same words and dates.
@lru_cache(maxsize=64)
def _word_of(words: type[StrEnum], text: str) -> StrEnum:
    return words(text)


@lru_cache(maxsize=4096)
def _moment_of(text: str) -> When:
    return When.parse(text)


def _is_id(value: JsonValue) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_ID


class _History(TypedDict, total=False):
    """Data of an import entry besides its fields, by attribute name."""

    uuid: str
    series: str
    slot: str
    created_at: datetime
    updated_at: datetime
    completed_at: datetime
    deleted_at: datetime


_Readers = Iterable[tuple[str, Callable[[EntryReader, str], object]]]
"""Method to read each field, and its name in `TaskFields` or `_History`."""

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
        **_history(entry),
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
        **_history(entry),
    )


def _history(entry: EntryReader) -> _History:
    history: dict[str, object] = {}
    _read(entry, _HISTORY, history)
    return cast("_History", history)


def _fields(entry: EntryReader) -> TaskFields:
    fields = _NOTHING.copy()
    fields["title"] = entry.title()
    _read(entry, _FIELDS, cast("dict[str, object]", fields))
    others = entry.others(KNOWN_FIELDS)
    if others or "extra" in entry.given:
        fields["extra"] = {**others, **entry.table("extra")}
    return fields


def _read(entry: EntryReader, readers: _Readers, into: dict[str, object]) -> None:
    """Read the fields that are present, which saves time in a long file."""
    given = entry.given
    for name, read in readers:
        if name in given:
            value = read(entry, name)
            if value is not None:
                into[name] = value
