"""`todo-tui doctor`: what is wrong with this installation, and the cure."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from todo_tui.cli import examining_files as files
from todo_tui.cli import examining_machine as machine
from todo_tui.cli import wiring
from todo_tui.cli.examining_keys import key_findings
from todo_tui.cli.examining_providers import provider_findings
from todo_tui.cli.findings import Finding, Verdict, bad
from todo_tui.cli.options import TodoCommand
from todo_tui.cli.session import Session
from todo_tui.config.loading import key_path, read_configuration
from todo_tui.domain.text import plain_line
from todo_tui.providers.registry import PROVIDERS

_STYLES = {Verdict.GOOD: "green", Verdict.BAD: "red", Verdict.NEUTRAL: "dim"}


@click.command("doctor", cls=TodoCommand, short_help="Say what is wrong here, and the cure.")
@click.pass_obj
def doctor(session: Session) -> int:
    """Say what is wrong here, and the cure.

    Terminal, Python, clock, files, keys and providers are looked at; nothing is changed
    and nothing remote is asked. The exit status is 1 when something is wrong.
    """
    console = Console(
        no_color=("NO_COLOR" in os.environ) or None, highlight=False, markup=False, emoji=False
    )
    wrong = 0
    for title, findings in _chapters(session):
        console.print(Text(title, style="bold"))
        for finding in findings:
            wrong += finding.verdict is Verdict.BAD
            _print(console, finding)
    things = "1 thing is" if wrong == 1 else f"{wrong} things are"
    console.print(Text(f"{things} wrong." if wrong else "All is well."))
    return int(wrong > 0)


def _chapters(session: Session) -> Iterator[tuple[str, Iterable[Finding]]]:
    yield "Terminal", machine.terminal_findings(os.environ)
    yield "Python", machine.python_findings()
    configuration = read_configuration(session.flags, os.environ, PROVIDERS, session.machine)
    settings = configuration.settings
    if configuration.refusals:
        yield "Settings", [bad(each.message, each.hint or "") for each in configuration.refusals]
    yield "Clock", machine.clock_findings(settings, os.environ)
    yield (
        "Files",
        [
            *files.database_findings(settings, wiring.clock_of(settings)),
            *files.config_findings(settings),
            *files.log_findings(session.log_path),
        ],
    )
    yield "Keys", key_findings(settings, key_path(session.machine))
    yield "Providers", asyncio.run(provider_findings(settings))


def _print(console: Console, finding: Finding) -> None:
    sign = Text(f"  {finding.verdict}", style=_STYLES[finding.verdict])
    lines = [(sign, Text(plain_line(finding.what)))]
    if finding.cure:
        lines.append((Text("   "), Text(plain_line(finding.cure), style="yellow")))
    if not console.is_terminal:
        for before, text in lines:
            console.print(Text.assemble(before, " ", text), soft_wrap=True)
        return
    # In a grid a long line goes on below its own beginning.
    grid = Table.grid(padding=(0, 1))
    for line in lines:
        grid.add_row(*line)
    console.print(grid)
