"""Reads change words (`friday #home -@old !high no date`) into fields to write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.recurrence.reader import format_recurrence
from todo_tui.domain.task import RepeatFrom, TaskFields
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle

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

    @property
    def changes_something(self) -> bool:
        """True if there is at least one change and no unknown word."""
        return not self.unknown and bool(self.fields or self.add_tags or self.remove_tags)


def read_change_words(
    text: str, now: datetime, style: DateStyle, *, dates_only: bool = False
) -> ChangeWords:
    """Read a line of changes; with `dates_only` everything but dates and recurrences is unknown.

    `-@tag` removes a tag, `no date`, `no project` and the like clear a field. The rest
    is read as quick add; what quick add would keep as title is unknown.
    """
    if dates_only and fold_case(text).strip() in _NO_DATE:
        text = "no date"
    cleared, removed, remaining = _split_removals(text)
    read, unknown = _split_unknown(_SIGNS.sub("", remaining), now, style)
    fields: TaskFields = {}
    for name in cleared:
        fields.update(_CLEARED[name])
    fields.update(_set_fields(read))
    clearings = [f"no {name}" for name in cleared]
    labels = [f"{read.priority.value} priority"] if read.priority is not None else []
    labels += [f"#{read.project}"] if read.project is not None else []
    labels += [f"+@{tag}" for tag in read.tags] + [f"−@{tag}" for tag in removed]
    summary = (*clearings, *_date_texts(read, now), *labels)
    if dates_only and not unknown:
        others = [each for each in clearings if each not in ("no date", "no start", "no repeat")]
        unknown = " ".join([*others, *labels])
    return ChangeWords(fields, read.tags, removed, summary, read.notes, unknown)


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
