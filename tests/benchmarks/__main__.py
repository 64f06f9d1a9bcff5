"""`python -m tests.benchmarks`: the table and the picture of the README, measured now."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import (
    agents,
    conversations,
    first_frame,
    importing,
    knowledge,
    list_paint,
    memory,
    shell,
    switching,
    transcripts,
    turn,
)
from tests.benchmarks.fixed_bytes import table
from tests.benchmarks.instant_server import instant_server
from tests.benchmarks.picture import draw
from tests.benchmarks.report import HEADER, Plotted, Row, cpu_of, paired
from tests.benchmarks.seeding import seed_tasks
from tests.wires.remotes import OWN, REMOTES, remote

_OWN = {own.id for own in OWN}
"""The person's own speak one of the same wire formats, through the same SDK."""
_SWITCHED_TO = ("openai", "groq", "gemini-native", "anthropic")
"""One for each SDK."""
_SIZES = (100, 1_000, 10_000, 100_000)
_SHORT_SIZES = (1_000,)
_BLOCK = re.compile(r"(?<=<!-- benchmarks:begin -->\n).*(?=\n<!-- benchmarks:end -->)", re.DOTALL)


def main() -> None:
    """Print each row as soon as it is known."""
    asked = _arguments()
    sizes = _SHORT_SIZES if asked.short else _SIZES
    print(HEADER)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for part in (asked.only,) if asked.only else _SHORT_PARTS if asked.short else _PARTS:
            for row in _PARTS[part](Path(folder), sizes, asked.short):
                rows.append(row)
                if row.has_aim:
                    print(row.markdown(), flush=True)
    if not shell.has_taskwarrior():
        print("\nTaskwarrior is not installed: nothing was compared with it.")
    if asked.only in (None, "turns"):
        print(f"\n{table()}")
    if asked.plot is not None:
        asked.plot.write_text(draw(rows), encoding="utf-8")
    if asked.readme is not None:
        _write_table(asked.readme, rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--short", action="store_true", help="fewer parts and runs, and smaller lists: a quick look"
    )
    parser.add_argument("--only", choices=sorted(_PARTS), help="one part of them")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw how it all grows")
    parser.add_argument(
        "--readme",
        type=Path,
        metavar="FILE",
        help="write the rows into the table between the file's markers",
    )
    return parser.parse_args()


def _write_table(file: Path, rows: list[Row]) -> None:
    """Write the rows into the table of a file; those of parts that did not run stay."""
    measured = {row.name: row.markdown() for row in rows if row.has_aim}

    def renew(table: re.Match[str]) -> str:
        kept = [
            measured.pop(line.split(" | ")[0].removeprefix("| "), line)
            for line in table[0].splitlines()
        ]
        return "\n".join((*kept, *measured.values()))

    text = file.read_text(encoding="utf-8")
    file.write_text(_BLOCK.sub(renew, text), encoding="utf-8")


def _first_frames(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    for size in sizes if short else (0, *sizes):
        yield _first_frame(folder, size, runs=1 if short else 15)


def _turns(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    with instant_server(folder / "requests.jsonl") as server:
        asked_of = (
            _SWITCHED_TO[::3] if short else [each.id for each in REMOTES if each.id not in _OWN]
        )
        for asked in map(remote, asked_of):
            turns, rounds = (10, 1) if short else (100, 5)
            yield turn.compare(folder, server, asked, turns=turns, rounds=rounds)
        # On a machine that others use too, one run says nothing of the gaps of a switch.
        for asked in map(remote, () if short else _SWITCHED_TO):
            yield from switching.compare(folder, server, asked, runs=11)


def _keys(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    wanted = [size for size in sizes if size > list_paint.FEW][-1 if short else 0 :]
    yield from list_paint.compare(folder, wanted, repeats=4 if short else 100)


def _memory(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    for size in sizes[-1 if short else 0 :]:
        yield memory.compare(folder, size, runs=1 if short else 3)


def _shell(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    runs = 1 if short else 11
    yield _add_from_the_shell(folder, runs=runs)
    if shell.has_taskwarrior():
        for size in sizes:
            yield from shell.compare(folder, size, runs=runs)
    else:
        yield from shell.of_ours_alone(folder, sizes[-1] if short else 10_000, runs=runs)


def _imports(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    yield from importing.compare(folder, runs=1 if short else 3, tasks=sizes[-1])


def _conversations(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    messages, each = (10_000, 200) if short else (100_000, 2_000)
    yield from conversations.compare(folder, messages, each, runs=3 if short else 21)


def _transcripts(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    yield from transcripts.compare(folder, runs=1 if short else 11, many=1_000 if short else 10_000)


def _knowledge(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    yield from knowledge.compare(folder, sizes[-1], runs=1 if short else 3)


def _agents(folder: Path, sizes: tuple[int, ...], short: bool) -> Iterator[Row]:
    yield from agents.compare(folder, 10_000 if short else 100_000, runs=1 if short else 5)


_PARTS: dict[str, Callable[[Path, tuple[int, ...], bool], Iterator[Row]]] = {
    "frames": _first_frames,
    "keys": _keys,
    "memory": _memory,
    "shell": _shell,
    "import": _imports,
    "turns": _turns,
    "conversations": _conversations,
    "transcripts": _transcripts,
    "knowledge": _knowledge,
    "agents": _agents,
}
_SHORT_PARTS = ("frames", "keys", "shell", "turns")
"""Those that a change is most likely to slow down; the others take minutes."""


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
        target=1.7,
        plotted=Plotted("first frame", "todo-tui", tasks, "bare Textual") if tasks else None,
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
