"""Base classes of commands, common options, task ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

import click

from todo_tui.cli.session import CliSession
from todo_tui.config.file import closest_name
from todo_tui.domain.errors import NotFound, ValidationError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Decorated = TypeVar("Decorated", bound=Callable[..., object])
ShellCompleter = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]
_LARGEST_ID = 2**63 - 1
"""What SQLite can hold; no task lies beyond."""
_ID = re.compile(r"#?[0-9]+")
_ID_RANGE = re.compile(r"(?P<first>#?[0-9]+)(?:-(?P<last>#?[0-9]+))?")
_RANGE = re.compile(r"\s\[[0-9<>=x]+\]$")
_MOST_IDS = 1_000
"""Ids in one range."""
_TARGET_HELP = {
    "target": "An id (3) or the title of a task; quote several words.",
    "targets": "Ids (3 5-7), or the title of one task (buy milk).",
}
"""By the name of the argument."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""Whether the result is printed as JSON."""


class TodoCommand(click.Command):
    """A command that takes the common options too, where it has none of its own of that name."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]  # handed on as they came
        own = {name for parameter in self.params for name in parameter.opts}
        common = [each for each in common_options() if not own & set(each.opts)]
        self.params = [*self.params, *common]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse mistyped options, which would else become words."""
        if ctx.ignore_unknown_options and not ctx.resilient_parsing:
            known = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            typed = args[: args.index("--")] if "--" in args else args
            for word in typed:
                option = re.fullmatch(r"(--?[A-Za-z][\w-]*)(=.*)?", word, re.DOTALL)
                if option and option[1] not in known:
                    raise click.NoSuchOption(option[1], possibilities=sorted(known), ctx=ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Explain how tasks are named, then list the command's own and the common options."""
        records = read_help_records(ctx)
        sections = zip(("Arguments", "Options", "Common options"), records, strict=True)
        for title, rows in sections:
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class HelpRecords(NamedTuple):
    """Rows of the help of a command: name and text."""

    arguments: list[tuple[str, str]]
    options: list[tuple[str, str]]
    common: list[tuple[str, str]]


def read_help_records(context: click.Context) -> HelpRecords:
    """Return the rows for the command of a context."""
    common = {parameter.name for parameter in common_options()}
    records = HelpRecords([], [], [])
    for parameter in context.command.get_params(context):
        if isinstance(parameter, click.Argument):
            if parameter.name in _TARGET_HELP:
                records.arguments.append(("TASK", _TARGET_HELP[parameter.name]))
        elif record := parameter.get_help_record(context):
            is_common = parameter.name in common or "--help" in parameter.opts
            # Without the range that click appends to numbers: `[x>=1]`.
            row = (record[0], _RANGE.sub("", record[1]))
            (records.common if is_common else records.options).append(row)
    return records


def command(
    name: str,
    *,
    cls: type[TodoCommand] = TodoCommand,
    group: click.Group | None = None,
    free_words: bool = False,
    only_reads: bool = False,
    short_help: str | None = None,
    params: list[click.Parameter] | None = None,
) -> Callable[[Callable[..., object]], click.Command]:
    """Make a function, which is given the session first, a command of that name.

    With `free_words` its words may begin with a dash (`add "-5 degrees"`), as long as they
    do not look like an option. One that `only_reads` creates no database. `short_help` is for
    the list of a group; the commands at the top have theirs in the table of commands.
    """

    def decorate(function: Callable[..., object]) -> click.Command:
        @wraps(function)
        def run(session: CliSession, *args: object, **values: object) -> object:
            session.may_create = not only_reads
            return function(session, *args, **values)

        made = click.command(
            name,
            cls=cls,
            context_settings={"ignore_unknown_options": free_words},
            short_help=short_help,
            params=params,
        )(click.pass_obj(run))
        if group is not None:
            group.add_command(made)
        return made

    return decorate


class TaskId(click.ParamType[int]):
    """`3` or `#3`."""

    name = "id"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read the id; one that no task can have is not found.

        Raises:
            NotFound: the number is larger than any id.
        """
        text = str(value).strip()
        if not _ID.fullmatch(text):
            self.fail(f"{text!r} is not a task id. Use an id such as 3 or #3.", param, ctx)
        return parse_task_id(text)


def parse_task_id(text: str) -> int:
    """Parse `3` or `#3`.

    Raises:
        NotFound: the number is larger than any id.
    """
    number = text.strip().lstrip("#")
    if len(number.lstrip("0")) > len(str(_LARGEST_ID)) or int(number) > _LARGEST_ID:
        raise NotFound(f"There is no task #{number[:20]}.")
    return int(number)


def common_options() -> list[click.Parameter]:
    """The options that may stand before or after any command."""
    described = (
        ("--db", "PATH", "Database file."),
        ("--user", "NAME", "User whose tasks to use."),
        ("--provider", "ID", "Provider; list them with `todo-tui providers`."),
        ("--model", "NAME", "Model."),
        ("--config", "FILE", "Configuration file."),
    )
    options: list[click.Parameter] = [
        click.Option(
            [name],
            metavar=metavar,
            help=text,
            callback=_keep,
            expose_value=False,
            shell_complete=_OPTION_COMPLETERS.get(name),
        )
        for name, metavar, text in described
    ]
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show version and exit.",
    )
    return [*options, version]


def continue_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add the option for the last conversation, with that help."""
    return click.option("--continue", "goes_on", is_flag=True, help=text)


def conversation_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add the option for a conversation by its id, with that help."""
    return click.option(
        "--conversation",
        "conversation",
        metavar="ID",
        help=text,
        shell_complete=complete_with("conversations"),
    )


class TaskScope(StrEnum):
    """Tasks that a command applies to, among which it looks for a title."""

    OPEN = "open task"
    RECURRING = "open recurring task"
    CLOSED = "completed, cancelled or deleted task"
    TRASH = "deleted task"
    KEPT = "task outside the trash"
    """Open tasks first."""
    ANY = "task"
    """Open tasks first."""


class Targets(NamedTuple):
    """Tasks as typed: ids, or the words of a title in the scope."""

    ids: tuple[int, ...]
    words: str
    scope: TaskScope


def targets_argument(
    scope: TaskScope, *, required: bool = True
) -> Callable[[Decorated], Decorated]:
    """Add the argument for tasks: ids, ranges of ids, or one title in several words."""
    return click.argument(
        "targets",
        metavar="TASK..." if required else "[TASK]...",
        nargs=-1,
        required=required,
        callback=lambda context, parameter, words: _read_targets(words, scope),
        shell_complete=complete_with("tasks", scope),
    )


def target_argument(scope: TaskScope = TaskScope.ANY) -> Callable[[Decorated], Decorated]:
    """Add the argument for one task: an id, or a title in one word or in quotes."""
    return click.argument(
        "target",
        metavar="TASK",
        callback=lambda context, parameter, word: _read_target(word, scope),
        shell_complete=complete_with("tasks", scope),
    )


def _read_targets(words: Sequence[str], scope: TaskScope) -> Targets:
    """Read ids and ranges of ids; a title if any word is something else."""
    ids: dict[int, None] = {}
    for found in map(_ID_RANGE.fullmatch, words):
        if found is None:
            return Targets((), join_words(tuple(words)), scope)
        first = parse_task_id(found["first"])
        last = first if found["last"] is None else parse_task_id(found["last"])
        if abs(last - first) >= _MOST_IDS:
            raise ValidationError(
                f"“{found[0]}” is a range of more than {_MOST_IDS:,} ids.",
                hint="Use a smaller range.",
            )
        ids |= dict.fromkeys(range(min(first, last), max(first, last) + 1))
    return Targets(tuple(ids), "", scope)


def _read_target(word: str, scope: TaskScope) -> Targets:
    if _ID.fullmatch(word.strip()):
        return Targets((parse_task_id(word),), "", scope)
    return Targets((), join_words((word,)), scope)


def find_ids(session: CliSession, targets: Targets) -> tuple[int, ...]:
    """Return the ids of tasks as typed; a title must match exactly one task of the scope.

    Raises:
        NotFound: No task matches.
        Conflict: Several tasks match.
    """
    if targets.ids:
        return targets.ids
    context = click.get_current_context()
    if not targets.words:
        raise click.UsageError("Task missing. Type an id or words of a title.", context)
    from todo_tui.cli.targets import find_task_by_title  # 12 ms: ids need no search

    command = context.command_path
    return (find_task_by_title(session.store, targets.words, targets.scope, command),)


def find_id(session: CliSession, target: Targets) -> int:
    """Return the id of one task, like `find_ids`."""
    return find_ids(session, target)[0]


def complete_with(name: str, *args: object) -> ShellCompleter:
    """Return a completer that calls a function of `todo_tui.cli.completion`, by its name."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        from todo_tui.cli import completion  # only when a shell asks

        session = context.find_object(CliSession)
        assert session is not None  # noqa: S101 - set by `run`
        items = completion.COMPLETERS[name](session, incomplete, *args)
        if isinstance(parameter, click.Argument) and not incomplete.startswith("-"):
            # A view named `--db=x` would be read as an option.
            return [item for item in items if not item.value.startswith("-")]
        return items

    return complete


_OPTION_COMPLETERS = {
    "--db": complete_with("files"),
    "--config": complete_with("files"),
    "--provider": complete_with("providers"),
}


def filter_argument(*, required: bool = False) -> Callable[[Decorated], Decorated]:
    """Add the argument `words` for a filter."""
    return click.argument(
        "words",
        metavar="FILTER..." if required else "[FILTER]...",
        nargs=-1,
        required=required,
        shell_complete=complete_with("filter"),
    )


def children_options(command: Decorated) -> Decorated:
    """Add the options for the open subtasks of a task that is closed; None if not given."""
    leave = "Leave subtasks open; those of recurring tasks are rescheduled."
    for name, value, text in (
        ("--leave-children", "leave", leave),
        ("--with-children", "close", "Complete or cancel open subtasks too."),
    ):
        command = click.option(name, "children", flag_value=value, help=text)(command)
    return command


def join_words(words: tuple[str, ...]) -> str:
    """Words of several arguments as one text; bytes that are no UTF-8 become U+FFFD."""
    return _decoded(" ".join(words)).strip()


def option_text(
    context: click.Context, parameter: click.Parameter, value: str | tuple[str, ...] | None
) -> str | tuple[str, ...] | None:
    """The words of an option as text, as `joined` does; the callback of worded options."""
    if isinstance(value, tuple):
        return tuple(map(_decoded, value))
    return None if value is None else _decoded(value)


def _decoded(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _keep(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Keep a common option wherever it was typed; the last one counts."""
    if value is None:
        return
    if not value.strip():
        raise click.BadParameter("the value is empty.", context, parameter)
    session = context.find_object(CliSession)
    if session is not None:
        session.flags = session.flags._replace(**{str(parameter.name): value})


def _print_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo(f"todo-tui {version()}")
        context.exit()


def version() -> str:
    """The installed version; in a source tree that is not installed, the tree's."""
    from importlib import metadata  # 25 ms: more than most commands take

    try:
        return metadata.version("todo-tui")
    except metadata.PackageNotFoundError:
        try:
            project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
        except OSError:
            return "unknown"
        declared = re.search(r'^version = "(.*)"', project, re.MULTILINE)
        return declared[1] if declared else "unknown"


class TodoGroup(TodoCommand, click.Group):
    """A command that only leads to others; they are listed in the order of their making."""

    repeats_words = True
    """False if what is typed in place of a command may be a key, which no error shows."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in their order."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands where others have their options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest a similar one."""
        is_known = args[0] in self.commands or args[0].startswith("-")
        if not is_known and not ctx.resilient_parsing:
            typed = args[0] if self.repeats_words else ""
            known = f"Choose one of: {', '.join(self.commands)}."
            fail_unknown_command(ctx, typed, self.commands, known, meant=args[0])
        return super().resolve_command(ctx, args)


def fail_unknown_command(
    context: click.Context, typed: str, names: Iterable[str], advice: str, *, meant: str = ""
) -> NoReturn:
    """Refuse a command, with the similar one of the names, else the advice.

    What was typed is not shown if it is empty; `meant` is compared instead.
    """
    similar = closest_name((meant or typed).lower(), names)
    command = f"Unknown command {typed!r}." if typed else "Unknown command."
    context.fail(f"{command} {f'Did you mean `{similar}`?' if similar else advice}")
