"""The configuration file: TOML, of which every mistake is told with its line and its cure."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from todo_tui.config.kinds import Kind
from todo_tui.config.printable import shown
from todo_tui.config.settings import ConfigProblem

_Value = TypeVar("_Value")

_LARGEST = 1_000_000
"""Bytes; nobody writes so many settings."""
_PATIENCE_SECONDS = 5.0
"""How long a pipe is waited for."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class ConfigFile:
    """What the file says; what cannot be used is noted in `problems` and left out.

    Paths are the names of the tables and of the value: `("limits", "retries")`.
    """

    def __init__(self, path: Path, *, expected: bool) -> None:
        """Read the file; only one that is expected is missed."""
        self.path = path
        self.problems: list[ConfigProblem] = []
        self.open_to_others = False
        """Whether other users of the machine can read it."""
        self._table: Mapping[str, object] = {}
        self._text = ""
        self._lost: tuple[str, ...] = ()
        self._lines: Mapping[tuple[str | int, ...], int] | None = None
        try:
            self._parse(self._read())
        except FileNotFoundError:
            if expected:
                self._note("There is no such file; defaults hold.", "Check the path.")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            cure = "Check the file and its permissions."
            self._note(f"It cannot be read: {reason}; defaults hold.", cure)

    def find(self, path: Sequence[str]) -> object | None:
        """What stands under those names; None where nothing does."""
        value: object = self._table
        for name in path:
            if not isinstance(value, Mapping) or name not in value:
                return None
            value = value[name]
        return value

    def table(self, *path: str) -> Mapping[str, object]:
        """The table of that name; empty where there is none."""
        value = self.find(path)
        return value if isinstance(value, Mapping) else {}

    def value(self, path: tuple[str, ...], kind: Kind[_Value]) -> _Value | None:
        """The value under those names; None where there is none, or none that can be used."""
        found = self.find(path)
        if found is None:
            return None
        value = kind.of_toml(found)
        if value is None:
            self.wrong(path, f"Write {kind.written}.")
        return value

    def wrong(self, path: Sequence[str | int], hint: str, reason: str = "cannot be used") -> None:
        """Note that a value cannot be used, and why if more can be said."""
        names = [name for name in path if isinstance(name, str)]
        self.note(path, f"`{shown(names[-1])}` {reason}.", hint)

    def note(self, path: Sequence[str | int], message: str, hint: str) -> None:
        """Note a mistake that stands there."""
        self._note(message, hint, self.line_of(path))

    def unusable(self, name: str, hint: str) -> None:
        """Note something outside of the file that is no reason to stop."""
        self.problems.append(ConfigProblem(f"{name} cannot be used.", hint))

    def line_of(self, path: Sequence[str | int]) -> int | None:
        """The line of what stands there, else of the table around it; None if unknown."""
        if self._lines is None:
            # Lines are asked for when there is something to complain of, and to explain.
            from todo_tui.config.toml_lines import lines_of

            self._lines = lines_of(self._text)
        for length in range(len(path), 0, -1):
            if tuple(path[:length]) in self._lines:
                return self._lines[tuple(path[:length])]
        return None

    def addresses_lost(self, provider_ids: Collection[str]) -> Collection[str]:
        """Providers whose address may have stood in what could not be read.

        Where it cannot be told whose address it was, that is all of them.
        """
        lost: set[str] = set()
        for text in self._lost:
            if "base_url" in text:
                words = set(re.findall(r"[\w-]+", text))
                lost |= words.intersection(provider_ids) or set(provider_ids)
        return lost

    def may_have_lost(self, name: str) -> bool:
        """Whether the name stands in what could not be read."""
        return any(name in text for text in self._lost)

    def check_privacy(self) -> None:
        """Note that others can read the file, if a key stands in it."""
        sections = [self.table("providers", name) for name in self.table("providers")]
        keys = any("api_key" in section for section in sections)
        if self.open_to_others and (keys or self.may_have_lost("api_key")):
            from shlex import quote  # only for those who must type it

            cure = f"Run: chmod 600 {quote(str(self.path))}"
            self._note("It holds a key, and others can read it.", cure)

    def _read(self) -> bytes:
        # Non-blocking, for a pipe that nobody writes to would be waited for.
        handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            mode = os.fstat(handle).st_mode
            if stat.S_ISFIFO(mode):
                return _from_pipe(handle)
            self.open_to_others = os.name == "posix" and bool(stat.S_IMODE(mode) & 0o077)
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(_LARGEST + 1)
        finally:
            os.close(handle)

    def _parse(self, data: bytes) -> None:
        if len(data) > _LARGEST:
            self._note("It is too large to be settings; defaults hold.", "Check the path.")
            return
        if data.startswith(_UTF_16):
            self._note("It is not UTF-8 text but UTF-16; defaults hold.", "Save it as UTF-8.")
            return
        # Most people have no file at all: the parser is not theirs to pay for.
        import tomllib

        try:
            self._text = data.decode("utf-8-sig")
            self._table = tomllib.loads(self._text)
        except (ValueError, RecursionError):
            self._mend(data.decode("utf-8-sig", "surrogateescape"))

    def _mend(self, text: str) -> None:
        from todo_tui.config.toml_mending import mended  # as above

        sound = mended(text)
        self._text, self._table, self._lost = sound.text, sound.table, sound.lost
        for mistake in sound.mistakes:
            self._note(f"This is not valid TOML: {mistake.what}.", mistake.hint, mistake.line)

    def _note(self, message: str, hint: str, line: int | None = None) -> None:
        where = f"line {line}: " if line else ""
        self.problems.append(ConfigProblem(f"{self.path}: {where}{message}", hint, line))


def _from_pipe(handle: int) -> bytes:
    """What another program writes, as in `--config <(sops -d config.toml)`.

    Raises:
        OSError: nothing comes.
    """
    import select  # few keep their settings in a program

    data = bytearray()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while len(data) <= _LARGEST:
        left = max(deadline - time.monotonic(), 0)
        if not select.select([handle], [], [], left)[0]:
            raise OSError(errno.ETIMEDOUT, "nothing comes through this pipe")
        piece = os.read(handle, _LARGEST)
        if not piece:
            break
        data += piece
    if not data:
        raise OSError(errno.EPIPE, "nobody writes to this pipe")
    return bytes(data)
