"""Processes of their own that write to a database file: `python -m tests.store.worker`."""

from __future__ import annotations

import resource
import signal
import sys
import time
from pathlib import Path

from tests.store.opened import add, opened, user_context
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Annotation


def work(mode: str, path: Path, count: int) -> None:  # noqa: C901 - one case a mode
    """Do what `mode` says and print a line for each write that was confirmed."""
    match mode:
        case "nothing":
            return
        case "open":
            with opened(path, now=None) as store:
                add(store, "opened")
        case "count":
            # A read-modify-write that loses an update if two processes overlap.
            with opened(path, now=None) as store:
                for _ in range(count):
                    annotated = store.tasks.annotate(1, "tick", by=user_context(store))
                    assert isinstance(annotated.annotations[-1], Annotation)
        case "add":
            with opened(path, now=None) as store:
                for number in range(count):
                    task = add(store, f"confirmed {number}", tags=("x",))
                    print(task.id, task.title, flush=True)
        case "hurry":
            # All begin at once.
            with opened(path, now=None) as store:
                print("ready", flush=True)
                while not path.with_suffix(".go").exists():
                    time.sleep(0.005)
                for number in range(count):
                    add(store, f"task {number}")
        case "view":
            with opened(path, now=None) as store:
                store.views.save(f"view {count}", "today")
        case "full":
            with opened(path, now=None) as store:
                add(store, "before")
                limit = path.stat().st_size + 20_000
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                add(store, "too much", notes="x" * 500_000)
        case "new-on-full":
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
            opened(path, now=None)
        case "backup-on-full" | "backup-killed":
            if mode == "backup-killed":
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            limit = path.stat().st_size // 2
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            opened(path, now=None)
        case "read-only":
            with opened(path, now=None) as store:
                print(store.tasks.list().total, flush=True)
                add(store, "refused")


def main() -> None:
    """Run one mode; errors that a person would see go to the output as `!Kind: message`."""
    mode, path, count, user_id = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    if user_id:
        import os
        import shlex  # noqa: F401 - as the next ones
        import urllib.parse  # noqa: F401 - that user may not be able to read the interpreter's own

        import sqlite_utils  # noqa: F401

        import todo_tui.store.tasks.filter_sql  # noqa: F401

        # Permissions do not bind root.
        os.setgid(user_id)
        os.setuid(user_id)
    try:
        work(mode, path, count)
    except TodoError as error:
        print(f"!{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main()
