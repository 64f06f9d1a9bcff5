"""Filters of the task list: read from words, held against a task, said back in words."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.filter_description import describe
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_terms import Filter, with_default_scope
from todo_tui.domain.filter_words import FilterProblem, read_filter
from todo_tui.domain.when import DateStyle

__all__ = ["Filter", "FilterProblem", "describe", "matches", "parse_filter"]


def parse_filter(text: str, now: datetime, style: DateStyle) -> Filter:
    """Read a filter; `now` is naive and local. An empty text asks for the open tasks.

    Raises:
        FilterProblem: a word stands where it cannot, or its value is none that fits.
    """
    return with_default_scope(read_filter(text, now, style))
