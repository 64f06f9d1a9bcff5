"""config.toml: values by path, problems with their line, suggestions for unknown names."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from todo_tui.config.catalogue import CUSTOM_PROVIDER_SETTINGS, PROVIDER_SETTINGS, SETTINGS
from todo_tui.config.settings import ConfigProblem
from todo_tui.config.values import ValueKind, shorten_for_message

_Value = TypeVar("_Value")
_LARGEST = 1_000_000
"""Bytes; nobody writes so many settings."""
_PATIENCE_SECONDS = 5.0
"""How long a pipe is waited for."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_PROVIDERS = "providers"
_KEYS = "keys"
TomlPath = tuple[str | int, ...]
"""Names of tables and values; an item of a list by its number from 0."""
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(
    r"""
    [ \t]*
    (?: "(?P<basic>(?:\\.|[^"\\\n])*)" | '(?P<literal>[^'\n]*)' | (?P<bare>[\w-]+) )
    [ \t]*
    """,
    re.VERBOSE,
)
_SCALAR = re.compile(
    r"""
      \"{3} (?: \\. | [^\\] )*? \"{3} \"{0,2}
    | '{3} .*? '{3} '{0,2}
    | "(?: \\. | [^"\\\n] )*"
    | '[^'\n]*'
    | [^,\]}#\n]+
    """,
    re.VERBOSE | re.DOTALL,
)


_ERROR_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_SYNTAX_ERRORS: tuple[tuple[str, str, str], ...] = (
    ("Unescaped|hex value|scalar value", "a backslash stands alone", "Write \\\\ for one."),
    (
        r"(Illegal|Found invalid) character '\\n'|Unterminated|Expected \"'|Expected '\"",
        "a quote is not closed",
        "Close it on the same line.",
    ),
    ("Illegal character|Found invalid", "a control character stands in it", "Take it out."),
    (
        r"Invalid value \(at end of document",
        "the last value is incomplete",
        "Write it to its end, and close brackets.",
    ),
    ("Expected '='", "a name is not followed by `=`", 'Write it as name = "value".'),
    ("Expected newline", "something follows the value", "One setting a line, words in quotes."),
    (
        "Invalid value",
        "what follows the `=` is no value",
        "Put words in quotes; numbers, true and false stand without.",
    ),
    ("Invalid date", "there is no such date or time", "Write it as 2026-11-18T14:30."),
    ("Unclosed", "a comma is missing, or a bracket is not closed", "Add it."),
    ("Expected ']", "the name of a table is not closed", "Write it as [limits]."),
    ("Cannot|Duplicate", "it is set a second time", "Take one out; the first one holds."),
    ("recursion", "it is nested too deeply", "Nothing here needs that: take it out."),
    ("", "this is neither a setting nor a table", 'Write name = "value", or # before a remark.'),
)
"""Pattern of tomllib's message, reason and hint; the first that matches holds."""


class ConfigFile:
    """Contents of config.toml; unusable settings are listed in `problems` and left out.

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
        self._ignored_text = ""
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
        """Return the value at a path of names, or None."""
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

    def value(self, path: tuple[str, ...], kind: ValueKind[_Value]) -> _Value | None:
        """The value under those names; None where there is none, or none that can be used."""
        found = self.find(path)
        if found is None:
            return None
        value = kind.of_toml(found)
        if value is None:
            self.note_invalid(path, f"Write {kind.written}.")
        return value

    def note_invalid(
        self, path: Sequence[str | int], hint: str, reason: str = "cannot be used"
    ) -> None:
        """Note that a value cannot be used, and why if more can be said."""
        names = [name for name in path if isinstance(name, str)]
        self.note(path, f"`{shorten_for_message(names[-1])}` {reason}.", hint)

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

            self._lines = find_line_numbers(self._text)
        for length in range(len(path), 0, -1):
            if tuple(path[:length]) in self._lines:
                return self._lines[tuple(path[:length])]
        return None

    def addresses_lost(self, provider_ids: Collection[str]) -> Collection[str]:
        """Return the providers whose base URL may stand in a file that is ignored.

        All of them, if the file names none.
        """
        if "base_url" not in self._ignored_text:
            return ()
        words = set(re.findall(r"[\w-]+", self._ignored_text))
        return words.intersection(provider_ids) or set(provider_ids)

    def may_have_lost(self, name: str) -> bool:
        """Return true if the name occurs in a file that is ignored."""
        return name in self._ignored_text

    @property
    def sets_database(self) -> bool:
        """True if a file that is ignored names a database: the default one is another."""
        return bool(re.search(r"(?m)^[ \t]*db[ \t]*=", self._ignored_text))

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
            text = data.decode("utf-8-sig")
            self._table, self._text = tomllib.loads(text), text
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._ignore(data, "these bytes are not UTF-8 text", "Save the file as UTF-8.", line)
        except (ValueError, RecursionError) as error:
            reason, hint = next(
                (reason, hint)
                for pattern, reason, hint in _SYNTAX_ERRORS
                if re.search(pattern, str(error))
            )
            found = _ERROR_LINE.search(str(error))
            line = int(found[1]) if found else text.rstrip().count("\n") + 1
            self._ignore(data, reason, hint, line)

    def _ignore(self, data: bytes, reason: str, hint: str, line: int) -> None:
        """Use none of the file: what a broken one means is not guessed at."""
        self._ignored_text = data.decode("utf-8-sig", "replace")
        self._note(f"This is not valid TOML: {reason}; the file is ignored.", hint, line)

    def _note(self, message: str, hint: str, line: int | None = None) -> None:
        where = f"line {line}: " if line else ""
        self.problems.append(ConfigProblem(f"{self.path}: {where}{message}", hint, line))


def _from_pipe(handle: int) -> bytes:
    """Read the configuration from a pipe, as in `--config <(sops -d config.toml)`.

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


def check_setting_names(file: ConfigFile, built_in: Sequence[str]) -> None:
    """Note every name in the file that is not a setting, and every table that is none."""
    in_file = [setting for setting in SETTINGS if setting.example]
    known: dict[str, list[str]] = {}
    for setting in in_file:
        known.setdefault(setting.section, []).append(setting.key)
    top = known.pop("")
    moved = [setting.also for setting in in_file if setting.also]
    for name, value in file.table().items():
        if name in known or name == _PROVIDERS:
            if not isinstance(value, Mapping):
                file.note_invalid((name,), f"Write [{name}] above its settings.", "is not a table")
        elif name not in top and name not in moved:
            hint = _better_place(name, value, known, built_in)
            _unknown(file, (name,), hint, [*top, *known, _PROVIDERS])
    for section, names in known.items():
        if section == _KEYS:
            # What stands there beside is read, and complained of, as names of actions.
            continue
        for name in file.table(section):
            if name not in names:
                _unknown(file, (section, name), _home(name, {"": top, **known}), names)
    _check_providers(file, built_in)


def closest_name(name: str, known: Collection[str]) -> str | None:
    """The known name that was probably meant."""
    # Only a mistake pays for the search of what was meant.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1)), None)


def _check_providers(file: ConfigFile, built_in: Sequence[str]) -> None:
    every = [setting.name for setting in PROVIDER_SETTINGS]
    own = [setting.name for setting in CUSTOM_PROVIDER_SETTINGS]
    for provider_id, table in file.table(_PROVIDERS).items():
        path = (_PROVIDERS, provider_id)
        if not isinstance(table, Mapping):
            cure = f"Write [{_PROVIDERS}.{shorten_for_message(provider_id)}] above its settings."
            file.note_invalid(path, cure, "is not a table")
            continue
        known = every if provider_id in built_in else [*every, *own]
        for name in table:
            if name in known:
                continue
            if name in own:
                cure = "Take it out, or choose another name for a provider of your own."
                file.note_invalid((*path, name), cure, f"cannot be set: {provider_id} is built in")
            else:
                _unknown(file, (*path, name), "", known)


def _unknown(file: ConfigFile, path: tuple[str, ...], better: str, known: Iterable[str]) -> None:
    meant = None if better else closest_name(path[-1].lower().replace("-", "_"), list(known))
    guess = better or (f"Did you mean `{meant}`? " if meant else "")
    file.note_invalid(path, f"{guess}Known here: {', '.join(known)}.", "is not a setting")


def _better_place(
    name: str, value: object, sections: Mapping[str, Sequence[str]], built_in: Sequence[str]
) -> str:
    """Suggest the right table for a name that is unknown at the top of the file."""
    if isinstance(value, Mapping):
        return f"Did you mean [{_PROVIDERS}.{name}]? " if name in built_in else ""
    if name in [setting.name for setting in PROVIDER_SETTINGS]:
        return f"It belongs under a provider, such as [{_PROVIDERS}.groq]. "
    return _home(name, sections)


def _home(name: str, sections: Mapping[str, Sequence[str]]) -> str:
    for section, names in sections.items():
        if name in names:
            return f"It belongs under [{section}]. " if section else "It belongs above all tables. "
    return ""


def find_line_numbers(text: str) -> dict[TomlPath, int]:
    """The line, counted from 1, of every name in a valid TOML text.

    A table stands where it is opened first, by its header or in a dotted name. What
    lies behind something that is not TOML is left out.
    """
    scanner = _Scanner(text.replace("\r\n", "\n"))
    with contextlib.suppress(_NotToml, RecursionError):
        scanner.scan()
    return scanner.lines


class _NotToml(Exception):
    """The text does not go on as TOML does."""


class _Scanner:
    def __init__(self, text: str) -> None:
        self.lines: dict[TomlPath, int] = {}
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._last_items: dict[TomlPath, int] = {}
        """Of each array of tables, the number of the one that was opened last."""

    def scan(self) -> None:
        table: TomlPath = ()
        while self._skip(_BLANK) < len(self._text):
            if self._next == "[":
                table = self._header()
            else:
                self._pair(table)

    @property
    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> int:
        return self._take(pattern).end()

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _NotToml
        self._at = match.end()
        return match

    def _expect(self, text: str) -> None:
        if not self._text.startswith(text, self._at):
            raise _NotToml
        self._at += len(text)

    def _line(self) -> int:
        return bisect_left(self._ends, self._at) + 1

    def _header(self) -> TomlPath:
        line = self._line()
        many = self._text.startswith("[[", self._at)
        self._at += 2 if many else 1
        names = self._names()
        self._expect("]]" if many else "]")
        path: TomlPath = ()
        for name in names:
            if path in self._last_items:
                path = (*path, self._last_items[path])
            path = (*path, name)
            self.lines.setdefault(path, line)
        if many:
            number = self._last_items.get(path, -1) + 1
            self._last_items[path] = number
            path = (*path, number)
            self.lines[path] = line
        return path

    def _names(self) -> list[str]:
        """The names in `a."b c".d`."""
        names = [_name(self._take(_KEY))]
        while self._next == ".":
            self._at += 1
            names.append(_name(self._take(_KEY)))
        return names

    def _pair(self, table: TomlPath) -> None:
        line = self._line()
        path = table
        for name in self._names():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self._expect("=")
        self._value(path)

    def _value(self, path: TomlPath) -> None:
        self._skip(_BLANK)
        if self._next == "[":
            self._items(path)
        elif self._next == "{":
            self._inline_table(path)
        else:
            self._skip(_SCALAR)

    def _items(self, path: TomlPath) -> None:
        self._expect("[")
        number = 0
        while not self._closed_by("]"):
            item = (*path, number)
            self.lines[item] = self._line()
            self._value(item)
            number += 1

    def _inline_table(self, path: TomlPath) -> None:
        self._expect("{")
        while not self._closed_by("}"):
            self._pair(path)

    def _closed_by(self, bracket: str) -> bool:
        """Pass over what stands between two items; whether the bracket ended them."""
        self._skip(_BLANK)
        if self._next == ",":
            self._at += 1
            self._skip(_BLANK)
        closed = self._next == bracket
        self._at += closed
        return closed


def _name(match: re.Match[str]) -> str:
    if match["basic"] is None:
        return match["literal"] if match["bare"] is None else match["bare"]
    if "\\" not in match["basic"]:
        return match["basic"]
    # Escapes are read by the parser itself; whoever asks for lines has imported it.
    import tomllib

    try:
        return str(tomllib.loads(f'name = "{match["basic"]}"')["name"])
    except tomllib.TOMLDecodeError as error:
        raise _NotToml from error
