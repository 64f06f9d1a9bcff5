"""What can be typed for the fields of a task: the options, and how they are read."""

from __future__ import annotations

import re
from typing import TypedDict

import click

from todo_tui.cli.options import spoken
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import RepeatFrom, Status, TaskFields
from todo_tui.tools.given import clears

_PRIORITIES = ("high", "medium", "low", "none")
_TASK_ID = re.compile(r"#?([0-9]{1,18})")
_PLACE = re.compile(r"(before|after)\s+(\S+)", re.IGNORECASE)


class Words(TypedDict):
    """What was typed for each field; None and empty: leave it as it is."""

    title: str | None
    due: str | None
    due_zone: str | None
    start: str | None
    start_zone: str | None
    priority: str | None
    project: str | None
    tags: str | None
    add_tag: tuple[str, ...]
    remove_tag: tuple[str, ...]
    notes: str | None
    annotate: str | None
    repeat: str | None
    repeat_from: str | None
    status: str | None
    parent: str | None
    blocked_by: tuple[str, ...]
    add_blocker: tuple[str, ...]
    remove_blocker: tuple[str, ...]
    position: str | None


def _worded(name: str, metavar: str, text: str, *, also: str = "") -> click.Option:
    names = [name, *filter(None, (also,))]
    return click.Option(names, metavar=metavar, help=text, callback=spoken)


def _several(name: str, metavar: str, text: str) -> click.Option:
    return click.Option([name], metavar=metavar, help=text, callback=spoken, multiple=True)


def _one_of(name: str, choices: tuple[str, ...], text: str) -> click.Option:
    return click.Option([name], type=click.Choice(choices, case_sensitive=False), help=text)


FIELD_OPTIONS: list[click.Parameter] = [
    _worded("--title", "TEXT", "What is to be done."),
    _worded("--due", "WHEN", "When it is due: tomorrow 5pm, 1 week later."),
    _worded("--start", "WHEN", "When it appears in the list; hidden until then."),
    _one_of("--priority", _PRIORITIES, "How much it matters."),
    _worded("--project", "NAME", "Its project, a dotted path."),
    _worded("--tags", "NAMES", "Its tags in place of the present ones, with commas between."),
    _several("--add-tag", "NAME", "One more tag."),
    _several("--remove-tag", "NAME", "One tag less."),
    _worded("--notes", "TEXT", "Its notes; `+ ` before them adds a line."),
    _worded("--annotate", "TEXT", "A remark with today's date."),
    _worded("--repeat", "HOW", "How it repeats: every monday, every 2 weeks.", also="--recurrence"),
    _one_of("--repeat-from", tuple(RepeatFrom), "What the next date is counted from."),
    _one_of("--status", tuple(Status), "Where it stands."),
    _worded("--parent", "ID", "The task that it is part of."),
    _several("--blocked-by", "ID", "The tasks that it waits for, in place of the present ones."),
    _several("--add-blocker", "ID", "One more task that it waits for."),
    _several("--remove-blocker", "ID", "One that it no longer waits for."),
    _worded("--position", "PLACE", "Its place in the manual order: before 3, after 3."),
    _worded("--due-zone", "ZONE", "The zone of a timed due date, such as Europe/Berlin."),
    _worded("--start-zone", "ZONE", "The zone of a timed start."),
]


def plain_fields(words: Words) -> TaskFields:
    """The fields whose words need no grammar."""
    fields = TaskFields()
    if words["title"] is not None:
        fields["title"] = words["title"]
    if words["tags"] is not None:
        fields["tags"] = names_in(words["tags"])
    if words["repeat_from"] is not None:
        fields["repeat_from"] = RepeatFrom(words["repeat_from"])
    if words["status"] is not None:
        fields["status"] = Status(words["status"])
    if words["due_zone"] is not None:
        fields["due_zone"] = words["due_zone"]
    if words["start_zone"] is not None:
        fields["start_zone"] = words["start_zone"]
    if words["parent"] is not None:
        fields["parent"] = next(iter(ids_in(words["parent"])), None)
    if words["blocked_by"]:
        fields["blocked_by"] = ids_in(" ".join(words["blocked_by"]))
    return fields


def names_in(text: str) -> tuple[str, ...]:
    """Names between commas, else between blanks; `none` and nothing: no names."""
    if clears(text):
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def one_each(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of an option that was given several times, or with commas."""
    return tuple(name for text in names for name in names_in(text))


def ids_in(text: str) -> tuple[int, ...]:
    """The ids in `#3, 4`.

    Raises:
        ValidationError: there is something else in it.
    """
    if clears(text):
        return ()
    found: list[int] = []
    for word in text.replace(",", " ").split():
        match = _TASK_ID.fullmatch(word)
        if match is None and word.lstrip("#").isdigit():
            raise NotFound(f"There is no task {word[:20]}.")
        if match is None:
            raise ValidationError(f"“{word}” is no task id.", hint="Ids look like 3 or #3.")
        found.append(int(match[1]))
    return tuple(found)


class Place(TypedDict, total=False):
    """Where a task goes in the manual order; nothing: it stays where it is."""

    before: int
    after: int


def place_in(text: str | None) -> Place:
    """The place in `before 3` or `after #3`.

    Raises:
        ValidationError: there is something else in it.
    """
    if text is None:
        return Place()
    match = _PLACE.fullmatch(text.strip())
    ids = ids_in(match[2]) if match else ()
    if match is None or len(ids) != 1:
        raise ValidationError(f"“{text}” is no place.", hint="Places are before 3, or after 3.")
    return Place(before=ids[0]) if match[1].lower() == "before" else Place(after=ids[0])
