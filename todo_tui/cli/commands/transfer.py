"""`import` and `export`: tasks from and to files and folders."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from todo_tui.cli.commands.list import read_query
from todo_tui.cli.files import atomic_writer, read_folder, read_text, write_folder
from todo_tui.cli.options import command, complete_with, filter_argument, join_words, json_option
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import BadEntry, Remark
from todo_tui.domain.task import Actor, Task
from todo_tui.domain.text import format_count
from todo_tui.formats.date_order import AmbiguousDates
from todo_tui.formats.reader import FormatContext, ParsedFile
from todo_tui.formats.registry import (
    FORMATS,
    FileFormat,
    folder_format,
    format_to_read,
    format_to_write,
    plain_format,
)

if TYPE_CHECKING:
    from todo_tui.store.tasks.import_batch import ImportReport

_PIECES = re.compile(r"\d+|\D+").findall
_TOLD = 50
"""Bad entries of which all is said; of the others only the places are."""
_OF_A_KIND = 8
"""Remarks of one kind up to which each is printed."""
_FIRST_OF_MANY = 3
_SHOWN = 10
"""Tasks that a dry run shows."""
_WORTH_A_BAR = 2_000
"""Tasks from which on a progress bar is shown; fewer are there at once."""
format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice([each.id for each in FORMATS]),
    help="File format (default: detect).",
)


def _by_place(bad: BadEntry) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in _PIECES(bad.place)]


def _print_bad_entries(name: str, bad: Sequence[BadEntry]) -> None:
    for each in bad[:_TOLD]:
        messages.print_note(f"{name}: {each.message}{f' {each.hint}' if each.hint else ''}")
    if len(bad) > _TOLD:
        messages.print_note(
            f"{name}: also invalid: {', '.join(each.place for each in bad[_TOLD:])}."
        )


def _print_remarks(name: str, remarks: Sequence[Remark]) -> None:
    """Print each remark; of very many of one kind the first ones and a summary."""
    by_kind: dict[str, list[Remark]] = {}
    for each in remarks:
        by_kind.setdefault(each.kind, []).append(each)
    for kind, found in by_kind.items():
        is_many = len(found) > _OF_A_KIND
        for each in found[: _FIRST_OF_MANY if is_many else None]:
            messages.print_note(f"{name}: {each.text()}")
        if is_many:
            rest = found[_FIRST_OF_MANY:]
            places = _places(rest)
            more = f" and {len(places) - _TOLD:,} more" if len(places) > _TOLD else ""
            messages.print_note(
                f"{name}: {_entries(len(places), 'further ')} – {kind}:"
                f" {', '.join(places[:_TOLD])}{more}."
            )


def _places(remarks: Sequence[Remark]) -> list[str]:
    """Return the places without titles, but with them where one place holds several tasks."""
    titled = list(dict.fromkeys(each.place for each in remarks))
    short = [place.partition(" (“")[0] for place in titled]
    return short if len(set(short)) == len(short) else titled


@command("import")
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(path_type=Path, allow_dash=True))
@format_option
@click.option("--dry-run", is_flag=True, help="Preview without importing.")
@click.option("--skip-bad", is_flag=True, help="Skip invalid entries (default: abort).")
@click.option(
    "--date-order",
    type=click.Choice(["dmy", "mdy"]),
    help="Order of day and month in a CSV table (default: detect).",
)
@json_option
def import_tasks(
    session: CliSession,
    file: Path,
    format_name: str | None,
    dry_run: bool,
    skip_bad: bool,
    date_order: str | None,
    as_json: bool,
) -> int:
    """Import tasks from a file, a folder of .ics files, or standard input (-).

    Fields that cannot be read are listed with their line and kept as text in the task's
    extra data. Entries that make no task are listed too, and then nothing is imported.
    Tasks that already exist (same uuid) are skipped, so importing a file twice is safe.
    """
    name = "standard input" if str(file) == "-" else str(file)
    chosen, reading = _read(file, name, format_name, _context(session, date_order))
    # What cannot stand is still tried: all that is bad is to be told at once.
    is_trial = dry_run or (bool(reading.bad) and not skip_bad)
    with _progress("Importing", len(reading.entries)) as advance:
        report = session.store.tasks.import_entries(
            reading.entries,
            by=session.store.new_change_context(Actor.IMPORT),
            skip_bad=skip_bad,
            dry_run=is_trial,
            with_tasks=as_json or dry_run,
            progress=advance,
        )
    bad = sorted((*reading.bad, *report.bad), key=_by_place)
    if dry_run and as_json:
        messages.print_json(
            {
                "format": chosen.id,
                "tasks": [task.to_json() for task in report.added],
                "already_here": report.skipped,
                "bad": [asdict(each) for each in bad],
                "remarks": [*reading.notes, *(each.text() for each in report.remarks)],
            }
        )
    elif bad and not skip_bad and not dry_run:
        raise _bad_entries_error(name, bad, len(reading.entries) + len(reading.bad))
    else:
        _print_bad_entries(name, bad)
        for note in reading.notes:
            messages.print_note(note)
        _print_remarks(name, report.remarks)
        if dry_run:
            _print_preview(f"{name}, read as {chosen.label}", report, len(bad), session.clock.now())
        elif as_json:
            messages.print_tasks_json(report.added)
        else:
            _print_import(report, len(bad))
    # A dry run ends as the import would.
    return int(bool(bad) and not skip_bad)


def _bad_entries_error(name: str, bad: Sequence[BadEntry], entries: int) -> ValidationError:
    if len(bad) == 1:
        return ValidationError(
            f"{name}: {bad[0].message}",
            hint=f"{bad[0].hint or ''} Nothing imported. Import the rest with --skip-bad.".strip(),
        )
    _print_bad_entries(name, bad)
    return ValidationError(
        f"{name}: {len(bad):,} of {_entries(entries)} are invalid. Nothing imported.",
        hint="Fix them, or import the rest with --skip-bad.",
    )


def _print_import(report: ImportReport, bad: int) -> None:
    parts = [f"Imported {format_count(report.count, 'task')}"]
    if report.skipped:
        parts.append(f"{format_count(report.skipped, 'task')} already exist, skipped")
    if bad:
        parts.append(f"{_entries(bad, 'invalid ')} skipped")
    messages.print_result("; ".join(parts))


def _entries(count: int, kind: str = "") -> str:
    return f"{count:,} {kind}{'entry' if count == 1 else 'entries'}"


def _print_preview(source: str, report: ImportReport, bad: int, now: datetime) -> None:
    messages.print_result(
        f"{source}: {format_count(report.count, 'task')} would be imported,"
        f" {format_count(report.skipped, 'task')} already"
        f" {'exists' if report.skipped == 1 else 'exist'},"
        f" {_entries(bad, 'invalid ')}"
    )
    for task in report.added[:_SHOWN]:
        words = messages.describe_task(task, now).removeprefix(f"#{task.id} ")
        messages.print_result(f"  {messages.STATUS_SIGNS[task.status]} {words}")
    if report.count > _SHOWN:
        messages.print_result(f"  and {report.count - _SHOWN:,} more")
    messages.print_result("Dry run: nothing imported")


@command("export", free_words=True, only_reads=True)
@filter_argument()
@format_option
@click.option(
    "--output",
    metavar="FILE|FOLDER",
    help="Output file, or a folder for one .ics file per task.",
    shell_complete=complete_with("files"),
)
@click.option(
    "--plain", is_flag=True, help="Leave out uuids and other metadata (markdown, todotxt)."
)
def export_tasks(
    session: CliSession,
    words: tuple[str, ...],
    format_name: str | None,
    output: str | None,
    plain: bool,
) -> None:
    """Export tasks to a file, a folder, or standard output.

    Without a filter, everything but the trash is exported. `todo-tui import` restores all
    fields. With --plain, tasks are exported for people to read (default: markdown).
    """
    target = None if output is None or output == "-" else Path(output)
    to_folder = target is not None and (target.is_dir() or str(output).endswith("/"))
    if plain:
        format_name = plain_format(format_name, None if to_folder else target).id
    chosen = folder_format(format_name) if to_folder else format_to_write(format_name, target)
    wanted = read_query(session, join_words(words) or "all")
    # In the order of their ids, which is the order in which an import gives new ones.
    tasks = sorted(session.store.tasks.list(wanted).tasks, key=lambda task: task.id)
    context = replace(_context(session), uuids=_uuids(session, tasks), is_plain=plain)
    if target is None:
        for piece in chosen.module.write(tasks, context):
            sys.stdout.write(piece)
    else:
        with _progress("Exporting", len(tasks)) as advance:
            if to_folder:
                for _ in write_folder(target, tasks, chosen, context):
                    advance(1)
            else:
                with atomic_writer(target) as file:
                    for piece in chosen.module.write(tasks, context):
                        file.write(piece)
                        advance(1)
        messages.print_note(f"Exported {format_count(len(tasks), 'task')} to {target}")
    for loss in chosen.module.losses(tasks, context) if chosen.names_losses else ():
        messages.print_note(loss)


def _read(
    file: Path, name: str, format_name: str | None, context: FormatContext
) -> tuple[FileFormat, ParsedFile]:
    if file.is_dir():
        chosen = folder_format(format_name)
        return chosen, read_folder(file, chosen, context)
    source = None if str(file) == "-" else file
    text = read_text(source)
    try:
        chosen = format_to_read(format_name, source, text)
        return chosen, _read_text(chosen, text, context)
    except ValidationError as error:
        raise ValidationError(f"{name}: {error.message}", hint=error.hint) from error


def _read_text(chosen: FileFormat, text: str, context: FormatContext) -> ParsedFile:
    """Read a text; a person at a terminal is asked for the order of day and month if it is open."""
    try:
        return chosen.module.read(text, context)
    except AmbiguousDates as question:
        if not messages.is_interactive():
            raise
        messages.print_note(question.message)
        answer = messages.ask_line("Which is first? [d]ay, [m]onth, [N]either (stop):")
        if answer not in ("d", "day", "m", "month"):
            raise
        return chosen.module.read(text, _ordered(context, day_first=answer.startswith("d")))


def _ordered(context: FormatContext, *, day_first: bool) -> FormatContext:
    dates = replace(context.dates, day_first=day_first)
    return replace(context, dates=dates, is_order_known=True)


def _context(session: CliSession, date_order: str | None = None) -> FormatContext:
    settings = session.settings
    context = FormatContext(
        session.clock.zone,
        session.clock.now(),
        settings.dates,
        is_order_known=settings.dates.is_order_set,
    )
    return context if date_order is None else _ordered(context, day_first=date_order == "dmy")


def _uuids(session: CliSession, tasks: Sequence[Task]) -> Mapping[int, str]:
    uuids = {task.id: task.uuid for task in tasks}
    named = {each for task in tasks for each in (task.parent, *task.blocked_by) if each is not None}
    others = session.store.tasks.rows(sorted(named - uuids.keys()))
    return uuids | {task.id: task.uuid for task in others}


@contextmanager
def _progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function that is told of each step; a bar where someone looks and it takes a while."""
    if total < _WORTH_A_BAR or not sys.stderr.isatty():
        yield lambda steps: None
        return
    # Only a long list on a terminal is worth the import.
    from rich import console, progress

    stderr = console.Console(stderr=True)
    with progress.Progress(console=stderr, transient=True) as shown:
        bar = shown.add_task(label, total=total)
        yield lambda steps: shown.advance(bar, steps)
