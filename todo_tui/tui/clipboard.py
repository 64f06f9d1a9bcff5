"""Clipboard: of the desktop by its own tools, else of tmux or the terminal, else a file."""

import asyncio
import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from textual.app import App

from todo_tui.domain.text import plain_text
from todo_tui.tui.background import run_in_background
from todo_tui.tui.textual_fixes import write_to_terminal

_OSC52_BYTES = 74_000
"""Longest text that is sent to a terminal: xterm and others drop more than 100,000 characters, in
base64, of one sequence."""
_SCREEN_CHUNK = 76
_TMUX_SECONDS = 2.0


def copy_to_clipboard(app: App[Any], text: str, noun: str, hint: str = "") -> None:
    """Copy in a worker to the first place that takes it, and say which; `noun` names the text.

    The hint is a sentence to say then. Control characters are removed: in a shell, a pasted
    carriage return or end of a bracketed paste would run what follows.
    """
    text = plain_text(text)
    run_in_background(app, partial(_copy, app, text, noun, hint), group="clipboard")


async def _copy(app: App[Any], text: str, noun: str, hint: str) -> None:
    fits = len(text.encode()) <= _OSC52_BYTES
    if fits:
        # What the app itself pastes, and OSC 52.
        App.copy_to_clipboard(app, text)
    places = (
        (_copy_on_desktop, "the clipboard"),
        (_copy_in_tmux, "tmux and its terminal's clipboard"),
    )
    for copy, place in places:
        if not app.is_headless and await asyncio.to_thread(copy, text, os.environ):
            app.notify(f"Copied the {noun} to {place}. {hint}".rstrip(), timeout=3)
            return
    if fits:
        _write_through_multiplexer(text, partial(write_to_terminal, app), os.environ)
        app.notify(f"Sent the {noun} to the terminal's clipboard. {hint}".rstrip(), timeout=3)
    else:
        path = await asyncio.to_thread(_save_copy, text)
        app.notify(f"The {noun} is too long for the terminal's clipboard. Saved to {path}.")


def _copy_on_desktop(text: str, environ: Mapping[str, str]) -> bool:
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


def _copy_in_tmux(text: str, environ: Mapping[str, str]) -> bool:
    """Copy to tmux, which passes it on to its terminal; return False outside of tmux; blocks.

    tmux ignores OSC 52 of programs unless `set-clipboard on` is set.
    """
    tmux = shutil.which("tmux", path=environ.get("PATH"))
    if not environ.get("TMUX") or tmux is None:
        return False
    # tmux before 3.2 has no `-w`, which is for its terminal.
    for options in (["-w"], []):
        command = [tmux, "load-buffer", *options, "-"]
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(  # noqa: S603 - a program and options of ours
                command,
                input=text.encode(),
                env=dict(environ),
                capture_output=True,
                timeout=_TMUX_SECONDS,
                check=True,
            )
            return True
    return False


def _write_through_multiplexer(
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


def _save_copy(text: str) -> str:
    """Write a text to a new private file; return its path."""
    handle, path = tempfile.mkstemp(prefix="todo-tui-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return path
