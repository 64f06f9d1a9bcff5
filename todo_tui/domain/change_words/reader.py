"""Reads change words (`friday #home -@old !high no date`) into fields to write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add
from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.reader import format_recurrence
from todo_tui.domain.task import RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle, When

_TITLE = "Zz"
"""Placeholder title for quick add, which changes do not have."""

_REMOVALS = re.compile(
    r"""
    (?<!\S) (?:
        (?: no | without | clear ) [ ] (?P<field> [a-z]+ ) | - (?P<sign> [@+] ) (?P<tag> [^\s@#]+ )
        | - (?P<project> \# ) \S* | - (?P<priority> ! ) \S*
    ) (?!\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)

_NO_DUE = TaskFields(due=None, recurrence=None, repeat_from=RepeatFrom.DUE)
_REMOVABLE: tuple[tuple[tuple[str, ...], TaskFields], ...] = (
    (("date", "dates", "day"), _NO_DUE),
    (("due",), _NO_DUE),
    (("start",), TaskFields(start=None)),
    (
        ("repeat", "repeats", "recurrence"),
        TaskFields(recurrence=None, repeat_from=RepeatFrom.DUE),
    ),
    (("project",), TaskFields(project=None)),
    (("priority", "prio"), TaskFields(priority=None)),
    (("tags", "tag"), TaskFields(tags=())),
    (("parent",), TaskFields(parent=None)),
)
_CLEARED = {words[0]: fields for words, fields in _REMOVABLE}
_NAMES = {word: words[0] for words, _ in _REMOVABLE for word in words}

_MOST_UNKNOWN = 5
"""Maximum number of unknown words that are searched for a date."""

_NO_DATE = ("no", "none", "never", "-")

_LINK = re.compile(
    r"(?<!\S)(?:(?P<out>-(?=after))?(?P<kind>under|after) \#(?P<id>\d{1,18})|no blockers?"
    r"|(?P<status>doing|todo|cancelled))(?!\S)",
    re.IGNORECASE,
)
_SHIFT = re.compile(
    r"(?<!\S)(?:\d{1,4}|an?) (?:minute|hour|day|week|fortnight|month|year)s? (?:later|earlier)(?!\S)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?<!\S)(?:at |to )?(?P<time>\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|noon|midnight)(?!\S)",
    re.IGNORECASE,
)
_ANCHORS = re.compile(r"BY(?:DAY|MONTHDAY|MONTH|SETPOS)=")
_FIRST_DAY = re.compile(r"\b(?:today|now|start\w*|from)\b", re.IGNORECASE)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SIGNS = re.compile(r"(?<!\S)\+(?=@)")


class ChangeWords(NamedTuple):
    """Changes read from a line; `summary` has one readable piece for each change.

    `unknown` are words that mean no change; with any of them nothing is to be written.
    """

    fields: TaskFields
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: str = ""
    add_blockers: tuple[int, ...] = ()
    remove_blockers: tuple[int, ...] = ()
    clears_blockers: bool = False
    relative_date: str = ""
    """A date relative to the task's own: `1 week later`, or a time for its own day: `5pm`."""
    keeps_day: bool = False
    """True for a recurrence without days, `every month`: a task that has a date keeps it."""
    skip: bool = False
    """True for `skip`: advance a recurring task to its next date."""

    @property
    def changes_something(self) -> bool:
        """True if there is at least one change and no unknown word."""
        return not self.unknown and self != ChangeWords(TaskFields(), notes=self.notes)

    @property
    def only_changes(self) -> str:
        """Words that an existing task is needed for; empty if a new task can have them all."""
        cleared = [name for name, value in self.fields.items() if value in (None, ())]
        if self.skip or self.relative_date.endswith(("later", "earlier")):
            return "skip" if self.skip else self.relative_date
        if self.remove_tags or self.remove_blockers or self.clears_blockers or cleared:
            return next((each for each in self.summary if each.startswith(("no ", "−"))), "no …")
        return ""

    def fields_of(self, task: Task, now: datetime, style: DateStyle) -> TaskFields:
        """Return the fields to set on one task; dates may be relative to its own.

        A day without a time keeps the time that the task has.

        Raises:
            DateNotUnderstood: the task has no date that the words are relative to.
        """
        fields = self.fields.copy()
        if self.relative_date:
            fields["due"] = read_date(self.relative_date, now, style, current=task.due).when
        due, present = fields.get("due"), task.due
        if self.keeps_day and due is not None and present is not None:
            fields["due"] = due = When(present.day, due.at or present.at)
        if due is not None and present is not None:
            exact = self.relative_date or _ISO_DAY.search(" ".join(self.summary))
            if due.at is None and present.at is not None and not exact:
                fields["due"] = due = When(due.day, present.at)
            if task.due_zone and due.at == present.at is not None:
                fields["due_zone"] = task.due_zone
        return fields


def read_change_words(
    text: str, now: datetime, style: DateStyle, *, dates_only: bool = False
) -> ChangeWords:
    """Read a line of changes; with `dates_only` everything but dates and recurrences is unknown.

    `-@tag` removes a tag, `no date`, `no project` and the like clear a field. The rest
    is read as quick add; what quick add would keep as title is unknown.
    """
    if dates_only and fold_case(text).strip() in _NO_DATE:
        text = "no date"
    if not dates_only and fold_case(text).strip() == "skip":
        return ChangeWords(TaskFields(), summary=("skip",), skip=True)
    links, text = (_Links(), text) if dates_only else _split_links(text)
    relative, text = _split_relative_date(text, now, style)
    cleared, removed, remaining = _split_removals(text)
    read, unknown = _split_unknown(_SIGNS.sub("", remaining), now, style)
    fields: TaskFields = {}
    for name in cleared:
        fields.update(_CLEARED[name])
    fields.update(links.fields)
    fields.update(_set_fields(read))
    clearings = [f"no {name}" for name in cleared]
    labels = [f"{read.priority.value} priority"] if read.priority is not None else []
    labels += [f"#{read.project}"] if read.project is not None else []
    labels += [f"+@{tag}" for tag in read.tags] + [f"−@{tag}" for tag in removed]
    summary = (
        *clearings,
        *_date_texts(read, now),
        *((relative,) if relative else ()),
        *labels,
        *links.summary,
    )
    if dates_only and not unknown:
        others = [each for each in clearings if each not in ("no date", "no start", "no repeat")]
        unknown = " ".join([*others, *labels])
    return ChangeWords(
        fields,
        read.tags,
        removed,
        summary,
        read.notes,
        unknown,
        links.add_blockers,
        links.remove_blockers,
        links.clears_blockers,
        relative,
        _keeps_day(read, text, now),
    )


def _keeps_day(read: QuickAdd, text: str, now: datetime) -> bool:
    if read.recurrence is None or read.due is None or read.due.day != now.date():
        return False
    return not (_ANCHORS.search(read.recurrence.rule) or _FIRST_DAY.search(text))


class _Links(NamedTuple):
    """Parent, blockers and status of a line."""

    fields: TaskFields = TaskFields()
    add_blockers: tuple[int, ...] = ()
    remove_blockers: tuple[int, ...] = ()
    clears_blockers: bool = False
    summary: tuple[str, ...] = ()


def _split_links(text: str) -> tuple[_Links, str]:
    """Return `under #12`, `after #3`, `-after #3`, `no blockers` and a status; and the rest."""
    fields = TaskFields()
    added: list[int] = []
    removed: list[int] = []
    clears = False
    summary: list[str] = []
    for match in _LINK.finditer(text):
        number = int(match["id"] or 0)
        if match["status"]:
            fields["status"] = Status(match["status"].lower())
        elif not match["id"]:
            clears = True
        elif match["kind"].lower() == "under":
            fields["parent"] = number
        else:
            (removed if match["out"] else added).append(number)
        summary.append(match[0].lower())
    return _Links(fields, tuple(added), tuple(removed), clears, tuple(summary)), _LINK.sub(
        " ", text
    )


def _split_relative_date(text: str, now: datetime, style: DateStyle) -> tuple[str, str]:
    """Return a date relative to the task's own (`1 week later`, `5pm`), and the rest.

    A time is relative only where no other word of the line is a date.
    """
    if match := _SHIFT.search(text):
        return match[0].lower(), text[: match.start()] + " " + text[match.end() :]
    match = _TIME.search(text)
    if match is None:
        return "", text
    rest = text[: match.start()] + " " + text[match.end() :]
    if rest.strip():
        read = read_quick_add(f"{_TITLE} {rest}", now, style)
        if read.due is not None or read.start is not None or read.title != _TITLE:
            return "", text
    try:
        read_date(match["time"], now, style)
    except DateNotUnderstood:
        return "", text
    return match["time"], rest


def _split_unknown(text: str, now: datetime, style: DateStyle) -> tuple[QuickAdd, str]:
    """Return the line read by quick add, and its words without a meaning.

    Quick add leaves dates inside a title alone. Here there is no title: every readable
    date is taken, so that the error names only the words that are wrong.
    """
    read = read_quick_add(f"{_TITLE} {text}", now, style)
    unknown = read.title.removeprefix(_TITLE).split()
    if not 1 < len(unknown) <= _MOST_UNKNOWN:
        return read, " ".join(unknown)
    start, end = _find_date(unknown, now, style)
    if start == end:
        return read, " ".join(unknown)
    others = [*unknown[:start], *unknown[end:]]
    known = text.split()
    for word in others:
        if word in known:
            known.remove(word)
    again = read_quick_add(f"{_TITLE} {' '.join(known)}", now, style)
    remaining = again.title.removeprefix(_TITLE).split()
    return again, " ".join((*remaining, *others))


def _find_date(words: list[str], now: datetime, style: DateStyle) -> tuple[int, int]:
    """Return the longest span of words that is a date or a recurrence; empty if there is none."""
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length])
            if read_quick_add(f"{_TITLE} {phrase}", now, style).title == _TITLE:
                return start, start + length
    return 0, 0


def _split_removals(text: str) -> tuple[list[str], tuple[str, ...], str]:
    """Return cleared fields, removed tags, and the remaining text."""
    cleared: list[str] = []
    removed: list[str] = []

    def take(match: re.Match[str]) -> str:
        name = _NAMES.get(fold_case(match["field"] or ""))
        if match["project"] or match["priority"]:
            name = "project" if match["project"] else "priority"
        if match["tag"]:
            removed.append(match["tag"])
        elif name is None:
            # The words mean something else.
            return match[0]
        else:
            cleared.append(name)
        return " " * len(match[0])

    remaining = _REMOVALS.sub(take, text)
    return cleared, tuple(removed), remaining


def _set_fields(read: QuickAdd) -> TaskFields:
    fields: TaskFields = {}
    if read.recurrence is not None:
        fields["recurrence"] = read.recurrence.rule
        fields["repeat_from"] = read.recurrence.repeat_from
    if read.due is not None:
        fields["due"] = read.due
    if read.start is not None:
        fields["start"] = read.start
    if read.priority is not None:
        fields["priority"] = read.priority
    if read.project is not None:
        fields["project"] = read.project
    return fields


def _date_texts(read: QuickAdd, now: datetime) -> Iterator[str]:
    if read.recurrence is not None:
        yield format_recurrence(read.recurrence)
    if read.due is not None:
        first = "first " if read.recurrence is not None else ""
        yield f"{first}{format_when(read.due, now)}"
    if read.start is not None:
        yield f"from {format_when(read.start, now)}"
