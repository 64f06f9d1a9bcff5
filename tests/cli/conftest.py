"""A shell in which `todo-tui` runs: its own folders, a clock that stands still, no keys."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.blank import blank
from todo_tui.cli.main import main
from todo_tui.domain.task import JsonValue

NOW = "2026-11-18T14:30"
"""A Wednesday."""

_OF_PROVIDERS = ("_API_KEY", "_BASE_URL", "_MODEL", "_AUTH_TOKEN", "_HOST")
"""How the names of variables end that would lead a run to a real provider."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> JsonValue:
        """The one JSON value on standard output."""
        value: JsonValue = json.loads(self.out)
        return value

    @property
    def tasks(self) -> list[dict[str, JsonValue]]:
        """The array of tasks on standard output."""
        value = self.json
        assert isinstance(value, list)
        assert all(isinstance(task, dict) for task in value)
        return [task for task in value if isinstance(task, dict)]

    @property
    def task(self) -> dict[str, JsonValue]:
        """The only task on standard output."""
        (task,) = self.tasks
        return task


class Shell:
    """Runs commands in this process, or in one of their own, on an empty database."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.folder = folder
        self._capsys = capsys
        self._patch = patch
        for name in list(os.environ):
            if name.startswith(("TODO_TUI_", "OTEL_")) or name.endswith(_OF_PROVIDERS):
                patch.delenv(name)
        for name, value in self.environment().items():
            patch.setenv(name, value)

    def environment(self) -> Mapping[str, str]:
        """The variables that keep a run to its own folders."""
        return {
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "TODO_TUI_DB": str(self.folder / "tasks.db"),
            "TODO_TUI_NOW": NOW,
            "TZ": "Europe/Berlin",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }

    def set(self, **variables: str) -> None:
        """Set variables for the runs that follow."""
        for name, value in variables.items():
            self._patch.setenv(name, value)

    def run(self, *args: str, stdin: bytes | None = None) -> Outcome:
        """Run a command in this process."""
        if stdin is not None:
            self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        status = main(args)
        printed = self._capsys.readouterr()
        return Outcome(status, printed.out, printed.err)

    def done(self, *args: str, stdin: bytes | None = None) -> Outcome:
        """Run a command that must succeed."""
        outcome = self.run(*args, stdin=stdin)
        assert outcome.status == 0, outcome
        return outcome

    def fails(self, *args: str, status: int = 1, stdin: bytes | None = None) -> Outcome:
        """Run a command that must fail with nothing on standard output."""
        outcome = self.run(*args, stdin=stdin)
        assert outcome.status == status, outcome
        assert outcome.out == ""
        assert outcome.err
        assert "Traceback" not in outcome.err
        return outcome

    def completions(self, **variables: str) -> list[str]:
        """Return the lines that a shell is told, which asks with these variables."""
        with self._patch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            outcome = self.done()
        assert outcome.err == ""
        return outcome.out.strip("\n").splitlines()

    def process(
        self, *args: str, stdin: bytes = b"", timeout: float = 300, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command in a process of its own, with pipes for streams and no terminal."""
        return subprocess.run(
            [sys.executable, "-m", "todo_tui", *args],
            input=stdin,
            capture_output=True,
            timeout=timeout,
            env={**os.environ, **variables},
            start_new_session=True,
            check=False,
        )


@pytest.fixture
def shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    blank(tmp_path / "tasks.db")
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.fixture
def no_database(shell: Shell) -> None:
    """Leaves it to a command to create the database."""
    (shell.folder / "tasks.db").unlink()
