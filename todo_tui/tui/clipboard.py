"""Clipboard: that of the desktop by its own tools, else that of the terminal, else a file."""

import base64
import os
import tempfile
from collections.abc import Callable, Mapping

_OSC52_BYTES = 74_000
"""Longest text that is sent to a terminal: xterm and others drop more than 100,000 characters, in
base64, of one sequence."""
_SCREEN_CHUNK = 76


def copy_on_desktop(text: str, environ: Mapping[str, str]) -> bool:
    """Copy with the tool of the desktop; return False without one, or over SSH; blocks.

    Over SSH it would be the clipboard of the server.
    """
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    import pyperclip  # looks for its tools when it is imported

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError):
        return False
    return True


def fits_terminal(text: str) -> bool:
    """Return whether terminals accept a text of that length."""
    return len(text.encode()) <= _OSC52_BYTES


def write_through_multiplexer(
    text: str, write: Callable[[str], None], environ: Mapping[str, str]
) -> None:
    """Write an OSC 52 sequence wrapped so that tmux or GNU screen passes it on.

    Textual has sent the bare sequence already, which is enough outside of one; tmux needs
    `allow-passthrough` or `set-clipboard on`. No reply says whether it arrived.
    """
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    if environ.get("TMUX"):
        write("\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\")
    elif environ.get("STY"):
        pieces = [
            sequence[start : start + _SCREEN_CHUNK]
            for start in range(0, len(sequence), _SCREEN_CHUNK)
        ]
        write("\x1bP" + "\x1b\\\x1bP".join(pieces) + "\x1b\\")


def save_copy(text: str) -> str:
    """Write a text to a new private file; return its path."""
    handle, path = tempfile.mkstemp(prefix="todo-tui-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return path
