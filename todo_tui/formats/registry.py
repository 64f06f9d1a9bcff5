"""The formats that tasks are read from and written in, as plain rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.formats import csv_table, json_array, markdown, taskwarrior, todotxt, vtodo
from todo_tui.formats.reading import Context, Reading

Losses = Callable[[Sequence[Task], Context], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Folder:
    """How a format is kept as a folder with a file for each task."""

    suffix: str
    """Of the files; others in the folder are not touched."""
    uuids_in: Callable[[str], tuple[str, ...]]
    """The uuids of the tasks in the text of a file."""


def _nothing_lost(tasks: Sequence[Task], context: Context) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Format:
    """One format; its functions work on text, the caller on files.

    `read` gives the drafts in the order of the file, with what is bad beside them;
    it raises ValidationError where nothing at all can be read. `write` yields pieces
    of text, and what it writes is read back whole but for the fields in `loses`.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    """Endings of file names, in small letters, that mean this format."""
    looks_like: Callable[[str], bool]
    """Whether a text is of this format, from its beginning; quick, and never wrong by itself:
    the first row that says so is meant."""
    read: Callable[[str, Context], Reading]
    write: Callable[[Sequence[Task], Context], Iterator[str]]
    loses: frozenset[str] = frozenset()
    """Fields that are not read back."""
    unused_by_others: Losses = _nothing_lost
    """Sentences on what other programs will not see of these tasks."""
    folder: Folder | None = None
    """Present where other programs keep tasks in a folder of such files."""


_IDS = frozenset({"id"})
"""Ids are counted for each user; another program has its own."""

FORMATS = (
    Format("json", "JSON", (".json",), json_array.looks_like, json_array.read, json_array.write),
    Format(
        "taskwarrior",
        "Taskwarrior JSON",
        (),
        taskwarrior.looks_like,
        taskwarrior.read,
        taskwarrior.write,
        loses=_IDS,
        unused_by_others=taskwarrior.losses,
    ),
    Format(
        "icalendar",
        "iCalendar to-dos",
        (".ics", ".ical"),
        vtodo.looks_like,
        vtodo.read,
        vtodo.write,
        loses=_IDS,
        folder=Folder(".ics", vtodo.uuids_in),
    ),
    Format("csv", "CSV table", (".csv",), csv_table.looks_like, csv_table.read, csv_table.write),
    Format(
        "markdown",
        "Markdown checklist",
        (".md", ".markdown"),
        markdown.looks_like,
        markdown.read,
        markdown.write,
        loses=_IDS,
    ),
    Format(
        "todotxt",
        "todo.txt",
        (".txt",),
        todotxt.looks_like,
        todotxt.read,
        todotxt.write,
        loses=_IDS,
    ),
)
"""The first one is meant where neither the command nor the file name says how to write."""


def format_for(name: str | None, path: Path | None) -> Format:
    """The format to write: the one of that id, else what the file name means, else the first.

    Raises:
        ValidationError: there is no format of that id.
    """
    if name is not None:
        return _named(name)
    return _by_suffix(path) or FORMATS[0]


def format_of(name: str | None, path: Path | None, text: str) -> Format:
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


def folder_format(name: str | None) -> Format:
    """The format of that id, else the first one that is kept in folders.

    Raises:
        ValidationError: there is no format of that id, or it is not kept in folders.
    """
    with_folders = [each for each in FORMATS if each.folder is not None]
    found = with_folders[0] if name is None else _named(name)
    if found.folder is None:
        known = ", ".join(each.id for each in with_folders)
        raise ValidationError(
            f"{found.label} is kept in a file, not in a folder.",
            hint=f"Name a file; folders can be: {known}.",
        )
    return found


def _named(name: str) -> Format:
    for each in FORMATS:
        if name == each.id:
            return each
    raise ValidationError(f"There is no format “{name}”.", hint=f"Known are: {_known()}.")


def _by_suffix(path: Path | None) -> Format | None:
    suffix = path.suffix.lower() if path else ""
    return next((each for each in FORMATS if suffix in each.suffixes), None)


def _known() -> str:
    return ", ".join(each.id for each in FORMATS)
