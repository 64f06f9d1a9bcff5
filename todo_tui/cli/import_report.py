"""What an import did, or would do, told to a person or a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from todo_tui.cli.output import note, print_json, print_tasks_json, say
from todo_tui.cli.sentences import described, state
from todo_tui.domain.draft import BadEntry
from todo_tui.domain.errors import ValidationError

if TYPE_CHECKING:
    from todo_tui.formats.registry import Format
    from todo_tui.store.importing import ImportReport

_PIECES = re.compile(r"\d+|\D+").findall
_TOLD = 50
"""Bad entries of which all is said; of the others only the places are."""
_SHOWN = 10
"""Tasks that a dry run shows."""


def counted(count: int, what: str = "task", many: str | None = None) -> str:
    """`1 task`, `2,000 tasks`."""
    return f"1 {what}" if count == 1 else f"{count:,} {many or what + 's'}"


def in_order(bad: Iterable[BadEntry]) -> tuple[BadEntry, ...]:
    """The entries by their places in the file: the second line before the tenth."""
    return tuple(sorted(bad, key=lambda each: _number_and_words(each.place)))


def _number_and_words(place: str) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in _PIECES(place)]


def refusal(name: str, bad: Sequence[BadEntry], entries: int) -> ValidationError:
    """The error for a file with bad entries; of several all are told first."""
    if len(bad) == 1:
        return ValidationError(
            f"{name}: {bad[0].message}",
            hint=f"{bad[0].hint or ''} Nothing was imported; --skip-bad imports the rest.".strip(),
        )
    tell_bad(name, bad)
    return ValidationError(
        f"{name}: {len(bad):,} of {counted(entries, 'entry', 'entries')} cannot be used,"
        " so nothing was imported.",
        hint="Correct them, or import the rest with --skip-bad.",
    )


def tell_bad(name: str, bad: Sequence[BadEntry]) -> None:
    """Name every bad entry."""
    for each in bad[:_TOLD]:
        note(f"{name}: {each.message}{f' {each.hint}' if each.hint else ''}")
    if len(bad) > _TOLD:
        note(f"{name}: as bad are {', '.join(each.place for each in bad[_TOLD:])}.")


def tell_import(name: str, report: ImportReport, bad: Sequence[BadEntry], *, as_json: bool) -> None:
    """Say what was imported."""
    tell_bad(name, bad)
    for remark in report.remarks:
        note(remark)
    if as_json:
        print_tasks_json(report.added)
        return
    parts = [f"Imported {counted(report.count)}"]
    if report.skipped:
        parts.append(f"{counted(report.skipped)} here already, skipped")
    if bad:
        parts.append(f"{counted(len(bad), 'bad entry', 'bad entries')} left out")
    say("; ".join(parts))


def tell_preview(
    name: str,
    chosen: Format,
    report: ImportReport,
    bad: Sequence[BadEntry],
    now: datetime,
    *,
    as_json: bool,
) -> None:
    """Say what would be imported."""
    if as_json:
        print_json(
            {
                "format": chosen.id,
                "tasks": [task.to_json() for task in report.added],
                "already_here": report.skipped,
                "bad": [
                    {"place": each.place, "message": each.message, "hint": each.hint}
                    for each in bad
                ],
                "remarks": list(report.remarks),
            }
        )
        return
    tell_bad(name, bad)
    for remark in report.remarks:
        note(remark)
    say(
        f"{name}, read as {chosen.label}: {counted(report.count)} would be imported,"
        f" {report.skipped:,} {'is' if report.skipped == 1 else 'are'} here already,"
        f" {counted(len(bad), 'entry is', 'entries are')} bad"
    )
    for task in report.added[:_SHOWN]:
        words = described(task, now).removeprefix(f"#{task.id} ")
        say(f"  {state(task)} {words}")
    if report.count > _SHOWN:
        say(f"  and {report.count - _SHOWN:,} more")
    say("Nothing was imported: this was a dry run")
