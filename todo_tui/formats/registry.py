"""Registry of import and export formats; a format's module is imported on first use."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.domain.text import join_words
from todo_tui.formats.losses import Losses, describe_losses
from todo_tui.formats.parsed_file import FormatContext, ParsedFile


class FormatModule(Protocol):
    """Functions of a format's module; they work on text, files are up to the caller."""

    LOSSES: Losses
    """What its programs do not support; only if the format `names_losses`."""

    def looks_like(self, text: str) -> bool:
        """Return True if the beginning of a text is in this format; must be fast.

        The first matching row of the registry counts.
        """

    def read(self, text: str, context: FormatContext) -> ParsedFile:
        """Read the entries in the order of the file, and report bad ones beside them.

        Raises:
            ValidationError: nothing at all can be read.
        """

    def write(self, tasks: Sequence[Task], context: FormatContext) -> Iterator[str]:
        """Yield pieces of text, readable without loss except for the fields in `loses`."""

    def uuids_in(self, text: str) -> tuple[str, ...]:
        """Return the uuids of the tasks in the text of a folder's file."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One format."""

    id: str
    label: str
    suffixes: tuple[str, ...]
    """Endings of file names in lower case."""
    module_name: str
    """Module name below `todo_tui.formats`."""
    loses: frozenset[str] = frozenset()
    """Fields that are not read back."""
    folder_suffix: str = ""
    """Ending of the files in a folder with one file per task; empty if unsupported."""
    names_losses: bool = False
    """True if its programs do less with tasks than todo-tui."""
    has_plain: bool = False
    """True if it can be written without what only programs need, for people to read."""

    @property
    def module(self) -> FormatModule:
        """The functions of the format, imported on first use."""
        return cast("FormatModule", import_module(f"todo_tui.formats.{self.module_name}"))

    def loss_note(self, tasks: Sequence[Task], context: FormatContext) -> str:
        """Return a sentence on what is left out or unsupported; empty if nothing is."""
        losses = self.module.LOSSES if self.names_losses else {}
        found = describe_losses(losses, tasks, context.zone)
        if not found:
            return ""
        if context.is_plain:
            keeps_all = FORMATS[0].id
            return f"Plain {self.label} leaves out {found}; --format {keeps_all} keeps everything."
        return f"Other programs may ignore {found}; `todo-tui import` restores everything."


_IDS = frozenset({"id"})
"""Ids are counted per user; another program has its own."""
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
    FileFormat(
        "markdown", "Markdown checklist", (".md", ".markdown"), "markdown", loses=_IDS,
        names_losses=True, has_plain=True,
    ),
    FileFormat(
        "todotxt", "todo.txt", (".txt",), "todotxt", loses=_IDS, names_losses=True, has_plain=True
    ),
)  # fmt: skip
"""The first one is the default for writing."""


def format_to_write(name: str | None, path: Path | None) -> FileFormat:
    """Return the format of that id, else by the file name, else the first one.

    Raises:
        ValidationError: there is no format of that id.
    """
    if name is not None:
        return _named(name)
    return _by_suffix(path) or FORMATS[0]


def plain_format(name: str | None, path: Path | None) -> FileFormat:
    """Return the format of that id, else by the file name, else the first one with a plain form.

    Raises:
        ValidationError: it has no plain form.
    """
    with_plain = [each for each in FORMATS if each.has_plain]
    found = _by_suffix(path) if name is None else _named(name)
    if found is not None and not found.has_plain:
        known = join_words([each.id for each in with_plain], "or")
        raise ValidationError(
            f"{found.label} cannot be exported with --plain.", hint=f"Use --format {known}."
        )
    return found or with_plain[0]


def format_to_read(name: str | None, path: Path | None, text: str) -> FileFormat:
    """Return the format of that id, else by the name and text of the file.

    If these differ, the text decides: many `.json` and `.txt` files are in other formats.

    Raises:
        ValidationError: there is no format of that id, or none is recognized.
    """
    if name is not None:
        return _named(name)
    by_suffix = _by_suffix(path)
    candidates = FORMATS if by_suffix is None else (by_suffix, *FORMATS)
    found = next((each for each in candidates if each.module.looks_like(text)), by_suffix)
    if found is None:
        raise ValidationError(
            "Could not detect the file format.",
            hint=f"Choose one with --format: {_known()}.",
        )
    return found


def folder_format(name: str | None) -> FileFormat:
    """Return the format of that id, else the first one that supports folders.

    Raises:
        ValidationError: there is no format of that id, or it does not support folders.
    """
    with_folders = [each for each in FORMATS if each.folder_suffix]
    found = with_folders[0] if name is None else _named(name)
    if not found.folder_suffix:
        known = ", ".join(each.id for each in with_folders)
        raise ValidationError(
            f"{found.label} is stored in a file, not in a folder.",
            hint=f"Choose a file, or a format for folders: {known}.",
        )
    return found


def _named(name: str) -> FileFormat:
    for each in FORMATS:
        if name == each.id:
            return each
    raise ValidationError(f"Unknown format “{name}”.", hint=f"Formats: {_known()}.")


def _by_suffix(path: Path | None) -> FileFormat | None:
    suffix = path.suffix.lower() if path else ""
    return next((each for each in FORMATS if suffix in each.suffixes), None)


def _known() -> str:
    return ", ".join(each.id for each in FORMATS)
