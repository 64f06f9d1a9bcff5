"""Entries read from an import file, before the store turns them into tasks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.task import TaskFields
from todo_tui.domain.text import plain_line

_SHOWN = 60
"""Characters of a title that identify an entry in a message."""


def name_place(place: str, title: str) -> str:
    """Return the place of an entry in a file with its title: `Line 12 (“Buy milk”)`."""
    shown = plain_line(title)[:_SHOWN].strip()
    return f"{place} (“{shown}”)" if shown else place


class Remark(NamedTuple):
    """Something that an import could not keep as it was.

    `what` is a sentence about the entry at `place`; entries with the same `kind` can be
    reported together, and then the kind stands for the sentence.
    """

    what: str
    kind: str
    place: str = ""

    def text(self) -> str:
        """Return the sentence with its place."""
        return f"{self.place}: {self.what}"


# Not frozen, since that doubles the time to construct one, and files have very many.
@dataclass(slots=True)
class ImportEntry:
    """Entry of an imported file; None means not given.

    `parent` and `blocked_by` are not in `fields`, as they name other entries by their
    `id` in the file. `parent_uuid` and `blocker_uuids` may also name stored tasks.
    Instants are aware.
    """

    fields: TaskFields
    id: int | None = None
    uuid: str | None = None
    series: str | None = None
    slot: str | None = None
    parent: int | None = None
    blocked_by: tuple[int, ...] = ()
    parent_uuid: str | None = None
    blocker_uuids: tuple[str, ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    completed_at: datetime | None = None
    deleted_at: datetime | None = None
    place: str = field(default="", compare=False)
    """Place in the file: `Line 12`; empty if unknown."""
    remarks: list[Remark] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class BadEntry:
    """Unusable entry of a file; the message begins with its place: `Line 12`."""

    place: str
    message: str
    hint: str | None = None
