"""On which line each name and list item of a TOML text stands; tomllib tells only values."""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left

Path = tuple[str | int, ...]
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


def lines_of(text: str) -> dict[Path, int]:
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
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._last_items: dict[Path, int] = {}
        """Of each array of tables, the number of the one that was opened last."""

    def scan(self) -> None:
        table: Path = ()
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

    def _header(self) -> Path:
        line = self._line()
        many = self._text.startswith("[[", self._at)
        self._at += 2 if many else 1
        names = self._names()
        self._expect("]]" if many else "]")
        path: Path = ()
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

    def _pair(self, table: Path) -> None:
        line = self._line()
        path = table
        for name in self._names():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self._expect("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        self._skip(_BLANK)
        if self._next == "[":
            self._items(path)
        elif self._next == "{":
            self._inline_table(path)
        else:
            self._skip(_SCALAR)

    def _items(self, path: Path) -> None:
        self._expect("[")
        number = 0
        while not self._closed_by("]"):
            item = (*path, number)
            self.lines[item] = self._line()
            self._value(item)
            number += 1

    def _inline_table(self, path: Path) -> None:
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
