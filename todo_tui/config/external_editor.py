"""The user's text editor: `$VISUAL`, `$EDITOR`, or one that is installed."""

import os
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line

_INSTALLED = (
    ("notepad",)
    if os.name == "nt"
    else ("sensible-editor", "editor", "nano", "vim", "vi", "micro", "hx", "emacs")
)
SET_EDITOR = "Set EDITOR to the command of your editor, for example EDITOR=nano."


def find_editor(environ: Mapping[str, str]) -> list[str]:
    """Return the command to which a path is appended.

    Raises:
        TodoError: the one named in the environment has an unclosed quote or is not installed,
            or none is named and none is installed.
    """
    path = environ.get("PATH")
    for name in ("VISUAL", "EDITOR"):
        try:
            command = shlex.split(environ.get(name, ""), posix=os.name == "posix")
        except ValueError as error:
            raise TodoError(f"{name} has an unclosed quote.", hint=SET_EDITOR) from error
        if not command:
            continue
        if shutil.which(command[0], path=path) is None:
            raise TodoError(f"Editor “{plain_line(command[0])}” not found.", hint=SET_EDITOR)
        return command
    for editor in _INSTALLED:
        if shutil.which(editor, path=path):
            return [editor]
    raise TodoError("No editor found.", hint=SET_EDITOR)


@contextmanager
def leave_interrupts_to_editor() -> Iterator[None]:
    """Ignore Ctrl+C, which reaches the whole process group, while an editor runs.

    By a handler: a signal that is ignored stays ignored in the editor, too.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
