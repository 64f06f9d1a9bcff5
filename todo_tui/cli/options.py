"""Base classes of commands, common options, task ids."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from todo_tui.cli.session import CliSession
from todo_tui.domain.errors import NotFound

Decorated = TypeVar("Decorated", bound=Callable[..., object])
_LARGEST_ID = 2**63 - 1
"""What SQLite can hold; no task lies beyond."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""Whether the result is printed as JSON."""
_MOST_DAYS = 36_600


class TodoCommand(click.Command):
    """A command that takes the common options too, where it has none of its own of that name."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]  # handed on as they came
        own = {name for parameter in self.params for name in parameter.opts}
        common = [each for each in common_options() if not own & set(each.opts)]
        self.params = [*self.params, *common]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse mistyped options, which would else become words."""
        if ctx.ignore_unknown_options:
            known = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            typed = args[: args.index("--")] if "--" in args else args
            for word in typed:
                option = re.fullmatch(r"(--?[A-Za-z][\w-]*)(=.*)?", word, re.DOTALL)
                if option and option[1] not in known:
                    raise click.NoSuchOption(option[1], possibilities=sorted(known), ctx=ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options first, the common ones apart."""
        common = {parameter.name for parameter in common_options()} | {"help"}
        own: list[tuple[str, str]] = []
        shared: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                (shared if parameter.name in common else own).append(record)
        for title, records in (("Options", own), ("Common options", shared)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def command(
    name: str,
    *,
    cls: type[TodoCommand] = TodoCommand,
    group: click.Group | None = None,
    free_words: bool = False,
    short_help: str | None = None,
    params: list[click.Parameter] | None = None,
) -> Callable[[Callable[..., object]], click.Command]:
    """Make a function, which is given the session first, a command of that name.

    With `free_words` its words may begin with a dash (`add "-5 degrees"`), as long as they
    do not look like an option. `short_help` is for the list of a group; the commands at
    the top have theirs in the table of commands.
    """

    def decorate(function: Callable[..., object]) -> click.Command:
        made = click.command(
            name,
            cls=cls,
            context_settings={"ignore_unknown_options": free_words},
            short_help=short_help,
            params=params,
        )(click.pass_obj(function))
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
        if not re.fullmatch(r"#?[0-9]+", text):
            self.fail(f"{text!r} is not a task id. Use an id such as 3 or #3.", param, ctx)
        number = text.lstrip("#")
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
        click.Option([name], metavar=metavar, help=text, callback=_keep, expose_value=False)
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


def days_option(usual: int) -> Callable[[Decorated], Decorated]:
    """Add the option for the number of days to look back, today included."""
    return click.option(
        "--days",
        "days",
        type=click.IntRange(1, _MOST_DAYS),
        default=usual,
        metavar="N",
        help=f"Number of days, up to today (default: {usual}).",
    )


def continue_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add the option for the last conversation, with that help."""
    return click.option("--continue", "goes_on", is_flag=True, help=text)


def conversation_option(text: str) -> Callable[[Decorated], Decorated]:
    """Add the option for a conversation by its id, with that help."""
    return click.option("--conversation", "conversation", metavar="ID", help=text)


ids_argument = click.argument(
    "ids",
    metavar="ID...",
    nargs=-1,
    required=True,
    type=TaskId(),
    callback=lambda context, parameter, ids: tuple(dict.fromkeys(ids)),
)
"""One or more task ids, each once."""


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
        session.flags = replace(session.flags, **{str(parameter.name): value})


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
        """Find the command; what was typed in its place is not repeated, it may be a key."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(f"Unknown command. Choose one of: {', '.join(self.commands)}.")
        return super().resolve_command(ctx, args)
