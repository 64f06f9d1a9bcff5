"""`todo-tui doctor`: checks of the installation, each with its remedy."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from todo_tui.agent.telemetry import is_telemetry_installed, parse_telemetry_endpoint
from todo_tui.cli.base import TodoCommand, version
from todo_tui.cli.output.console import open_console
from todo_tui.cli.wiring.clients import ProviderClients, add_keys, find_endpoint
from todo_tui.cli.wiring.providers import install_hint, list_provider_options, may_send_of
from todo_tui.cli.wiring.session import CliSession, build_clock, open_user_store
from todo_tui.config.key_file import KeyFile
from todo_tui.config.keyring import keyring_installed
from todo_tui.config.network_variables import find_all_problems
from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ConfigProblem, KeyStore, Settings
from todo_tui.domain.dates.text import format_day, weekday_name
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.extras import install_command
from todo_tui.domain.text import format_count, plain_line
from todo_tui.store.backups import find_backups, removal_line
from todo_tui.store.file_system import shared_type
from todo_tui.store.migrations import OLDEST_SQLITE
from todo_tui.store.sqlite_errors import obstacle_to_writing
from todo_tui.tui.actions.keymap import read_keymap

_LITTLE_SPACE = 20 * 1024 * 1024
_NARROW = 40
_ONE_PANE = 100
_GOOD, _BAD, _NEUTRAL = "✓", "✗", "–"
_STYLES = {_GOOD: "green", _BAD: "red", _NEUTRAL: "dim"}


class Finding(NamedTuple):
    """One line of the report: a sign, what was found, and the remedy if it is bad."""

    sign: str
    text: str
    remedy: str = ""

    @classmethod
    def judge(cls, is_good: object, good: str, bad: str, remedy: str) -> Finding:
        """Return a good or a bad finding."""
        return cls(_GOOD, good) if is_good else cls(_BAD, bad, remedy)


@click.command("doctor", cls=TodoCommand)
@click.pass_obj
def doctor(session: CliSession) -> int:
    """Diagnose problems.

    Checks the terminal, Python, clock, files, API keys and providers. Changes nothing and
    sends nothing over the network. The exit status is 1 when there are problems.
    """
    console = open_console()
    wrong = 0
    for title, findings in _sections(session):
        console.print(Text(title, style="bold"))
        for finding in findings:
            wrong += finding.sign == _BAD
            _print(console, finding)
    problems = format_count(wrong, "problem")
    console.print(Text(f"{problems} found." if wrong else "No problems found."))
    return int(wrong > 0)


def _sections(session: CliSession) -> Iterator[tuple[str, Iterable[Finding]]]:
    yield "Terminal", _check_terminal(os.environ)
    yield "Python", _check_python()
    configuration = session.read_configuration()
    settings, refusals = configuration.settings, configuration.refusals
    if refusals:
        yield "Settings", [Finding(_BAD, error.message, error.hint or "") for error in refusals]
    zone_problem = session.machine.zone_problem
    yield "Clock", _check_clock(settings, zone_problem)
    empty = "" if session.log_path.exists() else ", empty"
    log = Finding(_NEUTRAL, f"log: {session.log_path}{empty}")
    noted = read_keymap(settings).problems
    of_file = [problem for problem in noted if problem is not zone_problem]
    yield "Files", [*_check_database(settings), *_check_config(settings, of_file), log]
    yield "Keys", _check_keys(settings, session.machine.paths.keys)
    problems = [Finding(_BAD, error.message, error.hint) for error in find_all_problems(os.environ)]
    yield "Providers", [*asyncio.run(_check_providers(settings)), *problems]
    if settings.telemetry.endpoint:
        yield "Telemetry", [_check_telemetry(settings.telemetry.endpoint)]


def _check_telemetry(url: str) -> Finding:
    try:
        endpoint = parse_telemetry_endpoint(url)
    except ConfigError as error:
        return Finding(_BAD, f"off: {error.message}", error.hint or "")
    return Finding.judge(
        is_telemetry_installed(),
        f"spans go to {endpoint.url}",
        "off: OpenTelemetry is not installed",
        f"Install it: {install_command('otel')}",
    )


def _print(console: Console, finding: Finding) -> None:
    sign = Text(f"  {finding.sign}", style=_STYLES[finding.sign])
    lines = [(sign, Text(plain_line(finding.text)))]
    if finding.remedy:
        lines.append((Text("   "), Text(plain_line(finding.remedy), style="yellow")))
    if not console.is_terminal:
        for before, text in lines:
            console.print(Text.assemble(before, " ", text), soft_wrap=True)
        return
    # In a grid a long line goes on below its own beginning.
    grid = Table.grid(padding=(0, 1))
    for line in lines:
        grid.add_row(*line)
    console.print(grid)


def _check_terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Finding(_NEUTRAL, "not a terminal: cannot check the display")
        return
    term = environ.get("TERM", "")
    yield Finding.judge(
        term not in ("", "dumb", "unknown"),
        f"TERM is {term}",
        f"TERM is {term or 'not set'}: the app cannot run",
        "Set TERM to your terminal type, for example xterm-256color.",
    )
    yield _colors(environ)
    encoding = sys.stdout.encoding or ""
    yield Finding.judge(
        encoding.lower().replace("-", "") == "utf8",
        "Unicode supported",
        f"the locale's encoding is {sys.stdout.encoding}: symbols and emoji cannot be shown",
        "Set LANG to a UTF-8 locale, for example C.UTF-8.",
    )
    columns, lines = shutil.get_terminal_size(fallback=(80, 24))
    size = f"{columns} columns, {lines} lines"
    turns = f": chat and tasks take turns; side by side from {_ONE_PANE} columns on"
    yield Finding.judge(
        columns >= _NARROW,
        size if columns >= _ONE_PANE else f"{size}{turns}",
        f"{size}: too narrow",
        f"Widen the terminal to at least {_NARROW} columns.",
    )
    if environ.get("TMUX"):
        yield Finding(
            _NEUTRAL,
            "tmux: for copying to the clipboard it needs `set -g set-clipboard on`, "
            "for Esc without delay `set -sg escape-time 10`",
        )


def _colors(environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return Finding(_NEUTRAL, "NO_COLOR is set: no colors")
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Finding(_GOOD, "16 million colors")
    if "256" in environ.get("TERM", ""):
        return Finding(_GOOD, "256 colors")
    return Finding(
        _NEUTRAL, "16 colours; with COLORTERM=truecolor there are more, if the terminal has them"
    )


def _check_python() -> Iterator[Finding]:
    yield Finding(_GOOD, f"todo-tui {version()} in {sys.prefix}")
    machine = f"{platform.system()} {platform.machine()}"
    yield Finding(_GOOD, f"Python {platform.python_version()} ({machine})")
    sqlite = f"SQLite {sqlite3.sqlite_version}"
    new_enough = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    yield Finding.judge(new_enough, sqlite, f"{sqlite} is too old", "Install a newer Python.")


def _check_clock(settings: Settings, zone_problem: ConfigProblem | None) -> Iterator[Finding]:
    if zone_problem is None:
        yield Finding(_GOOD, f"time zone: {settings.zone}")
    else:
        yield Finding(_BAD, zone_problem.message, zone_problem.hint)
    if settings.now is not None:
        at = f"{format_day(settings.now.date(), date.min)} {settings.now:%H:%M}"
        yield Finding(_NEUTRAL, f"TODO_TUI_NOW freezes the clock at {at}")
    order = "day before month" if settings.dates.day_first else "month before day"
    first_day = weekday_name(settings.dates.week_start)
    yield Finding(_GOOD, f"1/2 is read {order}; weeks begin on {first_day}")


def _check_database(settings: Settings) -> Iterator[Finding]:
    """Check that the database exists, is private and sound; a missing one is not created."""
    path = settings.db
    nearest = next(parent for parent in path.absolute().parents if parent.exists())
    if path.exists():
        yield from _check_present_database(settings)
    elif not nearest.is_dir():
        what = f"{path} cannot be created: {nearest} is not a folder"
        yield Finding(_BAD, what, "Choose another path with --db.")
    elif (obstacle := obstacle_to_writing(path)) is not None:
        yield Finding(_BAD, f"{path} cannot be created: it {obstacle.what}", obstacle.hint)
    else:
        yield Finding(_NEUTRAL, f"no database yet; it will be created at {path}")
    if kind := shared_type(path):
        what = f"{path} is on a shared file system ({kind}), whose locks may not hold"
        yield Finding(_NEUTRAL, what, "If there are problems, keep it on a local disk: --db.")
    folder = next(folder for folder in path.absolute().parents if folder.is_dir())
    free = shutil.disk_usage(folder).free
    if free < _LITTLE_SPACE:
        left = f"{free // 1024 // 1024} MB free"
        yield Finding(_BAD, f"the disk of {folder} is full: {left}", "Free some disk space.")


def _check_present_database(settings: Settings) -> Iterator[Finding]:
    path = settings.db
    try:
        with open_user_store(settings, build_clock(settings)) as store:
            problems = store.problems()
            count = store.tasks.counts().open
    except TodoError as error:
        yield Finding(_BAD, error.message, error.hint or "Choose another file with --db.")
        return
    remedy = "Make a copy, then export the readable tasks: todo-tui export --output tasks.json"
    for problem in problems:
        yield Finding(_BAD, f"{path} is damaged: {problem}", remedy)
    if not problems:
        tasks = f"{format_count(count, 'open task')} of {settings.user}"
        yield Finding(_GOOD, f"database: {path}, sound, {tasks}")
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Finding(_BAD, f"others can read {path}", f"Run: chmod 600 {quote(str(path))}")
    if (obstacle := obstacle_to_writing(path)) is not None:
        yield Finding(_BAD, f"{path} {obstacle.what}", obstacle.hint)
    for backup in find_backups(path):
        what = f"backup: {backup}, still contains what was deleted since"
        yield Finding(_NEUTRAL, what, f"If you no longer need it: {removal_line((backup,))}")


def _check_config(settings: Settings, problems: Sequence[ConfigProblem]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(_BAD, problem.message, problem.hint)
    if not settings.config.exists():
        yield Finding(_NEUTRAL, f"using defaults (no configuration at {settings.config})")
    elif not problems:
        yield Finding(_GOOD, f"configuration: {settings.config}")


def _check_keys(settings: Settings, path: Path) -> Iterator[Finding]:
    """Check the key file at `path` and the package of the keyring, which is not asked."""
    if settings.keys.store is KeyStore.ENVIRONMENT:
        yield Finding(_NEUTRAL, "API keys: environment variables only (set in the configuration)")
        return
    if not path.exists():
        yield Finding(_NEUTRAL, f"no key file; `todo-tui keys set` creates {path}")
    else:
        stored = KeyFile(path).read()
        # Problems are among the mistakes of the settings, which have read the file too.
        if not stored.problems:
            keys = format_count(len(stored.keys), "key")
            yield Finding(_GOOD, f"key file: {path}, {keys}, readable by you alone")
    install = f"no system keyring; to use it: {install_command('keyring')}"
    installed = Finding(_GOOD, "system keyring package installed")
    yield installed if keyring_installed() else Finding(_NEUTRAL, install)


async def _check_providers(settings: Settings) -> list[Finding]:
    """Check each provider in the order of the registry; nothing remote is contacted."""
    options = list_provider_options(settings)
    # The keyring may open a dialog: only for providers in use.
    settings = await add_keys(settings, [option for option in options if option.used])
    clients = ProviderClients(settings, lambda row_id: may_send_of(settings, row_id, None))
    return list(await asyncio.gather(*(_check_provider(clients, option) for option in options)))


async def _check_provider(clients: ProviderClients, option: ProviderOption) -> Finding:
    row, settings = option.row, clients.settings
    name = row.label
    if row.custom:
        endpoint = find_endpoint(settings, row)
        place = f" at {endpoint.address}" if endpoint else ""
        name = f"{row.label} (your own {row.id}{place})"
    if cure := install_hint(row):
        what, remedy = f"{name}: not installed", f"Run: {cure}"
        neutral = f"{what}; {cure}"
    else:
        readiness = await clients.readiness(row.id)
        source = settings.providers[row.id].key_source
        neutral = f"{name}: {readiness.reason}{f', key from {source}' if source else ''}"
        if readiness.ready:
            return Finding(_GOOD, neutral)
        remedy = row.setup
        tells_key = readiness.lacks_key and row.setup_names_key
        what = f"{name}: no API key" if tells_key else neutral
    return Finding(_BAD, what, remedy) if option.used else Finding(_NEUTRAL, neutral)
