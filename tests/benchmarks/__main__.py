"""`python -m tests.benchmarks [--short]`: the table of the README, measured now."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import first_frame, list_paint, switching, turn
from tests.benchmarks.fixed_bytes import table
from tests.benchmarks.instant_server import instant_server
from tests.benchmarks.report import HEADER, Row, cpu_of, paired
from tests.benchmarks.seeding import seed_tasks
from tests.wires.rows import OWN, REMOTES, remote

_OWN = {own.id for own in OWN}
"""The person's own speak one of the same wire formats, through the same SDK."""
_SWITCHED_TO = ("openai", "groq", "gemini-native", "anthropic")
"""One for each SDK."""


def main() -> None:
    """Print each ratio as soon as it is known; `--short` makes fewer runs."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer runs, for a quick look")
    short: bool = parser.parse_args().short
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        for row in _rows(Path(folder), short=short):
            print(row.markdown(), flush=True)
    print(f"\n{table()}")


def _rows(folder: Path, *, short: bool) -> Iterator[Row]:
    frames = 3 if short else 15
    yield _first_frame(folder, 0, runs=frames)
    yield _first_frame(folder, 1000, runs=frames)
    with instant_server(folder / "requests.jsonl") as server:
        for asked in (each for each in REMOTES if each.id not in _OWN):
            turns, rounds = (10, 1) if short else (100, 5)
            yield turn.compare(folder, server, asked, turns=turns, rounds=rounds)
        for asked in map(remote, _SWITCHED_TO):
            yield from switching.compare(folder, server, asked, runs=1 if short else 11)
    yield from list_paint.compare(folder, repeats=20 if short else 100)
    yield _add_from_the_shell(folder, runs=3 if short else 15)


def _first_frame(folder: Path, tasks: int, *, runs: int) -> Row:
    home = folder / f"frame-{tasks}"
    home.mkdir()
    database = home / "tasks.db"
    seed_tasks(database, tasks)
    command, env = first_frame.app_command(database)
    bare, bare_env = first_frame.bare_command(home)
    shown = ["Seeded task"] if tasks else ["Built-in"]
    return paired(
        f"first frame, {tasks:,} tasks, CPU",
        lambda: first_frame.measure(command, env, shown).cpu,
        lambda: first_frame.measure(bare, bare_env, ["This is"]).cpu,
        runs=runs,
        target=1.5,
    )


def _add_from_the_shell(folder: Path, *, runs: int) -> Row:
    home = folder / "add"
    home.mkdir()
    env = first_frame.quiet_environment(home)
    script = Path(sys.executable).with_name("todo-tui")
    program = [str(script)] if script.exists() else [sys.executable, "-m", "todo_tui"]
    add = [*program, "--db", str(home / "tasks.db"), "add", "buy milk tomorrow 5pm"]
    bare = [sys.executable, "-c", "import sqlite_utils"]
    return paired("`todo-tui add`, CPU", _cpu(add, env), _cpu(bare, env), runs=runs, target=1.5)


def _cpu(command: list[str], env: dict[str, str]) -> Callable[[], float]:
    return lambda: cpu_of(command, env)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd} ended with {error.returncode}")
