"""Registry of import and export formats; a format's module is imported on first use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.formats.reader import FormatContext, ParsedFile


class FormatModule(Protocol):
    """What the module of a format has; its functions work on text, the caller on files."""

    def looks_like(self, text: str) -> bool:
        """Whether a text is of this format, from its beginning; quick.

        The first row that says so is meant.
        """

    def read(self, text: str, context: FormatContext) -> ParsedFile:
        """The drafts in the order of the file, with what is bad beside them.

        Raises:
            ValidationError: nothing at all can be read.
        """

    def write(self, tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
        """Pieces of text, which are read back whole but for the fields that the row loses."""


class FolderModule(FormatModule, Protocol):
    """The module of a format that is kept in folders too, with a file for each task."""

    def uuids_in(self, text: str) -> tuple[str, ...]:
        """The uuids of the tasks in the text of a file."""


class LossyModule(FormatModule, Protocol):
    """The module of a format whose own program does less with tasks than we do."""

    def losses(self, tasks: Sequence[Task], context: FormatContext) -> tuple[str, ...]:
        """Sentences on what the program will not do with these tasks."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One format; its module is imported when it is first needed."""

    id: str
    label: str
    suffixes: tuple[str, ...]
    """Endings of file names, in small letters, that mean this format."""
    module: str
    """Under `todo_tui.formats`."""
    loses: frozenset[str] = frozenset()
    """Fields that are not read back."""
    folder_suffix: str | None = None
    """Of the files in a folder that has one for each task; None where none is kept so."""
    names_losses: bool = False
    """Whether its program does less with tasks than we do."""

    def looks_like(self, text: str) -> bool:
        """As `FormatModule.looks_like`."""
        return self._loaded().looks_like(text)

    def read(self, text: str, context: FormatContext) -> ParsedFile:
        """As `FormatModule.read`."""
        return self._loaded().read(text, context)

    def write(self, tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
        """As `FormatModule.write`."""
        return self._loaded().write(tasks, context)

    def uuids_in(self, text: str) -> tuple[str, ...]:
        """The uuids of the tasks in the text of a file of a folder."""
        return cast("FolderModule", self._loaded()).uuids_in(text)

    def losses(self, tasks: Sequence[Task], context: FormatContext) -> tuple[str, ...]:
        """What other programs will not do with these tasks, a sentence each."""
        if not self.names_losses:
            return ()
        return cast("LossyModule", self._loaded()).losses(tasks, context)

    def _loaded(self) -> FormatModule:
        return cast("FormatModule", import_module(f"todo_tui.formats.{self.module}"))


_IDS = frozenset({"id"})
"""Ids are counted for each user; another program has its own."""

FORMATS = (
    FileFormat("json", "JSON", (".json",), "json_array"),
    FileFormat(
        "taskwarrior", "Taskwarrior JSON", (), "taskwarrior", loses=_IDS, names_losses=True
    ),
    FileFormat(
        "icalendar", "iCalendar to-dos", (".ics", ".ical"), "vtodo", loses=_IDS,
        folder_suffix=".ics",
    ),
    FileFormat("csv", "CSV table", (".csv",), "csv_table"),
    FileFormat("markdown", "Markdown checklist", (".md", ".markdown"), "markdown", loses=_IDS),
    FileFormat("todotxt", "todo.txt", (".txt",), "todotxt", loses=_IDS),
)  # fmt: skip
"""The first one is meant where neither the command nor the file name says how to write."""


def format_to_write(name: str | None, path: Path | None) -> FileFormat:
    """The format to write: the one of that id, else what the file name means, else the first.

    Raises:
        ValidationError: there is no format of that id.
    """
    if name is not None:
        return _named(name)
    return _by_suffix(path) or FORMATS[0]


def format_to_read(name: str | None, path: Path | None, text: str) -> FileFormat:
    """The format to read: the one of that id, else what name and text of the file mean.

    Where they differ the text counts: many a `.json` and `.txt` is something else.

    Raises:
        ValidationError: there is no format of that id, or none can be told.
    """
    if name is not None:
        return _named(name)
    by_suffix = _by_suffix(path)
    if by_suffix is not None and by_suffix.looks_like(text):
        return by_suffix
    by_text = next((each for each in FORMATS if each.looks_like(text)), None)
    found = by_text or by_suffix
    if found is None:
        raise ValidationError(
            "Its format cannot be told from its name or its text.",
            hint=f"Name it with --format: {_known()}.",
        )
    return found


def folder_format(name: str | None) -> FileFormat:
    """The format of that id, else the first one that is kept in folders.

    Raises:
        ValidationError: there is no format of that id, or it is not kept in folders.
    """
    with_folders = [each for each in FORMATS if each.folder_suffix is not None]
    found = with_folders[0] if name is None else _named(name)
    if found.folder_suffix is None:
        known = ", ".join(each.id for each in with_folders)
        raise ValidationError(
            f"{found.label} is kept in a file, not in a folder.",
            hint=f"Name a file; folders can be: {known}.",
        )
    return found


def _named(name: str) -> FileFormat:
    for each in FORMATS:
        if name == each.id:
            return each
    raise ValidationError(f"There is no format “{name}”.", hint=f"Known are: {_known()}.")


def _by_suffix(path: Path | None) -> FileFormat | None:
    suffix = path.suffix.lower() if path else ""
    return next((each for each in FORMATS if suffix in each.suffixes), None)


def _known() -> str:
    return ", ".join(each.id for each in FORMATS)
