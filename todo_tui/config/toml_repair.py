"""Partial reading of a TOML file with syntax errors."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from todo_tui.config.values import shorten_for_message

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
_MOST_MISTAKES = 50
_WHERE = re.compile(r"\(at line (\d+), column \d+\)$")
_UNDECODED = re.compile("[\udc80-\udcff]")
"""What bytes that are no UTF-8 are decoded to (`surrogateescape`)."""
_PLAIN: tuple[tuple[str, str, str], ...] = (
    ("Unescaped|hex value|scalar value", "a backslash stands alone", "Write \\\\ for one."),
    (
        r"(Illegal|Found invalid) character '\\n'|Unterminated|Expected \"'|Expected '\"",
        "a quote is not closed",
        "Close it on the same line.",
    ),
    ("Illegal character|Found invalid", "a control character stands in it", "Take it out."),
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
"""What tomllib says, what a person is told, and the cure."""
_OPEN_BRACKET = (
    "a bracket is not closed",
    "Close it with ] or }; what stands in braces takes one line.",
)


@dataclass(frozen=True, slots=True)
class TomlStatement:
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
        return shorten_for_message(
            start.partition("#")[0] if self.is_header else start.partition("=")[0]
        ).strip()

    @property
    def is_header(self) -> bool:
        """True if the line opens a table, also where a bracket is missing."""
        start = self.lines[0].lstrip()
        return start.startswith("[") or ("=" not in start and bool(re.match(_TORN_HEADER, start)))


def split_statements(lines: Sequence[str]) -> Iterator[TomlStatement]:
    """The statements in their order; remarks and empty lines belong to none."""
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        end, is_open = _end(lines, at)
        yield TomlStatement(at + 1, tuple(lines[at:end]), is_open)
        at = end


def _end(lines: Sequence[str], start: int) -> tuple[int, bool]:
    """Return the end of the statement that begins at `start`, and true if a bracket is open."""
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


@dataclass(frozen=True, slots=True)
class TomlMistake:
    """Something that is no TOML; `line` counts from 1, `hint` is the cure."""

    line: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class RepairedToml:
    """Readable part of a broken file; line numbers are unchanged."""

    text: str
    table: dict[str, object]
    mistakes: tuple[TomlMistake, ...]
    """In the order of their lines."""
    lost: tuple[str, ...]
    """What was left out, each statement below the header of its table."""


def repair_toml(text: str) -> RepairedToml:
    """Read a text that is not valid; bytes that are no UTF-8 stand in it as surrogates."""
    lines = text.replace("\r\n", "\n").split("\n")
    mending = _TomlRepair(lines, list(split_statements(lines)))
    mending.strike_unreadable()
    table = mending.strike_conflicts()
    mistakes = sorted(mending.mistakes, key=lambda mistake: mistake.line)
    return RepairedToml(mending.text, table, tuple(mistakes), tuple(mending.lost))


@dataclass(slots=True)
class _TomlRepair:
    lines: Sequence[str]
    sound: list[TomlStatement]
    """What was not struck so far."""
    mistakes: list[TomlMistake] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The sound statements on their own lines."""
        lines = [""] * len(self.lines)
        for statement in self.sound:
            at = statement.first - 1
            lines[at : at + len(statement.lines)] = statement.lines
        return "\n".join(lines)

    def strike_unreadable(self) -> None:
        """Strike each statement that is no TOML even when it stands alone."""
        for number, line in enumerate(self.lines, start=1):
            if _UNDECODED.search(line):
                cure = "Save the file as UTF-8."
                self.mistakes.append(TomlMistake(number, "these bytes are not UTF-8 text", cure))
        for statement in list(self.sound):
            # Those of a table whose header was struck are gone already.
            if statement in self.sound:
                self._strike_if_unreadable(statement)

    def strike_conflicts(self) -> dict[str, object]:
        """Strike what cannot stand beside what is above it; the values of the rest."""
        while len(self.mistakes) < _MOST_MISTAKES:
            try:
                return tomllib.loads(self.text)
            except (tomllib.TOMLDecodeError, RecursionError) as error:
                line = _line_in(error) or len(self.lines)
                above = [each for each in self.sound if each.first <= line]
                if not above:
                    break
                self._strike(above[-1])
                what, hint = _plain(error)
                self.mistakes.append(
                    TomlMistake(above[-1].first, f"{above[-1].name}: {what}", hint)
                )
        hint = "Correct the first ones, then look again."
        self.mistakes.append(TomlMistake(len(self.lines), "there are too many mistakes", hint))
        self.lost.append(self.text)
        self.sound.clear()
        return {}

    def _strike_if_unreadable(self, statement: TomlStatement) -> None:
        if _UNDECODED.search(statement.text):
            self._strike(statement)
            return
        try:
            tomllib.loads(statement.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self._strike(statement)
            line = statement.first - 1 + (_line_in(error) or 1)
            told = _OPEN_BRACKET if statement.is_open else _plain(error)
            self.mistakes.append(TomlMistake(line, *told))

    def _strike(self, statement: TomlStatement) -> None:
        """Leave the statement out; with a header, all of its table.

        Its settings would else become those of the table above, and its key that of
        another provider.
        """
        at = self.sound.index(statement)
        end = at + 1
        if statement.is_header:
            while end < len(self.sound) and not self.sound[end].is_header:
                end += 1
        headers = [each.lines[0] for each in self.sound[:at] if each.is_header]
        struck = [each.text for each in self.sound[at:end]]
        self.lost.append("\n".join(headers[-1:] + struck))
        del self.sound[at:end]


def _plain(error: Exception) -> tuple[str, str]:
    """Return the message and the hint for a TOML error."""
    return next((what, hint) for said, what, hint in _PLAIN if re.search(said, str(error)))


def _line_in(error: Exception) -> int | None:
    found = _WHERE.search(str(error))
    return int(found[1]) if found else None
