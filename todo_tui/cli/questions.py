"""A question to whoever sits at the shell, before a command goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from todo_tui.cli.output import note
from todo_tui.domain.changes import Children
from todo_tui.domain.errors import OpenSubtasks
from todo_tui.domain.text import plain_line

Written = TypeVar("Written")

_LONGEST_ANSWER = 1024


def can_ask() -> bool:
    """Whether somebody sits at a terminal and reads what is asked there."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def answer_to(question: str) -> str:
    """The line that is typed, in lower case; empty where the terminal is closed."""
    _forget_what_was_typed()
    sys.stdout.flush()
    sys.stderr.write(f"{plain_line(question)} ")
    sys.stderr.flush()
    line = sys.stdin.readline(_LONGEST_ANSWER)
    if not line.endswith("\n"):
        sys.stderr.write("\n")
    return line.strip().lower()


def closed_with(write: Callable[[Children], Written], said: str | None) -> Written | None:
    """Close tasks, after asking what becomes of open subtasks if nobody `said` it.

    None where the answer was to leave all as it is.

    Raises:
        OpenSubtasks: nobody can be asked; its hint names the options.
    """
    if said is not None:
        return write(Children(said))
    try:
        return write(Children.ASK)
    except OpenSubtasks as question:
        if not can_ask():
            question.hint = "--with-children closes them too, --leave-children leaves them open."
            raise
        note(question.message)
    match answer_to("Close them too? [y]es, [l]eave them open, [N]either:"):
        case "y" | "yes":
            return write(Children.CLOSE)
        case "l" | "leave":
            return write(Children.LEAVE)
        case _:
            note("Nothing was changed.")
            return None


def _forget_what_was_typed() -> None:
    """A key that was pressed before the question is no answer to it."""
    try:
        # Windows has no such module.
        import termios
    except ImportError:
        return
    with suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
