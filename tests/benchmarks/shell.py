"""What people do in a shell, beside Taskwarrior 2 on the same tasks.

Taskwarrior works in a folder of its own with its defaults; only the question before a
change is switched off, as nobody is there to answer it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tests.benchmarks.first_frame import quiet_environment
from tests.benchmarks.report import Plotted, Row, cpu_of, paired
from tests.benchmarks.seeding import (
    made_up_tasks,
    seed_tasks,
    write_json,
    write_taskwarrior_json,
)

ALLOWANCE_MS = 60.0
"""What a quick command may cost above an import of sqlite_utils."""
AHEAD_AT = 100_000
"""Tasks at which every command is to be ahead of Taskwarrior."""
_LISTED_AT = 10_000
"""Tasks at which the list is to be, and the others are held against the import."""


def has_taskwarrior() -> bool:
    """Whether there is anything to compare with."""
    return shutil.which("task") is not None


@dataclass(frozen=True, slots=True)
class _Shell:
    """The two programs on lists of so many tasks each."""

    home: Path
    size: int

    def ours(self, *arguments: str, database: str = "tasks.db") -> float:
        """CPU seconds of one of our commands."""
        script = Path(sys.executable).with_name("todo-tui")
        program = [str(script)] if script.exists() else [sys.executable, "-m", "todo_tui"]
        command = [*program, "--db", str(self.home / database), *arguments]
        return cpu_of(command, quiet_environment(self.home))

    def theirs(self, *arguments: str, folder: str = "taskwarrior") -> float:
        """CPU seconds of one of Taskwarrior's."""
        settings = self.home / f"{folder}.rc"
        if not settings.exists():
            (self.home / folder).mkdir()
            settings.write_text(f"data.location={self.home / folder}\nconfirmation=off\n")
        env = {**quiet_environment(self.home), "TASKRC": str(settings)}
        return cpu_of(["task", *arguments], env)

    def bare(self) -> float:
        """CPU seconds of the import that any tool on this database begins with."""
        return cpu_of([sys.executable, "-c", "import sqlite_utils"], quiet_environment(self.home))

    def plotted(self, command: str) -> Plotted:
        return Plotted(f"`{command}`", "todo-tui", self.size, "Taskwarrior")


def compare(folder: Path, size: int, *, runs: int) -> Iterator[Row]:
    """A row for each command at that size; none where Taskwarrior is not installed."""
    home = folder / f"shell-{size}"
    home.mkdir()
    shell = _Shell(home, size)
    # An import takes seconds, and differs little from run to run.
    yield _importing(shell, runs=min(runs, 3 if size < AHEAD_AT else 1))
    shutil.copyfile(home / "imported.db", home / "tasks.db")
    (home / "imported").rename(home / "taskwarrior")
    (home / "imported.rc").unlink()
    (home / "taskwarrior.rc").write_text(
        f"data.location={home / 'taskwarrior'}\nconfirmation=off\n"
    )
    open_tasks = [task for task in made_up_tasks(size) if task.completed_at is None]
    ours_next, theirs_next = iter(open_tasks), iter(open_tasks)
    commands: Sequence[tuple[str, Callable[[], float], Callable[[], float]]] = (
        ("list", lambda: shell.ours("list"), lambda: shell.theirs("list")),
        (
            "filter",
            lambda: shell.ours("list", "project:work", "priority:high"),
            lambda: shell.theirs("project:work", "priority:H", "list"),
        ),
        (
            "add",
            lambda: shell.ours("add", "buy milk tomorrow 5pm #home"),
            lambda: shell.theirs("add", "buy milk", "due:tomorrow", "project:home"),
        ),
        (
            "done",
            lambda: shell.ours("done", str(next(ours_next).number), "--leave-children"),
            lambda: shell.theirs(next(theirs_next).hyphened, "done"),
        ),
    )
    for name, ours, theirs in commands:
        ahead = size >= AHEAD_AT or (size == _LISTED_AT and name == "list")
        yield paired(
            f"`{name}`, {size:,} tasks, beside Taskwarrior, CPU",
            ours,
            theirs,
            runs=runs,
            target=1.0 if ahead else None,
            plotted=shell.plotted(name),
        )
        if size == _LISTED_AT and name != "list":
            yield _above_the_import(shell, name, ours, runs=runs)


def of_ours_alone(folder: Path, size: int, *, runs: int) -> Iterator[Row]:
    """The rows for which Taskwarrior is not needed."""
    home = folder / f"ours-{size}"
    home.mkdir()
    seed_tasks(home / "tasks.db", size)
    shell = _Shell(home, size)
    filtered = ("list", "project:work", "priority:high")
    yield _above_the_import(shell, "filter", lambda: shell.ours(*filtered), runs=runs)
    yield _above_the_import(shell, "add", lambda: shell.ours("add", "buy milk"), runs=runs)


def _above_the_import(shell: _Shell, name: str, ours: Callable[[], float], *, runs: int) -> Row:
    return paired(
        f"`{name}`, {shell.size:,} tasks, above `import sqlite_utils`, CPU",
        ours,
        shell.bare,
        runs=runs,
        target=None,
        above=ALLOWANCE_MS,
    )


def _importing(shell: _Shell, *, runs: int) -> Row:
    """An import of all tasks into a new list; the last ones stay, as `imported`."""
    ours_file, theirs_file = shell.home / "ours.json", shell.home / "theirs.json"
    write_json(ours_file, shell.size)
    write_taskwarrior_json(theirs_file, shell.size)
    numbers = count()

    def ours() -> float:
        name = f"imported-{next(numbers)}.db"
        seconds = shell.ours("import", str(ours_file), database=name)
        (shell.home / name).replace(shell.home / "imported.db")
        return seconds

    def theirs() -> float:
        shutil.rmtree(shell.home / "imported", ignore_errors=True)
        (shell.home / "imported.rc").unlink(missing_ok=True)
        return shell.theirs("import", str(theirs_file), folder="imported")

    return paired(
        f"`import`, {shell.size:,} tasks, beside Taskwarrior, CPU",
        ours,
        theirs,
        runs=runs,
        target=1.0 if shell.size >= AHEAD_AT else None,
        plotted=shell.plotted("import"),
    )
