"""Input and result of every format reader, collection of entries, and derived uuids."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import BadEntry, ImportEntry
from todo_tui.domain.text import repair_surrogates
from todo_tui.domain.when import DateStyle

_NAMES = uuid.UUID("5e1c6a52-8f0d-5c7e-bb7b-2f6d0e9a7c11")
"""Namespace of derived uuids."""


@dataclass(frozen=True, slots=True)
class FormatContext:
    """Parameters of reading and writing that are not in the file.

    `now` is naive local wall time in `zone`. `uuids` maps ids to the uuids that a written
    task may refer to. With `is_apart` each task is written to its own file, so that the order
    of tasks is not in the text. With `is_plain` what only programs need is left out. With
    `is_order_known` a person chose the order of day and month in `dates`.
    """

    zone: str
    now: datetime
    dates: DateStyle = field(default_factory=DateStyle)
    uuids: Mapping[int, str] = field(default_factory=dict)
    is_apart: bool = False
    is_plain: bool = False
    is_order_known: bool = False


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """Entries of a file in order."""

    entries: tuple[ImportEntry, ...] = ()
    bad: tuple[BadEntry, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences about data that could not be kept."""


class EntryCollector:
    """Collects entries; an invalid one does not affect the others."""

    def __init__(self, format_id: str) -> None:
        self.notes: list[str] = []
        self._format_id = format_id
        self._seen: Counter[str] = Counter()
        self._entries: list[ImportEntry] = []
        self._bad: list[BadEntry] = []
        self._places: dict[str, str] = {}

    @contextmanager
    def entry(self, place: str) -> Iterator[None]:
        """Record a ValidationError, whose message begins with the place: `Line 12`."""
        try:
            yield
        except ValidationError as error:
            self._bad.append(BadEntry(place, error.message, error.hint))

    def derive_uuid(self, *parts: str) -> str:
        """Derive the uuid of the next entry from its contents; 32 hexadecimal digits.

        Equal entries are numbered. The contents must not include the status, so that
        completing an entry in the file keeps its uuid.
        """
        contents = repair_surrogates("\x1f".join((self._format_id, *parts)))
        self._seen[contents] += 1
        turn = self._seen[contents]
        return uuid.uuid5(_NAMES, contents if turn == 1 else f"{contents}\x1f{turn}").hex

    def add(self, entry: ImportEntry) -> None:
        """Add an entry.

        Raises:
            ValidationError: another one has its uuid.
        """
        if entry.uuid is not None:
            first = self._places.setdefault(entry.uuid, entry.place)
            if first != entry.place:
                raise ValidationError(
                    f"{entry.place} has the same uuid as {first[:1].lower()}{first[1:]}.",
                    hint="Remove one of the two, or its uuid.",
                )
        self._entries.append(entry)

    def result(self) -> ParsedFile:
        """Return what was collected; bad entries in the order of their places."""
        bad = sorted(self._bad, key=lambda each: int(each.place.rpartition(" ")[2]))
        return ParsedFile(tuple(self._entries), tuple(bad), tuple(self.notes))


def split_lines(text: str) -> list[str]:
    """Split at any line ending, but not at other separators that `str.splitlines` knows."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
