"""TOML with mistakes: each is told with its line, and costs only its own statement.

A typing error in one line must not move a person's tasks to another database: what is
sound still holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.config.toml_statements import Statement, statements

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
class Mistake:
    """Something that is no TOML; `line` counts from 1, `hint` is the cure."""

    line: int
    what: str
    hint: str


@dataclass(frozen=True, slots=True)
class Mended:
    """What is left of a text; its lines keep their numbers."""

    text: str
    table: dict[str, object]
    mistakes: tuple[Mistake, ...]
    """In the order of their lines."""
    lost: tuple[str, ...]
    """What was left out, each statement below the header of its table."""


def mended(text: str) -> Mended:
    """Read a text that is not valid; bytes that are no UTF-8 stand in it as surrogates."""
    lines = text.replace("\r\n", "\n").split("\n")
    mending = _Mending(lines, list(statements(lines)))
    mending.strike_unreadable()
    table = mending.strike_conflicts()
    mistakes = sorted(mending.mistakes, key=lambda mistake: mistake.line)
    return Mended(mending.text, table, tuple(mistakes), tuple(mending.lost))


@dataclass(slots=True)
class _Mending:
    lines: Sequence[str]
    sound: list[Statement]
    """What was not struck so far."""
    mistakes: list[Mistake] = field(default_factory=list)
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
                self.mistakes.append(Mistake(number, "these bytes are not UTF-8 text", cure))
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
                self.mistakes.append(Mistake(above[-1].first, f"{above[-1].name}: {what}", hint))
        hint = "Correct the first ones, then look again."
        self.mistakes.append(Mistake(len(self.lines), "there are too many mistakes", hint))
        self.lost.append(self.text)
        self.sound.clear()
        return {}

    def _strike_if_unreadable(self, statement: Statement) -> None:
        if _UNDECODED.search(statement.text):
            self._strike(statement)
            return
        try:
            tomllib.loads(statement.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self._strike(statement)
            line = statement.first - 1 + (_line_in(error) or 1)
            told = _OPEN_BRACKET if statement.is_open else _plain(error)
            self.mistakes.append(Mistake(line, *told))

    def _strike(self, statement: Statement) -> None:
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
    """What a person is told of it, and the cure."""
    return next((what, hint) for said, what, hint in _PLAIN if re.search(said, str(error)))


def _line_in(error: Exception) -> int | None:
    found = _WHERE.search(str(error))
    return int(found[1]) if found else None
