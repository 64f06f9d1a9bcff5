"""Filters as they are typed in a shell: read, and where wrong, shown with the place."""

from __future__ import annotations

import click

from todo_tui.cli.output import complain
from todo_tui.cli.session import Session
from todo_tui.domain.filter_query import Query
from todo_tui.domain.text import plain_line

_FAILED = 1


def read_query(session: Session, text: str) -> Query:
    """Read a filter; a mistake is complained of with its place, and ends the command.

    Raises:
        Exit: the filter cannot be read.
    """
    # A list without a filter does without the grammar.
    if not text:
        return Query()
    from todo_tui.domain.filter_problem import FilterProblem

    try:
        return session.store.read_query(text)
    except FilterProblem as found:
        complain(found, place=_place(plain_line(text), found.position, found.word))
        raise click.exceptions.Exit(_FAILED) from found


def _place(text: str, position: int, word: str) -> tuple[str, ...]:
    """The text with the word underlined; nothing where the word is all of it."""
    if not word or word == text:
        return ()
    from rich.cells import cell_len

    return text, " " * cell_len(text[:position]) + "^" * cell_len(word)


def what_was_meant(session: Session, text: str) -> str:
    """What names in a filter that no task has were perhaps meant for; empty if nothing."""
    from todo_tui.domain.filter_highlights import examine

    reading = examine(
        plain_line(text),
        session.clock.now(),
        session.settings.dates,
        session.store.filter_names(),
    )
    hints = dict.fromkeys(doubt.hint for doubt in reading.doubts if doubt.hint)
    return " ".join(hints)
