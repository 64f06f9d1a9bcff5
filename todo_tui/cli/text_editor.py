"""The person's own editor, on a file."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from todo_tui.domain.errors import TodoError

_USUAL = (
    ("notepad",)
    if os.name == "nt"
    else ("sensible-editor", "editor", "nano", "vim", "vi", "micro", "hx", "emacs")
)
_SET_ONE = "Set EDITOR to one, as in EDITOR=nano."


def edit(path: Path, environ: Mapping[str, str]) -> int:
    """Open the file in `VISUAL`, `EDITOR` or an editor that is there; its exit status.

    Raises:
        TodoError: there is none, or it cannot be started.
    """
    words = _editor(environ)
    # Ctrl+C is for the editor. With a handler in its place the signal is ignored here,
    # but not by the editor, as it would be if ignoring were handed down.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run([*words, str(path)], check=False).returncode  # noqa: S603 - theirs
    except OSError as error:
        raise TodoError(
            f"The editor {words[0]} cannot be started: {error.strerror}.", hint=_SET_ONE
        ) from error
    finally:
        signal.signal(signal.SIGINT, before)


def _editor(environ: Mapping[str, str]) -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environ.get(name, ""), posix=os.name == "posix")
        except ValueError as error:
            raise TodoError(f"{name} has a quote that is not closed.", hint=_SET_ONE) from error
        if words:
            return words
    for name in _USUAL:
        if shutil.which(name, path=environ.get("PATH")):
            return [name]
    raise TodoError("No editor was found.", hint=_SET_ONE)
