"""Doctor's look at the database, the configuration and the log."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from todo_tui.cli import wiring
from todo_tui.cli.findings import Finding, bad, good, neutral
from todo_tui.config.settings import Settings
from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import TodoError
from todo_tui.store.write_access import obstacle_to_writing

_LITTLE_SPACE = 20 * 1024 * 1024


def database_findings(settings: Settings, clock: Clock) -> Iterator[Finding]:
    """Whether the database is there, private and sound; one that is not there is not made."""
    path = settings.db
    if not path.exists():
        yield _new_database(path)
    else:
        yield from _present_database(settings, clock)
    folder = _nearest_folder(path)
    free = shutil.disk_usage(folder).free
    if free < _LITTLE_SPACE:
        yield bad(
            f"the disk of {folder} is full: {free // 1024 // 1024} MB are left", "Make some room."
        )


def config_findings(settings: Settings) -> Iterator[Finding]:
    """Each mistake in the configuration; keys that others can read are one."""
    path = settings.config
    for problem in settings.problems:
        yield bad(problem.message, problem.hint)
    if not path.exists():
        yield neutral(f"no configuration at {path}; defaults hold")
        return
    if not settings.problems:
        yield good(f"configuration: {path}")


def log_findings(path: Path) -> Iterator[Finding]:
    """Where the log is."""
    yield neutral(f"log: {path}" if path.exists() else f"log: {path}, nothing in it yet")


def _new_database(path: Path) -> Finding:
    nearest = next(each for each in path.absolute().parents if each.exists())
    if not nearest.is_dir():
        return bad(
            f"{path} cannot be made: {nearest} is no folder", "Choose another place with --db."
        )
    if (obstacle := obstacle_to_writing(path)) is not None:
        return bad(f"{path} cannot be made: it {obstacle.what}", obstacle.hint)
    return neutral(f"no database yet; it will be made at {path}")


def _present_database(settings: Settings, clock: Clock) -> Iterator[Finding]:
    path = settings.db
    try:
        with wiring.open_store_of(settings, clock) as store:
            problems = store.problems()
            count = store.tasks.counts().open
    except TodoError as error:
        yield bad(error.message, error.hint or "Choose another file with --db.")
        return
    for problem in problems:
        yield bad(
            f"{path} is damaged: {problem}",
            "Copy it away, then export what can be read: todo-tui export --output tasks.json",
        )
    if not problems:
        tasks = "1 open task" if count == 1 else f"{count:,} open tasks"
        yield good(f"database: {path}, sound, {tasks} of {settings.user}")
    if _others_can_read(path):
        yield bad(f"others can read {path}", f"Run: chmod 600 {_shell_word(path)}")
    if (obstacle := obstacle_to_writing(path)) is not None:
        yield bad(f"{path} {obstacle.what}", obstacle.hint)


def _others_can_read(path: Path) -> bool:
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _nearest_folder(path: Path) -> Path:
    """The folder of the path that exists, or the first one above it that does."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())


def _shell_word(path: Path) -> str:
    from shlex import quote

    return quote(str(path))
