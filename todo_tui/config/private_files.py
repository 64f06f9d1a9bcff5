"""Files of the configuration folder, which only their owner can use."""

from pathlib import Path

from todo_tui.domain.errors import TodoError
from todo_tui.domain.private_writing import make_private_folder, replace_file


def replace_private_file(path: Path, text: str) -> None:
    """Write a file with mode 0600, so that readers see the old text or the new one, whole.

    A link stays a link.

    Raises:
        TodoError: it cannot be written.
    """
    try:
        target = path.resolve()
        make_private_folder(target.parent)
        replace_file(target, text)
    except (OSError, RuntimeError) as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError | RuntimeError) -> TodoError:
    """Return the error about a file that cannot be written."""
    reason = getattr(error, "strerror", None) or type(error).__name__
    return TodoError(
        f"Cannot write {path}: {reason}.",
        hint="Check the permissions of the file and its folder.",
    )
