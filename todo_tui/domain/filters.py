"""Filters of the task list: read from words, held against a task, said back in words."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.filter_description import describe
from todo_tui.domain.filter_grammar import parse_query
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem
from todo_tui.domain.filter_query import Query
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


def parse_filter(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Filter:
    """The condition alone of what `parse_query` reads.

    Raises:
        FilterProblem: as `parse_query`.
    """
    return parse_query(text, now, style, names).filter
