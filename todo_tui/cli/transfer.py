"""`import` and `export`: tasks from and to files and folders, whole or not at all."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from todo_tui.cli.files import read_text, written_whole
from todo_tui.cli.filters import read_query
from todo_tui.cli.folder_files import read_folder, write_folder
from todo_tui.cli.import_report import counted, in_order, refusal, tell_import, tell_preview
from todo_tui.cli.options import TodoCommand, joined, json_option
from todo_tui.cli.output import note
from todo_tui.cli.session import Session
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Actor, Task
from todo_tui.formats.reading import Context, Reading
from todo_tui.formats.registry import FORMATS, Format, folder_format, format_for, format_of

_WORTH_A_BAR = 2_000
"""Tasks from which on a progress bar is shown; fewer are there at once."""

format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice([each.id for each in FORMATS]),
    help="The format; without it, the file tells by its name and what is in it.",
)


@click.command("import", cls=TodoCommand, short_help="Read tasks from a file.")
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(path_type=Path, allow_dash=True))
@format_option
@click.option("--dry-run", is_flag=True, help="Show what would come, and import nothing.")
@click.option("--skip-bad", is_flag=True, help="Leave out what is bad; else that stops it all.")
@json_option
@click.pass_context
def import_tasks(
    click_context: click.Context,
    file: Path,
    format_name: str | None,
    dry_run: bool,
    skip_bad: bool,
    as_json: bool,
) -> None:
    """Read tasks from a file, from a folder of .ics files, or from standard input (-).

    All of them or none: every bad entry is named with its line. A task whose uuid is
    here already is skipped, so that the same file can be imported again.
    """
    session: Session = click_context.obj
    name = "standard input" if str(file) == "-" else str(file)
    with _no_collection():
        chosen, reading = _read(file, name, format_name, _context(session))
        # What cannot stand is still tried: all that is bad is to be told at once.
        is_trial = dry_run or (bool(reading.bad) and not skip_bad)
        with _progress("Importing", len(reading.drafts)) as advance:
            report = session.store.tasks.import_drafts(
                reading.drafts,
                by=session.store.gesture(Actor.IMPORT),
                skip_bad=skip_bad,
                dry_run=is_trial,
                with_tasks=as_json or dry_run,
                progress=advance,
            )
    bad = in_order((*reading.bad, *report.bad))
    report = replace(report, remarks=(*reading.remarks, *report.remarks))
    if dry_run:
        tell_preview(name, chosen, report, bad, session.clock.now(), as_json=as_json)
        # As the import would end.
        click_context.exit(1 if bad and not skip_bad else 0)
    if bad and not skip_bad:
        raise refusal(name, bad, len(reading.drafts) + len(reading.bad))
    tell_import(name, report, bad, as_json=as_json)


@click.command(
    "export",
    cls=TodoCommand,
    context_settings={"ignore_unknown_options": True},
    short_help="Write tasks to a file, a folder, or the output.",
)
@click.argument("words", metavar="[FILTER]...", nargs=-1)
@format_option
@click.option(
    "--output",
    metavar="FILE|FOLDER",
    help="Where to write; a folder gets an .ics file for each task.",
)
@click.pass_obj
def export_tasks(
    session: Session, words: tuple[str, ...], format_name: str | None, output: str | None
) -> None:
    """Write tasks to a file, a folder, or the output; without a filter, all but the trash.

    Nothing is lost: `todo-tui import` reads it back.
    """
    target = None if output is None or output == "-" else Path(output)
    to_folder = target is not None and (target.is_dir() or str(output).endswith("/"))
    chosen = folder_format(format_name) if to_folder else format_for(format_name, target)
    wanted = read_query(session, joined(words) or "all")
    # In the order of their ids, which is the order in which an import gives new ones.
    tasks = sorted(session.store.tasks.list(wanted).tasks, key=lambda task: task.id)
    context = replace(_context(session), uuids=_uuids(session, tasks))
    if target is None:
        for piece in chosen.write(tasks, context):
            sys.stdout.write(piece)
    else:
        _write(target, tasks, chosen, context, to_folder=to_folder)
        note(f"Exported {counted(len(tasks))} to {target}")
    for loss in chosen.losses(tasks, context):
        note(loss)


def _write(
    target: Path, tasks: Sequence[Task], chosen: Format, context: Context, *, to_folder: bool
) -> None:
    with _progress("Exporting", len(tasks)) as advance:
        if to_folder:
            for _ in write_folder(target, tasks, chosen, context):
                advance(1)
            return
        with written_whole(target) as file:
            for piece in chosen.write(tasks, context):
                file.write(piece)
                advance(1)


def _read(
    file: Path, name: str, format_name: str | None, context: Context
) -> tuple[Format, Reading]:
    if file.is_dir():
        chosen = folder_format(format_name)
        return chosen, read_folder(file, chosen, context)
    source = None if str(file) == "-" else file
    text = read_text(source)
    try:
        chosen = format_of(format_name, source, text)
        return chosen, chosen.read(text, context)
    except ValidationError as error:
        raise ValidationError(f"{name}: {error.message}", hint=error.hint) from error


def _context(session: Session) -> Context:
    return Context(session.clock.zone, session.clock.now(), session.settings.dates)


def _uuids(session: Session, tasks: Sequence[Task]) -> Mapping[int, str]:
    """The uuids of these tasks and of those that they name, by id."""
    uuids = {task.id: task.uuid for task in tasks}
    named = {each for task in tasks for each in (task.parent, *task.blocked_by) if each is not None}
    others = session.store.tasks.rows(sorted(named - uuids.keys()))
    return uuids | {task.id: task.uuid for task in others}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let Python not look for garbage: a long file makes many values, and all of them stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
