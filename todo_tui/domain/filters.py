"""Filters of the task list: read from words, held against a task, said back in words."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.filter_description import describe
from todo_tui.domain.filter_grammar import FilterReader
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem
from todo_tui.domain.filter_query import Query
from todo_tui.domain.filter_scope import with_default_scope
from todo_tui.domain.filter_terms import Filter
from todo_tui.domain.when import DateStyle

__all__ = [
    "Filter",
    "FilterNames",
    "FilterProblem",
    "Query",
    "describe",
    "matches",
    "parse_filter",
    "parse_query",
]


def parse_query(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Query:
    """Read a filter with its order and headings; an empty text asks for the open tasks.

    `now` is naive and local. `names` has the saved views that `view:` may mention.

    Raises:
        FilterProblem: a word stands where it cannot, or its value is none that fits.
    """
    reader = FilterReader(text, now, style, names)
    wanted = with_default_scope(reader.read())
    return Query(wanted, reader.sort, reader.group)


def parse_filter(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Filter:
    """The condition alone of what `parse_query` reads.

    Raises:
        FilterProblem: as `parse_query`.
    """
    return parse_query(text, now, style, names).filter
