"""Filters said back in words."""

from __future__ import annotations

from datetime import date
from typing import assert_never

from todo_tui.domain.filter_query import Grouping, Query, SortTerm
from todo_tui.domain.filter_scope import NOT_IN_TRASH
from todo_tui.domain.filter_terms import (
    And,
    Below,
    ChildOf,
    Filter,
    Has,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    Not,
    Or,
    PriorityWithin,
    Says,
    Side,
    Single,
    State,
    TaskField,
    Within,
)
from todo_tui.domain.task import Priority


def describe(wanted: Filter, today: date | None = None) -> str:
    """The filter as a person would say it: `open · due this week · in work`.

    Days of other years than that of `today` are told with their year.
    """
    return _described(wanted, today, top=True)


def describe_order(query: Query) -> str:
    """The order and headings as a person would say them."""
    said = []
    if query.sort:
        said.append(f"by {', '.join(map(_sorted_by, query.sort))}")
    if query.group is not None and query.group is not Grouping.NONE:
        said.append(f"under headings by {query.group.value}")
    return " · ".join(said)


def _sorted_by(term: SortTerm) -> str:
    name = term.field.value
    return name if term.descending is term.field.highest_first else f"{name} reversed"


def _described(term: Filter, today: date | None, *, top: bool = False) -> str:
    match term:
        case And(parts):
            return _all_described(parts, today, top=top)
        case Or(parts):
            said = " or ".join(_described(part, today) for part in parts)
            return said if top else f"({said})"
        case Not(Has(field)):
            return f"no {field.value}"
        case Not(part):
            return f"not {_described(part, today)}"
        case _:
            return _single(term, today)


def _single(term: Single, today: date | None) -> str:  # noqa: C901 - one case a kind of term
    match term:
        case HasId(number):
            return f"#{number}"
        case HasIds(stretches):
            return ", ".join(_numbers(first, last) for first, last in stretches)
        case ChildOf(number):
            return f"child of #{number}"
        case Below(number):
            return f"under #{number}"
        case InProject(name):
            return f"in {name}"
        case HasTag(name):
            return f"tagged {name}"
        case HasPriority(priority):
            return f"{priority.value} priority"
        case PriorityWithin():
            return f"{_priorities(term)} priority"
        case Has(field):
            return "repeating" if field is TaskField.RECURRENCE else f"with {field.value}"
        case Within(field, first, last, words):
            return f"{field.value} {_days(first, last, words, today)}"
        case Side():
            return _moment(term, today)
        case HasStatus(status):
            return status.value
        case InTrash():
            return "in the trash"
        case State():
            return term.word
        case Says(words):
            return f"“{words}”"
        case _:
            assert_never(term)


def _all_described(parts: tuple[Filter, ...], today: date | None, *, top: bool) -> str:
    # That the trash is left out goes without saying.
    telling = [part for part in parts if part != NOT_IN_TRASH]
    if len(telling) == 1:
        return _described(telling[0], today, top=top)
    said = [_described(part, today) for part in telling]
    return " · ".join(said) if top else f"({' and '.join(said)})"


def _numbers(first: int, last: int) -> str:
    return f"#{first}" if first == last else f"#{first}–{last}"


def _priorities(term: PriorityWithin) -> str:
    names = ["no" if each is None else each.value for each in term.priorities]
    if term.highest is Priority.HIGH:
        names.reverse()
    return " or ".join(names)


def _days(first: date | None, last: date | None, words: str, today: date | None) -> str:
    if first is not None and first == last:
        day = _day(first, today)
        return f"{words} ({day})" if words else day
    if first is not None and last is not None:
        span = f"{_day(first, today)} – {_day(last, today)}"
        return f"{words} ({span})" if words else span
    if last is not None:
        return f"until {_day(last, today)}"
    return "any day" if first is None else f"from {_day(first, today)}"


def _moment(term: Side, today: date | None) -> str:
    strict, loose = ("before", "by") if term.before else ("after", "since")
    side = loose if term.inclusive else strict
    return f"{term.of.value} {side} {_day(term.moment, today)} {term.moment:%H:%M}"


def _day(day: date, today: date | None) -> str:
    year = "" if today is None or day.year == today.year else f" {day.year}"
    return f"{day:%a} {day.day} {day:%b}{year}"
