"""Doctor's look at the terminal, at Python and at the clock."""

from __future__ import annotations

import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping

from todo_tui.cli.findings import Finding, bad, good, neutral
from todo_tui.cli.version import version
from todo_tui.config.settings import Settings

_NARROW = 40
_ONE_PANE = 100
_OLDEST_PYTHON = (3, 11)
_OLDEST_SQLITE = (3, 37, 0)


def terminal_findings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether the app can be drawn here; in a pipe nothing can be said of the terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield neutral("this is no terminal, so the app cannot be judged here")
        return
    yield _term(environ)
    yield _colors(environ)
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding == "utf8":
        yield good("Unicode is shown")
    else:
        yield bad(
            f"the locale's encoding is {sys.stdout.encoding}, so signs and emoji cannot be shown",
            "Set LANG to a UTF-8 locale, such as C.UTF-8.",
        )
    yield _size()
    if environ.get("TMUX"):
        yield neutral(
            "tmux: for copying to the clipboard it needs `set -g set-clipboard on`, "
            "for Esc without delay `set -sg escape-time 10`"
        )


def python_findings() -> Iterator[Finding]:
    """Which Python and SQLite run."""
    yield good(f"todo-tui {version()} in {sys.prefix}")
    name = f"Python {platform.python_version()} ({platform.system()} {platform.machine()})"
    if sys.version_info >= _OLDEST_PYTHON:
        yield good(name)
    else:
        yield bad(f"{name} is too old", "Install Python 3.11 or newer.")
    if sqlite3.sqlite_version_info >= _OLDEST_SQLITE:
        yield good(f"SQLite {sqlite3.sqlite_version}")
    else:
        yield bad(f"SQLite {sqlite3.sqlite_version} is too old", "Use a newer Python.")


def clock_findings(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Which time, zone and way of writing dates holds."""
    named = environ.get("TZ", "").lstrip(":").strip()
    if named and not named.endswith(settings.zone):
        yield bad(
            f"TZ is {named}, which is no zone's name; {settings.zone} holds instead",
            "Set TZ to a name such as Europe/Berlin, or unset it.",
        )
    else:
        yield good(f"the zone is {settings.zone}")
    if settings.now is not None:
        yield neutral(f"TODO_TUI_NOW lets the clock stand still at {settings.now:%Y-%m-%d %H:%M}")
    order = "day before month" if settings.dates.day_first else "month before day"
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    yield good(f"1/2 is read {order}; weeks begin on {days[settings.dates.week_start]}")


def _term(environ: Mapping[str, str]) -> Finding:
    term = environ.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return bad(
            f"TERM is {term or 'not set'}, so the app cannot be drawn",
            "Set TERM to what your terminal is, such as xterm-256color.",
        )
    return good(f"TERM is {term}")


def _colors(environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return neutral("NO_COLOR is set: no colours")
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return good("16 million colours")
    if "256" in environ.get("TERM", ""):
        return good("256 colours")
    return neutral("16 colours; with COLORTERM=truecolor there are more, if the terminal has them")


def _size() -> Finding:
    columns, lines = shutil.get_terminal_size(fallback=(80, 24))
    size = f"{columns} columns, {lines} lines"
    if columns < _NARROW:
        return bad(f"{size}: that is too narrow", f"Make it {_NARROW} columns wide or more.")
    if columns < _ONE_PANE:
        return good(f"{size}: chat and tasks take turns; side by side from {_ONE_PANE} columns on")
    return good(size)
