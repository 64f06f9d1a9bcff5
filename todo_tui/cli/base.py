"""Base classes of commands and groups, which take the common options; rows of their help."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple, NoReturn

import click

from todo_tui.cli.completers import complete_providers
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.text import similar

_AS_JSON, _YES, _DRY_RUN, _QUIET = "as_json", "yes", "dry_run", "quiet"
"""Names of parameters."""
_dry_run_option = click.Option(
    ["--dry-run"], is_flag=True, help="Print what would change, and change nothing."
)
_quiet_option = click.Option(["--quiet"], is_flag=True, help="Print only the ids of the tasks.")
FILE = click.Path(readable=False)
"""A file that the shell completes; what cannot be used is found when it is used."""
_RANGE = re.compile(r"\s\[[0-9<>=x]+\]$")
_TARGET_HELP = {
    "target": "An id (3) or the title of a task; quote several words.",
    "targets": "Ids (3 5-7), or the title of one task (buy milk).",
}
"""By the name of the argument."""


class TodoCommand(click.Command):
    """A command that takes the common options too, where it has none of its own of that name.

    With `free_words` its words may begin with a dash (`add "-5 degrees"`), as long as they do
    not look like an option. One that `only_reads` creates no database. One that `writes` to the
    database, and nowhere else, takes `--dry-run`; one that `writes_tasks` also `--quiet`,
    as one that `lists_tasks`. One that `writes_elsewhere` takes `--dry-run` too, and heeds
    `is_dry_run` of the session itself.
    """

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - handed on as they came
        free_words: bool = False,
        only_reads: bool = False,
        writes: bool = False,
        writes_tasks: bool = False,
        writes_elsewhere: bool = False,
        lists_tasks: bool = False,
        **settings: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*args, **settings)
        self.ignore_unknown_options = free_words
        self.only_reads = only_reads
        self.writes_elsewhere = writes_elsewhere
        if writes or writes_tasks or writes_elsewhere:
            self.params = [*self.params, _dry_run_option]
        if writes_tasks or lists_tasks:
            self.params = [*self.params, _quiet_option]
        own = {name for parameter in self.params for name in parameter.opts}
        common = [option for option in COMMON_OPTIONS if own.isdisjoint(option.opts)]
        self.params = [*self.params, *common]

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one that only reads, or a dry run, works without a database."""
        is_dry_run = ctx.params.pop(_DRY_RUN, False) if _dry_run_option in self.params else False
        is_quiet = ctx.params.pop(_QUIET, False)
        ctx.obj.may_create = not (self.only_reads or is_dry_run)
        ctx.obj.is_dry_run = is_dry_run
        if is_quiet:
            ctx.params[_AS_JSON] = True
        with messages.printing(ids=is_quiet, dry_run=is_dry_run):
            if not is_dry_run:
                return super().invoke(ctx)
            if self.writes_elsewhere:
                outcome = super().invoke(ctx)
            else:
                if _YES in ctx.params:
                    # Nothing happens that could be confirmed, and the database is locked.
                    ctx.params[_YES] = True
                with ctx.obj.store.transaction(dry_run=True):
                    outcome = super().invoke(ctx)
        messages.print_note("Dry run: nothing was changed.")
        return outcome

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
        """Write how tasks are named, the command's own options, then the common ones."""
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
    records = HelpRecords([], [], [])
    for parameter in context.command.get_params(context):
        if isinstance(parameter, click.Argument):
            if parameter.name in _TARGET_HELP:
                records.arguments.append(("TASK", _TARGET_HELP[parameter.name]))
        elif record := parameter.get_help_record(context):
            is_common = parameter in COMMON_OPTIONS or "--help" in parameter.opts
            # Without the range that click appends to numbers: `[x>=1]`.
            row = (record[0], _RANGE.sub("", record[1]))
            (records.common if is_common else records.options).append(row)
    return records


class TodoGroup(TodoCommand, click.Group):
    """A command that only leads to others; help lists them in the order of the source."""

    command_class = TodoCommand
    repeats_words = True
    """False if a word in place of a command may be a key, which no error may show."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in their order."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the commands where one is missing."""
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            ctx.fail(f"Missing command. {self._choices}")
        return super().parse_args(ctx, args)

    @property
    def _choices(self) -> str:
        return f"Choose one of: {', '.join(self.commands)}."

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; suggest a similar one if there is none."""
        is_known = args[0] in self.commands or args[0].startswith("-")
        if not is_known and not ctx.resilient_parsing:
            typed = args[0] if self.repeats_words else ""
            fail_unknown_command(ctx, typed, self.commands, self._choices, intended=args[0])
        return super().resolve_command(ctx, args)


def fail_unknown_command(
    context: click.Context, typed: str, names: Iterable[str], advice: str, *, intended: str = ""
) -> NoReturn:
    """Refuse a command; suggest the name similar to `intended`, else to `typed`, else the advice.

    An empty `typed` is not shown.
    """
    close = similar(intended or typed, names, most=1)
    command = f"Unknown command {typed!r}." if typed else "Unknown command."
    context.fail(f"{command} {f'Did you mean `{close[0]}`?' if close else advice}")


def _store_flag(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Store the value of a common option in the session's flags; the last one counts."""
    if value is None:
        return
    if not value.strip():
        raise click.BadParameter("the value is empty.", context, parameter)
    session = context.find_object(CliSession)
    if session is not None:
        session.flags = session.flags._replace(**{str(parameter.name): value})


def _print_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"todo-tui {version()}")
        context.exit()


def version() -> str:
    """Return the installed version."""
    from importlib import metadata  # 25 ms: more than most commands take

    try:
        return metadata.version("todo-tui")
    except metadata.PackageNotFoundError:
        return "unknown"


_common_option = partial(click.Option, callback=_store_flag, expose_value=False)
COMMON_OPTIONS: tuple[click.Parameter, ...] = (
    _common_option(["--db"], metavar="PATH", type=FILE, help="Database file."),
    _common_option(["--user"], metavar="NAME", help="User whose tasks to use."),
    _common_option(
        ["--provider"],
        metavar="ID",
        shell_complete=complete_providers,
        help="Provider; list them with `todo-tui providers`.",
    ),
    _common_option(["--model"], metavar="NAME", help="Model."),
    _common_option(["--config"], metavar="FILE", type=FILE, help="Configuration file."),
    click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show version and exit.",
    ),
)
"""Options that may stand before or after any command."""
