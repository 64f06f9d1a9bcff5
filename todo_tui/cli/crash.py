"""The log of what went wrong unexpectedly, without keys and without anybody's values."""

from __future__ import annotations

import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

from todo_tui.cli.session import Session
from todo_tui.cli.version import version
from todo_tui.domain.errors import TodoError
from todo_tui.domain.secret import DOTS

_LARGEST_LOG = 1_000_000


def report(error: Exception, session: Session) -> TodoError:
    """Write the error to the log; the sentence that says so."""
    hint = "It is not your fault. What was saved before is safe."
    try:
        path = _write(error, session)
    except OSError:
        return TodoError(f"Something went wrong inside ({type(error).__name__}).", hint=hint)
    return TodoError(
        f"Something went wrong inside ({type(error).__name__}); {path} has the details.", hint=hint
    )


def _write(error: Exception, session: Session) -> Path:
    path = session.log_path
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists() and path.stat().st_size > _LARGEST_LOG:
        path.replace(path.with_suffix(".old.log"))
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    lines = "".join(traceback.format_exception(error))
    text = without_secrets(f"\n{stamp} todo-tui {version()}\n{lines}", session)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as file:
        file.write(text)
    return path


def without_secrets(text: str, session: Session) -> str:
    """The text with every key that the environment or the settings hold replaced by dots."""
    for secret in session.secrets():
        text = text.replace(secret, DOTS)
    return text
