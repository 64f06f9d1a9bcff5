"""Arguments and options that several commands share, and the parameter types of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import click

from todo_tui.cli.completers import (
    ShellCompleter,
    complete_conversations,
    complete_filter,
    complete_tasks,
)
from todo_tui.cli.task_scope import TaskScope
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import MAX_ID

Decorated = TypeVar("Decorated", bound=Callable[..., object])
_ID = re.compile(r"#?[0-9]+")
_ID_RANGE = re.compile(r"(?P<first>#?[0-9]+)(?:-(?P<last>#?[0-9]+))?")
_MAX_IDS = 1_000
"""Ids in one range."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""`--json`, for a result as JSON."""


class TextType(click.ParamType[str]):
    """Text; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the text; Python escapes such bytes in arguments as surrogates."""
        return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


TEXT = TextType()


class TaskId(click.ParamType[int]):
    """`3` or `#3`."""

    name = "id"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the id, like `parse_task_id`."""
        return parse_task_id(str(value))


def parse_task_id(text: str) -> int:
    """Return the id in `3` or `#3`.

    Raises:
        ValidationError: the text is not an id.
        NotFound: the number is larger than any id.
    """
    text = text.strip()
    if not _ID.fullmatch(text):
        raise ValidationError(f"“{text}” is not a task id.", hint="Use an id such as 3 or #3.")
    number = text.lstrip("#")
    if len(number.lstrip("0")) > len(str(MAX_ID)) or int(number) > MAX_ID:
        raise NotFound(f"There is no task #{number[:20]}.")
    return int(number)


def continue_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add `--continue`, for the newest conversation, with this help."""
    return click.option("--continue", "continues", is_flag=True, help=text)


def conversation_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add `--conversation`, for one by its id, with this help."""
    return click.option(
        "--conversation",
        "conversation",
        metavar="ID",
        help=text,
        shell_complete=complete_conversations,
    )


class Targets(NamedTuple):
    """Tasks as typed: ids, or words of a title in the scope."""

    ids: tuple[int, ...]
    title: str
    scope: TaskScope


def targets_argument(
    scope: TaskScope, *, required: bool = True
) -> Callable[[Decorated], Decorated]:
    """Add the argument for tasks: ids, ranges of ids, or one title in several words."""
    return click.argument(
        "targets",
        metavar="TASK..." if required else "[TASK]...",
        nargs=-1,
        type=TEXT,
        required=required,
        callback=lambda context, parameter, words: _read_targets(words, scope),
        shell_complete=partial(complete_tasks, scope=scope),
    )


def target_argument(*, required: bool = True) -> Callable[[Decorated], Decorated]:
    """Add the argument for one task: an id, or a title in one word or in quotes."""
    return click.argument(
        "target",
        metavar="TASK" if required else "[TASK]",
        type=TEXT,
        required=required,
        callback=lambda context, parameter, word: None if word is None else _read_target(word),
        shell_complete=partial(complete_tasks, scope=TaskScope.ANY),
    )


def _read_targets(words: Sequence[str], scope: TaskScope) -> Targets:
    """Read ids and ranges of ids, or a title if any word is something else."""
    ids: dict[int, None] = {}
    for match in map(_ID_RANGE.fullmatch, words):
        if match is None:
            return Targets((), " ".join(words).strip(), scope)
        first = parse_task_id(match["first"])
        last = first if match["last"] is None else parse_task_id(match["last"])
        if abs(last - first) >= _MAX_IDS:
            raise ValidationError(
                f"“{match[0]}” is a range of more than {_MAX_IDS:,} ids.",
                hint="Use a smaller range.",
            )
        ids |= dict.fromkeys(range(min(first, last), max(first, last) + 1))
    return Targets(tuple(ids), "", scope)


def _read_target(word: str) -> Targets:
    word = word.strip()
    if _ID.fullmatch(word):
        return Targets((parse_task_id(word),), "", TaskScope.ANY)
    return Targets((), word, TaskScope.ANY)


def find_ids(session: CliSession, targets: Targets) -> tuple[int, ...]:
    """Return the ids of tasks as typed; a title must match exactly one task of the scope.

    Raises:
        NotFound: no task matches.
        Conflict: several tasks match.
    """
    if targets.ids:
        return targets.ids
    context = click.get_current_context()
    if not targets.title:
        raise click.UsageError("Task missing. Type an id or words of a title.", context)
    from todo_tui.cli.title_search import find_task_by_title  # 12 ms: ids need no search

    command = context.command_path
    return (find_task_by_title(session.store, targets.title, targets.scope, command),)


def find_id(session: CliSession, target: Targets) -> int:
    """Return the id of one task, like `find_ids`."""
    return find_ids(session, target)[0]


def text_argument(
    name: str, metavar: str, completer: ShellCompleter | None = None, *, required: bool = False
) -> Callable[[Decorated], Decorated]:
    """Add an argument whose words are joined to one text."""
    return click.argument(
        name,
        metavar=f"{metavar}..." if required else f"[{metavar}]...",
        nargs=-1,
        type=TEXT,
        required=required,
        callback=lambda context, parameter, words: " ".join(words).strip(),
        shell_complete=completer,
    )


def filter_argument(*, required: bool = False) -> Callable[[Decorated], Decorated]:
    """Add the argument `filter_text`."""
    return text_argument("filter_text", "FILTER", complete_filter, required=required)


def children_options(command: Decorated) -> Decorated:
    """Add the options for the open subtasks of a task that is closed; None if not given."""
    leave = "Leave subtasks open; those of recurring tasks are rescheduled."
    close = "Complete or cancel open subtasks too."
    command = click.option("--leave-children", "children", flag_value="leave", help=leave)(command)
    return click.option("--with-children", "children", flag_value="close", help=close)(command)
