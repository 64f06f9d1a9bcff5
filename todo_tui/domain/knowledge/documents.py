"""Documents that answers can quote: their passages, what is stored, what a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.task import JsonValue

HEADING_JOINT = " › "


class DocumentKind(StrEnum):
    """File kinds that are read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"


class DocumentState(StrEnum):
    """State of a stored document; only a ready one has passages.

    One that was removed out of an added folder is remembered, so that `refresh` does not add it
    again.
    """

    READY = "ready"
    UNREADABLE = "unreadable"
    REMOVED = "removed"


class Passage(NamedTuple):
    """A piece of a document: title and headings above it, its place, and its text.

    `page` and `line` count from 1; None where the file has none.
    """

    headings: tuple[str, ...]
    page: int | None
    line: int | None
    text: str
    marked_text: str = ""
    """The text with the marks of line_breaks.py; empty if no line end divides a word."""

    @property
    def stored_text(self) -> str:
        """The text with the marks of line ends that divide a word."""
        return self.marked_text or self.text


@dataclass(frozen=True, slots=True)
class FileVersion:
    """State of a file when it was read; `mtime` in nanoseconds."""

    size: int
    mtime: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A file that was read, with its passages; or with the `problem` that made it unreadable."""

    path: str
    kind: DocumentKind
    title: str
    version: FileVersion
    passages: Sequence[Passage] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document; `problem` says why it is unreadable."""

    id: int
    path: str
    title: str
    kind: DocumentKind
    version: FileVersion
    added_at: datetime
    state: DocumentState
    problem: str
    passages: int

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields for programs."""
        return {
            "id": self.id,
            "title": self.title,
            "path": self.path,
            "kind": self.kind.value,
            "size": self.version.size,
            "added_at": self.added_at.isoformat(),
            "state": self.state.value,
            "problem": self.problem or None,
            "passages": self.passages,
        }
