"""The list in a pipe has a quick way of its own, and says the same as the slow one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from contextlib import redirect_stdout
from datetime import datetime
from pathlib import Path

import pytest

from tests.cli.conftest import NOW, Shell
from todo_tui.cli.output.messages import print_tasks_json
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

_LINES = (
    "buy milk tomorrow 5pm #home @shop @quick !high",
    "日本語のタイトル #仕事 @急ぎ",
    "pay rent every month #home.bills !low",
    "family 👨‍👩‍👧 photo @ünïcode",
    "no more than this",
    "late yesterday !medium",
)


def test_a_list_in_a_pipe_has_a_line_for_each_task(shell: Shell) -> None:
    for line in _LINES:
        shell.done("add", line)
    shell.done("done", "5")
    shell.done("edit", "1", "--add-blocker", "2")
    lines = shell.done("list", "all", "sort:id").out.splitlines()
    assert [part.strip() for part in lines[0].split("  ") if part] == [
        "#1", "⊘", "buy milk", "tomorrow 17:00", "!high", "#home", "@shop @quick",
    ]  # fmt: skip
    grouped = shell.done("list", "all", "sort:id", "group:status").out.splitlines()
    assert sorted(line for line in grouped if line.startswith("#")) == sorted(lines)


def test_a_limit_shows_the_first_tasks_and_says_how_many_there_are(shell: Shell) -> None:
    for number in range(1, 6):
        shell.done("add", f"task {number} @{'even' if number % 2 == 0 else 'odd'}")
    outcome = shell.done("list", "--limit", "2", "sort:id-")
    assert [line[:2] for line in outcome.out.splitlines()] == ["#5", "#4"]
    assert outcome.err == "Showing 2 of 5 tasks.\n"
    outcome = shell.done("list", "@odd", "--limit", "1", "--json")
    assert [task["id"] for task in outcome.tasks] == [1]
    assert outcome.err == "Showing 1 of 3 tasks.\n"
    lines = shell.done("list", "--limit", "3", "group:tag").out.splitlines()
    assert [line[:2] for line in lines if line] == ["@e", "#2", "@o", "#1", "#3"]
    for enough in ("5", "6"):
        assert shell.done("list", "--limit", enough).err == ""
    assert "No task matches" in shell.done("list", "--limit", "1", "zzz").err


def long_list(path: Path, count: int) -> Store:
    store = open_store(path, user="me", clock=Clock("UTC", datetime.fromisoformat(NOW)))
    fields = [TaskFields(title=f"task {number}", tags=("x",)) for number in range(count)]
    store.tasks.add_many(fields, by=store.new_change_context(Actor.IMPORT))
    return store


@pytest.mark.parametrize("filter_text", ["", "sort:title-", "task 1", "nothing like it"])
def test_json_is_written_task_by_task_as_one_array(shell: Shell, filter_text: str) -> None:
    with long_list(shell.folder / "tasks.db", 1_100) as store:
        tasks = store.tasks.find(store.read_query(filter_text))
    whole = json.dumps([task.to_json() for task in tasks], indent=2)
    assert shell.done("list", filter_text, "--json").out == f"{whole}\n"


def test_a_first_task_is_there_before_the_last_is_read(tmp_path: Path) -> None:
    with (
        long_list(tmp_path / "tasks.db", 1_100) as store,
        long_list(tmp_path / "tasks.db", 0) as other,
    ):
        tasks = store.tasks.iterate()
        assert next(tasks).title == "task 0"
        by = other.new_change_context(Actor.USER)
        other.tasks.update([1_100], {"title": "renamed"}, by=by)
        other.tasks.delete([1_099], by=by)
        other.tasks.purge([1_099], by=by)
        assert [task.title for task in tasks][-2:] == ["task 1097", "renamed"]


def test_a_long_list_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    peaks = []
    for count in (1_000, 5_000):
        with long_list(tmp_path / f"{count}.db", count) as store:
            first = next(store.tasks.iterate())
            tracemalloc.start()
            with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
                print_tasks_json(store.tasks.iterate())
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert first.title == "task 0"
    # Five times the tasks; how much waits to be collected depends on what ran before.
    assert peaks[1] < 2.5 * peaks[0]


def test_a_reader_that_has_seen_enough_ends_it_quietly(shell: Shell) -> None:
    long_list(shell.folder / "tasks.db", 3_000).close()
    with subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"[\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5", ""])
def test_a_limit_is_a_whole_number_from_one(shell: Shell, number: str) -> None:
    assert "--limit" in shell.fails("list", "--limit", number, status=2).err
