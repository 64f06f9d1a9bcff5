"""What nobody should type or import, and somebody will: named, and nothing half done."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Shell

LEVELS = 1_000
_MEGABYTE = 1024 * 1024


def written(path: Path, entries: list[dict[str, object]]) -> str:
    path.write_text(json.dumps(entries), encoding="utf-8")
    return str(path)


def test_a_title_of_a_hundred_kilobytes_is_refused_with_the_limit(shell: Shell) -> None:
    problem = shell.fails("add", "x" * 100_000).err
    assert "The title is too long (100,000 of 10,000 characters)." in problem
    assert len(problem) < 500
    assert shell.done("list", "--json").tasks == []


@pytest.mark.parametrize("day", ["30 feb", "31 june"])
def test_a_repeat_that_never_comes_stays_words_and_is_reported(shell: Shell, day: str) -> None:
    added = shell.done("add", f"shower every {day}", "--json")
    assert "There is no" in added.err
    assert added.task["recurrence"] is None
    shell.fails("edit", "1", "--repeat", f"every {day}")


def test_a_rule_that_never_falls_due_ends(shell: Shell) -> None:
    rules = ["FREQ=SECONDLY", "FREQ=DAILY;INTERVAL=999999", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"]
    for number, rule in enumerate(rules):
        entries: list[dict[str, object]] = [
            {"title": "odd", "due": "2026-11-19", "recurrence": rule}
        ]
        file = written(shell.folder / f"{number}.json", entries)
        imported = shell.run("import", file)
        if imported.status == 0:
            (task,) = shell.done("list", "odd", "--json").tasks
            assert shell.run("done", str(task["id"])).status in (0, 1)
        else:
            assert "Entry 1" in imported.err


def test_a_thousand_levels_are_imported_shown_moved_done_and_taken_back(shell: Shell) -> None:
    entries: list[dict[str, object]] = [
        {"id": number, "title": f"level {number}", "parent": number - 1 if number > 1 else None}
        for number in range(1, LEVELS + 1)
    ]
    shell.done("import", written(shell.folder / "deep.json", entries))
    assert f"level {LEVELS}" in shell.done("show", "1").out
    circle = shell.fails("edit", "1", "--parent", str(LEVELS)).err
    assert f"Task #1 cannot be a subtask of #{LEVELS}" in circle
    assert len(circle) < 500
    shell.done("done", "1", "--with-children")
    assert shell.done("list", "--json").tasks == []
    shell.done("undo")
    assert len(shell.done("list", "--json").tasks) == LEVELS
    exported = shell.done("export", "--format", "json").out
    assert len(json.loads(exported)) == LEVELS


def test_a_calendar_of_a_gigabyte_in_a_folder_is_refused_before_it_is_read(shell: Shell) -> None:
    folder = shell.folder / "calendar"
    folder.mkdir()
    with (folder / "huge.ics").open("wb") as file:
        file.truncate(1024 * _MEGABYTE)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    problem = shell.fails("import", str(folder)).err
    assert "larger than 256 MB" in problem
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100 * 1024


@pytest.mark.usefixtures("no_database")
def test_an_import_that_is_interrupted_leaves_nothing(shell: Shell) -> None:
    entries: list[dict[str, object]] = [{"title": f"task {number}"} for number in range(20_000)]
    file = written(shell.folder / "many.json", entries)
    process = subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "import", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**shell.environment(), "PATH": "/usr/bin"},
        cwd=Path(__file__).parents[2],
    )
    database = shell.folder / "tasks.db"
    deadline = time.monotonic() + 300
    while not database.exists():
        assert time.monotonic() < deadline, "it did not begin"
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    # Python itself ends by the signal where it came while a class was being made.
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert b"Traceback" not in errors
    found = len(shell.done("list", "--json").tasks)
    assert found == (20_000 if process.returncode == 0 else 0)
