"""A TOML text cut into statements, whether or not they are valid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from todo_tui.config.printable import shown

_NAME = r"""(?:[\w-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_START = re.compile(
    rf"""
    \s* (?:
        \[\[? \s* (?!(?:true|false|inf|nan)\b) [A-Za-z_] [^,\]]* \]\]? \s* (?:\#.*)? $
      | {_NAME} (?: \s* \. \s* {_NAME} )* \s* =
    )
    """,
    re.VERBOSE,
)
"""What can only be a new statement: `[table]` alone on its line, or `name =`."""
_TORN_HEADER = r"[^#]*\]|providers\b"
_TOKEN = re.compile(
    r"""
      (?P<comment> \# .* )
    | (?P<quotes> \"{3} | '{3} )
    | " (?: \\. | [^"\\] )* " | ' [^']* '
    | (?P<torn> ["'] .* )
    | (?P<opened> [\[{] )
    | (?P<closed> [\]}] )
    | [^\#"'\[\]{}]+
    """,
    re.VERBOSE,
)
_CLOSING = {'"""': re.compile(r'(?:\\.|[^\\])*?"""'), "'''": re.compile(r".*?'''")}


@dataclass(frozen=True, slots=True)
class Statement:
    """A setting or the header of a table; `first` is its first line, counted from 1."""

    first: int
    lines: tuple[str, ...]
    is_open: bool = False
    """Whether a bracket in it is not closed."""

    @property
    def text(self) -> str:
        """Its lines as one text."""
        return "\n".join(self.lines)

    @property
    def name(self) -> str:
        """The setting or table that it is about, as it is written; never a value."""
        start = self.lines[0].strip()
        return shown(start.partition("#")[0] if self.is_header else start.partition("=")[0]).strip()

    @property
    def is_header(self) -> bool:
        """Whether it opens a table, or was to: a bracket may be missing."""
        start = self.lines[0].lstrip()
        return start.startswith("[") or ("=" not in start and bool(re.match(_TORN_HEADER, start)))


def statements(lines: Sequence[str]) -> Iterator[Statement]:
    """The statements in their order; remarks and empty lines belong to none."""
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        end, is_open = _end(lines, at)
        yield Statement(at + 1, tuple(lines[at:end]), is_open)
        at = end


def _end(lines: Sequence[str], start: int) -> tuple[int, bool]:
    """Where the statement that begins there is over, and whether a bracket is still open."""
    depth, quotes = 0, ""
    for at in range(start, len(lines)):
        if at > start and not quotes and _START.match(lines[at]):
            return at, True
        depth, quotes = _after(lines[at], depth, quotes)
        if depth <= 0 and not quotes:
            return at + 1, False
    return (start + 1, False) if quotes else (len(lines), True)


def _after(line: str, depth: int, quotes: str) -> tuple[int, str]:
    """Brackets that are open behind the line, and the quotes of an open text of many lines."""
    at = 0
    while at < len(line) or quotes:
        if quotes:
            closing = _CLOSING[quotes].match(line, at)
            if closing is None:
                return depth, quotes
            at, quotes = closing.end(), ""
            continue
        token = _TOKEN.match(line, at)
        if token is None:
            break
        at = token.end()
        quotes = token["quotes"] or ""
        depth += (token["opened"] is not None) - (token["closed"] is not None)
    return depth, quotes
