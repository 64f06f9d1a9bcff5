"""What every reader is told and answers with, and how it goes on past a bad entry."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType

from todo_tui.domain.draft import BadEntry, TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.when import DateStyle


@dataclass(frozen=True, slots=True)
class Context:
    """What a file does not say of itself.

    `now` is naive local wall time in `zone`. `uuids` are those of the tasks, by id,
    that a written one may refer to. `is_apart`: each task is written to a file of its
    own, so that none tells by its place which comes first.
    """

    zone: str
    now: datetime
    dates: DateStyle = field(default_factory=DateStyle)
    uuids: Mapping[int, str] = field(default_factory=dict)
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in a file, in its order."""

    drafts: tuple[TaskDraft, ...] = ()
    bad: tuple[BadEntry, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the file says that could not be kept, a sentence each."""


class _BadNoted:
    """Notes a ValidationError of its block, and lets go on.

    A long file has a block for each entry, and a generator would take as long as the entry.
    """

    __slots__ = ("_bad", "_place")

    def __init__(self, place: str, bad: list[BadEntry]) -> None:
        self._place = place
        self._bad = bad

    def __enter__(self) -> None:
        """Nothing to begin with."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if not isinstance(error, ValidationError):
            return False
        self._bad.append(BadEntry(self._place, error.message, error.hint))
        return True


class Gathering:
    """Collects drafts; what is wrong with one of them does not keep the others out."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self._drafts: list[TaskDraft] = []
        self._bad: list[BadEntry] = []
        self._places: dict[str, str] = {}

    def entry(self, place: str) -> AbstractContextManager[None]:
        """Note a ValidationError as a bad entry; its message must begin with the place.

        A place is a word and a number: `Line 12`.
        """
        return _BadNoted(place, self._bad)

    def add(self, draft: TaskDraft) -> None:
        """Take a draft.

        Raises:
            ValidationError: another one has its uuid.
        """
        if draft.uuid is not None:
            first = self._places.setdefault(draft.uuid, draft.place)
            if first != draft.place:
                raise ValidationError(
                    f"{draft.place} has the same uuid as {first[:1].lower()}{first[1:]}.",
                    hint="Remove one of them, or its uuid.",
                )
        self._drafts.append(draft)

    def reading(self) -> Reading:
        """All that was collected; bad entries in the order of their places."""
        bad = sorted(self._bad, key=lambda each: int(each.place.rpartition(" ")[2]))
        return Reading(tuple(self._drafts), tuple(bad), tuple(self.remarks))


def lines_of(text: str) -> list[str]:
    """The lines of a text with any line ends; other characters that look like one stay."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
