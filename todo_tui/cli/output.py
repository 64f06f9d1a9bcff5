"""What reaches the two streams: results on one, everything else on the other, all of it text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line


def say(line: str) -> None:
    """Print one line of result."""
    sys.stdout.write(plain_line(line) + "\n")


def note(line: str) -> None:
    """Print one line that is no result: a warning, a hint, what goes on."""
    sys.stdout.flush()
    sys.stderr.write(plain_line(line) + "\n")
    sys.stderr.flush()


def remark(words: str) -> None:
    """Print how the person's words were understood, where they may not expect it."""
    note(f"Note: {words.rstrip('.')}.")


def complain(error: TodoError, *, place: Sequence[str] = ()) -> None:
    """Say what happened, where (if lines show the place), and what to do next."""
    note(f"todo-tui: {error.message}")
    for line in place:
        note(f"  {line}")
    if error.hint:
        note(f"  {error.hint}")


def print_json(value: JsonValue) -> None:
    """Print one JSON value for programs, with nothing in it that a terminal would obey."""
    # Only for programs: people do without the import.
    from todo_tui.formats.json_text import json_text

    sys.stdout.write(json_text(value, indent=2) + "\n")


def print_tasks_json(tasks: Iterable[Task]) -> None:
    """Print the array of tasks in their JSON form."""
    print_json([task.to_json() for task in tasks])
