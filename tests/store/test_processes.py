"""Several processes at one file, and processes that are killed."""

from __future__ import annotations

import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.store.opened import add, opened, titles, user_context
from tests.store.processes import start
from todo_tui.store.store import Store

PROCESSES = 4


def test_several_processes_open_a_new_file_at_once(path: Path) -> None:
    workers = [start("open", path) for _ in range(PROCESSES)]
    assert [worker.communicate(timeout=300)[0] for worker in workers] == [""] * PROCESSES
    with opened(path) as store:
        assert titles(store) == ["opened"] * PROCESSES
        assert sorted(task.id for task in store.tasks.list().tasks) == [1, 2, 3, 4]
    assert [entry.name for entry in path.parent.iterdir()] == ["todo.db"]


def test_several_processes_lose_no_read_modify_write_and_are_never_locked_out(path: Path) -> None:
    each = 40
    with opened(path) as store:
        add(store, "counter")
        workers = [start("count", path, each) for _ in range(PROCESSES)]
        assert [worker.communicate(timeout=300)[0] for worker in workers] == [""] * PROCESSES
        assert len(store.tasks.get(1).annotations) == PROCESSES * each


def test_every_write_of_several_busy_writers_is_kept(path: Path) -> None:
    opened(path).close()
    workers = [start("hurry", path, 120) for _ in range(PROCESSES)]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    path.with_suffix(".go").touch()
    assert [worker.communicate(timeout=3000)[0] for worker in workers] == [""] * PROCESSES
    with opened(path) as store:
        assert store.tasks.list().total == PROCESSES * 120


def test_a_kill_at_any_moment_loses_nothing_that_was_confirmed(path: Path) -> None:
    chance = random.Random(20261118)  # noqa: S311 - moments to kill at
    confirmed: list[str] = []
    for _ in range(6):
        worker = start("add", path, 100_000)
        assert worker.stdout is not None
        first = worker.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.15))
        worker.kill()
        # Not `communicate`: it would miss what `readline` has read ahead.
        rest = worker.stdout.read()
        worker.stdout.close()
        worker.wait(timeout=300)
        lines = (first + rest).split("\n")
        confirmed += lines[:-1]  # a line that was cut off is not confirmed
    with opened(path) as store:
        assert store.problems() == ()
        kept = {f"{task.id} {task.title}" for task in store.tasks.list().tasks}
        assert len(confirmed) >= 6
        assert set(confirmed) <= kept
        # What a killed process wrote is whole: each task with its tag and its operations.
        assert all(task.tags == ("x",) for task in store.tasks.list().tasks)
        undone = 0
        while store.tasks.undo(by=user_context(store)).changes:
            undone += 1
            if undone == 3:
                break
        assert store.tasks.list().total == len(kept) - undone


def test_poll_sees_what_another_process_changed_and_not_what_this_one_did(path: Path) -> None:
    with opened(path) as mine, opened(path) as other:
        assert not mine.poll()
        add(mine, "own")
        assert not mine.poll()
        add(other, "foreign")
        assert mine.poll()
        assert not mine.poll()
        add(other, "foreign")
        add(mine, "own")
        assert mine.poll()
        assert not mine.poll()


def test_reads_do_not_wait_for_a_writer_in_another_process(store: Store) -> None:
    add(store, "a")
    other = sqlite3.connect(store.path)
    other.execute("BEGIN IMMEDIATE")
    try:
        # To wait for it would be to wait in vain: they would be refused.
        assert titles(store) == ["a"]
        assert not store.poll()
    finally:
        other.close()


def test_threads_share_a_store_and_lose_nothing(store: Store) -> None:
    add(store, "counter")

    def tick(_: int) -> int:
        store.tasks.annotate(1, "tick", by=user_context(store))
        return len(store.tasks.get(1).annotations)

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(tick, range(80)))
    assert max(seen) == len(store.tasks.get(1).annotations) == 80
