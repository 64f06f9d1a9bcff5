"""iCalendar syntax: content lines, components and texts (RFC 5545, 3.1 and 3.3.11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from todo_tui.formats.parsed_file import split_lines

_FOLD = re.compile(r"\n[ \t]")
_PLAIN = re.compile(r"([A-Za-z0-9-]+):(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED_COMMA = re.compile(r"(?<!\\)((?:\\\\)*),")
_LIMIT = 75
"""Octets of a line without its end."""


class ContentLine(NamedTuple):
    """One unfolded line: names in capitals, the value in raw form."""

    name: str
    params: Mapping[str, str]
    value: str
    raw: str


class Component(NamedTuple):
    """A component with all raw lines between its BEGIN and END."""

    name: str
    lines: Sequence[str]
    is_whole: bool


class Calendar(NamedTuple):
    """Contents of a file: tasks, time zones, and the number of other components."""

    todos: Sequence[Component]
    zones: Sequence[Component]
    """VTIMEZONE components."""
    others: int


def parse_calendar(text: str) -> Calendar:
    """Parse a file; a component without an end is marked as incomplete."""
    lines = _FOLD.sub("", "\n".join(split_lines(text))).split("\n")
    components = list(_components(line for line in lines if line.strip()))
    todos = [each for each in components if each.name == "VTODO"]
    zones = [each for each in components if each.name == "VTIMEZONE"]
    others = sum(each.name not in ("VTODO", "VTIMEZONE") for each in components)
    return Calendar(todos, zones, others)


def _components(lines: Iterable[str]) -> Iterator[Component]:
    """Yield the top-level components; the BEGIN of a VTODO ends an unfinished one."""
    open_names: list[str] = []
    inside: list[str] = []
    for raw in lines:
        begin, end = _mark(raw, "BEGIN:"), _mark(raw, "END:")
        if open_names and begin == "VTODO":
            yield Component(open_names[0], inside, is_whole=False)
            open_names, inside = [], []
        if begin not in (None, "VCALENDAR"):
            open_names.append(str(begin))
            if len(open_names) == 1:
                continue
        if end is not None and open_names[-1:] == [end]:
            name = open_names.pop()
            if not open_names:
                yield Component(name, inside, is_whole=True)
                inside = []
                continue
        if open_names:
            inside.append(raw)
    if open_names:
        yield Component(open_names[0], inside, is_whole=False)


def _mark(raw: str, mark: str) -> str | None:
    if raw[: len(mark)].upper() != mark:
        return None
    return raw[len(mark) :].strip().upper()


def parse_line(raw: str) -> ContentLine:
    """Parse a content line.

    Raises:
        ValueError: it is not a content line.
    """
    if plain := _PLAIN.fullmatch(raw):
        return ContentLine(plain[1].upper(), {}, plain[2], raw)
    # Deferred: icalendar takes 0.1 s to import, and only lines with parameters need it.
    from icalendar.parser import Contentline

    line = Contentline(raw)  # type: ignore[no-untyped-call]  # the library's own gap
    name, params, value = line.raw_parts()
    named = {
        str(key).upper(): each if isinstance(each, str) else ",".join(each)
        for key, each in params.items()
    }
    return ContentLine(str(name).upper(), named, str(value), raw)


def fold_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines folded and with line ends."""
    for line in lines:
        if len(line) <= _LIMIT and line.isascii():
            yield f"{line}\r\n"
        else:
            # Deferred as above: most lines are short.
            from icalendar.parser import Contentline

            whole = Contentline(line)  # type: ignore[no-untyped-call]  # the library's own gap
            yield whole.to_ical().decode() + "\r\n"  # type: ignore[no-untyped-call]  # the same


def escape_text(text: str) -> str:
    """Escape a TEXT value (RFC 5545, 3.3.11)."""
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def unescape_text(value: str) -> str:
    """Unescape a TEXT value."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def split_list(value: str) -> list[str]:
    """Split and unescape a list of TEXT values."""
    marked = _UNESCAPED_COMMA.sub(lambda found: f"{found[1]}\x1f", value)
    return [unescape_text(each) for each in marked.split("\x1f")]
