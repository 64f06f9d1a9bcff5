"""Filters as text: canonical text that parses back, and descriptions for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, assert_never

from todo_tui.domain.filters.lexer import ANY, NONE, RESERVED
from todo_tui.domain.filters.terms import (
    EVERYTHING,
    NOT_IN_TRASH,
    And,
    BeforeOrAfter,
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
    Filter,
    Grouping,
    HasField,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsOpen,
    Not,
    Or,
    PriorityBetween,
    Query,
    SingleTerm,
    SortTerm,
    StateTerm,
    TaskField,
    WithinDays,
    all_of,
    with_default_scope,
)
from todo_tui.domain.task import Priority
from todo_tui.domain.text import fold_case

_PLAIN_WORD = re.compile(r"[^\W\d_][\w’-]*")
_PLAIN_NAME = re.compile(r"[^\W_][\w.-]*")
_PLAIN_DAY = re.compile(r"[\w-]+")
_FIELD_WORDS = {
    TaskField.DUE: "due",
    TaskField.START: "start",
    TaskField.PROJECT: "project",
    TaskField.TAGS: "tags",
    TaskField.PRIORITY: "priority",
    TaskField.NOTES: "notes",
    TaskField.RECURRENCE: "repeat",
    TaskField.BLOCKERS: "blockers",
    TaskField.PARENT: "parent",
    TaskField.CHILDREN: "children",
    TaskField.REMARKS: "remarks",
}
_EVERY_TASK = "(has due or no due)"
"""Matches every task and, unlike `all`, keeps the default scope."""
_DAY_WORDS = {
    DayField.DUE: "due",
    DayField.START: "start",
    DayField.COMPLETED: "done",
    DayField.CREATED: "created",
    DayField.UPDATED: "updated",
}
_SENSE_WORDS = {"before": ".before", "after": ".after", "until": ".by", "since": ".since", "": ""}


def describe_filter(condition: Filter, today: date | None = None) -> str:
    """Describe a filter for users: `open · due this week · in work`.

    Days in other years than that of `today` show their year.
    """
    return _describe_part(condition, today, top=True)


def describe_order(query: Query) -> str:
    """Describe sort order and grouping for users."""
    texts = []
    if query.sort:
        texts.append(f"by {', '.join(map(_sorted_by, query.sort))}")
    if query.group is not None and query.group is not Grouping.NONE:
        texts.append(f"under headings by {query.group.value}")
    return " · ".join(texts)


def _sorted_by(term: SortTerm) -> str:
    name = term.field.value
    return name if term.descending is term.field.highest_first else f"{name} reversed"


def _describe_part(term: Filter, today: date | None, *, top: bool = False) -> str:
    match term:
        case And(parts):
            return _describe_all(parts, today, top=top)
        case Or(parts):
            texts = " or ".join(_describe_part(part, today) for part in parts)
            return texts if top else f"({texts})"
        case Not(HasField(field)):
            return f"no {field.value}"
        case Not(part):
            return f"not {_describe_part(part, today)}"
        case _:
            return _describe_term(term, today)


def _describe_term(term: SingleTerm, today: date | None) -> str:  # noqa: C901 - one case a kind of term
    match term:
        case HasId(number):
            return f"#{number}"
        case HasIds(ranges):
            return ", ".join(_describe_ids(first, last) for first, last in ranges)
        case ChildOf(number):
            return f"child of #{number}"
        case DescendantOf(number):
            return f"under #{number}"
        case InProject(name):
            return f"in {name}"
        case HasTag(name):
            return f"tagged {name}"
        case HasPriority(priority):
            return f"{priority.value} priority"
        case PriorityBetween():
            return f"{_describe_priorities(term)} priority"
        case HasField(field):
            return "repeating" if field is TaskField.RECURRENCE else f"with {field.value}"
        case WithinDays(field, first, last, words):
            return f"{field.value} {_describe_days(first, last, words, today)}"
        case BeforeOrAfter():
            return _describe_moment(term, today)
        case HasStatus(status):
            return status.value
        case InTrash():
            return "in the trash"
        case StateTerm():
            return term.word
        case ContainsText(words):
            return f"“{words}”"
        case _:
            assert_never(term)


def _describe_all(parts: tuple[Filter, ...], today: date | None, *, top: bool) -> str:
    # The trash is excluded by default.
    visible = [part for part in parts if part != NOT_IN_TRASH]
    if len(visible) == 1:
        return _describe_part(visible[0], today, top=top)
    texts = [_describe_part(part, today) for part in visible]
    return " · ".join(texts) if top else f"({' and '.join(texts)})"


def _describe_ids(first: int, last: int) -> str:
    return f"#{first}" if first == last else f"#{first}–{last}"


def _describe_priorities(term: PriorityBetween) -> str:
    names = ["no" if each is None else each.value for each in term.priorities]
    if term.highest is Priority.HIGH:
        names.reverse()
    return " or ".join(names)


def _describe_days(first: date | None, last: date | None, words: str, today: date | None) -> str:
    if first is not None and first == last:
        day = _describe_day(first, today)
        return f"{words} ({day})" if words else day
    if first is not None and last is not None:
        span = f"{_describe_day(first, today)} – {_describe_day(last, today)}"
        return f"{words} ({span})" if words else span
    if last is not None:
        return f"until {_describe_day(last, today)}"
    return "any day" if first is None else f"from {_describe_day(first, today)}"


def _describe_moment(term: BeforeOrAfter, today: date | None) -> str:
    strict, loose = ("before", "by") if term.before else ("after", "since")
    side = loose if term.inclusive else strict
    return f"{term.of.value} {side} {_describe_day(term.moment, today)} {term.moment:%H:%M}"


def _describe_day(day: date, today: date | None) -> str:
    year = "" if today is None or day.year == today.year else f" {day.year}"
    return f"{day:%a} {day.day} {day:%b}{year}"


class _Piece(NamedTuple):
    """Part of the text, and how it binds to its neighbours."""

    text: str
    is_bare: bool = False
    """True if days before it could absorb its first word."""
    closed: str = ""
    """Text to use before a bare piece, which `text` would absorb."""


def format_query(query: Query) -> str:
    """Return the text of a query: its condition, then sort and group."""
    parts = [format_filter(query.filter)]
    if query.sort:
        parts.append(f"sort:{format_sort(query.sort)}")
    if query.group is not None:
        parts.append(f"group:{query.group.value}")
    return " ".join(filter(None, parts))


def format_sort(sort: Sequence[SortTerm]) -> str:
    """Return the value of `sort:`; a sign only for unusual directions."""
    return ",".join(f"{term.field.value}{_sign(term)}" for term in sort)


def _sign(term: SortTerm) -> str:
    if term.descending is term.field.highest_first:
        return ""
    return "-" if term.descending else "+"


def format_filter(condition: Filter) -> str:
    """Return text that parses to this filter, at the same time and with the same names.

    Days keep the user's words, so that a saved filter moves with the calendar. The
    default scope (open tasks, outside the trash) is left out.
    """
    return _format_parts(_without_scope(condition)).text


def _without_scope(condition: Filter) -> Filter:
    """Return the shortest filter that the default scope completes to this one."""
    for shorter in (_remove_scope(condition, deep=True), _remove_scope(condition, deep=False)):
        if with_default_scope(shorter) == condition:
            return shorter
    if isinstance(condition, And) and condition.parts[:1] == (NOT_IN_TRASH,):
        shorter = all_of(*condition.parts[1:])
        if with_default_scope(shorter) == condition:
            return shorter
    return condition


def _remove_scope(condition: Filter, *, deep: bool) -> Filter:
    """Remove the terms of default scopes, with `deep` also within alternatives."""
    match condition:
        case And(parts):
            texts = [part for part in parts if part not in (NOT_IN_TRASH, IsOpen())]
            return all_of(*(_remove_scope(part, deep=True) for part in texts) if deep else texts)
        case Or(parts) if deep:
            return Or(tuple(_remove_scope(part, deep=True) for part in parts))
        case IsOpen():
            return EVERYTHING
        case _:
            return condition


def _format_parts(condition: Filter) -> _Piece:
    """Format a filter at the top or in brackets, where terms stand side by side."""
    match condition:
        case And(parts):
            return _Piece(_side_by_side([_format_part(part) for part in parts]))
        case Or(parts) if parts:
            return _Piece(" or ".join(_side_by_side([_format_part(part)]) for part in parts))
        case _:
            return _format_part(condition)


def _side_by_side(pieces: list[_Piece]) -> str:
    bare_after = [*(piece.is_bare for piece in pieces), False][1:]
    return " ".join(
        piece.closed if piece.closed and bare else piece.text
        for piece, bare in zip(pieces, bare_after, strict=True)
    )


def _format_part(term: Filter) -> _Piece:
    """Format a filter as one of several parts."""
    match term:
        case And(()):
            return _Piece(_EVERY_TASK)
        case Or(()):
            return _Piece(f"not {_EVERY_TASK}")
        case And() | Or():
            return _Piece(f"({_format_parts(term).text})")
        case Not(HasField(field)):
            return _Piece(f"no {_FIELD_WORDS[field]}", is_bare=True)
        case Not(Not() as part) if not isinstance(part.part, HasField):
            # Without brackets, `not not` reads as no negation at all.
            return _Piece(f"not ({_format_part(part).text})")
        case Not(part):
            negated = _format_part(part)
            return _Piece(f"not {negated.text}", closed=negated.closed and f"not {negated.closed}")
        case _:
            return _format_term(term)


def _format_term(term: SingleTerm) -> _Piece:  # noqa: C901 - one case a kind of term
    match term:
        case HasId(number):
            return _Piece(f"#{number}")
        case HasIds(ranges):
            return _Piece(f"id:{','.join(_ids_text(first, last) for first, last in ranges)}")
        case ChildOf(number):
            return _Piece(f"parent:{number}")
        case DescendantOf(number):
            return _Piece(f"under:{number}")
        case InProject(name):
            return _Piece(format_project(name))
        case HasTag(name):
            return _Piece(format_tag(name))
        case HasPriority(priority):
            return _Piece(f"!{priority.value}")
        case PriorityBetween():
            return _Piece(_format_priorities(term))
        case HasField(TaskField.RECURRENCE):
            return _Piece("recurring", is_bare=True)
        case HasField(field):
            return _Piece(f"has {_FIELD_WORDS[field]}", is_bare=True)
        case WithinDays():
            return _format_days(term)
        case BeforeOrAfter():
            return _format_moment(term)
        case HasStatus(status):
            return _Piece(status.value, is_bare=True, closed=f"status:{status.value}")
        case StateTerm():
            return _Piece(term.word, is_bare=True)
        case ContainsText(words):
            return _format_search(words)
        case _:
            assert_never(term)


def _ids_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _format_priorities(term: PriorityBetween) -> str:
    lowest = "none" if term.lowest is None else term.lowest.value
    highest = "none" if term.highest is None else term.highest.value
    if term.highest is Priority.HIGH:
        return f"priority.from:{lowest}"
    if term.lowest is None:
        return f"priority.to:{highest}"
    return f"(priority.from:{lowest} priority.to:{highest})"


def format_project(name: str) -> str:
    """Return `#work` if that reads back as the name, else `project:"…"`."""
    return _format_name("#", "project", name)


def format_tag(name: str) -> str:
    """Return `@home` if that reads back as the name, else `tag:"…"`."""
    return _format_name("@", "tag", name)


def format_view(name: str) -> str:
    """Return `view:week`, or `view:"my week"`."""
    return f"view:{name if _PLAIN_NAME.fullmatch(name) else quote_value(name)}"


def quote_value(text: str) -> str:
    """Return text in quotation marks, its own ones escaped by a backslash."""
    escaped = re.sub(r'(["“”]|\\(?=["“”\\]|$))', r"\\\1", text)
    return f'"{escaped}"'


def _format_name(mark: str, key: str, name: str) -> str:
    if _PLAIN_NAME.fullmatch(name) and not (mark == "#" and name.isdigit()):
        return f"{mark}{name}"
    return f"{key}:{quote_value(name)}"


def _format_search(words: str) -> _Piece:
    if _PLAIN_WORD.fullmatch(words) and fold_case(words) not in RESERVED:
        return _Piece(words, is_bare=True)
    return _Piece(quote_value(words))


def _format_days(term: WithinDays) -> _Piece:
    head = _DAY_WORDS[term.of]
    if term.words:
        return _format_day_words(f"{head}{_SENSE_WORDS[term.sense]}", term.words)
    if term.first is None:
        return (
            _Piece(f"{head}:any")
            if term.last is None
            else _format_day_words(f"{head}.by", _day(term.last))
        )
    if term.last is None:
        return _format_day_words(f"{head}.since", _day(term.first))
    if term.first == term.last:
        return _format_day_words(head, _day(term.first))
    if term.first > term.last:
        return _Piece(f"({head}.since:{_day(term.first)} {head}.by:{_day(term.last)})")
    return _format_day_words(head, f"{_day(term.first)} to {_day(term.last)}")


def _format_moment(term: BeforeOrAfter) -> _Piece:
    head = _DAY_WORDS[term.of]
    modifier = (
        (".by" if term.inclusive else ".before")
        if term.before
        else (".since" if term.inclusive else ".after")
    )
    return _format_day_words(f"{head}{modifier}", term.words or f"{term.moment:%Y-%m-%d %H:%M}")


def _format_day_words(head: str, words: str) -> _Piece:
    closed = f"{head}:{quote_value(words)}"
    if _PLAIN_DAY.fullmatch(words) and fold_case(words) not in NONE | ANY:
        return _Piece(f"{head}:{words}", closed=closed)
    return _Piece(closed)


def _day(day: date) -> str:
    return day.isoformat()
