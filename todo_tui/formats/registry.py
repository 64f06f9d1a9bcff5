"""The formats that tasks are read from and written in, as plain rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from todo_tui.domain.draft import TaskDraft
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.formats import json_array


@dataclass(frozen=True, slots=True)
class Format:
    """One format; both functions work on text, the caller on files.

    `read` gives the drafts in the order of the file and raises ValidationError,
    which names the entry. `write` yields pieces of text and loses nothing.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    """Endings of file names, in small letters, that mean this format."""
    read: Callable[[str], tuple[TaskDraft, ...]]
    write: Callable[[Iterable[Task]], Iterator[str]]


FORMATS = (Format("json", "JSON", (".json",), json_array.read, json_array.write),)
"""The first one is meant where neither the command nor the file name says."""


def format_for(name: str | None, path: Path | None) -> Format:
    """The format of that id, else the one that the file name means, else the first.

    Raises:
        ValidationError: there is no format of that id.
    """
    suffix = path.suffix.lower() if path else ""
    for each in FORMATS:
        if name == each.id or (name is None and suffix in each.suffixes):
            return each
    if name is None:
        return FORMATS[0]
    known = ", ".join(each.id for each in FORMATS)
    raise ValidationError(f"There is no format “{name}”.", hint=f"Known are: {known}.")
