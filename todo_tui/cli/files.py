"""Files as text: read with a named complaint, written whole or not at all."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from todo_tui.domain.errors import TodoError, ValidationError

PRIVATE_FILE = 0o600
"""Permissions of what is exported, whatever the umask: tasks are personal."""
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of text that are read; a hundred thousand tasks take a quarter of it."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(path: Path | None, *, largest: int = LARGEST_FILE) -> str:
    """The text of a file, or of standard input where `path` is None.

    UTF-8, or UTF-16 with its mark, as Windows writes it; any line ends.

    Raises:
        ValidationError: it cannot be read, is too large or no text.
    """
    name = "standard input" if path is None else str(path)
    try:
        data = _bytes(path, largest)
    except OSError as error:
        raise ValidationError(
            f"{name} cannot be read ({error.strerror}).", hint="Check the path and its permissions."
        ) from error
    if data is None:
        raise ValidationError(
            f"{name} is larger than {largest // 1024 // 1024} MB, which is as much as is read.",
            hint="Split it into several files.",
        )
    return _decoded(data, name)


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A text file that appears under its name when all is written, and never in part.

    What was there before stays until then, and for good when something goes wrong.
    A device or pipe is written to directly.

    Raises:
        TodoError: it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="") as file:
                yield file
            return
        # A link goes on pointing to its file.
        target = path.resolve()
        # Line ends are the writer's: some formats want both characters, most only one.
        with NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="",
            dir=target.parent,
            prefix=f".{target.name}.",
            delete=False,
        ) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).chmod(_mode(target))
                Path(file.name).replace(target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise TodoError(
            f"{path} cannot be written ({error.strerror}).",
            hint="Nothing was changed there. Check the folder, its permissions and the disk.",
        ) from error


def _bytes(path: Path | None, largest: int) -> bytes | None:
    """The bytes; None where there are more than that."""
    if path is None:
        data = sys.stdin.buffer.read(largest + 1)
    else:
        with path.open("rb") as file:
            # Asked first, so that a gigabyte is not read only to be refused.
            if os.fstat(file.fileno()).st_size > largest:
                return None
            data = file.read(largest + 1)
    return data if len(data) <= largest else None


def _decoded(data: bytes, name: str) -> str:
    encoding = next((each for mark, each in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise ValidationError(
            f"{name} is not a text file.", hint="It holds bytes that no text has."
        )
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValidationError(
            f"{name} is not UTF-8 text: byte 0x{data[error.start]:02x} in line {line}.",
            hint="Save it as UTF-8; it may be in Latin-1 now.",
        ) from error


def _mode(path: Path) -> int:
    """Return the permissions of the file that is replaced; a new one is for its owner alone."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return PRIVATE_FILE
