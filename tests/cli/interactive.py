"""Interactive shells in a pseudo-terminal, in which keys are pressed and the line is read."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import pexpect  # type: ignore[import-untyped]  # it has no stubs

_SECONDS = 300
"""To wait for a shell, however busy the machine is."""
_PROGRAM = """\
#!/bin/sh
if [ -n "$_TODO_TUI_COMPLETE" ] || [ "$1" = completions ]; then
    exec "{python}" -m todo_tui "$@"
fi
printf '%s\\0' "$@" > "{folder}/argv.part"
mv "{folder}/argv.part" "{folder}/argv"
"""
_ESCAPE_LINE = "\x15"
_SHOW_LINE = "\x14"


class _ShellRow(NamedTuple):
    """How a shell is started without a configuration, and made to write its line to a file."""

    command: tuple[str, ...]
    setup: tuple[str, ...]


_ROWS: Mapping[str, _ShellRow] = {
    "bash": _ShellRow(
        ("bash", "--norc", "--noprofile", "-i"),
        (
            "bind 'set enable-bracketed-paste off'; bind 'set bell-style none'",
            'show() { printf %s "$READLINE_LINE" > line.part; mv line.part line; }',
            "bind -x '\"\\C-t\": show'",
            'eval "$(todo-tui completions bash)"',
        ),
    ),
    "zsh": _ShellRow(
        ("zsh", "-f", "-i"),
        (
            "autoload -U compinit; compinit -u -D; setopt bang_hist; unsetopt zle_bracketed_paste",
            'show() { printf %s "$BUFFER" > line.part; mv line.part line; }',
            "zle -N show; bindkey '^T' show; bindkey '^U' kill-whole-line",
            'eval "$(todo-tui completions zsh)"',
        ),
    ),
    "fish": _ShellRow(
        ("fish", "-i"),
        (
            "set -g fish_greeting; set -g fish_autosuggestion_enabled 0; function fish_prompt; end",
            "function show; printf %s (commandline -b | string collect) > line.part;"
            " mv line.part line; end",
            "bind \\ct show; bind \\cu kill-whole-line",
            "todo-tui completions fish | source",
        ),
    ),
}


class InteractiveShell:
    """A shell in a folder, in which `todo-tui` completes and records how it is run."""

    def __init__(self, name: str, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        program = folder / "bin/todo-tui"
        program.parent.mkdir(exist_ok=True)
        program.write_text(_PROGRAM.format(python=sys.executable, folder=folder))
        program.chmod(0o755)
        row = _ROWS[name]
        self._terminal = pexpect.spawn(
            row.command[0],
            list(row.command[1:]),
            cwd=folder,
            env={
                **environ,
                "PATH": f"{program.parent}:{environ['PATH']}",
                "TERM": "xterm",
                "INPUTRC": "/dev/null",
                # A new fish would read all manual pages in the background, for half a minute.
                "FISH_UNIT_TESTS_RUNNING": "1",
            },
            dimensions=(40, 200),
            encoding="utf-8",
            timeout=_SECONDS,
        )
        self._terminal.delaybeforesend = None
        for line in (*row.setup, "touch ready"):
            self._terminal.send(f"{line}\r")
        self._wait_for("ready")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._terminal.isalive():
            # On a busy machine it may be long in dying.
            self._terminal.kill(signal.SIGKILL)
            self._terminal.wait()
        self._terminal.close()

    def complete(self, typed: str) -> str:
        """Return the line after typing and Tab; it stays in the shell."""
        self._terminal.send(f"{typed}\t{_SHOW_LINE}")
        return self._wait_for("line")

    def run(self) -> list[str]:
        """Press Enter and return the arguments that `todo-tui` is given."""
        self._terminal.send("\r")
        return self._wait_for("argv").split("\0")[:-1]

    def clear(self) -> None:
        """Clear the line."""
        self._terminal.send(_ESCAPE_LINE)

    def press(self, keys: str) -> None:
        """Press keys."""
        self._terminal.send(keys)

    def expect(self, words: str) -> None:
        """Wait for words on the screen."""
        self._terminal.expect_exact(words)

    def _wait_for(self, name: str) -> str:
        """Return the text of a file once it is there, and remove it."""
        path = self.folder / name
        end = time.monotonic() + _SECONDS
        while not path.exists():
            assert time.monotonic() < end, f"no {name}: {self._read_screen()}"
            # What the shell prints is read, so that it never waits for us.
            self._read_screen()
        text = path.read_text(encoding="utf-8")
        path.unlink()
        return text

    def _read_screen(self) -> str:
        try:
            return str(self._terminal.read_nonblocking(100_000, timeout=0.02))
        except pexpect.TIMEOUT:
            return ""
