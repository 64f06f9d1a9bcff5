"""The log file: private, rotated, keys redacted."""

from __future__ import annotations

import logging
import os
import stat
import sys
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.domain.errors import TodoError
from todo_tui.domain.private_writing import make_private_folder
from todo_tui.domain.secret import redact_text

if TYPE_CHECKING:
    from todo_tui.cli.wiring.session import CliSession

_PRIVATE_FOLDER = 0o700
_LARGEST_LOG = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
_log = logging.getLogger("todo_tui")
_LOGGERS = (_log, *map(logging.getLogger, ("opentelemetry", "urllib3")))
"""Our logger, and those of libraries that would write warnings to the screen."""


def open_log(session: CliSession) -> Path | None:
    """Send the log to its file, which the first line creates; return its path.

    Return None if its folder cannot be created; then nothing is logged.
    """
    path = session.log_path
    try:
        _make_private(path.parent)
    except OSError:
        for logger in _LOGGERS:
            logger.addHandler(logging.NullHandler())
        return None
    handler = _PrivateFileHandler(path, maxBytes=_LARGEST_LOG, backupCount=1, delay=True)
    handler.setFormatter(_RedactingFormatter(session))
    # A handler must not write errors of its own to the app's screen.
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # logging's own way
    for previous in _log.handlers:
        previous.close()
    for logger in _LOGGERS:
        logger.handlers = [handler]
        logger.setLevel(logging.INFO if logger is _log else logging.WARNING)
        logger.propagate = False
    return path


def log_unexpected_error(error: Exception, session: CliSession) -> TodoError:
    """Log an unexpected error; return the error to show in its place."""
    path = open_log(session)
    _log.error("unexpected", exc_info=error)
    message = f"Unexpected error ({type(error).__name__})."
    details = f"Details are in {path}." if path and path.exists() else ""
    return TodoError(message, hint=f"Saved tasks are safe. {details}".strip())


def _make_private(folder: Path) -> None:
    """Create the folder of the log, or make an existing one private.

    A link, or the folder of another user, is left as it is.
    """
    make_private_folder(folder)
    if sys.platform != "win32":
        status = folder.lstat()
        is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        if is_own and stat.S_IMODE(status.st_mode) != _PRIVATE_FOLDER:
            folder.chmod(_PRIVATE_FOLDER)


class _PrivateFileHandler(RotatingFileHandler):
    """A log file with mode 0600 under any umask, and so the older ones that it becomes."""

    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if sys.platform != "win32":
            os.fchmod(handle, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab"), encoding="utf-8", errors="backslashreplace")


class _RedactingFormatter(logging.Formatter):
    """Formats lines with every known key replaced by dots, escaped or not."""

    def __init__(self, session: CliSession) -> None:
        super().__init__(_FORMAT)
        self._session = session

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._session.secrets():
            text = redact_text(text, secret)
        return text
