"""`todo-tui doctor`: checks of the installation, each with its remedy."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from todo_tui.cli import services as wiring
from todo_tui.cli.options import command
from todo_tui.cli.provider_status import add_keys, find_endpoint
from todo_tui.cli.services import install_hint
from todo_tui.cli.session import CliSession
from todo_tui.cli.version import version
from todo_tui.config.key_store import KeyFile
from todo_tui.config.keyring import keyring_installed
from todo_tui.config.load import key_path, read_configuration
from todo_tui.config.settings import KeyStore, Settings
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import Clock
from todo_tui.providers.registry import PROVIDERS
from todo_tui.store.connection import obstacle_to_writing
from todo_tui.tui.services import ProviderOption

_LITTLE_SPACE = 20 * 1024 * 1024
_NARROW = 40
_ONE_PANE = 100
_OLDEST_PYTHON = (3, 11)
_OLDEST_SQLITE = (3, 37, 0)


class FindingLevel(StrEnum):
    """The sign before a finding."""

    GOOD = "✓"
    BAD = "✗"
    NEUTRAL = "–"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    verdict: FindingLevel
    text: str
    remedy: str = ""


def ok_finding(what: str) -> Finding:
    """All is well there."""
    return Finding(FindingLevel.GOOD, what)


def failed_finding(what: str, cure: str) -> Finding:
    """Something is wrong there."""
    return Finding(FindingLevel.BAD, what, cure)


def info_finding(what: str) -> Finding:
    """Nothing wrong, but good to know."""
    return Finding(FindingLevel.NEUTRAL, what)


def check_database(settings: Settings, clock: Clock) -> Iterator[Finding]:
    """Check that the database exists, is private and sound; a missing one is not created."""
    path = settings.db
    if not path.exists():
        yield _new_database(path)
    else:
        yield from _present_database(settings, clock)
    folder = _nearest_folder(path)
    free = shutil.disk_usage(folder).free
    if free < _LITTLE_SPACE:
        yield failed_finding(
            f"the disk of {folder} is full: {free // 1024 // 1024} MB are left", "Make some room."
        )


def check_config(settings: Settings) -> Iterator[Finding]:
    """Each mistake in the configuration; keys that others can read are one."""
    path = settings.config
    for problem in settings.problems:
        yield failed_finding(problem.message, problem.hint)
    if not path.exists():
        yield info_finding(f"no configuration at {path}; defaults hold")
        return
    if not settings.problems:
        yield ok_finding(f"configuration: {path}")


def check_log(path: Path) -> Iterator[Finding]:
    """Report the location of the log."""
    yield info_finding(f"log: {path}" if path.exists() else f"log: {path}, nothing in it yet")


def _new_database(path: Path) -> Finding:
    nearest = next(each for each in path.absolute().parents if each.exists())
    if not nearest.is_dir():
        return failed_finding(
            f"{path} cannot be made: {nearest} is no folder", "Choose another place with --db."
        )
    if (obstacle := obstacle_to_writing(path)) is not None:
        return failed_finding(f"{path} cannot be made: it {obstacle.what}", obstacle.hint)
    return info_finding(f"no database yet; it will be made at {path}")


def _present_database(settings: Settings, clock: Clock) -> Iterator[Finding]:
    path = settings.db
    try:
        with wiring.open_user_store(settings, clock) as store:
            problems = store.problems()
            count = store.tasks.counts().open
    except TodoError as error:
        yield failed_finding(error.message, error.hint or "Choose another file with --db.")
        return
    for problem in problems:
        yield failed_finding(
            f"{path} is damaged: {problem}",
            "Copy it away, then export what can be read: todo-tui export --output tasks.json",
        )
    if not problems:
        tasks = "1 open task" if count == 1 else f"{count:,} open tasks"
        yield ok_finding(f"database: {path}, sound, {tasks} of {settings.user}")
    if _others_can_read(path):
        yield failed_finding(f"others can read {path}", f"Run: chmod 600 {_shell_word(path)}")
    if (obstacle := obstacle_to_writing(path)) is not None:
        yield failed_finding(f"{path} {obstacle.what}", obstacle.hint)


def _others_can_read(path: Path) -> bool:
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _nearest_folder(path: Path) -> Path:
    """The folder of the path that exists, or the first one above it that does."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())


def _shell_word(path: Path) -> str:
    from shlex import quote

    return quote(str(path))


def check_keys(settings: Settings, path: Path) -> Iterator[Finding]:
    """The key file at `path` and the system keyring; the keyring itself is not asked."""
    if settings.key_store is KeyStore.ENVIRONMENT:
        yield info_finding("keys are taken from variables alone, as the configuration says")
        return
    if path.exists():
        yield from _present_file(path)
    else:
        yield info_finding(f"no key file; `todo-tui keys set` makes one at {path}")
    if keyring_installed():
        yield ok_finding("the package for the system keyring is installed")
    else:
        yield info_finding("no system keyring: pip install 'todo-tui[keyring]' lets it keep keys")


def _present_file(path: Path) -> Iterator[Finding]:
    stored = KeyFile(path).read()
    if stored.problems:
        # Told among the mistakes of the settings, which have read the file too.
        return
    keys = "1 key" if len(stored.keys) == 1 else f"{len(stored.keys)} keys"
    yield ok_finding(f"key file: {path}, {keys}, readable by you alone")


def check_terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Check that the app can be drawn in this terminal; a pipe says nothing about it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield info_finding("this is no terminal, so the app cannot be judged here")
        return
    yield _term(environ)
    yield _colors(environ)
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding == "utf8":
        yield ok_finding("Unicode is shown")
    else:
        yield failed_finding(
            f"the locale's encoding is {sys.stdout.encoding}, so signs and emoji cannot be shown",
            "Set LANG to a UTF-8 locale, such as C.UTF-8.",
        )
    yield _size()
    if environ.get("TMUX"):
        yield info_finding(
            "tmux: for copying to the clipboard it needs `set -g set-clipboard on`, "
            "for Esc without delay `set -sg escape-time 10`"
        )


def check_python() -> Iterator[Finding]:
    """Report the versions of Python and SQLite."""
    yield ok_finding(f"todo-tui {version()} in {sys.prefix}")
    name = f"Python {platform.python_version()} ({platform.system()} {platform.machine()})"
    if sys.version_info >= _OLDEST_PYTHON:
        yield ok_finding(name)
    else:
        yield failed_finding(f"{name} is too old", "Install Python 3.11 or newer.")
    if sqlite3.sqlite_version_info >= _OLDEST_SQLITE:
        yield ok_finding(f"SQLite {sqlite3.sqlite_version}")
    else:
        yield failed_finding(f"SQLite {sqlite3.sqlite_version} is too old", "Use a newer Python.")


def check_clock(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Report the time, the time zone and the date order in effect."""
    named = environ.get("TZ", "").lstrip(":").strip()
    if named and not named.endswith(settings.zone):
        yield failed_finding(
            f"TZ is {named}, which is no zone's name; {settings.zone} holds instead",
            "Set TZ to a name such as Europe/Berlin, or unset it.",
        )
    else:
        yield ok_finding(f"the zone is {settings.zone}")
    if settings.now is not None:
        yield info_finding(
            f"TODO_TUI_NOW lets the clock stand still at {settings.now:%Y-%m-%d %H:%M}"
        )
    order = "day before month" if settings.dates.day_first else "month before day"
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    yield ok_finding(f"1/2 is read {order}; weeks begin on {days[settings.dates.week_start]}")


def _term(environ: Mapping[str, str]) -> Finding:
    term = environ.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return failed_finding(
            f"TERM is {term or 'not set'}, so the app cannot be drawn",
            "Set TERM to what your terminal is, such as xterm-256color.",
        )
    return ok_finding(f"TERM is {term}")


def _colors(environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return info_finding("NO_COLOR is set: no colours")
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return ok_finding("16 million colours")
    if "256" in environ.get("TERM", ""):
        return ok_finding("256 colours")
    return info_finding(
        "16 colours; with COLORTERM=truecolor there are more, if the terminal has them"
    )


def _size() -> Finding:
    columns, lines = shutil.get_terminal_size(fallback=(80, 24))
    size = f"{columns} columns, {lines} lines"
    if columns < _NARROW:
        return failed_finding(
            f"{size}: that is too narrow", f"Make it {_NARROW} columns wide or more."
        )
    if columns < _ONE_PANE:
        return ok_finding(
            f"{size}: chat and tasks take turns; side by side from {_ONE_PANE} columns on"
        )
    return ok_finding(size)


async def check_providers(settings: Settings) -> list[Finding]:
    """One finding a provider, ours first, in registry order; nothing remote is contacted."""
    options = wiring.list_provider_options(settings)
    # The keyring may put a question to the person: only for who is to be used.
    settings = await add_keys(settings, [option for option in options if option.used])
    return list(await asyncio.gather(*(_finding(settings, option) for option in options)))


async def _finding(settings: Settings, option: ProviderOption) -> Finding:
    row = option.row
    name = row.label
    if any(own.id == row.id for own in settings.custom_providers):
        endpoint = find_endpoint(settings, row)
        place = f" at {endpoint.address}" if endpoint else ""
        name = f"{row.label} (your own {row.id}{place})"
    if cure := install_hint(row):
        what = f"{name}: not installed"
        return (
            failed_finding(what, f"Run: {cure}") if option.used else info_finding(f"{what}; {cure}")
        )
    may_send = wiring.may_send_of(settings, row.id, None)
    readiness = await wiring.check_readiness(settings, row.id, may_send=may_send)
    source = settings.providers[row.id].key_source
    key = f", key from {source}" if source else ""
    what = f"{name}: {readiness.reason}{key}"
    if readiness.ready:
        return ok_finding(what)
    if option.used:
        return failed_finding(what, row.setup)
    return info_finding(what)


_STYLES = {FindingLevel.GOOD: "green", FindingLevel.BAD: "red", FindingLevel.NEUTRAL: "dim"}


@command("doctor")
def doctor(session: CliSession) -> int:
    """Say what is wrong here, and the cure.

    Terminal, Python, clock, files, keys and providers are looked at; nothing is changed
    and nothing remote is asked. The exit status is 1 when something is wrong.
    """
    console = Console(
        no_color=("NO_COLOR" in os.environ) or None, highlight=False, markup=False, emoji=False
    )
    wrong = 0
    for title, findings in _sections(session):
        console.print(Text(title, style="bold"))
        for finding in findings:
            wrong += finding.verdict is FindingLevel.BAD
            _print(console, finding)
    things = "1 thing is" if wrong == 1 else f"{wrong} things are"
    console.print(Text(f"{things} wrong." if wrong else "All is well."))
    return int(wrong > 0)


def _sections(session: CliSession) -> Iterator[tuple[str, Iterable[Finding]]]:
    yield "Terminal", check_terminal(os.environ)
    yield "Python", check_python()
    configuration = read_configuration(session.flags, os.environ, PROVIDERS, session.machine)
    settings = configuration.settings
    if configuration.refusals:
        yield (
            "Settings",
            [failed_finding(each.message, each.hint or "") for each in configuration.refusals],
        )
    yield "Clock", check_clock(settings, os.environ)
    yield (
        "Files",
        [
            *check_database(settings, wiring.build_clock(settings)),
            *check_config(settings),
            *check_log(session.log_path),
        ],
    )
    yield "Keys", check_keys(settings, key_path(session.machine))
    yield "Providers", asyncio.run(check_providers(settings))


def _print(console: Console, finding: Finding) -> None:
    sign = Text(f"  {finding.verdict}", style=_STYLES[finding.verdict])
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
