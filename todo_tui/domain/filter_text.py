"""Filters as text that can be typed back: in the filter box, and safe in a shell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, assert_never

from todo_tui.domain.filter_query import Query, SortTerm
from todo_tui.domain.filter_scope import NOT_IN_TRASH, with_default_scope
from todo_tui.domain.filter_terms import (
    EVERYTHING,
    And,
    Below,
    ChildOf,
    DayField,
    Filter,
    Has,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    IsOpen,
    Not,
    Or,
    PriorityWithin,
    Says,
    Side,
    Single,
    State,
    TaskField,
    Within,
    all_of,
)
from todo_tui.domain.filter_vocabulary import ANY, NONE, RESERVED
from todo_tui.domain.task import Priority
from todo_tui.domain.text import folded

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
"""Holds for every task and, other than `all`, says nothing of their status."""
_DAY_WORDS = {
    DayField.DUE: "due",
    DayField.START: "start",
    DayField.COMPLETED: "done",
    DayField.CREATED: "created",
    DayField.UPDATED: "updated",
}
_SENSE_WORDS = {"before": ".before", "after": ".after", "until": ".by", "since": ".since", "": ""}


class _Piece(NamedTuple):
    """A part of the text, and what it does to words beside it."""

    text: str
    is_bare: bool = False
    """Whether it begins with a word that the days before it could take for theirs."""
    closed: str = ""
    """What to write instead before a bare piece, which it would take for its own days."""


def query_text(query: Query) -> str:
    """The text of a whole query: its condition, then its order and headings."""
    parts = [filter_text(query.filter)]
    if query.sort:
        parts.append(f"sort:{sort_text(query.sort)}")
    if query.group is not None:
        parts.append(f"group:{query.group.value}")
    return " ".join(filter(None, parts))


def sort_text(sort: Sequence[SortTerm]) -> str:
    """What stands behind `sort:`; a sign only where the direction is not the usual one."""
    return ",".join(f"{term.field.value}{_sign(term)}" for term in sort)


def _sign(term: SortTerm) -> str:
    if term.descending is term.field.highest_first:
        return ""
    return "-" if term.descending else "+"


def filter_text(wanted: Filter) -> str:
    """The text that is read as this filter, at the same time and by the same names.

    Days keep the words in which a person said them, so that a saved filter goes with the
    calendar. What goes without saying (open tasks, outside the trash) is not said.
    """
    return _joined(_without_scope(wanted)).text


def _without_scope(wanted: Filter) -> Filter:
    """The shortest filter that the default scope completes to this one."""
    for shorter in (_bare(wanted, deep=True), _bare(wanted, deep=False)):
        if with_default_scope(shorter) == wanted:
            return shorter
    if isinstance(wanted, And) and wanted.parts[:1] == (NOT_IN_TRASH,):
        shorter = all_of(*wanted.parts[1:])
        if with_default_scope(shorter) == wanted:
            return shorter
    return wanted


def _bare(wanted: Filter, *, deep: bool) -> Filter:
    """A filter without what scopes are made of, also of its alternatives if `deep`."""
    match wanted:
        case And(parts):
            said = [part for part in parts if part not in (NOT_IN_TRASH, IsOpen())]
            return all_of(*(_bare(part, deep=True) for part in said) if deep else said)
        case Or(parts) if deep:
            return Or(tuple(_bare(part, deep=True) for part in parts))
        case IsOpen():
            return EVERYTHING
        case _:
            return wanted


def _joined(wanted: Filter) -> _Piece:
    """A filter at the top or in brackets, where words stand side by side."""
    match wanted:
        case And(parts):
            return _Piece(_side_by_side([_single(part) for part in parts]))
        case Or(parts) if parts:
            return _Piece(" or ".join(_side_by_side([_single(part)]) for part in parts))
        case _:
            return _single(wanted)


def _side_by_side(pieces: list[_Piece]) -> str:
    bare_behind = [*(piece.is_bare for piece in pieces), False][1:]
    return " ".join(
        piece.closed if piece.closed and bare else piece.text
        for piece, bare in zip(pieces, bare_behind, strict=True)
    )


def _single(term: Filter) -> _Piece:
    """A filter as one of several parts."""
    match term:
        case And(()):
            return _Piece(_EVERY_TASK)
        case Or(()):
            return _Piece(f"not {_EVERY_TASK}")
        case And() | Or():
            return _Piece(f"({_joined(term).text})")
        case Not(Has(field)):
            return _Piece(f"no {_FIELD_WORDS[field]}", is_bare=True)
        case Not(part):
            denied = _single(part)
            return _Piece(f"not {denied.text}", closed=denied.closed and f"not {denied.closed}")
        case _:
            return _term(term)


def _term(term: Single) -> _Piece:  # noqa: C901 - one case a kind of term
    match term:
        case HasId(number):
            return _Piece(f"#{number}")
        case HasIds(stretches):
            return _Piece(f"id:{','.join(_numbers(first, last) for first, last in stretches)}")
        case ChildOf(number):
            return _Piece(f"parent:{number}")
        case Below(number):
            return _Piece(f"under:{number}")
        case InProject(name):
            return _Piece(project_text(name))
        case HasTag(name):
            return _Piece(tag_text(name))
        case HasPriority(priority):
            return _Piece(f"!{priority.value}")
        case PriorityWithin():
            return _Piece(_priorities(term))
        case Has(TaskField.RECURRENCE):
            return _Piece("recurring", is_bare=True)
        case Has(field):
            return _Piece(f"has {_FIELD_WORDS[field]}", is_bare=True)
        case Within():
            return _days(term)
        case Side():
            return _moment(term)
        case HasStatus(status):
            return _Piece(status.value, is_bare=True, closed=f"status:{status.value}")
        case State():
            return _Piece(term.word, is_bare=True)
        case Says(words):
            return _search(words)
        case _:
            assert_never(term)


def _numbers(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _priorities(term: PriorityWithin) -> str:
    lowest = "none" if term.lowest is None else term.lowest.value
    highest = "none" if term.highest is None else term.highest.value
    if term.highest is Priority.HIGH:
        return f"priority.from:{lowest}"
    if term.lowest is None:
        return f"priority.to:{highest}"
    return f"(priority.from:{lowest} priority.to:{highest})"


def project_text(name: str) -> str:
    """`#work` where that is read as the name again, else `project:"…"`."""
    return _named("#", "project", name)


def tag_text(name: str) -> str:
    """`@home` where that is read as the name again, else `tag:"…"`."""
    return _named("@", "tag", name)


def view_text(name: str) -> str:
    """`view:week`, or `view:"my week"`."""
    return f"view:{name if _PLAIN_NAME.fullmatch(name) else quoted(name)}"


def quoted(text: str) -> str:
    """Text in quotation marks, which are told from its own by a backslash."""
    escaped = re.sub(r'(["“”]|\\(?=["“”\\]|$))', r"\\\1", text)
    return f'"{escaped}"'


def _named(mark: str, key: str, name: str) -> str:
    if _PLAIN_NAME.fullmatch(name) and not (mark == "#" and name.isdigit()):
        return f"{mark}{name}"
    return f"{key}:{quoted(name)}"


def _search(words: str) -> _Piece:
    if _PLAIN_WORD.fullmatch(words) and folded(words) not in RESERVED:
        return _Piece(words, is_bare=True)
    return _Piece(quoted(words))


def _days(term: Within) -> _Piece:
    head = _DAY_WORDS[term.of]
    if term.words:
        return _spoken(f"{head}{_SENSE_WORDS[term.sense]}", term.words)
    if term.first is None:
        return (
            _Piece(f"{head}:any") if term.last is None else _spoken(f"{head}.by", _day(term.last))
        )
    if term.last is None:
        return _spoken(f"{head}.since", _day(term.first))
    if term.first == term.last:
        return _spoken(head, _day(term.first))
    if term.first > term.last:
        return _Piece(f"({head}.since:{_day(term.first)} {head}.by:{_day(term.last)})")
    return _spoken(head, f"{_day(term.first)} to {_day(term.last)}")


def _moment(term: Side) -> _Piece:
    head = _DAY_WORDS[term.of]
    modifier = (
        (".by" if term.inclusive else ".before")
        if term.before
        else (".since" if term.inclusive else ".after")
    )
    return _spoken(f"{head}{modifier}", term.words or f"{term.moment:%Y-%m-%d %H:%M}")


def _spoken(head: str, words: str) -> _Piece:
    closed = f"{head}:{quoted(words)}"
    if _PLAIN_DAY.fullmatch(words) and folded(words) not in NONE | ANY:
        return _Piece(f"{head}:{words}", closed=closed)
    return _Piece(closed)


def _day(day: date) -> str:
    return day.isoformat()
