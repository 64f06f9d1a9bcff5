"""The installed program in a pseudo-terminal, with keys that do not wait for it."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it ships no types
import pyte

ROWS, COLUMNS = 36, 120
_PATIENCE_SECONDS = 300.0


class Terminal:
    """A program on a screen that can be read."""

    def __init__(self, child: pexpect.spawn) -> None:
        self._child = child
        self.last_words = ""
        """What the program wrote after it was last read."""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def type(self, keys: str) -> None:
        self._child.send(keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        self._child.setwinsize(rows, columns)
        self._screen.resize(rows, columns)

    def shown(self) -> str:
        return "\n".join(self._screen.display)

    def until(self, holds: Callable[[str], bool]) -> str:
        """Read what the program draws until the screen is as wanted."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not holds(self.shown()):
            assert time.monotonic() < deadline, self.shown()
            try:
                self._stream.feed(self._child.read_nonblocking(65536, timeout=0.5))
            except pexpect.TIMEOUT:
                continue
        return self.shown()

    def ends(self) -> int:
        """Wait until the program is over; its exit status."""
        self._child.expect(pexpect.EOF, timeout=_PATIENCE_SECONDS)
        self.last_words = self._child.before.decode()
        self._child.close()
        return self._child.exitstatus or 0


@contextmanager
def running(folder: Path, term: str = "screen-256color", **environ: str) -> Iterator[Terminal]:
    """The app on a database of its own, with no settings of the person's."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "TERM": term,
        "LANG": "C.UTF-8",
        **environ,
    }
    child = pexpect.spawn(
        sys.executable,
        ["-m", "todo_tui", "--db", str(folder / "tasks.db")],
        env=env,
        cwd=str(folder),
        dimensions=(ROWS, COLUMNS),
        echo=True,
    )
    try:
        yield Terminal(child)
    finally:
        if child.isalive():
            # On a busy machine it may be long in dying.
            child.kill(signal.SIGKILL)
            child.wait()
        child.close()


def test_messages_sent_before_the_first_frame_are_answered_and_copying_in_tmux_reaches_its_buffer(
    tmp_path: Path,
) -> None:
    # tmux stores what comes on standard input; a real one would need a server.
    tmux = tmp_path / "bin" / "tmux"
    tmux.parent.mkdir()
    tmux.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\ncat > {tmp_path}/buffer\n')
    tmux.chmod(0o755)
    environ = {"PATH": f"{tmux.parent}:/usr/bin:/bin", "TMUX": "/tmp/tmux-0/default,1,0"}  # noqa: S108
    with running(tmp_path, "xterm-256color", **environ) as terminal:
        terminal.type("add buy milk tomorrow 5pm\radd call mom\rand th")
        terminal.type("en")
        wanted = ("Added Buy milk", "Added Call mom", "○   Buy milk", "│ and then")
        shown = terminal.until(lambda text: all(words in text for words in wanted))
        assert shown.index("Added Buy milk") < shown.index("Added Call mom")
        terminal.type("\x15/copy\r")
        terminal.until(lambda text: "Copied the details to tmux" in text)
        terminal.type("\x11")
        assert terminal.ends() == 0
    assert (tmp_path / "arguments").read_text() == "load-buffer -w -\n"
    assert "Call mom" in (tmp_path / "buffer").read_text()


def test_a_quit_waits_no_longer_for_a_lock_and_prints_what_was_not_saved(tmp_path: Path) -> None:
    with running(tmp_path) as terminal:
        terminal.until(lambda text: "Welcome" in text)
        with closing(sqlite3.connect(tmp_path / "tasks.db", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            terminal.type("precious words")
            terminal.until(lambda text: "│ precious words" in text)
            # The second press does not wait.
            terminal.type("\x11\x11")
            assert terminal.ends() == 0
        _, _, printed = terminal.last_words.rpartition("could not write to")
        assert "tasks.db, so the last changes were not saved." in " ".join(printed.split())
        assert "Your unsent message:" in printed
        assert "precious words" in printed


def test_alt_and_a_digit_or_letter_are_keys_and_alt_enter_breaks_the_line(tmp_path: Path) -> None:
    with running(tmp_path) as terminal:
        terminal.type("add buy milk\r")
        terminal.until(lambda text: "Alt+U undo changes" in text)
        terminal.type("\x1bu")
        terminal.until(lambda text: "undone" in text and "0 open" in text)
        terminal.type("\x1b3")
        shown = terminal.until(lambda text: "Groq needs an API key" in text)
        assert "│ Message the assistant" in shown, "the box is still empty"
        terminal.type("one\x1b\rtwo")
        terminal.until(lambda text: "│ one " in text and "│ two " in text)


EDITOR = """#!/bin/sh
echo "editing with $1 in mode $(stat -c %a "$2") of $(stat -c %a "$(dirname "$2")")"
echo "$2" > path
[ -e fail ] && exit 3
while [ ! -e go ]; do sleep 0.05; done
printf ' and more' >> "$2"
"""


def test_the_message_is_edited_in_an_editor_and_no_key_is_lost(tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text(EDITOR)
    editor.chmod(0o700)
    with running(tmp_path, EDITOR=f"'{editor}' --wait") as terminal:
        terminal.until(lambda text: "Message the assistant" in text)
        terminal.type("before\x07 after")
        terminal.until(lambda text: "editing with --wait in mode 600 of 700" in text)
        (tmp_path / "go").touch()
        terminal.until(lambda text: "│ before and more after" in text)
        assert not Path((tmp_path / "path").read_text().strip()).parent.exists()

        (tmp_path / "fail").touch()
        terminal.type("\x07")
        terminal.until(lambda text: "exit status 3" in text)
        terminal.until(lambda text: "│ before and more after" in text)
        terminal.type("\x11")
        assert terminal.ends() == 0


ENDS = {
    'rm "$1"; mkfifo "$1"': "left no regular file.",
    'rm "$1"': "deleted the file.",
    'echo secret > other; ln -sf "$PWD/other" "$1"': "left no regular file.",
    "printf 'caf\\351' > \"$1\"": "left text that is not UTF-8.",
    'truncate -s 20G "$1"': "left more than 5 MB.",
}
"""What an editor does to its file, and what is said of it then."""


def test_an_editor_that_leaves_no_text_is_named_and_the_message_kept(tmp_path: Path) -> None:
    editor = tmp_path / "odd"
    editor.write_text(f'#!/bin/sh\ncd "{tmp_path}" && . ./end\n')
    editor.chmod(0o700)

    def is_named(reason: str, screen: str) -> bool:
        # The notice of the one before may still be there, and is another.
        return not (tmp_path / "end").exists() and reason in " ".join(screen.split())

    with running(tmp_path, EDITOR=str(editor)) as terminal:
        terminal.until(lambda text: "Message the assistant" in text)
        terminal.type("kept")
        for end, reason in ENDS.items():
            (tmp_path / "end").write_text(f"rm end; {end}\n")
            terminal.type("\x07")
            terminal.until(partial(is_named, reason))
        editor.unlink()
        terminal.type("\x07 too")
        # The notice may be drawn before the text.
        terminal.until(lambda text: "not found." in text and "│ kept too" in text)
        terminal.type("\x11")
        assert terminal.ends() == 0
