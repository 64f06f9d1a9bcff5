"""Content lines of iCalendar (RFC 5545, section 3.1) and the components that they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_FOLD = re.compile(r"\n[ \t]")
_PLAIN = re.compile(r"([A-Za-z0-9-]+):(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPED_COMMA = re.compile(r"(?<!\\)((?:\\\\)*),")
_LIMIT = 75
"""Octets of a line, its end not counted."""


class Line(NamedTuple):
    """One unfolded line: name and parameter names in capitals, the value as it stands."""

    name: str
    params: Mapping[str, str]
    value: str
    raw: str

    def text(self) -> str:
        """The value of a TEXT property."""
        return unescaped(self.value)


class Component(NamedTuple):
    """A component with all lines between its BEGIN and END, as they stand."""

    name: str
    lines: Sequence[str]
    is_whole: bool


class Calendar(NamedTuple):
    """What a file holds: its tasks, what time zones are called, and how much else."""

    todos: Sequence[Component]
    zones: Mapping[str, str]
    """IANA names that VTIMEZONE components give, by TZID."""
    others: int
    """Events, journals and the like."""


def calendar_of(text: str) -> Calendar:
    """Take a file apart; a component that has no end is there, but not whole."""
    components = list(_components(unfolded(text)))
    return Calendar(
        todos=[each for each in components if each.name == "VTODO"],
        zones=dict(_zone(each) for each in components if each.name == "VTIMEZONE"),
        others=sum(each.name not in ("VTODO", "VTIMEZONE") for each in components),
    )


def _components(lines: Iterable[str]) -> Iterator[Component]:
    """The components right under the calendar; a VTODO that begins in another cuts that off."""
    open_names: list[str] = []
    inside: list[str] = []
    for raw in lines:
        begun, ended = _mark(raw, "BEGIN:"), _mark(raw, "END:")
        if open_names and begun == "VTODO":
            yield Component(open_names[0], inside, is_whole=False)
            open_names, inside = [], []
        if begun not in (None, "VCALENDAR"):
            open_names.append(str(begun))
            if len(open_names) == 1:
                continue
        if ended is not None and open_names[-1:] == [ended]:
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


def _zone(component: Component) -> tuple[str, str]:
    names = {line[: line.find(":")].upper(): line[line.find(":") + 1 :] for line in component.lines}
    return names.get("TZID", "").strip(), names.get("X-LIC-LOCATION", "").strip()


def line_of(raw: str) -> Line:
    """Take a line apart.

    Raises:
        ValueError: it is no content line.
    """
    plain = _PLAIN.fullmatch(raw)
    if plain is not None:
        return Line(plain[1].upper(), {}, plain[2], raw)
    # The library costs a tenth of a second to import; lines with parameters are worth it.
    from icalendar.parser import Contentline

    line = Contentline(raw)  # type: ignore[no-untyped-call]  # the library's own gap
    name, params, value = line.raw_parts()
    named = {
        str(key).upper(): each if isinstance(each, str) else ",".join(each)
        for key, each in params.items()
    }
    return Line(str(name).upper(), named, str(value), raw)


def unfolded(text: str) -> list[str]:
    """The lines of a file, whole again; empty ones left out."""
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    return [line for line in _FOLD.sub("", unix).split("\n") if line.strip()]


def folded_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they stand in a file, with their ends; long ones folded."""
    for line in lines:
        if len(line) <= _LIMIT and line.isascii():
            yield f"{line}\r\n"
        else:
            # As above: most lines are short.
            from icalendar.parser import Contentline

            whole = Contentline(line)  # type: ignore[no-untyped-call]  # the library's own gap
            yield whole.to_ical().decode() + "\r\n"  # type: ignore[no-untyped-call]  # the same


def escaped(text: str) -> str:
    """A TEXT value as it stands in a line (section 3.3.11)."""
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def unescaped(value: str) -> str:
    """The text of a TEXT value."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def listed(value: str) -> list[str]:
    """The texts of a value that lists several."""
    marked = _UNESCAPED_COMMA.sub(lambda found: f"{found[1]}\x1f", value)
    return [unescaped(each) for each in marked.split("\x1f")]
