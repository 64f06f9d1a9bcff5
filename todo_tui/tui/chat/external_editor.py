"""The user's editor on a text, with the app suspended."""

import asyncio
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from textual.app import App, SuspendNotSupported

from todo_tui.config.external_editor import find_editor, leave_interrupts_to_editor
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line, plain_text

MESSAGE_LIMIT_BYTES = 500_000
"""Longest message, in bytes of UTF-8; more than any model reads at once."""
_LARGEST_BYTES = 10 * MESSAGE_LIMIT_BYTES
"""More than can be sent, since a text that is too long may be shortened in several steps."""


async def edit_externally(app: App[None], text: str, environ: Mapping[str, str]) -> str:
    """Return the text as the user's editor leaves it.

    The file and its folder, which takes the editor's backups too, are private and removed.

    Raises:
        TodoError: there is no editor, it failed, or the terminal cannot be handed over.
    """
    command = find_editor(environ)
    name = plain_line(command[0])
    try:
        with TemporaryDirectory(prefix="todo-tui-") as folder:
            path = Path(folder) / "message.md"
            path.touch(mode=0o600)
            path.write_bytes(text.encode())
            status = await _run(app, [*command, str(path)])
            if status:
                raise _failure(name, f"failed (exit status {status})")
            edited = plain_text(_read_edited(path, name))
    except SuspendNotSupported as error:
        raise TodoError("This terminal does not support external editors.") from error
    except OSError as error:
        raise _failure(name, f"failed ({error.strerror or type(error).__name__})") from error
    # Editors end the last line.
    return edited if text.endswith("\n") else edited.removesuffix("\n")


def _read_edited(path: Path, name: str) -> str:
    """Return the text of the file, which an editor may have replaced by anything.

    Raises:
        TodoError: It is not a regular file (a pipe would be waited for), too large or not text.
        OSError: It cannot be read.
    """
    try:
        is_file = stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError as error:
        raise _failure(name, "deleted the file") from error
    if not is_file:
        raise _failure(name, "left no regular file")
    with path.open("rb") as file:
        data = file.read(_LARGEST_BYTES + 1)
    if len(data) > _LARGEST_BYTES:
        raise _failure(name, f"left more than {_LARGEST_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _failure(name, "left text that is not UTF-8") from error


def _failure(name: str, what: str) -> TodoError:
    return TodoError(f"Editor “{name}” {what}. The message is unchanged.")


async def _run(app: App[None], command: Sequence[str]) -> int:
    """Run the command in the terminal while the app goes on without it; return its status."""
    problem: BaseException | None = None
    status = 0
    with app.suspend():
        try:
            with leave_interrupts_to_editor():
                process = await asyncio.create_subprocess_exec(*command)
                try:
                    status = await process.wait()
                except asyncio.CancelledError:
                    process.terminate()
                    raise
        # The app is not resumed after an exception.
        except (OSError, asyncio.CancelledError) as error:
            problem = error
    if problem is not None:
        raise problem
    return status
