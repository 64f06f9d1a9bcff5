"""First frame in a pty: stored tasks drawn and a typed key echoed, against bare Textual."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte

KEY = "ζ"
"""A letter that no screen shows by itself."""

BARE_APP = """
from textual.app import App
from textual.widgets import Footer, Markdown, TextArea
class Bare(App):
    def compose(self):
        yield Markdown("# Hello\\n\\nThis is *bare*.")
        yield TextArea()
        yield Footer()
    def on_mount(self):
        self.query_one(TextArea).focus()
Bare().run()
"""


@dataclass(frozen=True, slots=True)
class FirstFrame:
    """What one start cost until the frame was complete, in seconds."""

    cpu: float
    wall: float


def measure(command: Sequence[str], env: Mapping[str, str], wanted: Sequence[str]) -> FirstFrame:
    """Start `command` in a 120×36 pty, type a key at once, wait until all is on screen.

    Raises:
        TimeoutError: the frame was not complete after 30 seconds.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], list(command), {**os.environ, **env})  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    os.write(terminal, KEY.encode())
    try:
        return _wait_for_screen(pid, terminal, (*wanted, KEY))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def _wait_for_screen(pid: int, terminal: int, wanted: Sequence[str]) -> FirstFrame:
    """What it had cost when what completes the screen was written: reading it takes a while."""
    started = time.perf_counter()
    clock = _cpu_clock(pid)
    screen = pyte.Screen(120, 36)
    stream = pyte.ByteStream(screen)
    while time.perf_counter() - started < 30:
        readable, _, _ = select.select([terminal], [], [], 0.5)
        if not readable:
            continue
        written = os.read(terminal, 65536)
        frame = FirstFrame(time.clock_gettime(clock), time.perf_counter() - started)
        stream.feed(written)
        shown = "\n".join(screen.display)
        if all(text in shown for text in wanted):
            return frame
    raise TimeoutError("the first frame was not complete after 30 s:\n" + "\n".join(screen.display))


def _cpu_clock(pid: int) -> int:
    """The clock of all CPU time of a process, as `clock_getcpuclockid` of Linux makes it."""
    return (~pid << 3) | 2


def app_command(database: Path) -> tuple[list[str], dict[str, str]]:
    """How to start the app on a database, with no configuration of the person's."""
    command = [sys.executable, "-m", "todo_tui", "--db", str(database)]
    return command, quiet_environment(database.parent)


def bare_command(folder: Path) -> tuple[list[str], dict[str, str]]:
    """How to start the bare Textual app."""
    script = folder / "bare.py"
    script.write_text(BARE_APP, encoding="utf-8")
    return [sys.executable, str(script)], quiet_environment(folder)


def quiet_environment(folder: Path) -> dict[str, str]:
    """An environment that points every file of the app into `folder`, bytecode included.

    An installed program has its bytecode beside it; the warm-up writes it here.
    """
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
