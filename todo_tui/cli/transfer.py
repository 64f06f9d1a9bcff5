"""`import` and `export`: tasks from and to files, whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from todo_tui.cli.files import read_text, written_whole
from todo_tui.cli.options import TodoCommand, joined, json_option
from todo_tui.cli.output import note, print_tasks_json, say
from todo_tui.cli.session import Session
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters import parse_filter
from todo_tui.domain.task import Actor
from todo_tui.formats.registry import FORMATS, format_for

_WORTH_A_BAR = 2_000
"""Tasks from which on a progress bar is shown; fewer are there at once."""

format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice([each.id for each in FORMATS]),
    help="The format; without it, the file name tells.",
)


@click.command("import", cls=TodoCommand, short_help="Read tasks from a file.")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))
@format_option
@json_option
@click.pass_obj
def import_tasks(session: Session, file: Path, format_name: str | None, as_json: bool) -> None:
    """Read tasks from a file, or from standard input where FILE is -.

    All of them or none. A task whose uuid is here already is skipped, so that the
    same file can be imported again.
    """
    source = None if str(file) == "-" else file
    chosen = format_for(format_name, source)
    text = read_text(source)
    gesture = session.store.gesture(Actor.IMPORT)
    try:
        drafts = chosen.read(text)
        with _progress("Importing", len(drafts)) as advance:
            report = session.store.tasks.import_drafts(drafts, by=gesture, progress=advance)
    except ValidationError as error:
        name = "standard input" if source is None else str(file)
        raise ValidationError(f"{name}: {error.message}", hint=error.hint) from error
    for remark in report.remarks:
        note(remark)
    if as_json:
        print_tasks_json(report.added)
        return
    known = f"; {_counted(report.skipped)} here already, skipped" if report.skipped else ""
    say(f"Imported {_counted(len(report.added))}{known}")


@click.command(
    "export",
    cls=TodoCommand,
    context_settings={"ignore_unknown_options": True},
    short_help="Write tasks to a file or to the output.",
)
@click.argument("words", metavar="[FILTER]...", nargs=-1)
@format_option
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Where to write.")
@click.pass_obj
def export_tasks(
    session: Session, words: tuple[str, ...], format_name: str | None, output: Path | None
) -> None:
    """Write tasks to a file or to the output; without a filter, all but the trash.

    Nothing is lost: `todo-tui import` reads it back.
    """
    target = None if output is None or str(output) == "-" else output
    chosen = format_for(format_name, target)
    wanted = parse_filter(joined(words) or "all", session.clock.now(), session.settings.dates)
    # In the order of their ids, which is the order in which an import gives new ones.
    tasks = sorted(session.store.tasks.list(wanted).tasks, key=lambda task: task.id)
    if target is None:
        for piece in chosen.write(tasks):
            sys.stdout.write(piece)
        return
    with _progress("Exporting", len(tasks)) as advance, written_whole(target) as file:
        for piece in chosen.write(tasks):
            file.write(piece)
            advance(1)
    note(f"Exported {_counted(len(tasks))} to {target}")


def _counted(count: int) -> str:
    return "1 task" if count == 1 else f"{count:,} tasks"


@contextmanager
def _progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function that is told of each step; a bar where someone looks and it takes a while."""
    if total < _WORTH_A_BAR or not sys.stderr.isatty():
        yield lambda steps: None
        return
    # Only a long list on a terminal is worth the import.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(label, total=total)
        yield lambda steps: progress.advance(bar, steps)
