"""A filter as an editor shows it: what each stretch of it is, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.filter_grammar import FilterReader
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem
from todo_tui.domain.filter_query import Query
from todo_tui.domain.filter_scope import with_default_scope
from todo_tui.domain.filter_tokens import TokenKind
from todo_tui.domain.when import DateStyle


class FilterToken(NamedTuple):
    """A stretch of the text from `start` up to `end`, and what it is."""

    start: int
    end: int
    kind: TokenKind


@dataclass(frozen=True, slots=True)
class FilterReading:
    """All there is to say about a text.

    Where there are `problems`, `query` is what is left without the words of each.
    `doubts` are no problems, but names that no task has; each says what was perhaps meant.
    """

    query: Query
    tokens: tuple[FilterToken, ...]
    problems: tuple[FilterProblem, ...]
    doubts: tuple[FilterProblem, ...]


def examine(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> FilterReading:
    """Read a text of one plain line, however wrong it is; places count its characters.

    With `names`, projects and tags that no task has are doubted.
    """
    reader = FilterReader(text, now, style, names, patient=True)
    wanted = with_default_scope(reader.read())
    return FilterReading(
        Query(wanted, reader.sort, reader.group),
        tuple(_tokens(reader)),
        tuple(sorted(reader.problems, key=lambda found: found.position)),
        tuple(reader.doubts),
    )


def _tokens(reader: FilterReader) -> Iterator[FilterToken]:
    kinds, values = reader.cursor.kinds, reader.cursor.values
    for word in reader.words:
        kind = kinds.get(word.position, TokenKind.SEARCH)
        value = word.position + values.get(word.position, 0)
        if kind is TokenKind.MISTAKE or value == word.position:
            yield FilterToken(word.position, word.end, kind)
            continue
        yield FilterToken(word.position, value, TokenKind.KEY)
        if value < word.end:
            yield FilterToken(value, word.end, kind)
