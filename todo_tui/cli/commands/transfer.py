"""`import` and `export`: tasks from and to files and folders."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import FILE, TodoCommand
from todo_tui.cli.commands.list import describe_no_tasks, read_query
from todo_tui.cli.files import (
    atomic_writer,
    may_write,
    read_folder,
    read_text,
    replace_option,
    write_folder,
)
from todo_tui.cli.options import Decorated, filter_argument, json_option
from todo_tui.cli.output import messages
from todo_tui.cli.output.progress import progress_bar
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import BadEntry, Remark
from todo_tui.domain.task import Actor, Task
from todo_tui.domain.text import format_count, listed_count
from todo_tui.domain.when import Clock
from todo_tui.formats.date_order import AmbiguousDates
from todo_tui.formats.parsed_file import FormatContext, ParsedFile
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
_MAX_LISTED = 50
"""Bad entries that are explained; of the others only the places are printed."""
_MANY_REMARKS = 8
"""Remarks of one kind beyond which only the first are printed."""
_FIRST_REMARKS = 3
_PREVIEW_TASKS = 10
"""Tasks that a dry run prints."""
_BAR_MINIMUM = 2_000
"""Tasks from which on a progress bar is shown; fewer are there at once."""


def format_option(default: str) -> Callable[[Decorated], Decorated]:
    """Add `--format`; `default` says which one is used without it."""
    return click.option(
        "--format",
        "format_name",
        type=click.Choice([file_format.id for file_format in FORMATS]),
        help=f"File format (default: {default}).",
    )


def _by_place(bad: BadEntry) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in _PIECES(bad.place)]


def _print_bad_entries(name: str, bad: Sequence[BadEntry]) -> None:
    for entry in bad[:_MAX_LISTED]:
        messages.print_note(f"{name}: {entry.message}{f' {entry.hint}' if entry.hint else ''}")
    if len(bad) > _MAX_LISTED:
        messages.print_note(
            f"{name}: also invalid: {', '.join(entry.place for entry in bad[_MAX_LISTED:])}."
        )


def _print_remarks(name: str, remarks: Sequence[Remark]) -> None:
    """Print the remarks; of very many of one kind the first ones and a summary."""
    by_kind: dict[str, list[Remark]] = {}
    for remark in remarks:
        by_kind.setdefault(remark.kind, []).append(remark)
    for kind, group in by_kind.items():
        is_many = len(group) > _MANY_REMARKS
        for remark in group[: _FIRST_REMARKS if is_many else None]:
            messages.print_note(f"{name}: {remark.text()}")
        if is_many:
            rest = group[_FIRST_REMARKS:]
            places = _places(rest)
            listed = listed_count(len(places), _MAX_LISTED)
            more = f" and {len(places) - listed:,} more" if len(places) > listed else ""
            messages.print_note(
                f"{name}: {_entries(len(places), 'further ')} – {kind}:"
                f" {', '.join(places[:listed])}{more}."
            )


def _places(remarks: Sequence[Remark]) -> list[str]:
    """Return the places without titles, or with them if one place holds several tasks."""
    titled = list(dict.fromkeys(remark.place for remark in remarks))
    short = [place.partition(" (“")[0] for place in titled]
    return short if len(set(short)) == len(short) else titled


@click.command("import", cls=TodoCommand)
@click.argument("file", metavar="FILE|FOLDER", type=click.Path(path_type=Path, allow_dash=True))
@format_option("detect")
@click.option("--dry-run", is_flag=True, help="Preview without importing.")
@click.option("--skip-bad", is_flag=True, help="Skip invalid entries (default: abort).")
@click.option(
    "--date-order",
    type=click.Choice(["dmy", "mdy"]),
    help="Order of day and month in a CSV table (default: detect).",
)
@json_option
@click.pass_obj
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
    # A file with bad entries is still tried, so that all of them are reported at once.
    is_trial = dry_run or (bool(reading.bad) and not skip_bad)
    counter = count(1)
    with progress_bar("Importing", minimum=_BAR_MINIMUM) as progress:
        report = session.store.tasks.import_entries(
            reading.entries,
            by=session.store.new_change_context(Actor.IMPORT),
            skip_bad=skip_bad,
            dry_run=is_trial,
            with_tasks=as_json or dry_run,
            progress=lambda _: progress(next(counter), len(reading.entries)),
        )
    bad = sorted((*reading.bad, *report.bad), key=_by_place)
    if dry_run and as_json:
        messages.print_json(
            {
                "format": chosen.id,
                "tasks": [task.to_json() for task in report.added],
                "already_here": report.skipped,
                "bad": [asdict(entry) for entry in bad],
                "remarks": [*reading.notes, *(remark.text() for remark in report.remarks)],
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
            _print_preview(f"{name}, read as {chosen.label}", report, len(bad), session.clock)
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
        exist = format_count(report.skipped, "task already exists", "tasks already exist")
        parts.append(f"{exist}, skipped")
    if bad:
        parts.append(f"{_entries(bad, 'invalid ')} skipped")
    messages.print_result("; ".join(parts))


def _entries(count: int, kind: str = "") -> str:
    return format_count(count, f"{kind}entry", f"{kind}entries")


def _print_preview(source: str, report: ImportReport, bad: int, clock: Clock) -> None:
    messages.print_result(
        f"{source}: {format_count(report.count, 'task')} would be imported,"
        f" {format_count(report.skipped, 'task already exists', 'tasks already exist')},"
        f" {_entries(bad, 'invalid ')}"
    )
    listed = listed_count(report.count, _PREVIEW_TASKS)
    for task in report.added[:listed]:
        text = messages.describe_task(task, clock).removeprefix(f"#{task.id} ")
        messages.print_result(f"  {messages.STATUS_SIGNS[task.status]} {text}")
    if report.count > listed:
        messages.print_result(f"  and {report.count - listed:,} more")
    messages.print_result("Dry run: nothing imported")


@click.command("export", cls=TodoCommand, free_words=True, only_reads=True)
@filter_argument()
@format_option("by the file's name, else json")
@click.option(
    "--output",
    metavar="FILE|FOLDER",
    help="Output file, or a folder for one .ics file per task.",
    type=FILE,
)
@click.option(
    "--plain", is_flag=True, help="Leave out uuids and other metadata (markdown, todotxt)."
)
@replace_option
@click.pass_obj
def export_tasks(
    session: CliSession,
    filter_text: str,
    format_name: str | None,
    output: str | None,
    plain: bool,
    yes: bool,
) -> None:
    """Export tasks to a file, a folder, or standard output.

    Without a filter, everything but the trash is exported. `todo-tui import` restores all
    fields. With --plain, tasks are exported for people to read (default: markdown).
    Asks before it replaces a file.
    """
    target = None if output is None or output == "-" else Path(output)
    to_folder = target is not None and (target.is_dir() or str(output).endswith("/"))
    if plain:
        format_name = plain_format(format_name, None if to_folder else target).id
    chosen = folder_format(format_name) if to_folder else format_to_write(format_name, target)
    query = read_query(session, filter_text or "all")
    if target is not None and not to_folder and not may_write(target, replaces=yes):
        return
    # In the order of their ids, which is the order in which an import gives new ones.
    tasks = sorted(session.store.tasks.list(query).tasks, key=lambda task: task.id)
    context = replace(_context(session), uuids=_uuids(session, tasks), is_plain=plain)
    if target is None:
        for piece in chosen.module.write(tasks, context):
            sys.stdout.write(piece)
        if not tasks:
            messages.print_note(describe_no_tasks(session, filter_text or "all"))
    else:
        with progress_bar("Exporting", minimum=_BAR_MINIMUM) as progress:
            if to_folder:
                for number, _ in enumerate(write_folder(target, tasks, chosen, context), 1):
                    progress(number, len(tasks))
            else:
                with atomic_writer(target) as file:
                    for number, piece in enumerate(chosen.module.write(tasks, context), 1):
                        file.write(piece)
                        progress(number, len(tasks))
        messages.print_note(f"Exported {format_count(len(tasks), 'task')} to {target}")


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
    """Read a text; if the order of day and month is ambiguous, ask for it on a terminal."""
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
    related = {id for task in tasks for id in (task.parent, *task.blocked_by) if id is not None}
    others = session.store.tasks.rows(sorted(related - uuids.keys()))
    return uuids | {task.id: task.uuid for task in others}
